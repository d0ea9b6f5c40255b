"""All that knows about floating point; it knows nothing of privacy.

Functions take numbers or arrays, broadcast, and return float64 arrays (0-d for a single number); a legal input never
gives nan or a warning. What is illegal is refused with a sentence.

domain     validators for single numbers and arrays
rounding   doubles in order, and directed rounding
bracket    numbers known between two others
logspace   sums, differences, counts and binomial laws in log space
search     inversion of monotone predicates, on the stated side; how far a check holds
crossing   inversion of falling functions that are dear
normal     the normal law, far into its tails
convolution  sums of products of nonnegative numbers, all rounded to one side
tilted_powers  the same for many vectors at once, by the fast Fourier transform
linear_programs  linear programs by HiGHS, whose answers are proposals
exact_sums  sums of many fractions, without rounding
coins_and_uniforms  tails of sums of coins and uniform variables, without cancellation
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
