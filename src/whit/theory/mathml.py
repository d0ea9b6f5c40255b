"""Formulas as MathML, which browsers and notebooks set without any help."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from whit.theory.formula import Fenced, Fraction, Letter, Node, Number, Root, Row, Scripts, Sign, Word

_MARKUP: Final = re.compile(r"[\[\]|*_`~\\]")
_UPRIGHT: Final = {False: "", True: ' mathvariant="normal"'}
_WORD: Final = {False: "mtext", True: "mi"}
_THIN: Final = '<mspace width="0.17em"></mspace>'


def as_mathml(node: Node, plain: str) -> str:
    """The formula as one element inside a line.

    Args:
        node: the formula.
        plain: the same as plain text.
    """
    return f'<math displaystyle="true" alttext="{_quoted(plain)}">{_set(node)}</math>'


def _quoted(text: str) -> str:
    """Text that neither HTML nor Markdown reads as markup."""
    return _MARKUP.sub(lambda match: f"&#{ord(match[0])};", escape(text))


def _set(node: Node) -> str:
    match node:
        case Letter(sign, upright):
            return f"<mi{_UPRIGHT[upright]}>{sign}</mi>"
        case Number(digits):
            return f"<mn>{digits}</mn>"
        case Word(letters, is_function):
            name = _WORD[is_function]
            return f"<{name}>{escape(letters)}</{name}>"
        case Sign():
            return _sign(node, is_between=False)
        case Row(parts):
            return f"<mrow>{_side_by_side(parts)}</mrow>"
        case Fenced(opening, body, closing):
            return f"<mrow>{_end(opening)}{_set(body)}{_end(closing)}</mrow>"
        case Root(body):
            return f"<msqrt>{_set(body)}</msqrt>"
        case Fraction():
            return _fraction(node)
        case Scripts():
            return _scripts(node)


def _sign(node: Sign, is_between: bool) -> str:
    form = ' form="prefix"' if node.sign in "+−" and not is_between else ""
    return f"<mo{form}>{_quoted(node.sign)}</mo>"


def _end(sign: str) -> str:
    return f'<mo fence="true" stretchy="true">{_quoted(sign)}</mo>'


def _fraction(node: Fraction) -> str:
    above, below = _set(node.above), _set(node.below)
    if node.is_bar:
        return f"<mfrac>{above}{below}</mfrac>"
    return f'<mrow>{above}<mo lspace="0" rspace="0">/</mo>{below}</mrow>'


def _scripts(node: Scripts) -> str:
    base = _set(node.base)
    if node.below is not None and node.above is not None:
        return f"<msubsup>{base}{_set(node.below)}{_set(node.above)}</msubsup>"
    if node.below is not None:
        return f"<msub>{base}{_set(node.below)}</msub>"
    return f"<msup>{base}{_set(node.above)}</msup>" if node.above is not None else base


def _side_by_side(parts: tuple[Node, ...]) -> str:
    """The parts, with a thin space around words that no bracket follows."""
    found = []
    for place, part in enumerate(parts):
        following = parts[place + 1] if place + 1 < len(parts) else None
        is_between = place > 0 and not isinstance(parts[place - 1], Sign)
        found.append(_sign(part, is_between) if isinstance(part, Sign) else _set(part))
        if _is_word(part) and following is not None and not isinstance(following, Fenced | Sign):
            found.append(_THIN)
        if following is not None and _is_word(following) and not isinstance(part, Sign):
            found.append(_THIN)
    return "".join(found)


def _is_word(node: Node) -> bool:
    return isinstance(node, Word) or (isinstance(node, Scripts) and isinstance(node.base, Word))
