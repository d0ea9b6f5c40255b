"""A page for each package, from its docstrings."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from itertools import pairwise
from types import UnionType
from typing import Union, get_args, get_origin

from _generate.docstrings import readable
from _generate.names import Public, described_as, packages, public_names, source_of
from whit.theory import Quantity

FOLDER = "reference/api"


def api_pages() -> dict[str, str]:
    """A page for each package, in reStructuredText, and the list of them."""
    pages = {f"{FOLDER}/{package}.rst": package_page(package) for package in packages()}
    return {**pages, f"{FOLDER}/index.rst": _index()}


def package_page(package: str) -> str:
    """What a package is, what it offers and describes itself, and what it offers from elsewhere."""
    names = public_names(package)
    own = [each for each in names if each.home == each.path and not inspect.ismodule(each.item)]
    others = [each for each in names if each not in own]
    parts = [
        _heading(package, "="),
        f".. py:module:: {package}",
        *_opening(package),
        *(_described(each) for each in own),
        *([_heading("Offered here, described elsewhere", "-"), _listed(others)] if others else []),
    ]
    return "\n\n".join(parts) + "\n"


def _heading(text: str, underline: str) -> str:
    return f"{text}\n{underline * len(text)}"


def _opening(package: str) -> list[str]:
    """The docstring of the package, its map as a list."""
    module = import_module(package)
    return ["\n".join(readable((inspect.getdoc(module) or "").splitlines()))]


def _described(public: Public) -> str:
    """The directive that describes a name."""
    if inspect.isclass(public.item):
        shown = any(described_as(source_of(base)) for base in public.item.__bases__)
        return f".. autoclass:: {public.path}\n   :members:" + ("\n   :show-inheritance:" if shown else "")
    if inspect.isroutine(public.item):
        return f".. autofunction:: {public.path}"
    return f".. py:data:: {public.name}\n\n   {_constant(public)}"


def _constant(public: Public) -> str:
    """What a constant is: the words below it in the source, what it measures, or what it is equal to."""
    words = " ".join(words_below(public).split())
    if isinstance(public.item, Quantity):
        words = words or f"The quantity: {public.item.name}."
    members = [getattr(each, "__name__", str(each)) for each in _alternatives(public.item)]
    if members:
        return " ".join([*readable([words]), f"Stands for ``{' | '.join(members)}``."]).strip()
    value = repr(public.item)
    if get_origin(public.item):
        return " ".join([*readable([words]), f"Stands for ``{value}``."]).strip()
    short = len(value) < 80 and " at 0x" not in value and not isinstance(public.item, Quantity)
    return " ".join([*readable([words]), *([f"Equal to ``{value}``."] if short else [])]).strip() or "A constant."


def _alternatives(item: object) -> tuple[object, ...]:
    """What a type stands for that is one of several."""
    return get_args(item) if isinstance(item, UnionType) or get_origin(item) is Union else ()


def words_below(public: Public) -> str:
    """The text that stands below the definition of a constant, in whichever module of the package defines it."""
    inside = f"{public.package.partition('.')[0]}."
    for name, module in sorted(sys.modules.items()):
        if name.startswith(inside) and vars(module).get(public.name) is public.item:
            found = _texts(name).get(public.name)
            if found:
                return found
    return ""


@cache
def _texts(module: str) -> dict[str, str]:
    """The texts below the constants of a module."""
    body = ast.parse(inspect.getsource(sys.modules[module])).body
    texts = {}
    for statement, below in pairwise(body):
        if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(below, ast.Expr):
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            if isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
                texts[ast.unparse(target)] = below.value.value
    return texts


def _listed(names: Iterable[Public]) -> str:
    return "\n".join(f"- {_linked(each)}{': ' + each.summary if each.summary else ''}" for each in names)


def _linked(public: Public) -> str:
    if inspect.ismodule(public.item):
        return f":py:mod:`{public.path}`" if public.path in packages() else f"``{public.path}``"
    return f":py:obj:`{public.name} <{public.home}>`"


def _index() -> str:
    entries = "\n".join(f"   {package}" for package in packages())
    words = (
        "What each package offers. The everyday names are in :py:mod:`whit`. The :ref:`index <genindex>` has all names."
    )
    return f"{_heading('Packages', '=')}\n\n{words}\n\n.. toctree::\n   :maxdepth: 1\n\n{entries}\n"
