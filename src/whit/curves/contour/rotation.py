"""Sums of rotated terms at many places: Re sum_k a_k e^{-i t_k x} for every x, many of them close together.

Places are put into cells. With the centre c of a cell, the middle m of the nodes, x = c + r and t = m + d,

    e^{-itx} = e^{-itc} e^{-imr} e^{-idr},

and the last factor is a series in dr that the cell keeps below 1. So the sums over the nodes are those of one place
for each cell, times the powers of d: products of matrices, in place of a sine and a cosine for each node and place.

After N terms the series errs by at most 1/N!, which is less than 1e-18 here. All its terms together have at most e
times the moduli of the a_k, and each is a product of some 2 N factors that are rounded: hence SERIES_GROWTH and
SERIES_ROUNDING. The phases are wrong by some UNIT of |tx|, as ever, and of |t| times half the width of a cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from whit.curves.contour.floating import UNIT, Complex, Real

# The terms of the series: 1/20! is 4e-19.
TERMS = 20
SERIES_GROWTH = 3.0
SERIES_ROUNDING = 8 * TERMS * UNIT
COEFFICIENTS = np.array([(-1j) ** k / math.factorial(k) for k in range(TERMS)])
# A cell costs about as much as so many places one by one.
CELL_COST = 3.0
PART_COST = 20_000.0
# Into so many parts the nodes may be cut, of which none has fewer nodes than this.
PARTS = (1, 2, 4, 8, 16, 32)
FEWEST = 32
PHASES_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class Rotated:
    """The real parts of the sums, one row for each place, and what their rounding has beyond that of plain sums.

    growth      what the error of adding up is to be multiplied by
    rounding    a further error, in units of the sum of the moduli
    beside      half the width of a cell: by so much the place behind a phase may be larger than x
    """

    sums: Real
    growth: float = 1.0
    rounding: float = 0.0
    beside: float = 0.0


def rotated(xs: Real, t: Real, terms: Complex) -> Rotated:
    """Re sum_k terms_k e^{-i t_k x} for every x and each column of terms, by cells where they save work.

    The nodes are taken part by part: the fewer they are, the wider the cells may be.
    """
    costs = [len(xs) * len(t), *(_cost(xs, t, parts) for parts in PARTS)]
    best = int(np.argmin(costs))
    if best == 0:
        return Rotated(_one_by_one(xs, t, terms))
    nodes, sums, beside = np.array_split(np.arange(len(t)), PARTS[best - 1]), np.zeros((len(xs), terms.shape[1])), 0.0
    for part in nodes:
        added, half = _by_cells(xs, t[part], terms[part])
        sums, beside = sums + added, max(beside, half)
    return Rotated(sums, SERIES_GROWTH, SERIES_ROUNDING, beside)


def _cost(xs: Real, t: Real, parts: int) -> float:
    """About what it costs to take the nodes in so many parts, a sine and a cosine being 1."""
    size = len(t) // parts
    if size < FEWEST:
        return math.inf
    reach = 0.5 * float(t[size - 1] - t[0])
    cells = min(float(xs.max() - xs.min()) * 0.5 * reach + 1, float(len(xs)))
    return cells * len(t) * CELL_COST + parts * (len(xs) * TERMS + PART_COST)


def _by_cells(xs: Real, t: Real, terms: Complex) -> tuple[Real, float]:
    """The sums by cells, and half the width of a cell."""
    # The series is one in numbers of at most 1, in whichever order the nodes come.
    first, last = float(t.min()), float(t.max())
    middle, reach = 0.5 * (first + last), 0.5 * (last - first)
    start = float(xs.min())
    numbers, places = np.unique(np.floor((xs - start) * (0.5 * reach)), return_inverse=True)
    centres = start + (numbers + 0.5) * (2 / reach)
    powers = _powers((t - middle) / reach)
    columns = [_moments(centres, t, column[:, None] * powers) for column in terms.T]
    beside = xs - centres[places]
    turned = np.exp(-1j * middle * beside)
    coefficients = _powers(reach * beside) * COEFFICIENTS
    sums = [(turned * np.sum(coefficients * each[places], axis=1)).real for each in columns]
    return np.stack(sums, axis=1), 1.001 / reach


def _powers(numbers: Real) -> Real:
    """The powers of each number, from the first one on: 1."""
    columns = [np.ones(len(numbers)), *[numbers] * (TERMS - 1)]
    return np.asarray(np.cumprod(np.column_stack(columns), axis=1), dtype=np.float64)


def _moments(centres: Real, t: Real, weighted: Complex) -> Complex:
    """sum_k weighted_k e^{-i t_k c} for each centre, and each column."""
    if not weighted.any():
        return np.zeros((len(centres), weighted.shape[1]), dtype=np.complex128)
    rows = max(1, PHASES_AT_ONCE // len(t))
    blocks = [np.multiply.outer(centres[i : i + rows], t) for i in range(0, len(centres), rows)]
    return np.concatenate([(np.cos(block) - 1j * np.sin(block)) @ weighted for block in blocks])


def _one_by_one(xs: Real, t: Real, terms: Complex) -> Real:
    """A sine and a cosine for each node and place."""
    rows = max(1, PHASES_AT_ONCE // len(t))
    real, imaginary = np.ascontiguousarray(terms.real.T), np.ascontiguousarray(terms.imag.T)
    blocks = (np.multiply.outer(xs[i : i + rows], t) for i in range(0, len(xs), rows))
    return np.concatenate([_times(np.cos(block), real) + _times(np.sin(block), imaginary) for block in blocks])


def _times(phases: Real, columns: Real) -> Real:
    """The products with each column, in this thread: see `dot`."""
    return np.stack([np.einsum("ij,j->i", phases, column) for column in columns], axis=1)
