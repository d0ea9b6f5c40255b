"""Risk columns for tables of any size.

Rows are many and promises are few. An engine finds the distinct settings of a table, whit answers each of them once,
and the engine joins the answers back. So no formula is written a second time in the language of an engine, and every
engine gives the same numbers to the last bit.

>>> import pyarrow
>>> from whit.annotate import RiskColumns, annotate
>>> table = pyarrow.table({"person": ["a", "b", "c"], "epsilon": [0.5, 1.0, 0.5]})
>>> found = annotate(table, RiskColumns(same={"prior": 0.1}))
>>> found.settings, [round(each, 4) for each in found.data["posterior"].to_pylist()]
(2, [0.1548, 0.232, 0.1548])
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
