"""Trees of events, as dp-accounting, TensorFlow Privacy and JAX Privacy describe what was run.

An event is read as a tree: of a live object its class and its public fields, of a file the same names in JSON, as
`event.to_named_tuple()` has them. The norm of one contribution is at most 1 in the units of the noise. So adding or
removing a record changes a sum by at most 1, and replacing one by at most 2.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from whit.curves import Promise
from whit.errors import InvalidInput, NotImplied, unknown_name
from whit.exchange.learned import (
    NORM,
    Learned,
    OpenPoint,
    change_by,
    chosen_on_the_way,
    field_of,
    list_of,
    log_above_one,
    number_of,
    whole_of,
)
from whit.guarantees import Guarantee, PureDP, ZeroConcentratedDP
from whit.mechanisms import (
    BestOfRuns,
    Finite,
    Gaussian,
    Geometric,
    Laplace,
    Mechanism,
    MixtureOfGaussians,
    PoissonSubsampled,
    RandomizedResponse,
    SampledWithoutReplacement,
    TreeAggregation,
    TruncatedPoissonSample,
    compose,
)
from whit.numerics import ULP, doubles_around

Tree: TypeAlias = Mapping[str, Any]
"""An event as plain values: its `class_name`, and its fields by name."""

Run: TypeAlias = Guarantee | Mechanism
"""One release, by its promise or by its noise."""

Parts: TypeAlias = Counter[Run]
"""What was run, with how often."""

DEEPEST = 50
"""So many events inside each other are read; more are no event that anybody ran."""

LARGEST_WEIGHED = 690.0
"""With a larger loss, e^-loss has lost digits and counts as 0."""

_NO_NOISE = "Leave it out only if it tells nothing about anybody; otherwise nothing bounds the risk."
_REPLACED = "Use a Poisson sample or one without replacement, if that is what was run."


def from_dp_event(event: object, *, zeroed: bool = False) -> Learned:
    """What an event says: a mechanism, or several in composition.

    event    an event of dp-accounting, or its tree with `class_name` and the fields
    zeroed   whether a record is compared with one that counts for nothing; instead of a report, that is a random one

    >>> print(from_dp_event({"class_name": "GaussianDpEvent", "noise_multiplier": 2.0}).promise)
    Gaussian(sigma=2.0, sensitivity=Sensitivity(add_remove=1.0, replace=2.0))
    """
    tree = tree_of(event)
    parts = _read(tree, "event")
    if zeroed:
        parts = Counter({_beside_random(part): often for part, often in parts.items()})
    named = str(tree.get("class_name", "event"))
    sampled = any(isinstance(part, PoissonSubsampled | TruncatedPoissonSample) for part in parts)
    open_points = [OpenPoint.UNIT, OpenPoint.NEIGHBOURS, OpenPoint.NORM]
    open_points += [OpenPoint.SAMPLING] if sampled else []
    return Learned(together(parts), f"event {named}", (*open_points, *chosen_on_the_way(parts)))


def is_dp_event(value: object) -> bool:
    """Whether something is an event, or the tree of one."""
    if isinstance(value, Mapping):
        name = value.get("class_name", "")
    else:
        name = getattr(value, "class_name", type(value).__name__)  # what to_named_tuple makes has the name as a field
    return isinstance(name, str) and name.endswith("DpEvent")


def tree_of(event: object, depth: int = 0) -> Tree:
    """An event as plain values; a live one by its public fields."""
    if depth > DEEPEST:
        raise InvalidInput("event", f"must be at most {DEEPEST} events deep", "more", "Flatten the composition.")
    if isinstance(event, Mapping):
        return {str(name): _plain(value, depth) for name, value in event.items()}
    if not is_dp_event(event):
        way_out = "Pass an event such as GaussianDpEvent(2.0), or its tree."
        raise InvalidInput("event", "must be an event of dp-accounting", event, way_out)
    # The classes are made by attrs, which lists the fields by name; so do the named tuples that are made of them.
    if isinstance(event, tuple):
        names = getattr(type(event), "_fields", ())
        return {name: _plain(getattr(event, name), depth) for name in names}
    names = [each.name for each in getattr(type(event), "__attrs_attrs__", ())]
    return {"class_name": type(event).__name__, **{name: _plain(getattr(event, name), depth) for name in names}}


def _plain(value: object, depth: int) -> Any:
    if isinstance(value, Mapping) or is_dp_event(value):
        return tree_of(value, depth + 1)
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(each, depth) for each in value]
    return _number_inside(value)


def _number_inside(value: Any) -> Any:
    """The number of a tensor or of an array that has just one, as queries of TensorFlow Privacy put into events."""
    if hasattr(value, "numpy"):
        value = value.numpy()
    return value.item() if hasattr(value, "item") and getattr(value, "shape", None) == () else value


def together(parts: Parts) -> Promise:
    """All that was run as one promise."""
    if not parts:
        return PureDP(0.0)
    each = [part.times(number) for part, number in parts.items()]
    return each[0] if len(each) == 1 else compose(*each)


def _read(tree: Tree, path: str) -> Parts:
    """What an event runs; `path` is where it stands in the tree."""
    if not isinstance(tree, Mapping):
        raise InvalidInput(path, "must be an event", tree, "Use a tree with class_name and the fields of the event.")
    name = field_of(tree, "class_name", path)
    if not isinstance(name, str) or name not in EVENTS:
        raise unknown_name(f"the class of {path}", name, list(EVENTS))
    return EVENTS[name](tree, path)


def _refused(tree: Tree, path: str) -> Parts:
    raise NotImplied(path, "has no privacy that anybody could bound", tree["class_name"], _NO_NOISE)


def _unproved(tree: Tree, path: str) -> Parts:
    raise NotImplied(path, "has no bound that is proved in whit", tree["class_name"], _REPLACED)


def _once(read: Callable[[Tree, str], Run]) -> Callable[[Tree, str], Parts]:
    return lambda tree, path: Counter({read(tree, path): 1})


def _number(tree: Tree, name: str, path: str) -> float:
    return number_of(field_of(tree, name, path), f"{path}.{name}")


def _gaussian(tree: Tree, path: str) -> Run:
    return Gaussian(_number(tree, "noise_multiplier", path), sensitivity=NORM)


def _laplace(tree: Tree, path: str) -> Run:
    return Laplace(_number(tree, "noise_multiplier", path), sensitivity=NORM)


def _discrete_laplace(tree: Tree, path: str) -> Run:
    change = whole_of(field_of(tree, "sensitivity", path), f"{path}.sensitivity")
    return Geometric(_number(tree, "noise_parameter", path), sensitivity=change_by(float(change)))


def _randomized_response(tree: Tree, path: str) -> Run:
    noise = _number(tree, "noise_parameter", path)
    buckets = whole_of(field_of(tree, "num_buckets", path), f"{path}.num_buckets")
    if not 0 < noise <= 1:
        raise InvalidInput(f"{path}.noise_parameter", "must be above 0 and at most 1", noise, "At 0 nothing is hidden.")
    ratio = buckets * (1 - Fraction(noise)) / Fraction(noise)
    return RandomizedResponse(log_above_one(ratio), categories=buckets)


def _beside_random(run: Run) -> Run:
    """A report beside one that is drawn at random from all answers; all else as it is.

    All answers but the true one are as likely as each other in both, so that they count as one. The chances are
    rounded to where the two are told apart more easily.
    """
    if not isinstance(run, RandomizedResponse):
        return run
    true, loss = float(run.probability_of_exact_answer().upper_bound()), run.stated_epsilon
    seldom = math.exp(-loss) * (1 - ULP * (64 + 4 * loss)) if loss <= LARGEST_WEIGHED else 0.0
    others = (run.categories - 1) * true * seldom
    random = doubles_around(Fraction(1, run.categories))[0], doubles_around(1 - Fraction(1, run.categories))[1]
    return Finite([min(true, 1.0), others], random)


def _tree_aggregation(tree: Tree, path: str) -> Run:
    steps = field_of(tree, "step_counts", path)
    each = [
        whole_of(one, f"{path}.step_counts")
        for one in ([steps] if isinstance(steps, int | float) else list_of(steps, f"{path}.step_counts"))
    ]
    return TreeAggregation(_number(tree, "noise_multiplier", path), each[0] if len(each) == 1 else each)


def _mixture(tree: Tree, path: str) -> Run:
    deviation = _number(tree, "standard_deviation", path)
    names = ("sensitivities", "sampling_probs")
    amounts, chances = (list_of(field_of(tree, name, path), f"{path}.{name}") for name in names)
    return MixtureOfGaussians(deviation, amounts, chances)


def _zcdp(tree: Tree, path: str) -> Run:
    if "xi" in tree and _number(tree, "xi", path) != 0:
        raise NotImplied(f"{path}.xi", "must be 0: whit has no bound for another", tree["xi"], "State a rho alone.")
    return ZeroConcentratedDP(_number(tree, "rho", path))


def _truncated(tree: Tree, path: str) -> Run:
    noise = Gaussian(_number(tree, "noise_multiplier", path), sensitivity=NORM)
    rate = _number(tree, "sampling_probability", path)
    most = whole_of(field_of(tree, "truncated_batch_size", path), f"{path}.truncated_batch_size")
    people = whole_of(field_of(tree, "dataset_size", path), f"{path}.dataset_size")
    return TruncatedPoissonSample(noise, rate, largest=most, population=people)


def _inner(tree: Tree, path: str) -> Run:
    """The one event inside another."""
    parts = _read(field_of(tree, "event", path), f"{path}.event")
    if parts.total() != 1:
        way_out = "Import the events inside one by one; a sample of several together is not known."
        raise NotImplied(f"{path}.event", "must be one release", f"{parts.total()} releases", way_out)
    return next(iter(parts))


def _poisson_sampled(tree: Tree, path: str) -> Run:
    return PoissonSubsampled(_noise(tree, path), _number(tree, "sampling_probability", path))


def _without_replacement(tree: Tree, path: str) -> Run:
    size, population = (
        whole_of(field_of(tree, name, path), f"{path}.{name}") for name in ("sample_size", "source_dataset_size")
    )
    return SampledWithoutReplacement(_noise(tree, path), size, population)


def _noise(tree: Tree, path: str) -> Mechanism:
    found = _inner(tree, path)
    if not isinstance(found, Mechanism):
        raise NotImplied(f"{path}.event", "must be noise to be sampled", found, "State the noise, not its rho.")
    return found


def _best_of_runs(tree: Tree, path: str) -> Run:
    shape = field_of(tree, "shape", path)
    law = math.inf if shape == math.inf else number_of(shape, f"{path}.shape")
    return BestOfRuns(_inner(tree, path), mean=_number(tree, "mean", path), shape=law)


def _self_composed(tree: Tree, path: str) -> Parts:
    count = whole_of(field_of(tree, "count", path), f"{path}.count")
    inside = _read(field_of(tree, "event", path), f"{path}.event")
    return Counter({part: often * count for part, often in inside.items() if count})


def _composed(tree: Tree, path: str) -> Parts:
    events = list_of(field_of(tree, "events", path), f"{path}.events")
    return sum((_read(each, f"{path}.events[{place}]") for place, each in enumerate(events)), start=Counter())


EVENTS: Mapping[str, Callable[[Tree, str], Parts]] = {
    "NoOpDpEvent": lambda *_: Counter(),
    "NonPrivateDpEvent": _refused,
    "UnsupportedDpEvent": _refused,
    "GaussianDpEvent": _once(_gaussian),
    "LaplaceDpEvent": _once(_laplace),
    "DiscreteLaplaceDpEvent": _once(_discrete_laplace),
    "RandomizedResponseDpEvent": _once(_randomized_response),
    "SelfComposedDpEvent": _self_composed,
    "ComposedDpEvent": _composed,
    "PoissonSampledDpEvent": _once(_poisson_sampled),
    "SampledWithReplacementDpEvent": _unproved,
    "SampledWithoutReplacementDpEvent": _once(_without_replacement),
    "SingleEpochTreeAggregationDpEvent": _once(_tree_aggregation),
    "RepeatAndSelectDpEvent": _once(_best_of_runs),
    "MixtureOfGaussiansDpEvent": _once(_mixture),
    "ZCDpEvent": _once(_zcdp),
    "TruncatedSubsampledGaussianDpEvent": _once(_truncated),
}
"""How each class of events is read."""
