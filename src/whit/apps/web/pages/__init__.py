"""The pages, one file each: a router, and where navigation leads.

home    the first page
ledger  accounts, requests, approvals, receipts, evidence
"""

from __future__ import annotations

from whit.apps.web.pages import home, ledger

ROUTERS = (home.router, *ledger.ROUTERS)
"""What answers under which address."""

NAVIGATION = (("/", "Start"), ("/ledger", "Ledger"))
"""The addresses that every page offers, with their names, in order."""
