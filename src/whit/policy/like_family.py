"""The family of releases like one that is given: what it is made of stays, and its parameter is open."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass

from whit.curves import Promise, sure_loss
from whit.errors import NotImplied
from whit.guarantees import RenyiDP
from whit.mechanisms import Mechanism, SampledWithoutReplacement, parameter_of, restated
from whit.policy.families import Family, estimate, noise_of, share
from whit.setting import Neighbours, Parameter
from whit.theory import Finding


@dataclass(frozen=True)
class LikeFamily(Family):
    """Mechanisms like a given one; only the number that a search can change is open."""

    example: Mechanism

    @property
    def _parameter(self) -> Parameter:
        return parameter_of(self.example)

    @property
    def parameter(self) -> str:
        """Epsilon, sigma or scale: of the mechanism, or of what it is made of."""
        return self._parameter.name

    @property
    def rising(self) -> bool:
        """Whether a larger number tells more."""
        return self._parameter.rising

    @property
    def bounded(self) -> bool:
        """Whether the loss of the example is."""
        return math.isfinite(float(sure_loss(self.example, self.relations[0]).value))

    @property
    def steady(self) -> bool:
        """Whether more noise is always safer."""
        return self._parameter.steady

    @property
    def may_need_none(self) -> bool:
        """Whether it is noise on a sample that is stated by its size."""
        return isinstance(self.example, SampledWithoutReplacement) and not self.rising

    @property
    def reach(self) -> float:
        """That of the number."""
        return self._parameter.reach

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """Those under which the loss of the example is known."""
        return self.example.relations

    def first(self, loss: float, *, sure: bool) -> float:
        """The share of each release in the loss, as if they were made of nothing else."""
        return loss / share(self.releases, sure)

    def one(self, value: float) -> Mechanism:
        """The same with this parameter."""
        found = restated(self.example, value)
        assert isinstance(found, Mechanism)  # as the example is
        return found

    def all(self, value: float, relation: Neighbours) -> Promise:
        """All releases together, with independent noise."""
        return self.one(value).times(self.releases)

    def about(self, value: float, relation: Neighbours) -> Promise | None:
        """An estimate of several releases; where divergences are all that is known, the releases themselves.

        Their curve takes long, so that a search is content with a few digits.
        """
        one = self.one(value)
        if isinstance(one.kept, RenyiDP):
            return self.all(value, relation)
        known = relation if relation in one.relations else None  # a relation that nobody named is that of the release
        return estimate(one.curve(known), self.releases)

    def closeness(self, value: float) -> tuple[Finding, ...]:
        """The standard deviation and the error of the noise, or the probability of a true report, as far as known."""
        one = self.one(value)
        if noise := noise_of(one):
            return noise
        with suppress(NotImplied):
            return (one.probability_of_exact_answer(),)
        return ()
