"""A claim as somebody states it: a promise, and what is said of its unit, its period and all that it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from whit.setting import UnitOfPrivacy
from whit.spec.given import Given
from whit.spec.promise import ALSO, CLIPPED, Series, promise_of, together_of
from whit.spec.unit import COVERS

SAID = ("unit", "period", "covers", "contributions", "unprotected", "adaptive", "sampling")
"""What a claim is stated with, beside the words of its promise."""

WHOLE = [["all"], ["everything"], ["ever"], ["whole"], ["lifetime"], ["all", "data"], ["whole", "data"]]
"""Words for a period without an end."""


@dataclass(frozen=True)
class Claim:
    """A claim of differential privacy.

    Attributes:
        promises: each promise that is claimed, with how many releases it is made for.
        stated: the words that it is stated with; neighbours only where every promise names them.
        unit: what one record stands for; empty if it is not said.
        period: the time that the promise covers; empty if it is not said.
        said: what else is said, by name.
        delta: the delta that is stated beside a noise, which is known without it.
    """

    promises: tuple[Series, ...]
    stated: frozenset[str]
    unit: str
    period: str
    said: dict[str, str]
    delta: float | None = None

    @property
    def series(self) -> Series:
        """The promise; of several, what they come to together."""
        return self.promises[0] if len(self.promises) == 1 else together_of(self.promises)

    @property
    def releases(self) -> int:
        """The most releases that one of its promises is made for."""
        return max(each.releases for each in self.promises)

    @property
    def protected(self) -> UnitOfPrivacy | None:
        """The unit of privacy, if the claim names one; without a period it is the whole of the data."""
        if not self.unit:
            return None
        return UnitOfPrivacy(self.unit, self.period) if self.period else UnitOfPrivacy(self.unit)


def claim_of(given: Given, others: Sequence[Given] = ()) -> Claim:
    """The claim that these names and values state; it may name other promises about the same people.

    >>> from whit.spec import pairs
    >>> claim_of(pairs("a claim", "epsilon=2, delta=1e-6, unit=user, period=day")).protected
    UnitOfPrivacy(name='user', period='one day')
    """
    multiplied = ["noise_multiplier" in each for each in (given, *others)]
    given = _renamed(given)
    promise = replace(given, values={key: value for key, value in given.values.items() if key not in SAID})
    said = {key: given.words(key) for key in SAID if key in given}
    delta = None
    if "delta" in given and "epsilon" not in given:  # stated beside the noise, which is known without it
        delta = given.number("delta")
        promise = replace(promise, values={key: value for key, value in promise.values.items() if key != "delta"})
    stated = (promise, *map(_renamed, others))
    promises = tuple(
        promise_of(_clipped(each) if clipped else each) for each, clipped in zip(stated, multiplied, strict=True)
    )
    if "covers" in given:
        whole, number = given.word("covers", COVERS), sum(each.releases for each in promises)
        each = f"each of {number:,} releases" if number > 1 else "each release"
        said["covers"] = f"all {number:,} releases together" if whole else each
        promises = tuple(replace(each, releases=1) for each in promises) if whole else promises
    unit, period = (said.pop(key, "") for key in ("unit", "period"))
    unnamed = set() if all("neighbours" in each for each in stated) else {"neighbours"}
    words = frozenset(word for each in stated for word in each.values) - unnamed
    return Claim(promises, words, unit, _one(period), said, delta)


def _renamed(given: Given) -> Given:
    """The same in the words of the grammar; each thing may be said once."""
    for word, name in ALSO.items():
        if word in given and name in given:
            raise given.refuse(
                word, f"must not stand beside {given.key(name)}, which is the same", "State one of them."
            )
        given = given.renamed(word, name) if word in given else given
    return given


def _clipped(given: Given) -> Given:
    """The same with the sensitivity of clipped gradients, if none is stated."""
    return given if "sensitivity" in given else replace(given, values={**given.values, "sensitivity": CLIPPED})


def _one(period: str) -> str:
    """A period as the catalogue writes it: "day" and "a day" are "one day"."""
    words = period.lower().split()
    if words in WHOLE:
        return "the whole of the data"
    if words and words[0] in ("a", "per", "each", "every", "one"):
        words = words[1:]
    return f"one {words[0]}" if len(words) == 1 else period
