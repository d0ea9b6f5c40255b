"""The pictures by name: what each draws of a form, and which options it has a use for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from whit import spec
from whit.apps.cli.options import names_of, the_one_asker
from whit.errors import Incompatible, InvalidInput
from whit.mechanisms import AdditiveNoise, kinds
from whit.plans import expose
from whit.policy import frontier
from whit.semantics import membership, testing
from whit.setting import Neighbours
from whit.telling import plots
from whit.telling.plots import Picture

NOISES = {kind.parameter.option: kind for kind in kinds() if issubclass(kind, AdditiveNoise)}
"""The noise that accuracy is measured for, by its words."""

MANY = 365
"""Up to so many releases a risk is drawn, unless the promise says how many there are."""

_SEVERAL = 'Give one, such as --epsilon 1; with --promise "rho=0.1" there are several lines.'
_PROFILE = 'Say what is acceptable: --profile "relative=3, absolute=0.25".'


@dataclass(frozen=True)
class Drawing:
    """What is to be drawn: the form, and what only pictures have.

    Attributes:
        form: what the options and a file say.
        noise: the kind of noise, if one is named.
        options: what a search for that noise is told: releases and sensitivity.
        plan: the file of a plan, if one is named.
        concern: what somebody wants kept of it.
    """

    form: spec.Form
    noise: str | None
    options: spec.Given
    plan: str | None
    concern: spec.Given

    def promises(self, *, one: bool = False) -> Mapping[str, Any]:
        """The promises by name, of all releases together or of one; there is at least one promise."""
        if not self.form.promises:
            raise InvalidInput("a picture of a promise", "must be given at least one", "none", _SEVERAL)
        named = zip(names_of(self.form), self.form.promises, strict=True)
        return {name: series.one if one else series.together for name, series in named}

    @property
    def relation(self) -> Neighbours | None:
        """The relation that was named, of which there is one."""
        found = {series.relation for series in self.form.promises}
        if len(found) > 1:
            said = ", ".join(sorted("none" if each is None else each.name.lower() for each in found))
            raise Incompatible("neighbours", "must be the same in one picture", said, "Draw one picture each.")
        return next(iter(found), None)

    @property
    def profile(self) -> Any:
        """The profile that is drawn."""
        found = self.form.requirements.profile
        if found is None:
            raise InvalidInput("a picture of a profile", "must be given one", "none", _PROFILE)
        return found

    @property
    def allowed(self) -> Any:
        """What is shaded as allowed: one limit, or all profiles at once."""
        found = self.form.requirements
        shaded = [*(limit for _, limit in found.limits), *([] if found.profile is None else [found.profile])]
        if len(shaded) > 1:
            rule = "must be one limit, or profiles alone, to be shaded"
            raise Incompatible("what is acceptable", rule, f"{len(shaded)} of them", "Draw one picture each.")
        return next(iter(shaded), None)

    @property
    def prior(self) -> float:
        """The prior of the one adversary."""
        return the_one_asker(self.form).adversary.prior


def _posterior(drawing: Drawing) -> Picture:
    asked = drawing.form.asked
    return plots.posterior_against_prior(
        drawing.promises(),
        allowed=drawing.allowed,
        failure=asked.failure,
        sides=asked.sides,
        neighbours=drawing.relation,
    )


def _power(drawing: Drawing) -> Picture:
    knows = the_one_asker(drawing.form).adversary.knows
    return plots.level_and_power(drawing.promises(), neighbours=drawing.relation, knows=knows)


def _loss(drawing: Drawing) -> Picture:
    return plots.loss_curve(drawing.promises(), sides=drawing.form.asked.sides, neighbours=drawing.relation)


def _over_releases(drawing: Drawing) -> Picture:
    asked, one = drawing.form.asked, drawing.promises(one=True)
    most = max(series.releases for series in drawing.form.promises)
    steps = sorted({max(1, round((most if most > 1 else MANY) ** (at / 40))) for at in range(41)})
    return plots.risk_over_releases(
        one,
        membership.PosteriorFrom(drawing.prior),
        steps,
        failure=asked.failure,
        sides=asked.sides,
        neighbours=drawing.relation,
    )


def _law(drawing: Drawing) -> Picture:
    return plots.posterior_law(drawing.promises(), drawing.prior, neighbours=drawing.relation)


def _icons(drawing: Drawing) -> Picture:
    """A test with the level, and its power: how often the release gives a person away, with and without them."""
    series, level = drawing.form.series, drawing.form.asked.level
    return plots.icon_arrays(level, testing.power(series.together, level, neighbours=drawing.relation), of=series.words)


def _accuracy(drawing: Drawing) -> Picture:
    """Each profile and each limit by itself, with the noise that it costs."""
    if drawing.noise is None:
        raise InvalidInput("--for", "must name the noise for this picture", "nothing", f"Use {' or '.join(NOISES)}.")
    given, found = drawing.options, drawing.form.requirements
    each: list[Any] = [one for _, one in (*found.profiles, *found.limits)] or [drawing.profile]
    options: dict[str, Any] = {"releases": given.whole("releases")} if "releases" in given else {}
    options |= {"sensitivity": spec.sensitivity_of(given)} if "sensitivity" in given else {}
    failure = drawing.form.asked.failure
    return plots.accuracy_against_risk(frontier(each, NOISES[drawing.noise], failure=failure, **options))


def _budget(drawing: Drawing) -> Picture:
    if drawing.plan is None:
        raise InvalidInput("--plan", "must name the plan for this picture", "nothing", "Use --plan FILE and a concern.")
    return plots.budget_by_query(expose(spec.plan_named(drawing.plan), spec.concern_of(drawing.concern)))


@dataclass(frozen=True)
class Kind:
    """A kind of picture: how it is drawn, and which options it has a use for."""

    draw: Callable[[Drawing], Picture]
    uses: frozenset[str]


PROMISE = frozenset(("from", "promise", "noise", "sampling_rate", "sensitivity", "neighbours", "releases", "kinds"))
"""The options that state promises; `kinds` stands for those of the kinds themselves."""

_PROFILES = frozenset(("profile", "requirements", "from"))


def _kind(draw: Callable[[Drawing], Picture], *uses: str, beside: frozenset[str] = PROMISE) -> Kind:
    return Kind(draw, beside | frozenset(uses))


PICTURES: dict[str, Kind] = {
    "posterior-against-prior": _kind(_posterior, "failure", "sides", "profile", "limit", "requirements"),
    "level-and-power": _kind(_power, "knows", "adversary"),
    "profile-curve": _kind(lambda drawing: plots.profile_curve(drawing.promises(), neighbours=drawing.relation)),
    "loss-curve": _kind(_loss, "sides"),
    "risk-over-releases": _kind(_over_releases, "prior", "failure", "sides", "adversary"),
    "posterior-law": _kind(_law, "prior", "adversary"),
    "icon-arrays": _kind(_icons, "level"),
    "profile-and-epsilon": _kind(lambda drawing: plots.profile_and_epsilon(drawing.profile), beside=_PROFILES),
    "profile-map": _kind(lambda drawing: plots.profile_map(drawing.profile), beside=_PROFILES),
    "accuracy-against-risk": _kind(_accuracy, "for", "limit", "failure", "releases", "sensitivity", beside=_PROFILES),
    "budget-by-query": _kind(_budget, "plan", *spec.CONCERN, beside=frozenset()),
}
"""The pictures by name."""
