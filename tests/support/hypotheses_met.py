"""Which hypotheses of the theorems behind a finding are not met by what was asked.

It reads what was asked, and the words of the registry; it asks no school, and knows nothing of how a number is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from whit.curves import Promise
from whit.semantics.counterfactual import CounterfactualWorld
from whit.setting import Adversary, Knowledge, Neighbours, When
from whit.theory import Finding, Theorem, theorem

COUNTERFACTUAL = ("total_variation", "posterior_ratio")
RISKS = ("relative_risk", "absolute_risk")
BELIEFS = ("posterior", "ratio", "difference", "odds", "worst_prior", *RISKS, *COUNTERFACTUAL)
OF_THE_FACT = ("expected_posterior", "best_guess", "positive_predictive_value", "power", "advantage")
TWO_SIDED = ("posterior", "ratio", "difference", "odds", "worst_prior", "posterior_ratio")

STEPS = ("replacing-is-removing-and-adding", "replacement-by-two-steps", "sampled-small-replacement")
"""The theorems that lead from added and removed records to replaced ones: before them the others are about adding."""


def word(member: Neighbours | Knowledge) -> str:
    """A member as the registry writes it."""
    return member.name.lower().replace("_", "-")


@dataclass(frozen=True)
class Asked:
    """What was asked of a promise, and by whom."""

    promise: Promise
    adversary: Adversary
    failure: float = 0.0
    sides: int = 1
    neighbours: Neighbours | None = None
    more: dict[str, float] = field(default_factory=dict)

    @property
    def options(self) -> dict[str, object]:
        """The options of an assessment."""
        return {"failure": self.failure, "sides": self.sides, "neighbours": self.neighbours, **self.more}

    def relations(self, name: str, finding: Finding) -> set[str]:
        """The relations that an answer is about."""
        if name in COUNTERFACTUAL:
            world = word(CounterfactualWorld[str(finding.inputs["world"])].neighbours)
            # To one who knows everyone else all worlds without the person are one.
            one_world = name == "total_variation" and self.adversary.knows is Knowledge.EVERYONE_ELSE
            return {world, word(Neighbours.REPLACE)} if one_world else {world}
        about_a_value = self.adversary.value != 1.0
        both = name in ("posterior", "ratio") or (name in OF_THE_FACT and self.neighbours is None)
        if name in RISKS or (about_a_value and both):
            beliefs = (self.adversary.inclusion < 1.0, Neighbours.ADD_REMOVE), (True, Neighbours.REPLACE)
            return {word(each) for needed, each in beliefs if needed}
        relation = self.promise.relation(self.neighbours)
        return set() if relation is None else {word(relation)}


def unmet(name: str, finding: Finding, asked: Asked) -> list[str]:
    """Each hypothesis of a theorem behind the answer that what was asked does not meet."""
    theorems = [theorem(key) for key in finding.basis.theorems]
    rules = (_neighbours, _order, _sides, _knowledge, _randomness, _stopping)
    return [found for rule in rules for found in rule(name, finding, asked, theorems)]


def _neighbours(name: str, finding: Finding, asked: Asked, theorems: list[Theorem]) -> Iterator[str]:
    """Every theorem holds under a relation that was asked about; before a step to replacement, under adding too."""
    relations = asked.relations(name, finding)
    stepped = any(each.key in STEPS for each in theorems)
    about_adding = asked.promise.is_stated and asked.promise.relation() is Neighbours.ADD_REMOVE
    if about_adding and relations == {word(Neighbours.REPLACE)} and not stepped:
        yield "no theorem from added to replaced records"
    relations = relations | {word(Neighbours.ADD_REMOVE)} if stepped else relations
    for each in theorems:
        if relations and not relations & set(each.hypotheses.neighbours):
            yield f"{each.key}: neighbours {sorted(relations)}"


def _order(name: str, finding: Finding, asked: Asked, theorems: list[Theorem]) -> Iterator[str]:
    """All hold in one order; for mixtures, and at every moment, in that of the profile, if a chance is involved."""
    mixes = asked.adversary.knows is Knowledge.ANY_BELIEF or name in COUNTERFACTUAL
    if mixes and finding.basis.failures:
        yield from (f"{each.key}: order profile" for each in theorems if "profile" not in each.hypotheses.order)
        return
    common = set.intersection(*(set(each.hypotheses.order) for each in theorems))
    if not common:
        yield f"no common order: {[(each.key, each.hypotheses.order) for each in theorems]}"


def _sides(name: str, finding: Finding, asked: Asked, theorems: list[Theorem]) -> Iterator[str]:
    """Where falls were asked about as well, every theorem bounds them."""
    wanted = "two" if asked.sides == 2 and name in TWO_SIDED else "one"
    yield from (f"{each.key}: sides {wanted}" for each in theorems if wanted not in each.hypotheses.sides)


def _knowledge(name: str, finding: Finding, asked: Asked, theorems: list[Theorem]) -> Iterator[str]:
    """Every theorem holds for an adversary who knows so much of the others."""
    knows = word(asked.adversary.knows)
    yield from (f"{each.key}: knowledge {knows}" for each in theorems if knows not in each.hypotheses.knowledge)


def _randomness(name: str, finding: Finding, asked: Asked, theorems: list[Theorem]) -> Iterator[str]:
    """Every chance of failure is over what the theorems allow; what was asked without a chance has none."""
    if finding.basis.failures and asked.failure == 0.0:
        yield "a chance of failure that was not asked for"
    for failure in finding.basis.failures:
        over = failure.over.name.lower()
        yield from (f"{each.key}: randomness {over}" for each in theorems if over not in each.hypotheses.randomness)
        if failure.probability > asked.failure:
            yield f"a chance of {failure.probability}, where {asked.failure} was asked for"


def _stopping(name: str, finding: Finding, asked: Asked, theorems: list[Theorem]) -> Iterator[str]:
    """A belief at every moment, but for a chance, has a theorem that allows to stop; an own law must allow it too."""
    if asked.adversary.when is When.END or name not in BELIEFS or not finding.basis.failures:
        return
    if not any("stopping" in each.hypotheses.adaptivity for each in theorems):
        yield "no theorem about every moment"
    own = [each for each in theorems if "profile" not in each.hypotheses.order]
    yield from (f"{each.key}: stopping" for each in own if "stopping" not in each.hypotheses.adaptivity)
