"""What a command says: its sentences are wrapped as in a terminal, and its tables are not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pygments.lexers.shell import BashSessionLexer  # type: ignore[import-untyped]
from pygments.token import Generic, _TokenType  # type: ignore[import-untyped]
from sphinx.application import Sphinx

Tokens = Iterator[tuple[int, _TokenType, str]]

_COLUMNS = re.compile(r"\S {2,}\S")


class Console(BashSessionLexer):  # type: ignore[misc]
    """A session in a shell, where lines in columns have a kind of their own."""

    def get_tokens_unprocessed(self, text: str) -> Tokens:
        """The parts of the session, with the lines of tables marked."""
        for start, kind, part in super().get_tokens_unprocessed(text):
            is_row = kind is Generic.Output and _COLUMNS.search(part)
            yield start, Generic.Output.Table if is_row else kind, part


def setup(app: Sphinx) -> dict[str, bool]:
    """Make this module an extension."""
    app.add_lexer("console", Console)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
