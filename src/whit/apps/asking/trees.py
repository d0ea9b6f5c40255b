"""Releases, limits and verdicts as plain trees, in the words of options and files, so that they can be given back."""

from __future__ import annotations

from typing import Any

from whit import spec
from whit.apps.asking.spelling import without_python
from whit.curves import Promise
from whit.errors import NotImplied
from whit.mechanisms import parameter_of
from whit.policy import Recommendation, Verdict, own_number
from whit.theory import echo


def release_tree(release: Promise) -> Any:
    """A release by the names and values that state it; one that has no words there, as a document has promises."""
    try:
        return echo(spec.words_of(release))
    except NotImplied:
        return echo(release)


def wanted_trees(wanted: spec.Requirements) -> list[Any]:
    """Each limit, profile and total by the names and values that state it."""
    return [echo(spec.requirement_words(each)) for _, each in wanted.named]


def verdict_tree(verdict: Verdict) -> dict[str, Any]:
    """A verdict with all of its parts, and with what would do instead."""
    requirement: Any = verdict.requirement
    remedy = verdict.remedy
    several = isinstance(requirement, tuple | list)
    wanted = [echo(spec.requirement_words(each)) for each in (requirement if several else [requirement])]
    return {
        **verdict.to_dict(),
        "reason": verdict.reason if verdict.cause is None else without_python(verdict.reason),
        "requirement": wanted if several else wanted[0],
        "remedy": None if remedy is None else remedy_tree(remedy),
        "parts": [verdict_tree(each) for each in verdict.parts],
    }


def remedy_tree(found: Recommendation) -> dict[str, Any]:
    """A recommendation with its release in words."""
    release = None if found.unlimited else release_tree(found.release)
    return {**found.to_dict(), "release": release, "verdict": verdict_tree(found.verdict)}


def raised_tree(found: spec.Raised) -> dict[str, Any]:
    """Several promises with more noise in all of them: the factor, and each with its parameter as it was checked."""
    promises = [
        {
            "promise": at,
            "name": each.name,
            "parameter": parameter_of(each.one).name,
            "value": own_number(each.one),
            "release": release_tree(each.one),
            "releases": each.releases,
        }
        for at, each in enumerate(found.promises, start=1)
    ]
    factor = found.factor.parameter.to_dict()
    return {"factor": factor, "promises": promises, "verdict": verdict_tree(found.verdict)}
