"""What a plan publishes as it is, assessed together with its noisy queries: exact, noisy and both on one scale.

The cells of a record are taken as known, and its value, which the totals add up, as not; the belief about the values is
Gaussian. A guarantee says nothing about totals without noise. This says how much they, and the queries, explain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from whit.errors import Incompatible, InvalidInput, TooCostly, require
from whit.mechanisms import Gaussian
from whit.numerics import doubles_around
from whit.persuasion import Covariance, ExposedRecord, LinearRelease, Statistics, Together, Totals, linear_release
from whit.plans.amounts import by_variance
from whit.plans.known import KnownRecord, known_from_totals
from whit.plans.plan import Plan
from whit.plans.query import Kind
from whit.theory import Direction, Finding

_INVARIANTS = "Give the cell of each record, by the name of what is not protected: {'state totals': [0, 0, 1]}."
_NOISY = "Give the cell of each record, by the name and the level of a query: {('age', 'Town'): [0, 0, 1]}."


@dataclass(frozen=True, eq=False)
class Beside:
    """One number for each record, from the invariants alone, the noisy queries alone, and both."""

    invariants: Finding
    noisy: Finding
    both: Finding

    @property
    def most_exposed(self) -> tuple[ExposedRecord, ExposedRecord, ExposedRecord]:
        """The record with the largest number in each, the first of equals."""
        return _largest(self.invariants), _largest(self.noisy), _largest(self.both)

    def __str__(self) -> str:
        named = zip(("invariants", "noisy", "both"), (self.invariants, self.noisy, self.both), strict=True)
        return "\n".join(f"{name}: {found}" for name, found in named)


@dataclass(frozen=True, eq=False)
class InvariantsRelease:
    """Three linear releases about the same records under the same prior.

    Attributes:
        invariants: what is published as it is.
        noisy: the queries, as if their noise were Gaussian of the same variance.
        both: all of it.
        as_modelled: whether the noise is Gaussian; if it is discrete, what the queries tell is an estimate.
        known: the records that the invariants alone determine, each with the totals that give it.
    """

    invariants: LinearRelease
    noisy: LinearRelease
    both: LinearRelease
    as_modelled: bool
    known: tuple[KnownRecord, ...] = ()

    def explained(self) -> Beside:
        """The share of the prior variance of each record that is explained; never less by both than by one."""
        return self._beside(LinearRelease.explained)

    def kappa_predicted(self, delta: float) -> Beside:
        """Kappa of each record, except with probability delta over data and noise drawn as the prior predicts.

        It depends on the share explained alone, so that the three can be compared.
        """
        return self._beside(lambda release: release.kappa_predicted(delta))

    def kappa_within(self, reach: float, delta: float) -> Beside:
        """Kappa of each record for every prior mean within reach of the data, except with probability delta.

        The reach is measured on the statistics of each of the three, so that these are three classes of priors.
        """
        return self._beside(lambda release: release.kappa_within(reach, delta))

    def _beside(self, ask: Callable[[LinearRelease], Finding]) -> Beside:
        noisy, both = ask(self.noisy), ask(self.both)
        if not self.as_modelled:
            noisy, both = (replace(found, direction=Direction.ABOUT) for found in (noisy, both))
        return Beside(ask(self.invariants), noisy, both)


def invariants_release(
    plan: Plan,
    covariance: Covariance | ArrayLike,
    *,
    invariants: Mapping[str, ArrayLike],
    noisy: Mapping[tuple[str, str], ArrayLike],
    mean: ArrayLike = 0.0,
) -> InvariantsRelease:
    """The invariants of a plan and some of its queries, as linear releases of the values of n records.

    plan         says what is not protected, and with which variance each query is published
    covariance   of the prior: Independent, Factors, Blocks or Full; a list of variances; or a matrix
    invariants   by the name of what is not protected: the cell of each record, a whole number, or -1 for none
    noisy        by the name and the level of a query: the same
    mean         of the prior, one number for all records or one for each

    A cell of a query is one of its categories in one place, so that the codes number both.
    """
    require(isinstance(plan, Plan), name="plan", rule="must be a Plan", value=plan, way_out="Build it with Plan.of.")
    exact = _exact(plan, invariants)
    queries = _named("noisy", noisy, _NOISY)
    tables, kinds = [Totals(codes) for codes in queries.values()], [_kind(plan, key) for key in queries]
    variances = [doubles_around(plan.spread(kind))[0] for kind in kinds]  # less noise is the safe side
    loud = np.concatenate([np.full(table.number, each) for table, each in zip(tables, variances, strict=True)])
    both, all_noise = Together(exact, *tables), np.concatenate([np.zeros(exact.number), loud])
    return InvariantsRelease(
        linear_release(exact, covariance, mean=mean),
        linear_release(Together(*tables), covariance, mean=mean, noise=loud),
        linear_release(both, covariance, mean=mean, noise=all_noise),
        all(kind.law is Gaussian for kind in kinds),
        _known(invariants),
    )


def _known(invariants: Mapping[str, ArrayLike]) -> tuple[KnownRecord, ...]:
    """The records that the totals determine; none are named where there are too many to be audited."""
    with suppress(TooCostly):
        return known_from_totals(invariants)
    return ()


def _exact(plan: Plan, invariants: object) -> Statistics:
    """The totals without noise, each of which the plan must list as not protected."""
    given = _named("invariants", invariants, _INVARIANTS)
    known = [each.name for each in plan.unprotected]
    for name in given:
        way_out = f"Use one of {', '.join(known)}." if known else "List it among what the plan does not protect."
        require(name in known, name="an invariant", rule="must be unprotected in the plan", value=name, way_out=way_out)
    return Totals(*given.values())


def _kind(plan: Plan, key: object) -> Kind:
    """The kind of the query of this name at this level, whose noise must be given by a variance."""
    pair = isinstance(key, tuple) and len(key) == 2
    require(pair, name="a key of noisy", rule="must be a name and a level", value=key, way_out=_NOISY)
    found = [query.kind for query in plan.table if (query.name, query.kind.level) == key]
    if len(found) != 1:
        way_out = "Use the name and the level of a query that the plan has once, such as ('age', 'Town')."
        raise InvalidInput("a key of noisy", "must name one query of the plan", f"{key}: {len(found)} of them", way_out)
    if not by_variance(found[0].law):
        way_out = "Leave the query out, or plan it with Gaussian noise."
        raise Incompatible(f"the query {key}", "must have Gaussian noise", found[0].law.__name__, way_out)
    noisy = plan.spread(found[0]) > 0
    require(noisy, name=f"the query {key}", rule="must have a share", value="a share of 0", way_out="Leave it out.")
    return found[0]


def _named(name: str, given: object, way_out: str) -> Mapping[object, ArrayLike]:
    good = isinstance(given, Mapping) and len(given) > 0
    require(good, name=name, rule="must have at least one table, by its name", value=repr(given), way_out=way_out)
    assert isinstance(given, Mapping)  # as was required
    return given


def _largest(found: Finding) -> ExposedRecord:
    values = np.atleast_1d(np.asarray(found.value))
    return ExposedRecord(int(np.argmax(values)), float(values.max()))
