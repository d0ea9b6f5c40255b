"""Several promises about the same people: what they promise together.

together         what promises come to: what is stated of them, and the curve by which questions are answered
sums             what epsilons and deltas add up to, beside the curve
rules            one rule for each kind of promise; promises of any kind, by their own rule or through their curves
approximations   the rules of (epsilon, delta): basic, advanced, optimal; for equal releases also as objects
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
