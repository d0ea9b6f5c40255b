"""Claims in a sentence, such as "epsilon = 4 for each user and day", as names and values."""

from __future__ import annotations

import re

from whit.errors import InvalidInput

_LETTERS = {
    "\u03b5": "epsilon",
    "\u03f5": "epsilon",
    "\u03b4": "delta",
    "\u03c1": "rho",
    "\u03bc": "mu",
    "\u00b5": "mu",
}
_NUMBER = r"(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?(?![\w.%])"
_TERM = rf"(?:an? )?(epsilon|delta|rho|mu|{'|'.join(_LETTERS)})(?: ?[=:] ?| of | is | )({_NUMBER})"
_EACH = r"(?:(?:each|every|one|any|an?) )?"
_TIME = r"(hour|day|week|month|quarter|year)"
_UNIT = (
    "(account|child|citizen|client|contributor|customer|device|driver|employee|family|household|individual|member|patient|"
    "participant|person|record|respondent|row|student|subject|subscriber|traveller|user|visitor|voter)"
)  # and not "release" or "query", which say what is covered and not whom
_SENTENCE = re.compile(
    rf"{_TERM}(?:(?:, and |,? and |, ){_TERM})?"
    rf"(?:,? (?:for|per) {_EACH}{_UNIT})?"
    rf"(?:,? (?:and|for|per|in|within|and per) {_EACH}{_TIME}|,? (?:each|every) {_TIME})?\.?",
    re.IGNORECASE,
)
_WITH_WORDS = re.compile(rf"(?<![\w-]){_TERM} (?![\w-]+ ?=)(?=[a-z])", re.IGNORECASE)
_NAME = re.compile(r"([a-z][\w-]*) ?=", re.IGNORECASE)
_ABOUT = frozenset(("unit", "period", "covers", "unprotected", "adaptive", "sampling", "neighbours", "contributions"))
_ASK = (
    "Without one it promises nothing that can be worked out. Ask for the epsilon, the delta, the unit and the period, "
    'and write "epsilon=4, delta=1e-6, unit=user, period=day".'
)


def pairs_in(text: str) -> str:
    """A claim as names and values: a sentence is read where it says no more, and a text of name=value stays as it is.

    >>> pairs_in("epsilon = 4 for each user and day")
    'epsilon=4, unit=user, period=day'
    >>> pairs_in("epsilon=4, unit=user")
    'epsilon=4, unit=user'
    """
    said = " ".join(text.split())
    if (found := _SENTENCE.fullmatch(said)) is not None:
        name, value, other, another, unit, period, also = found.groups()
        stated = [(name, value), (other, another), ("unit", unit and unit.lower()), ("period", period or also)]
        return ", ".join(f"{_word(each)}={one}" for each, one in stated if one)
    if (
        any(map(str.isalpha, said))
        and not any(map(str.isdigit, said))
        and {each.lower() for each in _NAME.findall(said)} <= _ABOUT
    ):
        raise InvalidInput("a claim", "must state a number", text, _ASK, parameter="claim")
    if (term := _WITH_WORDS.search(said)) is not None:
        pair = f"{_word(term[1])}={term[2]}"
        way_out = f'Write "{pair}" and, with commas between them, what else is said: "{pair}, unit=user, period=day".'
        raise InvalidInput("a claim", "must be made of name=value", text, way_out, parameter="claim")
    return text


def _word(name: str) -> str:
    return _LETTERS.get(name.lower(), name.lower())
