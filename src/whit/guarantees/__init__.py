"""Promises, as values: what is guaranteed about every pair of neighbours.

guarantee                   what all have in common: parameters, relation, tails, properties; the list of the kinds
epsilon_delta               epsilon, epsilon with delta, and a tail of the loss, one- or two-sided
bounded_range               losses within a range, as the exponential mechanism has them
renyi, renyi_orders         Rényi divergences at some orders or at all (zero-concentrated)
renyi_face, joint_range     what they say of tests, and of delta
fdp                         trade-off functions, the Gaussian one among them
probabilistically_bounded   pbdp, a point or a curve
semantic                    beliefs with and without a record
composition                 several promises together
filters, books              budgets from which releases are paid that are chosen on the way; several of them at once
conversions                 from one promise to another
amplification               what a promise becomes on a sample
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
