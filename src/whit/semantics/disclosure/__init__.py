"""Disclosure: what an adversary learns about whether a person is in the data, and with which value.

risk        bounds on relative and absolute risk, at given beliefs and at all of them; their two factors
exact       the risk of each outcome of a finite mechanism
inversion   the largest epsilon that keeps to a limit
losses      the losses of adding and of replacing a record that the bounds rest on
bound       their arithmetic, on the safe side
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
