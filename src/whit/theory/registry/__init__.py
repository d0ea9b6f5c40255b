"""The texts behind the numbers: theorems, assumptions and references, each written once and known by a key.

texts   the texts, read and checked when somebody first asks for one
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(
    __name__,
    {
        "texts": (
            "ASSUMPTIONS",
            "REFERENCES",
            "THEOREMS",
            "Assumption",
            "Theorem",
            "Verifier",
            "assumption",
            "check_cross_references",
            "check_keys",
            "read_assumptions",
            "read_theorems",
            "reference",
            "theorem",
        )
    },
)
