"""How much of each record a linear release explains: C V^- C' on the diagonal, between bounds where V is regular.

Rounding is bounded after the fact. For an approximate solution w of V w = c with residual r = c - V w,

    c' V^-1 c = w'c + w'r + r' V^-1 r,      |r' V^-1 r| <= |r|^2 / least eigenvalue of V,

and the errors of c, V and r themselves are bounded by the same sums with absolute values. Where V is singular, or too
close to it for its rounding, the pseudo-inverse is used and the result is an estimate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from whit.errors import InvalidInput, require
from whit.numerics import ULP, real_array
from whit.persuasion.linear_model import Array, Covariance, Statistics, pieces

_CLEAR = 10.0  # how far the least eigenvalue must lie above its own error, as a multiple of it
_RANK = 1e-12  # an eigenvalue below this, for each statistic and relative to the diagonal, counts as zero
_SMALL = 1e-290
_EIGEN = 20.0  # the backward error allowed to an eigenvalue, in roundings for each statistic


@dataclass(frozen=True, eq=False)
class System:
    """V in units of its diagonal, and its inverse.

    used          the statistics that are not identically zero
    scale         the unit of each, a power of two
    matrix        V in these units
    inverse       an approximate inverse, or pseudo-inverse
    least         a lower bound on the eigenvalues of V; 0 if V may be singular
    error         a bound on the error of V
    noise         the covariance of the noise in these units
    """

    used: NDArray[np.bool_]
    scale: Array
    matrix: Array
    inverse: Array
    least: float
    error: float
    noise: Array

    @property
    def regular(self) -> bool:
        """Whether V is certainly not singular, so that bounds are bounds."""
        return self.least > 0.0


@dataclass(frozen=True, eq=False)
class Solution(System):
    """V with its inverse, and what it explains of each record.

    lower, upper  bounds on C V^- C' for each record; one estimate if V may be singular
    noisy         an upper bound on the share of that which is noise, for each record
    least_noisy   a lower bound on the same
    touched       whether a record is correlated with any statistic at all
    """

    lower: Array
    upper: Array
    noisy: Array
    least_noisy: Array
    touched: NDArray[np.bool_]


def solve(statistics: Statistics, covariance: Covariance, noise: Array) -> Solution:
    """What the statistics, with this covariance of their noise, explain of each record."""
    rule = f"must be about the {covariance.records} records of the prior"
    fits = statistics.records == covariance.records
    require(fits, name="statistics", rule=rule, value=statistics.records, way_out="Use one set of records.")
    total, diagonal = _second_moments(statistics, covariance, noise)
    used = diagonal > 0
    require(bool(used.any()), name="statistics", rule="must not all be zero", value="zeros", way_out="Publish one.")
    scale = np.exp2(np.round(0.5 * np.log2(diagonal[used])))
    units = np.outer(scale, scale)
    matrix, quiet = total[np.ix_(used, used)] / units, noise[np.ix_(used, used)] / units
    error = gamma(statistics.records + covariance.terms + 4) * _length(statistics, covariance, used, scale, quiet)
    system = System(used, scale, matrix, *_inverse(matrix, error), error, quiet)
    lower, upper, noisy, quieter = _explained(statistics, covariance, system)
    touched = _touched(statistics, covariance)
    return Solution(**vars(system), lower=lower, upper=upper, noisy=noisy, least_noisy=quieter, touched=touched)


def gamma(terms: int) -> float:
    """The relative rounding error of so many operations in a row."""
    return terms * ULP / (1.0 - terms * ULP)


def noise_matrix(noise: object, number: int) -> Array:
    """The covariance of the noise: from one variance, one for each statistic, or a matrix."""
    way_out = "Give a variance, one for each statistic (0 for none), or a covariance matrix."
    clean = real_array("noise", noise, way_out)
    if clean.ndim < 2:
        good = clean.ndim == 0 or clean.shape == (number,)
        require(good, name="noise", rule=f"must be {number} variances", value=clean.shape, way_out=way_out)
        clean = np.diag(np.broadcast_to(clean, (number,)))
    good = clean.shape == (number, number) and bool(np.all(np.isfinite(clean)) and np.array_equal(clean, clean.T))
    rule = f"must be a symmetric {number} x {number} matrix of finite numbers"
    require(good, name="noise", rule=rule, value=f"shape {clean.shape}", way_out=way_out)
    diagonal = np.diag(clean)
    if np.count_nonzero(clean - np.diag(diagonal)):
        smallest = float(np.linalg.eigvalsh(clean)[0]) + number * 1e-14 * float(np.abs(clean).max())
    else:
        smallest = float(diagonal.min())
    if smallest < 0:
        raise InvalidInput("noise", "must have no negative variance", smallest, way_out)
    return np.asarray(clean)


def _second_moments(statistics: Statistics, covariance: Covariance, noise: Array) -> tuple[Array, Array]:
    """A S A' + W, and the diagonal of the same with absolute values."""
    total, diagonal = noise.copy(), np.diag(noise).copy()
    rows, sizes = covariance.against(statistics), covariance.against(statistics, absolute=True)
    with np.errstate(over="ignore", invalid="ignore"):
        for part in pieces(statistics.records):
            weights = statistics.weights(part)
            total += weights.T @ rows(part)
            diagonal += np.einsum("ij,ij->j", np.abs(weights), sizes(part))
    way_out = "Measure the data in a larger unit."
    finite = bool(np.all(np.isfinite(diagonal)) and np.all(np.isfinite(total)))
    require(finite, name="the statistics", rule="must have finite variances", value="an overflow", way_out=way_out)
    return np.asarray((total + total.T) / 2), diagonal


