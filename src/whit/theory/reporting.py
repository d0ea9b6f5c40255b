"""Decorators that turn a plain computation into one that reports a finding.

A kernel is arithmetic on floats and arrays and knows nothing of theorems. One line above it says what it computes and
by which theorem; inputs and assumptions follow. The kernel stays within reach for inner loops:

>>> from whit.theory import Direction, Quantity, Unit, reported
>>> POSTERIOR = Quantity("posterior probability", Unit.PROBABILITY)
>>> @reported(POSTERIOR, by="hockey-stick", direction=Direction.AT_MOST)
... def posterior(prior: float, odds: float) -> float:
...     return prior * odds / (prior * odds + 1.0 - prior)
>>> print(posterior(0.05, odds=2.0))
posterior probability is at most 9.53 %
>>> dict(posterior(0.05, odds=2.0).inputs)
{'prior': 0.05, 'odds': 2.0}
>>> posterior.kernel(0.5, 3.0)
0.75
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Signature, signature
from typing import Any, ParamSpec, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from whit.errors import NoPromise, require
from whit.numerics import Bracket
from whit.theory.basis import Basis
from whit.theory.finding import Finding
from whit.theory.quantity import Direction, Quantity

Numbers = float | NDArray[np.float64]
Arguments = ParamSpec("Arguments")


class Reporting(Protocol[Arguments]):
    """A function that reports what its kernel computes."""

    kernel: Callable[Arguments, Numbers]

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Finding:
        """The finding of these arguments."""


class ReportingOnCurve(Protocol):
    """A function that reports what its kernel reads off the curve of a promise."""

    kernel: Callable[..., Bracket]
    theorem: Basis

    def __call__(self, promise: Any, /, *args: Any, **kwargs: Any) -> Finding:
        """The finding of this promise and these arguments; `neighbours=` names the relation."""


def reported(
    quantity: Quantity, *, by: str, direction: Direction, slack: float = 0.0
) -> Callable[[Callable[Arguments, Numbers]], Reporting[Arguments]]:
    """Report what the kernel returns as a finding of this quantity, by this theorem, in this direction.

    Args:
        quantity: what the kernel computes.
        by: key of the theorem; an unknown one stops the import.
        direction: on which side of the truth the numbers lie. A bound beyond what its unit allows is cut there.
        slack: relative rounding error of the numbers; already added where they are bounds.
    """
    basis = Basis(theorems=(by,), slack=slack)

    def decorate(kernel: Callable[Arguments, Numbers]) -> Reporting[Arguments]:
        called = signature(kernel)

        @wraps(kernel)
        def report(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Finding:
            value = quantity.unit.capped(kernel(*args, **kwargs), direction)
            return Finding(quantity, value, direction, _inputs(called, *args, **kwargs), basis)

        return cast(Reporting[Arguments], _with_kernel(report, kernel, called))

    return decorate


def from_curve(quantity: Quantity, *, by: str) -> Callable[[Callable[..., Bracket]], ReportingOnCurve]:
    """Report what the kernel reads off the curve of a promise, in the direction of that curve.

    The reporting function takes a promise and, with `neighbours=`, the relation between datasets; the kernel takes the
    curve. The basis is that of the curve, joined with the theorem.

    Args:
        quantity: what the kernel computes; it must increase with the curve.
        by: key of the theorem; an unknown one stops the import.
    """
    theorem = Basis.of(by)

    def decorate(kernel: Callable[..., Bracket]) -> ReportingOnCurve:
        called = signature(kernel)

        @wraps(kernel)
        def report(promise: Any, /, *args: Any, neighbours: Any = None, **kwargs: Any) -> Finding:
            curve = _curve(promise, neighbours)
            bracket = kernel(curve, *args, **kwargs)
            _, *named = _inputs(called, curve, *args, **kwargs).items()
            inputs = {"promise": promise, "neighbours": promise.relation(neighbours), **dict(named)}
            return Finding.of_bracket(quantity, bracket, curve.direction, inputs, curve.basis | theorem)

        report.theorem = theorem  # type: ignore[attr-defined]
        return cast(ReportingOnCurve, _with_kernel(report, kernel, called))

    return decorate


def _curve(promise: Any, neighbours: Any) -> Any:
    """The curve of a promise; what has none is refused."""
    NoPromise.stop(promise)
    way_out = "Pass a promise such as PureDP(1.0), a mechanism such as Gaussian(1.0), or a curve."
    known = callable(getattr(promise, "curve", None))
    require(known, name="promise", rule="must be a promise, a mechanism or a curve", value=promise, way_out=way_out)
    return promise.curve(neighbours)


def _inputs(called: Signature, *args: object, **kwargs: object) -> dict[str, Any]:
    """The arguments of a call by name, defaults included; a finding makes plain trees of them."""
    bound = called.bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.arguments


def _with_kernel(report: Callable[..., object], kernel: Callable[..., object], called: Signature) -> object:
    """The reporting function, with its kernel and with a signature that tells that it returns a finding."""
    report.__annotations__ = {**kernel.__annotations__, "return": Finding}
    report.__signature__ = called.replace(return_annotation=Finding)  # type: ignore[attr-defined]
    report.kernel = kernel  # type: ignore[attr-defined]
    return report
