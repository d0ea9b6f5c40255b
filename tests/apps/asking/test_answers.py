"""Tables of a command are made when somebody looks at them, and only then."""

from __future__ import annotations

import pickle

from whit.apps.asking import ask
from whit.apps.asking.answers import Later, Table
from whit.apps.web.api.answering import document_of


def test_tables_are_made_once_and_only_when_they_are_looked_at():
    made = []

    def make():
        made.append("made")
        return [Table(("question",), [("posterior",)])]

    tables = Later(make)
    assert made == []
    assert (len(tables), tables[0].head, [each.rows for each in tables]) == (1, ("question",), [[("posterior",)]])
    assert made == ["made"]


def test_another_process_gets_the_tables_themselves():
    told = ask("assess", {"rho": "0.1", "failure": "0.01"})
    again = pickle.loads(pickle.dumps(told))
    assert again.tables == tuple(told.tables)
    assert again.tables[0].rows[0][0] == "posterior"


def test_a_document_makes_no_table(monkeypatch):
    def refuse(self):
        raise AssertionError("a table was made")

    monkeypatch.setattr(Later, "_made", property(refuse))
    assert '"posterior"' in document_of("assess", {"epsilon": "1"}).text


def test_the_worst_priors_share_one_row():
    first = [row[0] for row in ask("assess", {"epsilon": "1"}).tables[0].rows]
    every = [row[0] for row in ask("assess", {"epsilon": "1", "all": True}).tables[0].rows]
    assert first.count("worst prior") == 1
    assert sum(name.startswith("worst prior, ") for name in every) == 4