def _touched(statistics: Statistics, covariance: Covariance) -> NDArray[np.bool_]:
    """Which records have a row of |S| |A|' that is not zero, provided that nothing can have been lost to underflow."""
    sizes, parts, least = covariance.against(statistics, absolute=True), [], np.inf
    for part in pieces(statistics.records):
        weights = np.abs(statistics.weights(part))
        least = min(least, float(np.min(weights, where=weights > 0, initial=np.inf)))
        parts.append(np.any(sizes(part) > 0, axis=1))
    product = least * float(covariance.variances.min()) if np.isfinite(least) else 1.0
    rule, way_out = "must not be too small for doubles", "Measure the data in a smaller unit."
    require(product > _SMALL, name="weights times variances", rule=rule, value=product, way_out=way_out)
    return np.concatenate(parts)


def _length(
    statistics: Statistics, covariance: Covariance, used: NDArray[np.bool_], scale: Array, noise: Array
) -> float:
    """A bound on the length of |A| |S| |A|' + |W|: record by record, so that no matrix product is needed."""
    total, sizes = float(np.linalg.norm(noise)), covariance.against(statistics, absolute=True)
    for part in pieces(statistics.records):
        weights, against = statistics.weights(part)[:, used] / scale, sizes(part)[:, used] / scale
        total += float(np.linalg.norm(weights, axis=1) @ np.linalg.norm(against, axis=1))
    return total * (1.0 + gamma(statistics.records + len(scale) + 8))


def _inverse(matrix: Array, error: float) -> tuple[Array, float]:
    """The inverse and a lower bound on the eigenvalues, or the pseudo-inverse and 0."""
    values, vectors = np.linalg.eigh(matrix)
    slack = error + _EIGEN * len(values) * ULP * float(np.abs(values).max())
    least = float(values[0]) - slack
    if least > _CLEAR * slack:
        return (vectors / values) @ vectors.T, least
    kept = values > _RANK * len(values)
    return (vectors[:, kept] / values[kept]) @ vectors[:, kept].T, 0.0


def _explained(statistics: Statistics, covariance: Covariance, system: System) -> tuple[Array, ...]:
    """Bounds on C V^- C' for each record, and on the part of it that is noise."""
    rows, sizes = covariance.against(statistics), covariance.against(statistics, absolute=True)
    parts = []
    for part in pieces(statistics.records):
        c = rows(part)[:, system.used] / system.scale
        if system.regular:
            size = np.linalg.norm(sizes(part)[:, system.used] / system.scale, axis=1)
            parts.append(_bounds(c, gamma(covariance.terms + 2) * size, system))
        else:
            w = c @ system.inverse
            explained = np.maximum(np.einsum("ij,ij->i", w, c), 0.0)
            share = _form(system.noise, w) / np.where(explained > 0, explained, 1.0)
            share = np.clip(share, 0.0, 1.0)
            parts.append((explained, explained, share, share))
    return tuple(np.concatenate(each) for each in zip(*parts, strict=True))


def _bounds(c: Array, error: Array, system: System) -> tuple[Array, Array, Array, Array]:
    """Bounds for some records, c being their rows of C with an error of at most this length."""
    few = gamma(len(system.matrix) + 8)
    w = c @ system.inverse
    length, long = np.linalg.norm(w, axis=1), np.linalg.norm(c, axis=1)
    seen = np.linalg.norm(c - w @ system.matrix, axis=1)
    computed = few * (long + length * float(np.linalg.norm(system.matrix)))
    residual = (seen + computed + error + system.error * length) * (1.0 + few)
    product = np.einsum("ij,ij->i", w, c)
    off = (few * length * long + length * (error + residual)) * (1.0 + few)
    lower = np.maximum(product - off, 0.0) * (1.0 - few)
    upper = np.maximum((product + off + residual**2 / system.least) * (1.0 + few), 0.0)
    return lower, upper, *_noise_share(w, residual, system, lower, upper)


def _noise_share(w: Array, residual: Array, system: System, lower: Array, upper: Array) -> tuple[Array, Array]:
    """Bounds on w'W w / (w'V w), upper and lower, at the exact solution, which is residual/least away from w."""
    if not np.any(system.noise):
        return np.zeros_like(lower), np.zeros_like(lower)
    few = gamma(2 * len(system.matrix) + 8)
    form, size = _form(system.noise, w), float(np.linalg.norm(system.noise))
    rounding = few * np.linalg.norm(w, axis=1) ** 2 * size
    away = np.sqrt(size) * residual / system.least
    most = (np.sqrt(np.maximum(form, 0.0) + rounding) + away) * (1.0 + few)
    least = np.maximum(np.sqrt(np.maximum(form - rounding, 0.0)) - away, 0.0) * (1.0 - few)
    some = lower > 0.0
    above = np.where(some, most**2 * (1.0 + few) / np.where(some, lower, 1.0), 1.0)
    below = np.where(some, least**2 * (1.0 - few) / np.where(some, upper, 1.0), 0.0)
    return np.minimum(above, 1.0), np.minimum(below, 1.0)


def _form(noise: Array, w: Array) -> Array:
    """w'W w for each row of w, without a matrix product if the noise is independent."""
    diagonal = np.diag(noise)
    if np.count_nonzero(noise) == np.count_nonzero(diagonal):
        return np.asarray((w * w) @ diagonal)
    return np.asarray(np.einsum("ij,ij->i", w @ noise, w))
