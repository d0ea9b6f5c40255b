"""The facts at the head of a report: who releases, what is protected, and what is promised."""

from __future__ import annotations

from whit.spec import Release
from whit.telling.reports.wording import Words


def facts(request: Release, words: Words) -> tuple[tuple[str, str], ...]:
    """Publisher, unit of protection and promise, by name."""
    stated = words("fact.stated", promise=request.series.words, neighbours=neighbours(request, words))
    return (
        (words("fact.publisher"), request.publisher),
        (words("fact.unit"), protected(request, words)),
        (words("fact.promise"), stated),
    )


def neighbours(request: Release, words: Words) -> str:
    """Which datasets the promise is about, as a sentence."""
    return words(f"neighbours.{request.series.neighbours.name.lower()}")


def protected(request: Release, words: Words) -> str:
    """What is protected, with how many releases that is about."""
    unit = {"unit": request.unit.name, "period": words.period(request.unit.period)}
    number = request.series.releases
    if number == 1:
        return words("fact.protected", **unit)
    key = "fact.protected_all" if request.covers_all else "fact.protected_each"
    return words(key, **unit, number=words.count(number))
