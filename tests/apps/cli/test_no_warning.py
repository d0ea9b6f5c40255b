"""Commands at the ends of what doubles hold: the tests turn warnings into errors, which `main` hides from people."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from click.testing import CliRunner

from whit.apps.cli import whit

NOISES = ("epsilon", "rho", "mu", "gaussian", "laplace", "geometric", "discrete-gaussian", "staircase", "tulap")
ENDS = ("1e-300", "1e-16", "1e16", "1e300", "1.7e308")
CODES = (0, 1, 2, 3)


def code(*typed: str) -> int:
    found = CliRunner().invoke(whit, list(typed))
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found.exit_code


def test_a_warning_of_numpy_would_be_an_error_here():
    with pytest.raises(RuntimeWarning, match="overflow"):
        np.float64(1e308) * np.float64(10.0)
    assert warnings.filters[0][0] == "error"


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("end", ENDS)
def test_no_answer_at_an_extreme_warns(noise, end):
    assert code("assess", f"--{noise}", end, "--prior", "1e-300", "--failure", "1e-12", "--all") in CODES
    limits = ("--limit", "power=0.1,level=1e-300", "--limit", "ratio=1e300,prior=1e-300")
    assert code("check", f"--{noise}", end, *limits) in CODES


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
@pytest.mark.parametrize("end", ["1e-300", "1e-8", "1e8", "1e300"])
def test_no_answer_about_many_releases_warns(noise, end):
    assert code("assess", f"--{noise}", end, "--releases", "1000000000") in CODES


def test_noise_on_a_sample_whose_square_no_double_holds_is_refused_in_a_sentence():
    found = CliRunner().invoke(whit, ["assess", "--gaussian", "1e300", "--releases", "3", "--sampling-rate", "0.1"])
    assert found.exit_code in CODES, found.exception
    assert "Noise on a sample must be from 1e-150 to 1e+150 times what one record changes" in found.stdout
