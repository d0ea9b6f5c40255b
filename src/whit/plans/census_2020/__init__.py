"""The 2020 Census redistricting data as a release plan: Kifer et al. (2022), section 8.

production   the plan, from Tables 3 to 5
scenarios    the concerns A to H, with the rho that is printed and the rho that follows
tables       Tables 2 and 6
figures      the numbers behind Figures 1 to 15
"""

from whit.plans.census_2020.figures import FIGURES, Series, figure
from whit.plans.census_2020.production import plan
from whit.plans.census_2020.scenarios import PRINTED_POWERS, PRINTED_RHOS, SCENARIOS, Scenario, scenario
from whit.plans.census_2020.tables import PowerRow, table_2, table_6

__all__ = [
    "FIGURES",
    "PRINTED_POWERS",
    "PRINTED_RHOS",
    "SCENARIOS",
    "PowerRow",
    "Scenario",
    "Series",
    "figure",
    "plan",
    "scenario",
    "table_2",
    "table_6",
]
