"""Pictures under addresses of their own, which browsers may keep, and the numbers behind each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import Response

from whit import spec
from whit.apps.asking import command_named
from whit.apps.asking.request import Request as Asked
from whit.apps.asking.request import request_of, required
from whit.apps.web.apart import apart
from whit.apps.web.headers import PICTURE_POLICY
from whit.apps.web.questions import CLOSED, is_slow
from whit.errors import unknown_name
from whit.mechanisms import kinds
from whit.policy import frontier
from whit.semantics import membership, testing
from whit.telling import plots
from whit.telling.catalogue import deployments
from whit.telling.plots import Picture
from whit.version import VERSION

KEPT = "private, max-age=86400, immutable"
"""How long browsers keep a picture: its address has the question and the version of whit."""

SHORTEST, LONGEST = 24, 365
"""Up to how many releases the risk is drawn, at least and at most."""

_NOISE = {kind.parameter.kind: kind for kind in kinds()}
_SIDE_BY_SIDE = ("laplace", "geometric", "gaussian")


def _form(asked: Asked) -> tuple[Any, Any, dict[str, Any]]:
    """All releases together, the adversary, and how beliefs are bounded."""
    series, adversary = asked.form.series, asked.form.askers[0].adversary
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


def _families(asked: Asked) -> Picture:
    """What each kind of noise costs that meets the one limit or the profile."""
    wanted = required(asked.form)
    each: list[Any] = [*(limit for _, limit in wanted.limits), *([] if wanted.profile is None else [wanted.profile])]
    releases = asked.given.whole("releases") if "releases" in asked.given else 1
    costs: dict[str, Any] = {"failure": asked.form.asked.failure, "releases": releases}
    return plots.families_side_by_side([frontier(each, _NOISE[word], **costs)[0] for word in _SIDE_BY_SIDE])


PICTURES: dict[str, tuple[str, Callable[[Asked], Picture]]] = {
    "posterior": ("assess", _posterior),
    "power": ("assess", _power),
    "releases": ("assess", _releases),
    "people": ("assess", _people),
    "deployments": ("assess", _deployments),
    "families": ("recommend", _families),
}
"""The pictures by name, each with the command whose values it takes."""


def address(folder: str, name: str, values: Mapping[str, object]) -> str:
    """The address of a picture."""
    return f"{folder}/{name}.svg?{urlencode({**values, 'v': VERSION}, doseq=True)}"


def picture_of(name: str, values: Mapping[str, object]) -> Picture:
    """The picture of a question."""
    if name not in PICTURES:
        raise unknown_name("a picture", name, PICTURES)
    command, draw = PICTURES[name]
    with spec.without_files():
        return draw(request_of(command_named(command), values))


def svg_of(request: Request, name: str, values: Mapping[str, object]) -> Response:
    """A picture as an answer that browsers may keep."""
    promised = {*values} & {*CLOSED, *(word.replace("-", "_") for word in _NOISE)}
    slow = is_slow(values) or name == "families" or (name == "releases" and not promised <= CLOSED)
    # The numbers are worked out apart; the drawing is quick, and its library needs more room than a process apart has.
    limits = request.app.state.settings.limits
    picture = apart(picture_of, name, dict(values), limits=limits) if slow else picture_of(name, values)
    headers = {"cache-control": KEPT, "content-security-policy": PICTURE_POLICY}
    return Response(picture.svg(), media_type="image/svg+xml", headers=headers)
