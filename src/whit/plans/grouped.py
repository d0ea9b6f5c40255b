"""Many kinds of noise with a largest loss, as a few: each is taken for the loudest one of its group.

The profile of Laplace noise grows with epsilon (theorem laplace-profile), and whatever has a largest loss is dominated
by randomized response with that loss or a larger one (theorem dominating-randomized-response). Products of dominating
pairs dominate (theorem dominating-pairs-compose). So what is composed of the groups is an upper bound.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from whit.curves import Curve, LaplaceLoss, composed
from whit.guarantees import PureDP
from whit.mechanisms import Gaussian, Laplace, Mechanism, arguments, parameter_of
from whit.numerics import exact_sum, nearest_up
from whit.setting import Neighbours
from whit.theory import Basis

MOST_SEPARATE = 200
"""So many kinds of noise with a largest loss are composed as they are; of more, so many groups are made."""

Parts = tuple[tuple[Mechanism, int], ...]


def has_largest_loss(mechanism: Mechanism) -> bool:
    """Whether the noise of a cell has one: that of all laws that are stated by an epsilon or a scale."""
    return parameter_of(mechanism).name != "sigma"


def cell_loss(mechanism: Mechanism, about: Neighbours) -> Fraction:
    """The largest loss of one cell, or more than it, without rounding."""
    sensitivity: Any = mechanism.sensitivity  # type: ignore[attr-defined]  # which all noise of plans has
    change = sum(map(Fraction, sensitivity.changes(about)), Fraction(0))
    stated = Fraction(arguments(mechanism)[parameter_of(mechanism).name])
    return change / stated if isinstance(mechanism, Laplace) else change * stated


def sum_of_losses(parts: Parts, about: Neighbours) -> float:
    """What the largest losses add up to, rounded up."""
    return nearest_up(exact_sum(number * cell_loss(mechanism, about) for mechanism, number in parts))


def few_curves(parts: Parts, about: Neighbours) -> Counter[Curve]:
    """Curves that together dominate all cells: of groups, of all Gaussian noise, and of each kind that has no group."""
    bounded = tuple(part for part in parts if has_largest_loss(part[0]))
    copies = loudest(bounded, about)
    gaussian: Counter[Curve] = Counter()
    for mechanism, number in parts:
        if not has_largest_loss(mechanism):
            kept = gaussian if isinstance(mechanism, Gaussian) else copies
            kept[curve_among_others(mechanism, about)] += number
    if gaussian:
        copies[composed(gaussian)] += 1
    return copies


def curve_among_others(mechanism: Mechanism, about: Neighbours) -> Curve:
    """The curve of one cell among others, where only its law is needed and not the list of its atoms."""
    curve = Curve.exact(mechanism.loss(about))
    return replace(curve, basis=mechanism.basis | curve.basis)


def loudest(parts: Parts, about: Neighbours) -> Counter[Curve]:
    """The curves of groups, and how often each is there, that together dominate noise with largest losses."""
    families: defaultdict[bool, Counter[float]] = defaultdict(Counter)
    for mechanism, number in parts:
        families[isinstance(mechanism, Laplace)][nearest_up(cell_loss(mechanism, about))] += number
    found: Counter[Curve] = Counter()
    for is_laplace, losses in families.items():
        for loss, number in raised(losses, MOST_SEPARATE // len(families)).items():
            curve = (
                Curve.exact(LaplaceLoss(loss)).by_profile() if is_laplace else PureDP(loss, neighbours=about).curve()
            )
            found[replace(curve, basis=curve.basis | Basis.of("dominating-pairs-compose"))] += number
    return found


def raised(losses: Mapping[float, int], most: int) -> Counter[float]:
    """At most so many losses in place of these, each of which is raised to the largest one of its group.

    What is lost is about the growth of the squares. It is least where the groups are narrow in proportion to one over
    the root of the number of cells and of the slope of the square, and so have equal sums of these roots.

    >>> sorted(raised({0.1: 1, 0.11: 1, 0.5: 3}, 2).items())
    [(0.11, 2), (0.5, 3)]
    """
    if len(losses) <= most:
        return Counter(losses)
    ordered = np.array(sorted(losses))
    numbers = np.array([losses[each] for each in ordered.tolist()], dtype=np.float64)
    # Only the shares matter, so that no square is too large or too small for a double.
    shares = ordered / ordered[-1]
    gaps = np.diff(shares, prepend=0.0) * (shares + np.append(0.0, shares[:-1]))
    reached = np.cumsum(np.sqrt(numbers * gaps))
    groups = np.minimum(np.floor(reached / reached[-1] * most), most - 1)
    last = np.append(np.flatnonzero(np.diff(groups)), len(ordered) - 1)
    found: Counter[float] = Counter()
    for place, loss in enumerate(ordered.tolist()):
        found[float(ordered[last[np.searchsorted(last, place)]])] += losses[loss]
    return found
