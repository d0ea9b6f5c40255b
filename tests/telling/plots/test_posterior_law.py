"""The law of the posterior."""

from __future__ import annotations

import mpmath
import pytest

from whit.errors import InvalidInput, NotImplied
from whit.guarantees import ZeroConcentratedDP
from whit.mechanisms import Gaussian
from whit.semantics import membership
from whit.telling.plots import posterior_law


def test_the_line_is_the_normal_law_seen_through_bayes_rule():
    picture = posterior_law({"x": Gaussian(1.0)}, 0.5, posteriors=[0.1, 0.5, 0.9])
    rows = [row for rows in picture.chart.to_dict()["datasets"].values() for row in rows if row.get("series") == "x"]
    for row in rows:
        x = mpmath.mpf(row["posterior"])
        truth = 1 - mpmath.ncdf(mpmath.log(x / (1 - x)) - mpmath.mpf(1) / 2)
        assert truth <= row["chance"] <= truth * (1 + mpmath.mpf("1e-9"))


def test_a_law_is_drawn_as_it_is():
    law = membership.distribution(Gaussian(1.0), 0.25)
    picture = posterior_law(law)
    assert picture.table == posterior_law(Gaussian(1.0), 0.25).table
    assert "from a prior of 25 %" in picture.title
    assert "99 % of the time at most" in picture.alt


def test_a_law_that_is_not_known_is_refused():
    with pytest.raises(NotImplied, match="the law of the posterior"):
        posterior_law(ZeroConcentratedDP(0.5), 0.5)
    with pytest.raises(InvalidInput, match="prior must be given with a promise or a mechanism"):
        posterior_law(Gaussian(1.0))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The adversary knows the records of everyone else."),
        ("de", "Der Angreifer kennt die Datensätze aller anderen."),
        ("fr", "L’adversaire connaît les enregistrements de tous les autres."),
    ],
)
def test_it_says_that_the_adversary_knows_everyone_else(language, said):
    """The law of the posterior is known for nobody else: the others' records would be a second source of chance."""
    picture = posterior_law(Gaussian(1.0), 0.5, language=language)
    assert said in picture.caption
    assert said in picture.alt
