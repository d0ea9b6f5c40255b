"""The facts at the head of a report: who releases, what is protected, and what is promised."""

from __future__ import annotations

from whit.spec import Release, Series
from whit.telling.reports.document import clipped
from whit.telling.reports.wording import Words

NAME = 60
"""So many letters of the name of one promise are printed."""


def facts(request: Release, words: Words) -> tuple[tuple[str, str], ...]:
    """Publisher, unit of protection and promise, by name."""
    return (
        (words("fact.publisher"), request.publisher),
        (words("fact.unit"), protected(request, words)),
        (
            words("fact.promise"),
            words("fact.stated", promise=stated(request, words), neighbours=neighbours(request, words)),
        ),
    )


def stated(request: Release, words: Words) -> str:
    """What is promised; of several promises each with its number and its name."""
    if len(request.promises) < 2:
        return words.promise(request.series.words)
    said = [
        words(f"fact.{'named' if each.name else 'numbered'}", number=words.count(place), **_name(each, words))
        for place, each in enumerate(request.promises, start=1)
    ]
    return "; ".join(said)


def _name(promise: Series, words: Words) -> dict[str, str]:
    return {"promise": words.promise(promise.words), **({"name": clipped(promise.name, NAME)} if promise.name else {})}


def neighbours(request: Release, words: Words) -> str:
    """Which datasets the promise is about, as a sentence."""
    return words(f"neighbours.{request.series.neighbours.name.lower()}", unit=words.one(request.unit.name))


def protected(request: Release, words: Words) -> str:
    """What is protected, with how many releases that is about."""
    unit = {"unit": words.one(request.unit.name), "period": words.period(request.unit.period)}
    number = request.releases
    if number == 1:
        return words("fact.protected", **unit)
    key = "fact.protected_all" if request.covers_all else "fact.protected_each"
    key = "fact.protected_open" if request.leaves_period_open else key
    return words(key, **unit, number=words.count(number))
