from __future__ import annotations

import math

import pytest

from whit import guarantees, mechanisms
from whit.curves import largest_loss
from whit.guarantees import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import AdditiveNoise, Gaussian, Geometric, Laplace, RandomizedResponse
from whit.policy import limits

KINDS = [*guarantees.kinds(), *mechanisms.kinds()]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


def built(kind, number: float):
    more = {"delta": 1e-6} if "delta" in kind.parameter.beside else {}
    return kind(**{kind.parameter.name: number}, **more)


def test_no_two_kinds_are_stated_by_the_same_words():
    said = [frozenset({kind.parameter.word, *kind.parameter.beside}) for kind in KINDS]
    assert len(said) == len(set(said))
    assert {PureDP, ApproxDP, ZeroConcentratedDP, GaussianDP} <= set(KINDS)


def test_all_noise_that_can_be_added_to_a_count_declares_itself():
    classes = [each for each in vars(mechanisms).values() if isinstance(each, type)]
    added = {each for each in classes if issubclass(each, AdditiveNoise) and not each.__abstractmethods__}
    assert added <= {*KINDS, mechanisms.Deterministic}
    assert {Gaussian, Laplace, Geometric} <= added


@each_kind
def test_a_kind_is_built_by_the_name_that_it_declares_and_nothing_else(kind):
    assert isinstance(built(kind, 1.5), kind)


@each_kind
def test_the_direction_is_that_of_the_risk(kind):
    small, large = (float(limits.advantage(0.9).headroom(built(kind, number))) for number in (0.3, 30.0))
    assert (large < small) is kind.parameter.rising


@each_kind
def test_a_kind_has_a_bound_that_always_holds_if_it_says_so(kind):
    assert math.isfinite(float(largest_loss(built(kind, 2.0), 0.0))) is kind.parameter.bounded


@pytest.mark.parametrize(("kind", "word"), [(k, w) for k in mechanisms.kinds() for w, _ in k.parameter.keeps])
def test_noise_that_keeps_a_guarantee_keeps_no_more_of_it_than_its_number_says(kind, word):
    number = dict(kind.parameter.keeps)[word](0.7)
    noise = kind(**{kind.parameter.name: number})
    stated = {"epsilon": PureDP(0.7), "rho": ZeroConcentratedDP(0.7), "mu": GaussianDP(0.7)}[word]
    risk, bound = noise.power(0.05), stated.power(0.05)
    assert float(risk) <= float(bound) * (1 + 1e-12) or kind is RandomizedResponse
    if word != "rho":  # from rho alone less is known than from the noise
        assert float(noise.epsilon(1e-12)) == pytest.approx(float(stated.epsilon(1e-12)), rel=1e-6)
