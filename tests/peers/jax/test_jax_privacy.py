"""Accountants that JAX Privacy makes."""

from __future__ import annotations

import pytest

from whit.exchange import learn

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("name", ["PldAccountantConfig", "RdpAccountantConfig"])
def test_an_accountant_is_read_by_what_it_composed(name):
    accounting = pytest.importorskip("jax_privacy.accounting", reason="JAX Privacy is not installed")
    from dp_accounting import dp_event

    accountant = getattr(accounting, name)().create_accountant()
    accountant.compose(dp_event.PoissonSampledDpEvent(0.01, dp_event.GaussianDpEvent(1.0)), 100)
    found = float(learn(accountant).promise.epsilon(1e-6))
    # By the accountant of losses of dp-accounting 0.6.0, which rounds losses up to a grid of 1e-4: 0.954218.
    assert 0.9542 <= found <= 0.95422
    assert found <= accountant.get_epsilon(1e-6) * (1 + 1e-9)
