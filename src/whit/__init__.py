"""What a differentially private release can tell an adversary, and the least noise that meets a limit.

The package is an hourglass: many promises in, many questions out, and between them one narrow waist, the curve that
a promise puts on a pair of neighbouring datasets. A package imports only what stands below it in this list.

apps         the command line and the web
papers       the numbers of the published papers, recomputed
telling      words, pictures and reports; computes nothing
exchange     objects and files of other libraries, as promises and mechanisms
annotate     risk columns for tables of any size
ledger       what was released about whom, how much risk that makes, and what still fits
spec         one grammar: promises, limits, adversaries, plans and releases from options and files
plans        many queries over attributes and geography, with their budgets
policy       risk profiles, and the parameter that meets them
assessment   one promise, one adversary, every question that applies
audit        releases without noise: what is left, with proofs that add up
semantics    the questions: membership, disclosure, counterfactual, testing
persuasion   scores and decisions: how much better an adversary does after the release
worlds       small universes by brute force, the referee of every theorem
mechanisms   noise, as values
guarantees   promises, as values; conversions and composition
curves       the waist: loss distribution, profile, trade-off function
setting      whom the statement is about and who is asking: neighbours, unit of privacy, sensitivity, adversary
theory       theorems, assumptions, references; a Finding and its Basis
numerics     all that knows about floating point
display      what a notebook shows: HTML, data frames, a sign that something is at work
files        how paths are read, and files written whole or not at all
notations    JSON and TOML as plain values
errors       the exceptions, and the one sentence they all speak
front_door   packages whose modules are loaded when one of their names is first used
version      the version of whit

Every public number is a Finding: a value with its quantity, its direction (at most, at least, exactly, about), the
inputs it came from, and the theorems it rests on. Larger is always worse.
"""

from __future__ import annotations

from whit.front_door import front_door
from whit.version import VERSION

__all__, __getattr__, __dir__ = front_door(__name__)

__version__ = VERSION
