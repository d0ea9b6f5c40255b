"""A promise to a block of people: the relation it is about, and the chances beyond a loss."""

from __future__ import annotations

import numpy as np
import pytest

from whit.curves.block import Block
from whit.guarantees import ApproxDP, PureDP
from whit.setting import Neighbours


def test_the_relation_of_the_block_counts_unless_another_is_named() -> None:
    """Each of two people who are replaced costs two steps of add/remove; this person's own coming costs one."""
    promise = PureDP(0.5)
    swapped = Block(promise, 2, Neighbours.REPLACE)
    assert float(swapped.sure_loss()) == 2.0
    assert float(swapped.sure_loss(Neighbours.ADD_REMOVE)) == 1.5
    assert float(Block(promise, 2).sure_loss()) == 1.5
    assert float(Block(promise, 2).sure_loss(Neighbours.REPLACE)) == 2.0
    assert float(swapped.curve().epsilon(0.0)) == pytest.approx(2.0, rel=1e-12)


def test_the_chances_beyond_a_loss_are_one_sided_unless_both_sides_are_asked_for() -> None:
    block, losses = Block(ApproxDP(0.3, 1e-3, neighbours=Neighbours.REPLACE), 2), np.array([0.7, 1.0, 2.0])
    one, both = block.chances_beyond(losses), block.chances_beyond(losses, sides=2)
    assert one.tolist() == np.asarray(block.beyond(losses).value).tolist()
    assert both.tolist() == np.asarray(block.beyond(losses, sides=2).value).tolist()
    assert np.all(one < both)
