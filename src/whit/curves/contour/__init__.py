"""The certified contour engine: from the exact transform of the loss to its profile and tails, without a grid.

What is composed:
kind                 what the engine must know of one kind of mechanism: the transform of its loss, and bounds on it
rules                kinds whose transform is a finite sum: atoms, or the nodes of a quadrature rule
laplace, atoms, randomized_response, discrete_gaussian, subsampled   the kinds; the Gaussian one is beside its base
composition          a multiset of kinds: its transform is a product, whatever the counts

What is asked, and how it is answered, from the outside in:
profile, tail        delta(epsilon) and the tails, between certified bounds
refinement           from a requested width to a bracket: smooth less, level by level
question             profile, tail and their complements, each an integral with a weight and a line of its own
groups               questions near one saddle point share a line
saddle               where to put the line
lattice              losses on one lattice need no smoothing
inversion            one line: the trapezoid rule, and a bound on each thing that is not exact in it
cover                which nodes of the line matter
floating             complex functions that keep their relative accuracy near zero
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
