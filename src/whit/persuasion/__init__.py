"""Persuasion: how much better an adversary scores after a release, for proper scores and classes of prior beliefs.

amount            exact arithmetic for scores: rationals, logarithms, square roots
beliefs           finite beliefs and their updating; classes of priors: a list, two neighbours, any belief
scores            privacy functions and the proper scores that they generate; whether a score is proper
relative          mechanisms on a finite universe, the relative score and its law over the mechanism
search            the worst prior of a class
definition        is a mechanism private? smallest kappa and delta; differential privacy as persuasion
composition       several releases, and processing by the receiver and by the sender
linear_model      linear statistics, and Gaussian priors by structure: independent, factors, blocks, full
solution          what statistics explain of each record, between bounds
gaussian          a Gaussian belief, what it becomes after a linear release, and the published average
gaussian_scores   several scores of a normal belief
linear            any linear release under a Gaussian prior, and the noise that keeps it below a limit
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
