"""Things of whit in the words of the command line."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum
from typing import Any

import click

from whit.assessment import Assessment, Unanswered, promise_name
from whit.curves import Promise
from whit.errors import WhitError


def in_words(value: Any) -> Any:
    """A promise by its name, a member of an Enum by its word, and other things of whit by their kind.

    >>> from whit.guarantees import ApproxDP
    >>> from whit.setting import Neighbours
    >>> in_words(ApproxDP(1.0, 1e-6)), in_words(Neighbours.ADD_REMOVE), in_words(0.5)
    ('epsilon = 1, delta = 1e-6', 'add-remove', 0.5)
    """
    if isinstance(value, Promise):
        return promise_name(value)
    if isinstance(value, Enum):
        return value.name.lower().replace("_", "-")
    kind = value if isinstance(value, type) else type(value)
    if not kind.__module__.startswith("whit."):
        return value
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind.__name__).lower()


def spelled(found: Assessment) -> Assessment:
    """The assessment with the reasons of questions without an answer as the command line says them."""
    refused = {name: each.refusal for name, each in found.unanswered.items()}
    said = {name: Unanswered(sentence(each)) for name, each in refused.items() if isinstance(each, WhitError)}
    return replace(found, **said)


def sentence(error: WhitError) -> str:
    """What an error says on the command line: suggestions as options, and things in words.

    >>> said = WhitError("the posterior", "is open", "rho 1", "Ask with {failure}.", suggested={"failure": 0.1})
    >>> print(sentence(said))
    the posterior is open; got rho 1. Ask with --failure 0.1.
    """
    plain = type(error)(error.name, error.rule, in_words(error.value), error.way_out, suggested=error.suggested)
    return plain.sentence(as_option)


def as_option(name: str, value: object) -> str:
    """A suggested parameter as an option; a command may have another name for it.

    >>> as_option("orders", [2, 8])
    '--orders 2,8'
    """
    context = click.get_current_context(silent=True)
    own = {} if context is None else context.meta.get("whit.names", {})
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"--{own.get(name, name).replace('_', '-')} {text}"
