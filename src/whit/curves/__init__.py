"""The waist: what a release puts between two neighbouring datasets, as a pair of distributions (P, Q).

face          what can be asked of any pair: profile, power; of a loss distribution also tails
finite        pairs with finitely many outcomes: atoms, mass at infinity
gaussian      the Gaussian pair, in closed form
laplace       the Laplace pair, in closed form
laplace_sum   several equal Laplace releases, as splines
cut_loss      symmetric losses of which all but a negligible part is listed
discrete_gaussian  discrete Gaussian noise: atoms on a lattice without end, all but a negligible part of it
lattice       sums of discrete Gaussian noise
cells         densities, cell by cell, between a lower and an upper pair
profile       a profile through known points (epsilon, delta), by chords
tradeoff      a trade-off function through known points (level, power), by chords
power_table   bounds on the power at some levels, and what they imply at all others
tails         tails of the loss from the profile alone
order         in which order a bound dominates; orientations
enumeration   exact composition of finite pairs
subsampled    one release on a Poisson sample, in closed form
by_chords     tails and the lowest line from the chords of an exact profile
numerical     compositions by their transform, between certified bounds
kinds         faces as kinds of mechanisms, for the numerical composition
curve         a face with its direction, order and theorems: answers are findings
composition   one curve for several releases
sides         the far side of the loss, and both sides together
posterior     the law of the posterior
imported      curves that others computed: tables, and objects of other libraries
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(
    __name__,
    {
        "cells": ("CellLoss",),
        "composition": ("composed",),
        "curve": ("DELTA", "EPSILON", "LOG_DELTA", "LOG_POWER", "LOG_TAIL", "POWER", "TAIL", "Curve"),
        "cut_loss": ("CutLoss",),
        "discrete_gaussian": ("DiscreteGaussianLoss",),
        "enumeration": ("enumerated", "self_composed"),
        "face": ("Array", "Face", "LossDistribution"),
        "finite": ("FinitePair", "identical", "log_ratio", "merged_atoms"),
        "gaussian": ("GaussianLoss",),
        "imported": (
            "from_deltas",
            "from_dp_accounting",
            "from_largest_powers",
            "from_opacus",
            "from_opendp",
            "from_powers",
        ),
        "laplace": ("LaplaceLoss",),
        "laplace_sum": ("LaplaceSum",),
        "lattice": ("DiscreteGaussianSum",),
        "numerical": ("ComposedLoss", "Slack"),
        "order": ("Order", "Orientation"),
        "posterior": ("POSTERIOR_TAIL", "posterior_tail"),
        "power_table": ("PowerTable",),
        "profile": ("ChordProfile", "mirrored"),
        "sides": ("LOWER_TAIL", "TWO_SIDED_TAIL", "lower_tail", "thresholds", "two_sided_tail"),
        "subsampled": ("SubsampledLoss",),
        "tails": ("log_tail_bound",),
        "tradeoff": ("TradeOff",),
    },
)
