"""The waist: what a release puts between two neighbouring datasets, as a pair of distributions (P, Q).

promise       the waist as a type: what bounds a release, and the questions to it
questions     the questions, as kernels on a curve
names         what a promise is called, in a few words
losses        the loss that is never exceeded, seldom exceeded, or proof against mixing
profile_points  what points of a profile bound the loss by
face          what can be asked of any pair, and of the worst of several; the order in which a bound dominates
finite        pairs with finitely many outcomes, and their exact composition
distinct_sums finite pairs on a common lattice: many copies, few different sums
gaussian      the Gaussian pair, in closed form
ever          tails at every moment, of Gaussian noise and of equal coins
laplace       the Laplace pair, in closed form; several equal releases, as splines
logistic      the logistic pair, in closed form: the worst of losses within a range
discrete_gaussian  sums of discrete Gaussian noise: a lattice of losses, listed up to a negligible part
estimate      many equal releases to a few digits, for searches
cells         densities, cell by cell, between a lower and an upper pair
profile       a profile through known points (epsilon, delta), by chords
tradeoff      trade-off functions and bounds on the power, through known points
mixture       Gaussian noise where the change is random, in closed form
told_mixture  one of several pairs, where the release says which
subsampled    one release on a Poisson sample, in closed form; of finitely many losses, by mixing them
replaced      a replaced record, from what a removed and an added one tell
steps         several steps from dataset to dataset: what is left of a promise for a group
block         a promise to somebody on whom others depend
by_chords     tails and the lowest line from the chords of an exact profile
lowest_line   the power of a composition: where its best test is, and the lines around
contour       the certified contour engine: long compositions by their transform
lattice_pairs one release between two finite pairs on a lattice
lattice_sums  sums of these, with the profile and the power at every place
lattice_steps the step of a lattice for few releases
lattice_bound releases known from above only, composed on a lattice
even_lattice  few releases on the lattice that other accountants use, from above
far_out       where the losses of a composition end, by Chernoff's bound
short_sum     few releases on a lattice, and whether that or the transform is the better way
close_sum     two releases and finite ones, by polygons with corners of their own
two_laplaces  two Laplace releases of any scales, in closed form
beside_atoms  one release in closed form beside others with finitely many losses
slack         what is not exact in the releases of a composition themselves
numerical     compositions by their transform, between certified bounds
curve         a face with its direction, order and theorems: answers are findings
covering      the smallest Gaussian curve that lies nowhere below another
divergences   Rényi divergences, from the transform of the loss
levels        the level of a test from its power
composition   one curve for several releases, in closed form, by enumeration or by the kinds of its faces
imported      curves that others computed: tables, and objects of other libraries
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
