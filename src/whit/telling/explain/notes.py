"""Short explanations that belong to some promises and not to others, and when each applies."""

from __future__ import annotations

from whit.guarantees import ApproxDP, ProbabilisticDP, PureDP
from whit.mechanisms import Mechanism
from whit.telling.explain.subject import Subject

COMPOSITION = (
    "losses-add",
    "dominating-pairs-compose",
    "basic-composition",
    "advanced-composition",
    "advanced-composition-heterogeneous",
    "optimal-composition",
    "optimal-composition-list",
    "optimal-composition-heterogeneous",
    "zcdp-composition",
    "renyi-composition",
    "gaussian-composition",
    "unit-change-by-composition",
)
"""The theorems by which several releases are counted together."""


def notes_of(subject: Subject) -> tuple[str, ...]:
    """Keys of the explanations that apply, the most important first."""
    found = (*_about_failure(subject), *_about_composition(subject), *_about_noise(subject))
    return tuple(dict.fromkeys(found))


def _about_failure(subject: Subject) -> tuple[str, ...]:
    """Pure against approximate, and what delta is."""
    kind, fails = subject.kind, any(finding.basis.failures for finding in subject.findings)
    if kind is PureDP and not fails:
        return ("pure",)
    if kind is ApproxDP and subject.promise.get("delta") != 0.0:
        return ("approximate", "delta")
    if kind is ProbabilisticDP:
        return ("probabilistic",)
    return ("tail",) if fails else ()


def _about_composition(subject: Subject) -> tuple[str, ...]:
    composed = set(COMPOSITION) & set(subject.basis) or "parts" in subject.promise
    return ("composition",) if composed else ()


def _about_noise(subject: Subject) -> tuple[str, ...]:
    if "concern-to-queries" in subject.basis:  # a plan knows the noise of each of its queries
        return ("noise_known",)
    if subject.kind is None:
        return ()
    return ("noise_known",) if issubclass(subject.kind, Mechanism) else ("noise_unknown",)
