"""The tables of the explorer against formulas in high precision, and against whit where there is no formula."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest
from mpmath import erfc, erfinv, exp, findroot, log, mp, mpf, sqrt

from whit import ZeroConcentratedDP
from whit.telling.explorer import make_tables

TABLES = json.loads((files("whit.telling.explorer") / "tables.json").read_text(encoding="utf-8"))
UNITS = TABLES["units"]
LOOKED_AT = (1, 2, 7, 20, 61, 100, 160)


def below(x):
    return erfc(-x / sqrt(2)) / 2


def quantile(phi):
    """The x that a standard normal variable exceeds with this probability."""
    return sqrt(2) * erfinv(1 - 2 * phi)


def ever(mu, phi):
    def excess(t):
        return below(mu / 2 - t / mu) + exp(t) * below(-mu / 2 - t / mu) - phi

    return findroot(excess, (mu**2 / 2 + mu * quantile(phi), mu**2 / 2 + mu * quantile(phi / 2)), solver="anderson")


LOSSES = {
    "zcdp": lambda mu, phi: mu**2 / 2 + mu * sqrt(2 * log(1 / phi)),
    "gdp": lambda mu, phi: log(phi) - log(below(-quantile(phi) - mu)),
    "gaussian_end": lambda mu, phi: mu**2 / 2 + mu * quantile(phi),
    "gaussian_ever": ever,
}


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_at_least_the_true_one_and_less_than_two_units_above(name):
    for failure, column in zip(TABLES["failures"], TABLES["losses"][name], strict=True):
        assert len(column) == TABLES["steps"] + 1
        assert column[0] == 0
        for step in LOOKED_AT:
            truth = LOSSES[name](mpf(TABLES["largest"]) * step / TABLES["steps"], mpf(failure))
            assert truth < mpf(column[step]) / UNITS["loss"] < truth + mpf(2) / UNITS["loss"]


@pytest.mark.parametrize("name", LOSSES)
def test_a_chord_is_above_the_true_loss_by_less_than_the_promised_points(name):
    """A posterior changes by at most a quarter of what the loss does."""
    with mp.workdps(30):
        for failure, column in zip(TABLES["failures"], TABLES["losses"][name], strict=True):
            for step in (0, 1, 5, 30, 90, 159):
                for share in (mpf("0.5"), mpf("0.03")):
                    chord = (column[step] * (1 - share) + column[step + 1] * share) / UNITS["loss"]
                    truth = LOSSES[name]((step + share) * TABLES["largest"] / TABLES["steps"], mpf(failure))
                    assert truth < chord < truth + mpf("0.001")


def test_every_power_of_gaussian_privacy_is_at_least_the_true_one():
    for level, table in zip(TABLES["levels"], TABLES["powers"]["gdp"], strict=True):
        for mu, power in zip(table["mu"][::40], table["power"][::40], strict=True):
            truth = below(mpf(mu) / UNITS["mu"] - quantile(mpf(level)))
            assert truth <= mpf(power) / UNITS["power"] < truth + mpf("0.00011")


def test_every_power_of_zero_concentrated_privacy_is_that_of_whit_and_above_that_of_gaussian_noise():
    random = np.random.default_rng(21)
    for level, table in zip(TABLES["levels"], TABLES["powers"]["zcdp"], strict=True):
        for k in random.integers(1, len(table["mu"]), size=4):
            mu, power = table["mu"][k] / UNITS["mu"], table["power"][k] / UNITS["power"]
            found = float(ZeroConcentratedDP(mu**2 / 2).power(level).value)
            assert found <= power < found + 0.00011
            assert below(mpf(mu) - quantile(mpf(level))) <= power


@pytest.mark.parametrize("name", ["zcdp", "gdp"])
def test_the_next_power_is_never_more_than_the_promised_points_away(name):
    for level, table in zip(TABLES["levels"], TABLES["powers"][name], strict=True):
        assert all(a < b for a, b in pairwise(table["mu"]))
        assert table["power"][0] - level * UNITS["power"] <= 19
        assert all(0 <= b - a <= 19 for a, b in pairwise(table["power"]))
        assert table["power"][-1] == UNITS["power"]


@pytest.mark.slow
def test_whit_makes_the_same_tables_again():
    assert make_tables() == TABLES
