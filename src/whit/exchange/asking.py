"""The questions, asked of objects of other libraries as they are: `assess(event)`.

Where the source leaves open between which neighbours its promise holds, and nobody names them, each answer is the
larger one. What else it leaves open stays open: `learn(event).open` says it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, cast

# The readers are loaded when an object of another library comes: most questions are about promises.
from whit import exchange
from whit.assessment import QUESTIONS, Assessment, larger, promise_name, stacked
from whit.assessment import assess as assess_promise
from whit.curves import Promise
from whit.errors import InvalidInput, NoPromise

if TYPE_CHECKING:
    from whit.exchange.learned import Learned

Options = ParamSpec("Options")

_PLAIN = (Promise, NoPromise, str, bytes, int, float, list, type(None))
"""What is no object of another library."""


def _reading(
    ask: Callable[Concatenate[Any, Options], Assessment],
) -> Callable[Concatenate[object, Options], Assessment]:
    """The same question, of a promise or of what another library has of one."""

    @wraps(ask)
    def asked(promise: object, *adversary: Options.args, **options: Options.kwargs) -> Assessment:
        if _is_foreign_list(promise):
            return stacked([asked(each, *adversary, **options) for each in promise])  # type: ignore[attr-defined]
        found = None if isinstance(promise, _PLAIN) else _learned(promise)
        if found is None:
            return ask(promise, *adversary, **options)
        if options.get("neighbours") is not None or not found.relations:
            return ask(found.promise, *adversary, **options)
        each: list[Assessment] = []
        for relation in found.relations:
            options["neighbours"] = relation
            each.append(ask(found.promise, *adversary, **options))
        answers = {name: larger([getattr(every, name) for every in each]) for name in QUESTIONS}
        return Assessment(**answers, asked_of=promise_name(found.promise), asked_by="")

    return cast("Callable[Concatenate[object, Options], Assessment]", asked)


def _is_foreign_list(promise: object) -> bool:
    """Whether something is a list with others than promises in it."""
    return isinstance(promise, list) and bool(promise) and not all(isinstance(each, _PLAIN) for each in promise)


def _learned(value: object) -> Learned | None:
    """What was learned from an object; nothing if nobody knows it."""
    try:
        return exchange.learn(value)
    except InvalidInput as wrong:
        if wrong.name == "the object":
            return None
        raise


assess = _reading(assess_promise)
