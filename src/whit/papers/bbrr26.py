"""Bon, Bailie, Rousseau and Robert (2026): probabilistic privacy as persuasion, scores, and the published average.

Propositions 6 and 7 are also tried on random mechanisms and random priors, drawn with a fixed seed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from whit.curves import LossDistribution
from whit.mechanisms import Finite
from whit.papers.case import Case, Way, middle
from whit.persuasion import (
    AveragePriors,
    FiniteBelief,
    LogProbability,
    Table,
    interval_hit,
    linear_release,
    probabilistic_delta,
    relative_score,
    smallest_delta,
)

Array = NDArray[np.float64]

CLOSE_CALL = 0.5
"""With as much room or more between a score and its promise, no rounding makes it a breach."""

ROUNDING = 1e-9
"""A score within this of the promise, relative to it, is not taken for a breach: both are computed in doubles."""


def matrix(case: Case, name: str) -> Array:
    """An input with rows, such as 1 0; 0 1."""
    return np.array([row.split() for row in case.inputs[name].split(";")], dtype=np.float64)


def vector(case: Case, name: str) -> Array:
    """An input of several numbers."""
    return np.array(case.inputs[name].split(), dtype=np.float64)


def epsilon(case: Case) -> float:
    """Epsilon, which may be the logarithm of a number."""
    text = case.inputs["eps"]
    return math.log(float(text.removeprefix("log "))) if text.startswith("log ") else float(text)


def _one_sided(case: Case) -> float:
    return max(float(np.exp(loss.log_tail(epsilon(case)).mid)) for loss in _losses(case))


def _two_sided(case: Case) -> float:
    return max(_both_tails(loss, epsilon(case)) for loss in _losses(case))


def _losses(case: Case) -> list[LossDistribution]:
    """The losses of all pairs of rows, in both orders."""
    pairs = [Finite(p, q).loss() for p, q in combinations(matrix(case, "rows"), 2)]
    return [each for loss in pairs for each in (loss, loss.reverse())]


def _both_tails(loss: LossDistribution, t: float) -> float:
    return float(np.exp(loss.log_tail(t).mid) + 1 - np.exp(loss.log_tail_closed(-t).mid))


def _share_of_equal_deltas(case: Case) -> float:
    """Proposition 6: the deltas of probabilistic and of persuasive privacy, exactly, for mechanisms with zeros."""
    random, number = np.random.default_rng(int(case.inputs["seed"])), int(case.inputs["mechanisms"])
    return sum(_deltas_are_equal(random) for _ in range(number)) / number


def _deltas_are_equal(random: np.random.Generator) -> bool:
    counts = random.integers(0, 6, size=(3, 4)) + np.eye(3, 4, dtype=int)
    rows = [[Fraction(int(each), int(row.sum())) for each in row] for row in counts]
    table, loss = Table(rows, [(0, 1), (1, 2), (0, 2)]), float(random.uniform(0, 2))
    return bool(smallest_delta(table, loss).value.value == probabilistic_delta(table, loss).value)


def _largest_score(covariance: Array, mean: Array, data: Array) -> float:
    average = np.full((1, len(data)), 1.0 / len(data))
    scores = linear_release(average, covariance, mean=mean).relative_scores(average @ data, data)
    return float(np.max(scores.value))


def _breaches(case: Case) -> float:
    """Proposition 7: of so many priors, those for which the score of a record is beyond r1 + log r2.

    What is far from a breach is seen at a glance; the others are looked at one by one.
    """
    random, number = np.random.default_rng(int(case.inputs["seed"])), int(case.inputs["priors"])
    return float(sum(_broken(s, x) for each in _random_priors(random, number) for s, x in close_calls(*each)))


def _random_priors(random: np.random.Generator, number: int) -> Iterator[tuple[Array, Array]]:
    """Covariances of 2 to 7 records, and data about a mean of 0: as many for each number of records."""
    sizes = range(2, 8)
    for n in sizes:
        some = math.ceil(number / len(sizes))
        root = random.normal(size=(some, n, n))
        yield root @ root.transpose(0, 2, 1) + 1e-3 * np.eye(n), 3 * random.normal(size=(some, n))


def close_calls(covariances: Array, data: Array) -> Iterator[tuple[Array, Array]]:
    """The priors, with mean 0, for which little or nothing is left between the largest score and the promise."""
    return ((s, x) for s, x, left in zip(covariances, data, room(covariances, data), strict=True) if left < CLOSE_CALL)


def _broken(covariance: Array, data: Array) -> bool:
    mean = np.zeros_like(data)
    r1, r2 = (float(each) for each in AveragePriors.needed(data, covariance, mean))
    promised = float(AveragePriors(r1, r2, len(data)).kappa().value)
    return _largest_score(covariance, mean, data) > promised * (1 + ROUNDING)


def room(covariances: Array, data: Array) -> Array:
    """r1 + log r2 less the largest relative score of a record, for many priors with mean 0 at once."""
    variances = np.einsum("aii->ai", covariances)
    correlations = covariances / np.sqrt(variances[:, :, None] * variances[:, None, :])
    eigenvalues = np.linalg.eigvalsh(correlations)
    others = 1 - variances.max(axis=1) / variances.sum(axis=1)
    variance, average = covariances.mean(axis=(1, 2))[:, None], data.mean(axis=1)[:, None]
    promised = (average**2 / variance)[:, 0] + np.log(eigenvalues[:, -1] / eigenvalues[:, 0] / others)
    shared = covariances.mean(axis=2)
    left = variances - shared**2 / variance
    scores = data**2 / variances - (data - shared / variance * average) ** 2 / left - np.log(left / variances)
    return np.asarray(promised - scores.max(axis=1))


def _gain(case: Case) -> float:
    """An output that is e times as likely under the truth as under the other of two points."""
    truth = 0.5
    mechanism = Finite([truth, 1 - truth], [truth / math.e, 1 - truth / math.e])
    return float(relative_score(mechanism, _two_points(case), 0, 0))


def _log_score(case: Case) -> float:
    lower, upper = LogProbability().of(_two_points(case), 0).bracket()
    return (lower + upper) / 2


def _two_points(case: Case) -> FiniteBelief:
    weight = Fraction(case.inputs["w"])
    return FiniteBelief([weight, 1 - weight])


WAYS: Mapping[str, Way] = {
    "smallest one-sided delta": Way(_one_sided),
    "smallest two-sided delta": Way(_two_sided),
    "share of random mechanisms whose two deltas are one": Way(_share_of_equal_deltas),
    "largest relative score of a record": Way(
        lambda case: _largest_score(matrix(case, "Sigma"), vector(case, "mu"), vector(case, "x"))
    ),
    "random priors that break the promise": Way(_breaches),
    "smallest r2 for which there is a prior": Way.of(lambda n: AveragePriors.least_r2(int(n)), "n"),
    "probability that the best interval misses": Way.of(
        lambda s, sd: 1 - middle(interval_hit(s, deviation=sd)), "s", "sd"
    ),
    "probability that an interval off the centre hits": Way.of(
        lambda s, m: middle(interval_hit(s, off_centre=m)), "s", "m"
    ),
    "relative log score of the truth": Way(_gain),
    "log score of a point": Way(_log_score),
}
