"""Beliefs about what is left agree with every table of a universe, and with cases known from a line of arithmetic."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction

import mpmath
import pytest
from every_table import drawn

from whit.audit import (
    EVERY_TABLE,
    Equation,
    GeometricCounts,
    Knowledge,
    Poisson,
    Publication,
    Rounded,
    RoundedEitherWay,
    believed,
    counted_cells,
    left,
    two_way,
)
from whit.audit import Between as Range
from whit.errors import InvalidInput, NotImplied, TooCostly, UnknownKey
from whit.theory import Direction

X = None
SQUARE = two_way([[X, X], [X, X]], rows=[3, 7], columns=[4, 6])
INNER = [(row, column) for row in "12" for column in "12"]
CUBE_TOTALS = {"+00": 3, "+01": 6, "+10": 4, "+11": 5, "0+0": 4, "0+1": 3, "1+0": 3, "1+1": 8} | {
    "00+": 3, "01+": 4, "10+": 6, "11+": 5,
}  # fmt: skip


def law(found, cell, prior):
    return dict(believed(found, prior).law(cell))


def cube():
    """Eight counts by three binary codes, with all their two-way totals."""
    cells = [f"{i}{j}{k}" for i in "01" for j in "01" for k in "01"]
    fits = {
        name: [cell for cell in cells if all(code in ("+", own) for code, own in zip(name, cell, strict=True))]
        for name in CUBE_TOTALS
    }
    return Publication({}, [Equation(name, dict.fromkeys(fits[name], 1), CUBE_TOTALS[name]) for name in CUBE_TOTALS])


def test_people_at_random_in_a_two_by_two_table_have_the_hypergeometric_law():
    expected = {k: Fraction(math.comb(4, k) * math.comb(6, 3 - k), math.comb(10, 3)) for k in range(4)}
    assert law(left(SQUARE), ("1", "1"), Poisson(dict.fromkeys(INNER, 1))) == expected


def test_every_table_as_likely_is_the_share_of_tables():
    assert law(left(SQUARE), ("1", "1"), EVERY_TABLE) == dict.fromkeys(range(4), Fraction(1, 4))


def test_a_cube_with_its_two_way_totals():
    people = Poisson({f"{i}{j}{k}": 1 for i in "01" for j in "01" for k in "01"})
    expected = {0: Fraction(1, 102), 1: Fraction(15, 34), 2: Fraction(9, 17), 3: Fraction(1, 51)}
    assert law(left(cube()), "000", people) == expected
    assert law(left(cube()), "000", EVERY_TABLE) == dict.fromkeys(range(4), Fraction(1, 4))


def test_a_bound_over_priors_within_a_factor_of_two():
    people = Poisson({f"{i}{j}{k}": 1 for i in "01" for j in "01" for k in "01"})
    found = believed(left(cube()), people).posterior("000", 1, within=2)
    assert found.direction is Direction.AT_MOST
    assert float(found) == pytest.approx(30 / 49, rel=1e-15)
    assert Fraction(float(found)) >= Fraction(30, 49)


def test_poisson_counts_with_a_known_total_are_multinomial():
    means = {"a": 1, "b": 2, "c": 3}
    total = Publication({}, [Equation("total", dict.fromkeys(means, 1), 4)])
    expected = {k: math.comb(4, k) * Fraction(1, 6) ** k * Fraction(5, 6) ** (4 - k) for k in range(5)}
    assert law(left(total), "a", Poisson(means)) == expected
    none_is_zero = left(total, Knowledge(dict.fromkeys(means, Range(1, None))))
    assert law(none_is_zero, "a", Poisson(means)) == {1: Fraction(5, 6), 2: Fraction(1, 6)}


def test_geometric_counts_with_a_known_total_are_as_every_table_is():
    cells = ["a", "b", "c"]
    total = left(Publication({}, [Equation("total", dict.fromkeys(cells, 1), 6)]))
    ratio = Fraction(1, 3)
    assert law(total, "a", GeometricCounts(dict.fromkeys(cells, ratio))) == law(total, "a", EVERY_TABLE)


def test_two_rounded_totals_leave_a_triangle():
    said = {"first": Rounded(45, 5), "second": Rounded(50, 5)}
    equation = Equation("newcomer", {"second": 1, "first": -1, "newcomer": -1})
    expected = {value: Fraction(5 - abs(value - 5), 25) for value in range(1, 10)}
    assert law(left(Publication(said, [equation])), "newcomer", EVERY_TABLE) == expected


def test_random_rounding_is_a_likelihood():
    rounded = left(Publication({"v": Range(0, 9)}))
    likelihood = {value: Fraction(max(0, 5 - abs(value - 5)), 5) for value in range(10)}
    expected = {value: Fraction(5 - abs(value - 5), 25) for value in range(1, 10)}
    assert law(rounded, "v", EVERY_TABLE.after("v", likelihood)) == expected
    assert set(left(Publication({"v": RoundedEitherWay(5, 5)})).values("v")) == set(expected)


def test_an_exact_total_and_two_noisy_counts_together():
    """The odds move by more than the noise alone allows: given the total, one person's change moves the other."""
    chance, alpha = Fraction(1, 4), Fraction(1, 2)
    people = GeometricCounts(dict.fromkeys(("p", "q"), chance / (1 - chance)))
    both = Knowledge({name: Range(0, 1) for name in ("p", "q")})
    alone = left(Publication({"p": Range(0, 1)}))
    total = left(Publication({}, [Equation("total", {"p": 1, "q": 1}, 1)]), both)
    seen_p = {value: alpha ** abs(value - 1) for value in (0, 1)}
    seen_q = {value: alpha ** abs(value - 0) for value in (0, 1)}
    own = GeometricCounts({"p": chance / (1 - chance)})
    assert law(alone, "p", own)[1] == Fraction(1, 4)
    assert law(alone, "p", own.after("p", seen_p))[1] == Fraction(2, 5)
    assert law(total, "p", people)[1] == Fraction(1, 2)
    assert law(total, "p", people.after("p", seen_p))[1] == Fraction(2, 3)
    assert law(total, "p", people.after("p", seen_p).after("q", seen_q))[1] == Fraction(4, 5)


