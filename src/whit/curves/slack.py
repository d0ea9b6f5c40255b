"""What is not exact in the mechanisms of a composition themselves."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Slack:
    """Absolute errors of losses, and relative errors of masses."""

    loss: float = 0.0
    mass: float = 0.0

    def plus(self, other: Slack, copies: int) -> Slack:
        """The slack when so many copies of another release are added."""
        return Slack(self.loss + copies * other.loss, self.mass + copies * other.mass)


EXACT = Slack()
