"""The waist: what a release puts between two neighbouring datasets, as a pair of distributions (P, Q).

face          what can be asked of any pair: profile, power; of a loss distribution also tails
finite        pairs with finitely many outcomes: atoms, mass at infinity
gaussian      the Gaussian pair, in closed form
laplace       the Laplace pair, in closed form
laplace_sum   several equal Laplace releases, as splines
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
by_chords     tails from the chords of an exact profile
numerical     compositions by their transform, between certified bounds
kinds         faces as kinds of mechanisms, for the numerical composition
curve         a face with its direction, order and theorems: answers are findings
composition   one curve for several releases
sides         the far side of the loss, and both sides together
posterior     the law of the posterior
imported      curves that others computed: tables, and objects of other libraries
"""

from whit.curves.cells import CellLoss
from whit.curves.composition import composed
from whit.curves.curve import DELTA, EPSILON, LOG_DELTA, LOG_POWER, LOG_TAIL, POWER, TAIL, Curve
from whit.curves.discrete_gaussian import DiscreteGaussianLoss
from whit.curves.enumeration import enumerated, self_composed
from whit.curves.face import Array, Face, LossDistribution
from whit.curves.finite import FinitePair, identical, log_ratio, merged_atoms
from whit.curves.gaussian import GaussianLoss
from whit.curves.imported import (
    from_deltas,
    from_dp_accounting,
    from_largest_powers,
    from_opacus,
    from_opendp,
    from_powers,
)
from whit.curves.laplace import LaplaceLoss
from whit.curves.laplace_sum import LaplaceSum
from whit.curves.lattice import DiscreteGaussianSum
from whit.curves.numerical import ComposedLoss, Slack
from whit.curves.order import Order, Orientation
from whit.curves.posterior import POSTERIOR_TAIL, posterior_tail
from whit.curves.power_table import PowerTable
from whit.curves.profile import ChordProfile, mirrored
from whit.curves.sides import LOWER_TAIL, TWO_SIDED_TAIL, lower_tail, thresholds, two_sided_tail
from whit.curves.subsampled import SubsampledLoss
from whit.curves.tails import log_tail_bound
from whit.curves.tradeoff import TradeOff

__all__ = [
    "DELTA",
    "EPSILON",
    "LOG_DELTA",
    "LOG_POWER",
    "LOG_TAIL",
    "LOWER_TAIL",
    "POSTERIOR_TAIL",
    "POWER",
    "TAIL",
    "TWO_SIDED_TAIL",
    "Array",
    "CellLoss",
    "ChordProfile",
    "ComposedLoss",
    "Curve",
    "DiscreteGaussianLoss",
    "DiscreteGaussianSum",
    "Face",
    "FinitePair",
    "GaussianLoss",
    "LaplaceLoss",
    "LaplaceSum",
    "LossDistribution",
    "Order",
    "Orientation",
    "PowerTable",
    "Slack",
    "SubsampledLoss",
    "TradeOff",
    "composed",
    "enumerated",
    "from_deltas",
    "from_dp_accounting",
    "from_largest_powers",
    "from_opacus",
    "from_opendp",
    "from_powers",
    "identical",
    "log_ratio",
    "log_tail_bound",
    "lower_tail",
    "merged_atoms",
    "mirrored",
    "posterior_tail",
    "self_composed",
    "thresholds",
    "two_sided_tail",
]
