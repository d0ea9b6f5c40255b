"""Packages whose modules are loaded when one of their names is first used offer what their stubs say, and no less."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest
from offenders import check_all

from whit.front_door import front_door

SOURCE = Path(__file__).parents[1] / "src"
STUBS = sorted(SOURCE.rglob("__init__.pyi"))


class Offer(NamedTuple):
    """A line `from module import name as name` of a stub."""

    package: str
    module: str
    name: str


def dotted(path: Path) -> str:
    return ".".join(path.parent.relative_to(SOURCE).parts)


def offers(package: str, source: str) -> Iterator[Offer]:
    """What a stub offers; an alias other than the name itself would be no offer."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom):
            yield from (Offer(package, node.module or "", a.name) for a in node.names if a.asname == a.name)


def at_once(source: str) -> set[str]:
    """The names that a package imports when it is loaded itself."""
    nodes = [node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom)]
    return {alias.name for node in nodes for alias in node.names}


def is_module(offer: Offer) -> bool:
    """Whether the package has a module of that name."""
    folder = SOURCE.joinpath(*offer.package.split("."))
    return (folder / f"{offer.name}.py").is_file() or (folder / offer.name / "__init__.py").is_file()


OFFERS = {dotted(path): list(offers(dotted(path), path.read_text(encoding="utf-8"))) for path in STUBS}
PACKAGES = {package: package for package in OFFERS}


def unlike(said: list[Offer], package: str) -> list[str]:
    """The names that only one of a package and its stub offers."""
    return sorted({offer.name for offer in said} ^ set(import_module(package).__all__))


def meant(offer: Offer) -> object:
    """What the stub means by a name: a module inside the package, or what another module calls so."""
    if offer.module == offer.package:
        return import_module(f"{offer.package}.{offer.name}")
    return getattr(import_module(offer.module), offer.name)


def other_things(said: list[Offer]) -> list[Offer]:
    """The names under which a package offers something else than its stub means."""
    return [offer for offer in said if getattr(import_module(offer.package), offer.name) is not meant(offer)]


def hidden_by_modules(said: list[Offer], source: str) -> list[str]:
    """Names that a module of the package would take the place of, and that the package does not import at once."""
    return [o.name for o in said if o.module != o.package and is_module(o) and o.name not in at_once(source)]


def source_of(package: str) -> str:
    return SOURCE.joinpath(*package.split("."), "__init__.py").read_text(encoding="utf-8")


@pytest.fixture
def parcel(tmp_path, monkeypatch) -> Iterator[ModuleType]:
    """A package with a front door, and two modules of which one breaks when it is loaded."""
    folder = tmp_path / "parcel"
    folder.mkdir()
    door = "from whit.front_door import front_door\n__all__, __getattr__, __dir__ = front_door(__name__)\n"
    lines = [("parcel", "inner"), ("parcel.inner", "seven"), ("parcel.inner", "eight"), ("parcel.broken", "never")]
    (folder / "__init__.py").write_text(door, encoding="utf-8")
    (folder / "__init__.pyi").write_text("".join(f"from {m} import {n} as {n}\n" for m, n in lines), encoding="utf-8")
    (folder / "inner.py").write_text("seven, eight = [7], [8]\n", encoding="utf-8")
    (folder / "broken.py").write_text("raise RuntimeError('loaded')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield import_module("parcel")
    for name in [name for name in sys.modules if name.partition(".")[0] == "parcel"]:
        del sys.modules[name]


def test_a_module_is_loaded_when_one_of_its_names_is_used(parcel):
    assert "parcel.inner" not in sys.modules
    assert parcel.seven == [7]
    assert "parcel.inner" in sys.modules
    assert "parcel.broken" not in sys.modules
    with pytest.raises(RuntimeError, match="loaded"):
        _ = parcel.never


def test_a_name_is_looked_up_once(parcel):
    assert "seven" not in vars(parcel)
    assert parcel.seven is parcel.inner.seven
    assert vars(parcel)["seven"] is parcel.seven


def test_what_is_offered_is_listed_before_it_is_loaded(parcel):
    assert parcel.__all__ == ["eight", "inner", "never", "seven"]
    assert {*parcel.__all__, "__name__"} <= set(dir(parcel))
    assert "parcel.inner" not in sys.modules


def test_a_module_that_is_offered_is_the_module(parcel):
    assert parcel.inner is import_module("parcel.inner")


def test_any_other_name_is_an_attribute_error(parcel):
    with pytest.raises(AttributeError, match="module 'parcel' has no attribute 'broken'"):
        _ = parcel.broken
    with pytest.raises(ImportError, match="cannot import name 'nine' from 'parcel'"):
        exec("from parcel import nine")


def test_the_same_three_things_come_back_for_any_package():
    import_module("whit.numerics")
    names, load, listed = front_door("whit.numerics")
    assert "Bracket" in names
    assert load("Bracket") is import_module("whit.numerics.bracket").Bracket
    assert "Bracket" in listed()


def test_stubs_were_found():
    assert {"whit", "whit.curves", "whit.curves.contour"} <= set(OFFERS)


def test_a_package_offers_what_its_stub_says():
    check_all(PACKAGES, lambda package: unlike(OFFERS[package], package))


def test_every_name_is_the_one_that_the_stub_means():
    check_all(OFFERS, other_things)


def test_a_name_that_is_also_a_module_is_imported_at_once():
    check_all(PACKAGES, lambda package: hidden_by_modules(OFFERS[package], source_of(package)))


def test_a_name_that_only_the_stub_or_only_the_package_offers_is_found(parcel):
    said = list(offers("parcel", "from parcel.inner import seven as seven, nine as nine\n"))
    assert unlike(said, "parcel") == ["eight", "inner", "never", "nine"]


def test_a_name_that_the_stub_takes_from_elsewhere_is_found(parcel):
    said = list(offers("parcel", "from parcel.inner import seven as seven\nfrom parcel import inner as inner\n"))
    assert other_things(said) == []
    parcel.seven = [7]
    assert other_things(said) == [("parcel", "parcel.inner", "seven")]


def test_a_name_that_a_module_would_hide_is_found():
    said = [Offer("whit", "whit.elsewhere", "errors"), Offer("whit", "whit", "theory"), Offer("whit", "whit.a", "b")]
    assert hidden_by_modules(said, "") == ["errors"]
    assert hidden_by_modules(said, "from whit.elsewhere import errors\n") == []


def test_a_package_with_a_front_door_has_a_stub():
    doors = [path for path in SOURCE.rglob("__init__.py") if "= front_door(" in path.read_text(encoding="utf-8")]
    assert sorted(path.with_suffix(".pyi") for path in doors) == STUBS


def test_an_offer_is_found_by_its_alias():
    assert list(offers("p", "from p.m import a as a\nfrom p.m import b\n")) == [("p", "p.m", "a")]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("whit.semantics.membership.bounds", "from whit.semantics.membership import worst_prior as found"),
        ("whit.theory.basis", "from whit.theory import echo as found"),
        ("whit.telling.words.explaining", "from whit.telling import explain as found"),
    ],
)
def test_a_function_is_found_even_if_a_module_of_like_name_came_first(first, then):
    code = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); import {first}; {then}; print(callable(found))"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout == "True\n"
