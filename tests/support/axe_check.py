"""What axe finds wrong on a page that is open in a browser."""

from __future__ import annotations

from typing import Any


def violations(page: Any) -> list[str]:
    """Each element that breaks a rule of axe, with the rule."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]
