"""Releases that were made in the world, with the risks that follow from what they state.

deployment        a release: who, what, when, for whom, its parameters, and what an adversary may learn from it
nearest           the releases that are most like a claim, with the difference of their units
frames            the catalogue as rows of a table and as a data frame
deployments.toml  the facts, in our own words, each with its source

An epsilon for a person and one for a person's day are different promises. So releases stand in groups of one unit of
privacy and are never ranked across groups.
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
