"""The exact referee: small universes in which everything is known, by going through all of it.

universe     people, each absent or with a record; which datasets are neighbours; statements about the data
belief       a probability for each dataset, and what might have become of one person's record
world        a belief and a release: posteriors, ratios, distances, tests, and how probable each value of them is
analyst      somebody who chooses each release by what came out before, and the most that they reach
exact        the arithmetic in fractions, the best test between two laws, and the way back to findings

A universe of more than 100 000 datasets, or pairs of a dataset and an outcome, is refused.
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
