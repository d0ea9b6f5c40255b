"""The promise that an entry keeps as an expression, and its words; nothing that was recorded is run."""

from __future__ import annotations

import ast
from typing import Any, Final

from whit import guarantees, mechanisms
from whit.assessment import promise_name
from whit.curves import Promise, require_promise
from whit.errors import WhitError
from whit.setting import Neighbours, Sensitivity

LONGEST: Final = 2000
"""The most letters of a promise that an entry keeps; a longer one is cut off."""

_KINDS: Final[tuple[type, ...]] = (*guarantees.kinds(), *mechanisms.kinds(), mechanisms.Composed)
_READ: Final[dict[str, Any]] = {each.__name__: each for each in (*_KINDS, mechanisms.PoissonSubsampled, Sensitivity)}


def promise_words(recorded: str) -> str:
    """A promise in words; as it was recorded if it is of no usual kind.

    >>> promise_words("Composed((Gaussian(sigma=2.0), 3))")
    'Gaussian noise, sigma = 2, in each of 3 releases'
    """
    promise = recorded_promise(recorded)
    return recorded if promise is None else promise_name(promise)


def recorded_promise(recorded: str) -> Promise | None:
    """The promise of an entry; None if it is of no usual kind, or was cut off."""
    if len(recorded) >= LONGEST:
        return None
    try:
        promise = _built(ast.parse(recorded, mode="eval").body)
        require_promise(promise)
        promise_name(promise)
    except (ArithmeticError, AttributeError, LookupError, SyntaxError, TypeError, ValueError, WhitError):
        return None
    except (MemoryError, RecursionError):  # how a parser refuses what is nested too deeply
        return None
    return promise  # type: ignore[no-any-return]


def _built(node: ast.expr) -> Any:
    """The value of an expression of known names, numbers and words; nothing else is looked up or called."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _READ:
        named = {each.arg: _built(each.value) for each in node.keywords if each.arg}
        return _READ[node.func.id](*map(_built, node.args), **named)
    if isinstance(node, ast.Tuple):
        return tuple(map(_built, node.elts))
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Neighbours":
        return Neighbours[node.attr]
    return ast.literal_eval(node)
