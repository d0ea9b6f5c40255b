"""Theorems, assumptions and references; and the Finding, a number that knows its direction and what it rests on.

quantity    what a number measures, in which unit, on which side of the truth it lies; the number as text
basis       the inputs of a number, the theorems behind it by key, the chance that it fails, its slack and truncation
needs       what must hold for a number: which number needs which assumption
finding     a number between what is known of it, with its quantity, direction, inputs and basis; findings as JSON
no_arithmetic  why a finding is neither added nor compared
reporting   one line above a kernel makes it report findings
hypotheses  for which questions a theorem holds, in words that a test can read
registry    theorem(key), assumption(key), reference(key), from theorems/*.toml, assumptions.toml and references.bib
formula     the one notation of formulas, read as mathematics
mathml      formulas as MathML
shown       findings and theorems in a notebook, and as rows of a table
prose       sentences with formulas, as plain text, as HTML and in parts
meanings    the words of the house with their meanings, from glossary.md
proofs      a page for each result that is ours, with a numerical check
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
