"""All that knows about floating point; it knows nothing of privacy.

Functions take numbers or arrays, broadcast, and return float64 arrays (0-d for a single number); a legal input never
gives nan or a warning. What is illegal is refused with a sentence.

domain     validators for single numbers and arrays
rounding   directed rounding of doubles, sums and decimals
bracket    numbers known between two others
logspace   sums and differences in log space
monotone   inversion of monotone predicates, to the last double and on the stated side
crossing   where a falling function passes zero, in few evaluations
normal     the normal law, far into its tails
binomial   all the probabilities of a binomial law, to full accuracy
coins_and_uniforms  tails of sums of coins and uniform variables, without cancellation
contour    profiles and tails of sums of losses, by their transform, between certified bounds
"""

from whit.numerics import binomial, coins_and_uniforms, contour, normal
from whit.numerics.bracket import Bracket
from whit.numerics.crossing import smallest_crossing
from whit.numerics.domain import (
    count,
    finite,
    finite_nonnegative,
    finite_positive,
    nonnegative,
    number,
    open_probability,
    positive,
    probability,
    probability_array,
    probability_vector,
    real_array,
)
from whit.numerics.logspace import log1mexp, log_dot, log_expm1, logsubexp, logsumexp
from whit.numerics.monotone import doubles, largest_true, ordinals, smallest_true
from whit.numerics.rounding import ULP, add_down, add_up, down, round_down, round_up, up

__all__ = [
    "ULP",
    "Bracket",
    "add_down",
    "add_up",
    "binomial",
    "coins_and_uniforms",
    "contour",
    "count",
    "doubles",
    "down",
    "finite",
    "finite_nonnegative",
    "finite_positive",
    "largest_true",
    "log1mexp",
    "log_dot",
    "log_expm1",
    "logsubexp",
    "logsumexp",
    "nonnegative",
    "normal",
    "number",
    "open_probability",
    "ordinals",
    "positive",
    "probability",
    "probability_array",
    "probability_vector",
    "real_array",
    "round_down",
    "round_up",
    "smallest_crossing",
    "smallest_true",
    "up",
]
