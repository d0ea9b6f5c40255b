"""The pages, one file each: a router, and where navigation leads.

home     the first page
explore  a promise or noise, an adversary, every answer, pictures
choose   what is acceptable, and the parameter of each family that meets it
claim    what a claim means, and what it leaves open
plan     what a set of queries reveals about one fact
report   the release file as a form, the decision sheet and the report
audit    what readers can conclude from a table without noise
ledger   accounts, requests, approvals, receipts, evidence
learn    schools, theorems, assumptions, published releases
"""

from __future__ import annotations

from whit.apps.web.pages import audit, choose, claim, explore, home, learn, ledger, plan, report

_QUESTIONS = (explore.router, choose.router, claim.router, plan.router, report.router, audit.router, learn.router)

ROUTERS = (home.router, *_QUESTIONS, *ledger.ROUTERS)
"""What answers under which address."""

NAVIGATION = (
    ("/", "Start"),
    ("/explore", "Explore"),
    ("/choose", "Choose"),
    ("/claim", "Claim"),
    ("/plan", "Plan"),
    ("/report", "Report"),
    ("/audit", "Audit"),
    ("/ledger", "Ledger"),
    ("/learn", "Learn"),
)
"""The addresses that every page offers, with their names, in order."""
