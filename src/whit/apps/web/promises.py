"""The promise of a form: its kind, its parameter and a delta; the one place where pages read them."""

from __future__ import annotations

from collections.abc import Mapping

from whit.errors import Incompatible, unknown_name

KINDS = {
    "epsilon": "Pure differential privacy: epsilon",
    "epsilon-delta": "Approximate differential privacy: epsilon and delta",
    "rho": "Zero-concentrated differential privacy: rho",
    "mu": "Gaussian differential privacy: mu",
    "gaussian": "Gaussian noise: standard deviation",
    "discrete-gaussian": "Discrete Gaussian noise: sigma",
    "laplace": "Laplace noise: scale",
    "geometric": "Geometric noise: epsilon for a count",
}
"""The kinds of promise, with what their parameter is."""

PARAMETER = "its parameter"
"""What errors call the field of the parameter, whatever the kind."""

_PURE = "epsilon"
_APPROXIMATE = "epsilon-delta"
_NOTHING = "nothing"  # what an empty field is called where it must not be empty


def word_of(kind: str) -> str:
    """The word of a kind in the grammar of promises."""
    if kind not in KINDS:
        raise unknown_name("kind", kind, KINDS, parameter="kind")
    return kind.removesuffix("-delta").replace("-", "_")


def promise_of(asked: Mapping[str, str]) -> dict[str, str]:
    """The words of the promise in the fields of a form, as they were written.

    A delta that was filled in is among them whatever the kind: the grammar refuses one that would count for nothing.

    >>> promise_of({"kind": "gaussian", "parameter": "2", "delta": "1e-6"})
    {'gaussian': '2', 'delta': '1e-6'}
    """
    kind, delta = asked["kind"] or _PURE, asked["delta"]
    promise = {word_of(kind): asked["parameter"] or _NOTHING}
    if kind == _PURE and delta:
        way_out = f'Leave it out, or choose "{KINDS[_APPROXIMATE]}".'
        raise Incompatible("delta", "must be empty for pure differential privacy", delta, way_out)
    if kind == _APPROXIMATE or delta:
        promise["delta"] = delta or _NOTHING
    return promise
