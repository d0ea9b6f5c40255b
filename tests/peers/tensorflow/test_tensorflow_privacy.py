"""Events that queries of TensorFlow Privacy make."""

from __future__ import annotations

import pytest

from whit.exchange import learn
from whit.mechanisms import Gaussian
from whit.setting import Sensitivity

pytestmark = pytest.mark.filterwarnings("ignore")


def test_the_event_of_a_query_is_its_noise():
    queries = pytest.importorskip("tensorflow_privacy", reason="TensorFlow Privacy is not installed")
    import tensorflow as tf

    query = queries.GaussianSumQuery(l2_norm_clip=1.0, stddev=2.0)
    state = query.initial_global_state()
    sample = query.initial_sample_state(tf.zeros([2]))
    _, _, event = query.get_noised_result(sample, state)
    assert learn(event).promise == Gaussian(2.0, sensitivity=Sensitivity(add_remove=1.0, replace=2.0))
