"""What the neighbours leave out is said beside the numbers."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from whit.apps.asking.scope import AS_A_COUNT, PRESENCE
from whit.apps.cli import whit
from whit.setting import Neighbours


def told(*words: str) -> str:
    found = CliRunner().invoke(whit, list(words))
    assert found.exit_code == 0, found.output
    return " ".join(found.output.split())


@pytest.mark.parametrize("command", ["assess", "compose"])
def test_presence_is_said_to_be_left_out_unless_records_come_and_go(command):
    def said(neighbours: str) -> str:
        promise = f"epsilon=1, neighbours={neighbours}"
        several = ("--promise", promise, "--promise", promise)
        options = ("--epsilon", "1", "--neighbours", neighbours) if command == "assess" else several
        return told(command, *options, "--prior", "0.1")

    assert PRESENCE[Neighbours.REPLACE] in said("replace")
    assert PRESENCE[Neighbours.LOCAL] in said("local")
    assert "not about whether" not in said("add-remove")


def test_a_replaced_record_that_counts_as_an_added_one_is_named():
    training = ("assess", "--gaussian", "2", "--question", "power")
    assert AS_A_COUNT in told(*training, "--neighbours", "replace")
    assert AS_A_COUNT not in told(*training, "--neighbours", "replace", "--sensitivity", "1:2")
    assert AS_A_COUNT not in told(*training)


def test_the_sentence_about_gradients_is_needed():
    """Power at level 5 % of Gaussian noise 2: Phi(d/2 - 1.645) with a change d of 1, or 2 if gradients are clipped."""
    options = ("--gaussian", "2", "--question", "power", "--neighbours", "replace")
    assert "at most 12.7 %" in told("assess", *options)
    assert "at most 26 %" in told("assess", *options, "--sensitivity", "1:2")
