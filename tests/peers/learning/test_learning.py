"""Events that TensorFlow Privacy and JAX Privacy make."""

from __future__ import annotations

import pytest

from whit.exchange import learn
from whit.mechanisms import Gaussian
from whit.setting import Sensitivity

pytestmark = pytest.mark.filterwarnings("ignore")

NORM = Sensitivity(add_remove=1.0, replace=2.0)


def test_the_event_of_a_query_of_tensorflow_privacy_is_its_noise():
    queries = pytest.importorskip("tensorflow_privacy", reason="TensorFlow Privacy is not installed")
    import tensorflow as tf

    query = queries.GaussianSumQuery(l2_norm_clip=1.0, stddev=2.0)
    state = query.initial_global_state()
    sample = query.initial_sample_state(tf.zeros([2]))
    _, _, event = query.get_noised_result(sample, state)
    assert learn(event).promise == Gaussian(2.0, sensitivity=NORM)


def test_the_event_of_a_plan_of_jax_privacy_is_noise_on_samples():
    accounting = pytest.importorskip("jax_privacy.accounting", reason="JAX Privacy is not installed")
    event = accounting.dpsgd_event(1.0, 100, sampling_prob=0.01)
    own = accounting.PLDAccountant().compose(event).get_epsilon(1e-6) if hasattr(accounting, "PLDAccountant") else None
    found = float(learn(event).promise.epsilon(1e-6))
    # By dp-accounting 0.6.0, which rounds losses up to a grid of 1e-4.
    assert 0.9542 <= found <= 0.95422
    assert own is None or found <= own * (1 + 1e-7)
