"""Exit codes, beside 0: a no, wrong input, a fair question without an answer, no library, Ctrl-C."""

from __future__ import annotations

from whit.errors import MissingExtra, NotAllowed, NotImplied, TooCostly, Unreachable, WhitError

NOT_ALLOWED, WRONG_INPUT, NO_ANSWER, MISSING_EXTRA, INTERRUPTED = 1, 2, 3, 4, 130


def code_of(error: WhitError) -> int:
    """The code of an error."""
    if isinstance(error, MissingExtra):
        return MISSING_EXTRA
    if isinstance(error, NotAllowed):
        return NOT_ALLOWED
    return NO_ANSWER if isinstance(error, NotImplied | TooCostly | Unreachable) else WRONG_INPUT