@pytest.mark.parametrize("seed", range(60))
def test_random_beliefs_agree_with_every_table_of_the_universe(seed):
    case = drawn(seed, largest=2)
    means = {name: Fraction(number + 1, 2) for number, name in enumerate(case.basics)}
    found = left(case.publication, case.knowledge)
    for prior in (EVERY_TABLE, Poisson(means), EVERY_TABLE.after("c0", {0: 1, 1: 2, 3: 5})):
        expected: dict = defaultdict(lambda: defaultdict(Fraction))
        for every in case.every_table():
            weight = math.prod((prior.weight(cell, value) for cell, value in every.items()), start=Fraction(1))
            for cell, value in every.items():
                expected[cell][value] += weight
        if not any(expected["c0"].values()):
            with pytest.raises(NotImplied, match="prior rules out"):
                believed(found, prior).law("c0")
            continue
        for cell in case.truth:
            total = sum(expected[cell].values())
            positive = {value: each / total for value, each in expected[cell].items() if each}
            assert dict(believed(found, prior).law(cell)) == positive


def test_most_random_beliefs_are_about_more_than_one_value():
    laws = [believed(left(c.publication, c.knowledge), EVERY_TABLE).law("c1") for c in map(drawn, range(60))]
    assert sum(len(each) > 1 for each in laws) >= 30


def test_a_belief_is_a_finding_with_its_prior_and_what_it_rests_on():
    found = believed(left(SQUARE), Poisson(dict.fromkeys(INNER, 1))).posterior(("1", "1"), {2, 3})
    assert found.direction is Direction.EXACTLY
    assert float(found) == pytest.approx(1 / 3, rel=1e-15)
    assert found.inputs["prior"] == "Poisson"
    assert found.basis.theorems == ("belief-in-what-is-left",)


def test_a_published_cell_is_certain():
    part = two_way([[1, X], [X, X]], rows=[3, 7], columns=[4, 6])
    assert law(left(part), ("1", "1"), EVERY_TABLE) == {1: 1}


def test_a_prior_that_leaves_cells_open_is_refused():
    with pytest.raises(InvalidInput, match=r"must decide all cells .* leaves open 1 × 2"):
        believed(left(two_way([[X, X, X], [X, X, X]], rows=[3, 7], columns=[4, 3, 3])), Poisson({("1", "1"): 1}))


def test_a_prior_about_an_unknown_cell_is_refused():
    with pytest.raises(UnknownKey, match="cell"):
        believed(left(SQUARE), Poisson({**dict.fromkeys(INNER, 1), "nowhere": 1}))


def test_a_cell_with_too_many_values_is_refused():
    wide = left(Publication({}, [Equation("total", {"a": 1, "b": 1}, 10**6)]))
    with pytest.raises(TooCostly, match="at most 10000 values"):
        believed(wide, EVERY_TABLE).law("a")


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: Poisson({"a": 0}), "must be above 0"),
        (lambda: Poisson({}), "at least one cell"),
        (lambda: GeometricCounts({"a": 1}), "above 0 and below 1"),
        (lambda: EVERY_TABLE.after("a", {0: -1}), "0 or more"),
        (lambda: EVERY_TABLE.after("a", {0: 0}), "above 0 for some value"),
        (lambda: believed(left(SQUARE), "flat"), "prior"),
    ],
)
def test_wrong_priors_are_refused_in_a_sentence(build, words):
    with pytest.raises(InvalidInput, match=words):
        build()


