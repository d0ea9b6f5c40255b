"""The graph of conversions: every way from a promise to another kind of promise, and the best of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce

from whit.curves import Curve, Promise, require_promise
from whit.errors import Incompatible, InvalidInput, NotImplied, TooCostly, Unreachable, WhitError, require
from whit.guarantees.composition.rules import compose
from whit.guarantees.composition.together import Composition
from whit.guarantees.conversions import beliefs, points, whole
from whit.guarantees.conversions.conversion import Conversion, Path
from whit.guarantees.conversions.step import (
    TARGETS,
    Edge,
    Free,
    Source,
    checked,
    group_edge,
    least_over_log,
    neighbours_of,
    target,
    under_edge,
)
from whit.guarantees.epsilon_delta import ApproxDP, ProbabilisticDP, PureDP
from whit.guarantees.fdp import GaussianDP
from whit.guarantees.guarantee import Guarantee
from whit.guarantees.renyi import RenyiDP, ZeroConcentratedDP
from whit.guarantees.semantic import SemanticPrivacy
from whit.numerics import count
from whit.setting import Knowledge, Neighbours
from whit.theory import Basis, Direction, Unit, number_text

EDGES: tuple[Edge, ...] = (*points.EDGES, *whole.EDGES, *beliefs.EDGES, *whole.NOISE_EDGES)
"""Every edge of the graph that leads to another kind of promise, or to another point of the same kind."""

LONGEST = 3
"""Paths of more edges are not tried, and those of so many only where none is shorter."""

# What may stand in the middle of a path. Everything else hands on less than its source can be asked for itself.
_MIDDLES = (PureDP, ApproxDP, ZeroConcentratedDP, GaussianDP)

# Where a point that was chosen on the way may lead: all else reads curves, and its source has a better one.
_AFTER_A_CHOICE = (ProbabilisticDP, SemanticPrivacy)

# The kinds that are better found for each part of a composition, with the rule by which they add up.
_ADDING: dict[type[Guarantee], str] = {
    PureDP: "basic-composition",
    ZeroConcentratedDP: "zcdp-composition",
    GaussianDP: "gaussian-composition",
    RenyiDP: "renyi-composition",
}


def convert(
    x: Promise,
    *,
    to: type[Guarantee],
    neighbours: Neighbours | None = None,
    group: int = 1,
    delta: float | None = None,
    epsilon: float | None = None,
    sides: int | None = None,
    orders: Sequence[float] | None = None,
    failure: float | None = None,
    population: int | None = None,
    knows: Knowledge | None = None,
) -> Conversion:
    """The best promise of another kind that follows, and by which theorems.

    Args:
        x: a promise, a mechanism, or the curve of a release.
        to: the kind of promise wanted.
        neighbours: the relation between datasets that the result is to be about; that of x unless it is given. For a
            curve it is the relation that the curve itself is about; add/remove unless it is given.
        group: the number of records that the result is to protect together.
        delta: for ApproxDP (or epsilon), ProbabilisticDP and ProbabilisticallyBoundedDP.
        epsilon: for ApproxDP, in place of delta.
        sides: for ProbabilisticDP; 2 unless it is given.
        orders: for RenyiDP.
        failure: for SemanticPrivacy, with the population, where a delta is in play.
        population: for SemanticPrivacy, with the failure.
        knows: for SemanticPrivacy, what is known of the other records.

    >>> from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
    >>> print(convert(PureDP(1.0), to=ZeroConcentratedDP))
    ZeroConcentratedDP(rho=0.4621171572600107) by
      Pure differential privacy as zero-concentrated (KeSa98, the inequality for a coin; own proof; nothing better
      follows)
      from PureDP(epsilon=1.0)
    """
    choices = {
        "delta": delta,
        "epsilon": epsilon,
        "sides": sides,
        "orders": orders,
        "failure": failure,
        "population": population,
        "knows": knows,
    }
    free = checked(to, {name: value for name, value in choices.items() if value is not None})
    size = count("group", group, "Use the number of records that one group has, such as 2.")
    relation = None if neighbours is None else Neighbours.checked(neighbours)
    return _converted(require_promise(x), to, free, relation, size)


def _converted(x: Promise, to: type[Guarantee], free: Free, neighbours: Neighbours | None, size: int) -> Conversion:
    """The best conversion, with free parameters that are checked already."""
    if not isinstance(x, Guarantee | Curve):
        return _of_mechanism(x, to, x.relation(neighbours), size, free)
    if isinstance(x, Curve) and neighbours is not None:
        return _labelled(_converted(x, to, free, None, size), neighbours)
    relation = neighbours_of(x) if neighbours is None else neighbours
    found = (
        [*_best(x, to, free)] if (relation, size) == (neighbours_of(x), 1) else _related(x, to, free, relation, size)
    )
    if not found:
        raise _nothing(x, to, free, relation, size)
    return min(found, key=lambda conversion: target(to).score(conversion.result))


def along(x: Source | Composition[Guarantee], path: Sequence[Edge], **free: object) -> Conversion:
    """The promise at the end of a given path; what is free on the way is chosen for the best result.

    Several promises start from what they add up to.
    """
    require(len(path) > 0, name="path", rule="must have an edge", value=path, way_out="Use edges of EDGES.")
    if isinstance(x, Composition):
        return _joined(_stated(x), along(x.promise, path, **free))
    return _walked(x, tuple(path), checked(path[-1].target, free))


def edges(source: type[Source], to: type[Guarantee]) -> Path:
    """The edges from one kind to another."""
    return tuple(edge for edge in EDGES if edge.source is source and edge.target is to)


def edge(source: type[Source], to: type[Guarantee], theorem: str) -> Edge:
    """The edge of a theorem from one kind to another."""
    found = [each for each in edges(source, to) if each.theorem == theorem]
    if found:
        return found[0]
    known = [each.theorem for each in edges(source, to)]
    rule = f"must be that of an edge from {source.__name__} to {to.__name__}"
    raise InvalidInput("theorem", rule, theorem, f"Use one of {', '.join(known)}." if known else "There is none.")


def reachable(source: type[Source]) -> tuple[type[Guarantee], ...]:
    """The kinds of promise to which some path leads, whatever the parameters."""
    return tuple(to for to in TARGETS if to is source or any(True for _ in _paths(source, to)))


def _paths(source: type[Source], to: type[Guarantee], before: tuple[type[Source], ...] = ()) -> Iterator[Path]:
    """Every simple path of at most LONGEST edges, the direct ones first."""
    yield from ((each,) for each in edges(source, to))
    if len(before) + 2 > LONGEST:
        return
    visited = (*before, source, to)
    for first in EDGES:
        if first.source is source and first.target in _MIDDLES and first.target not in visited:
            rests = _paths(first.target, to, (*before, source))
            yield from ((first, *rest) for rest in rests if not _has_choice(first) or rest[0].target in _AFTER_A_CHOICE)


def _has_choice(edge: Edge) -> bool:
    """Whether an edge, in the middle of a path, leads to a point that is free to choose."""
    return edge.target is ApproxDP and not edge.one_point


def _tried(source: type[Source], to: type[Guarantee]) -> list[Path]:
    """The paths worth trying: a sharp edge alone, if there is one, as nothing else can do better; else the short ones.

    A longer path is a detour around a shorter one, which loses more: it is taken only where there is no shorter one.
    """
    sharp = [each for each in edges(source, to) if each.sharp]
    paths: list[Path] = [(sharp[0],)] if sharp else list(_paths(source, to))
    return [path for path in paths if len(path) < LONGEST] or paths


def _best(x: Source, to: type[Guarantee], free: Free) -> Iterator[Conversion]:
    """Every conversion that some path gives, and the promise itself if it is of the kind that is wanted."""
    if isinstance(x, to) and _stands(x, free):
        yield Conversion(x, (), (x,), Basis())
        return
    for path in _tried(type(x), to):
        try:
            yield _walked(x, path, free)
        except (Unreachable, NotImplied, Incompatible):
            continue


def _stands(x: Guarantee, free: Free) -> bool:
    """Whether a promise of the wanted kind has the parameters that are asked for already."""
    own = x.parameters
    if isinstance(x, RenyiDP):
        return set(free["orders"]) == set(x.orders)
    return all(own.get(name) == value for name, value in free.items())


def _walked(x: Source, path: Path, free: Free) -> Conversion:
    """The conversion along a path, with the best choice of what is free in the middle."""
    choice = next((i for i, each in enumerate(path[:-1]) if _has_choice(each)), None)
    if choice is None:
        return _stepped(x, path, [{}] * (len(path) - 1) + [free])

    def steps(position: float) -> list[Free]:
        return [{"epsilon": position} if i == choice else {} for i in range(len(path) - 1)] + [free]

    def score(position: float) -> float:
        try:
            found = _stepped(x, path, steps(position))
        except (Unreachable, NotImplied, Incompatible):
            return math.inf
        return target(path[-1].target).score(found.result)

    return _stepped(x, path, steps(least_over_log(score)))


def _stepped(x: Source, path: Path, frees: Sequence[Free]) -> Conversion:
    promises: list[Source] = [x]
    basis = Basis()
    for step, free in zip(path, frees, strict=True):
        basis = basis | step.basis(promises[-1])
        promises.append(step.apply(promises[-1], **free))
    result = promises[-1]
    assert isinstance(result, Guarantee)  # every edge leads to one
    return Conversion(result, path, tuple(promises), basis)


def _related(x: Source, to: type[Guarantee], free: Free, relation: Neighbours, size: int) -> list[Conversion]:
    """Conversions that also change the relation or the size of the group: before all other steps, or after them."""
    found: list[Conversion] = []
    if isinstance(x, Guarantee):
        before = _moved(Conversion(x, (), (x,), Basis()), relation, size)
        found += [_joined(start, end) for start in before for end in _best(start.result, to, free)]
    after = [end for start in _best(x, to, free) for end in _moved(start, relation, size)]
    return found + [end for end in after if _stands(end.result, free)]


def _moved(start: Conversion, relation: Neighbours, size: int) -> list[Conversion]:
    """The conversion continued to another relation and group, where that follows."""
    steps: list[tuple[Edge, Free]] = []
    if size > 1:
        steps.append((group_edge(type(start.result)), {"size": size}))
    if start.result.neighbours is not relation:
        steps.append((under_edge(type(start.result)), {"neighbours": relation}))
    try:
        end = _stepped(start.result, tuple(each for each, _ in steps), [free for _, free in steps])
    except NotImplied:
        return []
    return [_joined(start, end)]


def _labelled(found: Conversion, relation: Neighbours) -> Conversion:
    """The conversion of a curve that is about this relation."""
    source, *steps = found.promises
    stated = [step.restated(neighbours=relation) for step in steps if isinstance(step, Guarantee)]
    return replace(found, result=stated[-1], promises=(source, *stated))


def _of_mechanism(x: Promise, to: type[Guarantee], relation: Neighbours | None, size: int, free: Free) -> Conversion:
    """The best that follows for one record or for a group of them: by the curve of the group, or by that of one."""
    inner, records = x.group_of or (x, 1)
    if records * size == 1:
        return _of_one(x, to, relation, 1, free)
    ways: list[tuple[Promise, int]] = [(inner, records * size)]
    with suppress(NotImplied, TooCostly):
        ways.insert(0, (inner.group(records * size), 1))
    found: list[Conversion] = []
    reasons: list[WhitError] = []
    for promise, number in ways:
        try:
            one = _of_one(promise, to, relation, number, free)
            found.append(replace(one, promises=(x, *one.promises[1:])))
        except (Unreachable, NotImplied, Incompatible) as reason:
            reasons.append(reason)
    if not found:
        raise reasons[0]
    return min(found, key=lambda conversion: target(to).score(conversion.result))


def _of_one(x: Promise, to: type[Guarantee], relation: Neighbours | None, size: int, free: Free) -> Conversion:
    """The best that follows from the curve of a mechanism, or from its parts one by one."""
    if x.kept is not None:
        by_kept = _converted(x.kept, to, free, relation, size)
        if isinstance(x, Composition):
            return _joined(_stated(x), by_kept)
        return replace(by_kept, promises=(x, *by_kept.promises[1:]))
    by_parts = _by_parts(x, to, relation, size, free) if x.composed_of else []
    if isinstance(x, Composition) and isinstance(x.promise, to):
        by_parts += [_joined(_stated(x), each) for each in _of_sum(x.promise, to, relation, size, free)]
    curve = x.curve(relation)
    # A promise about the tail is made to everybody, not only to those with the largest change.
    everybody = x.covered(relation, sides=free.get("sides", 2)) if to is ProbabilisticDP else (curve,)
    try:
        each = [_converted(one, to, free, relation, size) for one in everybody]
        by_curve = max(each, key=lambda conversion: target(to).score(conversion.result))
    except (Unreachable, NotImplied, Incompatible) as reason:
        if by_parts:
            return by_parts[0]
        value = x if any(reason.value is one for one in everybody) else reason.value
        again = type(reason)(reason.name, reason.rule, value, reason.way_out, suggested=reason.suggested)
        raise again from None
    found = [replace(by_curve, promises=(x, *by_curve.promises[1:])), *by_parts]
    return min(found, key=lambda conversion: target(to).score(conversion.result))


def _stated(x: Composition[Guarantee]) -> Conversion:
    """What the parts of a composition come to, by their rule."""
    added = Edge(type(x.promise), type(x.promise), x.theorem, x.kept is not None, lambda _: x.promise)
    return Conversion(x.promise, (added,), (x, x.promise), x.basis)


def _of_sum(x: Guarantee, to: type[Guarantee], relation: Neighbours | None, size: int, free: Free) -> list[Conversion]:
    """The sum of promises of the kind that is wanted: it is exact where the curve of all together is rounded."""
    try:
        return [_converted(x, to, free, relation, size)]
    except (Unreachable, NotImplied, Incompatible):
        return []


def _by_parts(x: Promise, to: type[Guarantee], relation: Neighbours | None, size: int, free: Free) -> list[Conversion]:
    """What the promises of the parts add up to, where each part has one of the kind."""
    if to not in _ADDING:
        return []
    try:
        parts = [(_converted(part, to, free, relation, size), times) for part, times in x.composed_of]
    except (Unreachable, NotImplied, Incompatible):
        return []
    added = Edge(to, to, _ADDING[to], False, lambda _: result)
    result = compose(*(each.result.added_up(times) for each, times in parts)).promise
    basis = reduce(lambda a, b: a | b, (each.basis for each, _ in parts)) | Basis.of(added.theorem)
    path = tuple(step for each, _ in parts for step in each.path)
    before = tuple(promise for each, _ in parts for promise in each.promises[:-1])
    return [Conversion(result, (*path, added), (*before, parts[-1][0].result, result), basis)]


def _joined(start: Conversion, end: Conversion) -> Conversion:
    joined = (*start.promises, *end.promises[1:])
    return replace(end, path=start.path + end.path, promises=joined, basis=start.basis | end.basis)


def _open_to(x: Source) -> list[type[Guarantee]]:
    """The kinds that can be reached from this very promise: a delta above 0 bars every path through pure privacy."""
    barred = {edge for edge in edges(type(x), PureDP) if not _takes(edge, x)}
    ways = {to: _paths(type(x), to) for to in reachable(type(x))}
    return [to for to, paths in ways.items() if isinstance(x, to) or any(path[0] not in barred for path in paths)]


def _takes(edge: Edge, x: Source) -> bool:
    try:
        edge.apply(x)
    except (Unreachable, NotImplied, Incompatible):
        return False
    return True


def _nothing(x: Source, to: type[Guarantee], free: Free, relation: Neighbours, size: int) -> WhitError:
    """Why nothing was found: a delta that is too small, what a direct edge says itself, or what can be reached."""
    about = "" if (relation, size) == (neighbours_of(x), 1) else f" for groups of {size} under {relation.word}"
    for least in _own_deltas(x, relation, size) if to is ApproxDP and "delta" in free else ():
        if free["delta"] < least:
            offered = number_text(least, Direction.AT_MOST, Unit.NUMBER)
            rule = f"must be at least that of the promise{about}"
            return Unreachable("delta", rule, free["delta"], f"Ask with delta {offered} or more.")
    if (relation, size) == (neighbours_of(x), 1):
        for path in (each for each in _tried(type(x), to) if len(each) == 1 or to is SemanticPrivacy):
            try:
                _walked(x, path, free)
            except (Unreachable, NotImplied, Incompatible) as reason:
                return reason
    names = ", ".join(each.__name__ for each in _open_to(x) if each is not to and not target(each).is_function)
    rule = f"does not follow{about} from what is known"
    return NotImplied(f"a promise of {to.__name__}", rule, x, f"From here one can reach {names}.")


def _own_deltas(x: Source, relation: Neighbours, size: int) -> list[float]:
    """The delta of a promise by epsilon and delta, once it is about this relation and group: no epsilon does better."""
    if not isinstance(x, ApproxDP):
        return []
    moved = _moved(Conversion(x, (), (x,), Basis()), relation, size)
    return [each.result.stated_delta for each in moved if isinstance(each.result, ApproxDP)]
