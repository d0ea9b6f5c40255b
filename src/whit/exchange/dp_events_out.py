"""A promise as an event of dp-accounting, for an accountant that speaks of the same release."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from whit.curves import Promise
from whit.errors import NotImplied
from whit.guarantees import ZeroConcentratedDP
from whit.mechanisms import Gaussian, Laplace, PoissonSubsampled
from whit.numerics import down
from whit.setting import Neighbours

_KNOWN = "Gaussian and Laplace noise, Poisson samples of it, a rho, and compositions of these have one."


def to_dp_event(promise: Promise, module: ModuleType | None = None) -> Any:
    """The event of a promise: a tree of plain values, or the event itself.

    The event is about a record that is added or removed. Noise relative to the sensitivity is rounded down.

    >>> to_dp_event(Gaussian(2.0).times(3))["event"]
    {'class_name': 'GaussianDpEvent', 'noise_multiplier': 2.0}

    Args:
        promise: a mechanism, a rho, or several in composition.
        module: `dp_accounting.dp_event`, if the event itself is wanted.
    """
    tree = _tree(promise)
    return tree if module is None else _live(tree, module)


def _tree(promise: Promise) -> dict[str, Any]:
    if promise.composed_of:
        events = [_repeated(_tree(part), count) for part, count in promise.composed_of]
        return events[0] if len(events) == 1 else {"class_name": "ComposedDpEvent", "events": events}
    if isinstance(promise, PoissonSubsampled) and promise.records == 1:
        rate = {"sampling_probability": promise.rate, "event": _tree(promise.mechanism)}
        return {"class_name": "PoissonSampledDpEvent", **rate}
    if isinstance(promise, ZeroConcentratedDP) and promise.neighbours is Neighbours.ADD_REMOVE:
        return {"class_name": "ZCDpEvent", "rho": promise.rho, "xi": 0.0}
    if isinstance(promise, Gaussian):
        change = promise.sensitivity.l2(Neighbours.ADD_REMOVE)
        return {"class_name": "GaussianDpEvent", "noise_multiplier": _relative(promise.sigma, change)}
    if isinstance(promise, Laplace):
        change = promise.sensitivity.l1(Neighbours.ADD_REMOVE)
        return {"class_name": "LaplaceDpEvent", "noise_multiplier": _relative(promise.scale, change)}
    raise NotImplied("the promise", "must have an event of dp-accounting", promise, _KNOWN)


def _relative(noise: float, change: float) -> float:
    """Noise relative to a change of the answer, which is rounded up; never too large."""
    return noise if change == 1.0 else float(down(noise / change))


def _repeated(tree: dict[str, Any], count: int) -> dict[str, Any]:
    return tree if count == 1 else {"class_name": "SelfComposedDpEvent", "event": tree, "count": count}


def _live(value: Any, module: ModuleType) -> Any:
    """The event of a tree, by the classes of the library."""
    if isinstance(value, list):
        return [_live(each, module) for each in value]
    if not isinstance(value, dict):
        return value
    fields = {name: _live(each, module) for name, each in value.items() if name != "class_name"}
    return getattr(module, value["class_name"])(**fields)
