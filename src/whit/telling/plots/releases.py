"""The risk of several releases as lines: after each number of them, beside the limit."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from whit.assessment import in_each, promise_name
from whit.curves import Block, CompositionRule, OwnComposition, Promise
from whit.errors import Incompatible, require
from whit.mechanisms import compose
from whit.numerics import count, number
from whit.semantics import membership
from whit.semantics.membership import PosteriorFrom, Risk
from whit.setting import Knowledge, Neighbours, When
from whit.telling.plots.allowed import allowed_from
from whit.telling.plots.answers import Columns, certainty, dependent, knowing, named, percent, under
from whit.telling.plots.curves import IN_EACH, Curves, pairs
from whit.telling.plots.layers import Array, Spec, axis, dots, is_log, reference, rows_of, series_rows
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.placing import Note
from whit.telling.plots.style import COLOURS
from whit.telling.plots.wording import ENGLISH, Words, capital, sentences, words_of
from whit.theory import Basis, Unit

COUNTS = (1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 180, 270, 365)
"""The numbers of releases that are drawn, unless told otherwise."""

_MOST = 'Use a number for each, such as {"yearly": 1, "monthly": 12}.'
_LIMIT = "Use a limit such as 0.8 on a posterior."
_MOST_DOTS = 40
_ALONG = (0.05, 0.9, 0.15, 0.8, 0.25, 0.65, 0.35, 0.5)
"""Where along the line of a limit its name may be, the best place first."""


def risk_over_releases(
    promised: Promise | Mapping[str, Promise],
    risk: Risk,
    counts: Sequence[int] | NDArray[np.integer] = COUNTS,
    *,
    limit: object = None,
    failure: float = 0.0,
    sides: int = 1,
    rule: CompositionRule | None = None,
    most: Mapping[str, int] | None = None,
    neighbours: Neighbours | None = None,
    knows: Knowledge = Knowledge.ANY_BELIEF,
    when: When = When.END,
    language: str = "en",
) -> Picture:
    """The largest risk after each number of releases, and the limit that it should keep.

    Args:
        promised: what is promised of one release; or a mapping from names to several.
        risk: what is drawn: PosteriorFrom(prior), DifferenceAtAnyPrior() or RatioAtAnyPrior().
        counts: the numbers of releases, at least two of them.
        limit: the largest acceptable risk, as a line: a number; of a posterior also limits and profiles, by themselves
            or in a list, and the least that they allow from its prior is drawn.
        failure: the chance over the noise with which the bound may be false.
        sides: 2 to bound falls of the belief as well.
        rule: how releases add up; the promise's own if none is named.
        most: how many releases there are of each of several, by name, if all are about the same people: the first line
            is what they come to together, the others are each alone. Numbers with a common divisor make so many equal
            rounds, and `counts` are numbers of rounds; else so many of each count, as far as there are so many.
        neighbours: the relation between datasets; that of the promise if none is named.
        knows: what the adversary knows about everybody else.
        when: whether the bound is about the end, or about every moment up to each number.
        language: the code of the language of its words, such as "de".
    """
    rounds = _rounds_of(most or {})
    at = _places(counts, rounds)
    words, adding = words_of(language), rule or OwnComposition()
    several = named(promised, words)
    alike: dict[str, Line] = {name: (one, adding) for name, one in several.items()}
    lines = alike if most is None else _in_turn(several, most, rule, words)
    asked: dict[str, Any] = {"failure": failure, "sides": sides, "neighbours": neighbours, "knows": knows, "when": when}
    found = {
        name: membership.risk_over_releases(one, risk, at, rule=each, **asked) for name, (one, each) in lines.items()
    }
    drawn, unit = Curves(at, {name: each.bound for name, each in found.items()}, words), risk.quantity.unit
    bound, is_whole = _bound(limit, risk)
    caption = sentences(
        drawn.opening(promised, key=IN_EACH).strip() if most is None else _turns(promised, most, words),
        words("releases.worked_out", number=str(len(at))) if len(at) <= at[-1] - at[0] else "",
        _line_text(drawn, risk, failure),
        words("common.falls") if sides == 2 else "",
        words("releases.ever") if when is When.EVER else "",
        f"{dependent(promised, words)}{knowing(knows, words)}".strip(),
        _rule_text(adding, words),
        under(neighbours, words).strip(),
        _said_of_limit(bound, unit, words, is_whole=is_whole),
    )
    of_each = "releases.x_rounds" if rounds > 1 else "releases.x_each"
    title, counted = words("releases.title"), words("releases.x" if most is None else of_each)
    x, y = _releases_axis(at, counted, words), _risk_axis(drawn, bound, risk)
    few = dots(series_rows(drawn.series, x, y), x, y, list(drawn.bounds), size=26)
    level = {} if bound is None else limit_line(bound, x, y, unit, words)
    chart = drawn.on(x, y, over=[few] if len(at) <= _MOST_DOTS else [], **level)
    told = drawn.told((float(at[0]), float(at[len(at) // 2]), float(at[-1])), pairs("releases.at", words))
    alt = words("common.line_chart", title=title, text=f"{caption} {told}")
    table = Columns(drawn.columns("releases", risk.quantity.name))
    return pictured(chart, title=title, caption=caption, alt=alt, table=table, language=language)


def _places(counts: Sequence[int] | NDArray[np.integer], rounds: int) -> NDArray[Any]:
    """The numbers of releases in rising order; of equal rounds, no more than there are."""
    at, way_out = np.unique(np.ravel(np.asarray(counts))), "Use numbers such as [1, 7, 30]."
    at = at if rounds == 1 else np.unique(np.minimum(at, rounds))
    rule = "must be at least two numbers of releases"
    require(at.size >= 2, name="counts", rule=rule, value=counts, way_out=way_out)
    return at


@dataclass(frozen=True)
class InTurn:
    """How releases of several kinds add up, each with how many there are of it.

    After so many equal rounds, if there are some; else after so many of each, as far as there are so many.

    >>> from whit.guarantees import PureDP
    >>> InTurn(((PureDP(0.5), 1), (PureDP(0.1), 12)))(PureDP(0.5), 3)
    <Composition of PureDP(epsilon=0.5), 3 times PureDP(epsilon=0.1): PureDP(epsilon=0.8) by basic-composition>
    """

    several: tuple[tuple[Promise, int], ...]
    rounds: int = 1

    def __call__(self, promise: Promise, releases: int) -> Promise:
        """What they promise together; people who depend on each other do so in all of them."""
        by_rounds = self.rounds > 1
        counted = [
            (each, releases * (number // self.rounds) if by_rounds else min(releases, number))
            for each, number in self.several
        ]
        people = max((each.people for each, _ in counted if isinstance(each, Block)), default=1)
        parts: list[Any] = [(each.promise if isinstance(each, Block) else each).times(n) for each, n in counted]
        whole: Promise = parts[0] if len(parts) == 1 else compose(*parts)
        return whole.block(people)

    def basis(self, promise: Promise) -> Basis:
        """The theorem by which they add up."""
        return promise.composition_basis


Line: TypeAlias = tuple[Promise, CompositionRule]


def _in_turn(
    several: Mapping[str, Promise], most: Mapping[str, int], rule: CompositionRule | None, words: Words
) -> dict[str, Line]:
    """All of them together, then each alone as far as there are so many lines that can be told apart."""
    if rule is not None:
        way_out = "Leave the rule out, or draw each by itself."
        raise Incompatible("rule", "must not be given with the number of releases of each", rule, way_out)
    given = {words.promise(name): count("most", number, _MOST) for name, number in most.items()}
    same = given.keys() == several.keys()
    rule_of_most = "must have the number of releases of each line, by its name"
    require(same, name="most", rule=rule_of_most, value=", ".join(given) or "none", way_out=_MOST)
    counted = tuple((one, given[name]) for name, one in several.items())
    rounds = _rounds_of(given)
    whole = InTurn(counted)(counted[0][0], max(given.values()))
    lines: dict[str, Line] = {words("releases.together"): (whole, InTurn(counted, rounds))}
    if len(several) == 1 or len(several) >= len(COLOURS):
        return lines
    alone = ((words("releases.alone", name=name), part) for name, part in zip(several, counted, strict=True))
    return lines | {name: (part[0], InTurn((part,), rounds)) for name, part in alone}


def _turns(promised: Promise | Mapping[str, Promise], most: Mapping[str, int], words: Words) -> str:
    """What the lines are: each promise with the number of its releases, and what the axis counts."""
    own = {name: each.promise if isinstance(each, Block) else each for name, each in named(promised, words).items()}
    given = {words.promise(name): number for name, number in most.items()}
    said = {name: words.promise(in_each(promise_name(each), given[name])) for name, each in own.items()}
    told = [text if name in text else words("common.told", name=name, list=text) for name, text in said.items()]
    turns = words("releases.in_turn", list="; ".join(told), together=words("releases.together"))
    return sentences(turns, _round(own, given, words))


def _round(names: Iterable[str], most: Mapping[str, int], words: Words) -> str:
    """What one of several equal rounds has; nothing where there are none."""
    rounds = _rounds_of(most)
    each = [words("releases.round_part", number=str(most[name] // rounds), name=name) for name in names]
    return words("releases.round", list=", ".join(each)) if rounds > 1 else ""


def _rounds_of(most: Mapping[str, int]) -> int:
    """Into how many equal rounds these numbers of releases fall: their greatest common divisor.

    >>> _rounds_of({"tables 1 and 2": 10, "table 3": 5}), _rounds_of({"yearly": 1, "monthly": 12}), _rounds_of({})
    (5, 1, 1)
    """
    return math.gcd(*(count("most", number, _MOST) for number in most.values())) or 1


def _bound(limit: object, risk: Risk) -> tuple[float | None, bool]:
    """The number of the line, and whether all that is stated is about it."""
    if limit is None or not isinstance(risk, PosteriorFrom) or isinstance(limit, float | int):
        return None if limit is None else number("limit", limit, _LIMIT), True
    return allowed_from(risk.prior, limit)


def _said_of_limit(bound: float | None, unit: Unit, words: Words, *, is_whole: bool) -> str:
    """What the line is, and that a limit is not shown where one is about something else."""
    dashed = "" if bound is None else words("releases.dashed", limit=limit_text(bound, unit, words))
    return sentences(dashed, "" if is_whole else words("releases.elsewhere"))


def _line_text(drawn: Curves, risk: Risk, failure: float) -> str:
    """What the lines are, from which prior, and how sure."""
    words = drawn.said_in
    before = {"prior": percent(risk.prior, words)} if isinstance(risk, PosteriorFrom) else {}
    gaps = {"quantity": capital(words.quantity(risk.quantity.name)), "certainty": certainty(failure, words), **before}
    return words.directed("releases.from" if before else "releases.line", drawn.direction, **gaps)


def _rule_text(rule: CompositionRule, words: Words) -> str:
    """By which rule releases add up, where it is not their own."""
    if isinstance(rule, OwnComposition):
        return ""
    return words("releases.rule", rule=words.language.name("rule", *[_in_words(rule)] * 2))


def _in_words(rule: CompositionRule) -> str:
    """The name of a rule, such as advanced composition."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(rule).__name__).lower()


