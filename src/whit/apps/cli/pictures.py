"""The pictures by name, each drawn from what the options of `whit plot` say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from whit.apps.cli.adversaries import Asking
from whit.apps.cli.concerns import plan_of, the_one
from whit.apps.cli.promises import Stated
from whit.apps.cli.wanted import Wanted
from whit.errors import Incompatible, InvalidInput
from whit.guarantees import Guarantee
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, Mechanism
from whit.plans import Concern, expose
from whit.policy import frontier, limits
from whit.policy.profiles import RiskProfile, Strictest
from whit.semantics import membership, testing
from whit.setting import Neighbours
from whit.telling import plots
from whit.telling.plots import Picture

_SEVERAL = 'Give one, such as --epsilon 1; with --promise "rho=0.1" there are several lines.'
_WANTED = 'Say what is acceptable: --profile "relative=3, absolute=0.25".'


@dataclass(frozen=True)
class Asked:
    """What is to be drawn."""

    promises: tuple[Stated, ...]
    asking: Asking
    wanted: tuple[Wanted, ...]
    releases: int
    noises: tuple[type[Mechanism], ...]
    plans: tuple[str, ...]
    concerns: tuple[Concern, ...]

    @property
    def promised(self) -> Mapping[str, Guarantee | Mechanism]:
        """All promises by name; at least one."""
        if not self.promises:
            raise InvalidInput("a picture of a promise", "must be given at least one", "none", _SEVERAL)
        return {each.name: each.promised for each in self.promises}

    @property
    def relation(self) -> Neighbours | None:
        """The relation that was named, of which there is one."""
        named = {each.relation for each in self.promises}
        if len(named) > 1:
            found = ", ".join(sorted(map(repr, named)))
            raise Incompatible("neighbours", "must be the same in one picture", found, "Draw one picture each.")
        return next(iter(named), None)

    @property
    def profile(self) -> RiskProfile:
        """The profile that is to be drawn."""
        for each in self.wanted:
            if isinstance(each.thing, RiskProfile):
                return each.thing
        raise InvalidInput("a picture of a profile", "must be given one", "none", _WANTED)

    @property
    def allowed(self) -> RiskProfile | limits.Limit | None:
        """What is shaded as allowed."""
        return next((each.thing for each in self.wanted if isinstance(each.thing, RiskProfile | limits.Limit)), None)


def _posterior(asked: Asked) -> Picture:
    asking = asked.asking
    return plots.posterior_against_prior(
        asked.promised,
        allowed=asked.allowed,
        failure=asking.failure,
        sides=asking.sides,
        neighbours=asked.relation,
    )


def _power(asked: Asked) -> Picture:
    return plots.level_and_power(asked.promised, neighbours=asked.relation, knows=asked.asking.adversary.knows)


def _over_releases(asked: Asked) -> Picture:
    asking = asked.asking
    steps = sorted({max(1, round(asked.releases ** (at / 40))) for at in range(41)})
    return plots.risk_over_releases(
        asked.promised,
        membership.PosteriorFrom(asking.adversary.prior),
        steps,
        failure=asking.failure,
        sides=asking.sides,
        neighbours=asked.relation,
    )


def _law(asked: Asked) -> Picture:
    return plots.posterior_law(asked.promised, asked.asking.adversary.prior, neighbours=asked.relation)


def _icons(asked: Asked) -> Picture:
    """A test with the level, and its power: how often the release gives a person away, with and without them."""
    [one] = asked.promised.values() if len(asked.promised) == 1 else [None]
    if one is None:
        raise Incompatible("icon arrays", "are about one promise", f"{len(asked.promised)} of them", "Draw one each.")
    level, [stated] = asked.asking.level, asked.promises
    return plots.icon_arrays(level, testing.power(one, level, neighbours=asked.relation), of=stated.words)


def _accuracy(asked: Asked) -> Picture:
    """Each profile by itself, with the noise that it costs."""
    if not asked.noises:
        raise InvalidInput("the noise", "must be named for this picture", "none", f"Use --for {' or '.join(NOISES)}.")
    profile = asked.profile
    each = [one for _, one in profile.members] if isinstance(profile, Strictest) else [profile]
    return plots.accuracy_against_risk(frontier(each, asked.noises[0], failure=asked.asking.failure))


def _budget(asked: Asked) -> Picture:
    if not asked.plans:
        raise InvalidInput("the plan", "must be named for this picture", "none", "Use --plan FILE and a concern.")
    return plots.budget_by_query(expose(plan_of(asked.plans[0]), the_one(asked.concerns)))


NOISES: dict[str, type[Mechanism]] = {
    "gaussian": Gaussian,
    "discrete-gaussian": DiscreteGaussian,
    "laplace": Laplace,
    "geometric": Geometric,
}
"""The noise that accuracy is measured for, by its words."""

PICTURES: dict[str, Callable[[Asked], Picture]] = {
    "posterior-against-prior": _posterior,
    "level-and-power": _power,
    "profile-curve": lambda asked: plots.profile_curve(asked.promised, neighbours=asked.relation),
    "loss-curve": lambda asked: plots.loss_curve(asked.promised, sides=asked.asking.sides, neighbours=asked.relation),
    "risk-over-releases": _over_releases,
    "posterior-law": _law,
    "icon-arrays": _icons,
    "profile-and-epsilon": lambda asked: plots.profile_and_epsilon(asked.profile),
    "profile-map": lambda asked: plots.profile_map(asked.profile),
    "accuracy-against-risk": _accuracy,
    "budget-by-query": _budget,
}
"""The pictures by name."""
