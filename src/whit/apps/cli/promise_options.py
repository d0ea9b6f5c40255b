"""The options that state a promise: the same in every command."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from whit.apps.cli import toml_file
from whit.apps.cli.promises import NEIGHBOURS, NOISES, PARAMETERS, Stated, stated
from whit.apps.cli.written import Given, pairs, shown
from whit.errors import Incompatible, InvalidInput

Command = Callable[..., Any]

_SAID = {
    "epsilon": ("NUMBER", "Differential privacy with this epsilon; pure, unless there is a --delta."),
    "delta": ("NUMBER", "The delta that goes with --epsilon."),
    "rho": ("NUMBER", "Zero-concentrated differential privacy with this rho."),
    "mu": ("NUMBER", "Gaussian differential privacy with this mu."),
    "gaussian": ("SIGMA", "Gaussian noise with this standard deviation."),
    "discrete_gaussian": ("SIGMA", "Discrete Gaussian noise with this sigma."),
    "laplace": ("SCALE", "Laplace noise with this scale."),
    "geometric": ("EPSILON", "Geometric noise (discrete Laplace) that has this epsilon for a count."),
    "randomized_response": ("EPSILON", "Randomized response with this epsilon."),
    "noise": ("|".join(NOISES), "The noise that keeps --epsilon, --rho or --mu, where it is known."),
    "sampling_rate": ("RATE", "Noise that sees each record with this probability (Poisson sampling)."),
    "sensitivity": ("CHANGE", "Of the exact answer: count, histogram, a number, or ADD:REPLACE. A count if not given."),
    "neighbours": ("|".join(NEIGHBOURS), "Which two datasets the promise compares. add-remove if not given."),
    "times": ("K", "So many such releases about the same people."),
}

_TEXT = 'One more promise, as one text: "epsilon=1, delta=1e-6", "rho=0.1, noise=gaussian". May be given several times.'
_FILE = "A TOML file that states the promise: the same names without the hyphens in front."


def promise_options(command: Command) -> Command:
    """Give a command the options, and hand it what they state as `stated`."""

    @wraps(command)
    def with_promise(**options: Any) -> Any:
        return command(stated=_one(_taken(options)), **options)

    return _with_options(with_promise)


def several_promises_options(command: Command) -> Command:
    """The same for several promises, handed over as `promises`: that of the options, those of texts and of a file."""

    @wraps(command)
    def with_promises(**options: Any) -> Any:
        texts = options.pop("texts")
        return command(promises=(*_taken(options), *map(from_text, texts)), **options)

    text = click.option("--promise", "texts", multiple=True, metavar="TEXT", help=_TEXT)
    return _with_options(text(with_promises))


def _with_options(command: Command) -> Command:
    command = click.option("--from", "promise_file", metavar="FILE", help=_FILE)(command)
    for name, (kind, help_text) in reversed(_SAID.items()):
        command = click.option(f"--{shown(name)}", name, metavar=kind, help=help_text)(command)
    return command


def _taken(options: dict[str, Any]) -> tuple[Stated, ...]:
    """What the options state, which are taken away: one promise, those of a file, or none."""
    given = {name: value for name in PARAMETERS if (value := options.pop(name)) is not None}
    file = options.pop("promise_file")
    if file is None:
        return (stated(given),) if given else ()
    if given:
        also = " and ".join(f"--{shown(name)}" for name in given)
        raise Incompatible("--from", "states the whole promise", f"{also} as well", "Leave out one or the other.")
    return from_file(file)


def _one(found: tuple[Stated, ...]) -> Stated:
    """The one promise that there is; none at all is refused as the promise of no parameters."""
    if not found:
        return stated({})
    if len(found) > 1:
        way_out = "Use whit compare, or a file with a single promise."
        raise InvalidInput("the file", "must state one promise here", f"{len(found)} of them", way_out)
    return found[0]


def from_file(path: str) -> tuple[Stated, ...]:
    """The promises that a file states."""
    found = []
    for part in toml_file.parts(path, "promise"):
        with part.blamed():
            found.append(stated(_as_options(part.given), str(part.given.get("name", ""))))
    return tuple(found)


def _as_options(given: Given) -> dict[str, object]:
    """A table with the names of the options; `releases`, and two changes for a sensitivity, are what reports write."""
    found = {("times" if name == "releases" else name): value for name, value in given.items() if name != "name"}
    if {"add_remove", "replace"} <= found.keys():
        found["sensitivity"] = {name: found.pop(name) for name in ("add_remove", "replace")}
    return found


def from_text(text: str) -> Stated:
    """The promise that is written as `name=value, name=value`; `name=` gives it a name of its own."""
    given = pairs("a promise", text)
    name = str(given.pop("name", ""))
    return stated(given, name or text.strip())