def _releases_axis(at: Array, title: str, words: Words) -> Spec:
    ends = (float(at[0]), float(at[-1]))
    return axis("releases", title, ends, log=ends[1] / ends[0] > 50.0, whole=True, words=words)


def _risk_axis(drawn: Curves, limit: float | None, risk: Risk) -> Spec:
    words, name = drawn.said_in, drawn.said_in.quantity(risk.quantity.name)
    if risk.quantity.unit is Unit.PROBABILITY:
        return axis("risk", name, (0.0, 1.0), percent=True, words=words)
    return axis("risk", name, (0.0, drawn.top(0.0 if limit is None else limit)), words=words)


def limit_text(bound: float, unit: Unit, words: Words = ENGLISH) -> str:
    """The limit with its number."""
    return words("common.limit", number=words.given(bound, unit))


def limit_line(bound: float, x: Spec, y: Spec, unit: Unit, words: Words = ENGLISH) -> dict[str, Any]:
    """A line across a chart with the limit beside it, as options of `line_chart`."""
    ends, (low, high) = [bound, bound], x["scale"]["domain"]
    line = reference(rows_of(**{x["field"]: [low, high], y["field"]: ends}), x, y)
    along = [(low * (high / low) ** share if is_log(x) else low + share * (high - low), bound) for share in _ALONG]
    text = limit_text(bound, unit, words)
    return {"below": [line], "crossed": [([low, high], ends)], "notes": [Note(text, along)]}
