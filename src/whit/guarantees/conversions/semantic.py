"""Edges to and from semantic privacy: how far one record moves beliefs."""

from __future__ import annotations

from whit.errors import Incompatible, Unreachable
from whit.guarantees.approximate import ApproxDP
from whit.guarantees.conversions.beliefs import (
    approximate_epsilon,
    failure_by_conditioning,
    level,
    level_by_conditioning,
    level_printed,
    level_rest_known,
    level_with_failure,
)
from whit.guarantees.conversions.points import read_profile
from whit.guarantees.conversions.step import Edge
from whit.guarantees.pure import PureDP
from whit.guarantees.semantic import SemanticPrivacy
from whit.numerics import raised
from whit.setting import Knowledge, Neighbours


def of_pure(
    source: PureDP,
    *,
    failure: float = 0.0,
    population: int | None = None,
    knows: Knowledge = Knowledge.ANY_BELIEF,
) -> SemanticPrivacy:
    """tanh(epsilon/2), or tanh(epsilon/4) where neighbours replace a record and the other records are known."""
    closer = knows is Knowledge.EVERYONE_ELSE and source.neighbours is not Neighbours.ADD_REMOVE
    kernel = level_rest_known.kernel if closer else level.kernel
    return _semantic(source, float(kernel(source.stated_epsilon)), failure, population, knows)


def of_pure_printed(
    source: PureDP,
    *,
    failure: float = 0.0,
    population: int | None = None,
    knows: Knowledge = Knowledge.ANY_BELIEF,
) -> SemanticPrivacy:
    """e^epsilon - 1, where that is below 1."""
    found = float(level_printed.kernel(source.stated_epsilon))
    return _semantic(source, min(found, 1.0), failure, population, knows)


def of_approximate(
    source: ApproxDP,
    *,
    failure: float | None = None,
    population: int | None = None,
    knows: Knowledge = Knowledge.ANY_BELIEF,
) -> SemanticPrivacy:
    """tanh(t/2) + 2 eta at the best threshold t."""
    allowed, size = _both(failure, population)
    found = level_with_failure.kernel(source.stated_epsilon, source.stated_delta, population=size, failure=allowed)
    return _semantic(source, float(found), allowed, size, knows)


def of_approximate_printed(
    source: ApproxDP,
    *,
    failure: float | None = None,
    population: int | None = None,
    knows: Knowledge = Knowledge.ANY_BELIEF,
) -> SemanticPrivacy:
    """e^(3 epsilon) - 1 + sqrt(n delta), where the failure allows it."""
    allowed, size = _both(failure, population)
    if source.stated_epsilon == 0.0:
        raise Unreachable("epsilon", "must be above 0 for this theorem", 0.0, "Use the other one.")
    epsilon, delta = source.stated_epsilon, source.stated_delta
    needed = float(failure_by_conditioning.kernel(epsilon, delta, population=size))
    if needed > allowed:
        raise Unreachable("failure", f"must be at least {needed:.3g} for this theorem", allowed, "Allow more failures.")
    found = float(level_by_conditioning.kernel(epsilon, delta, population=size))
    return _semantic(source, min(found, 1.0), allowed, size, knows)


def to_approximate(source: SemanticPrivacy, *, delta: float | None = None, epsilon: float | None = None) -> ApproxDP:
    """2 artanh(2 level) with twice the delta; elsewhere by the curve of that point."""
    if source.level >= 0.5 or source.stated_delta > 0.5:
        rule = "must have a level below 1/2 and a delta of at most 1/2 to imply anything"
        raise Unreachable("semantic privacy", rule, source, "Use a smaller level.")
    found = float(approximate_epsilon.kernel(source.level))
    point = ApproxDP(found, float(raised(2 * source.stated_delta)), neighbours=source.neighbours)
    return point if delta is None and epsilon is None else read_profile(point, delta=delta, epsilon=epsilon)


def _semantic(
    source: PureDP | ApproxDP, found: float, failure: float, population: int | None, knows: Knowledge
) -> SemanticPrivacy:
    return SemanticPrivacy(found, failure, population=population, knows=knows, neighbours=source.neighbours)


def _both(failure: float | None, population: int | None) -> tuple[float, int]:
    """The two parameters without which a promise with a delta says nothing of beliefs."""
    if failure is None or population is None:
        missing = "failure" if failure is None else "population"
        rule = "must be given where the promise has a delta"
        suggested = {"failure": 0.001, "population": 10000}
        raise Incompatible(
            missing, rule, "nothing", "Give both, such as {failure} and {population}.", suggested=suggested
        )
    return failure, population


EDGES: tuple[Edge, ...] = (
    Edge(PureDP, SemanticPrivacy, "pure-to-semantic", False, of_pure, sharp=True),
    Edge(PureDP, SemanticPrivacy, "pure-to-semantic-printed", False, of_pure_printed),
    Edge(ApproxDP, SemanticPrivacy, "approximate-to-semantic", False, of_approximate),
    Edge(ApproxDP, SemanticPrivacy, "approximate-to-semantic-printed", False, of_approximate_printed),
    Edge(SemanticPrivacy, ApproxDP, "semantic-to-approximate", False, to_approximate, one_point=True),
)
"""All edges to and from semantic privacy, but for that to pure privacy."""
