"""One decision: what `check` says, the schools, the exact referee, recommendations and reports never contradict.

Promises, limits and profiles are drawn at random, from a seed. A requirement is kept exactly where the number of its
school is at most the limit; a profile that is kept is kept for adversaries drawn at random, and by the laws of finite
mechanisms themselves.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from whit.assessment import Unanswered, assess
from whit.errors import NotImplied, TooCostly, Unreachable
from whit.guarantees import ApproxDP, GaussianDP, ProbabilisticDP, PureDP, RenyiDP, ZeroConcentratedDP
from whit.mechanisms import (
    DiscreteGaussian,
    Finite,
    Gaussian,
    Geometric,
    Kernel,
    Laplace,
    Mechanism,
    RandomizedResponse,
    compose,
)
from whit.policy import Outcome, check, limits, profiles, recommend
from whit.policy.profiles import RiskProfile
from whit.semantics import disclosure, membership, testing
from whit.setting import Adversary, Knowledge, Neighbours, Sensitivity
from whit.spec import Questions, Requirements, Series
from whit.telling.reports.cases import rulings

Random = np.random.Generator


def seeds(few: int, many: int) -> pytest.MarkDecorator:
    """A share of the random cases in every run; ten thousand of them, by all laws together, in the slow one."""
    return pytest.mark.parametrize(
        "seeds", [range(few), pytest.param(range(1000, 1000 + many), marks=pytest.mark.slow)]
    )


def about(random: Random, middle: float) -> float:
    """A number of the size of another, over two powers of ten."""
    return float(middle * 10 ** random.uniform(-1, 1))


def chance(random: Random, low: float = 0.01, high: float = 0.99) -> float:
    return float(random.uniform(low, high))


def one_of(random: Random, makers: list[Callable[[], Any]]) -> Any:
    return makers[random.integers(len(makers))]()


def vector(random: Random) -> list[float]:
    """Probabilities of a few outcomes, now and then with one that is impossible."""
    drawn = random.dirichlet(np.full(4, 3.0))
    if random.random() < 0.1:
        drawn[0] = 0.0
    return (drawn / drawn.sum()).tolist()


def mechanism(random: Random) -> Mechanism:
    change = one_of(random, [Sensitivity.count, Sensitivity.histogram])
    return one_of(
        random,
        [
            lambda: Gaussian(about(random, 4.0), sensitivity=change),
            lambda: DiscreteGaussian(about(random, 1.5), sensitivity=change),
            lambda: DiscreteGaussian(chance(random, 0.4, 1.2)),
            lambda: Laplace(about(random, 2.0), sensitivity=change),
            lambda: Geometric(about(random, 0.5), sensitivity=change),
            lambda: RandomizedResponse(about(random, 0.7)),
            lambda: Finite(vector(random), vector(random)),
            lambda: Finite(vector(random), vector(random), neighbours=Neighbours.REPLACE),
            lambda: Kernel([vector(random) for _ in range(3)], [(0, 1), (0, 2)]),
        ],
    )


def promise(random: Random) -> Any:
    relation = {"neighbours": Neighbours.REPLACE} if random.random() < 0.2 else {}
    return one_of(
        random,
        [
            lambda: PureDP(about(random, 0.5), **relation),
            lambda: ApproxDP(about(random, 0.5), about(random, 1e-4), **relation),
            lambda: ZeroConcentratedDP(about(random, 0.02), **relation),
            lambda: GaussianDP(about(random, 0.3), **relation),
            lambda: ProbabilisticDP(about(random, 0.5), about(random, 1e-3), **relation),
            lambda: RenyiDP({2.0: about(random, 0.05), 8.0: about(random, 0.3)}, **relation),
            lambda: mechanism(random),
            lambda: mechanism(random),
            lambda: mechanism(random).times(int(random.integers(2, 4))),
            lambda: compose(Gaussian(about(random, 6.0)), Geometric(about(random, 0.3))),
            lambda: PureDP(about(random, 0.5)).curve(),
        ],
    )


def limit(random: Random) -> tuple[limits.Limit, Callable[..., Any]]:
    """A limit, and the question to its school; each is asked what the adversary knows."""
    prior, level = chance(random), chance(random, 0.01, 0.3)
    above = prior + (1 - prior) * chance(random)
    ratio = 1 + about(random, 0.7)
    return one_of(
        random,
        [
            lambda: (limits.posterior(above, prior=prior), lambda x, **by: membership.posterior(x, prior, **by)),
            lambda: (limits.ratio(ratio, prior=prior), lambda x, **by: membership.ratio(x, prior, **by)),
            lambda: (limits.ratio(ratio), membership.largest_ratio),
            lambda: (
                limits.difference(above - prior, prior=prior),
                lambda x, **by: membership.difference(x, prior, **by),
            ),
            lambda: (limits.difference(chance(random, 0.01, 0.5)), membership.largest_difference),
            lambda: (
                limits.power(min(level * (1 + about(random, 1.0)), 1.0), level=level),
                lambda x, *, neighbours, knows, **_: testing.power(x, level, neighbours=neighbours, knows=knows),
            ),
            lambda: (
                limits.advantage(chance(random, 0.01, 0.5)),
                lambda x, *, neighbours, knows, **_: testing.advantage(x, neighbours=neighbours, knows=knows),
            ),
            lambda: (
                limits.predictive_value(above, prior=prior, level=level),
                lambda x, *, neighbours, knows, **_: testing.positive_predictive_value(
                    x, level, prior, neighbours=neighbours, knows=knows
                ),
            ),
        ],
    )


def profile(random: Random) -> RiskProfile:
    r, a, b = 1 + about(random, 2.0), chance(random, 0.01, 0.9), chance(random, 0.02, 0.8)
    belief = chance(random, 0.02, 1.0)
    p, q = (tuple(float(x) for x in np.sort(random.uniform(0, 1, 2))) for _ in range(2))
    return one_of(
        random,
        [
            lambda: profiles.constant(r),
            lambda: profiles.capped(relative=r, absolute=a),
            lambda: profiles.capped(relative=r, absolute=a, inclusion=belief),
            lambda: profiles.capped(relative=r, absolute=a, inclusion=1.0),
            lambda: profiles.capped(relative=r, absolute=a, value=1.0),
            lambda: profiles.box(r, inclusion=p, value=q),
            lambda: profiles.box(r, inclusion=(1.0, 1.0)),
            lambda: profiles.difference(b),
            lambda: profiles.absolute_cap(0.95, inclusion=(0.0, belief * 0.9)),
            lambda: profiles.strictest({"ratio": profiles.constant(r), "rise": profiles.difference(b)}),
            lambda: profiles.table({0.05: 4 * r, 0.3: 2 * r, 1.0: r}, inclusion=1.0),
        ],
    )


def adversaries(random: Random, domain: profiles.Domain, number: int = 20) -> tuple[Any, Any]:
    """Beliefs of the domain: even, towards 0, and at the ends."""

    def drawn(low: float, high: float) -> Any:
        even, small = random.uniform(low, high, number), high * 10 ** random.uniform(-18, 0, number)
        found = np.where(random.random(number) < 0.5, even, np.maximum(small, low))
        found[:2] = max(low, 1e-18), high
        return np.maximum(random.permutation(found), 1e-300)

    return drawn(*domain.inclusion), drawn(*domain.value)


def asked(random: Random) -> dict[str, Any]:
    return {"failure": float(random.choice([0.0, 0.001, 0.01, 0.1])), "sides": int(random.choice([1, 1, 2]))}


def number_of(ask: Callable[[], Any]) -> float | None:
    """The safe end of an answer; none where there is no answer."""
    try:
        return float(ask().worst)
    except (NotImplied, TooCostly):
        return None


def check_limit(seed: int) -> Outcome:
    random = np.random.default_rng(seed)
    release, (wanted, school), by = promise(random), limit(random), asked(random)
    by["neighbours"] = Neighbours.REPLACE if random.random() < 0.2 else None
    wanted = type(wanted)(**{**vars(wanted), "knows": tuple(Knowledge)[seed % 2]})
    verdict = check(release, wanted, **by)
    number = number_of(lambda: school(release, **by, knows=wanted.knows))
    if number is None:
        assert verdict.outcome is (Outcome.KEPT if wanted.void(sides=by["sides"]) else Outcome.OPEN), seed
        return verdict.outcome
    if isinstance(wanted, limits.DifferenceLimit) and by["sides"] == 2:  # a fall counts as well
        number = max(number, -float(school(release, **by, knows=wanted.knows).lower))
    assert verdict.kept is (number <= wanted.largest), seed
    assert verdict.number is None or float(verdict.number) == number, seed
    assert verdict.kept is wanted.keeps(release, **by), seed
    if verdict.outcome is Outcome.OPEN:  # only where nothing but certainty is proved
        assert number >= float(wanted.certainty(sides=by["sides"])), seed
    return verdict.outcome


@seeds(40, 4500)
def test_a_limit_is_kept_exactly_where_the_number_of_its_school_is_at_most_the_limit(seeds):
    outcomes = [check_limit(seed) for seed in seeds]
    assert {outcomes.count(each) > len(outcomes) // 25 for each in Outcome} == {True}


def check_profile(seed: int) -> Outcome:
    random = np.random.default_rng(seed)
    release, wanted, failure = promise(random), profile(random), asked(random)["failure"]
    verdict = check(release, wanted, failure=failure)
    who = verdict.adversary
    if who is not None:
        own = disclosure.relative_risk(release, inclusion=who.inclusion, value=who.value, failure=failure)
        assert float(own) == float(verdict.number), seed
        assert float(wanted.limit(who.inclusion, who.value)) == (verdict.limit or math.inf), seed
        assert (float(own) > (verdict.limit or math.inf)) is (verdict.outcome is Outcome.BROKEN), seed
    if verdict.kept and verdict.number is None:  # certainty is allowed to everybody
        p, q = adversaries(random, wanted.domain)
        assert np.all(wanted.limit(p, q) * p * q >= 1 - 1e-12), seed
    elif verdict.kept:
        p, q = adversaries(random, wanted.domain)
        risk = disclosure.relative_risk(release, inclusion=p, value=q, failure=failure)
        assert np.all(risk.value <= wanted.limit(p, q)), seed
    return verdict.outcome


@seeds(40, 4500)
def test_a_profile_that_is_kept_is_kept_for_every_adversary_and_one_who_breaks_it_is_named(seeds):
    outcomes = [check_profile(seed) for seed in seeds]
    assert {outcomes.count(each) > len(outcomes) // 20 for each in Outcome} == {True}


def check_exact(seed: int) -> bool:
    """Rows for a person who is absent, ill and well, in two settings of the others, between which a belief lies."""
    random = np.random.default_rng(seed)
    flat = about(random, 20.0)
    rows = [(random.dirichlet(np.full(3, flat)) + 1e-3) / (1 + 3e-3) for _ in range(6)]
    release = Kernel(rows, [(0, 1), (0, 2), (3, 4), (3, 5)])
    wanted = profile(random)
    if not check(release, wanted).kept:
        return False
    weight = random.random()
    absent, inside, outside = (weight * a + (1 - weight) * b for a, b in zip(rows[:3], rows[3:], strict=True))
    for p, q in zip(*adversaries(random, wanted.domain, 8), strict=True):
        found = disclosure.largest_exact_risk(absent, inside, outside, inclusion=float(p), value=float(q))
        assert found.lower <= float(wanted.limit(p, q)), seed
    return True


@seeds(12, 600)
def test_the_laws_of_a_finite_mechanism_never_exceed_a_profile_that_is_kept(seeds):
    kept = [check_exact(seed) for seed in seeds]
    assert sum(kept) > len(kept) // 20


def check_recommended(seed: int) -> None:
    random = np.random.default_rng(seed)
    wanted = profile(random) if random.random() < 0.5 else limit(random)[0]
    by = {"failure": float(random.choice([0.001, 0.01, 0.1])), "releases": int(random.choice([1, 1, 3]))}
    kinds: list[Any] = [PureDP, ZeroConcentratedDP, GaussianDP, Gaussian, Laplace, Geometric]
    kind = kinds[random.integers(len(kinds))]
    try:
        found = recommend(wanted, kind, **by)
    except (NotImplied, TooCostly, Unreachable):
        return
    if found.unlimited:
        assert found.verdict.kept, seed
        return
    again = check(found.release, wanted, **by)
    assert again.kept, seed
    assert found.verdict.kept, seed
    assert (float(again.number), again.limit) == (float(found.verdict.number), found.verdict.limit), seed


@seeds(3, 150)
def test_a_recommended_parameter_is_kept_by_the_same_decision(seeds):
    for seed in seeds:
        check_recommended(seed)


@pytest.mark.parametrize("failure", [0.001, 0.01])
@pytest.mark.parametrize(
    "wanted",
    [limits.ratio(4.0), profiles.capped(relative=20.0, absolute=0.5, value=1.0)],
    ids=lambda x: type(x).__name__,
)
def test_a_recommended_sigma_of_discrete_noise_is_kept_and_larger_ones_are_asked_again(wanted, failure):
    found = recommend(wanted, DiscreteGaussian, failure=failure)
    assert check(found.release, wanted, failure=failure).kept
    for more in (1.01, 1.05, 1.2, 1.5):
        noise = DiscreteGaussian(float(found.parameter) * more)
        verdict = check(noise, wanted, failure=failure)
        assert verdict.kept is (float(verdict.number) <= verdict.limit)


def check_reported(seed: int) -> None:
    random = np.random.default_rng(seed)
    one = one_of(random, [lambda: PureDP(about(random, 0.5)), lambda: DiscreteGaussian(chance(random, 0.4, 2.0))])
    releases, failure = int(random.choice([1, 2])), float(random.choice([0.0, 0.01]))
    wanted = {"profile": profile(random), "limit": limit(random)[0]}
    required = Requirements((("a", wanted["profile"]),), (("b", wanted["limit"]),))
    found = rulings(required, Series(one, releases), Questions(failure=failure))
    for ruling, requirement in zip(found, wanted.values(), strict=True):
        verdict = check(one, requirement, releases=releases, failure=failure)
        assert (ruling.outcome, ruling.verdict.number) == (verdict.outcome, verdict.number), seed


@seeds(4, 100)
def test_a_report_says_what_the_decision_says(seeds):
    for seed in seeds:
        check_reported(seed)


def check_assessed(seed: int) -> None:
    random = np.random.default_rng(seed)
    release, by, prior, level = promise(random), asked(random), chance(random), chance(random, 0.01, 0.3)
    who = Adversary(prior=prior, knows=Knowledge.EVERYONE_ELSE)
    top = prior + (1 - prior) * 0.5
    wanted = {
        "posterior": limits.posterior(top, prior=prior),
        "ratio": limits.ratio(1.7, prior=prior),
        "power": limits.power(level + 0.1, level=level),
        "advantage": limits.advantage(0.2),
        "positive_predictive_value": limits.predictive_value(top, prior=prior, level=level),
    }
    found = assess(release, who, **by, level=level, questions=list(wanted))
    for name, requirement in wanted.items():
        answer, verdict = getattr(found, name), check(release, requirement, **by)
        if isinstance(answer, Unanswered):
            assert verdict.outcome is (Outcome.KEPT if requirement.void(sides=by["sides"]) else Outcome.OPEN), seed
        else:
            assert verdict.kept is (float(answer.worst) <= requirement.largest), seed


@seeds(7, 150)
def test_what_is_assessed_is_what_is_checked(seeds):
    for seed in seeds:
        check_assessed(seed)
