"""Noise, as values: mechanisms by the law of their output, with their exact loss where there is one.

release               what can be asked of any mechanism
mechanism             copies, several together, and processing of any mechanism
noise                 noise added to each cell of an answer
laplace               Laplace noise
gaussian              Gaussian noise of one standard deviation
correlated_gaussian   Gaussian noise with a covariance matrix
geometric             two-sided geometric noise
discrete_gaussian     discrete Gaussian noise
deterministic         no noise
randomized_response   the true category, or another one by chance
subsampled            noise on a Poisson sample of the records
sampling              a published sample of the records
finite                probabilities of finitely many outcomes, of two datasets or of many
worst                 the worst of several pairs of neighbours
channel               what is done to an outcome, as a table of probabilities
mixture               one of several mechanisms, by chance
composed              several mechanisms on the same data
integers              quantiles of whole-number noise
rational              exact arithmetic on doubles
"""

from whit.mechanisms.composed import compose
from whit.mechanisms.correlated_gaussian import CorrelatedGaussian
from whit.mechanisms.deterministic import Deterministic
from whit.mechanisms.discrete_gaussian import DiscreteGaussian
from whit.mechanisms.finite import Finite, Kernel
from whit.mechanisms.gaussian import Gaussian
from whit.mechanisms.geometric import Geometric
from whit.mechanisms.laplace import Laplace
from whit.mechanisms.mechanism import Composed, Mechanism, PostProcessed
from whit.mechanisms.mixture import Mixture
from whit.mechanisms.noise import AdditiveNoise, CellwiseNoise
from whit.mechanisms.randomized_response import RandomizedResponse
from whit.mechanisms.release import EXACT_ANSWER, NOISE_DEVIATION, NOISE_ERROR, NOISE_TAIL, Release
from whit.mechanisms.sampling import SimpleRandomSample
from whit.mechanisms.subsampled import PoissonSubsampled
from whit.mechanisms.worst import WorstLoss

__all__ = [
    "EXACT_ANSWER",
    "NOISE_DEVIATION",
    "NOISE_ERROR",
    "NOISE_TAIL",
    "AdditiveNoise",
    "CellwiseNoise",
    "Composed",
    "CorrelatedGaussian",
    "Deterministic",
    "DiscreteGaussian",
    "Finite",
    "Gaussian",
    "Geometric",
    "Kernel",
    "Laplace",
    "Mechanism",
    "Mixture",
    "PoissonSubsampled",
    "PostProcessed",
    "RandomizedResponse",
    "Release",
    "SimpleRandomSample",
    "WorstLoss",
    "compose",
]
