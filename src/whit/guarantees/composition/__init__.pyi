from whit.guarantees.composition.approximations import AdvancedComposition as AdvancedComposition
from whit.guarantees.composition.approximations import BasicComposition as BasicComposition
from whit.guarantees.composition.approximations import ListedComposition as ListedComposition
from whit.guarantees.composition.approximations import OptimalComposition as OptimalComposition
from whit.guarantees.composition.approximations import advanced_composition as advanced_composition
from whit.guarantees.composition.approximations import heterogeneous_composition as heterogeneous_composition
from whit.guarantees.composition.approximations import optimal_composition as optimal_composition
from whit.guarantees.composition.approximations import optimal_composition_list as optimal_composition_list
from whit.guarantees.composition.approximations import (
    optimal_heterogeneous_composition as optimal_heterogeneous_composition,
)
from whit.guarantees.composition.rules import basic_composition as basic_composition
from whit.guarantees.composition.rules import compose as compose
from whit.guarantees.composition.rules import gaussian_composition as gaussian_composition
from whit.guarantees.composition.rules import renyi_composition as renyi_composition
from whit.guarantees.composition.rules import zcdp_composition as zcdp_composition
from whit.guarantees.composition.sums import least_delta as least_delta
from whit.guarantees.composition.sums import least_epsilon as least_epsilon
from whit.guarantees.composition.together import Composition as Composition
from whit.guarantees.guarantee import capped as capped
