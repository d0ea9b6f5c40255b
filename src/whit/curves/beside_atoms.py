"""One release in closed form beside others with finitely many losses: every sum of theirs moves its threshold.

The profile is the sum of p D(t - z) over the losses z of the others, and so are the tails. Losses that share no lattice
are nothing special here, where a lattice is coarse for them and an integral slow. If the one is discrete noise, all
sums are listed once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from whit.curves.discrete_gaussian import DiscreteGaussianLoss
from whit.curves.distinct_sums import MOST_SUMS as MOST_ON_LATTICE
from whit.curves.distinct_sums import few_distinct_sums, summed
from whit.curves.face import Array, Face, LossDistribution
from whit.curves.finite import FinitePair, enumerated, product
from whit.curves.gaussian import GaussianLoss, one_gaussian
from whit.curves.laplace import LaplaceLoss
from whit.curves.numerical import ComposedLoss
from whit.curves.subsampled import SubsampledLoss
from whit.numerics import ULP, Bracket, add_down, add_up, log_multisets, logsumexp

# So many sums of the others are not too many to ask at each, if the one is in closed form.
MOST_SUMS = 1000
# With more kinds of noise than this their lists alone take seconds, and they have more sums than can be listed.
MOST_KINDS = 64
# So many sums of discrete noise and the others are listed in little time, and read in less.
MOST_LISTED = 2**20
# Discrete noise has more losses in its list than so many times its standard deviation.
LEAST_LISTED = 70.0
# So many cells of discrete noise are listed in little time.
MOST_CELLS = 64
# Entries of one block of the table (thresholds x sums): bounds the memory of a call.
BLOCK = 2**18


@dataclass(frozen=True, eq=False, repr=False)
class LossBesideAtoms(ComposedLoss):
    """The loss of one release in closed form, and of others with finitely many losses.

    atoms     the sums of the others
    one       the release in closed form, which has no infinite loss
    log_cut   log of the mass that was cut off the others, whose losses may be any
    """

    theorems: ClassVar[tuple[str, ...]] = ("losses-add",)
    tail_tolerance: ClassVar[float] = 1e-12

    atoms: FinitePair | None = None
    one: LossDistribution | None = None
    log_cut: float = -np.inf

    @property
    def rough(self) -> ComposedLoss:
        """This loss: no integral is asked for it."""
        return self

    def _profile(self, finite: Array) -> Bracket:
        return self._mixed(finite, self._parts[1].log_delta)

    def _open_tail(self, finite: Array) -> Bracket:
        return self._mixed(finite, self._parts[1].log_tail)

    def _closed_tail(self, finite: Array) -> Bracket:
        return self._mixed(finite, self._parts[1].log_tail_closed)

    @property
    def _parts(self) -> tuple[FinitePair, LossDistribution]:
        assert self.atoms is not None  # fields with no default may not follow those of the base
        assert self.one is not None
        return self.atoms, self.one

    def _mixed(self, finite: Array, ask: Callable[[Array], Bracket]) -> Bracket:
        """The sum of what falls with its threshold, over the atoms with their masses; infinite losses are above all."""
        atoms, flat = self._parts[0], finite.ravel()
        rows = max(1, BLOCK // max(1, len(atoms.losses)))
        blocks = [self._block(flat[start : start + rows], ask) for start in range(0, len(flat), rows)]
        ends = [np.concatenate(end).reshape(finite.shape) for end in zip(*blocks, strict=True)]
        upper = np.minimum(np.logaddexp(ends[2], self.log_cut) * (1 - 4 * ULP), 0.0)
        return atoms.with_infinity(Bracket(ends[0], np.clip(ends[1], ends[0], upper), upper))

    def _block(self, t: Array, ask: Callable[[Array], Bracket]) -> tuple[Array, Array, Array]:
        atoms, _ = self._parts
        later = ask(add_up(add_up(t[:, None], -atoms.losses), atoms.loss_error)).lower
        earlier = ask(add_down(add_down(t[:, None], -atoms.losses), -atoms.loss_error))
        low, mid, high = (logsumexp(atoms.log_masses + end, axis=1) for end in (later, earlier.mid, earlier.upper))
        # A term of log-size L is rounded by a few |L| u; in the mean |L| is at most that of the sum, plus log n.
        sums = ULP * (32 + 8 * len(atoms.losses)) + atoms.mass_error
        room = [sums + 8 * ULP * np.where(np.isfinite(end), np.abs(end), 0.0) for end in (low, high)]
        return np.minimum(low - room[0], 0.0), np.minimum(mid, 0.0), np.minimum(high + room[1], 0.0)

    def reverse(self) -> ComposedLoss:
        """The releases with both datasets exchanged; this very loss where every part is symmetric."""
        return self._reversed

    @cached_property
    def _reversed(self) -> ComposedLoss:
        """Made once, as its sums are."""
        turned, (atoms, one) = self.composition.reverse(), self._parts
        if turned.counts == self.composition.counts:
            return self
        return replace(self, composition=turned, atoms=atoms.reverse(), one=one.reverse())

    def __repr__(self) -> str:
        """A short description: atoms can be many."""
        return f"<LossBesideAtoms: {self.one!r} beside {self.atoms!r}>"


@dataclass(frozen=True, eq=False, repr=False)
class NoiseBesideAtoms(LossBesideAtoms):
    """The same where the one is discrete noise: all sums in one list, and what was cut off, whose losses may be any."""

    @cached_property
    def listed(self) -> FinitePair:
        """The sums that are kept."""
        return product(self._parts[0], self._noise.below)

    @property
    def _noise(self) -> DiscreteGaussianLoss:
        assert isinstance(self.one, DiscreteGaussianLoss)
        return self.one

    def log_delta(self, epsilons: ArrayLike) -> Bracket:
        """Log of the profile."""
        return self._with_cut(self.listed.log_delta_read(epsilons))

    def log_tail(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z > t]."""
        return self._with_cut(self.listed.log_tail(losses))

    def log_tail_closed(self, losses: ArrayLike) -> Bracket:
        """Log of P[Z >= t]."""
        return self._with_cut(self.listed.log_tail_closed(losses))

    def log_power(self, log_levels: ArrayLike) -> Bracket:
        """Log of the power: what was cut off adds to the profile, and so to each of its lines, its mass at most."""
        return self._with_cut(self.listed.log_power(log_levels))

    def epsilon(self, log_deltas: ArrayLike) -> Bracket:
        """The smallest epsilon >= 0 at which D is at most each delta; none is enough for a delta of 0."""
        wanted = np.asarray(log_deltas, dtype=np.float64)
        none = np.isneginf(wanted)
        found = LossDistribution.epsilon(self, np.where(none, 0.0, wanted))
        return Bracket(*(np.where(none, np.inf, end) for end in found.ends))

    def _with_cut(self, kept: Bracket) -> Bracket:
        log_cut = np.logaddexp(self.log_cut, self._noise.log_cut)
        upper = np.minimum(np.logaddexp(kept.upper, log_cut) * (1 - 4 * ULP), 0.0)
        return Bracket(kept.lower, kept.mid, np.maximum(upper, kept.upper))


