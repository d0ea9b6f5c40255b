"""Figures 1, 3 and 4 of Kazan and Reiter (2024): what agencies accept along one belief, and the epsilon it implies.

The paper shows the epsilon of Figures 3 and 4 as a colour along the profile; here it has a panel of its own below. It
counts on twice epsilon where a record is replaced. Where one count is released that is epsilon once, and more is safe.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.guarantees import PureDP
from whit.mechanisms import Geometric
from whit.policy import Recommendation, recommend
from whit.policy.profiles import Capped, RiskProfile, box, capped
from whit.semantics.disclosure import largest_epsilon, relative_risk
from whit.setting import Adversary
from whit.telling.plots import Axis, Mark, Panel, Picture, panels
from whit.theory import Finding

Array = NDArray[np.float64]
Line: TypeAlias = tuple[ArrayLike, ArrayLike | Finding]

PROFILE = "accepted"
REACHED = "reached by the count"
PRINTED = "as the paper has it"
ONE_COUNT = "one count"
FLAT = "accepted, ratio alone"
FLAT_EPSILON = "ratio alone"

_SMALLEST = 0.004
_POINTS = 120


@dataclass(frozen=True)
class Agency:
    """An agency with its profile along one belief, and the places at which it is drawn."""

    name: str
    profile: Capped

    @property
    def free(self) -> str:
        """The belief along which the profile is drawn."""
        return "inclusion" if self.profile.inclusion is None else "value"

    @property
    def fixed(self) -> float:
        """The other belief."""
        return self.profile.domain.value[1] if self.free == "inclusion" else self.profile.domain.inclusion[1]

    @property
    def sure_of_value(self) -> bool:
        """Whether the adversaries know the value, so that nothing is learnt from replacing a record."""
        return self.profile.value == 1.0

    @cached_property
    def pure(self) -> Recommendation:
        """What the paper recommends: epsilon is all that is known of the release."""
        return recommend(self.profile, PureDP)

    @cached_property
    def count(self) -> Recommendation:
        """What may be spent on one count with geometric noise."""
        return recommend(self.profile, Geometric)

    @cached_property
    def places(self) -> Array:
        """Beliefs from small to certain, those of the deciders among them, and some just before there is no limit."""
        own = [getattr(decider(each), self.free) for each in (self.pure, self.count)]
        spread = [*np.geomspace(_SMALLEST, 1.0, _POINTS), *np.linspace(_SMALLEST, 1.0, _POINTS)]
        certain = 1.0 / (self.profile.relative * self.fixed)
        close = [certain * (1.0 - step) for step in (1e-2, 1e-3, 1e-6) if certain < 1.0]
        return np.unique([*spread, *own, *close])

    def beliefs(self, at: Array) -> tuple[Array, Array]:
        """Inclusion and value at each place."""
        other = np.full_like(at, self.fixed)
        return (at, other) if self.free == "inclusion" else (other, at)

    def limits(self, at: Array) -> Array:
        """The largest relative risk that is accepted at each belief."""
        return self.profile.limit(*self.beliefs(at))

    def reached(self, at: Array) -> Finding:
        """The relative risk of the count with the epsilon that is safe for it."""
        inclusion, value = self.beliefs(at)
        return relative_risk(Geometric(float(self.count.parameter)), inclusion=inclusion, value=value)

    def epsilons(self, at: Array, swap_factor: float) -> Finding:
        """The largest epsilon at each belief, if replacing a record costs so many times epsilon."""
        return self.epsilons_of(self.profile, at, swap_factor)

    def epsilons_of(self, profile: RiskProfile, at: Array, swap_factor: float) -> Finding:
        """The line for another profile of these beliefs."""
        inclusion, value = self.beliefs(at)
        limits = profile.limit(inclusion, value)
        return largest_epsilon(limits, inclusion=inclusion, value=value, swap_factor=swap_factor)


def decider(found: Recommendation) -> Adversary:
    """The adversary who decides."""
    who = found.verdict.adversary
    assert who is not None  # a profile is decided by an adversary
    return who


def told(found: Recommendation) -> str:
    """The recommended epsilon in four digits, rounded down."""
    return str(found.rounded(4))


def figure_1() -> Picture:
    """Figure 1: two agencies, one for each belief."""
    agencies = [
        Agency("Agency 1, value 100 %", capped(relative=3.0, absolute=0.1, value=1.0)),
        Agency("Agency 2, inclusion 5 %", capped(relative=3.0, absolute=0.1, inclusion=0.05)),
    ]
    caption = (
        "Above: the largest ratio of posterior and prior that each agency accepts, and what one count with the epsilon "
        "that is safe for it reaches. Below: the largest epsilon at each belief; the dot decides. The paper counts on "
        "twice epsilon for a replaced record; one count costs epsilon once, so Agency 2 may spend a little more. "
        "Where the value is certain, nothing is learnt from replacing a record."
    )
    above = [_profile_panel(each, {}, top=10.0) for each in agencies]
    below = [_epsilon_panel(each, {}) for each in agencies]
    return panels([*above, *below], title="KR24 Figure 1: two agencies, and the epsilon they imply", caption=caption)


def figure_3() -> Picture:
    """Figure 3: equation 31 for three agencies, beside a constant ratio."""
    ratios = {"A": 1.5, "B": 3.0, "C": 6.0}
    agencies = [
        Agency(f"Agency {name}, ratio {r:g}", capped(relative=r, absolute=0.25, value=1.0))
        for name, r in ratios.items()
    ]
    flats = [box(r, value=(1.0, 1.0)) for r in ratios.values()]
    caption = (
        "A posterior of 25 % or a ratio, whichever allows more, for an adversary who is certain of the value. Above: "
        "what is accepted, and what the recommended epsilon reaches: it meets the profile where the cap and the ratio "
        "do. Below: the largest epsilon at each belief, with the cap and for the ratio alone; the dots decide, and are "
        "the epsilons of Table 1."
    )
    above = [_profile_panel(a, {FLAT: f}, top=15.0) for a, f in zip(agencies, flats, strict=True)]
    below = [_epsilon_panel(a, {FLAT_EPSILON: f}) for a, f in zip(agencies, flats, strict=True)]
    title = "KR24 Figure 3: a cap of 25 % or a ratio, for three agencies"
    return panels([*above, *below], title=title, caption=caption, columns=3)


def figure_4() -> Picture:
    """Figure 4: equation 32 for three agencies."""
    caps = {"A": 0.025, "B": 0.15, "C": 0.3}
    agencies = [
        Agency(f"Agency {name}, cap {100 * a:g} %", capped(relative=3.0, absolute=a, inclusion=0.05))
        for name, a in caps.items()
    ]
    caption = (
        "A cap on the posterior or a ratio of 3, whichever allows more, when 5 % of the people are surveyed. Above: "
        "what is accepted, and what one count reaches. Below: the largest epsilon at each belief; the dots decide. For "
        "one count Agency A may spend more than the paper's 1.09, since replacing a record costs epsilon once; in a "
        "table where it changes two cells it costs twice, as the paper has it. B and C are decided where the value is "
        "certain, and stay as in Table 5."
    )
    above = [_profile_panel(each, {}, top=15.0) for each in agencies]
    below = [_epsilon_panel(each, {}) for each in agencies]
    title = "KR24 Figure 4: a cap or a ratio of 3 in a survey of 5 %, for three agencies"
    return panels([*above, *below], title=title, caption=caption, columns=3)


def _profile_panel(agency: Agency, flat: Mapping[str, RiskProfile], *, top: float) -> Panel:
    at = agency.places
    lines: dict[str, Line] = {PROFILE: (at, agency.limits(at)), REACHED: (at, agency.reached(at))}
    more: dict[str, Line] = {name: (at, each.limit(*agency.beliefs(at))) for name, each in flat.items()}
    y = Axis("relative risk", 1.0, top)
    return Panel(agency.name, _belief_axis(agency), y, lines | more)


def _epsilon_panel(agency: Agency, flat: Mapping[str, RiskProfile]) -> Panel:
    at, count = agency.places, not agency.sure_of_value
    lines: dict[str, Line] = {PRINTED: (at, agency.epsilons(at, 2.0))}
    more: dict[str, Line] = {ONE_COUNT: (at, agency.epsilons(at, 1.0))} if count else {}
    more |= {name: (at, agency.epsilons_of(each, at, 2.0)) for name, each in flat.items()}
    found = [agency.pure, agency.count] if count else [agency.pure]
    decided = list(dict.fromkeys(told(each) for each in found))
    title = f"epsilon {decided[0]}" + "".join(f", for one count {each}" for each in decided[1:])
    marks = [Mark("", getattr(decider(each), agency.free), float(each.parameter)) for each in found]
    return Panel(title, _belief_axis(agency), Axis("largest epsilon", 0.0, 4.0), lines | more, marks)


def _belief_axis(agency: Agency) -> Axis:
    words = {"inclusion": "probability of inclusion before", "value": "probability of the value before"}
    return Axis(words[agency.free], 0.0, 1.0, percent=True)
