"""The one notation of formulas: a line of plain text, such as `D(e) / (1 - e^(e-t))`, read as mathematics.

*Names.* Greek letters and functions have their English names; any other run of letters is a product of letters, and
digits after a name are its index: pq is p times q, P1 is P with the index 1. Words stand in quotation marks. The
letter e is Euler's number where ^ follows it.
*Scripts.* ^ and _ take the next name, number or bracketed part; brackets that only group are not shown. A prime
follows its letter; a + that nothing follows closely is a positive part, or the side of a limit.
*Slashes.* Below a slash stands all that follows closely. Above stands what it follows closely; if there is a space
before the slash, the whole product. So `a b / 2v` and `(a b)/(2v)` are the same. A slash stays one between two single
signs and within scripts; otherwise it is a bar.
*Bars.* | opens where an operand is due, and closes what it opened; elsewhere it means "given".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from whit.errors import InvalidInput
from whit.theory.prose import GREEK, LARGE, OTHER

FUNCTIONS: Final = frozenset(
    {"artanh", "Bin", "binomial", "cosh", "exp", "Im", "inf", "log", "logit", "max", "min", "pdf", "Re", "sinh", "tanh"}
)
INDEX_WORDS: Final = frozenset({"in", "swap", "rev"})
RELATIONS: Final = {"<=": "≤", ">=": "≥", "=": "=", "<": "<", ">": ">", "||": "∥", "|": "|"}
SIGNS: Final = {"+": "+", "-": "−", "×": "×", "...": "…", ",": ",", ";": ";"}
CLOSING: Final = {"(": (")", "]"), "[": ("]", ")"), "|": ("|",)}
"""What may close a part; half-open intervals end with the other bracket."""
KNOWN: Final = (*GREEK, *FUNCTIONS, *LARGE, *OTHER, "sqrt", "floor")

_TOKEN: Final = re.compile(
    r"(?P<space>\s+)|(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)|(?P<name>[A-Za-z]+)|(?P<word>\"[^\"]+\")"
    r"|(?P<sign><=|>=|\|\||\.\.\.|[-+×/^_'=<>|,;()\[\]])"
)


@dataclass(frozen=True)
class Letter:
    """One letter; upright for a constant such as Euler's number."""

    sign: str
    upright: bool = False


@dataclass(frozen=True)
class Number:
    """Digits."""

    digits: str


@dataclass(frozen=True)
class Word:
    """A function or a word, in upright letters."""

    letters: str
    is_function: bool = True


@dataclass(frozen=True)
class Sign:
    """An operator, a relation, a comma; large ones are sums and products."""

    sign: str


