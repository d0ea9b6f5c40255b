"""Risk profiles and limits from their parameters, and the options that state them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, TypeAlias

import click

from whit.apps.cli import toml_file
from whit.apps.cli.promise_options import from_text
from whit.apps.cli.promises import said
from whit.apps.cli.written import Given, Number, number, pairs, require_known, shown, span
from whit.errors import Incompatible, InvalidInput
from whit.guarantees import ApproxDP, PureDP
from whit.policy import limits, profiles
from whit.policy.profiles import RiskProfile

Command = Callable[..., Any]
Thing: TypeAlias = RiskProfile | limits.Limit | PureDP | ApproxDP

PROFILE = ("relative", "absolute", "difference", "table", "inclusion", "value")
"""The parameters of a profile."""

LIMITS: dict[str, tuple[str, ...]] = {
    "posterior": ("prior",),
    "ratio": ("prior",),
    "difference": ("prior",),
    "power": ("level",),
    "advantage": (),
    "predictive_value": ("prior", "level"),
}
"""The risks that can be limited, each with what it is read at."""


@dataclass(frozen=True)
class Wanted:
    """What is acceptable, and how it was written."""

    thing: Thing
    said: str


_NEEDED = {"posterior": ("prior",), "power": ("level",), "predictive_value": ("prior", "level")}
_LIMIT = 'Write one such as "difference=0.2", "posterior=0.3, prior=0.1" or "power=0.1, level=0.05".'
_PROFILE = 'Write one such as "relative=3", "relative=3, absolute=0.25, value=1" or "table=profile.csv".'
_ONE = "Give one of them; several --profile are all kept."


def profile(given: Given) -> RiskProfile:
    """The risk profile of these parameters.

    >>> profile({"relative": "3", "absolute": "0.25", "value": "1"})
    Capped(relative=3.0, absolute=0.25, inclusion=None, value=1.0)
    """
    require_known("a profile", given, PROFILE)
    heads = frozenset(given) & {"relative", "absolute", "difference", "table"}
    ranges = {name: span(name, given[name]) for name in ("inclusion", "value") if name in given}
    if heads == {"table"}:
        return profiles.table(str(given["table"]), **_points(ranges))
    numbers = {name: number(name, given[name]) for name in heads - {"table"}}
    if heads == {"difference"} and not ranges:
        return profiles.difference(numbers["difference"])
    if heads == {"relative", "absolute"}:
        return profiles.capped(**numbers, **_points(ranges))
    if heads == {"relative"}:
        return profiles.box(numbers["relative"], **ranges) if ranges else profiles.constant(numbers["relative"])
    if heads == {"absolute"}:
        return profiles.absolute_cap(numbers["absolute"], **ranges)
    raise Incompatible("a profile", "must be one of the known ones", said(given) or "nothing", _PROFILE)


def _points(ranges: dict[str, tuple[float, float]]) -> dict[str, float]:
    """Beliefs that are fixed at one number."""
    for name, (low, high) in ranges.items():
        if low != high:
            raise InvalidInput(name, "must be one number for this profile", f"{low}..{high}", "Use one number.")
    return {name: low for name, (low, _) in ranges.items()}


def limit(given: Given) -> limits.Limit:
    """The limit of these parameters.

    >>> limit({"power": "0.1", "level": "0.05"})
    PowerLimit(power=0.1, level=0.05)
    """
    require_known("a limit", given, (*LIMITS, "prior", "level"))
    heads = [name for name in LIMITS if name in given]
    if len(heads) != 1:
        raise Incompatible("a limit", "must be on one risk", said(given) or "nothing", _LIMIT)
    [head] = heads
    missing = [name for name in _NEEDED.get(head, ()) if name not in given]
    too_many = [name for name in given if name not in (head, *LIMITS[head])]
    if missing or too_many:
        needs = " and ".join(LIMITS[head]) or "nothing else"
        raise Incompatible(f"a limit on the {shown(head)}", f"goes with {needs}", said(given), _LIMIT)
    at = {name: number(name, given[name]) for name in LIMITS[head] if name in given}
    made: limits.Limit = getattr(limits, head)(number(head, given[head]), **at)
    return made


def wanted_options(command: Command) -> Command:
    """Give a command the options that say what is acceptable, and hand it that as `wanted`."""

    @wraps(command)
    def with_wanted(**options: Any) -> Any:
        names = ("profile", "limit", "keeping", "wanted_file")
        return command(wanted=_wanted(**{name: options.pop(name) for name in names}), **options)

    decorated: Command = with_wanted
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def failure_option(command: Command) -> Command:
    """Give a command the chance of failure: as the option says, or the file of the promise or of what is wanted."""

    @wraps(command)
    def with_failure(**options: Any) -> Any:
        said = options.pop("failure")
        return command(failure=_failure_of_files() if said is None else said, **options)

    return click.option("--failure", type=Number(), help=_FAILURE)(with_failure)


def _failure_of_files() -> float:
    """What the files that were named say in [questions]; else 0, which asks for what always holds."""
    given = click.get_current_context().params
    files = [given[name] for name in ("wanted_file", "promise_file") if given.get(name)]
    parts = [part for file in files if toml_file.has(file, "questions") for part in toml_file.parts(file, "questions")]
    for part in (part for part in parts if "failure" in part.given):
        with part.blamed():
            return number("failure", part.given["failure"])
    return 0.0


_FAILURE = "The chance that it may not hold.  [default: that in the file's [questions], or 0]"
_OPTIONS = (
    click.option("--profile", multiple=True, metavar="TEXT", help='A risk profile: "relative=3, absolute=0.25".'),
    click.option("--limit", metavar="TEXT", help='A limit on one risk: "difference=0.2", "power=0.1, level=0.05".'),
    click.option("--keeping", metavar="TEXT", help='A promise to keep: "epsilon=1, delta=1e-6".'),
    click.option("--wanted-from", "wanted_file", metavar="FILE", help="A TOML file with a [profile] or a [limit]."),
)


def _wanted(
    *, profile: tuple[str, ...], limit: str | None, keeping: str | None, wanted_file: str | None
) -> tuple[Wanted, ...]:
    """What is acceptable: one thing, or nothing where no option says it."""
    given = {"--profile": profile, "--limit": limit, "--keeping": keeping, "--wanted-from": wanted_file}
    named = [name for name, value in given.items() if value]
    if len(named) > 1:
        raise Incompatible("what is acceptable", "must be said once", " and ".join(named), _ONE)
    if profile:
        return (Wanted(_all_of(profile), "; ".join(profile)),)
    if limit is not None:
        return (Wanted(_limit_from(limit), limit),)
    if keeping is not None:
        return (Wanted(_promise(keeping), keeping),)
    return () if wanted_file is None else (Wanted(_from_file(wanted_file), wanted_file),)


def _all_of(texts: tuple[str, ...]) -> RiskProfile:
    return _strictest({text.strip(): profile(pairs("a profile", text)) for text in texts})


def _strictest(found: dict[str, RiskProfile]) -> RiskProfile:
    return next(iter(found.values())) if len(found) == 1 else profiles.strictest(found)


def _limit_from(text: str) -> limits.Limit:
    return limit(pairs("a limit", text))


def _promise(text: str) -> PureDP | ApproxDP:
    one = from_text(text)
    if isinstance(one.promised, PureDP | ApproxDP):
        return one.promised
    raise InvalidInput("--keeping", "must be a promise by epsilon, or by epsilon and delta", text, "Use epsilon=1.")


def _from_file(path: str) -> RiskProfile | limits.Limit:
    if toml_file.has(path, "limit") and not toml_file.has(path, "profile"):
        found = list(_each(path, "limit"))
        if len(found) == 1:
            return limit_in(found[0])
        raise InvalidInput(f"the file {path}", "must have one limit", f"{len(found)} of them", "Use one file each.")
    made = [profile_in(part) for part in _each(path, "profile")]
    return _strictest({f"profile {at}": each for at, each in enumerate(made, start=1)})


def _each(path: str, table: str) -> Iterator[toml_file.Part]:
    """The tables of a file; a table of tables, as reports have it, is one for each of them."""
    for part in toml_file.parts(path, table):
        inner = {name: value for name, value in part.given.items() if isinstance(value, dict)}
        yield from [_inner(part, name, value) for name, value in inner.items()] or [part]


def _inner(part: toml_file.Part, name: str, given: dict[str, object]) -> toml_file.Part:
    """A table such as [limit.power] with its own `limit`, or [profile.difference] with its `change`."""
    return replace(part, given={(name if key in ("limit", "change") else key): each for key, each in given.items()})


def profile_in(part: toml_file.Part) -> RiskProfile:
    """The profile of a table of a file."""
    with part.blamed():
        return profile(part.given)


def limit_in(part: toml_file.Part) -> limits.Limit:
    """The limit of a table of a file."""
    with part.blamed():
        return limit(part.given)
