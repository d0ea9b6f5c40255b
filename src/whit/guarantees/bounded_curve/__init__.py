"""The points of pbdp that a curve gives, and the level of a test from its power.

points   bounded_epsilon, bounded_delta and log_level, for every kind of curve
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(
    __name__, {"points": ("bounded_delta", "bounded_epsilon", "log_crossing", "log_level")}
)
