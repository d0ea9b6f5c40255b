"""What a process answers to a program: a document, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from whit.apps.asking import ask, sentence
from whit.apps.web.problems import status_of
from whit.apps.web.watching import Accident
from whit.errors import UnknownKey, WhitError

_WRONG = 422
_BROKEN = 500
_SORRY = "whit failed at this question, which is an error of whit. Report it with the request."


@dataclass(frozen=True)
class Document:
    """An answer: the text of the document, and the exit code that the command would have."""

    text: str
    code: int


@dataclass(frozen=True)
class Refusal:
    """Why there is no answer: a status, one sentence, and the field that it is about."""

    status: int
    sentence: str
    field: str = ""


Outcome = Document | Refusal


def document_of(command: str, values: Mapping[str, Any]) -> Document:
    """What a command answers."""
    told = ask(command, values)
    return Document(told.answers.text(indent=None), told.code)


def refusal_of(error: WhitError | Accident) -> Refusal:
    """An error as a refusal: an unknown word is wrong input here, and no address that is not there."""
    if isinstance(error, Accident):
        return Refusal(_BROKEN, _SORRY)
    status = _WRONG if isinstance(error, UnknownKey) else status_of(error)
    return Refusal(status, sentence(error), error.parameter)
