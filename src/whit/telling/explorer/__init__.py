"""The explorer: one HTML file that answers from tables, without Python and without a network.

page            the file: template, style, script and tables put together
tables          the tables, asked of whit and rounded up
tables.json     what they came to; a test compares them
arithmetic.js   from the tables to an answer, on the safe side
page.js         the form, the sentence, the pictures and the tables under them
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
