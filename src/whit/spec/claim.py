"""A claim as somebody states it: a promise, and what is said of its unit, its period and all that it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from whit import mechanisms
from whit.guarantees import ApproxDP, Guarantee
from whit.setting import UnitOfPrivacy
from whit.spec.given import Given
from whit.spec.promise import ALSO, CLIPPED, Series, promise_of, together_of
from whit.spec.unit import COVERS

SAID = ("unit", "period", "covers", "contributions", "unprotected", "adaptive", "sampling")
"""What a claim is stated with, beside the words of its promise."""

WHOLE = [["all"], ["everything"], ["ever"], ["whole"], ["lifetime"], ["all", "data"], ["whole", "data"]]
"""Words for a period without an end."""


@dataclass(frozen=True)
class EpsilonBesideNoise:
    """An epsilon that is stated beside the noise which is to give it.

    Attributes:
        epsilon: the epsilon as it is stated.
        delta: the delta that is stated with it; 0 if there is none.
        noise: the noise, and how many releases have it.
        for_each: whether the epsilon is taken for each of these releases by itself, and not for all of them.
        is_read: whether that is how the epsilon is read here, since the claim does not say what it covers.
    """

    epsilon: float
    delta: float
    noise: Series
    for_each: bool = False
    is_read: bool = False

    @property
    def series(self) -> Series:
        """The releases that the epsilon is stated for."""
        return replace(self.noise, releases=1) if self.for_each else self.noise


@dataclass(frozen=True)
class Claim:
    """A claim of differential privacy.

    Attributes:
        promises: each promise that is claimed, with how many releases it is made for.
        stated: the words that it is stated with; neighbours only where every promise names them.
        unit: what one record stands for; empty if it is not said.
        period: the time that the promise covers; empty if it is not said.
        said: what else is said, by name.
        deltas: each delta that is stated beside a noise or a promise which is known without it.
        words: the words that each promise is stated with.
        beside: each epsilon that is stated beside a noise.
    """

    promises: tuple[Series, ...]
    stated: frozenset[str]
    unit: str
    period: str
    said: dict[str, str]
    deltas: tuple[float, ...] = ()
    words: tuple[frozenset[str], ...] = ()
    beside: tuple[EpsilonBesideNoise, ...] = ()

    def with_word(self, word: str) -> tuple[Series, ...]:
        """The promises that are stated with a word."""
        return tuple(each for each, words in zip(self.promises, self.words, strict=True) if word in words)

    @property
    def open_to_cover(self) -> tuple[Series, ...]:
        """The promises for which it is open what they cover: each release, or all together.

        The noise of many releases is that of each of them, unless an epsilon is stated beside it.
        """
        if "covers" in self.said:
            return ()
        double = [each.noise for each in self.beside]
        of_each = [each.releases > 1 and not isinstance(each.one, Guarantee) for each in self.promises]
        return tuple(each for each, known in zip(self.promises, of_each, strict=True) if not known or each in double)

    @property
    def covering_all(self) -> tuple[Series, ...]:
        """The promises where each guarantee is for all of its releases together; noise stays that of each."""
        return tuple(map(_once, self.promises))

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
    texts = (promise, *map(_renamed, others))
    stated = tuple(map(_without_known, texts))
    deltas = tuple(each.number("delta") for each in texts if "delta" in each and not _is_approximate(each))
    promises = tuple(
        promise_of(_clipped(each) if clipped else each, also=(*SAID, *ALSO))
        for each, clipped in zip(stated, multiplied, strict=True)
    )
    whole = given.word("covers", COVERS) if "covers" in given else None
    doubly = [(each, noise) for each, noise in zip(texts, promises, strict=True) if _is_double(each)]
    beside = tuple(one for each, noise in doubly for one in _beside(each, noise, whole))
    if whole is not None:
        number = sum(each.releases for each in promises)
        each = f"each of {number:,} releases" if number > 1 else "each release"
        said["covers"] = f"all {number:,} releases together" if whole else each
        promises = tuple(map(_once, promises)) if whole else promises
    unit, period = (said.pop(key, "") for key in ("unit", "period"))
    unnamed = set() if all("neighbours" in each for each in stated) else {"neighbours"}
    words = tuple(frozenset(each.values) for each in stated)
    return Claim(promises, frozenset().union(*words) - unnamed, unit, _one(period), said, deltas, words, beside)


def _is_approximate(given: Given) -> bool:
    """Whether epsilon is the promise, and delta a part of it."""
    return "epsilon" in given and _own_words(given) is None


def _is_double(given: Given) -> bool:
    """Whether epsilon is stated beside a noise that is to give it."""
    return "epsilon" in given and _own_words(given) is not None


def _own_words(given: Given) -> set[str] | None:
    """The words of the noise that is stated by its own parameter; None where there is none."""
    every = (mechanisms.stated_by(kind) for kind in (*mechanisms.kinds(), *mechanisms.described()))
    return next(({each.word for each in details} for details in every if details[0].word in given), None)


def _without_known(given: Given) -> Given:
    """A promise without the epsilon and the delta that are stated beside it, since it is known without them."""
    if _is_approximate(given):
        return given
    left_out = {"epsilon", "delta"} - (_own_words(given) or set())
    return replace(given, values={key: value for key, value in given.values.items() if key not in left_out})


def _beside(given: Given, noise: Series, whole: bool | None) -> tuple[EpsilonBesideNoise, ...]:
    """The epsilon that is stated beside a noise, valid as if it stood alone; read both ways if it is not said which."""
    values = {key: given.values[key] for key in ("epsilon", "delta") if key in given}
    one: Any = promise_of(replace(given, values=values)).one
    delta = one.stated_delta if isinstance(one, ApproxDP) else 0.0
    is_read = whole is None and noise.releases > 1
    readings = (False, True) if is_read else (whole is False,)
    return tuple(EpsilonBesideNoise(one.stated_epsilon, delta, noise, each, is_read) for each in readings)


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


def _once(series: Series) -> Series:
    """A promise for all releases together counts once; noise is that of each release, however they are counted."""
    return replace(series, releases=1) if isinstance(series.one, Guarantee) else series


def _one(period: str) -> str:
    """A period as the catalogue writes it: "day" and "a day" are "one day"."""
    words = period.lower().split()
    if words in WHOLE:
        return "the whole of the data"
    if words and words[0] in ("a", "per", "each", "every", "one"):
        words = words[1:]
    return f"one {words[0]}" if len(words) == 1 else period
