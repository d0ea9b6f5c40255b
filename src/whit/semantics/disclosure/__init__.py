"""Disclosure: what an adversary learns about whether a person is in the data, and with which value.

risk    bounds on relative and absolute risk, and the losses of adding and replacing that they rest on
bound   their arithmetic, on the safe side; the largest epsilon that meets a limit; the risk of each outcome
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
