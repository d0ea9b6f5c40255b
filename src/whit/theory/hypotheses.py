"""What must be so of a question for a theorem to answer it, in a few words for each field.

Assumptions are about the world, and nobody but a reader can check them. These are about what was asked: between which
neighbours, by whom, and over which chance a statement may fail. A test compares them with every finding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from whit.errors import InvalidInput

ANY = "any"
"""Stands for all words of a field."""

WORDS: Mapping[str, tuple[str, ...]] = {
    "neighbours": ("add-remove", "replace", "local"),
    "order": ("profile", "loss"),
    "sides": ("one", "two"),
    "knowledge": ("any-belief", "everyone-else"),
    "randomness": ("mechanism", "belief", "simulation"),
    "adaptivity": ("mechanisms", "parameters", "order", "stopping"),
}
"""The words of each field."""

LABELS: Mapping[str, str] = {
    "neighbours": "neighbours",
    "order": "what is known of the release",
    "sides": "changes of a belief",
    "knowledge": "what the adversary knows about the others",
    "randomness": "what a failure probability is over",
    "adaptivity": "what earlier outputs may choose",
}
"""What each field is, for a reader."""

PLAIN: Mapping[str, str] = {
    "profile": "a bound on its privacy profile",
    "loss": "a bound on its privacy loss",
    "one": "rises",
    "two": "rises and falls",
    "any-belief": "any belief",
    "everyone-else": "everyone else",
    "mechanism": "the noise",
    "belief": "the adversary's belief",
    "simulation": "the draws of an estimate",
    "mechanisms": "the kinds of later releases",
    "parameters": "their parameters",
    "order": "their order",
    "stopping": "when to stop",
}
"""Words of the fields, for a reader; the others are plain as they are."""


@dataclass(frozen=True)
class Hypotheses:
    """For which questions a theorem holds: each field has the words of those for which it does.

    Attributes:
        neighbours: the relations between the two datasets.
        order: in which sense a curve may lie above the truth: in the profile only, or in the loss as well.
        sides: whether only rises of a belief may be asked about, or falls too.
        knowledge: what the adversary may know of the others.
        randomness: what a chance of failure may be over.
        adaptivity: what of several releases may be chosen by what came out before; nothing where it is about one.

    >>> from whit.theory import theorem
    >>> theorem("poisson-subsampling").hypotheses.neighbours
    ('add-remove',)
    """

    neighbours: tuple[str, ...]
    order: tuple[str, ...]
    sides: tuple[str, ...]
    knowledge: tuple[str, ...]
    randomness: tuple[str, ...]
    adaptivity: tuple[str, ...]

    @classmethod
    def of(cls, key: str, table: object) -> Hypotheses:
        """The hypotheses of a theorem, from its table: for each field a list of its words, or "any"."""
        names = [each.name for each in fields(cls)]
        if not isinstance(table, dict) or set(table) != set(names):
            rule, way_out = f"must be a table with {', '.join(names)}", 'Give each a list of its words, or "any".'
            raise InvalidInput(f"the hypotheses of theorem {key!r}", rule, table, way_out)
        return cls(**{name: _words(key, name, table[name]) for name in names})

    def to_dict(self) -> dict[str, list[str]]:
        """The words by field."""
        return {each.name: list(getattr(self, each.name)) for each in fields(self)}

    def in_words(self) -> dict[str, str]:
        """What each field is, and its words as a text: that all are meant, or none.

        >>> from whit.theory import theorem
        >>> theorem("losses-add").hypotheses.in_words()["what earlier outputs may choose"]
        'nothing'
        """
        return {LABELS[name]: _text(name, words) for name, words in self.to_dict().items()}


def _words(key: str, name: str, given: Any) -> tuple[str, ...]:
    """The words of one field, in their own order; only what may be chosen on the way may be nothing."""
    known = WORDS[name]
    if given == ANY:
        return known
    listed = given if isinstance(given, list) else [given]
    right = all(word in known for word in listed) and len(set(listed)) == len(listed)
    if right and (listed or name == "adaptivity"):
        return tuple(word for word in known if word in listed)
    rule = f"must be {ANY!r} or words out of {', '.join(known)}"
    raise InvalidInput(f"the {name} of theorem {key!r}", rule, given, "Correct its hypotheses.")


def _text(name: str, words: list[str]) -> str:
    if not words:
        return "nothing"
    return (
        ANY
        if len(words) == len(WORDS[name]) and name != "adaptivity"
        else ", ".join(PLAIN.get(word, word) for word in words)
    )
