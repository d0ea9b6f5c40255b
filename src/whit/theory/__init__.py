"""Theorems, assumptions and references; and the Finding, a number that knows its direction and what it rests on.

quantity       what a number measures, in which unit, and on which side of the truth it lies
answer         what every result offers
basis          the theorems behind a number, the chance that it fails, its slack and truncation
finding        a number between what is known of it, with its quantity, direction, inputs and basis
reporting      one line above a kernel makes it report findings
display        numbers as text, rounded toward the safe side
inputs         inputs as plain trees
archive        findings as JSON
keys           which theorems and references there are, without their texts
registry       theorem(key), assumption(key), reference(key), from theorems/*.toml and assumptions.toml
bibliography   publications, from references.bib
proofs         a page for each result that is ours, with a numerical check
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
