"""Accountants of PipelineDP and odometers of SmartNoise."""

from __future__ import annotations

import mpmath
import pytest
from known_truths import lies_just_above, stated_pairs

from whit.exchange import OpenPoint, learn
from whit.guarantees import ApproxDP

pytestmark = pytest.mark.filterwarnings("ignore")


def test_an_accountant_of_pipelinedp_has_its_epsilon():
    accounting = pytest.importorskip("pipeline_dp.budget_accounting", reason="PipelineDP is not installed")
    accountant = accounting.NaiveBudgetAccountant(1.0, 1e-6)
    assert learn(accountant).promise == ApproxDP(1.0, 1e-6)
    kinds = accounting.MechanismType
    accountant.request_budget(kinds.LAPLACE)
    accountant.request_budget(kinds.GAUSSIAN, count=3)
    accountant.request_budget(kinds.GENERIC)
    accountant.compute_budgets()
    found = learn(accountant).promise
    # Each mechanism has a fifth of epsilon, and each of the last four a quarter of delta.
    truth = stated_pairs([(0.2, 0.0), *[(0.2, 2.5e-7)] * 4])
    assert float(found.epsilon(0.0)) == float("inf")
    own = accountant.total_epsilon
    for delta in (1e-6, 1e-5):
        epsilon = float(found.epsilon(delta))
        assert truth(mpmath.mpf(epsilon)) <= delta
        assert epsilon <= own * (1 + 1e-9)


def test_the_odometers_of_smartnoise_are_read_by_their_steps():
    odometers = pytest.importorskip("snsql.sql.odometer", reason="SmartNoise is not installed")
    from snsql.sql.privacy import Privacy

    several = odometers.OdometerHeterogeneous(Privacy(epsilon=1.0, delta=1e-6))
    several.spend(Privacy(epsilon=0.5, delta=1e-7))
    several.spend(Privacy(epsilon=0.25, delta=0.0))
    found = learn(several)
    assert OpenPoint.ADAPTIVITY in found.open
    assert float(found.promise.epsilon(1e-7)) <= 0.75 * (1 + 1e-9)
    assert lies_just_above(float(found.promise.epsilon(1e-3)), stated_pairs([(0.5, 1e-7), (0.25, 0.0)]), 1e-3)
    same = odometers.Odometer(Privacy(epsilon=0.5, delta=0.0))
    same.spend()
    same.spend()
    assert float(learn(same).promise.epsilon(0.0)) == 1.0
