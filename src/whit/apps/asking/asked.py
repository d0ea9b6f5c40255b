"""A command by its name, and values by theirs: asked, and answered."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from whit.apps.asking.answers import Told
from whit.apps.asking.request import Command, request_of
from whit.errors import WhitError, unknown_name

COMMANDS = (
    *("assess", "check", "recommend", "convert", "compose", "compare"),
    *("claim", "explain", "plan", "catalogue", "theorem", "papers"),
)
"""What may be asked."""


def ask(command: str, values: Mapping[str, object]) -> Told:
    """What a command answers.

    Args:
        command: one of `COMMANDS`.
        values: the options of the command by name, with underscores; texts, numbers, lists or yes and no, as somebody
            would write them. None stands for a value that is not given.

    >>> ask("assess", {"epsilon": 1, "prior": "10 %", "question": "posterior"}).answers.result["opening"]
    "The adversary's belief in the truth goes from 10 % to at most 23.2 %."
    """
    known = command_named(command)
    try:
        return known.answer(request_of(known, values))
    except WhitError as wrong:
        raise known.in_own_names(wrong) from wrong


def command_named(name: str) -> Command:
    """The command of this name, loaded when it is asked for."""
    if name not in COMMANDS:
        raise unknown_name("a command", name, COMMANDS)
    found = import_module(f"whit.apps.asking.commands.{name}").COMMAND
    assert isinstance(found, Command)
    return found
