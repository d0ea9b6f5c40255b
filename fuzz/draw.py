"""Numbers, texts and mutations at random; the same seed draws the same inputs."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

ORDINARY = ("0", "1", "0.5", "0.1", "2", "3", "10", "1e-6", "0.01", "0.05", "12", "100", "1/3", "10 %", "1e-3", "4.8")
EXTREME = (
    *("5e-324", "1e-320", "1e-300", "1e-17", "1e15", "1e16", "1e100", "1e308", "1.7976931348623157e308", "1e309"),
    *("-0.0", "-1", "-1e308", "1e-400", "0.9999999999999999", "1.0000000000000002", "4503599627370497", "9" * 20),
    *(
        "1e999999999",
        "1e-999999999",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "9" * 400,
        "9" * 5000,
        "2147483648",
        "9223372036854775808",
        "1e5",
        "365",
        "1000000",
        "0.999999",
    ),
)
BROKEN = (
    *("nan", "inf", "-inf", "NaN", "", " ", "1,5", "1e", "--", "0x10", "1_000", "1/0", "0/0", "%", "1 % %", "1+1", "٣"),
    *(
        "True",
        "None",
        "[]",
        "{}",
        "~",
        "~/x",
        "../../etc/passwd",
        "/dev/stdin",
        "\x00",
        "\x1b[31m",
        "\ufeff",
        "\U0001f600",
    ),
    *(
        "a" * 3000,
        "<script>alert(1)</script>",
        "'",
        '"',
        "\\",
        "\r\n",
        "{failure}",
        "%s",
        "$(x)",
        "```",
        "é",
        "\u202e",
        "=",
    ),
)
TOKEN = re.compile(r'"[^"\n]*"|[\w.+-]+|\s+|[^\w\s]')


class Draw(random.Random):
    """Luck, with what a grammar needs.

    Each input is as wild as it is: most have only numbers that somebody would write, so that they are answered.
    """

    wildness = 0.3

    def begin(self) -> None:
        """Draw how wild the next input is."""
        self.wildness = self.choice((0.0, 0.0, 0.0, 0.1, 0.3, 0.6))

    def number(self) -> str:
        """A number as somebody writes it: mostly an ordinary one, some far out, some none at all."""
        if self.random() >= self.wildness:
            return self.choice(ORDINARY) if self.random() < 0.6 else f"{10 ** self.uniform(-6, 2):.4g}"
        chance = self.random()
        if chance < 0.3:
            return f"{10 ** self.uniform(-307, 308):.17g}"
        return self.choice(EXTREME) if chance < 0.7 else self.choice(BROKEN)

    def whole(self) -> str:
        """A whole number, mostly a small one."""
        if self.random() >= self.wildness:
            return str(self.choice((1, 1, 2, 3, 4, 5, 12, 50, 365)))
        return self.choice((*EXTREME, *BROKEN, "0", "1e3", "2.5"))

    def token(self, words: Sequence[str]) -> str:
        """A piece that may stand anywhere: a number, a word of the grammar, or what breaks texts."""
        chance = self.random()
        if chance < 0.4:
            return self.number()
        return self.choice(words) if words and chance < 0.8 else self.choice(BROKEN)

    def mutated(self, text: str, words: Sequence[str], others: Sequence[str] = ()) -> str:
        """The text with one to five changes of tokens, lines or letters."""
        for _ in range(self.choice((1, 1, 1, 2, 2, 3, 5))):
            text = self._changed(text, words, others)
        return text

    def _changed(self, text: str, words: Sequence[str], others: Sequence[str]) -> str:
        how = self.random()
        if how < 0.55:
            pieces = TOKEN.findall(text) or [""]
            at = self.randrange(len(pieces))
            old = pieces[at]
            new = self.token(words)
            pieces[at] = f'"{new}"' if old.startswith('"') and self.random() < 0.7 else new
            return "".join(pieces)
        if how < 0.9:
            lines = text.splitlines(keepends=True) or [""]
            return "".join(self._lines(lines, others))
        at = self.randrange(len(text) + 1)
        put = self.choice(("", chr(self.randrange(0x250)), self.choice(BROKEN), text[max(0, at - 40) : at]))
        return text[:at] + put + text[at + self.choice((0, 1, 5, 40)) :]

    def _lines(self, lines: list[str], others: Sequence[str]) -> list[str]:
        """Lines with one left out, doubled, moved, or one from another text."""
        at, to = self.randrange(len(lines)), self.randrange(len(lines))
        how = self.randrange(4)
        if how == 0:
            return lines[:at] + lines[at + 1 :]
        if how == 1:
            return [*lines[:to], lines[at], *lines[to:]]
        if how == 2:
            lines[at], lines[to] = lines[to], lines[at]
            return lines
        other = self.choice(others).splitlines(keepends=True) if others else lines
        return [*lines[:to], self.choice(other or [""]), *lines[to:]]
