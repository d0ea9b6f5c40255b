"""Audits of tables without noise, as a page and as a picture.

page      one page: the outcome, one sentence for each cell that is known with its derivation, all cells, the picture
picture   what is left of each cell, as bars
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