@dataclass(frozen=True)
class Row:
    """Parts side by side."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Fenced:
    """A part between two signs, such as brackets."""

    opening: str
    body: Node
    closing: str


@dataclass(frozen=True)
class Scripts:
    """A base with what stands above and below to its right."""

    base: Node
    below: Node | None = None
    above: Node | None = None


@dataclass(frozen=True)
class Fraction:
    """One part above another, with a bar between them, or a slash."""

    above: Node
    below: Node
    is_bar: bool


@dataclass(frozen=True)
class Root:
    """The square root of a part."""

    body: Node


Node: TypeAlias = Letter | Number | Word | Sign | Row | Fenced | Scripts | Fraction | Root


@dataclass(frozen=True)
class _Token:
    """A piece of the text: what it is, and whether space stands before it."""

    text: str
    is_name: bool
    is_number: bool
    spaced: bool


def parsed(text: str) -> Node:
    """The formula as a tree; a sentence says where the text is none."""
    reader = _Reader(text)
    node = reader.list_until(())
    reader.require_end()
    return node


def _tokens(text: str) -> list[_Token]:
    found, place, spaced = [], 0, False
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise _refusal(text, f"{text[place]!r} at place {place + 1}")
        place = match.end()
        if match["space"]:
            spaced = True
            continue
        for part in _split(match["name"]) if match["name"] else [match[0]]:
            found.append(_Token(part, bool(match["name"]), bool(match["number"]), spaced))
            spaced = False
    return found


def _split(name: str) -> list[str]:
    """A run of letters: one name that is known, or one name for each letter."""
    return [name] if name in KNOWN or name in INDEX_WORDS else list(name)


def _refusal(text: str, what: str) -> InvalidInput:
    return InvalidInput(f"the formula {text!r}", "must be in the notation of formulas", what, "Correct it there.")


class _Reader:
    """Reads a formula from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.tokens, self.place, self.in_script = text, _tokens(text), 0, 0

    def peek(self, ahead: int = 0) -> str:
        at = self.place + ahead
        return self.tokens[at].text if at < len(self.tokens) else ""

    def is_spaced(self, ahead: int = 0) -> bool:
        at = self.place + ahead
        return at >= len(self.tokens) or self.tokens[at].spaced

    def take(self) -> _Token:
        if self.place >= len(self.tokens):
            raise _refusal(self.text, "its end where a name or a number is due")
        self.place += 1
        return self.tokens[self.place - 1]

    def require_end(self) -> None:
        if self.place < len(self.tokens):
            raise _refusal(self.text, f"{self.peek()!r} after its end")

    def list_until(self, stops: tuple[str, ...]) -> Node:
        """Sums and relations between them, up to the end or a sign that closes."""
        parts: list[Node] = []
        while self.peek() and self.peek() not in stops:
            text = self.peek()
            if text in RELATIONS and (text != "|" or (parts and not isinstance(parts[-1], Sign))):
                parts.append(Sign(RELATIONS[self.take().text]))
            elif text in SIGNS:
                parts.append(Sign(SIGNS[self.take().text]))
            elif text in ")]":
                break
            else:
                parts.append(self.product(stops))
        if not parts:
            raise _refusal(self.text, "an empty part")
        return parts[0] if len(parts) == 1 else Row(tuple(parts))

    def product(self, stops: tuple[str, ...]) -> Node:
        """Factors side by side, and what stands below a slash."""
        factors: list[Node] = []
        close = 0  # where the factors begin that follow each other closely
        while self._begins_factor(stops, first=not factors):
            if self.is_spaced():
                close = len(factors)
            factors.append(self.factor())
            while self.peek() == "/":
                start = 0 if self.is_spaced() else close
                self.take()
                above, below = _row(factors[start:]), self._below(stops)
                factors = [*factors[:start], self._fraction(above, below)]
                close = min(close, len(factors) - 1)
        return _row(factors)

    def _below(self, stops: tuple[str, ...]) -> Node:
        """All that follows closely, be there a space after the slash or not."""
        factors = [self.factor()]
        while self._begins_factor(stops, first=False) and not self.is_spaced():
            factors.append(self.factor())
        return _row(factors)

    def _begins_factor(self, stops: tuple[str, ...], *, first: bool) -> bool:
        text = self.peek()
        if not text or text in stops:
            return False
        is_open = text in ("(", "[") or (text == "|" and (first or self.is_spaced()))
        return is_open or not (text in RELATIONS or text in SIGNS or text in "/^_')]")

    def _fraction(self, above: Node, below: Node) -> Node:
        single = all(isinstance(each, Letter | Number | Scripts) and _is_single(each) for each in (above, below))
        if single or self.in_script:
            return Fraction(above, below, is_bar=False)
        return Fraction(_ungrouped(above), _ungrouped(below), is_bar=True)

    def factor(self) -> Node:
        """A base with its scripts."""
        base = self.base()
        below: Node | None = None
        above: list[Node] = []
        while self.peek() in ("^", "_", "'") or self._is_part():
            sign = self.take().text
            if sign == "'":
                above.append(Sign("′"))
            elif sign == "+":
                below = Sign("+")
            elif sign == "_":
                below = self.script(is_index=True)
            else:
                above.append(self.script(is_index=False))
        if below is None and not above:
            return base
        return Scripts(base, below, _row(above) if above else None)

    def _is_part(self) -> bool:
        """Whether a + follows closely that nothing follows closely: the part above 0, or a limit from above."""
        return self.peek() == "+" and not self.is_spaced() and (self.is_spaced(1) or self.peek(1) in (")", "]"))

    def script(self, *, is_index: bool) -> Node:
        """What stands above or below: grouped by brackets that are not shown, or one name or number."""
        self.in_script += 1
        if self.peek() == "(":
            node: Node = self.fenced().body
        elif self.peek() == "-":
            self.take()
            node = Sign("−") if self.is_spaced() else Row((Sign("−"), self.base()))
        elif is_index:
            node = self.index()
        else:
            node = self.base()
            if self.peek() == "_":
                self.take()
                node = Scripts(node, self.script(is_index=True))
        self.in_script -= 1
        return node

    def index(self) -> Node:
        """Letters and digits that follow each other closely; a word such as `swap` stays whole."""
        if self.peek() in INDEX_WORDS:
            return Word(self.take().text, is_function=False)
        parts = [self.base()]
        while self.place < len(self.tokens) and not self.is_spaced():
            token = self.tokens[self.place]
            if not (token.is_name or token.is_number):
                break
            parts.append(self.base())
        return _row(parts)

    def base(self) -> Node:
        """A name, a number, a word, or a part between brackets."""
        text = self.peek()
        if text in CLOSING:
            return self.fenced()
        token = self.take()
        if token.is_number:
            return Number(text)
        if text.startswith('"'):
            return Word(text.strip('"'), is_function=False)
        if not token.is_name:
            raise _refusal(self.text, f"{text!r} where a name or a number is due")
        return self.named(text)

    def named(self, name: str) -> Node:
        """What a name stands for, with its index if digits follow it."""
        if name == "sqrt":
            return Root(self.fenced().body)
        if name == "floor":
            return Fenced("⌊", self.fenced().body, "⌋")
        node: Node = Letter(GREEK.get(name, name), upright=name == "e" and self.peek() == "^")
        if name in LARGE:
            node = Sign(LARGE[name])
        elif name in OTHER:
            node = Letter(OTHER[name], upright=True)
        elif name in FUNCTIONS:
            node = Word(name)
        at = self.place
        if at < len(self.tokens) and self.tokens[at].is_number and not self.tokens[at].spaced:
            return Scripts(node, Number(self.take().text))
        return node

    def fenced(self) -> Fenced:
        """A part between brackets or bars."""
        opening = self.take().text
        if opening not in CLOSING:
            raise _refusal(self.text, f"{opening!r} where a bracket is due")
        body = self.list_until(CLOSING[opening])
        closing = self.peek()
        if closing not in CLOSING[opening]:
            raise _refusal(self.text, f"{closing or 'its end'!r} where {CLOSING[opening][0]!r} is due")
        return Fenced(opening, body, self.take().text)


def _row(parts: list[Node]) -> Node:
    return parts[0] if len(parts) == 1 else Row(tuple(parts))


def _is_single(node: Node) -> bool:
    """Whether a slash beside it is easily read."""
    return not isinstance(node, Scripts) or isinstance(node.base, Letter | Number)


def _ungrouped(node: Node) -> Node:
    """The part without brackets that a bar makes needless."""
    return node.body if isinstance(node, Fenced) and node.opening == "(" else node
