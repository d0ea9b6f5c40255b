from __future__ import annotations

import json

from click.testing import CliRunner

from whit.apps.cli import whit


def theorem(*arguments: str):
    return CliRunner().invoke(whit, ["theorem", *arguments])


def test_a_word_that_is_nowhere_is_told_and_is_no_error():
    result = theorem("--about", "no-such-word")
    assert result.exit_code == 0
    assert result.stdout == "No theorem has the word 'no-such-word'. Leave out --about to list all theorems.\n"
    assert json.loads(theorem("--about", "no-such-word", "--json").stdout)["result"] == {"theorems": []}


def test_a_word_that_is_somewhere_is_listed():
    assert "zcdp-tails" in theorem("--about", "concentrated").stdout


def test_a_theorem_says_for_which_questions_it_holds():
    result = CliRunner().invoke(whit, ["theorem", "poisson-subsampling"])
    assert "It holds for:\n- neighbours: add-remove\n- what is known of the release: any\n" in result.stdout
    tree = json.loads(CliRunner().invoke(whit, ["theorem", "odometer", "--json"]).stdout)["result"]["hypotheses"]
    assert tree["sides"] == ["one"]
    assert tree["adaptivity"] == ["mechanisms", "parameters", "order", "stopping"]


def test_the_questions_are_said_in_plain_words():
    """No word of the file of theorems stands for itself where a reader would have to guess what it is about."""
    said = theorem("odometer").stdout
    assert "- changes of a belief: rises\n" in said
    assert (
        "- what earlier outputs may choose: the kinds of later releases, their parameters, their order, when to stop"
        in said
    )
    assert "- what earlier outputs may choose: nothing\n" in theorem("zcdp-tails").stdout


def test_the_proof_is_offered_where_it_is_not_given():
    offered = "Add --proof to see whit's own proof."
    assert offered in theorem("advanced-filter").stdout
    assert offered not in theorem("advanced-filter", "--proof").stdout
    assert offered not in theorem("neyman-pearson").stdout
