"""What findings have in common is read off them: the promise, its class, the relation, what they started from."""

from __future__ import annotations

import pytest
from told_promises import PROMISES, assessed

from whit.assessment import assess
from whit.curves import Promise
from whit.guarantees import ApproxDP, Guarantee, PureDP
from whit.mechanisms import Laplace
from whit.semantics import membership, testing
from whit.setting import Adversary, Neighbours
from whit.telling.words.subject import Subject, given


@pytest.mark.parametrize("name", PROMISES)
def test_the_class_of_the_promise_is_known(name):
    promised = PROMISES[name][0]
    kind = Subject(tuple(assessed(name))).kind
    assert kind is type(promised)
    assert isinstance(promised, Promise)


@pytest.mark.parametrize("name", PROMISES)
def test_the_relation_is_that_of_the_promise(name):
    promised = PROMISES[name][0]
    relation = promised.neighbours if isinstance(promised, Guarantee) else promised.relation()
    assert Subject(tuple(assessed(name))).relation is relation


def test_a_single_finding_of_a_promise_knows_its_relation():
    local = PureDP(1.0, neighbours=Neighbours.LOCAL)
    assert Subject((("answer", local.power(0.05)),)).relation is Neighbours.LOCAL
    assert Subject((("answer", ApproxDP(1.0, 1e-6).power(0.05)),)).relation is Neighbours.ADD_REMOVE
    assert Subject((("answer", Laplace(1.0).curve().power(0.05)),)).relation is None


def test_of_many_the_start_goes_with_the_largest_value():
    assert given(membership.posterior(PureDP(1.0), [0.1, 0.7, 0.2]), "prior") == 0.7
    assert given(testing.power(PureDP(1.0), 0.05), "level") == 0.05


def test_a_product_given_by_both_its_neighbours_is_one_number():
    answer = assess(PureDP(1.0), Adversary(inclusion=0.3, value=0.1)).posterior
    assert given(answer, "prior") == 0.03


def test_words_and_what_is_not_there_are_no_numbers():
    finding = membership.posterior(PureDP(1.0), 0.5)
    assert given(finding, "promise") is None
    assert given(finding, "level") is None
