"""A claim as somebody states it: a promise, and what is said of its unit, its period and all that it rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whit.setting import UnitOfPrivacy
from whit.spec.given import Given
from whit.spec.promise import Series, promise_of
from whit.spec.unit import COVERS
from whit.theory import Direction, Unit, number_text

SAID = ("unit", "period", "covers", "contributions", "unprotected", "adaptive", "sampling")
"""What a claim is stated with, beside the words of its promise."""

ALSO = {"noise_multiplier": "gaussian", "steps": "releases"}
"""Words that papers about training have for what the grammar names otherwise."""

WHOLE = [["all"], ["everything"], ["ever"], ["whole"], ["lifetime"], ["all", "data"], ["whole", "data"]]
"""Words for a period without an end."""


@dataclass(frozen=True)
class Claim:
    """A claim of differential privacy.

    Attributes:
        series: the promise, with how many releases it is made for.
        stated: the words that it is stated with, as they were written.
        unit: what one record stands for; empty if it is not said.
        period: the time that the promise covers; empty if it is not said.
        said: what else is said, by name.
    """

    series: Series
    stated: frozenset[str]
    unit: str
    period: str
    said: dict[str, str]

    @property
    def protected(self) -> UnitOfPrivacy | None:
        """The unit of privacy, if the claim names one; without a period it is the whole of the data."""
        if not self.unit:
            return None
        return UnitOfPrivacy(self.unit, self.period) if self.period else UnitOfPrivacy(self.unit)


def claim_of(given: Given) -> Claim:
    """The claim that these names and values state.

    >>> from whit.spec import pairs
    >>> claim_of(pairs("a claim", "epsilon=2, delta=1e-6, unit=user, period=day")).protected
    UnitOfPrivacy(name='user', period='one day')
    """
    given = _renamed(given)
    promise = replace(given, values={key: value for key, value in given.values.items() if key not in SAID})
    said = {key: given.words(key) for key in SAID if key in given}
    if "delta" in given and "epsilon" not in given:  # stated beside the noise, which is known without it
        said["delta"] = number_text(given.number("delta"), Direction.EXACTLY, Unit.NUMBER)
        promise = replace(promise, values={key: value for key, value in promise.values.items() if key != "delta"})
    series = promise_of(promise)
    if "covers" in given:
        whole = given.word("covers", COVERS)
        each = f"each of {series.releases:,} releases" if series.releases > 1 else "each release"
        said["covers"] = f"all {series.releases:,} releases together" if whole else each
        series = replace(series, releases=1) if whole else series
    unit, period = (said.pop(key, "") for key in ("unit", "period"))
    return Claim(series, frozenset(promise.values), unit, _one(period), said)


def _renamed(given: Given) -> Given:
    """The same in the words of the grammar; each thing may be said once."""
    for word, name in ALSO.items():
        if word in given and name in given:
            raise given.refuse(
                word, f"must not stand beside {given.key(name)}, which is the same", "State one of them."
            )
        given = given.renamed(word, name) if word in given else given
    return given


def _one(period: str) -> str:
    """A period as the catalogue writes it: "day" and "a day" are "one day"."""
    words = period.lower().split()
    if words in WHOLE:
        return "the whole of the data"
    if words and words[0] in ("a", "per", "each", "every", "one"):
        words = words[1:]
    return f"one {words[0]}" if len(words) == 1 else period
