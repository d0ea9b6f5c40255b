"""The options about who is asking, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from whit.apps.cli.written import Number
from whit.setting import Adversary, Knowledge

Command = Callable[..., Any]

KNOWS = {"any-belief": Knowledge.ANY_BELIEF, "everyone-else": Knowledge.EVERYONE_ELSE}
"""What the adversary knows, by its words."""

_OPTIONS = (
    click.option("--prior", type=Number(), help="What the adversary believes before: the probability of the fact."),
    click.option("--inclusion", type=Number(), help="The probability that the person is in the data; with --value."),
    click.option("--value", type=Number(), help="The probability of the sensitive value, if they are in the data."),
    click.option(
        "--knows",
        type=click.Choice(list(KNOWS)),
        default="any-belief",
        show_default=True,
        help="What the adversary takes for granted about everyone else.",
    ),
    click.option(
        "--failure", type=Number(), default=0.0, show_default=True, help="The chance that a statement may be false."
    ),
    click.option(
        "--sides", type=click.IntRange(1, 2), default=1, show_default=True, help="2 to bound drops of beliefs as well."
    ),
    click.option("--level", type=Number(), default=0.05, show_default=True, help="The false-positive rate of tests."),
)


@dataclass(frozen=True)
class Asking:
    """Who asks, and what they allow for."""

    adversary: Adversary
    failure: float
    sides: int
    level: float

    def echoed(self) -> dict[str, Any]:
        """What a document says of it."""
        beliefs = {"inclusion": self.adversary.inclusion, "value": self.adversary.value}
        knows = {"knows": self.adversary.knows.name}
        return {**beliefs, **knows, "failure": self.failure, "sides": self.sides, "level": self.level}

    def __str__(self) -> str:
        who = self.adversary
        belief = f"prior {who.prior:g}"
        if who.value < 1.0:
            belief = f"inclusion {who.inclusion:g}, value {who.value:g}"
        return f"{belief}; failure {self.failure:g}; level {self.level:g}"


def adversary_options(command: Command) -> Command:
    """Give a command the options, and hand it what they say as `asking`."""

    @wraps(command)
    def with_adversary(**options: Any) -> Any:
        names = ("prior", "inclusion", "value", "knows", "failure", "sides", "level")
        return command(asking=_asking(**{name: options.pop(name) for name in names}), **options)

    decorated: Command = with_adversary
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def _asking(
    *,
    prior: float | None,
    inclusion: float | None,
    value: float | None,
    knows: str,
    failure: float,
    sides: int,
    level: float,
) -> Asking:
    beliefs = {"prior": prior, "inclusion": inclusion, "value": value}
    given = {name: belief for name, belief in beliefs.items() if belief is not None} or {"prior": 0.5}
    return Asking(Adversary(**given, knows=KNOWS[knows]), failure, sides, level)
