"""Several releases about the same people: one curve for all of them together.

together   the composition, by the shortest way that the curves allow

It knows every kind of loss there is, and is loaded when two curves are first composed.
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__, {"together": ("composed", "composed_faces")})
