"""The audit of releases without noise: what an adversary can still believe possible, with proofs that add up.

statement      what is said about one cell: exact, rounded, a range, top-coded, suppressed with what the rule tells
order          values in order, and their median
people         a few people with counts, means and medians, and every dataset that fits
publication    statements about cells, and the equations between cells; several publications together
tables         tables of any dimensions with hierarchies, and the equation of every total
knowledge      what an adversary knows beforehand
system         both together: whole numbers between ends that satisfy equations
certificate    tables that are left, and sums of equations that cannot come out
at_once        many certificates at once, in machine numbers that cannot overflow
verifying      the check of certificates, in whole numbers alone
proof_document certificates as a JSON document, and back
derivation     a proof as the sum that a reader does on paper
component      the parts of a system that have nothing to do with each other
propagation    ends that follow from one equation at a time
simplex        linear programs in whole numbers
seen           how far each cell went in the tables seen so far
neighbourhood  the same for large components, a part at a time, by a solver whose word is checked
first_table    a first table of a large component, or why there is none, by that solver
search         tables and proofs in one component
one_free       components with one free number
rectangle      whole rectangles with both margins
counting       how many tables are left
sampling       the same, about, by tables that are filled at random
remaining      the values that are left for a cell, and why
rules          threshold, minimum frequency, p % and dominance: certain knowledge of one adversary, or a proxy
shown          what is left, as a notebook shows it
prior          named priors over the tables that are possible
equal_law      the same law for every cell that is counted by itself
belief         what somebody with a prior believes about what is left
classes        how far that can be from the belief by another prior, near the named one
persuaded      how much better somebody predicts after a release without noise
exact_and_noisy  an exact and a noisy release together
law_of_others  how many of the others are in a count
others         a count without noise, for somebody to whom the others are the noise
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
