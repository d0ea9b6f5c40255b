"""What a notebook shows: pieces of HTML, data frames, and a sign that something is at work.

html      escaped paragraphs, tables and badges in one block that is readable on light and on dark pages
frames    rows of plain values as a data frame of pandas or polars, and what has such rows
several   several values as one table
waiting   a bar in a notebook, a line in a terminal, for what takes long
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
