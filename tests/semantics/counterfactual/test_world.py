"""The three worlds without a person."""

from __future__ import annotations

import pytest

from whit.curves import Curve, GaussianLoss
from whit.errors import InvalidInput
from whit.guarantees import PureDP
from whit.mechanisms import Gaussian
from whit.semantics.counterfactual import CounterfactualWorld
from whit.semantics.counterfactual.profile import checked, world_of
from whit.setting import Knowledge, Neighbours


def test_only_a_dropped_record_needs_neighbours_that_add_or_remove_one():
    needed = {world: world.neighbours for world in CounterfactualWorld}
    assert needed == {
        CounterfactualWorld.DROPPED: Neighbours.ADD_REMOVE,
        CounterfactualWorld.DEFAULT_RECORD: Neighbours.REPLACE,
        CounterfactualWorld.POSTERIOR_SAMPLE: Neighbours.REPLACE,
    }


def test_a_world_is_a_sentence_and_rebuilds_itself():
    assert all(world.value.startswith("The release is run on the data") for world in CounterfactualWorld)
    assert all(eval(repr(world)) is world for world in CounterfactualWorld)


@pytest.mark.parametrize("relation", [Neighbours.REPLACE, Neighbours.LOCAL])
def test_the_neighbours_of_a_promise_choose_the_world_where_none_is_named(relation):
    assert world_of(None, PureDP(1.0)) is CounterfactualWorld.DROPPED
    assert world_of(None, PureDP(1.0, neighbours=relation)) is CounterfactualWorld.DEFAULT_RECORD
    assert world_of(None, Gaussian(1.0)) is CounterfactualWorld.DROPPED
    assert world_of(CounterfactualWorld.POSTERIOR_SAMPLE, PureDP(1.0)) is CounterfactualWorld.POSTERIOR_SAMPLE


def test_a_bare_curve_must_be_told_its_world():
    curve = Curve.exact(GaussianLoss(1.0))
    with pytest.raises(InvalidInput, match="world must be given for a curve"):
        world_of(None, curve)
    assert world_of(CounterfactualWorld.DROPPED, curve) is CounterfactualWorld.DROPPED


def test_what_is_no_world_promise_or_knowledge_is_refused_in_a_sentence():
    with pytest.raises(InvalidInput, match="world must be one of CounterfactualWorld; got dropped"):
        checked("dropped")
    with pytest.raises(InvalidInput, match="knows must be one of Knowledge; got None"):
        Knowledge.checked(None)
    with pytest.raises(InvalidInput, match=r"promise must be a promise, a mechanism or a curve; got 1\.0"):
        world_of(None, 1.0)
    assert Knowledge.checked(Knowledge.ANY_BELIEF) is Knowledge.ANY_BELIEF
