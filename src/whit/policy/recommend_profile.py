"""A risk profile as a requirement: the losses that its adversaries need, and whether they keep to it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from whit.errors import NotImplied, Unreachable
from whit.numerics import add_up, down, probability_array
from whit.policy.families import NoiseFamily
from whit.policy.minimise import Keeping, Losses, risk_up
from whit.policy.profiles import RiskProfile
from whit.policy.recommend_binding import ProfileBinding
from whit.policy.recommend_losses import mixed_loss, mixed_tail, sure_loss
from whit.policy.recommend_requirements import Planned, Report, Requirement
from whit.policy.recommend_search import PRECISION
from whit.setting import Neighbours
from whit.theory import Basis, Direction, Failure, Finding, Quantity, Randomness, Unit, echo

RELATIVE_RISK = Quantity("relative risk of disclosure", Unit.NUMBER)
ROOM = Quantity("limit of the adversary over the risk", Unit.NUMBER)

CERTAIN = (1.0, 1.0)
"""The range of a belief that is certain."""

SMALLEST = 1e-12
"""The belief at which the limit is shown where it is approached towards 0."""

COARSE = 1e-9
"""To which share of itself a parameter is found where its losses take long to work out."""

_BELIEF = "Use a probability above 0, such as 0.05."
_INCLUSION = "Use neighbours=Neighbours.ADD_REMOVE, or a profile with inclusion=1 for people known to be in the data."


@dataclass(frozen=True)
class Found:
    """Bounds on the two losses; empty where the adversaries of a profile do not need one."""

    included: tuple[Finding, ...]
    replaced: tuple[Finding, ...]

    @property
    def losses(self) -> Losses:
        """The smallest bound on each. One that is not needed is put where the closed forms have it."""
        e_in, e_swap = (min((float(each) for each in some), default=-1.0) for some in (self.included, self.replaced))
        return Losses(e_in if e_in >= 0.0 else e_swap / 2, e_swap if e_swap >= 0.0 else 2 * e_in)

    @property
    def all(self) -> tuple[Finding, ...]:
        """Every bound."""
        return self.included + self.replaced

    @property
    def estimated(self) -> bool:
        """Whether one of them is an estimate."""
        return any(each.direction is Direction.ABOUT for each in self.all)


@dataclass(frozen=True)
class ProfileRequirement(Requirement):
    """A risk profile, kept but for a chance of failure."""

    profile: RiskProfile
    failure: float
    keeping: Keeping = field(init=False, repr=False, compare=False)
    known: dict[Planned, Found] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keeping", Keeping(self.profile))

    def kept(self, planned: Planned) -> bool:
        """Whether no adversary of the profile learns more than it allows."""
        return self.keeping(self.found(planned).losses)

    def margin(self, planned: Planned) -> float:
        """Log of the number by which the losses could be multiplied, or by which the chance of exceeding them could."""
        if self._needs_included:
            _require_added(planned)
        relation = self._only(planned)
        if self.failure > 0.0 and relation is not None:
            most = self.keeping.largest(*self._ray(relation))
            tail = mixed_tail(planned.between(relation), most, relation) if most > 0.0 else 1.0
            return math.log(self.failure) - math.log(tail) if tail > 0.0 else math.inf
        return self._room(self.found(planned).losses)

    def precision(self, planned: Planned) -> float:
        """Less where each step needs two losses that take long."""
        return PRECISION if self.failure == 0.0 or self._only(planned) is not None else COARSE

    @property
    def size(self) -> float:
        """The epsilon of the closed form, if there is one."""
        closed = self.profile.closed_form()
        return 1.0 if closed is None or not 0.0 < closed.epsilon < math.inf else closed.epsilon

    @property
    def void(self) -> bool:
        """Whether certainty is allowed to everybody, or it may always fail."""
        return self.failure >= 1.0 or self.keeping(Losses(math.inf, math.inf))

    @property
    def sure(self) -> bool:
        """Whether it may never fail."""
        return self.failure == 0.0

    def found(self, planned: Planned) -> Found:
        """The bounds on the losses, worked out once for each parameter."""
        if planned not in self.known:
            included = self._included(planned) if self._needs_included else ()
            self.known[planned] = Found(included, self._replaced(planned) if self._needs_replaced else ())
        return self.known[planned]

    def report(self, planned: Planned) -> Report:
        """The adversary with the least room, the losses, and the theorems of both."""
        found = self.found(planned)
        p, q = self.keeping.tightest(found.losses)
        domain = self.profile.domain
        near = (p or min(SMALLEST, domain.inclusion[1]), q or min(SMALLEST, domain.value[1]))
        binding = ProfileBinding(p, q, float(self.profile.limit(*near)), self.risk(planned, *near))
        estimated = not self.profile.proved or found.estimated
        return Report(binding, found.all, self._basis(found.all), estimated)

    def risk(self, planned: Planned, inclusion: float, value: float) -> Finding:
        """The relative risk of one adversary of the profile."""
        p, q = (probability_array(name, x, _BELIEF) for name, x in (("inclusion", inclusion), ("value", value)))
        found = self.found(planned)
        side = Direction.ABOUT if found.estimated else Direction.AT_MOST
        inputs = {"releases": repr(planned), "inclusion": echo(p), "value": echo(q), "failure": self.failure}
        return Finding(RELATIVE_RISK, risk_up(p, q, found.losses), side, inputs, self._basis(found.all))

    def room(self, planned: Planned, inclusion: float, value: float) -> Finding:
        """How many times the risk of one adversary fits into their limit."""
        limit, risk = float(self.profile.limit(inclusion, value)), self.risk(planned, inclusion, value)
        room = limit if math.isinf(limit) else float(down(limit / float(risk)))
        side = Direction.AT_LEAST if risk.direction is Direction.AT_MOST else Direction.ABOUT
        return Finding(ROOM, room, side, risk.inputs, risk.basis)

    def possible(self) -> None:
        """Refuse a profile with a limit below 1, and say where."""
        if self.keeping(Losses(0.0, 0.0)):
            return
        limit, p, q = self.keeping.smallest_limit()
        raise Unreachable(
            "a risk profile",
            "must allow a relative risk of at least 1, which a release that says nothing has already",
            f"a limit of {limit:.6g} near inclusion {p:.3g} and value {q:.3g}",
            "Raise the limit there, or leave these adversaries out of the domain of the profile.",
        )

    def notices(self) -> tuple[str, ...]:
        """Those of the profile, and that an arbitrary function is only sampled."""
        if self.profile.proved:
            return self.profile.notices()
        sampled = "The profile is an arbitrary function, so the answer is a search over points and not a proof."
        return (*self.profile.notices(), sampled)

    @property
    def _needs_included(self) -> bool:
        return self.profile.domain.inclusion != CERTAIN

    @property
    def _needs_replaced(self) -> bool:
        return self.profile.domain.value != CERTAIN

    def _only(self, planned: Planned) -> Neighbours | None:
        """The relation whose loss alone decides: of two that are needed, either one if they are known to be equal."""
        if self._needs_included and self._needs_replaced:
            same = isinstance(planned.family, NoiseFamily) and planned.family.same_changes and not planned.spent
            return Neighbours.ADD_REMOVE if same else None
        return Neighbours.ADD_REMOVE if self._needs_included else Neighbours.REPLACE

    def _ray(self, relation: Neighbours) -> tuple[float, float]:
        """The losses for each unit of the one that decides; one not needed is where the closed forms have it."""
        if self._needs_included and self._needs_replaced:
            return 1.0, 1.0
        return (1.0, 2.0) if relation is Neighbours.ADD_REMOVE else (0.5, 1.0)

    def _room(self, losses: Losses) -> float:
        """Log of the number by which both losses could be multiplied."""
        unit = max(losses.included, losses.replaced)
        if unit == 0.0 or math.isinf(unit):
            return math.inf if unit == 0.0 else -math.inf
        # Rays are rounded, so that families whose losses have a fixed ratio ask for one ray only.
        most = self.keeping.largest(*(float(f"{loss / unit:.9g}") for loss in (losses.included, losses.replaced)))
        return math.log(most) - math.log(unit) if most > 0.0 else -math.inf

    def _basis(self, found: tuple[Finding, ...]) -> Basis:
        """The losses' own theorems, one chance of failure, and the proof by boxes."""
        closed = self.profile.closed_form()
        keys = ["disclosure-relative-risk", "profile-by-boxes", "parameter-by-inversion"]
        keys += [] if closed is None else [closed.theorem]
        keys += ["disclosure-with-failure"] if self.failure > 0.0 else []
        return Basis(
            theorems=(*keys, *(key for each in found for key in each.basis.theorems)),
            failures=(Failure(self.failure, Randomness.MECHANISM),),
            slack=max((each.basis.slack for each in found), default=0.0),
            truncation=math.fsum(each.basis.truncation for each in found),
        )

    def _included(self, planned: Planned) -> tuple[Finding, ...]:
        """The loss of adding or removing the person."""
        _require_added(planned)
        own = mixed_loss(planned.between(Neighbours.ADD_REMOVE), self.failure, Neighbours.ADD_REMOVE)
        return (_of(own, Neighbours.ADD_REMOVE),)

    def _replaced(self, planned: Planned) -> tuple[Finding, ...]:
        """Bounds on the loss of replacing the record: its own, and twice the sure loss of adding or removing."""
        own = _of(mixed_loss(planned.between(Neighbours.REPLACE), self.failure, Neighbours.REPLACE), Neighbours.REPLACE)
        if Neighbours.ADD_REMOVE not in planned.family.relations:
            return (own,)
        sure = sure_loss(planned.between(Neighbours.ADD_REMOVE), Neighbours.ADD_REMOVE)
        twice = _of(replace(sure, value=np.asarray(add_up(sure.value, sure.value))), Neighbours.REPLACE)
        return (own, twice) if float(twice) < float(own) else (own,)


def _of(loss: Finding, relation: Neighbours) -> Finding:
    """The bound on a loss, with the relation that it is about among its inputs."""
    return replace(loss, inputs={**loss.inputs, "neighbours": relation.name})


def _require_added(planned: Planned) -> None:
    """Refuse promises that say nothing of adding or removing a record."""
    if Neighbours.ADD_REMOVE not in planned.family.relations:
        rule = "needs the loss of adding or removing a record where the inclusion is below 1"
        raise NotImplied("a risk profile", rule, planned.family.one(planned.value), _INCLUSION)
