"""Which sentence tells a finding: by the name of its quantity, from quantities.toml."""

from __future__ import annotations

import os.path
import tomllib
from functools import cache

from whit.theory import Finding

FILE = os.path.join(os.path.dirname(__file__), "quantities.toml")


@cache
def keys() -> dict[str, str]:
    """The keys of the sentences by the names of the quantities."""
    with open(FILE, "rb") as file:
        return {name: str(key) for name, key in tomllib.load(file).items()}


def key_of(finding: Finding) -> str:
    """The key of the sentences about this quantity; "other" where there are none."""
    return keys().get(finding.quantity.name, "other")
