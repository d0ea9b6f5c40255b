"""An epsilon that is stated beside a noise is supported, contradicted or not shown by what the noise gives."""

from __future__ import annotations

import json
import math
import re
from statistics import NormalDist

import pytest

from whit.errors import WhitError
from whit.spec import claim_of, pairs
from whit.telling.claims import JudgedClaim, Support, judge_claim

NORMAL = NormalDist()


def judged(text: str, *others: str) -> JudgedClaim:
    return judge_claim(claim_of(pairs("a claim", text), [pairs("a promise", each) for each in others]), number=1)


def gaussian_epsilon(sigma: float, delta: float) -> float:
    """The epsilon of Gaussian noise on a count, by bisection of its profile in closed form (Balle and Wang 2018)."""
    low, high = 0.0, 100.0
    for _ in range(200):
        middle = (low + high) / 2
        half, shift = 0.5 / sigma, middle * sigma
        found = NORMAL.cdf(half - shift) - math.exp(middle) * NORMAL.cdf(-half - shift)
        low, high = (middle, high) if found > delta else (low, middle)
    return high


@pytest.mark.parametrize(
    ("share", "support"), [(1.0001, Support.SUPPORTED), (0.9999, Support.CONTRADICTED), (0.5, Support.CONTRADICTED)]
)
def test_the_noise_decides_on_both_sides_of_its_epsilon(share: float, support: Support) -> None:
    truth = gaussian_epsilon(2.0, 1e-5)
    stated = float(f"{truth * share:.6g}")
    (found,) = judged(f"epsilon={stated}, delta=1e-5, gaussian=2").stated_epsilons
    assert found.support is support
    assert found.found is not None
    assert float(found.found) == pytest.approx(truth, rel=1e-9)
    # What is printed stands on its side of what was stated, and of the truth.
    numbers = re.findall(r"at (most|least) ([0-9.]+[0-9])", found.sentence)
    for side, text in numbers:
        assert (float(text) >= truth) if side == "most" else (float(text) <= truth)
    shown = dict(numbers)
    assert float(shown["most"]) <= stated if support is Support.SUPPORTED else float(shown["least"]) > stated


def test_several_releases_are_judged_together_unless_the_claim_covers_each() -> None:
    one, three = gaussian_epsilon(3.0, 1e-6), gaussian_epsilon(3.0 / math.sqrt(3), 1e-6)
    between = (one + three) / 2
    text = f"epsilon={between}, delta=1e-6, gaussian=3, releases=3"
    assert judged(text).stated_epsilons[0].support is Support.CONTRADICTED
    each = judged(f"{text}, covers=each release").stated_epsilons[0]
    assert each.support is Support.SUPPORTED
    assert each.sentence.startswith("The stated noise, in each release by itself, gives an epsilon of at most ")


def test_noise_with_a_largest_loss_needs_no_delta() -> None:
    found = judged("epsilon=2, laplace=0.5, neighbours=add-remove").stated_epsilons[0]
    assert found.sentence == (
        "The stated noise gives an epsilon of at most 2 without a delta, which supports the stated epsilon of 2."
    )


def test_gaussian_noise_without_a_delta_contradicts_every_epsilon_and_the_way_out_is_said() -> None:
    found = judged("epsilon=2, gaussian=1, neighbours=add-remove").stated_epsilons[0]
    assert found.support is Support.CONTRADICTED
    assert found.sentence == (
        "The stated noise gives an epsilon above 2 without a delta, which contradicts the stated epsilon of 2. "
        "State the delta that belongs to it."
    )


def test_a_bound_from_above_alone_contradicts_nothing() -> None:
    noise = "gaussian=1, sampling_rate=0.1, releases=2, neighbours=replace, delta=1e-5"
    found = judged(f"epsilon=0.001, {noise}").stated_epsilons[0]
    assert found.found is not None
    assert found.found.lower is None
    assert found.support is Support.NOT_SHOWN
    assert found.sentence.endswith(" at delta = 1e-5, so the stated epsilon of 0.001 is not shown.")


def test_the_neighbours_are_said_where_the_claim_does_not_name_them() -> None:
    assert "without a delta (neighbours add-remove), which" in judged("epsilon=2, laplace=1").sentences[2]


def test_the_number_is_said_once_and_the_tree_has_it() -> None:
    found = judged("epsilon=2, delta=1e-5, gaussian=1")
    assert sum("delta = 1e-5" in each for each in found.sentences) == 1
    (tree,) = json.loads(json.dumps(found.to_dict()))["stated_epsilons"]
    assert (tree["epsilon"], tree["delta"], tree["support"]) == (2.0, 1e-5, "CONTRADICTED")
    assert tree["sentence"] in str(found)


def test_each_of_several_promises_is_judged_by_its_own_noise() -> None:
    found = judged("epsilon=1, laplace=1, name=survey", "epsilon=0.1, laplace=2, name=panel", "epsilon=1")
    assert [each.support for each in found.stated_epsilons] == [Support.SUPPORTED, Support.CONTRADICTED]
    assert found.stated_epsilons[1].sentence.startswith("The stated noise (panel) gives an epsilon of at least 0.5 ")


def test_nothing_is_judged_where_epsilon_is_the_promise() -> None:
    assert judged("epsilon=2, delta=1e-5").stated_epsilons == ()
    assert judged("epsilon=2, noise=laplace").stated_epsilons == ()
    assert judged("gaussian=2, delta=1e-5").stated_epsilons == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("epsilon=-1, gaussian=2", 'epsilon in "epsilon=-1, gaussian=2" must be a finite number of at least 0; got -1'),
        ("epsilon=1, delta=2, gaussian=2", "delta in .* must be a probability"),
        ("epsilon=1, rho=1", "must be stated once; got epsilon and rho"),
    ],
)
def test_what_is_no_epsilon_beside_a_noise_is_refused(text: str, said: str) -> None:
    with pytest.raises(WhitError, match=said):
        judged(text)


def test_the_delta_of_a_noise_that_has_one_stays_with_it() -> None:
    claim = claim_of(pairs("a claim", "partition_selection=1, delta=1e-5"))
    assert claim.promises[0].one.stated_delta == 1e-5
