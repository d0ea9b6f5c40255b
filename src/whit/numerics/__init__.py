"""All that knows about floating point; it knows nothing of privacy.

Functions take numbers or arrays, broadcast, and return float64 arrays (0-d for a single number); a legal input never
gives nan or a warning. What is illegal is refused with a sentence.

domain     validators for single numbers and arrays
rounding   directed rounding of doubles, sums and decimals
bracket    numbers known between two others
logspace   sums, differences and counts in log space
monotone   doubles in order; inversion of monotone predicates, to the last double and on the stated side
crossing   where a falling function passes zero, in few evaluations
search     the number that goes furthest while a check holds, along a margin
normal     the normal law, far into its tails
binomial   all the probabilities of a binomial law, to full accuracy
coins_and_uniforms  tails of sums of coins and uniform variables, without cancellation
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
