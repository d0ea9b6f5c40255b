"""Tables without noise and what is acceptable of them: limits on what is left for a cell, audits, and repairs.

cell_limits   values left, the width of what is left, a belief, and the levels that a file of an office asks for
outcome       every cell that is not exact, every reader, every limit: kept or not, with the proof
repair        the fewest further suppressions, or the smallest rounding base, with which the limits are kept
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
