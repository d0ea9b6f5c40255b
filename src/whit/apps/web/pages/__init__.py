"""The pages, one file each: a router, and where navigation leads.

home     the first page
explore  a promise or noise, an adversary, every answer, pictures
choose   what is acceptable, and the parameter of each family that meets it
claim    what a claim means, and what it leaves open
plan     what a set of queries reveals about one fact
report   the release file as a form, the decision sheet and the report
learn    schools, theorems, assumptions, published releases
"""

from __future__ import annotations

from whit.apps.web.pages import choose, claim, explore, home, learn, plan, report

ROUTERS = (home.router, explore.router, choose.router, claim.router, plan.router, report.router, learn.router)
"""What answers under which address."""

NAVIGATION = (
    ("/", "Start"),
    ("/explore", "Explore"),
    ("/choose", "Choose"),
    ("/claim", "Claim"),
    ("/plan", "Plan"),
    ("/report", "Report"),
    ("/learn", "Learn"),
)
"""The addresses that every page offers, with their names, in order."""
