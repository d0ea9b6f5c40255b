"""Tests: how often an adversary is right at a given rate of false alarms, and what a verdict is worth.

powers             the largest power at a level, the smallest level of a power, power minus level
inference          how often a guess about a record succeeds: reconstruction, attributes, names
posteriors         the best guess, and the belief after a rejection
likelihood_ratio   the tails of the loss, and the most powerful test of a mechanism

P is the law of the output on one dataset, Q that on its neighbour; a test rejects Q, and decides for P. Every answer is
that of the worse of the two orders, unless an orientation is named.
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
