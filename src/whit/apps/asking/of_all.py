"""The noise of several promises, raised in all of them by one factor, as `whit recommend` says it."""

from __future__ import annotations

from contextlib import suppress

from whit import spec, theory
from whit.apps.asking.answers import Answers, Named, Table, Told, why_tables
from whit.apps.asking.commands.check import verdict_table
from whit.apps.asking.request import Request
from whit.apps.asking.signs import working
from whit.apps.asking.trees import raised_tree, wanted_trees
from whit.errors import WhitError
from whit.mechanisms import parameter_of
from whit.policy import accuracy, own_number, scaled
from whit.theory import Direction, Unit, number_text

OF_ALL = ("from", "digits", "why", "rule")
"""What may stand beside a file with several promises; all else is about the one that is looked for."""

CONFIDENCE = 0.95
"""The error is the one that the noise stays within with this probability."""

DIGITS = 5
"""So many digits have the parameters, where no number is asked for."""

_HEAD = ("promise", "parameter", "releases", "standard deviation", "95 % of errors within")
_FACTOR = (
    "One factor serves all, {factor}: sigma and scale are multiplied by it, epsilon and mu divided, rho by its square. "
    "--for NAME finds the parameter of one promise alone."
)


def is_of_all(form: spec.Form, request: Request) -> bool:
    """Whether the noise of all promises is looked for: the file has several, and nothing singles out one."""
    more = request.values.keys() - {*request.command.filled, *OF_ALL}
    return len(form.promises) > 1 and not more and request.values["rule"] == "own"


def answer_of_all(form: spec.Form, request: Request, wanted: spec.Requirements, met: str) -> Told:
    """The parameter of each promise, with what all of them come to.

    Args:
        form: what the file says.
        request: what was asked.
        wanted: what all promises together must meet.
        met: what they must meet, in words.
    """
    digits = request.given.whole("digits", most=15) if "digits" in request.values else DIGITS
    with working("Looking for the least noise"):
        found = spec.raised_of(form.promises, wanted, form.asked, digits=digits)
    named = [(each.called(at), each) for at, each in enumerate(found.promises, start=1)]
    uses = [f"{_parameter(each)} for {name}" for name, each in named]
    exception = found.factor.parameter.basis.exception
    with_exception = f", {exception}" if exception else ""
    opening = f"Use {', '.join(uses[:-1])} and {uses[-1]}: together they then meet {met}{with_exception}."
    of = form.together.title
    numbers = {"parameter": [found.factor.parameter], "with_it": found.verdict.findings}
    answers = tuple(Named(name, of, each) for name, some in numbers.items() for each in some)
    factor, decider = found.factor.written(digits), found.verdict.decider
    result = {"parameter": "factor", "rounded": factor, "release": None, "decided_by": decider, "opening": opening}
    result |= {"promises": raised_tree(found)["promises"]}
    notes = (f"What decides: {decider}.", _FACTOR.format(factor=factor), *found.verdict.notices)
    asked = {"for": "all", "failure": form.asked.failure, "sides": form.asked.sides, "wanted": wanted_trees(wanted)}
    rows = [_row(*each) for each in named]
    columns = len(_HEAD) if any(row[-1] for row in rows) else len(_HEAD) - 2  # of promises no noise is known
    head, rows = _HEAD[:columns], [row[:columns] for row in rows]
    tables = [Table(head, rows), verdict_table(wanted, found.verdict)]
    tables += why_tables(answers, _noises(form, found)) if request.values["why"] else []
    return Told(Answers("recommend", asked, answers, notes, result), opening, tuple(tables), notes)


def _noises(form: spec.Form, found: spec.Raised) -> theory.Named:
    """The noise of each promise by its name: as it is written, and with the factor itself."""
    value = float(found.factor.parameter)
    several = zip(form.promises, found.promises, strict=True)
    named = [
        (own.called(at), each)
        for at, (own, written) in enumerate(several, start=1)
        for each in (written.one, scaled(own.one, value))
    ]
    return theory.named_noises(named)


def _parameter(series: spec.Series) -> str:
    """The parameter of a promise as it was checked."""
    name, value = parameter_of(series.one).name, own_number(series.one)
    return f"{name} {number_text(value, Direction.EXACTLY, Unit.NUMBER, 15)}"


def _row(name: str, series: spec.Series) -> tuple[str, ...]:
    """A promise with its parameter, how often it is made, and how far the noise moves a number."""
    moved: tuple[str, ...] = ("", "")
    with suppress(WhitError):
        known = accuracy(series.one, confidence=CONFIDENCE)  # type: ignore[arg-type]  # refused where it is no noise
        several = (known.deviation, known.error)
        moved = tuple(number_text(float(each), Direction.AT_MOST, Unit.NUMBER) for each in several)
    return name, _parameter(series), f"{series.releases:,}", *moved
