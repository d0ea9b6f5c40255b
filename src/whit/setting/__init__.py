"""Whom a statement is about, and who is asking.

neighbours    which two datasets a promise compares; whom or what a record stands for
sensitivity   the most that the exact answer can differ between neighbours
parameter     the one number that a kind of promise is stated by
adversary     what the one who asks believes, knows, and allows for
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
