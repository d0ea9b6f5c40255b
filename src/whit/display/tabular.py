"""What has rows: as a data frame, as an Arrow table, and as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from whit.display.frames import Row, csv_text, frame


class Tabular:
    """A value that is rows of plain values by column."""

    __slots__ = ()

    def to_rows(self) -> Sequence[Row]:
        """The value as rows of plain values by column."""
        raise NotImplementedError

    def to_frame(self, library: str = "pandas") -> Any:
        """The rows as a data frame of "pandas" or "polars", or as an Arrow table of "pyarrow"."""
        return frame(self.to_rows(), library)

    def to_csv(self) -> str:
        """The rows as CSV with a head; numbers keep every bit."""
        return csv_text(self.to_rows())