def test_priors_are_values():
    assert Poisson({"a": 1}) == Poisson({"a": Fraction(1)})
    assert hash(Poisson({"a": 1})) == hash(Poisson({"a": 1}))
    assert hash(GeometricCounts({"a": 0.5})) == hash(GeometricCounts({"a": Fraction(1, 2)}))
    assert hash(EVERY_TABLE.after("a", {0: 1})) == hash(EVERY_TABLE.after("a", {0: 1}))


@pytest.mark.parametrize("ratio", [Fraction(1, 2), Fraction(1, 10), Fraction(9, 10)])
@pytest.mark.parametrize("own", [Fraction(1, 100), Fraction(1, 3), Fraction(99, 100)])
def test_a_prior_of_ones_own_is_moved_by_the_odds_of_the_publication(ratio, own):
    three = left(Publication({}, [Equation("total", {"a": 1, "b": 1}, 3)]))
    belief = believed(three, GeometricCounts({"a": ratio, "b": ratio}))

    def chance(value):
        return (1 - ratio) * ratio**value

    for value in range(4):
        # If a is the value, b must be the rest; if not, the other values of a are left, and all above 3 are not.
        if_so = chance(3 - value)
        if_not = sum(chance(a) * chance(3 - a) for a in range(4) if a != value) / (1 - chance(value))
        expected = own * if_so / (own * if_so + (1 - own) * if_not)
        assert belief.most_from(own, "a", value) == expected
        assert belief.posterior_from(own, "a", value).direction is Direction.EXACTLY


def test_the_prior_of_the_law_itself_leads_to_its_own_posterior():
    found = left(SQUARE)
    people = Poisson(dict.fromkeys(INNER, 2))
    belief = believed(found, people)
    for value, after in belief.law(("1", "1")).items():
        low, high = people.chance(("1", "1"), value)
        assert low < high
        assert belief.most_from(high, ("1", "1"), value) >= after
        assert float(belief.most_from(low, ("1", "1"), value)) == pytest.approx(float(after), rel=1e-11)
        assert belief.posterior_from(low, ("1", "1"), value).direction is Direction.AT_MOST


@pytest.mark.parametrize("mean", ["0.001", "3", "511.9", "512", "700.3", "5000"])
def test_both_bounds_on_a_poisson_probability_enclose_it(mean):
    means = Poisson({"a": Fraction(mean)})
    exact = Fraction(mean)
    for value in (0, 1, int(exact), 2 * int(exact) + 3):
        low, high = means.chance("a", value)
        with mpmath.workdps(60):
            m = mpmath.mpf(exact.numerator) / exact.denominator
            true = mpmath.exp(value * mpmath.log(m) - m - mpmath.loggamma(value + 1))
            below, above = (mpmath.mpf(end.numerator) / end.denominator for end in (low, high))
            assert below < true < above
            assert above / below - 1 < mpmath.mpf(10) ** -10


def test_a_prior_without_probabilities_moves_nobody():
    with pytest.raises(NotImplied, match="the prior of 1 × 1 must give each of its values a probability"):
        believed(left(SQUARE), EVERY_TABLE).posterior_from(Fraction(1, 10), ("1", "1"), 1)


def test_cells_that_are_counted_by_themselves_are_no_totals():
    assert set(counted_cells(SQUARE)) == set(INNER)
    upside_down = Equation("total", {"t": -1, "a": 1, "b": 1}, 0)
    assert counted_cells(Publication({}, [upside_down])) == ("a", "b")
    known = Equation("sum", {"a": 1, "b": 1}, 7)
    assert counted_cells(Publication({}, [known])) == ("a", "b")


@pytest.mark.parametrize("prior", [Fraction(1, 2), Fraction(1, 100), Fraction(1, 10**6)])
def test_an_exact_total_leaves_somebody_who_knows_the_others_certain_whatever_the_prior(prior):
    """So the posterior is 1 / prior times the prior, which no number bounds."""
    total = Publication({}, [Equation("total", dict.fromkeys("abc", 1), 6)])
    found = left(total, Knowledge().knowing({"b": 2, "c": 3}))
    belief = believed(found, GeometricCounts(dict.fromkeys("abc", Fraction(1, 2))))
    assert belief.most_from(prior, "a", 1) == 1
    assert belief.most_from(prior, "a", 0) == 0
    # Somebody who knows one of the others only is certain of nothing.
    less = believed(left(total, Knowledge().knowing({"b": 2})), belief.prior)
    assert 0 < less.most_from(prior, "a", 1) < 1
