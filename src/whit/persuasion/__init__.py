"""Persuasion: how much better an adversary scores after a release, for proper scores and classes of prior beliefs.

amount            exact arithmetic for scores: rationals, logarithms, square roots
beliefs           finite beliefs: two points, products, draws from a model; updating
classes           classes of priors: a list, two neighbours, any belief
scores            privacy functions and the proper scores that they generate
propriety         whether a score is proper, with a witness if not; the receiver who harms most
table             mechanisms on a finite universe, exactly
relative          the relative score and its law over the mechanism
search            the worst prior of a class
definition        is a mechanism private? smallest kappa and delta, and where they are worst
composition       several releases, and processing by the receiver and by the sender
differential      differential privacy as persuasion
statistics        linear statistics: totals, tables of totals, means
covariance        Gaussian priors by structure: independent, factors, blocks, full
solution          what statistics explain of each record, between bounds
gaussian_belief   a Gaussian belief, and what it becomes after a linear release
linear            any linear release under a Gaussian prior
gaussian_scores   several scores of a normal belief
least_noise       how much noise keeps a linear release below a limit
average           the published average and its class of priors
"""

from whit.persuasion.average import AveragePriors
from whit.persuasion.beliefs import FiniteBelief, SampledBelief
from whit.persuasion.classes import AnyBelief, NeighbouringBeliefs, PriorClass, TheseBeliefs
from whit.persuasion.composition import (
    COUNTEREXAMPLE,
    Conjugacy,
    by_sender,
    composed_kappa,
    conjugacy,
    jointly,
    processed_delta,
    with_receiver,
)
from whit.persuasion.covariance import Blocks, Covariance, Factors, Full, Independent
from whit.persuasion.definition import (
    Answer,
    Assessed,
    Verdict,
    satisfies,
    side_by_side,
    smallest_delta,
    smallest_kappa,
)
from whit.persuasion.differential import probabilistic_delta, promised_kappa
from whit.persuasion.gaussian_belief import GaussianBelief, Remaining
from whit.persuasion.gaussian_scores import interval_hit
from whit.persuasion.least_noise import least_noise
from whit.persuasion.linear import Exposed, LinearRelease, linear_release, side_by_side_scores
from whit.persuasion.propriety import (
    Impropriety,
    Propriety,
    average_privacy,
    check_proper,
    require_proper,
)
from whit.persuasion.relative import GainLaw, gain_law, relative_score
from whit.persuasion.scores import (
    Brier,
    CustomScore,
    DawidSebastiani,
    IntervalScore,
    LogProbability,
    PrivacyFunction,
    RankedProbability,
    Score,
    Spherical,
    Ties,
)
from whit.persuasion.search import Worst
from whit.persuasion.statistics import LinearMap, Means, Statistics, Together, Totals
from whit.persuasion.table import Table

__all__ = [
    "COUNTEREXAMPLE",
    "Answer",
    "AnyBelief",
    "Assessed",
    "AveragePriors",
    "Blocks",
    "Brier",
    "Conjugacy",
    "Covariance",
    "CustomScore",
    "DawidSebastiani",
    "Exposed",
    "Factors",
    "FiniteBelief",
    "Full",
    "GainLaw",
    "GaussianBelief",
    "Impropriety",
    "Independent",
    "IntervalScore",
    "LinearMap",
    "LinearRelease",
    "LogProbability",
    "Means",
    "NeighbouringBeliefs",
    "PriorClass",
    "PrivacyFunction",
    "Propriety",
    "RankedProbability",
    "Remaining",
    "SampledBelief",
    "Score",
    "Spherical",
    "Statistics",
    "Table",
    "TheseBeliefs",
    "Ties",
    "Together",
    "Totals",
    "Verdict",
    "Worst",
    "average_privacy",
    "by_sender",
    "check_proper",
    "composed_kappa",
    "conjugacy",
    "gain_law",
    "interval_hit",
    "jointly",
    "least_noise",
    "linear_release",
    "probabilistic_delta",
    "processed_delta",
    "promised_kappa",
    "relative_score",
    "require_proper",
    "satisfies",
    "side_by_side",
    "side_by_side_scores",
    "smallest_delta",
    "smallest_kappa",
    "with_receiver",
]
