"""A promise that follows from another one: by which steps, and how a notebook shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

# By these names, so that what makes HTML is loaded when something is shown.
from whit import display, theory
from whit.curves import Promise, promise_name
from whit.guarantees.conversions.step import Edge
from whit.guarantees.guarantee import Guarantee
from whit.theory import Basis, assumption

Path: TypeAlias = tuple[Edge, ...]


@dataclass(frozen=True, repr=False)
class Conversion:
    """A promise, and the theorems by which it follows.

    Attributes:
        result: the promise.
        path: the edges, from the source to the result.
        promises: the source, and what each edge led to; the last one is the result. For a composition those of its
            parts, one part after the other.
        basis: what the result rests on.
    """

    result: Guarantee
    path: Path
    promises: tuple[Promise, ...]
    basis: Basis

    def __str__(self) -> str:
        """The result, and one line for every step."""
        if not self.path:
            return f"{self.result!r} as it stands"
        steps = [f"  {edge} from {promise!r}" for edge, promise in zip(self.path, self.promises, strict=False)]
        return "\n".join([f"{self.result!r} by", *steps])

    def __repr__(self) -> str:
        by = ", ".join(edge.theorem for edge in self.path) or "as it stands"
        return f"<Conversion: {self._headline}; {by}>"

    @property
    def _headline(self) -> str:
        return f"{promise_name(self.promises[0])} implies {promise_name(self.result)}"

    def _repr_html_(self) -> str:
        """What a notebook shows: the result, a row for every step, and what it rests on."""
        rows = [
            (promise_name(promise), edge.entry.title, edge.theorem, edge.lost)
            for edge, promise in zip(self.path, self.promises, strict=False)
        ]
        steps = display.table(("from", "by", "key", "what is lost"), rows) if rows else "It is as it stands."
        lead = display.heading(f"{self._headline}.")
        return display.block(lead, steps, theory.rests_part(self.basis), theory.must_hold(self._assumed))

    @property
    def _assumed(self) -> tuple[str, ...]:
        """What must hold, in sentences."""
        asked = {"promises": theory.echo(self.promises), "neighbours": self.result.neighbours.name}
        changes = theory.change_texts(asked, self.basis)
        return (*changes, *(assumption(key).plain for key in self.basis.assumptions))
