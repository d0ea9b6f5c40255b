"""From one promise to another: a directed graph, of which each edge is a theorem.

graph                 convert: the best over all paths, and by which theorems
edge                  one theorem as a step
free                  what is free to choose about the target
points, whole         edges to one point (epsilon, delta), and to whole families of bounds
semantic, relations   edges to beliefs and back; to other neighbours and to groups
tails, concentrated   the formulas behind them, as numbers
beliefs               semantic privacy as numbers
indistinguishability  the lemmas of Kasiviswanathan and Smith (2014)
safely                rounding to the safe side, and the search for a free parameter
"""

from whit.guarantees.conversions.beliefs import (
    approximate_epsilon,
    failure_by_conditioning,
    level,
    level_by_conditioning,
    level_printed,
    level_rest_known,
    level_with_failure,
    pure_epsilon,
)
from whit.guarantees.conversions.concentrated import (
    pure_gamma,
    pure_mu,
    pure_rho,
    pure_rho_textbook,
    renyi_one_sided_epsilon,
    renyi_tail,
    renyi_two_sided_epsilon,
    zcdp_epsilon,
    zcdp_one_sided_epsilon,
    zcdp_tail,
    zcdp_two_sided_epsilon,
)
from whit.guarantees.conversions.edge import Edge
from whit.guarantees.conversions.graph import EDGES, Conversion, along, convert, edge, edges, reachable
from whit.guarantees.conversions.indistinguishability import (
    conditioning_failure,
    delta_with_exceptions,
    pointwise_failure,
    pointwise_failure_tight,
    total_variation,
    total_variation_tight,
)
from whit.guarantees.conversions.tails import (
    largest_epsilon,
    one_sided_epsilon,
    one_sided_tail,
    two_sided_epsilon,
    two_sided_tail,
)

__all__ = [
    "EDGES",
    "Conversion",
    "Edge",
    "along",
    "approximate_epsilon",
    "conditioning_failure",
    "convert",
    "delta_with_exceptions",
    "edge",
    "edges",
    "failure_by_conditioning",
    "largest_epsilon",
    "level",
    "level_by_conditioning",
    "level_printed",
    "level_rest_known",
    "level_with_failure",
    "one_sided_epsilon",
    "one_sided_tail",
    "pointwise_failure",
    "pointwise_failure_tight",
    "pure_epsilon",
    "pure_gamma",
    "pure_mu",
    "pure_rho",
    "pure_rho_textbook",
    "reachable",
    "renyi_one_sided_epsilon",
    "renyi_tail",
    "renyi_two_sided_epsilon",
    "total_variation",
    "total_variation_tight",
    "two_sided_epsilon",
    "two_sided_tail",
    "zcdp_epsilon",
    "zcdp_one_sided_epsilon",
    "zcdp_tail",
    "zcdp_two_sided_epsilon",
]
