"""Promises, as values: what is guaranteed about every pair of neighbours.

promise                     what all have in common: a curve, and the questions to it
properties                  what is known of each as a definition
pure, approximate           epsilon, and epsilon with delta
probabilistic               a tail of the loss, one- or two-sided
zero_concentrated, renyi    Rényi divergences
gaussian, fdp               trade-off functions
probabilistically_bounded   pbdp, a point or a curve
bounded_curve               the points of pbdp that a curve gives, and the level of a test from its power
semantic                    beliefs with and without a record
composition                 several promises together
conversions                 from one promise to another
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(
    __name__,
    {
        "approximate": ("ApproxDP",),
        "bounded_curve": ("bounded_delta", "bounded_epsilon", "log_level"),
        "composition": (
            "Composition",
            "advanced_composition",
            "basic_composition",
            "compose",
            "gaussian_composition",
            "heterogeneous_composition",
            "optimal_composition",
            "optimal_composition_list",
            "optimal_heterogeneous_composition",
            "renyi_composition",
            "zcdp_composition",
        ),
        "conversions": ("Conversion", "Edge", "convert"),
        "dominating": ("dominating_pair",),
        "fdp": ("FDP",),
        "gaussian": ("GaussianDP",),
        "probabilistic": ("ProbabilisticDP",),
        "probabilistically_bounded": ("ProbabilisticallyBoundedCurve", "ProbabilisticallyBoundedDP"),
        "promise": ("Promise",),
        "properties": ("Known", "Properties", "Property"),
        "pure": ("PureDP",),
        "renyi": ("RenyiDP",),
        "semantic": ("SemanticPrivacy",),
        "zero_concentrated": ("ZeroConcentratedDP",),
    },
    modules=("composition", "conversions"),
)
