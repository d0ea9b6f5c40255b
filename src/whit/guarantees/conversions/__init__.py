"""From one promise to another: a directed graph, of which each edge is a theorem.

graph                 convert: the best over all paths, and by which theorems
step                  one theorem as an edge
free                  what is free to choose about the target
points, whole         edges to one point (epsilon, delta), and to whole families of bounds
kept                  edges from the curve of a release to what its noise keeps
semantic, relations   edges to beliefs and back; to other neighbours and to groups
tails, concentrated   the formulas behind them, as numbers
beliefs               semantic privacy as numbers
indistinguishability  the lemmas of Kasiviswanathan and Smith (2014)
safely                rounding to the safe side, and the search for a free parameter
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(
    __name__,
    {
        "beliefs": (
            "approximate_epsilon",
            "failure_by_conditioning",
            "level",
            "level_by_conditioning",
            "level_printed",
            "level_rest_known",
            "level_with_failure",
            "pure_epsilon",
        ),
        "concentrated": (
            "pure_gamma",
            "pure_mu",
            "pure_rho",
            "pure_rho_textbook",
            "renyi_one_sided_epsilon",
            "renyi_tail",
            "renyi_two_sided_epsilon",
            "zcdp_epsilon",
            "zcdp_one_sided_epsilon",
            "zcdp_tail",
            "zcdp_two_sided_epsilon",
        ),
        "step": ("Edge",),
        "graph": ("EDGES", "Conversion", "along", "convert", "edge", "edges", "reachable"),
        "indistinguishability": (
            "conditioning_failure",
            "delta_with_exceptions",
            "pointwise_failure",
            "pointwise_failure_tight",
            "total_variation",
            "total_variation_tight",
        ),
        "tails": ("largest_epsilon", "one_sided_epsilon", "one_sided_tail", "two_sided_epsilon", "two_sided_tail"),
    },
)
