"""The front door of a package whose modules are loaded when one of their names is first used.

A package that is entered by many and needed whole by few says where its names live, once for the reader and the type
checker and once for the running program:

    if TYPE_CHECKING:
        from whit.curves.curve import Curve as Curve
    else:
        __all__, __getattr__, __dir__ = front_door(__name__, {"curve": ("Curve",)})

`from whit.curves import Curve` and `curves.Curve` then work as ever. A test holds the two lists against each other.
A name that is also that of a module inside the package is imported at once, above these lines: loading the module
later would put the module in its place.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

Door = tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]


def front_door(package: str, homes: Mapping[str, tuple[str, ...]], *, modules: tuple[str, ...] = ()) -> Door:
    """The `__all__`, `__getattr__` and `__dir__` of a package.

    Args:
        package: its name.
        homes: the names that it offers, by the module inside it that they live in.
        modules: the modules inside it that it offers as they are.
    """
    home = {name: module for module, names in homes.items() for name in names}
    offered = sorted((*home, *modules))

    def load(name: str) -> Any:
        """The name, from the module that it lives in; the next time it is found without asking."""
        if name in modules:
            return import_module(f"{package}.{name}")
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(f"{package}.{home[name]}"), name)
        setattr(sys.modules[package], name, found)
        return found

    def listed() -> list[str]:
        """What is loaded and what is offered."""
        return sorted({*vars(sys.modules[package]), *offered})

    return offered, load, listed
