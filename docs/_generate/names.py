"""The public names, and the package in which each is described.

A name that several packages offer is described in the one nearest to its source; the others point there.
"""

from __future__ import annotations

import inspect
import pkgutil
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType

import whit

LEFT_OUT = ("whit.apps", "whit.papers.")
"""What has pages of its own."""


@dataclass(frozen=True)
class Public:
    """A public name of a package.

    Attributes:
        package: the package whose list of names it is in.
        name: the name.
        item: what it names.
    """

    package: str
    name: str
    item: object

    @property
    def path(self) -> str:
        """The full name, by this package."""
        return f"{self.package}.{self.name}"

    @property
    def home(self) -> str:
        """The full name by which it is described."""
        key = source_of(self.item)
        return _homes().get(key, self.path) if key else self.path

    @property
    def summary(self) -> str:
        """The first line of its docstring; none for a constant."""
        return (inspect.getdoc(self.item) or "").partition("\n")[0] if source_of(self.item) or _is_module(self) else ""


def _is_module(public: Public) -> bool:
    return inspect.ismodule(public.item)


def source_of(item: object) -> str:
    """The full name that a class or function was defined by; none for anything else."""
    if inspect.isclass(item) or inspect.isroutine(item):
        return f"{item.__module__}.{item.__qualname__}"
    return ""


@cache
def packages() -> tuple[str, ...]:
    """All packages that list public names, and the two that are single files."""
    inside = [module.name for module in pkgutil.walk_packages(whit.__path__, "whit.") if module.ispkg]
    found = ["whit", "whit.errors", "whit.setting", *(name for name in inside if not name.startswith(LEFT_OUT))]
    return tuple(sorted(name for name in found if listed(import_module(name))))


def listed(module: ModuleType) -> list[str]:
    """The names that a package lists; of a module without a list, the classes and functions that it defines."""
    own = (name for name, item in vars(module).items() if source_of(item).startswith(f"{module.__name__}."))
    return getattr(module, "__all__", None) or sorted(name for name in own if not name.startswith("_"))


def public_names(package: str) -> tuple[Public, ...]:
    """The names that a package lists."""
    module = import_module(package)
    return tuple(Public(package, name, getattr(module, name)) for name in listed(module))


@cache
def _homes() -> dict[str, str]:
    """By the source of each public class or function, the full name by which it is described."""
    homes: dict[str, str] = {}
    for public in (each for package in packages() for each in public_names(package)):
        source = source_of(public.item)
        inside = source.startswith(f"{public.package}.")
        if source and (source not in homes or (inside and len(public.package) > len(homes[source].rpartition(".")[0]))):
            homes[source] = public.path
    return homes


def described_as(source: str) -> str:
    """The full name by which something defined as `source` is described; empty where it is not public.

    A method is described with its class.
    """
    homes = _homes()
    if source in homes:
        return homes[source]
    outer, _, name = source.rpartition(".")
    return f"{homes[outer]}.{name}" if outer in homes and not name.startswith("_") else ""


@cache
def homes_by_name() -> dict[str, str]:
    """By short name, as annotations write it, where a class is described; names that two classes share are left out."""
    short: dict[str, str] = {}
    for home in set(_homes().values()):
        name = home.rpartition(".")[2]
        short[name] = "" if name in short else home
    return {name: home for name, home in short.items() if home and name[0].isupper()}
