"""What every result offers: its findings, the one that speaks for all of them, and a plain tree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whit.theory.finding import Finding


class Answer(ABC):
    """A result of whit: a finding, several of them, or a sentence where there is none."""

    @property
    @abstractmethod
    def findings(self) -> tuple[Finding, ...]:
        """Every finding that the result is made of."""

    @property
    def worst(self) -> Finding | None:
        """The finding that the result is read by; None where there is none."""
        return next(iter(self.findings), None)

    def to_dict(self) -> dict[str, Any]:
        """The result as a plain tree, for JSON."""
        return {"findings": [each.to_dict() for each in self.findings]}

    def __repr__(self) -> str:
        """The result in one short line."""
        return f"<{type(self).__name__}: {str(self).partition(chr(10))[0]}>"
