"""Analysts who choose each release by what came out before, and pay from an account of the ledger.

The worst of all of them is found by the referee, exactly: a limit is broken at most as often as its failure.
"""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest
from analysts import coins

from whit.guarantees import PureDP
from whit.ledger import Account, Ledger, Refused
from whit.ledger.amounts import added
from whit.ledger.books import charges_of
from whit.mechanisms import RandomizedResponse
from whit.policy import limits
from whit.setting import Neighbours
from whit.worlds import Analyst

POSTERIOR, PRIOR = Fraction(4, 5), Fraction(1, 2)
BROKEN = POSTERIOR / (1 - POSTERIOR) * (1 - PRIOR) / PRIOR
"""A likelihood ratio above this one breaks the limit."""


def account(tmp_path: Path, books: list[str], failure: str) -> Account:
    """An account with one limit on the posterior."""
    with Ledger.create(tmp_path / "office.ledger") as ledger:
        ledger.declare("people")
        limit = limits.posterior(float(POSTERIOR), prior=float(PRIOR))
        return ledger.open("2026", "people", limits=[limit], failure=failure, books=books)


def paying(account: Account, powers: list[int]) -> Analyst:
    """An analyst who may take any coin that the account still has room for."""
    menu, promises = coins(powers)
    costs = [charges_of(account.books, promise, Neighbours.ADD_REMOVE) for promise in promises]
    words = [book.word for book in account.books]

    def charge(totals: tuple[object, ...], place: int) -> tuple[object, ...] | None:
        after = {word: added(total, costs[place][word]) for word, total in zip(words, totals, strict=True)}  # type: ignore[arg-type]
        return None if account.broken(after) else tuple(after.values())

    return Analyst(menu, tuple(book.nothing for book in account.books), charge)


@pytest.mark.parametrize(
    ("books", "failure", "powers"),
    [
        (["pure"], "0", [2, 3]),
        (["zcdp"], "0.05", [2, 3]),
        (["pure", "zcdp"], "0.05", [2, 3]),
        (["sums@1e-6"], "0.01", [2, 3]),
        pytest.param(["zcdp"], "0.2", [3, 5], marks=pytest.mark.slow),
        pytest.param(["gdp"], "0.1", [2, 3], marks=pytest.mark.slow),
        pytest.param(["renyi@8"], "0.1", [2, 3], marks=pytest.mark.slow),
        pytest.param(["pure", "gdp", "zcdp"], "0.1", [3, 4], marks=pytest.mark.slow),
    ],
)
def test_the_worst_analyst_breaks_a_limit_at_most_as_often_as_its_failure(
    tmp_path: Path, books: list[str], failure: str, powers: list[int]
) -> None:
    found = account(tmp_path, books, failure)
    worst = paying(found, powers)
    above = BROKEN * (1 + Fraction(1, 10**9))
    assert worst.ever(above) <= Fraction(failure)
    # The referee has something to find: the analyst moves beliefs, and more often so below the limit.
    assert worst.ever(Fraction(11, 10)) > Fraction(1, 3)


def test_an_account_that_counted_by_curves_would_break_its_limit_and_this_one_refuses(tmp_path: Path) -> None:
    """Randomized response 0.5 and then 1.3 have the delta of a target at epsilon 1; choosing on the way exceeds it."""
    with Ledger.create(tmp_path / "office.ledger") as ledger:
        ledger.declare("people", neighbours=Neighbours.LOCAL)
        ledger.open("2026", "people", limits=[limits.ratio(math.e)], books=["pure"])
        ledger.reserve("2026", RandomizedResponse(0.5), what="the first answer")
        with pytest.raises(Refused, match="must stay within the limit"):
            ledger.reserve("2026", RandomizedResponse(1.3), what="chosen after it")
        assert ledger.check("2026", PureDP(0.49, neighbours=Neighbours.LOCAL)) is None
