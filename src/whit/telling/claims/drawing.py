"""How the sample of a claim is drawn: what the numbers need, and what the claim says; an import has the same rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from whit.exchange import OpenPoint
from whit.spec import Claim, Series


@dataclass(frozen=True)
class _Rule:
    """What the numbers of a sample need.

    why         the sentence that says it
    condition   the same as a condition
    permits     whether they hold for what a claim says of it
    """

    why: str
    condition: str
    permits: Callable[[str], bool]


_RULES = {
    "sampling_rate": _Rule(OpenPoint.SAMPLING.value, "batches are Poisson samples", OpenPoint.SAMPLING.permits),
    "sample_size": _Rule(
        "The bound holds if every sample is drawn anew without replacement: all of this size are alike likely.",
        "samples are drawn anew without replacement",
        lambda said: said.lower() in ("without replacement", "anew without replacement"),
    ),
}
"""The rule of each kind of sample, by the word that states it."""

_NOTHING = ("", "yes", "a random sample")
"""What says no more than that there is a sample, or nothing at all."""


def conditions(claim: Claim, of: Sequence[Series] | None = None) -> list[str]:
    """What must be so of the samples of these promises, where the claim does not say how they are drawn."""
    return [each.condition for each in _rules(claim, of)] if _says_nothing(claim) else []


def why(claim: Claim) -> str:
    """What the numbers need of samples whose drawing is left open; empty where nothing is."""
    return " ".join(each.why for each in _rules(claim)) if _says_nothing(claim) else ""


def refusal(claim: Claim, of: Sequence[Series] | None = None) -> str:
    """Why no number follows for these promises, if the claim says that samples are drawn otherwise; else empty."""
    said = claim.said.get("sampling", "")
    broken = [] if _says_nothing(claim) else [each for each in _rules(claim, of) if not each.permits(said)]
    return f'{broken[0].why} The claim says "{said}", so no number follows from the sample.' if broken else ""


def _rules(claim: Claim, of: Sequence[Series] | None = None) -> list[_Rule]:
    """The rules of the samples of these promises; of all, if none are named."""
    stated = {word: [each for each in claim.with_word(word) if of is None or each in of] for word in _RULES}
    return [_RULES[word] for word, several in stated.items() if several]


def _says_nothing(claim: Claim) -> bool:
    return claim.said.get("sampling", "").lower() in _NOTHING
