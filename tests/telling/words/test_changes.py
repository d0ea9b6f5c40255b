from __future__ import annotations

import pytest
from click.testing import CliRunner

from whit import compose
from whit.apps.cli import whit
from whit.guarantees import PureDP
from whit.mechanisms import Gaussian, Laplace
from whit.semantics.membership import posterior
from whit.setting import Neighbours, Sensitivity
from whit.telling.words import change_texts
from whit.telling.words.language import language_of


def texts(release, neighbours=None, code="en"):
    return change_texts(posterior(release, 0.1, failure=0.01, neighbours=neighbours), language_of(code))


def test_a_promise_without_noise_assumes_no_sensitivity():
    assert texts(PureDP(1.0)) == ()


@pytest.mark.parametrize(
    ("changed", "neighbours", "said"),
    [
        (Sensitivity.count(), None, "One record changes the exact answer by at most 1."),
        (
            Sensitivity.histogram(),
            Neighbours.REPLACE,
            "A replaced record changes at most 2 exact answers, each by at most 1.",
        ),
        (
            Sensitivity(add_remove=(1, 2.5), replace=1),
            None,
            "One record that is added or removed changes the exact answers by at most 1 + 2.5, each in one cell.",
        ),
    ],
)
def test_the_sentence_is_about_the_relation_that_was_asked_for(changed, neighbours, said):
    assert texts(Gaussian(10.0, sensitivity=changed).times(12), neighbours) == (said,)


@pytest.mark.parametrize(("code", "number"), [("en", "at most 2.5"), ("de", "höchstens 2,5"), ("fr", "au plus 2,5")])
def test_every_language_has_the_number_in_its_own_manner(code, number):
    [said] = texts(Laplace(10.0, sensitivity=Sensitivity(add_remove=2.5, replace=2.5)), code=code)
    assert number in said


def test_a_change_that_passes_the_check_as_it_is_printed_is_one_that_the_number_holds_for():
    changed = 1.23456789
    [said] = texts(Laplace(10.0, sensitivity=Sensitivity(add_remove=changed, replace=changed)))
    assert changed * (1 - 1e-5) <= float(said.rpartition(" ")[2].rstrip(".")) <= changed


def test_of_several_sensitivities_each_stands_beside_its_noise():
    other = Gaussian(4.0, sensitivity=Sensitivity(add_remove=3, replace=3))
    said = texts(compose(Gaussian(10.0), other))
    assert [each.partition(": ")[0] for each in said] == ["sigma = 10", "sigma = 4"]
    assert [each.rpartition(" ")[2] for each in said] == ["1.", "3."]


def test_why_says_what_one_record_changes():
    found = CliRunner().invoke(whit, ["assess", "--gaussian", "10", "--failure", "0.01", "--why"])
    [row] = [line for line in found.stdout.splitlines() if "One record changes" in line]
    assert "who holds the data" in row
    assert row.rstrip().endswith("by at most 1.")
