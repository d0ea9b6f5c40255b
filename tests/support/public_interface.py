"""The public interface as lines of text: names, commands, exit codes, keys of files, of theorems and of assumptions.

Names have their signatures, commands their options. JSON documents have schemas of their own, which are kept as files.

`make interface` writes them to tests/public_interface.txt; tests/test_public_interface.py compares the two.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from file_keys import file_keys

import whit
from whit import theory
from whit.apps.asking import codes
from whit.apps.cli import group

KEPT = Path(__file__).parents[1] / "public_interface.txt"

INNER = ("numerics", "display", "front_door", "apps")
"""Parts that offer nothing to others than whit itself; of the apps the commands are public."""

PACKAGES = [name for name in re.findall(r"^(\w+)  +\S", whit.__doc__ or "", flags=re.MULTILINE) if name not in INNER]
"""The public parts of whit, as its own map lists them."""

_MEMBER = re.compile(r"<(\w+\.\w+): [^>]*>")
"""A member of an Enum as Python shows it; what it stands for is a sentence, and may be reworded."""


def lines() -> list[str]:
    """Every line of the interface."""
    named = [line for name in PACKAGES for line in names_of(import_module(f"whit.{name}"))]
    first = [f"whit.{name}" for name in sorted(getattr(whit, "__all__", ()))]
    return [*first, *named, *commands_of("whit", group.whit), *exit_codes(), *file_keys(), *theory_keys()]


def names_of(package: Any) -> Iterator[str]:
    """The names that a package offers, with their signatures and the public members of classes."""
    for name in sorted(getattr(package, "__all__", ())):
        yield from item_lines(f"{package.__name__}.{name}", getattr(package, name))


def item_lines(path: str, item: Any) -> Iterator[str]:
    """A function, a class with its members, or a value by its type."""
    if inspect.ismodule(item):
        yield f"{path}: module"
    elif inspect.isclass(item):
        yield f"{path}{signature(item)}"
        yield from (f"{path}.{name}{shape}" for name, shape in members(item))
    elif callable(item):
        yield f"{path}{signature(item)}"
    else:
        yield f"{path}: {type(item).__name__}"


def members(kind: type) -> Iterator[tuple[str, str]]:
    """The public members of a class that it does not inherit."""
    for name in sorted(name for name in vars(kind) if not name.startswith("_")):
        item = inspect.getattr_static(kind, name)
        inner = item.__func__ if isinstance(item, classmethod | staticmethod) else item
        yield name, signature(inner) if inspect.isfunction(inner) else ""


class Shortened:
    """A default that is too long to be read, or shows where it lies in memory."""

    def __repr__(self) -> str:
        return "..."


def signature(item: Any) -> str:
    """The parameters and what is returned, as they are written."""
    try:
        found = inspect.signature(item)
    except (TypeError, ValueError):
        return "(...)"
    parameters = [
        each.replace(default=Shortened()) if _is_long(each.default) else each for each in found.parameters.values()
    ]
    return _MEMBER.sub(r"\1", str(found.replace(parameters=parameters)))


def _is_long(default: object) -> bool:
    return default is not inspect.Parameter.empty and (len(repr(default)) > 60 or " at 0x" in repr(default))


def commands_of(path: str, command: click.Command) -> Iterator[str]:
    """A command with its options, then those below it."""
    context = click.Context(command, info_name=path)
    for each in command.get_params(context):
        if "--help" in each.opts:  # every command has it, and click spells it by who asked first
            continue
        more = " ..." if getattr(each, "multiple", False) or each.nargs == -1 else ""
        value = "" if getattr(each, "is_flag", False) else " VALUE"
        name = "/".join(each.opts) if isinstance(each, click.Option) else f"<{each.name}>"
        yield f"$ {path} {name}{value if isinstance(each, click.Option) else ''}{more}"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield f"$ {path} {name}"
            yield from commands_of(f"{path} {name}", below)


def exit_codes() -> list[str]:
    """What each exit code stands for."""
    names = ("NOT_ALLOWED", "WRONG_INPUT", "NO_ANSWER", "MISSING_EXTRA", "INTERRUPTED")
    return [f"exit {getattr(codes, name)}: {name.lower().replace('_', ' ')}" for name in names]


def theory_keys() -> list[str]:
    """The keys of theorems and of assumptions, which findings and documents name."""
    theorems, assumptions = sorted(theory.THEOREMS), sorted(theory.ASSUMPTIONS)
    return [*(f"theorem {key}" for key in theorems), *(f"assumption {key}" for key in assumptions)]


if __name__ == "__main__":
    KEPT.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
    sys.stdout.write(f"Written: {KEPT.name}\n")
