"""The lines of a table in what a command says are told from its sentences, which may be wrapped."""

from __future__ import annotations

from _generate.console import Console
from pygments.token import Generic  # type: ignore[import-untyped]

SESSION = """\
$ whit assess --epsilon 1 \\
    --prior 0.5
The belief goes from 50 % to at most 73.2 %.

question   answer
posterior  at most 73.2 %
$ echo $?
0
"""


def test_rows_of_a_table_have_a_kind_of_their_own():
    parts = [(kind, text.strip()) for kind, text in Console().get_tokens(SESSION)]
    rows = [text for kind, text in parts if kind is Generic.Output.Table]
    said = [text for kind, text in parts if kind is Generic.Output and text]
    assert rows == ["question   answer", "posterior  at most 73.2 %"]
    assert said == ["The belief goes from 50 % to at most 73.2 %.", "0"]
