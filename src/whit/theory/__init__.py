"""Theorems, assumptions and references; and the Finding, a number that knows its direction and what it rests on.

direction      at most, at least, exactly, about
quantity       what a number measures, and in which unit
basis          the theorems behind a number, the chance that it fails, its slack and truncation
finding        a number with its quantity, direction, inputs and basis
interval       a number known between two others
reported       one line above a kernel makes it report findings
display        numbers as text, rounded toward the safe side
echo           inputs as plain trees
archive        findings as JSON
keys           which theorems and references there are, without their texts
registry       theorem(key), assumption(key), reference(key), from theorems/*.toml and assumptions.toml
bibliography   publications, from references.bib
proofs         a page for each result that is ours, with a numerical check
"""

from __future__ import annotations

from whit.front_door import front_door

# At once, because these functions have the names of their modules: loaded later, the module would take its place.
from whit.theory.echo import echo as echo
from whit.theory.reported import reported as reported

__all__, __getattr__, __dir__ = front_door(
    __name__,
    {
        "basis": ("Basis", "Failure", "Randomness"),
        "bibliography": ("Reference",),
        "direction": ("Direction",),
        "display": ("number_text", "predicate", "range_predicate", "sentence"),
        "echo": ("Tree", "echo"),
        "finding": ("Finding",),
        "interval": ("Interval",),
        "keys": ("require_reference", "require_theorem"),
        "quantity": ("Quantity", "Unit"),
        "registry": (
            "ASSUMPTIONS",
            "REFERENCES",
            "THEOREMS",
            "Assumption",
            "Theorem",
            "Verifier",
            "assumption",
            "reference",
            "theorem",
        ),
        "reported": ("Bounding", "from_curve", "reported"),
    },
)
