"""Promises of any kind together: those of one kind by their own rule, others through their curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from whit.curves import Curve, composed
from whit.errors import NotImplied, require
from whit.guarantees.approximate import ApproxDP
from whit.guarantees.composition.rules import (
    Composition,
    basic_composition,
    gaussian_composition,
    renyi_composition,
    same_neighbours,
    zcdp_composition,
)
from whit.guarantees.fdp import FDP
from whit.guarantees.gaussian import GaussianDP
from whit.guarantees.guarantee import Guarantee
from whit.guarantees.probabilistic import ProbabilisticDP
from whit.guarantees.properties import Known
from whit.guarantees.pure import PureDP
from whit.guarantees.renyi import RenyiDP
from whit.guarantees.renyi_face import RenyiFace
from whit.guarantees.zero_concentrated import ZeroConcentratedDP

RULES: dict[frozenset[type[Guarantee]], Callable[..., Composition[Guarantee]]] = {
    frozenset({PureDP}): basic_composition,
    frozenset({ApproxDP}): basic_composition,
    frozenset({ProbabilisticDP}): basic_composition,
    frozenset({ZeroConcentratedDP}): zcdp_composition,
    frozenset({RenyiDP}): renyi_composition,
    frozenset({RenyiDP, ZeroConcentratedDP}): renyi_composition,
    frozenset({GaussianDP}): gaussian_composition,
}
"""The own rule of each kind of promise, and of kinds that share one."""


def compose(*promises: Guarantee) -> Composition[Guarantee]:
    """What the promises come to together; a later release may be chosen by the outcomes of earlier ones.

    Promises of one kind compose by their own rule, and stay of that kind. Others compose through the pairs that
    dominate them, and come to a trade-off function.

    >>> compose(PureDP(1.0), PureDP(0.5)).promise
    PureDP(epsilon=1.5)
    >>> print(compose(PureDP(1.0), ApproxDP(0.5, 1e-6)).promise.delta(1.0))
    delta is at most 0.18
    """
    require(len(promises) > 0, name="promises", rule="must be at least one", value=promises, way_out="Pass a promise.")
    for promise in promises:
        rule, way_out = "must be a promise", "Pass promises such as PureDP(1.0), or the promise of a mechanism."
        require(isinstance(promise, Guarantee), name="what is composed", rule=rule, value=promise, way_out=way_out)
    neighbours = same_neighbours(promises)
    own_rule = RULES.get(frozenset(type(promise) for promise in promises))
    if own_rule is not None:
        return own_rule(*promises)
    curve = composed(_curves(promises))
    return Composition(FDP(curve.face, neighbours=neighbours), "dominating-pairs-compose", Known.YES)


def _curves(promises: Sequence[Guarantee]) -> list[Curve]:
    """The curves that stand for the promises; those with a density do not mix with others."""
    curves = [promise.composable() for promise in promises]
    for promise, curve in zip(promises, curves, strict=True):
        if isinstance(curve.face, RenyiFace):
            rule = "do not compose with promises of another kind through their curves"
            way_out = "Convert all promises to one kind first, such as ZeroConcentratedDP."
            raise NotImplied("promises about Rényi divergences", rule, promise, way_out)
    return curves
