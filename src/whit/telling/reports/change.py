"""A change of a release that is worth saying, as a row of a table, with how far the noise then moves a number."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from whit.errors import WhitError
from whit.mechanisms import Mechanism
from whit.policy import accuracy
from whit.spec import Series
from whit.telling.reports.document import Table
from whit.telling.reports.sentences import DIGITS, verdict_word
from whit.telling.reports.wording import Words
from whit.theory import Direction

CONFIDENCE = 0.95
"""The error is the one that the noise stays within with this probability."""


@dataclass(frozen=True)
class Change:
    """A change of a release, and what policy says of it.

    Attributes:
        change: what is changed.
        to: to what.
        outcome: the verdict after it.
        noise: how far the noise then moves an answer; empty where the noise is not known.
        then: the releases after it, which a ledger is asked about; None where they are not known.
    """

    change: str
    to: str
    outcome: str
    noise: str = ""
    then: Series | None = None

    def row(self, words: Words) -> tuple[str, str, str, str]:
        """As the row of a table."""
        return self.change, self.to, self.noise or words("comparison.nothing"), verdict_word(self.outcome, words)


def table_of(found: Sequence[Change], words: Words) -> Table:
    """The changes as a table; without the noise if it is known of none."""
    columns = (0, 1, 2, 3) if any(each.noise for each in found) else (0, 1, 3)
    rows = tuple(tuple(each.row(words)[n] for n in columns) for each in found)
    header = words.names("sheet.instead_header")
    widths = (4, 5, 5, 4)
    return Table("", tuple(header[n] for n in columns), rows, tuple(widths[n] for n in columns))


def moved_by(release: object, words: Words) -> str:
    """The standard deviation of the noise and its error; empty where the release is no noise on a number."""
    if isinstance(release, Mechanism):
        with suppress(WhitError):
            known = accuracy(release, confidence=CONFIDENCE)
            # The deviation has the digits of the parameter beside it: of some noise the two are one number.
            deviation = words.number(float(known.deviation), Direction.AT_MOST, digits=DIGITS)
            error = words.number(float(known.error), Direction.AT_MOST)
            return words("sheet.moved", share=words.percent(CONFIDENCE), deviation=deviation, error=error)
    return ""
