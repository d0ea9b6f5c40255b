"""Accountants of prv-accountant, live: the mechanisms that they were built for, and how often each may run.

What such an accountant computes has an error of its own that it states. whit composes the mechanisms itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from whit.errors import unknown_name
from whit.exchange.dp_events import together
from whit.exchange.learned import NORM, Learned, OpenPoint, change_by, list_of, number_of, whole_of
from whit.guarantees import ApproxDP, Guarantee, PureDP
from whit.mechanisms import Gaussian, Laplace, Mechanism, PoissonSubsampled


def from_prv(accountant: Any) -> Learned:
    """What an accountant of prv-accountant counts, each mechanism as often as it may run.

    accountant   a PRVAccountant or a DPSGDAccountant
    """
    variables, counts = list(accountant.prvs), list_of(accountant.max_self_compositions, "max_self_compositions")
    each = [_mechanism(one, f"prvs[{place}]") for place, one in enumerate(variables)]
    often = [whole_of(count, f"max_self_compositions[{place}]") for place, count in enumerate(counts)]
    parts: Counter[Any] = Counter()
    for one, count in zip(each, often, strict=True):
        parts[one] += count
    sampled = any(isinstance(one, PoissonSubsampled) for one in each)
    points = [OpenPoint.UNIT, OpenPoint.NORM, OpenPoint.MOST, *([OpenPoint.SAMPLING] if sampled else [])]
    return Learned(together(parts), f"{type(accountant).__name__} of prv-accountant", tuple(points))


def is_prv(value: object) -> bool:
    """Whether something is an accountant of prv-accountant."""
    return hasattr(value, "prvs") and hasattr(value, "max_self_compositions")


def _sampled(one: Any, path: str) -> Mechanism:
    noise = Gaussian(number_of(one.sigma, f"{path}.sigma"), sensitivity=NORM)
    rate = number_of(one.p, f"{path}.p")
    return noise if rate == 1 else PoissonSubsampled(noise, rate)


def _approximate(one: Any, path: str) -> Guarantee:
    return ApproxDP(number_of(one.pure_dp.eps, f"{path}.pure_dp.eps"), number_of(one.delta, f"{path}.delta"))


def _of_shift(kind: Any) -> Callable[[Any, str], Mechanism]:
    """Noise that is stated by what one contribution changes, in units of the noise."""

    def made(one: Any, path: str) -> Mechanism:
        shift = number_of(one.mu, f"{path}.mu")
        found: Mechanism = kind(1.0, sensitivity=change_by(shift))
        return found

    return made


MECHANISMS: Mapping[str, Callable[[Any, str], Any]] = {
    "PoissonSubsampledGaussianMechanism": _sampled,
    "GaussianMechanism": _of_shift(Gaussian),
    "LaplaceMechanism": _of_shift(Laplace),
    "PureDPMechanism": lambda one, path: PureDP(number_of(one.eps, f"{path}.eps")),
    "ApproximateDPMechanism": _approximate,
}
"""How each class of mechanisms is read."""


def _mechanism(one: Any, path: str) -> Any:
    name = type(one).__name__
    if name not in MECHANISMS:
        raise unknown_name(f"the class of {path}", name, list(MECHANISMS))
    return MECHANISMS[name](one, path)
