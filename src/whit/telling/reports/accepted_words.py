"""What is accepted, as sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whit.policy import limits, profiles
from whit.telling.reports.sentences import percent
from whit.theory import Direction, Unit, number_text


def in_words(wanted: profiles.RiskProfile | limits.Limit) -> str:
    """What is accepted, as a sentence."""
    for kind, say in _SENTENCES.items():
        if isinstance(wanted, kind):
            return say(wanted)
    return f"{wanted!r}."


def _number(number: float) -> str:
    return number_text(number, Direction.EXACTLY, Unit.NUMBER, digits=6)


def _whom(domain: profiles.Domain) -> str:
    """The adversaries that a profile speaks about."""
    said = [
        f"{name} of {percent(low)}" if low == high else f"{name} from {percent(low)} to {percent(high)}"
        for name, (low, high) in (("an inclusion", domain.inclusion), ("a value", domain.value))
        if (low, high) != (0.0, 1.0)
    ]
    return f" This is said of adversaries with {' and '.join(said)}." if said else ""


def _at(prior: float | None) -> str:
    return "whatever the belief before" if prior is None else f"from {percent(prior)} before"


_SENTENCES: dict[type, Callable[[Any], str]] = {
    profiles.Flat: lambda x: (
        f"The probability of a disclosure may grow to at most {_number(x.relative)} times what it was before."
        f"{_whom(x.domain)}"
    ),
    profiles.Capped: lambda x: (
        f"The probability of a disclosure may grow to {percent(x.absolute)}, or to {_number(x.relative)} times what it "
        f"was before, whichever is more.{_whom(x.domain)}"
    ),
    profiles.Difference: lambda x: (
        f"The probability of a disclosure may rise by at most {percent(x.change)[:-2]} points in a hundred."
    ),
    profiles.AbsoluteCap: lambda x: f"The probability of a disclosure stays at {percent(x.absolute)} or below.",
    limits.PosteriorLimit: lambda x: (
        f"The belief in the truth stays at {percent(x.posterior)} or below, {_at(x.prior)}."
    ),
    limits.RatioLimit: lambda x: f"The belief in the truth grows at most {_number(x.ratio)} times, {_at(x.prior)}.",
    limits.DifferenceLimit: lambda x: (
        f"The belief in the truth rises by at most {percent(x.difference)[:-2]} points in a hundred, {_at(x.prior)}."
    ),
    limits.PowerLimit: lambda x: (
        f"A test with a false-alarm rate of {percent(x.level)} finds at most {percent(x.power)} of the true cases."
    ),
    limits.AdvantageLimit: lambda x: f"No test is better than guessing by more than {percent(x.advantage)}.",
    limits.PredictiveValueLimit: lambda x: (
        f"A positive of a test with a false-alarm rate of {percent(x.level)} is true with at most "
        f"{percent(x.predictive_value)}, {_at(x.prior)}."
    ),
}
