"""What is acceptable, from its parameters: limits on one risk, and risk profiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from whit.errors import InvalidInput, UnknownKey
from whit.files import place_beside
from whit.guarantees import ApproxDP, PureDP
from whit.policy import Verdict, check, limits, profiles
from whit.policy.profiles import RiskProfile
from whit.spec.form import Questions
from whit.spec.given import KNOWS, WHEN, AsWritten, Given, Options, Text, as_written
from whit.spec.promise import Series, promise_of
from whit.spec.stated import words_of
from whit.spec.toml import Entry, read_text, require_files

Limit: TypeAlias = limits.Limit

LIMITS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "posterior": (("prior",), ()),
    "ratio": ((), ("prior",)),
    "difference": ((), ("prior",)),
    "power": (("level",), ()),
    "advantage": ((), ()),
    "predictive_value": (("prior", "level"), ()),
    "success": (("baseline",), ()),
}
"""The risks that can be limited, each with what it needs and what else it takes."""

PROFILES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "constant": (("relative",), ()),
    "capped": (("relative", "absolute"), ("inclusion", "value")),
    "box": (("relative",), ("inclusion", "value")),
    "difference": (("difference",), ()),
    "absolute_cap": (("absolute",), ("inclusion", "value")),
    "table": (("table",), ("inclusion", "value")),
}
"""The profiles by name, each with what it needs and what else it takes."""

HEADS = ("relative", "absolute", "difference", "table")
"""What a profile is known by."""

_SHORT = {"limit": "limit", "profile": "change"}
_LIMIT = 'Write one such as "difference=0.2", "posterior=0.3, prior=0.1" or "power=0.1, level=0.05".'
_PROFILE = 'Write one such as "relative=3", "relative=3, absolute=0.25, value=1" or "table=profile.csv".'


@dataclass(frozen=True)
class Requirements:
    """All that a release must meet, each with how it was written.

    Attributes:
        profiles: risk profiles.
        limits: limits on one risk; a range of priors may be several.
        promises: guarantees to keep.
    """

    profiles: tuple[tuple[str, RiskProfile], ...] = ()
    limits: tuple[tuple[str, Limit], ...] = ()
    promises: tuple[tuple[str, PureDP | ApproxDP], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.profiles or self.limits or self.promises)

    @property
    def named(self) -> tuple[tuple[str, RiskProfile | Limit | PureDP | ApproxDP], ...]:
        """All of them with their names."""
        return (*self.profiles, *self.limits, *self.promises)

    @property
    def profile(self) -> RiskProfile | None:
        """All profiles at once; nothing if there is none."""
        if len(self.profiles) < 2:
            return self.profiles[0][1] if self.profiles else None
        return profiles.strictest({f"{at}: {name}": each for at, (name, each) in enumerate(self.profiles, start=1)})


def check_series(series: Series, wanted: Requirements, questions: Questions, *, remedy: bool = False) -> Verdict:
    """The verdict on a release, with a part for each limit or profile; commands and reports all take it from here."""
    sides = questions.sides if wanted.limits else 1  # what else is wanted bounds rises of the belief only
    options: dict[str, Any] = {"failure": questions.failure, "sides": sides, "neighbours": series.relation}
    several = [requirement for _, requirement in wanted.named]
    remedy = remedy and len(series.one.composed_of) < 2  # what would do of several promises is in `spec.remedies`
    return check(series.one, several, releases=series.releases, remedy=remedy, **options)


def limits_of(given: Given) -> tuple[tuple[str, Limit], ...]:
    """The limits of a text or a table: one, or one for each table inside.

    >>> limits_of(Given({"power": "0.1", "level": "0.05"}))
    (('power=0.1, level=0.05', PowerLimit(power=0.1, level=0.05)),)
    """
    return tuple((said(each), _limit(each)) for each in _each("limit", given, LIMITS))


def ranged_limits_of(given: Given) -> tuple[tuple[Limit, tuple[float, float] | None], ...]:
    """Each limit of a text or a table once, with the range of priors from which it must hold, if it names one.

    >>> ranged_limits_of(Given({"difference": "0.2", "prior": "0.01..0.1"}))[0][1]
    (0.01, 0.1)
    """
    found = []
    for each in _each("limit", given, LIMITS):
        low, high = each.span("prior") if "prior" in each else (0.0, 0.0)
        found.append((_limit(each), (low, high) if low < high else None))
    return tuple(found)


def profiles_of(given: Given) -> tuple[tuple[str, RiskProfile], ...]:
    """The profiles of a text or a table: one, or one for each table inside.

    >>> profiles_of(Given({"relative": "3", "absolute": "0.25", "value": "1"}))[0][1]
    Capped(relative=3.0, absolute=0.25, inclusion=None, value=1.0)
    """
    return tuple((said(each), _profile(each)) for each in _each("profile", given, PROFILES))


def guarantee_of(given: Given) -> tuple[str, PureDP | ApproxDP]:
    """A guarantee by epsilon, or by epsilon and delta, that is to be kept."""
    kept = promise_of(given).together
    if isinstance(kept, PureDP | ApproxDP):
        return said(given), kept
    rule = "must be a promise by epsilon, or by epsilon and delta"
    raise given.wrong("what is to be kept", rule, said(given), "Use epsilon=1, or epsilon=1, delta=1e-6.")


def requirement_words(requirement: RiskProfile | Limit | PureDP | ApproxDP) -> dict[str, object]:
    """The names and values that state something acceptable, as options and files have them.

    >>> requirement_words(limits.power(0.1, level=0.05))
    {'power': 0.1, 'level': 0.05}
    """
    return words_of(requirement) if isinstance(requirement, PureDP | ApproxDP) else requirement.to_dict()


def said(given: Given) -> str:
    """The parameters as one text."""
    return ", ".join(f"{name.replace('_', '-')}={as_written(value)}" for name, value in given.values.items())


def _each(what: str, given: Given, known: dict[str, Any]) -> tuple[Given, ...]:
    """The tables inside, such as [limit.power], with the names that a text has; else the table itself."""
    inner = [key for key, value in given.values.items() if isinstance(value, dict)]
    if not inner:
        return (given,)
    given.only(known)
    for key in given.values:
        if key not in inner:
            rule = f"must be a table beside [{what}.{inner[0]}]"
            raise given.refuse(key, rule, f"Write each {what} as a table, [{what}.{key}] or [[{what}]].")
    return tuple(_inside(what, key, given.table(key)) for key in inner)


def _inside(what: str, name: str, given: Given) -> Given:
    """[limit.power] with its `limit`, and [profile.difference] with its `change`, as a text would have it."""
    short = _SHORT[what]
    if what == "limit":
        _require_no_failure(given)
    head = name if name in (LIMITS if what == "limit" else HEADS) else ""
    if short in given and head:
        given = given.renamed(short, head)
    needed, optional = (LIMITS if what == "limit" else PROFILES)[name]
    heads = (name,) if what == "limit" else ()
    more = ("knows", "block", *_moment(name)) if what == "limit" else ()
    return given.only((*heads, *needed, *optional, *more), needed=(*heads, *needed))


def _moment(head: str) -> tuple[str, ...]:
    """The word for the moment, of a limit on beliefs: what tests can do is the same at the end and on the way."""
    return ("when",) if head in ("posterior", "ratio", "difference") else ()


def _limit(given: Given) -> Limit:
    """The limit at one prior, or at all priors of a range."""
    if "epsilon" in given:
        rule = "must be on one risk; a total of epsilon is something to keep"
        raise given.wrong("a limit", rule, said(given), f'Use --keeping "{said(given)}" instead.')
    _require_no_failure(given)
    given.only((*LIMITS, "prior", "level", "baseline", "knows", "block", "when"))
    heads = [name for name in LIMITS if name in given]
    if len(heads) != 1:
        raise given.wrong("a limit", "must be on one risk", given.keys(heads), _LIMIT)
    [head] = heads
    needed, optional = LIMITS[head]
    missing = [name for name in needed if name not in given]
    known = (head, *needed, *optional, "knows", "block", *_moment(head))
    surplus = [name for name in given.values if name not in known]
    if missing or surplus:
        goes = " and ".join((*needed, *optional)) or "nothing else"
        raise given.wrong(f"a limit on the {head.replace('_', ' ')}", f"goes with {goes}", said(given), _LIMIT)
    most = given.number(head)
    options: dict[str, Any] = {key: given.number(key) for key in ("level", "baseline") if key in given}
    options |= {"knows": given.word("knows", KNOWS)} if "knows" in given else {}
    options |= {"when": given.word("when", WHEN)} if "when" in given else {}
    options |= {"block": given.whole("block")} if "block" in given else {}
    make: Callable[..., Limit] = getattr(limits, head)
    if "prior" in given:
        ends = given.span("prior")
        options["prior"] = ends[1] if head == "predictive_value" else ends  # what a positive is worth grows with it
    with given.placed():
        return make(most, **options)


def _require_no_failure(given: Given) -> None:
    """Refuse a failure probability inside of a limit, and say where that of all limits is stated."""
    if "failure" not in given:
        return
    values, way_out = {"failure": given.values["failure"]}, "State it beside the limit."
    if isinstance(given.source, Text):
        way_out = f"Use {Options().stating(values)}."
    elif isinstance(given.source, Entry):
        way_out = f"State it in [questions]: {given.source.stating(values)}."
    raise given.refuse("failure", "is no part of a limit", AsWritten(way_out))


def _profile(given: Given) -> RiskProfile:
    given.only((*HEADS, "inclusion", "value"))
    heads = frozenset(given.values) & set(HEADS)
    spans = {name: given.span(name) for name in ("inclusion", "value") if name in given}
    if heads == {"table"}:
        return _table(given, spans)
    values = {name: given.number(name) for name in heads - {"table"}}
    points = _points(given, spans) if heads == {"relative", "absolute"} else {}
    with given.placed(change="difference"):
        if heads == {"difference"} and not spans:
            return profiles.difference(values["difference"])
        if heads == {"relative", "absolute"}:
            return profiles.capped(**values, **points)
        if heads == {"relative"}:
            return profiles.box(values["relative"], **spans) if spans else profiles.constant(values["relative"])
        if heads == {"absolute"}:
            return profiles.absolute_cap(values["absolute"], **spans)
    raise given.wrong("a profile", "must be one of the known ones", given.keys(given.values), _PROFILE)


def _points(given: Given, spans: dict[str, tuple[float, float]]) -> dict[str, float]:
    """Beliefs that are fixed at one number: such a profile knows no ranges."""
    for name, (low, high) in spans.items():
        if low != high:
            raise given.refuse(name, "must be one number for this profile", "Use one number, or leave it out.")
    return {name: low for name, (low, _) in spans.items()}


def _table(given: Given, spans: dict[str, tuple[float, float]]) -> RiskProfile:
    """The profile of a file; a file that another one names lies beside it."""
    points, source = _points(given, spans), given.source
    if isinstance(given.values["table"], list):
        return _listed(given, points)
    name = given.words("table")
    with given.placed(file="table"):
        require_files(name)
    if isinstance(source, Entry):
        with given.placed(file="table"):
            read_text(name, beside=source.folder)
        name = str(place_beside(source.folder, name))
    try:
        return profiles.table(name, **points)
    except (InvalidInput, UnknownKey) as wrong:
        raise wrong.renamed(f"{given.place('table')}: {wrong.name}") from wrong


def _listed(given: Given, points: dict[str, float]) -> RiskProfile:
    """The profile of rows that are written out: inclusion, value and the largest relative risk."""
    rows: Any = given.values["table"]
    if not all(isinstance(row, list) for row in rows):
        raise given.invalid("table", "must be rows of inclusion, value and relative", "Write [[0.1, 1, 3], [1, 1, 2]].")
    numbers = [[Given({"table": each}).number("table") for each in row] for row in rows]
    with given.placed():
        return profiles.table(numbers, **points)
