"""A risk profile as a criterion: the two losses that its adversaries need, and a proof that they meet it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from whit.curves import LARGEST_LOSS, Promise
from whit.errors import NotImplied, Unreachable
from whit.numerics import PRECISION, down, probability_array, up
from whit.policy.criteria import Criterion, require_unbounded
from whit.policy.families import NoiseFamily
from whit.policy.minimise import Keeping, Losses
from whit.policy.planned import Planned, Releases
from whit.policy.profiles import RiskProfile
from whit.policy.reasons import outcome_of
from whit.policy.verdict import FREE, Outcome, Verdict, beliefs_text
from whit.semantics import disclosure
from whit.setting import Adversary, Neighbours
from whit.theory import Basis, Direction, Finding, Quantity, Tree, Unit, bound_text, echo, following, number_text

RELATIVE_RISK = Quantity("relative risk of disclosure", Unit.NUMBER, key="relative_risk")
ROOM = Quantity("ratio of the limit to the risk", Unit.NUMBER)

CERTAIN = (1.0, 1.0)
"""The range of a belief that is certain."""

COARSE = 1e-9
"""To which share of itself a parameter is found where its losses take long to work out."""

_FAR = 1e4
"""A loss beyond which certainty is all but reached; the adversary who decides is looked for up to it."""

_BELIEF = "Use a probability above 0, such as 0.05."
_SAMPLED = "The profile is an arbitrary function, so the answer is a search over points and not a proof."
_REPLACED_TOO = (
    "This profile covers a replaced record as well as one that is added or removed, and replacing costs more here. It "
    "allows less than a limit with the same number, which covers one of them alone."
)


@dataclass(frozen=True)
class ProfileCriterion(Criterion):
    """A risk profile, met except with a failure probability."""

    requirement: RiskProfile
    failure: float
    keeping: Keeping = field(init=False, repr=False, compare=False)
    _known: dict[Releases, disclosure.Losses] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keeping", Keeping(self.requirement))

    def verdict(self, releases: Releases) -> Verdict:
        """By the two losses: a proof for every adversary, or one who learns more than is allowed."""
        losses, proof = self._losses(releases), self._proof()
        kept = proof(losses)
        p, q = proof.tightest(Losses(min(losses.included, _FAR), min(losses.replaced, 2 * _FAR)))
        who, limit, number = (
            Adversary(inclusion=p, value=q),
            float(self.requirement.limit(p, q)),
            self.risk(releases, p, q),
        )
        outcome = outcome_of(number, limit)
        if not kept and outcome is Outcome.BROKEN:
            self._require_known(releases)
        if not (kept and self.requirement.proved) and outcome is Outcome.KEPT:
            outcome = Outcome.OPEN
        reason, most = _reason(outcome, who, number, limit), None if math.isinf(limit) else limit
        clause = f"an adversary with {beliefs_text(who)}, whose relative risk may be {limit:.4g}"
        found, notices = self._findings(releases), self._notices(losses)
        return Verdict(outcome, self.requirement, reason, number, most, who, clause, found, notices)

    def fits(self, releases: Releases) -> bool:
        """Whether no adversary of the profile learns more than it allows."""
        return self._proof()(self._losses(releases))

    def margin(self, planned: Planned) -> float:
        """Log of the number by which the losses could be multiplied, or by which the chance of exceeding them could."""
        relation = self._only(planned)
        if self.failure == 0.0 or relation is None:
            return self._room(self._losses(planned))
        most = self.keeping.largest(*self._ray(relation))
        mixed = planned(relation).mixed(relation)  # which holds of adversaries who do not know the others
        tail = float(mixed.beyond(most)) if most > 0.0 else 1.0
        return math.log(self.failure) - math.log(tail) if tail > 0.0 else math.inf

    def precision(self, planned: Planned) -> float:
        """Less where each step needs two losses that take long."""
        return PRECISION if self.failure == 0.0 or self._only(planned) is not None else COARSE

    @property
    def loss(self) -> float:
        """The epsilon of the closed form, if there is one."""
        closed = self.requirement.closed_form()
        return 1.0 if closed is None or not 0.0 < closed.epsilon < math.inf else closed.epsilon

    @property
    def void(self) -> bool:
        """Whether certainty is allowed to everybody, or it may always fail."""
        return self.failure >= 1.0 or self.keeping(Losses(math.inf, math.inf))

    @property
    def is_proved(self) -> bool:
        """Whether the profile is known at every adversary, and not at points alone."""
        return self.requirement.proved

    @property
    def always(self) -> bool:
        """Whether it may never fail."""
        return self.failure == 0.0

    def basis(self, verdict: Verdict) -> Basis:
        """The theorems of the risk, the proof by boxes, and the closed form if there is one."""
        closed = self.requirement.closed_form()
        return super().basis(verdict) | Basis.of("profile-by-boxes", *(() if closed is None else (closed.theorem,)))

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

    def risk(self, releases: Releases, inclusion: ArrayLike, value: ArrayLike) -> Finding:
        """The relative risk of adversaries of the profile, as the school of disclosure has it."""
        p, q = (probability_array(name, x, _BELIEF) for name, x in (("inclusion", inclusion), ("value", value)))
        known = self._school(releases)
        fails = ("disclosure-with-failure",) if known.basis.failures else ()
        basis = known.basis | Basis.of("disclosure-relative-risk", *fails)
        inputs = self._inputs(releases, inclusion=echo(p), value=echo(q))
        bound = disclosure.risk_up(known.inclusion, known.swap, p, q)
        return Finding(RELATIVE_RISK, bound, Direction.combine(Direction.AT_MOST, known.direction), inputs, basis)

    def room(self, releases: Releases, inclusion: float, value: float) -> Finding:
        """How many times the risk of one adversary fits into their limit."""
        limit, risk = float(self.requirement.limit(inclusion, value)), self.risk(releases, inclusion, value)
        room = limit if math.isinf(limit) else float(down(limit / float(risk)))
        side = Direction.AT_LEAST if risk.direction is Direction.AT_MOST else Direction.ABOUT
        return Finding(ROOM, room, side, risk.inputs, risk.basis)

    def _proof(self) -> Keeping:
        """A proof that starts anew: what was asked before would move its answer, within the tolerance."""
        return Keeping(self.requirement) if self.requirement.proved else self.keeping

    @property
    def _needs_included(self) -> bool:
        return self.requirement.domain.inclusion != CERTAIN

    @property
    def _needs_replaced(self) -> bool:
        return self.requirement.domain.value != CERTAIN

    def _school(self, releases: Releases) -> disclosure.Losses:
        """The losses that the school of disclosure reports, worked out once for the same releases."""
        if releases not in self._known:
            promise, swap = _for_both_relations(releases)
            p, q = (np.asarray(0.5 if needed else 1.0) for needed in (self._needs_included, self._needs_replaced))
            chance = np.asarray(self.failure)
            self._known[releases] = disclosure.losses(promise, chance, swap, inclusion=p, value=q)
        return self._known[releases]

    def _losses(self, releases: Releases) -> Losses:
        """The bounds on both losses; one that is not needed is put where the closed forms have it."""
        known = self._school(releases)
        included, replaced = float(known.inclusion), float(known.swap)
        if not self._needs_included:
            return Losses(replaced / 2, replaced)
        return Losses(included, replaced if self._needs_replaced else 2 * included)

    def _require_known(self, releases: Releases) -> None:
        """Refuse losses without a bound, unless it is known that there is none."""
        known, (promise, swap) = self._school(releases), _for_both_relations(releases)
        if np.isinf(known.inclusion):
            require_unbounded(promise, Neighbours.ADD_REMOVE, self.failure, "of adding or removing a record")
        if np.isinf(known.swap):
            require_unbounded(swap or promise, Neighbours.REPLACE, self.failure, "of replacing a record")

    def _notices(self, losses: Losses) -> tuple[str, ...]:
        """Those of the profile, that an arbitrary function is only sampled, and that replacing counts."""
        sampled = () if self.requirement.proved else (_SAMPLED,)
        both = self._needs_included and self._needs_replaced
        costs_more = both and losses.replaced > losses.included * (1 + COARSE)
        return (*self.requirement.notices(), *sampled, *((_REPLACED_TOO,) if costs_more else ()))

    def _findings(self, releases: Releases) -> tuple[Finding, ...]:
        """The losses that are needed, as findings."""
        known, found = self._school(releases), []
        if self._needs_included:
            found.append((Neighbours.ADD_REMOVE, known.inclusion))
        if self._needs_replaced:
            found.append((Neighbours.REPLACE, known.swap))
        about = [(self._inputs(releases, neighbours=relation.name), loss) for relation, loss in found]
        return tuple(Finding(LARGEST_LOSS, loss, known.direction, inputs, known.basis) for inputs, loss in about)

    def _inputs(self, releases: Releases, **asked: Tree) -> dict[str, Tree]:
        return {"promise": echo(_for_both_relations(releases)[0]), "failure": self.failure, **asked}

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


def _for_both_relations(releases: Releases) -> tuple[Promise, Promise | None]:
    """What releases promise together, and what of replacing a record, where that is another promise."""
    replaced = releases(Neighbours.REPLACE)
    try:
        added = releases(Neighbours.ADD_REMOVE)
    except NotImplied:
        return replaced, None
    return added, None if added is replaced or (added.relation() is not None and added == replaced) else replaced


def posterior_line(profile: RiskProfile, promise: Promise, priors: ArrayLike, *, failure: float = 0.0) -> Finding:
    """The largest probability of a disclosure after the release, over the adversaries of a profile with each prior.

    An adversary with the prior r has an inclusion p between r and 1 and the value r/p. The bound on their belief is r
    over r + (p - r) e^(-e_swap) + (1 - p) e^(-e_in), which is linear in p: one of the ends of p decides.
    """
    at = probability_array("priors", priors, "Use probabilities such as 0.1.")
    (least_p, most_p), (least_q, most_q) = profile.domain.inclusion, profile.domain.value
    lowest, highest = (np.minimum(at / q, 1.0) if q > 0.0 else np.ones_like(at) for q in (most_q, least_q))
    lowest, highest = np.maximum(lowest, least_p), np.minimum(highest, most_p)
    inside = lowest <= highest  # where the profile has no adversary with the prior, everybody with it counts
    inclusion = np.stack([np.where(inside, lowest, at), np.where(inside, highest, 1.0)])
    # The value is rounded up, which makes the belief after it larger.
    exact = np.divide(at, inclusion, out=np.ones_like(inclusion), where=inclusion > 0.0)
    value = np.where(exact < 1.0, np.minimum(up(exact), 1.0), 1.0)
    found = disclosure.absolute_risk(promise, inclusion=inclusion, value=value, failure=failure)
    inputs = {**found.inputs, "inclusion": "the one that decides", "value": "the one that decides"}
    return replace(found, value=np.max(found.value, axis=0), inputs=inputs)


def _reason(outcome: Outcome, who: Adversary, number: Finding, limit: float) -> str:
    """The adversary who decides, their risk and their limit."""
    if math.isinf(limit):
        return FREE
    over = outcome is Outcome.BROKEN and number.brief().startswith(Direction.AT_MOST.value)
    shown = f"up to {number_text(float(number), Direction.AT_MOST, Unit.NUMBER)}" if over else ""
    most = shown or bound_text(float(number), number.direction, Unit.NUMBER)
    if math.isinf(float(number)):
        over, most = True, "any number of"
    allowed = number_text(limit, Direction.EXACTLY, Unit.NUMBER, digits=6)
    finds = "may find" if over else "finds"
    most = f"{most} times as probable{following(number.exception, finds)}"
    found = f"An adversary with {beliefs_text(who)} {finds} the fact {most}; the limit is {allowed}"
    doubt = "" if outcome is not Outcome.OPEN else " (not proved)" if number.proved else " (an estimate)"
    return f"{found}{doubt}."
