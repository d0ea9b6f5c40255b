"""The pages, one file each: a router, and where navigation leads.

home    the first page
"""

from __future__ import annotations

from whit.apps.web.pages import home

ROUTERS = (home.router,)
"""What answers under which address."""

NAVIGATION = (("/", "Start"),)
"""The addresses that every page offers, with their names, in order."""
