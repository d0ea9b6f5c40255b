"""The certified contour engine: from the exact transform of the loss to its profile and tails, without a grid."""

from whit.numerics.contour.atoms import AtomsKind, geometric_kind
from whit.numerics.contour.composition import Composition
from whit.numerics.contour.discrete_gaussian import DiscreteGaussianKind
from whit.numerics.contour.gaussian import GaussianKind
from whit.numerics.contour.kind import Kind
from whit.numerics.contour.laplace import LaplaceKind
from whit.numerics.contour.profile import ProfileBracket, delta_bracket, delta_estimate
from whit.numerics.contour.randomized_response import EpsilonDeltaKind, RandomizedResponseKind
from whit.numerics.contour.subsampled_gaussian import SubsampledGaussianKind
from whit.numerics.contour.subsampled_laplace import SubsampledLaplaceKind
from whit.numerics.contour.tail import TailBracket, null_tail_bracket, tail_bracket

__all__ = [
    "AtomsKind",
    "Composition",
    "DiscreteGaussianKind",
    "EpsilonDeltaKind",
    "GaussianKind",
    "Kind",
    "LaplaceKind",
    "ProfileBracket",
    "RandomizedResponseKind",
    "SubsampledGaussianKind",
    "SubsampledLaplaceKind",
    "TailBracket",
    "delta_bracket",
    "delta_estimate",
    "geometric_kind",
    "null_tail_bracket",
    "tail_bracket",
]
