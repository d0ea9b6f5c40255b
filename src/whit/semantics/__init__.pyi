from whit.semantics import counterfactual as counterfactual
from whit.semantics import disclosure as disclosure
from whit.semantics import membership as membership
from whit.semantics import testing as testing
