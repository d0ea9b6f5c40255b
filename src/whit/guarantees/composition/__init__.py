"""Several promises about the same people: what they promise together.

result           a composition: the promise, the theorem, and whether it holds adaptively
rules            one rule for each kind of promise
repeated         the rules of (epsilon, delta) for equal releases, as objects
approximations   the rules of (epsilon, delta): basic, advanced, optimal
compose          promises of any kind, by their own rule or through their curves
"""

from whit.guarantees.composition.approximations import (
    advanced_composition,
    heterogeneous_composition,
    optimal_composition,
    optimal_composition_list,
    optimal_heterogeneous_composition,
)
from whit.guarantees.composition.compose import compose
from whit.guarantees.composition.repeated import AdvancedComposition, ListedComposition, OptimalComposition
from whit.guarantees.composition.result import Composition
from whit.guarantees.composition.rules import (
    basic_composition,
    gaussian_composition,
    renyi_composition,
    zcdp_composition,
)

__all__ = [
    "AdvancedComposition",
    "Composition",
    "ListedComposition",
    "OptimalComposition",
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
]
