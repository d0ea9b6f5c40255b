"""The waist: what a release puts between two neighbouring datasets, as a pair of distributions (P, Q).

face          what can be asked of any pair: profile, power; of a loss distribution also tails
finite        pairs with finitely many outcomes: atoms, mass at infinity
gaussian      the Gaussian pair, in closed form
cells         densities, cell by cell, between a lower and an upper pair
profile       a profile through known points (epsilon, delta), by chords
tradeoff      a trade-off function through known points (level, power), by chords
tails         tails of the loss from the profile alone
order         in which order a bound dominates; orientations
enumeration   exact composition of finite pairs
curve         a face with its direction, order and theorems: answers are findings
composition   one curve for several releases
"""

from whit.curves.cells import CellLoss
from whit.curves.composition import composed
from whit.curves.curve import DELTA, EPSILON, LOG_POWER, POWER, TAIL, Curve
from whit.curves.enumeration import enumerated, self_composed
from whit.curves.face import Array, Face, LossDistribution
from whit.curves.finite import FinitePair, identical, log_ratio, merged_atoms
from whit.curves.gaussian import GaussianLoss
from whit.curves.order import Order, Orientation
from whit.curves.profile import ChordProfile
from whit.curves.tails import log_tail_bound
from whit.curves.tradeoff import TradeOff

__all__ = [
    "DELTA",
    "EPSILON",
    "LOG_POWER",
    "POWER",
    "TAIL",
    "Array",
    "CellLoss",
    "ChordProfile",
    "Curve",
    "Face",
    "FinitePair",
    "GaussianLoss",
    "LossDistribution",
    "Order",
    "Orientation",
    "TradeOff",
    "composed",
    "enumerated",
    "identical",
    "log_ratio",
    "log_tail_bound",
    "merged_atoms",
    "self_composed",
]
