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
registry       theorem(key), assumption(key), reference(key), from theorems/*.toml and assumptions.toml
bibliography   publications, from references.bib
proofs         a page for each result that is ours, with a numerical check
"""

from whit.theory.basis import Basis, Failure, Randomness
from whit.theory.bibliography import Reference
from whit.theory.direction import Direction
from whit.theory.display import number_text, predicate, range_predicate
from whit.theory.echo import Tree, echo
from whit.theory.finding import Finding
from whit.theory.interval import Interval
from whit.theory.quantity import Quantity, Unit
from whit.theory.registry import (
    ASSUMPTIONS,
    REFERENCES,
    THEOREMS,
    Assumption,
    Theorem,
    Verifier,
    assumption,
    reference,
    theorem,
)
from whit.theory.reported import Bounding, from_curve, reported

__all__ = [
    "ASSUMPTIONS",
    "REFERENCES",
    "THEOREMS",
    "Assumption",
    "Basis",
    "Bounding",
    "Direction",
    "Failure",
    "Finding",
    "Interval",
    "Quantity",
    "Randomness",
    "Reference",
    "Theorem",
    "Tree",
    "Unit",
    "Verifier",
    "assumption",
    "echo",
    "from_curve",
    "number_text",
    "predicate",
    "range_predicate",
    "reference",
    "reported",
    "theorem",
]
