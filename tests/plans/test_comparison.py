"""One plan beside another."""

from __future__ import annotations

from small_plans import small_plan

from whit.plans import About, compare, scaled, without
from whit.semantics import testing


def test_each_plan_is_asked_the_same():
    first, second = small_plan(), scaled(small_plan(), 3)
    concerns = [About(["age"]), About(["job"])]
    for concern, found in zip(concerns, compare(first, second, concerns), strict=True):
        assert found.concern is concern
        assert float(found.rhos[0]) > 8 * float(found.rhos[1])
        powers = found.ask(lambda release: testing.power(release, 0.05))
        assert float(powers[0].lower) > float(powers[1].upper)


def test_a_plan_without_the_query_is_the_same_for_others():
    [age, job] = compare(small_plan(), without(small_plan(), ["job"]), [About(["age"]), About(["age", "sex"])])
    assert age.rhos[0].value == age.rhos[1].value
    assert job.rhos[0].value == job.rhos[1].value
