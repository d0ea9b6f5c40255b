"""The certified contour engine: from the exact transform of the loss to its profile and tails, without a grid.

What is composed:
composition          one kind of mechanism, by the transform of its loss and bounds on it; and multisets of kinds
gaussian             Gaussian noise
bounded              kinds whose loss is at most epsilon: randomized response, (epsilon, delta), Laplace noise
rules                kinds whose transform is a finite sum: atoms, or the nodes of a quadrature rule
discrete_gaussian    discrete Gaussian noise
subsampled           Gaussian and Laplace noise on a Poisson sample
replaced             Gaussian noise on a Poisson sample, with a replaced record
mixture              Gaussian noise where the change is random
told                 one of several samples, where the release says which
top                  the largest loss of one kind, and what lies just below it

What is asked, and how it is answered, from the outside in:
profile, tail        delta(epsilon) and the tails, between certified bounds
edge                 next to the largest loss, and at the smallest levels: bounds without an integral
refinement           from a requested width to a bracket: smooth less, level by level
question             profile, tail and their complements, each an integral with a weight and a line of its own; lattices
saddle               where to put the line, and which questions share it
inversion            one line: the trapezoid rule, the nodes that matter, a bound on each thing that is not exact in it
rotation             the sums of its terms at many places, which lie close together
floating             complex functions that keep their relative accuracy near zero
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
