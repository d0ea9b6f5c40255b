"""One of several mechanisms, chosen by a coin that does not look at the data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import Array, Curve, FinitePair, Order, merged_atoms
from whit.errors import NotImplied, require
from whit.mechanisms.mechanism import Mechanism, listed, shared
from whit.numerics import ULP, logsumexp, probability_vector
from whit.setting import Neighbours
from whit.theory import Basis, Direction


@dataclass(frozen=True, init=False, repr=False)
class Mixture(Mechanism):
    """One of several mechanisms, each run with its probability.

    mechanisms    with finitely many losses each, about the same change of the data
    weights       the probability of each
    published     whether it is told which one was run; if not, what is known is an upper bound

    >>> from whit.mechanisms import Geometric
    >>> print(Mixture([Geometric(1.0), Geometric(2.0)], [0.5, 0.5]).tail(1.5))
    probability that the privacy loss exceeds the threshold is 44.1 % (rounded up)
    """

    mechanisms: tuple[Mechanism, ...]
    weights: tuple[float, ...]
    published: bool

    def __init__(self, mechanisms: Sequence[Mechanism], weights: ArrayLike, *, published: bool = True) -> None:
        chances = probability_vector("weights", weights, "Give the probability of each mechanism; they add up to 1.")
        self._keep(mechanisms=listed(mechanisms), weights=tuple(chances.tolist()), published=published)
        require(
            len(self.mechanisms) == len(self.weights),
            name="weights",
            rule=f"must be as many as the mechanisms, {len(self.mechanisms)}",
            value=len(self.weights),
            way_out="Give one probability for each mechanism.",
        )
        require(
            isinstance(published, bool),
            name="published",
            rule="must be True or False",
            value=published,
            way_out="Use True if it is told which mechanism was run.",
        )

    @property
    def relations(self) -> tuple[Neighbours, ...]:
        """The relations under which the loss of every part is known."""
        return shared(self.mechanisms)

    @property
    def basis(self) -> Basis:
        """What the parts rest on, and that profiles mix."""
        own = Basis.of("mixtures") if self.published else Basis.of("mixtures", "post-processing")
        return reduce(lambda a, b: a | b, (part.basis for part in self.mechanisms)) | own

    def _loss(self, neighbours: Neighbours) -> FinitePair:
        """The loss if it is told which one was run: the law of each part, with its weight."""
        parts = [(w, _finite(part, neighbours)) for w, part in zip(self.weights, self.mechanisms, strict=True) if w > 0]
        logs = np.log([weight for weight, _ in parts])
        pairs = [pair for _, pair in parts]
        # Weights add up to 1 only within a tolerance; what is drawn is their share of the sum.
        rounding = 8 * ULP * (1 + float(np.max(-logs))) + abs(math.fsum([*self.weights, -1.0]))
        return merged_atoms(
            np.concatenate([pair.losses for pair in pairs]),
            np.concatenate([pair.log_masses + log for pair, log in zip(pairs, logs, strict=True)]),
            log_infinity=_mixed(logs, [pair.log_infinity for pair in pairs]),
            log_missing=_mixed(logs, [pair.log_missing for pair in pairs]),
            mass_error=max(pair.mass_error for pair in pairs) + rounding,
            loss_error=max(pair.loss_error for pair in pairs),
            infinity_error=max(pair.infinity_error for pair in pairs) + rounding,
        )

    def curve(self, neighbours: Neighbours | None = None) -> Curve:
        """The exact curve if it is told which mechanism was run; else an upper bound by its profile."""
        curve = super().curve(neighbours)
        return curve if self.published else replace(curve, direction=Direction.AT_MOST, order=Order.PROFILE)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = 1) -> NDArray[Any]:
        """Draws of a mechanism chosen anew for each, for simulation; not for release."""
        draws = np.stack([part.sample(rng, size) for part in self.mechanisms])
        chosen = np.searchsorted(np.cumsum(self.weights), rng.random(draws.shape[1:]) * sum(self.weights), side="right")
        return np.asarray(np.take_along_axis(draws, chosen[None], axis=0)[0])

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        parts = ", ".join(map(repr, self.mechanisms))
        return f"Mixture([{parts}], {self.weights!r}, published={self.published!r})"


def _finite(part: Mechanism, neighbours: Neighbours) -> FinitePair:
    loss = part.loss(neighbours)
    if isinstance(loss, FinitePair):
        return loss
    rule = "is only implemented for parts with finitely many losses"
    raise NotImplied("a mixture", rule, part, "Use Geometric, RandomizedResponse, Finite or SimpleRandomSample.")


def _mixed(log_weights: Array, logs: Sequence[float]) -> float:
    return min(float(logsumexp(log_weights + np.array(logs))), 0.0)
