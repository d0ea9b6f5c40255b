"""Releases that were made in the world, with the risks that follow from what they state.

deployment        one release: who, what, when, for whom, and the parameters as its source states them
reading           the releases, from deployments.toml
risks             what an adversary may learn from it, worked out anew
deployments.toml  the facts, in our own words, each with its source

An epsilon for a person and one for a person's day are different promises. So releases stand in groups of one unit of
privacy and are never ranked across groups.
"""

from whit.telling.catalogue.deployment import Deployment, Model, Noise, Undisclosed
from whit.telling.catalogue.reading import by_unit, deployments, undisclosed, with_unit
from whit.telling.catalogue.risks import FAILURE, LEVEL, PRIOR, Risks, belief, risks

__all__ = [
    "FAILURE",
    "LEVEL",
    "PRIOR",
    "Deployment",
    "Model",
    "Noise",
    "Risks",
    "Undisclosed",
    "belief",
    "by_unit",
    "deployments",
    "risks",
    "undisclosed",
    "with_unit",
]
