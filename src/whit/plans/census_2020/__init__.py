"""The 2020 Census redistricting data as a release plan: Kifer et al. (2022), section 8.

production   the plan, from Tables 3 to 5
scenarios    the concerns A to H, with the rho that is printed and the rho that follows
tables       Tables 2 and 6
figures      the numbers behind Figures 1 to 15
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
