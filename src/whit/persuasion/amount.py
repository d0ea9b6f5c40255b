"""Scores in exact arithmetic: a rational number, the logarithm of one, and square roots, added up.

The scores of a finite belief with rational probabilities are of this form. So whether a gain exceeds a limit is decided
without rounding: a logarithm of a rational other than 1 is never equal to a double, and the rest is algebra.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from fractions import Fraction

from whit.numerics import doubles_around

DIGITS = (60, 300)
"""Digits of a comparison: the first number decides almost always, the second what it leaves open."""

_GUARD = 8
_ROUGH = 1e-13  # a generous relative error of a few operations in doubles


@dataclass(frozen=True)
class Amount:
    """rational + log(log_of) + sqrt(plus_root) - sqrt(minus_root); infinite, if sign is 1 or -1.

    >>> Amount(log_of=Fraction(4)).bracket()[1]
    1.3862943611198908
    """

    rational: Fraction = Fraction(0)
    log_of: Fraction = Fraction(1)
    plus_root: Fraction = Fraction(0)
    minus_root: Fraction = Fraction(0)
    sign: int = 0

    def minus(self, other: Amount) -> Amount:
        """The difference of two scores, which have no plus_root; two equal infinities differ by nothing."""
        if self.sign or other.sign:
            return Amount(sign=0 if self.sign == other.sign else self.sign or -other.sign)
        rational, log_of = self.rational - other.rational, self.log_of / other.log_of
        if self.minus_root == other.minus_root:
            return Amount(rational, log_of)
        return Amount(rational, log_of, plus_root=other.minus_root, minus_root=self.minus_root)

    def exceeds(self, limit: float) -> bool:
        """Whether the amount is above a limit, decided exactly; beyond 300 digits two square roots count as equal."""
        if self.sign or math.isinf(limit):
            return _infinite(self.sign) > limit
        if self._is_rational():
            return self.rational > Fraction(limit)
        value, error = self._rough()
        if abs(value - limit) > error + _ROUGH * abs(limit):
            return value > limit
        for digits in DIGITS:
            lower, upper = replace(self, rational=self.rational - Fraction(limit)).enclosed(digits)
            if lower > 0 or upper <= 0:
                return lower > 0
        return False

    def __gt__(self, other: Amount) -> bool:
        """Whether this is the larger one of two, to 60 digits; so that `max` takes the first of the largest."""
        if self.sign or other.sign:
            return self.sign > other.sign
        if self._is_rational() and other._is_rational():
            return self.rational > other.rational
        (first, error), (second, slack) = self._rough(), other._rough()
        if abs(first - second) > error + slack:
            return first > second
        return sum(self.enclosed(DIGITS[0])) > sum(other.enclosed(DIGITS[0]))

    def bracket(self) -> tuple[float, float]:
        """The largest double that is not above the amount, and the smallest that is not below it."""
        if self.sign:
            return _infinite(self.sign), _infinite(self.sign)
        if self._is_rational():
            return doubles_around(self.rational)
        lower, upper = self.enclosed(DIGITS[0])
        return doubles_around(Fraction(lower))[0], doubles_around(Fraction(upper))[1]

    def _is_rational(self) -> bool:
        return self.log_of == 1 and not (self.plus_root or self.minus_root)

    def _rough(self) -> tuple[float, float]:
        """The amount in doubles and a generous bound on its error, infinite where doubles do not reach."""
        try:
            parts = [float(self.rational), math.sqrt(self.plus_root), -math.sqrt(self.minus_root)]
        except OverflowError:
            return 0.0, math.inf
        parts += [math.log(self.log_of.numerator), -math.log(self.log_of.denominator)]
        return math.fsum(parts), _ROUGH * (1.0 + math.fsum(map(abs, parts)))

    def enclosed(self, digits: int) -> tuple[Decimal, Decimal]:
        """A lower and an upper bound, each part computed to so many digits."""
        context = Context(prec=digits + _GUARD)
        parts = [_decimal(self.rational, context)]
        if self.log_of != 1:
            parts.append(context.ln(_decimal(self.log_of, context)))
        parts += [_root(self.plus_root, context), context.minus(_root(self.minus_root, context))]
        total = Decimal(0)
        for part in parts:
            total = context.add(total, part)
        # The logarithm moves by the relative error of its argument, so 1 is added to the size of the parts.
        size = context.add(sum((abs(part) for part in parts), Decimal(0)), Decimal(1))
        error = context.multiply(size, Decimal(10) ** (2 - digits))
        return context.subtract(total, error), context.add(total, error)


ZERO = Amount()


def log_ratio(p: Fraction, q: Fraction) -> Amount:
    """The logarithm of p/q, infinite where q is 0."""
    return Amount(log_of=p / q) if q > 0 else Amount(sign=1)


def _decimal(value: Fraction, context: Context) -> Decimal:
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def _root(square: Fraction, context: Context) -> Decimal:
    return context.sqrt(_decimal(square, context))


def _infinite(sign: int) -> float:
    return math.inf * sign if sign else 0.0
