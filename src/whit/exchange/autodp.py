"""Mechanisms of autodp, live: by their class and their `params`.

What autodp composes or samples loses its parts: of that only the parameters are left, without their order. Such a
mechanism is refused, and its parts are read one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from whit.curves import Promise
from whit.errors import InvalidInput, NotImplied
from whit.exchange.dp_events import together
from whit.exchange.learned import NORM, Learned, OpenPoint, field_of, log_above_one, number_of, whole_of
from whit.guarantees import BoundedRange, PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian, Laplace, PoissonSubsampled, RandomizedResponse

ADD_REMOVE = ("add_remove", "add_only", "remove_only")
"""What autodp calls adding and removing a record; one order alone is read as both."""

_PARTS = "Read its parts one by one and put them together with whit.compose, with .times(count) for repeated ones."


def from_autodp(mechanism: Any) -> Learned:
    """What a mechanism of autodp is.

    mechanism   a GaussianMechanism, a LaplaceMechanism, a NoisySGD_Mechanism and so on, with its `params`
    """
    name = type(mechanism).__name__
    if name not in MECHANISMS:
        known = f"It reads {', '.join(MECHANISMS)}. {_PARTS}"
        raise NotImplied("the mechanism of autodp", "must be of a class that whit reads", name, known)
    if getattr(mechanism, "group_size", 1) != 1:
        raise NotImplied("group_size", "must be 1", mechanism.group_size, "Read the mechanism for one record.")
    if getattr(mechanism, "neighboring", "add_remove") not in ADD_REMOVE:
        # There the noise is relative to what a replaced record changes, and not to one contribution.
        way_out = "State the noise in whit, with the sensitivity of a replaced record."
        raise NotImplied("neighboring", f"must be one of {', '.join(ADD_REMOVE)}", mechanism.neighboring, way_out)
    sampled = [OpenPoint.SAMPLING] if "prob" in mechanism.params else []
    points = (OpenPoint.UNIT, OpenPoint.NORM, *sampled)
    return Learned(MECHANISMS[name](mechanism.params), f"{name} of autodp", points)


def is_autodp(value: object) -> bool:
    """Whether something is a mechanism of autodp."""
    return all(hasattr(value, name) for name in ("params", "RenyiDP", "approxDP"))


def _number(params: Mapping[str, Any], name: str) -> float:
    return number_of(field_of(params, name, "params"), f"params.{name}")


def _gaussian(params: Mapping[str, Any]) -> Promise:
    return Gaussian(_number(params, "sigma"), sensitivity=NORM)


def _response(params: Mapping[str, Any]) -> Promise:
    true = _number(params, "p")
    if not 0 < true < 1:
        raise InvalidInput("params.p", "must be above 0 and below 1", true, "At 0 and 1 nothing is hidden.")
    share = max(Fraction(true), 1 - Fraction(true))
    return RandomizedResponse(log_above_one(share / (1 - share) - 1))


def _zcdp(params: Mapping[str, Any]) -> Promise:
    if params.get("xi", 0) != 0:
        raise NotImplied("params.xi", "must be 0: whit has no bound for another", params["xi"], "State a rho alone.")
    return ZeroConcentratedDP(_number(params, "rho"))


def _steps(count: str) -> Callable[[Mapping[str, Any]], Promise]:
    """Noise on Poisson samples, as often as this parameter says."""

    def made(params: Mapping[str, Any]) -> Promise:
        if params.get("PoissonSampling", True) is not True:
            way_out = "Use Poisson samples, or SampledWithoutReplacement(noise, size, population)."
            raise NotImplied("params.PoissonSampling", "must be true", params["PoissonSampling"], way_out)
        noise = Gaussian(_number(params, "sigma"), sensitivity=NORM)
        one = PoissonSubsampled(noise, _number(params, "prob")) if "prob" in params else noise
        return together(Counter({one: whole_of(field_of(params, count, "params"), f"params.{count}")}))

    return made


def _each_step(params: Mapping[str, Any]) -> Promise:
    several = field_of(params, "sigma_list", "params")
    noise = [number_of(each, f"params.sigma_list[{place}]") for place, each in enumerate(several)]
    return together(Counter(Gaussian(each, sensitivity=NORM) for each in noise))


MECHANISMS: Mapping[str, Callable[[Mapping[str, Any]], Promise]] = {
    "GaussianMechanism": _gaussian,
    "ExactGaussianMechanism": _gaussian,
    "LaplaceMechanism": lambda params: Laplace(_number(params, "b"), sensitivity=NORM),
    "RandresponseMechanism": _response,
    "PureDP_Mechanism": lambda params: PureDP(_number(params, "eps")),
    "zCDP_Mechanism": _zcdp,
    "DiscreteGaussianMechanism": _zcdp,
    "ExponentialMechanism": lambda params: BoundedRange(_number(params, "eps")),
    "SubsampleGaussianMechanism": _steps("coeff"),
    "ComposedGaussianMechanism": _steps("coeff"),
    "NoisySGD_Mechanism": _steps("niter"),
    "NoisyGD_Mechanism": _each_step,
}
"""How each class is read."""
