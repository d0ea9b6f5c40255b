"""The books: what a release costs in each of them, and the largest total that keeps a limit."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from whit.errors import InvalidInput, TooCostly, UnknownKey
from whit.guarantees import ApproxDP, PureDP
from whit.ledger import book_of
from whit.ledger.account import _books, _share, limit_of, limit_text
from whit.ledger.amounts import LONGEST_DENOMINATOR, added, exact
from whit.ledger.books import BUDGETS
from whit.mechanisms import Gaussian, Laplace
from whit.policy import limits
from whit.setting import Neighbours, When

EVER = When.EVER
ADDED = Neighbours.ADD_REMOVE
WORDS = ["pure", "zcdp", "gdp", "renyi@8", "sums@1e-6"]
LIMITS = [
    limits.posterior(0.3, prior=0.1, when=EVER),
    limits.ratio(3.0, when=EVER),
    limits.difference(0.4, when=EVER),
    limits.posterior(0.6, prior=0.2, when=EVER, block=2),
]


@pytest.mark.parametrize(
    "limit", [LIMITS[0], *(pytest.param(each, marks=pytest.mark.slow) for each in LIMITS[1:])], ids=repr
)
@pytest.mark.parametrize("word", WORDS)
def test_the_largest_total_keeps_the_limit_and_a_little_more_does_not(word: str, limit: limits.Limit) -> None:
    book = book_of(word, "0" if word == "pure" else "0.01")
    most = book.most(limit, ADDED)
    if (word, limit.block) == ("renyi@8", 2):
        assert most is None  # one order says nothing of a block
        return
    assert most is not None
    assert limit.keeps(book.promise(most, ADDED), failure=float(book.share))
    more = (most[0] * Fraction(10001, 10000), *most[1:])
    assert not limit.keeps(book.promise(more, ADDED), failure=float(book.share))


def test_charges_are_those_of_the_closed_forms_rounded_up() -> None:
    noise, sigma = Gaussian(4.0), Fraction(4)
    for word, truth in (("zcdp", 1 / (2 * sigma**2)), ("gdp", 1 / sigma**2), ("renyi@8", 8 / (2 * sigma**2))):
        charge = book_of(word).charge(noise, ADDED)
        assert charge is not None
        assert truth <= charge[0] <= truth * (1 + Fraction(1, 10**9))
    assert book_of("pure").charge(Laplace(4.0), ADDED) == (Fraction(1, 4),)
    assert book_of("sums@1e-6").charge(ApproxDP(0.5, 1e-9), ADDED) == (Fraction(0.5), Fraction(1e-9))
    assert book_of("sums@1e-6").charge(PureDP(0.5), ADDED) == (Fraction(0.5), Fraction(0))


@pytest.mark.parametrize("word", ["pure", "sums@1e-6"])
def test_what_a_book_cannot_say_closes_it(word: str) -> None:
    assert book_of(word).charge(Gaussian(4.0), ADDED) is None


def test_a_record_that_is_replaced_costs_more_than_one_that_is_added() -> None:
    for word in ("pure", "zcdp", "gdp"):
        charges = [book_of(word).charge(PureDP(0.5), each) for each in (ADDED, Neighbours.REPLACE)]
        assert charges[0] is not None
        assert charges[1] is not None
        assert charges[1][0] > charges[0][0]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("rho", "No book has the name"),
        ("zcdp@3", "a book must be written with its number, if it has one"),
        ("renyi", "a book must be written with its number, if it has one"),
        ("renyi@1", "the order of a book must be above 1"),
        ("renyi@x", "the number of a book must be a number of at least 0"),
        ("sums@2", "the total delta of a book must be between 0 and 1"),
        ("sums@1e999999999", "the number of a book must be a number of at least 0"),
    ],
)
def test_a_word_that_is_no_book_is_refused(word: str, said: str) -> None:
    with pytest.raises((InvalidInput, UnknownKey), match=said):
        book_of(word)


@pytest.mark.parametrize("number", ["-1", "nan", "inf", "1/0", "x", "", None, True, "1e9999999", -0.5, float("nan")])
def test_a_number_that_is_none_is_refused(number: object) -> None:
    with pytest.raises(InvalidInput, match="a charge must be a number of at least 0"):
        exact("a charge", number)


def test_numbers_are_read_without_rounding() -> None:
    assert exact("x", "1/3") == Fraction(1, 3)
    assert exact("x", "0.1") == Fraction(1, 10)
    assert exact("x", "1%") == Fraction(1, 100)
    assert exact("x", 0.1) == Fraction(0.1)
    assert set(BUDGETS) == {word.partition("@")[0] for word in WORDS}


def test_a_total_whose_denominator_grows_without_end_is_refused() -> None:
    close = (Fraction(1, 2 ** (LONGEST_DENOMINATOR - 2)),)
    assert added(close, close) == (2 * close[0],)
    with pytest.raises(TooCostly, match="must have a denominator of at most"):
        added(close, (Fraction(1, 3**5),))


@pytest.mark.parametrize(
    ("word", "promise"), [("zcdp", Gaussian(4.0)), ("pure", Laplace(4.0)), ("renyi@8", Gaussian(4.0))]
)
def test_releases_that_are_declared_together_cost_what_they_cost_one_by_one(word: str, promise: Gaussian) -> None:
    book = book_of(word)
    one, several = book.charge(promise, ADDED), book.charge(promise.times(5), ADDED)
    assert one is not None
    assert several == tuple(5 * each for each in one)


@pytest.mark.parametrize("total", [Fraction(0), Fraction(1, 16), Fraction(1, 3), Fraction(7), Fraction(1, 10**400)])
def test_the_mu_of_a_total_is_its_root_rounded_up(total: Fraction) -> None:
    mu = BUDGETS["gdp"]((total,), Fraction(0), ADDED).mu
    assert total <= Fraction(mu) ** 2
    assert mu == 0.0 or Fraction(math.nextafter(mu, 0.0)) ** 2 < total


def test_a_total_whose_mu_no_double_holds_is_refused() -> None:
    with pytest.raises(InvalidInput, match="mu must be a finite number of at least 0; got inf"):
        BUDGETS["gdp"]((Fraction(10**700),), Fraction(0), ADDED)


def test_a_share_of_nothing_is_used_up_by_anything_and_not_by_nothing() -> None:
    assert (_share(Fraction(0), Fraction(0)), _share(Fraction(1), Fraction(0))) == (0, 1)
    assert _share(Fraction(1), Fraction(4)) == Fraction(1, 4)


@pytest.mark.parametrize("word", ["sums@0", "sums@1", "sums@1.5", "renyi@1", "renyi@0.5"])
def test_a_book_with_a_number_out_of_its_range_is_refused(word: str) -> None:
    with pytest.raises(InvalidInput, match="of a book must be (between 0 and 1|above 1); got"):
        book_of(word, "0.01")


@pytest.mark.parametrize("place", [0, 1])
def test_one_number_too_long_to_be_added_up_quickly_is_enough_for_a_refusal(place: int) -> None:
    amount = [Fraction(1, 2), Fraction(1, 3)]
    amount[place] = Fraction(1, 2 ** (LONGEST_DENOMINATOR + 8))
    with pytest.raises(TooCostly, match="must have a denominator of at most"):
        added(tuple(amount), (Fraction(0), Fraction(0)))


def test_a_number_is_taken_as_it_is_written_or_refused() -> None:
    assert (exact("rho", "1e299"), exact("rho", "1e-400")) == (10**299, Fraction(1, 10**400))
    assert exact("rho", "50%") == Fraction(1, 2)
    assert exact("rho", 0) == 0
    for wrong in ("1e300", "1e500", "1e-500", "-1", "nan", "inf", "1/0", True, None, -0.5):
        with pytest.raises(InvalidInput, match="rho must be a number of at least 0"):
            exact("rho", wrong)


def test_a_limit_on_a_difference_is_kept_at_one_prior_or_at_all_but_not_over_a_range() -> None:
    for limit in (limits.difference(0.2, prior=0.1), limits.difference(0.2)):
        assert limit_of(limit_text(limit)) == replace(limit, when=EVER)
    with pytest.raises(InvalidInput, match="a limit must be at one prior"):
        limit_text(limits.difference(0.2, prior=(0.1, 0.3)))


def test_shares_that_are_not_given_are_equal_and_make_up_the_failure() -> None:
    assert [book.share for book in _books(("pure", "zcdp", "gdp"), Fraction(1, 100))] == [
        0,
        Fraction(1, 200),
        Fraction(1, 200),
    ]
    assert [book.share for book in _books(("pure",), Fraction(1, 100))] == [0]


@pytest.mark.parametrize(
    ("word", "added_up"),
    [("gdp", "the square of mu"), ("renyi@8", "the Rényi divergence at order 8"), ("sums@1e-6", "epsilon and delta")],
)
def test_a_book_names_what_it_adds_up(word: str, added_up: str) -> None:
    assert book_of(word).adds == added_up
