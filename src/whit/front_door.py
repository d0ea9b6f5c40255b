"""The front door of a package whose modules are loaded when one of their names is first used.

A package that is entered by many and needed whole by few lists its names once, in the stub beside its `__init__.py`,
where the type checker reads them too:

    from whit.curves.curve import Curve as Curve

and its `__init__.py` says `__all__, __getattr__, __dir__ = front_door(__name__)`. Then `from whit.curves import Curve`
and `curves.Curve` work as ever. A name must not be that of a module inside the package: loading the module would put
the module in its place.
"""

from __future__ import annotations

import os.path
import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

Door = tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]

# A line that is too long is wrapped in brackets.
_OFFER = re.compile(r"^from (\S+) import \(?\s*(\w+) as \2,?\s*\)?$", flags=re.MULTILINE)


def front_door(package: str) -> Door:
    """The `__all__`, `__getattr__` and `__dir__` of a package, from the stub beside its `__init__.py`."""
    stub = os.path.join(sys.modules[package].__path__[0], "__init__.pyi")
    with open(stub, encoding="utf-8") as file:
        home = {name: module for module, name in _OFFER.findall(file.read())}
    offered = sorted(home)

    def load(name: str) -> Any:
        """The name from its module, or a module of the package; the next time it is found without asking."""
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if home[name] == package:
            return import_module(f"{package}.{name}")
        found = getattr(import_module(home[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    def listed() -> list[str]:
        """Every name that is loaded or offered."""
        return sorted({*vars(sys.modules[package]), *offered})

    return offered, load, listed
