"""Budgets that are fixed beforehand, from which releases are paid that are chosen on the way.

A filter refuses what would pass the budget. Then all releases together keep the budget as their promise, however each
of them, its parameters and the end were chosen by what came out before. Costs are added as fractions, without rounding;
what is no fraction is rounded up before. Nothing is ever given back.

There is no filter that composes whole curves: two curves that cross can be played against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from whit.curves import Array, Promise, ever_loss
from whit.errors import Incompatible, InvalidInput, NotImplied, Unreachable, require, require_kind
from whit.guarantees import conversions
from whit.guarantees.epsilon_delta import ApproxDP, PureDP
from whit.guarantees.fdp import GaussianDP
from whit.guarantees.guarantee import Guarantee
from whit.guarantees.renyi import RenyiDP, ZeroConcentratedDP
from whit.numerics import largest_true, nearest_up, probability
from whit.setting import Neighbours
from whit.theory import Basis, Finding

Amounts: TypeAlias = tuple[Fraction, ...]
"""What adds up: epsilon, epsilon and delta, rho, the square of mu, or the bound at each order."""

Charge: TypeAlias = Promise | Fraction | int | tuple[Fraction | int, ...]
"""A promise or a mechanism; or what it costs, as exact numbers."""

_BUDGET = "Use PureDP, ApproxDP, ZeroConcentratedDP, GaussianDP or RenyiDP: convert has the best that follows."
_COST = "Pass a promise, a mechanism, or what it costs as a Fraction; a double becomes one by Fraction(x)."
_DELTA = "State it by epsilon and delta, with convert(release, to=ApproxDP, delta=1e-6).result."
_DELTAS = "Set aside a part of delta for releases that have a delta of their own; 0 if none has."

Stated = TypeVar("Stated", bound=Guarantee)


def _of_pure(promise: PureDP) -> Amounts:
    return (Fraction(promise.stated_epsilon),)


def _of_approximate(promise: ApproxDP) -> Amounts:
    return Fraction(promise.stated_epsilon), Fraction(promise.stated_delta)


def _of_concentrated(promise: ZeroConcentratedDP) -> Amounts:
    return (Fraction(promise.rho),)


def _of_gaussian(promise: GaussianDP) -> Amounts:
    return (Fraction(promise.mu) ** 2,)


def _of_renyi(promise: RenyiDP) -> Amounts:
    return tuple(Fraction(gamma) for gamma in promise.orders.values())


_AMOUNTS: dict[type[Guarantee], tuple[str, Callable[[Any], Amounts]]] = {
    PureDP: ("pure-filter", _of_pure),
    ApproxDP: ("sum-filter", _of_approximate),
    ZeroConcentratedDP: ("zcdp-filter", _of_concentrated),
    GaussianDP: ("gaussian-filter", _of_gaussian),
    RenyiDP: ("renyi-filter", _of_renyi),
}
"""The kinds of promises that a budget can be stated by: the theorem, and what adds up."""


@dataclass(frozen=True, init=False)
class Filter:
    """A budget, and what was spent of it; a value, so that a charge makes another one.

    Attributes:
        budget: what all releases together promise: PureDP, ApproxDP, ZeroConcentratedDP, GaussianDP, or RenyiDP at
            orders; every one of them must have room.
        spent: the sum of the costs, without rounding.

    >>> from fractions import Fraction
    >>> year = Filter(ZeroConcentratedDP(0.5)).after(PureDP(0.5)).after(Fraction(1, 3))
    >>> year.fits(ZeroConcentratedDP(0.125)), year.fits(GaussianDP(0.25))
    (False, True)
    >>> print(year.ever(0.01))
    privacy loss is at most 3.54, except with probability 1 %
    """

    budget: Guarantee
    spent: Amounts

    def __init__(self, budget: Guarantee, spent: Charge = ()) -> None:
        if type(budget) not in _AMOUNTS:
            rule = "must be of a kind whose parameters add up where they are chosen on the way"
            raise NotImplied("the budget of a filter", rule, budget, _BUDGET, parameter="budget")
        self._start(budget, spent)

    def _start(self, budget: Guarantee, spent: Charge) -> None:
        object.__setattr__(self, "budget", budget)
        nothing = (Fraction(0),) * len(self.limits)
        object.__setattr__(self, "spent", nothing if spent == () else self._exact(spent))
        rule = "must not pass the budget"
        require(min(self.left) >= 0, name="spent", rule=rule, value=self.spent, way_out=_COST)

    @property
    def limits(self) -> Amounts:
        """What may be spent in all."""
        return _AMOUNTS[type(self.budget)][1](self.budget)

    @property
    def left(self) -> Amounts:
        """What may still be spent."""
        return tuple(limit - spent for limit, spent in zip(self.limits, self.spent, strict=True))

    @property
    def basis(self) -> Basis:
        """The theorem by which all releases together keep the budget."""
        return Basis.of(_AMOUNTS[type(self.budget)][0])

    def cost(self, charge: Charge) -> Amounts:
        """What a release costs: its promise in the terms of the budget, or the numbers that are given."""
        return self._of(charge) if isinstance(charge, Promise) else self._exact(charge)

    def fits(self, charge: Charge) -> bool:
        """Whether a release may be made. The answer depends on promises only, so that it tells nothing of the data."""
        return all(cost <= left for cost, left in zip(self.cost(charge), self.left, strict=True))

    def after(self, charge: Charge) -> Self:
        """The filter once the release is paid for, whether it is then made or not; one that does not fit is refused.

        From here on only this filter is true: who goes on with the one before spends the same budget twice.
        """
        cost = self.cost(charge)
        if not self.fits(cost):
            rule = f"must not cost more than what is left, {_told(self.left)}"
            raise Incompatible("a release", rule, f"{charge!r}, which costs {_told(cost)}", "Ask fits before.")
        changed = copy(self)
        object.__setattr__(changed, "spent", tuple(a + b for a, b in zip(self.spent, cost, strict=True)))
        return changed

    def ever(self, failure: ArrayLike, *, sides: int = 1) -> Finding:
        """The loss that no analyst within the filter ever exceeds, except with the failure probability."""
        found = ever_loss(self.budget, failure, sides=sides)
        return replace(found, basis=found.basis | self.basis)

    def _of(self, promise: Promise) -> Amounts:
        """The cost of a promise by its best statement of the kind of the budget."""
        kind, relation = type(self.budget), self.budget.neighbours
        amounts = _AMOUNTS[kind][1]
        if isinstance(promise, kind) and kind is not RenyiDP:
            return amounts(promise.under(relation))
        if isinstance(self.budget, RenyiDP):
            return amounts(_at_orders(promise, self.budget))
        if kind is ApproxDP:
            return (*_of_pure(_stated(promise, PureDP, relation)), Fraction(0))
        return amounts(_stated(promise, kind, relation))

    def _exact(self, charge: object) -> Amounts:
        """Numbers that are given for a cost."""
        listed = charge if isinstance(charge, tuple) else (charge,)
        numbers = [x for x in listed if isinstance(x, int | Fraction) and not isinstance(x, bool) and x >= 0]
        rule = f"must be a promise, or {len(self.limits)} exact number(s) of at least 0"
        good = len(numbers) == len(listed) == len(self.limits)
        require(good, name="a charge", rule=rule, value=charge, way_out=_COST)
        return tuple(Fraction(x) for x in numbers)


@dataclass(frozen=True, init=False)
class AdvancedFilter(Filter):
    """Epsilon and delta for all together, paid for in rho and in delta: for many small releases more than their sums.

    Attributes:
        budget: what all releases together promise.
        spent: the sums of rho and of delta.
        deltas: the part of delta that is set aside for releases that have a delta of their own.
        rho: what may be spent besides: the largest that keeps the rest of delta at the epsilon.

    >>> many = AdvancedFilter(ApproxDP(1.0, 1e-6))
    >>> simple = Filter(ApproxDP(1.0, 1e-6))
    >>> [int(each.limits[0] / each.cost(PureDP(0.01))[0]) for each in (many, simple)]
    [487, 99]
    """

    deltas: float
    rho: float

    def __init__(self, budget: ApproxDP, *, deltas: float = 0.0, spent: Charge = ()) -> None:
        require_kind(ApproxDP, budget, name="the budget of an advanced filter", way_out="Use ApproxDP(1.0, 1e-6).")
        aside = probability("deltas", deltas, _DELTAS)
        rule = "must be less than the delta of the budget"
        require(aside < budget.stated_delta, name="deltas", rule=rule, value=deltas, way_out=_DELTAS)
        object.__setattr__(self, "deltas", aside)
        object.__setattr__(self, "rho", _largest_rho(budget, Fraction(budget.stated_delta) - Fraction(aside)))
        self._start(budget, spent)

    @property
    def limits(self) -> Amounts:
        """Rho, and what is set aside of delta."""
        return Fraction(self.rho), Fraction(self.deltas)

    @property
    def basis(self) -> Basis:
        """The theorem by which all releases together keep the budget."""
        return Basis.of("advanced-filter")

    def _of(self, promise: Promise) -> Amounts:
        """Rho of the promise; of epsilon with delta, rho of that epsilon and delta beside it."""
        relation = self.budget.neighbours
        if isinstance(promise, ApproxDP):
            stated = promise.under(relation)
            sure = PureDP(stated.stated_epsilon, neighbours=relation)
            return (*_of_concentrated(_stated(sure, ZeroConcentratedDP, relation)), Fraction(stated.stated_delta))
        return (*_of_concentrated(_stated(promise, ZeroConcentratedDP, relation)), Fraction(0))


@dataclass(frozen=True, init=False)
class IndividualFilter:
    """One account for each person, all of one budget: whoever cannot pay for a release is left out of it.

    What a person pays may depend on their own record and on what came out before, never on the records of others. What
    anybody has spent, and who is left out, is then a fact about the data: it must not be shown, and no release may be
    refused for it where somebody sees that.

    >>> people = IndividualFilter(Filter(ZeroConcentratedDP(0.5)))
    >>> month = {"Ada": ZeroConcentratedDP(0.4), "Ben": ZeroConcentratedDP(0.1)}
    >>> sorted(people.after(month).active(month))
    ['Ben']
    """

    each: Filter
    accounts: Mapping[Any, Filter]

    def __init__(self, each: Filter, accounts: Mapping[Any, Filter] | None = None) -> None:
        way_out = "Use Filter(ZeroConcentratedDP(0.5)): it is the account that everybody starts with."
        require_kind(Filter, each, name="each", way_out=way_out)
        if each.budget.neighbours is not Neighbours.ADD_REMOVE:
            rule = "are known where a record is added or removed: whoever is left out is as if absent"
            raise NotImplied("accounts of each person", rule, each.budget, "State the budget under add/remove.")
        object.__setattr__(self, "each", each)
        object.__setattr__(self, "accounts", dict(accounts or {}))

    @property
    def basis(self) -> Basis:
        """The theorems by which all releases together keep the budget for everybody."""
        return Basis.of("individual-filter") | self.each.basis

    def active(self, charges: Mapping[Any, Charge]) -> frozenset[Any]:
        """Those who can pay what the release costs them: it sees their records, and no others."""
        return frozenset(person for person, charge in charges.items() if self._account(person).fits(charge))

    def after(self, charges: Mapping[Any, Charge]) -> IndividualFilter:
        """The accounts once all who can have paid; the others keep what they have."""
        paid = {person: self._account(person).after(charges[person]) for person in self.active(charges)}
        return IndividualFilter(self.each, {**self.accounts, **paid})

    def _account(self, person: object) -> Filter:
        return self.accounts.get(person, self.each)

    def __repr__(self) -> str:
        """The budget alone: what anybody has spent is not shown."""
        return f"IndividualFilter({self.each!r})"


def _stated(promise: Promise, kind: type[Stated], neighbours: Neighbours) -> Stated:
    """The best promise of a kind that follows from another, or a refusal that says what to do."""
    try:
        found = conversions.convert(promise, to=kind, neighbours=neighbours).result
    except (NotImplied, Unreachable) as error:
        rule = f"must be such that {kind.__name__} follows from it"
        raise NotImplied("a release that is paid from this budget", rule, promise, _DELTA) from error
    assert isinstance(found, kind)  # what was asked for
    return found


def _at_orders(promise: Promise, budget: RenyiDP) -> RenyiDP:
    """The bounds of a promise at the orders of a budget."""
    found = conversions.convert(promise, to=RenyiDP, neighbours=budget.neighbours, orders=tuple(budget.orders)).result
    assert isinstance(found, RenyiDP)  # what was asked for
    if set(found.orders) != set(budget.orders):
        rule = f"must have a bound at each of the orders {', '.join(f'{order:g}' for order in budget.orders)}"
        raise InvalidInput("a release that is paid from this budget", rule, promise, "State it at these orders.")
    return found


def _largest_rho(budget: ApproxDP, delta: Fraction) -> float:
    """A rho that is known to keep a delta at the epsilon of the budget, and nearly the largest up to epsilon + 1."""

    def keeps(rho: Array) -> NDArray[np.bool_]:
        found = [float(ZeroConcentratedDP(float(each)).delta(budget.stated_epsilon)) for each in rho.ravel()]
        return np.array([Fraction(each) <= delta for each in found]).reshape(rho.shape)

    return float(largest_true(keeps, 0.0, budget.stated_epsilon + 1.0))


def _told(amounts: Amounts) -> str:
    """Amounts as a sentence has them."""
    return " and ".join(f"{nearest_up(amount):.6g}" for amount in amounts)
