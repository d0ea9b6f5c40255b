"""Persuasion: how much better an adversary scores after a release, for proper scores and classes of prior beliefs.

amount            exact arithmetic for scores: rationals, logarithms, square roots
beliefs           finite beliefs: two points, products, draws from a model; updating
classes           classes of priors: a list, two neighbours, any belief
scores            privacy functions and the proper scores that they generate
propriety         whether a score is proper, with a witness if not; the receiver who harms most
table             mechanisms on a finite universe, exactly
relative          the relative score and its law over the mechanism
search            the worst prior of a class
definition        is a mechanism private? smallest kappa and delta, and where they are worst
composition       several releases, and processing by the receiver and by the sender
differential      differential privacy as persuasion
statistics        linear statistics: totals, tables of totals, means
covariance        Gaussian priors by structure: independent, factors, blocks, full
solution          what statistics explain of each record, between bounds
gaussian_belief   a Gaussian belief, and what it becomes after a linear release
linear            any linear release under a Gaussian prior
gaussian_scores   several scores of a normal belief
least_noise       how much noise keeps a linear release below a limit
average           the published average and its class of priors
"""

from __future__ import annotations

from whit.front_door import front_door

# At once, because these names are also those of modules: loaded later, a module would take their place.
from whit.persuasion.least_noise import least_noise as least_noise

__all__, __getattr__, __dir__ = front_door(__name__)
