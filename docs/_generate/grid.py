"""What is known of each promise: every question, really asked.

A cell holds the theorems that the answer rests on; where there is no answer it holds the reason. Both come from the
answer itself. The questions of `assess` are asked as it asks them; the others are asked here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

import whit
from _generate.subjects import RECORDS, Subject, Totals, subjects
from whit import persuasion, worlds
from whit.assessment import Unanswered
from whit.curves import Promise
from whit.errors import WhitError
from whit.mechanisms import Finite, Gaussian, Kernel, RandomizedResponse
from whit.semantics import membership
from whit.theory import Finding

FAILURE = 0.01
"""The chance with which a statement about beliefs may be false, except in the question about what always holds."""

BOTH = "between bounds"
"""What is said of a number that is known from both sides."""

ADVERSARY = whit.Adversary(inclusion=0.5, value=0.1, baseline=0.01)


@dataclass(frozen=True)
class Known:
    """An answer: the theorems that it rests on, and on which side of the truth it lies."""

    theorems: tuple[str, ...]
    direction: str


@dataclass(frozen=True)
class Blank:
    """No answer, and why."""

    reason: str


Cell = Known | Blank
Ask = Callable[[Any], Any]


SCHOOLS = {
    "posterior, always": "membership",
    "posterior": "membership",
    "ratio": "membership",
    "difference": "membership",
    "odds": "membership",
    "worst prior": "membership",
    "expected posterior": "membership",
    "relative risk": "disclosure",
    "absolute risk": "disclosure",
    "total variation": "counterfactual",
    "posterior ratio": "counterfactual",
    "power": "testing",
    "advantage": "testing",
    "best guess": "testing",
    "positive predictive value": "testing",
    "success": "testing",
    "relative score": "persuasion",
    "private for all beliefs": "persuasion",
    "linear release": "persuasion",
    "exact world": "worlds",
}
"""The questions, with the school of each."""


Grid = Sequence[tuple[Subject, Mapping[str, Cell]]]


def grid() -> Grid:
    """The cells of every subject by question."""
    return [(subject, cells(subject.promised)) for subject in subjects()]


def cells(promised: Any) -> dict[str, Cell]:
    """All questions, put to one promise."""
    found = {"posterior, always": always(promised)} | _assessed(promised)
    found |= {name: _cell(promised, ask) for name, ask in _BEYOND.items()}
    return {name: found[name] for name in SCHOOLS}


def _assessed(promised: Any) -> dict[str, Cell]:
    """The questions of `assess`."""
    if isinstance(promised, Promise):
        assessment = whit.assess(promised, ADVERSARY, failure=FAILURE)
        return {name.replace("_", " "): told(answer) for name, answer in assessment}
    names = [each.name.replace("_", " ") for each in fields(whit.Assessment)]
    return dict.fromkeys(names, Blank(_NO_PROMISE))


def always(promised: Any) -> Cell:
    """The posterior with no chance of failure; a bound of 100 % is none."""
    if not isinstance(promised, Promise):
        return Blank(_NO_PROMISE)
    try:
        answer = membership.posterior(promised, 0.05, failure=0.0)
    except WhitError as refused:
        return Blank(_reason(str(refused)))
    return Blank(_UNBOUNDED) if answer.upper_bound() >= 1.0 else told(answer)


_NO_PROMISE = (
    "A statistic without noise keeps no promise of differential privacy, whatever its parameters; it is assessed "
    "against beliefs that are not too strong."
)
_UNBOUNDED = (
    "The loss of this noise has no upper limit: some rare output makes the adversary as sure as they like. Allow a "
    "chance of failure."
)
_FINITE_ONLY = (
    "All beliefs and outcomes are gone through one by one: this needs finitely many outcomes, with the probability of "
    "each. A guarantee does not say them, and noise on numbers has infinitely many."
)
_LINEAR_ONLY = "Worked out for totals and other linear statistics with Gaussian noise or without noise."


def _kappa(promised: Any) -> Any:
    if isinstance(promised, Totals):
        return Blank(_NO_PROMISE)
    return persuasion.kappa_of_promise(promised, FAILURE)


def _table(promised: Any) -> Finite | Kernel | None:
    """The mechanism as a table, if it has one."""
    if isinstance(promised, RandomizedResponse):
        return promised.kernel()
    return promised if isinstance(promised, Finite | Kernel) else None


def _any_belief(promised: Any) -> Any:
    table = _table(promised)
    if table is None:
        return Blank(_FINITE_ONLY)
    return persuasion.smallest_kappa(table, priors=persuasion.AnyBelief()).value


def _linear(promised: Any) -> Any:
    noise = {Totals: 0.0, Gaussian: getattr(promised, "sigma", 0.0) ** 2}.get(type(promised))
    if noise is None:
        return Blank(_LINEAR_ONLY)
    release = persuasion.linear_release(np.ones((1, RECORDS)), np.ones(RECORDS), noise=noise)
    return release.kappa_within(4.0, FAILURE)


def _world(promised: Any) -> Any:
    table = _table(promised)
    if table is None:
        return Blank(_FINITE_ONLY)
    rows = [table.p, table.q] if isinstance(table, Finite) else table.matrix
    universe = worlds.Universe(1, ("yes", "no"), all_present=True)
    return worlds.World(worlds.Belief(universe, [0.1, 0.9]), rows).posterior(worlds.Has(0, "yes"), 0)


_BEYOND: dict[str, Ask] = {
    "relative score": _kappa,
    "private for all beliefs": _any_belief,
    "linear release": _linear,
    "exact world": _world,
}


def _cell(promised: Any, ask: Ask) -> Cell:
    try:
        answer = ask(promised)
    except WhitError as refused:
        return Blank(_reason(str(refused)))
    return answer if isinstance(answer, Blank) else told(answer)


def told(answer: Any) -> Cell:
    """The cell of an answer."""
    if isinstance(answer, Unanswered):
        return Blank(_reason(answer.reason))
    found = answer.findings
    sides = {_side(each) for each in found}
    return Known(
        tuple(dict.fromkeys(key for each in found for key in each.basis.theorems)),
        sides.pop() if len(sides) == 1 else BOTH,
    )


def _side(finding: Finding) -> str:
    """On which side of the truth a number lies, in words."""
    ends = finding.lower, finding.upper
    apart = all(end is not None for end in ends) and bool(np.any(ends[0] != ends[1]))
    return BOTH if apart else finding.direction.value


def _reason(sentence: str) -> str:
    """The sentence of an error without what was given, which is the row."""
    short = re.sub(r"; got .*?\.(?= [A-Z]|$)", ".", sentence, flags=re.DOTALL)
    return short[:1].upper() + short[1:]
