"""Promises, as values: what is guaranteed about every pair of neighbours.

promise                     what all have in common: a curve, and the questions to it
properties                  what is known of each as a definition
pure, approximate           epsilon, and epsilon with delta
probabilistic               a tail of the loss, one- or two-sided
zero_concentrated, renyi    Rényi divergences
gaussian, fdp               trade-off functions
probabilistically_bounded   pbdp, a point or a curve
bounded_curve               the points of pbdp that a curve gives, and the level of a test from its power
semantic                    beliefs with and without a record
composition                 several promises together
conversions                 from one promise to another
"""

from whit.guarantees.approximate import ApproxDP
from whit.guarantees.bounded_curve import bounded_delta, bounded_epsilon, log_level
from whit.guarantees.composition import (
    Composition,
    advanced_composition,
    basic_composition,
    compose,
    gaussian_composition,
    heterogeneous_composition,
    optimal_composition,
    optimal_composition_list,
    optimal_heterogeneous_composition,
    renyi_composition,
    zcdp_composition,
)
from whit.guarantees.conversions import Conversion, Edge, convert
from whit.guarantees.dominating import dominating_pair
from whit.guarantees.fdp import FDP
from whit.guarantees.gaussian import GaussianDP
from whit.guarantees.probabilistic import ProbabilisticDP
from whit.guarantees.probabilistically_bounded import ProbabilisticallyBoundedCurve, ProbabilisticallyBoundedDP
from whit.guarantees.promise import Promise
from whit.guarantees.properties import Known, Properties, Property
from whit.guarantees.pure import PureDP
from whit.guarantees.renyi import RenyiDP
from whit.guarantees.semantic import SemanticPrivacy
from whit.guarantees.zero_concentrated import ZeroConcentratedDP

__all__ = [
    "FDP",
    "ApproxDP",
    "Composition",
    "Conversion",
    "Edge",
    "GaussianDP",
    "Known",
    "ProbabilisticDP",
    "ProbabilisticallyBoundedCurve",
    "ProbabilisticallyBoundedDP",
    "Promise",
    "Properties",
    "Property",
    "PureDP",
    "RenyiDP",
    "SemanticPrivacy",
    "ZeroConcentratedDP",
    "advanced_composition",
    "basic_composition",
    "bounded_delta",
    "bounded_epsilon",
    "compose",
    "convert",
    "dominating_pair",
    "gaussian_composition",
    "heterogeneous_composition",
    "log_level",
    "optimal_composition",
    "optimal_composition_list",
    "optimal_heterogeneous_composition",
    "renyi_composition",
    "zcdp_composition",
]
