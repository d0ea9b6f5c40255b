"""From one promise to another: a directed graph whose edges are theorems.

graph                 convert: the best over all paths, and by which theorems
conversion            what came of it, and how a notebook shows it
step                  one theorem as an edge, and what is free to choose about the target
points, whole         edges to one point (epsilon, delta), and to whole families of bounds
tails                 the formulas behind them, as numbers
beliefs               semantic privacy as numbers, and the edges to beliefs and back
implied               the way back: which promise follows from a bound on beliefs
indistinguishability  the lemmas of Kasiviswanathan and Smith (2014)
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