def beside_atoms(faces: Mapping[Face, int], whole: ComposedLoss) -> LossBesideAtoms | None:
    """The composition of one release in closed form and of others with few sums; None where it is none of these.

    Discrete noise counts among the others, unless there is nothing else for the one; then there may be no others.
    """
    finite = {face: copies for face, copies in faces.items() if isinstance(face, FinitePair)}
    gaussians = {face: copies for face, copies in faces.items() if isinstance(face, GaussianLoss)}
    others = [(face, copies) for face, copies in faces.items() if not isinstance(face, FinitePair | GaussianLoss)]
    if len(faces) > MOST_KINDS:
        return None
    others.sort(key=lambda each: isinstance(each[0], DiscreteGaussianLoss))
    forms = [*([one_gaussian(gaussians)] if gaussians else []), *(_in_closed_form(*each) for each in others)]
    cells = [form for form in forms[1:] if isinstance(form, DiscreteGaussianLoss)]
    if not forms or forms[0] is None or len(cells) < len(forms) - 1:
        return None
    one, is_noise = forms[0], isinstance(forms[0], DiscreteGaussianLoss)
    if not (finite or cells or is_noise) or _are_surely_many(cells):
        return None
    most = MOST_LISTED / len(one.below.losses) if isinstance(one, DiscreteGaussianLoss) else MOST_SUMS
    atoms = few_sums({**finite, **{each.below: 1 for each in cells}}, most)
    log_cut = float(logsumexp([each.above.log_infinity for each in cells]))
    made = NoiseBesideAtoms if is_noise else LossBesideAtoms
    return None if atoms is None else made(**vars(whole), atoms=atoms, one=one, log_cut=log_cut)


def _are_surely_many(cells: Sequence[DiscreteGaussianLoss]) -> bool:
    """Whether discrete noise has more sums than are ever listed, on a lattice or off it; no list is made to tell."""
    sizes = [max(LEAST_LISTED * each.sigma * math.sqrt(len(each.changes)), 1.0) for each in cells]
    return sum(sizes) > MOST_ON_LATTICE and math.fsum(map(math.log, sizes)) > math.log(MOST_LISTED)


def _in_closed_form(face: Face, copies: int) -> LossDistribution | None:
    """One Laplace release or sample, or cells of discrete noise that change alike."""
    if isinstance(face, DiscreteGaussianLoss) and len(set(face.changes)) == 1:
        few = len(face.changes) * copies <= MOST_CELLS  # a list of them all may be longer than the memory
        return DiscreteGaussianLoss(face.sigma, face.changes * copies) if few else None
    return face if isinstance(face, LaplaceLoss | SubsampledLoss) and copies == 1 else None


def few_sums(pairs: Mapping[FinitePair, int], most: float) -> FinitePair | None:
    """All sums, where they are few."""
    lattice = few_distinct_sums(pairs)
    if lattice is not None:
        found = summed(pairs, lattice)
        return found if len(found.losses) <= most else None
    logs = math.fsum(log_multisets(len(pair.losses), copies) for pair, copies in pairs.items())
    return enumerated(pairs) if logs <= math.log(most) else None
