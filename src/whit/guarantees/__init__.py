"""Promises, as values: what is guaranteed about every pair of neighbours.

guarantee                   what all have in common: parameters, relation, tails
properties                  what is known of each as a definition
pure, approximate           epsilon, and epsilon with delta
probabilistic               a tail of the loss, one- or two-sided
zero_concentrated, renyi    Rényi divergences
gaussian, fdp               trade-off functions
probabilistically_bounded   pbdp, a point or a curve
semantic                    beliefs with and without a record
declarations                the kinds that are stated by one number
composition                 several promises together
conversions                 from one promise to another
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
