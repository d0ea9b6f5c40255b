"""Exit codes, and errors as one sentence each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

from whit.apps.cli.written import in_shell
from whit.errors import MissingExtra, NotImplied, TooCostly, Unreachable, WhitError

KEPT = 0
"""All went well; of `whit check`: the limit is kept."""

NOT_KEPT = 1
"""`whit check`: it is not shown that the limit is kept."""

WRONG_INPUT = 2
"""An option, a value or a file is wrong, or two of them contradict each other."""

NO_ANSWER = 3
"""A fair question without an answer: not implied by the promise, out of reach, or too costly."""

MISSING_EXTRA = 4
"""An optional library is not installed."""


class WrongInput(click.ClickException):
    """An error of whit about what it was given."""

    exit_code = WRONG_INPUT


class NoAnswer(click.ClickException):
    """A question of which whit says that it has no answer."""

    exit_code = NO_ANSWER


class LibraryMissing(click.ClickException):
    """An optional library that is not there."""

    exit_code = MISSING_EXTRA


def refused(error: WhitError) -> click.ClickException:
    """An error of whit as its sentence and an exit code.

    >>> refused(NotImplied("the posterior", "is not bounded", "(1, 1e-6)", "Ask with a failure.")).exit_code
    3
    """
    sentence = in_shell(str(error))
    if isinstance(error, MissingExtra):
        return LibraryMissing(sentence)
    return NoAnswer(sentence) if isinstance(error, NotImplied | TooCostly | Unreachable) else WrongInput(sentence)


@contextmanager
def told_as_sentences() -> Iterator[None]:
    """Turn the errors of whit into sentences with an exit code."""
    try:
        yield
    except WhitError as error:
        raise refused(error) from error


def end(code: int) -> NoReturn:
    """End the command with an exit code."""
    click.get_current_context().exit(code)
