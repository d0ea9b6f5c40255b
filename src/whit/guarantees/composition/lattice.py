"""The worst pairs of many unequal promises together, on one lattice of losses: never below the truth, and quick.

The worst pair of epsilon is a coin with the losses epsilon and -epsilon. The polygon through its profile at the places
of a lattice is the profile of a pair with its losses there, two for each side of the coin, and lies nowhere below.
Such pairs are composed by sums of positive numbers. What falls off the ends of the lattice counts as given away.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from whit.curves import Array, ChordProfile, HalfProfile
from whit.numerics import ULP

# Places of the lattice on each side of loss 0, at most.
PLACES = 2**14
# The lattice reaches as far as a loss of the probability e^-REACH may; what lies beyond is counted all the same.
REACH = 90.0
# More coins than this are composed quickly by their transform.
MOST = 4096
# Losses further out than this have no place: their exponentials are no doubles.
FARTHEST = 500.0
# What numbers too small for a double come to, at most, however many there are.
VANISHED = 1e-290


def profile_on_lattice(epsilons: Sequence[tuple[float, int]], given_away: float) -> ChordProfile:
    """An upper bound on the profile of coins, each with its count, and of the chance that all is given away.

    >>> both = profile_on_lattice([(1.0, 1), (2.0, 1)], 0.0)
    >>> round(float(np.exp(both.log_delta(0.0).upper)), 4)  # that of epsilon 2: two coins tell no more by majority
    0.7616
    """
    coins = [(epsilon, number) for epsilon, number in epsilons if epsilon > 0.0]
    step = _step(coins)
    masses, lost = _masses(coins, step)
    deltas = _deltas(masses[len(masses) // 2 :], step) + lost
    # Each of the sums before rounds by a few units; so does each place that is summed over.
    raised = deltas * (1 + ULP * (64 * sum(number for _, number in coins) + 16 * len(masses)))
    whole = np.minimum(given_away + (1.0 - given_away) * raised, 1.0) * (1 + 8 * ULP)
    places = np.append(np.arange(len(deltas)) * step, np.inf)
    half = HalfProfile(places, np.minimum(np.log(np.append(whole, whole[-1])), 0.0))
    return ChordProfile(half, half)


def _step(coins: Sequence[tuple[float, int]]) -> float:
    """The distance of two places: a power of 2, so that places are doubles."""
    total = math.fsum(number * epsilon for epsilon, number in coins)
    mean = math.fsum(number * epsilon * math.tanh(epsilon / 2) for epsilon, number in coins)
    squares = math.fsum(number * epsilon**2 for epsilon, number in coins)
    reach = min(total, mean + math.sqrt(2 * REACH * squares))
    return math.ldexp(1.0, math.ceil(math.log2(reach / (PLACES - 2))))


def _masses(coins: Sequence[tuple[float, int]], step: float) -> tuple[Array, float]:
    """The probabilities under P of the places from one end to the other, and what fell off on the way."""
    masses, places, lost = np.ones(1), 0, 0.0
    for epsilon, number in coins:
        below, near, far = _on_lattice(epsilon, step)
        sides = [(below, near), (below + 1, far)]
        shifts = [*sides, *((-place, mass * math.exp(-place * step)) for place, mass in sides)]
        for _ in range(number):
            grown = np.zeros(len(masses) + 2 * (below + 1))
            for shift, mass in shifts:
                start = below + 1 + shift
                grown[start : start + len(masses)] += mass * masses
            places += below + 1
            beyond = max(places - PLACES, 0)
            lost += float(grown[:beyond].sum() + grown[len(grown) - beyond :].sum())
            masses, places = grown[beyond : len(grown) - beyond], places - beyond
    return masses, (lost + VANISHED) * (1 + ULP * 64 * sum(number for _, number in coins))


def _on_lattice(epsilon: float, step: float) -> tuple[int, float, float]:
    """The place below epsilon, and the mass under P there and at the next place: together the side of the coin."""
    below = math.floor(epsilon / step)
    heads, width = 1 / (1 + math.exp(-epsilon)), -math.expm1(-step)
    near = heads * math.exp(-step) * math.expm1((below + 1) * step - epsilon) / width
    return below, near, heads * -math.expm1(below * step - epsilon) / width


def _deltas(masses: Array, step: float) -> Array:
    """The profile at the places from 0 on: it falls from each to the next by what Q has beyond, times e^loss."""
    # Q beyond a place times e^loss of that place, so that no exponential is too large.
    beyond, shrink = np.zeros(len(masses)), math.exp(-step)
    for place in range(len(masses) - 2, -1, -1):
        beyond[place] = (beyond[place + 1] + masses[place + 1]) * shrink
    return np.asarray(np.cumsum(beyond[::-1])[::-1] * math.expm1(step))
