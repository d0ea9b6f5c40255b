"""From one promise to another: a directed graph, of which each edge is a theorem.

graph                 convert: the best over all paths, and by which theorems
step                  one theorem as an edge
free                  what is free to choose about the target
points, whole         edges to one point (epsilon, delta), and to whole families of bounds
kept                  edges from the curve of a release to what its noise keeps
semantic, relations   edges to beliefs and back; to other neighbours and to groups
tails, concentrated   the formulas behind them, as numbers
implied               the way back: which promise follows from a bound on beliefs
beliefs               semantic privacy as numbers
indistinguishability  the lemmas of Kasiviswanathan and Smith (2014)
safely                rounding to the safe side, and the search for a free parameter
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
