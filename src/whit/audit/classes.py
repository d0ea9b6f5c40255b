"""How far a belief can lie from that of a stated prior, if the true prior is near it.

For a release without noise no bound holds for every prior. These hold for every prior near a base prior: those whose
density is within a factor of it, and those that are a mixture of it with anything. All of it is arithmetic with
fractions. A fact is what somebody wants to learn, the outcome is all that was published.
"""

from __future__ import annotations

import math
from fractions import Fraction

from whit.errors import NotImplied, require
from whit.theory import Direction, Finding, Quantity, Unit
from whit.worlds import Number, finding, probability, rational

POSTERIOR = Quantity("posterior probability", Unit.PROBABILITY)
RATIO = Quantity("ratio of posterior to prior", Unit.NUMBER)
ODDS_FACTOR = Quantity("odds factor", Unit.NUMBER)

DIGITS = 10**40
"""Square roots are taken to so small a part."""

_SHARE = "Use a probability such as 1/10."
_FACTOR = "Use a number such as 2."


def posterior_within(base: Number, factor: Number) -> Finding:
    """The largest posterior over all priors whose density is within a factor of the base prior.

    base     the posterior by the base prior
    factor   densities are between 1 and this many times that of the base prior, before they are made to add up to 1

    >>> print(posterior_within(0.25, factor=2))
    posterior probability is at most 40 %
    """
    inputs = {"base": base, "factor": factor}
    return finding(POSTERIOR, most_within(base, factor), Direction.AT_MOST, inputs, "priors-within-a-factor")


def most_within(base: Number, factor: Number) -> Fraction:
    """The same as a fraction: odds times the factor.

    >>> most_within(Fraction(1, 4), factor=2)
    Fraction(2, 5)
    """
    belief, most = probability("base", base, _SHARE), _factor(factor)
    return most * belief / (most * belief + 1 - belief)


def posterior_contaminated(fact_and_outcome: Number, outcome: Number, share: Number) -> Finding:
    """The largest posterior over all mixtures of the base prior with any other.

    fact_and_outcome   the probability of both, by the base prior
    outcome            the probability of the outcome, by the base prior
    share              of the other prior in the mixture

    >>> print(posterior_contaminated(0.1, 0.4, share=0.1))
    posterior probability is at most 41.4 %
    """
    both, out = probability("fact_and_outcome", fact_and_outcome, _SHARE), probability("outcome", outcome, _SHARE)
    part = probability("share", share, _SHARE)
    rule = "must be at most the probability of the outcome"
    require(both <= out, name="fact_and_outcome", rule=rule, value=fact_and_outcome, way_out=_SHARE)
    rest = (1 - part) * out + part
    _require_possible(rest)
    inputs = {"fact_and_outcome": fact_and_outcome, "outcome": outcome, "share": share}
    return finding(POSTERIOR, ((1 - part) * both + part) / rest, Direction.AT_MOST, inputs, "contaminated-priors")


def odds_factor_within(if_true: Number, otherwise: Number, factor: Number) -> Finding:
    """The largest factor by which the outcome multiplies the odds of the fact, over the priors within a factor.

    if_true     the probability of the outcome if the fact is true, by the base prior
    otherwise   and if it is not
    factor      as in `posterior_within`

    >>> print(odds_factor_within(1, 0.25, factor=2))
    odds factor is at most 7
    """
    a, b = probability("if_true", if_true, _SHARE), probability("otherwise", otherwise, _SHARE)
    most = _factor(factor)
    _require_possible(a + b)
    above, below = most * a / (most * a + 1 - a), b / (b + most * (1 - b))
    value = above / below if below else math.inf
    inputs = {"if_true": if_true, "otherwise": otherwise, "factor": factor}
    return finding(ODDS_FACTOR, value, Direction.AT_MOST, inputs, "priors-within-a-factor")


def ratio_within(prior: Number, if_true: Number, otherwise: Number, factor: Number) -> Finding:
    """The largest ratio of posterior to prior, over the priors within a factor of the base prior.

    prior      of the fact, by the base prior; the others as in `odds_factor_within`

    >>> print(ratio_within(0.1, 1, 0.25, factor=2))
    ratio of posterior to prior is at most 5.16
    """
    p, a = probability("prior", prior, _SHARE), probability("if_true", if_true, _SHARE)
    b, most = probability("otherwise", otherwise, _SHARE), _factor(factor)
    _require_possible(p * a)
    found, missed, wrong, silent = p * a, p * (1 - a), (1 - p) * b, most * (1 - p) * (1 - b)
    value = _largest_ratio(found, most * found, missed, wrong, silent)
    inputs = {"prior": prior, "if_true": if_true, "otherwise": otherwise, "factor": factor}
    return finding(RATIO, value, Direction.AT_MOST, inputs, "priors-within-a-factor")


def _largest_ratio(low: Fraction, high: Fraction, missed: Fraction, wrong: Fraction, silent: Fraction) -> Fraction:
    """The largest u (u + missed + wrong + silent) / ((u + wrong) (u + missed)) for u between two numbers."""

    def ratio(u: Fraction) -> Fraction:
        return u * (u + missed + wrong + silent) / ((u + wrong) * (u + missed))

    def slope(u: Fraction) -> Fraction:
        """The sign with which the ratio, which rises and then falls, goes on from there."""
        bottom = (u + wrong) * (u + missed)
        return silent * bottom - (silent * u - missed * wrong) * (2 * u + missed + wrong)

    if slope(low) <= 0:
        return ratio(low)
    if slope(high) >= 0:
        return ratio(high)
    # At the top; both roots are rounded down, which can only raise it.
    roots = _root(missed * (silent + wrong)) + _root(wrong * (silent + missed))
    return 1 + (silent / roots) ** 2


def _root(square: Fraction) -> Fraction:
    """A square root, rounded down."""
    scaled = square * DIGITS**2
    return Fraction(math.isqrt(scaled.numerator // scaled.denominator), DIGITS)


def _factor(factor: Number) -> Fraction:
    clean = rational("factor", factor, _FACTOR)
    require(clean >= 1, name="factor", rule="must be 1 or more", value=factor, way_out=_FACTOR)
    return clean


def _require_possible(chance: Fraction) -> None:
    """Refuse an outcome that the base prior rules out."""
    if chance == 0:
        way_out = "Use a base prior under which the outcome can happen."
        raise NotImplied("the posterior", "is not defined after an outcome of probability 0", "0/0", way_out)
