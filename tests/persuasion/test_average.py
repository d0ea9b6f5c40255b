"""The class of priors for a published average: empty below n/(n - 1), and its promise kept."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.persuasion import AveragePriors, linear_release


@pytest.mark.parametrize("records", [2, 3, 10, 1000])
def test_an_empty_class_is_refused_with_a_sentence(records):
    least = AveragePriors.least_r2(records)
    assert least == Fraction(records, records - 1)
    above, below = np.nextafter(float(least), 3.0), np.nextafter(np.nextafter(float(least), 0.0), 0.0)
    assert AveragePriors(1.0, above, records).r2 == above
    with pytest.raises(InvalidInput, match="or no prior at all is in the class"):
        AveragePriors(1.0, below, records)


@pytest.mark.parametrize(("r1", "r2"), [(1e-12, 2.0), (2.0, 2.0), (1e6, 1e9)])
def test_kappa_is_enclosed(r1, r2):
    found, truth = AveragePriors(r1, r2, 2).kappa(), mpmath.mpf(r1) + mpmath.log(r2)
    assert mpmath.mpf(float(found.lower)) <= truth <= mpmath.mpf(float(found.upper))


def test_the_linear_release_is_never_above_the_promise_of_the_class():
    random = np.random.default_rng(17)
    for _ in range(200):
        n = int(random.integers(2, 7))
        root = random.normal(size=(n, n))
        s = root @ root.T + 0.2 * np.eye(n)
        s = (s + s.T) / 2
        x, mean = random.normal(size=n) * 2, random.normal(size=n)
        r1, r2 = AveragePriors.needed(x, s, mean)
        kappa = float(AveragePriors(max(float(r1), 1e-9) * (1 + 1e-9), float(r2) * (1 + 1e-9), n).kappa())
        average = np.full((1, n), 1.0 / n)
        release = linear_release(average, s, mean=mean)
        assert release.kappa([x.mean()]).value.max() <= kappa * (1 + 1e-9)
        assert release.kappa_within(float(r1)).value.max() <= kappa * (1 + 1e-9)


@pytest.mark.parametrize(("r1", "r2", "records"), [(0.0, 2.0, 2), (1.0, np.inf, 2), (1.0, 2.0, 1), (1.0, 2.0, 2.5)])
def test_what_is_no_class_is_refused(r1, r2, records):
    with pytest.raises(InvalidInput, match="r1 must be|r2 must be|records must be"):
        AveragePriors(r1, r2, records)
