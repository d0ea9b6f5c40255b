"""Tests: how often an adversary is right at a given rate of false alarms, and what a verdict is worth.

powers             the largest power at a level
levels             the smallest level of a power
advantages         power minus level
guesses            how often the best guess is right, for a prior
posteriors         the belief after a rejection
tails              the mechanism's own tail, and the one that is proof against processing
likelihood_ratio   the most powerful test of a mechanism
printed            the bounds as they are printed in KAA22, for comparison
asked              the curve that is asked, and how its answer is reported
gaps               the profile that a bound on the power implies

P is the law of the output on one dataset, Q that on its neighbour; a test rejects Q, and decides for P. Every answer is
that of the worse of the two orders, unless an orientation is named.
"""

from whit.semantics.testing.advantages import ADVANTAGE, ADVANTAGE_AT_LEVEL, advantage, advantage_at
from whit.semantics.testing.asked import Rest
from whit.semantics.testing.guesses import BEST_GUESS, best_guess
from whit.semantics.testing.levels import LEVEL, LOG_LEVEL, level, log_level
from whit.semantics.testing.likelihood_ratio import (
    AT_THE_THRESHOLD,
    THRESHOLD,
    LikelihoodRatioTest,
    likelihood_ratio_test,
)
from whit.semantics.testing.posteriors import (
    POSTERIOR_AFTER_REJECTION,
    PREDICTIVE_VALUE,
    positive_predictive_value,
    posterior_after_rejection,
)
from whit.semantics.testing.powers import log_power, power
from whit.semantics.testing.printed import approximate_power, curve_power, pure_power, renyi_power, zcdp_power
from whit.semantics.testing.tails import OWN_TAIL, PROCESSING_PROOF_TAIL, own_tail, processing_proof_tail

__all__ = [
    "ADVANTAGE",
    "ADVANTAGE_AT_LEVEL",
    "AT_THE_THRESHOLD",
    "BEST_GUESS",
    "LEVEL",
    "LOG_LEVEL",
    "OWN_TAIL",
    "POSTERIOR_AFTER_REJECTION",
    "PREDICTIVE_VALUE",
    "PROCESSING_PROOF_TAIL",
    "THRESHOLD",
    "LikelihoodRatioTest",
    "Rest",
    "advantage",
    "advantage_at",
    "approximate_power",
    "best_guess",
    "curve_power",
    "level",
    "likelihood_ratio_test",
    "log_level",
    "log_power",
    "own_tail",
    "positive_predictive_value",
    "posterior_after_rejection",
    "power",
    "processing_proof_tail",
    "pure_power",
    "renyi_power",
    "zcdp_power",
]
