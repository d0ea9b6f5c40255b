"""Sparse vector: which of many answers lie above a threshold, until some of them have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.errors import require
from whit.guarantees import PureDP
from whit.mechanisms.details import Detail, Written
from whit.mechanisms.kept import KeepsGuarantee
from whit.mechanisms.noise import drawn
from whit.numerics import count, finite_positive, open_probability, real_array
from whit.setting import Neighbours, Parameter
from whit.theory import Basis

_EPSILON = "Use a number such as 1: the loss of all answers together."
_MONOTONE = "Use True if a record moves all answers the same way, as it does with counts under add/remove."


@dataclass(frozen=True, init=False, repr=False)
class SparseVector(KeepsGuarantee):
    """Whether each of many answers lies above a threshold; it stops after some positives and releases no answer.

    epsilon           the loss of all released answers together, however many answers there are
    positives         after how many answers above the threshold it stops
    monotone          whether a record moves all answers the same way; then half the noise of the answers will do
    threshold_share   how much of epsilon is spent on the noise of the threshold; the best share if it is not given
    neighbours        the relation that the sensitivity of the answers is about

    Laplace noise is added once to the threshold and anew to every answer, with scales in units of the sensitivity.

    >>> search = SparseVector(1.0, positives=3)
    >>> print(f"{search.threshold_scale:.3f}, {search.answer_scale:.3f}")
    4.302, 7.817
    """

    parameter: ClassVar[Parameter] = Parameter(
        "epsilon",
        "sparse_vector",
        "EPSILON",
        "The sparse vector technique with this epsilon, until the first answer above the threshold.",
        rising=True,
        bounded=True,
    )

    details = (
        Detail("positives", "K", "After how many answers above the threshold it stops. 1 if not given.", Written.WHOLE),
        Detail("monotone", "", "A record moves all scores, or all answers, the same way.", Written.YES_NO),
        Detail("threshold_share", "SHARE", "How much of epsilon the noise of the threshold takes.", Written.NUMBER),
        Detail("neighbours", "WORD", "The relation that the sensitivity is about.", Written.NEIGHBOURS),
    )

    stated_epsilon: float
    positives: int
    monotone: bool
    threshold_share: float
    neighbours: Neighbours

    def __init__(
        self,
        epsilon: float,
        *,
        positives: int = 1,
        monotone: bool = False,
        threshold_share: float | None = None,
        neighbours: Neighbours = Neighbours.ADD_REMOVE,
    ) -> None:
        known = isinstance(monotone, bool)
        require(known, name="monotone", rule="must be True or False", value=monotone, way_out=_MONOTONE)
        many = count("positives", positives, "Use the number of answers above the threshold to stop at, such as 1.")
        best = 1 / (1 + ((1 if monotone else 2) * many) ** (2 / 3))
        share = best if threshold_share is None else threshold_share
        self._keep(
            stated_epsilon=finite_positive("epsilon", epsilon, _EPSILON),
            positives=many,
            monotone=monotone,
            threshold_share=open_probability("threshold_share", share, "Use a share such as 0.5, or leave it out."),
            neighbours=Neighbours.checked(neighbours),
        )

    basis = Basis.of("sparse-vector")
    """The corrected analysis."""

    @property
    def kept(self) -> PureDP:
        """Pure differential privacy."""
        return PureDP(self.stated_epsilon, neighbours=self.neighbours)

    @property
    def threshold_scale(self) -> float:
        """The scale of the noise of the threshold, in units of the sensitivity."""
        return 1 / (self.threshold_share * self.stated_epsilon)

    @property
    def answer_scale(self) -> float:
        """The scale of the noise of each answer, in units of the sensitivity."""
        rest = (1 - self.threshold_share) * self.stated_epsilon
        return (1 if self.monotone else 2) * self.positives / rest

    def sample(
        self,
        rng: np.random.Generator,
        size: int | tuple[int, ...] = 1,
        *,
        answers: ArrayLike = (0.0, 0.0),
        threshold: float = 0.0,
    ) -> NDArray[np.int64]:
        """1 for above, 0 for below and -1 for not looked at, along the last axis, for simulation; not for release."""
        known = real_array("answers", answers, "Give the answers in units of the sensitivity, such as [3.0, 5.0].")
        shape = drawn(size)
        limit = threshold + rng.laplace(scale=self.threshold_scale, size=(*shape, 1))
        above = known + rng.laplace(scale=self.answer_scale, size=(*shape, known.size)) >= limit
        before: NDArray[np.int64] = np.cumsum(above, axis=-1) - above
        return np.where(before >= self.positives, -1, above.astype(np.int64))

    def __repr__(self) -> str:
        """The expression that rebuilds the mechanism."""
        named = {"epsilon": self.stated_epsilon, "positives": self.positives, "monotone": self.monotone}
        shown = [f"{name}={value!r}" for name, value in {**named, "threshold_share": self.threshold_share}.items()]
        related = [] if self.neighbours is Neighbours.ADD_REMOVE else [f"neighbours={self.neighbours!r}"]
        return f"SparseVector({', '.join([*shown, *related])})"
