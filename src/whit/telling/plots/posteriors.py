"""What an adversary may come to believe, for every belief before the release; and how that is spread over the noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from whit.assessment import promise_name
from whit.curves import Promise
from whit.errors import Incompatible, InvalidInput
from whit.numerics import probability
from whit.policy import limits, posterior_line
from whit.policy.profiles import RiskProfile
from whit.semantics import membership
from whit.semantics.membership import PosteriorLaw
from whit.setting import Knowledge, Neighbours, When
from whit.telling.plots.allowed import Allowed, Shade, Shaded, allowed_among, among, shadings
from whit.telling.plots.answers import (
    Columns,
    certainty,
    chosen,
    dependent,
    ever,
    knowing,
    named,
    percent,
    places,
    said,
    under,
    values,
)
from whit.telling.plots.curves import Curves
from whit.telling.plots.layers import Array, Spec, axis, band, dots, lines, marked, reference, rows_of, series_rows
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.placing import DIAGONAL, Note, Plane, in_order
from whit.telling.plots.style import COLOURS, Page
from whit.telling.plots.wording import Words, sentences, words_of
from whit.theory import Finding, Unit

HALF_PERCENTS = tuple(number / 200 for number in range(201))
"""The priors or posteriors at which something is drawn, unless told otherwise: by halves of a hundredth."""

_QUANTILES = (0.5, 0.95, 0.99)


def posterior_against_prior(
    promised: Promise | Mapping[str, Promise],
    *,
    allowed: RiskProfile | limits.Limit | Sequence[object] | None = None,
    failure: float = 0.0,
    sides: int = 1,
    neighbours: Neighbours | None = None,
    priors: ArrayLike = HALF_PERCENTS,
    within: ArrayLike | None = None,
    by_profile: bool = False,
    knows: Knowledge = Knowledge.ANY_BELIEF,
    when: When = When.END,
    mark: float | None = None,
    language: str = "en",
) -> Picture:
    """The largest posterior of the truth for each prior, with what is allowed shaded.

    Args:
        promised: a promise, a mechanism or a curve; or a mapping from names to several.
        allowed: a risk profile, or a limit on posterior, ratio or difference, that is shaded below the lines. A list
            of them shows what all allow; a pair is a limit and the range of priors where it must hold.
        failure: the chance over the noise with which the bound may be false; 0 asks for what always holds.
        sides: 2 to draw the lowest posterior as well.
        neighbours: the relation between datasets; that of the promise if none is named.
        priors: the priors at which the posterior is drawn, such as np.linspace(0, 0.1); the axis has their range.
        within: the range of priors from which a limit must hold, such as (0.01, 0.1); elsewhere there is none.
        by_profile: draw what a risk profile is about: of the adversaries with each prior the one who learns most,
            whatever they believe about the others.
        knows: what the adversary knows about everybody else, if it is not by the profile.
        when: whether they look at the end, or at every moment.
        mark: the prior of an adversary who matters: a dot on each line, with its number.
        language: the code of the language of its words, such as "de".
    """
    words = words_of(language)
    promises = named(promised, words)
    shaded = shadings(allowed, within)
    at = _with(_priors(priors, shaded), mark)
    if by_profile:
        profile = _profile(allowed)
        answers = {name: posterior_line(profile, each, at, failure=failure) for name, each in promises.items()}
    else:
        answers = {
            name: membership.Beliefs(each, failure, sides, neighbours, knows, when).posterior(at)
            for name, each in promises.items()
        }
    drawn = Curves(at, {name: answer.bound for name, answer in answers.items()}, words)
    limit = allowed_among(shaded, at)
    caption = drawn.opening(promises) + sentences(
        _line(drawn, failure if any(answer.basis.failures for answer in answers.values()) else 0.0),
        words("posterior.profile") if by_profile else "",
        words("posterior.lower") if sides == 2 else "",
    )
    caption += dependent(promises, words) + knowing(knows, words) + ever(when, words) + under(neighbours, words)
    dot = "" if mark is None else words("posterior.sign.dot", prior=words.given(mark, Unit.PROBABILITY))
    shown = sentences(caption, "" if limit is None else limit.sign(words), dot)
    title, told = words("posterior.title"), drawn.told(_told_at(at, mark), partial(_from_to, words))
    beside = "" if limit is None else limit.told(at, words)
    text = sentences(words("posterior.against"), caption, told, beside)
    alt, table = words("common.line_chart", title=title, text=text), _table(at, answers, limit)
    chart = partial(_beliefs, drawn, answers, limit, mark)
    return pictured(chart, title=title, caption=shown, alt=alt, table=table, language=language)


def _line(drawn: Curves, failure: float) -> str:
    """What the line is, or what the lines are; and how sure."""
    words, key = drawn.said_in, "posterior.one" if len(drawn.bounds) == 1 else "posterior.several"
    exception = f", {certainty(failure, words)}" if failure else ""
    return words.directed(key, drawn.direction, certainty=exception)


def _priors(priors: ArrayLike, shaded: Sequence[Shaded]) -> Array:
    """The priors that are drawn, and the ends of the ranges of limits that lie among them."""
    at = places("priors", priors, 0.0, 1.0)
    ranges = [places("within", within, 0.0, 1.0) for _, within in shaded if within is not None]
    ends = np.concatenate([at[:1], *ranges])
    return np.union1d(at, ends[(ends >= at[0]) & (ends <= at[-1])])


def _with(at: Array, mark: float | None) -> Array:
    """The priors, and the one that is marked among them."""
    return at if mark is None else np.unique(np.append(at, probability("mark", mark, "Use a prior such as 0.1.")))


def _told_at(at: Array, mark: float | None) -> tuple[float, ...]:
    """The priors whose posterior the description names."""
    return tuple(sorted({*among(at, 0.1, 0.5, 0.9), *([] if mark is None else [mark])}))


def _from_to(words: Words, prior: float, posterior: str) -> str:
    return words("posterior.from_to", prior=words.given(prior, Unit.PROBABILITY), posterior=posterior)


def _beliefs(
    drawn: Curves,
    answers: Mapping[str, Finding],
    limit: Allowed | None,
    mark: float | None,
    page: Page,
) -> Spec:
    """The lines over what is allowed, and the line of those who learn nothing."""
    at, words = drawn.at, drawn.said_in
    ends = (float(at[0]), float(at[-1]))
    plane = Plane.on(page, *_axes(ends, drawn, limit))
    nothing = reference(rows_of(prior=ends, posterior=ends), plane.x, plane.y)
    shade = Shade() if limit is None else limit.shade(at, plane, words)
    points, places_of_points, numbers = _dots(drawn, plane, mark)
    notes = [*shade.notes, *numbers]
    if limit is not None and limit.curve is None and len(notes) == 2:
        notes = list(in_order(notes[0], notes[1], plane))
    along = [(prior, prior) for prior in among(at, *DIAGONAL)]
    falls = [(at, values(answer.below)) for answer in answers.values() if answer.is_two_sided]
    return drawn.chart(
        plane,
        below=[*shade.layers, *_falls(answers, at, plane), nothing],
        over=[*points, *shade.points],
        crossed=[(ends, ends), *falls, *shade.edges],
        marked=[*shade.marked, *places_of_points],
        notes=[*notes, Note(words("posterior.note.nothing"), along)],
    )


def _dots(drawn: Curves, plane: Plane, mark: float | None) -> tuple[list[Spec], list[tuple[float, float]], list[Note]]:
    """A dot on each line at the prior that is marked, its place, and its number."""
    if mark is None:
        return [], [], []
    ((n,), names) = chosen(drawn.at, [mark]), list(drawn.bounds)
    found = {name: (float(drawn.at[n]), float(values(bound)[n])) for name, bound in drawn.bounds.items()}
    rows = [{"series": name, "prior": prior, "posterior": after} for name, (prior, after) in found.items()]
    words = drawn.said_in
    notes = [Note(said(drawn.bounds[name], n, words), [found[name]]) for name in names]
    return [dots(rows, plane.x, plane.y, names, size=110)], list(found.values()), notes


def _axes(ends: tuple[float, float], drawn: Curves, limit: Allowed | None) -> tuple[Spec, Spec]:
    """Priors in the range that is drawn, and posteriors up to 1, or up to what small priors become."""
    words = drawn.said_in
    x = axis("prior", words("posterior.x"), ends, percent=True, apart=True, words=words)
    shown = [values(bound) for bound in drawn.bounds.values()]
    allowed = [] if limit is None else [limit.posterior]
    largest = float(np.max(np.concatenate([*shown, *allowed])))
    top = 1.0 if largest > 0.5 or largest == 0.0 else 1.2 * largest
    return x, axis("posterior", words("posterior.y"), (0.0, top), percent=True, apart=True, words=words)


def _profile(allowed: object) -> RiskProfile:
    if isinstance(allowed, RiskProfile):
        return allowed
    way_out = "Name a risk profile, such as one that allows three times the prior or 25 %; or draw no profile."
    raise Incompatible("by_profile", "must come with a risk profile", allowed, way_out)


def _falls(answers: Mapping[str, Finding], at: Array, plane: Plane) -> list[Spec]:
    """The lowest posteriors as lines, where they are known; what lies between is shaded if there is but one."""
    held = {name: (at, values(answer.below)) for name, answer in answers.items() if answer.is_two_sided}
    if not held:
        return []
    drawn = [lines(series_rows(held, plane.x, plane.y), plane.x, plane.y, list(held))]
    if len(held) == 1:
        ((name, (_, low)),) = held.items()
        rows = rows_of(prior=at, posterior=low, upper=values(answers[name]))
        drawn.insert(0, band(rows, plane.x, plane.y, "upper", colour=COLOURS[0], opacity=0.18))
    return drawn


def _table(at: Array, answers: Mapping[str, Finding], limit: Allowed | None) -> Columns:
    columns: dict[str, object] = {"prior": at}
    for name, answer in answers.items():
        for end in (answer.bound, *([answer.below] if answer.is_two_sided else [])):
            columns[f"posterior {end.direction.value}: {name}"] = values(end)
    if limit is not None and limit.curve is not None:
        columns["posterior allowed"] = limit.curve.posterior
    return Columns(columns)


def posterior_law(
    promised: Promise | PosteriorLaw | Mapping[str, Promise],
    prior: float | None = None,
    *,
    neighbours: Neighbours | None = None,
    posteriors: ArrayLike = HALF_PERCENTS,
    language: str = "en",
) -> Picture:
    """The chance over the noise that the posterior of the truth exceeds each threshold, for who knows everyone else.

    Args:
        promised: a mechanism, or a promise whose loss has a known law; several by name; or the law itself.
        prior: the adversary's probability of the truth before the release; left out if the law itself is given.
        neighbours: the relation between datasets; that of the promise if none is named.
        posteriors: the thresholds.
        language: the code of the language of its words, such as "de".
    """
    words, at = words_of(language), places("posteriors", posteriors, 0.0, 1.0)
    laws = _laws(promised, prior, neighbours, words)
    drawn = Curves(at, {name: law.tail(at).bound for name, law in laws.items()}, words)
    before = next(iter(laws.values())).prior
    title, line = words("law.title", prior=percent(before, words)), words.directed("law.line", drawn.direction)
    opening = drawn.opening({name: law.promise for name, law in laws.items()})
    caption = f"{opening}{line}{knowing(Knowledge.EVERYONE_ELSE, words)}{under(neighbours, words)}"
    held = {name: law.quantile(_QUANTILES).bound for name, law in laws.items()}
    spread = {name: _spread(found, words) for name, found in held.items()}
    alone = next(iter(held)) if len(held) == 1 else None
    quantiles = "" if alone is None else words("law.dots", list=spread[alone])
    told = drawn.told((before, 0.9), lambda at, chance: words("law.at", place=percent(at, words), value=chance))
    each = "; ".join(words("common.told", name=name, list=some) for name, some in spread.items())
    alt = words("common.line_chart", title=title, text=f"{caption} {told} {each}.")
    table = Columns(drawn.columns("posterior", "probability of more"))
    chart = partial(_thresholds, drawn, before, None if alone is None else held[alone])
    shown = sentences(caption, quantiles)
    return pictured(chart, title=title, caption=shown, alt=alt, table=table, language=language)


def _laws(
    promised: Promise | PosteriorLaw | Mapping[str, Promise],
    prior: float | None,
    neighbours: Neighbours | None,
    words: Words,
) -> dict[str, PosteriorLaw]:
    if isinstance(promised, PosteriorLaw):
        return {words.promise(promise_name(promised.promise)): promised}
    if prior is None:
        way_out = "Pass the probability before the release, such as 0.5."
        raise InvalidInput("prior", "must be given with a promise or a mechanism", prior, way_out)
    promises = named(promised, words)
    return {name: membership.distribution(one, prior, neighbours=neighbours) for name, one in promises.items()}


def _thresholds(drawn: Curves, prior: float, quantiles: Finding | None, page: Page) -> Spec:
    """The lines, the prior, and the posteriors that are exceeded one time in two, in twenty and in a hundred."""
    words, ends = drawn.said_in, rows_of(posterior=[prior, prior], chance=[0.0, 1.0])
    x = axis("posterior", words("posterior.y"), (0.0, 1.0), percent=True, words=words)
    y = axis("chance", words("law.y"), (0.0, 1.0), percent=True, words=words)
    numbers = [] if quantiles is None else zip(values(quantiles).tolist(), _QUANTILES, strict=True)
    points = [(number, 1.0 - level) for number, level in numbers]
    rows = [{"posterior": number, "chance": chance} for number, chance in points]
    return drawn.chart(
        Plane.on(page, x, y),
        below=[reference(ends, x, y)],
        over=[marked(row, x, y, size=70) for row in rows],
        crossed=[([prior, prior], [0.0, 1.0])],
        marked=points,
        notes=[Note(words("law.prior"), [(prior, height) for height in (0.06, 0.95, 0.3, 0.5, 0.7)])],
    )


def _spread(found: Finding, words: Words) -> str:
    parts = ((percent(level, words), said(found, n, words)) for n, level in enumerate(_QUANTILES))
    return ", ".join(words("law.quantile", level=level, value=value) for level, value in parts)
