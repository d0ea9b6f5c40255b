"""Accountants of PipelineDP: what they have given to each mechanism, or the whole where that is not settled.

An accountant shares (epsilon, delta) out when `compute_budgets` is called. From then on each of its `mechanism_specs`
has its own share, and whit composes the shares. Before that, and where noise is shared out instead, the whole counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from whit.exchange.dp_events import together
from whit.exchange.learned import Learned, OpenPoint, field_of, list_of, stated_pair, whole_of
from whit.guarantees import Guarantee


def from_pipeline_dp(accountant: Any) -> Learned:
    """What an accountant of PipelineDP has shared out.

    accountant   a NaiveBudgetAccountant or another one, or its tree with `total_epsilon`, `total_delta` and perhaps
                 `mechanism_specs`, a list of {"eps": 0.5, "delta": 0, "count": 1}

    >>> print(from_pipeline_dp({"total_epsilon": 1.0, "total_delta": 1e-6}).promise)
    ApproxDP(epsilon=1.0, delta=1e-06)
    """
    tree = accountant if isinstance(accountant, Mapping) else _tree(accountant)
    specs = list_of(tree.get("mechanism_specs", []), "mechanism_specs")
    parts: Counter[Any] = Counter()
    for place, spec in enumerate(specs):
        share, count = _share(spec, f"mechanism_specs[{place}]")
        parts[share] += count
    epsilon, delta = (field_of(tree, name, "accountant") for name in ("total_epsilon", "total_delta"))
    whole = stated_pair(epsilon, delta, "accountant.total_epsilon", "accountant.total_delta")
    points = (OpenPoint.UNIT, OpenPoint.NORM, *(() if parts else (OpenPoint.MOST,)))
    return Learned(together(parts) if parts else whole, "PipelineDP accountant", points)


def is_pipeline_dp(value: object) -> bool:
    """Whether something is an accountant of PipelineDP, or its tree."""
    if isinstance(value, Mapping):
        return "total_epsilon" in value
    return hasattr(value, "total_epsilon") and hasattr(value, "mechanism_specs")


def _tree(accountant: Any) -> Mapping[str, Any]:
    """The numbers of a live accountant; the shares only if every mechanism has its own."""
    whole = {"total_epsilon": accountant.total_epsilon, "total_delta": accountant.total_delta}
    specs = accountant.mechanism_specs
    if not specs or not accountant.finalized or any(each.standard_deviation_is_set for each in specs):
        return whole
    return {**whole, "mechanism_specs": [{"eps": one.eps, "delta": one.delta, "count": one.count} for one in specs]}


def _share(spec: object, path: str) -> tuple[Guarantee, int]:
    epsilon, delta = field_of(spec, "eps", path), field_of(spec, "delta", path)
    count = spec.get("count", 1) if isinstance(spec, Mapping) else 1
    return stated_pair(epsilon, delta, f"{path}.eps", f"{path}.delta"), whole_of(count, f"{path}.count")
