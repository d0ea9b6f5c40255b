"""Pictures under addresses of their own, which browsers may keep, and the numbers behind each."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import JSONResponse, Response

from whit import spec
from whit.apps.asking import command_named
from whit.apps.asking.request import Request as Asked
from whit.apps.asking.request import request_of, required
from whit.apps.web.apart import apart
from whit.apps.web.headers import PICTURE_POLICY
from whit.apps.web.questions import CLOSED, is_slow
from whit.apps.web.rendering import page
from whit.apps.web.settings import Limits
from whit.apps.web.workers import workers_of
from whit.errors import Unreachable, unknown_name
from whit.mechanisms import kinds
from whit.policy import frontier, limits, profiles
from whit.semantics import membership, testing
from whit.telling import plots
from whit.telling.catalogue import deployments
from whit.telling.plots import Picture
from whit.version import VERSION

KEPT = "private, max-age=86400, immutable"
"""How long browsers keep a picture: its address has the question and the version of whit."""

SHORTEST, LONGEST = 24, 365
"""Up to how many releases the risk is drawn, at least and at most."""

Requirement = limits.Limit | profiles.Table | profiles.Capped
"""What the page of a choice can ask for."""

SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1))
"""The parts of the room up to a limit at which its frontier is drawn."""

NOISES = {kind.parameter.kind: kind for kind in kinds()}
"""The kinds of noise by their words."""

_LIBRARY = threading.Lock()
_SIDE_BY_SIDE = ("laplace", "geometric", "gaussian")


def _form(asked: Asked) -> tuple[Any, Any, dict[str, Any]]:
    """All releases together, the adversary, and how beliefs are bounded."""
    series, adversary = asked.form.together, asked.form.askers[0].adversary
    bounds = {"failure": asked.form.asked.failure, "sides": asked.form.asked.sides, "neighbours": series.relation}
    return series, adversary, bounds


def _posterior(asked: Asked) -> Picture:
    series, adversary, bounds = _form(asked)
    promised = series.together.block(adversary.block)
    who = {"knows": adversary.knows, "when": adversary.when}
    return plots.posterior_against_prior(promised, mark=adversary.prior, **bounds, **who)


def _power(asked: Asked) -> Picture:
    series, adversary, _ = _form(asked)
    promised = series.together.block(adversary.block)
    return plots.level_and_power(promised, neighbours=series.relation, knows=adversary.knows)


def _releases(asked: Asked) -> Picture:
    series, adversary, bounds = _form(asked)
    risk = membership.PosteriorFrom(prior=adversary.prior)
    counts = range(1, min(max(series.releases, SHORTEST), LONGEST) + 1)
    who = {"knows": adversary.knows, "when": adversary.when}
    return plots.risk_over_releases(series.one.block(adversary.block), risk, counts, **bounds, **who)


def _people(asked: Asked) -> Picture:
    series, _, _ = _form(asked)
    level = asked.form.asked.level
    return plots.icon_arrays(level, testing.power(series.together, level, neighbours=series.relation), of=series.words)


def _deployments(_: Asked) -> Picture:
    return plots.power_by_unit(deployments())


def _wanted(asked: Asked) -> tuple[Any, dict[str, Any]]:
    """The one limit or profile of a search, and how its noise is used."""
    wanted = required(asked.form)
    stated: list[Any] = [*(limit for _, limit in wanted.limits), wanted.profile]
    releases = asked.given.whole("releases") if "releases" in asked.given else 1
    relation = {"neighbours": asked.given.word("neighbours", spec.NEIGHBOURS)} if "neighbours" in asked.given else {}
    return stated[0], {"failure": asked.form.asked.failure, "releases": releases, **relation}


def _families(asked: Asked) -> Picture:
    """What each kind of noise costs that meets the one limit or the profile; those that cannot are left out."""
    each, costs = _wanted(asked)
    found: list[Any] = []
    why = None
    for word in _SIDE_BY_SIDE:
        try:
            found += frontier([each], NOISES[word], **costs)
        except Unreachable as unmet:
            why = unmet
    if why and not found:
        raise why
    return plots.families_side_by_side(found)


def _frontier(asked: Asked) -> Picture:
    """What the limit and smaller ones cost in one kind of noise."""
    each, costs = _wanted(asked)
    family = asked.word("for", NOISES)
    return plots.accuracy_against_risk(frontier([tightened(each, share) for share in SHARES], family, **costs))


def tightened(requirement: Requirement, share: Fraction) -> Requirement:
    """A requirement that leaves a share of the room between the risk of a release that says nothing and the limit.

    >>> from whit.policy import limits
    >>> tightened(limits.posterior(0.3, prior=0.1), Fraction(1, 2))
    PosteriorLimit(posterior=0.2, prior=0.1)
    """
    if isinstance(requirement, profiles.Table):
        rows = tuple(tuple(_between(1.0, each, share) for each in row) for row in requirement.limits)
        return replace(requirement, limits=rows)
    if isinstance(requirement, profiles.Capped):
        return replace(requirement, relative=_between(1.0, requirement.relative, share))
    stated = {"posterior": "prior", "power": "level"}
    name = next(iter(requirement.parameters))
    from_here = requirement.parameters.get(stated.get(name, ""), float(name == "ratio"))
    start = from_here if isinstance(from_here, float) else 0.0  # over several priors
    most = _between(start, requirement.largest, share)
    stricter: dict[str, Any] = {**requirement.parameters, name: most}
    return type(requirement)(**stricter)


def _between(start: float, end: float, share: Fraction) -> float:
    """A number on the way, which need not be exact: the requirement that is met has it as its limit."""
    return end if share == 1 else round(start + float(share) * (end - start), 12)


PICTURES: dict[str, tuple[str, Callable[[Asked], Picture]]] = {
    "posterior": ("assess", _posterior),
    "power": ("assess", _power),
    "releases": ("assess", _releases),
    "people": ("assess", _people),
    "deployments": ("assess", _deployments),
    "families": ("recommend", _families),
    "frontier": ("recommend", _frontier),
}
"""The pictures by name, each with the command whose values it takes."""


EXPLORED = ("posterior", "power", "releases")
"""The pictures that can be explored: their lines are upper bounds on probabilities."""


def address(folder: str, name: str, values: Mapping[str, object], *, form: str = ".svg") -> str:
    """The address of a picture in one of its forms."""
    return f"{folder}/{name}{form}?{urlencode({**values, 'v': VERSION}, doseq=True)}"


def picture_of(name: str, values: Mapping[str, object]) -> Picture:
    """The picture of a question."""
    if name not in PICTURES:
        raise unknown_name("a picture", name, PICTURES)
    command, draw = PICTURES[name]
    with spec.without_files():
        return draw(request_of(command_named(command), values))


def numbers_of(request: Request, name: str, values: Mapping[str, object], source: str) -> Response:
    """The numbers of a picture as a page, with the picture at its address."""
    picture = _worked_out(request, name, values)
    document = {
        "title": picture.title,
        "alt": picture.alt,
        "table": {head: list(column) for head, column in picture.table.items()},
    }
    rows = list(zip(*picture.table.values(), strict=True))
    shown: dict[str, Any] = {"title": picture.title, "alt": picture.alt, "head": list(picture.table), "rows": rows}
    return page(request, "picture.html", document, **shown, source=source)


def svg_of(request: Request, name: str, values: Mapping[str, object]) -> Response:
    """A picture as an answer that browsers may keep."""
    workers, narrow = workers_of(request), is_narrow(request)
    if _is_slow(name, values):
        text = workers.run(drawn, _worked_out(request, name, values), narrow)
    else:
        text = workers.run(drawn_of, name, dict(values), narrow)
    headers = {"cache-control": KEPT, "content-security-policy": PICTURE_POLICY}
    return Response(text, media_type="image/svg+xml", headers=headers)


def drawing_of(request: Request, name: str, values: Mapping[str, object]) -> Response:
    """A picture of lines in the words of the drawing library, for browsers that draw it themselves."""
    if name not in EXPLORED:
        raise unknown_name("a picture to explore", name, EXPLORED)
    picture = _worked_out(request, name, values)
    picture = picture.narrowed() if is_narrow(request) else picture
    return JSONResponse({**plots.explorable(picture)}, headers={"cache-control": KEPT})


def library_of(request: Request) -> Response:
    """The drawing library, which only a page asks for where somebody explores a picture."""
    with _LIBRARY:  # it takes seconds to make, so it is made once
        text = _library(request.app.state.settings.limits)
    return Response(text, media_type="text/javascript", headers={"cache-control": KEPT})


@cache
def _library(limits: Limits) -> str:
    return apart(plots.library_script, limits=limits)


OF_THE_WINDOW = frozenset(("v", "narrow"))
"""What an address of a picture has beside the question: the version of whit, and whether the window is narrow."""


def is_narrow(request: Request) -> bool:
    """Whether a picture is asked for that fits into a narrow window."""
    return "narrow" in request.query_params


def drawn(picture: Picture, narrow: bool) -> str:
    """A picture as SVG."""
    return (picture.narrowed() if narrow else picture).svg()


def drawn_of(name: str, values: Mapping[str, object], narrow: bool) -> str:
    """The picture of a question as SVG."""
    return drawn(picture_of(name, values), narrow)


def _worked_out(request: Request, name: str, values: Mapping[str, object]) -> Picture:
    """A picture, its numbers worked out in a ready process, or in its own where that may take long."""
    if _is_slow(name, values):
        return apart(picture_of, name, dict(values), limits=request.app.state.settings.limits)
    return workers_of(request).run(picture_of, name, dict(values))


def _is_slow(name: str, values: Mapping[str, object]) -> bool:
    """Whether the numbers of a picture may take long."""
    promised = {*values} & {*CLOSED, *(word.replace("-", "_") for word in NOISES)}
    searched = name in ("families", "frontier")
    return is_slow(values) or searched or (name == "releases" and not promised <= CLOSED)
