"""Which family a class stands for, with the options that it has."""

from __future__ import annotations

from typing import Any

from whit import guarantees, mechanisms
from whit.errors import Incompatible, InvalidInput
from whit.guarantees import Guarantee
from whit.mechanisms import AdditiveNoise, Mechanism, PoissonSubsampled, arguments, parameter_of
from whit.numerics import count, few, open_probability, probability
from whit.policy.families import (
    TO_TOTAL,
    Family,
    MechanismFamily,
    NoiseFamily,
    PromiseFamily,
    Rule,
    SampledFamily,
)
from whit.policy.like_family import LikeFamily
from whit.setting import Neighbours, Sensitivity

_RELEASES = "Use the number of releases about the same people, such as 12."
_CHANGE = "Use Sensitivity.histogram(), or Sensitivity(add_remove=3, replace=6)."
_DELTA = "Use the delta of each release, such as 1e-6."
_TOTAL = "Use the delta that all releases together may have, such as 1e-6."
_RATE = "Use the probability that a record is sampled, such as 0.01."
_RECORDS = "Use how many records one person has at most, each sampled by itself, such as 3."
_NO_RULE = "Leave out rule and total_delta, or choose a family of promises by epsilon."


def family_of(
    kind: object,
    *,
    releases: int,
    delta: float | None,
    neighbours: Neighbours | None,
    sensitivity: Sensitivity | None,
    rule: Rule,
    total_delta: float | None,
    sampling_rate: float | None = None,
    records: int | None = None,
) -> Family:
    """The family of a class such as PureDP or Gaussian, or of releases like one that is given.

    Options that it does not have are refused.
    """
    k = few("releases", releases, _RELEASES)
    given = {"delta": delta, "sensitivity": sensitivity, "total_delta": total_delta}
    given |= {"sampling_rate": sampling_rate, "records": records}
    noise = isinstance(kind, Mechanism) or (isinstance(kind, type) and issubclass(kind, Mechanism))
    if noise and rule is not Rule.OWN:
        raise Incompatible("rule", "is for promises; mechanisms compose by their losses", rule, _NO_RULE)
    if isinstance(kind, Mechanism):
        _refuse(type(kind), given, allowed=())
        return _like(kind, k)
    if not isinstance(kind, type) or (noise and kind not in mechanisms.kinds()):
        raise _no_family(kind)
    if issubclass(kind, AdditiveNoise):
        _refuse(kind, given, allowed=("sensitivity", "sampling_rate", "records"))
        change: object = Sensitivity.count() if sensitivity is None else sensitivity
        if not isinstance(change, Sensitivity):
            raise InvalidInput("sensitivity", "must be a Sensitivity", sensitivity, _CHANGE)
        if sampling_rate is None:
            _refuse(kind, {"records": records}, allowed=())
            return NoiseFamily(k, kind, change)
        each = 1 if records is None else count("records", records, _RECORDS)
        return SampledFamily(k, kind, change, probability("sampling_rate", sampling_rate, _RATE), each)
    if issubclass(kind, Mechanism):
        _refuse(kind, given, allowed=())
        return MechanismFamily(k, kind)
    if not issubclass(kind, Guarantee) or kind not in guarantees.kinds():
        raise _no_family(kind)
    _refuse(kind, given, allowed=(*kind.parameter.beside, "total_delta"))
    fixed: dict[str, Any] = {"neighbours": Neighbours.ADD_REMOVE if neighbours is None else neighbours}
    if "delta" in kind.parameter.beside:
        fixed["delta"] = probability("delta", delta, _DELTA)
    return PromiseFamily(k, kind, tuple(fixed.items()), _rule(kind, rule), _total(rule, total_delta))


def _like(example: Mechanism, releases: int) -> Family:
    """Releases like one that is given: of plain noise, the family of its class, which knows a quicker search."""
    parameter = parameter_of(example)
    sample = example if isinstance(example, PoissonSubsampled) else None
    one = example if sample is None else sample.mechanism
    if isinstance(one, AdditiveNoise):
        plain = NoiseFamily(releases, type(one), one.sensitivity)
        family = plain
        if sample is not None:
            family = SampledFamily(releases, type(one), one.sensitivity, sample.rate, sample.records)
        if family.one(arguments(one)[parameter.name]) == example:
            return family
    return LikeFamily(releases, example)


def _no_family(kind: object) -> InvalidInput:
    names = ", ".join(each.__name__ for each in (*guarantees.kinds(), *mechanisms.kinds()))
    way_out = f"Use one of {names}, or a release like those planned, such as TreeAggregation(1.0, 1600)."
    return InvalidInput("family", "must be a class for which a parameter can be found", kind, way_out)


def _rule(kind: type[Guarantee], rule: object) -> Rule:
    """The rule, if promises of this kind compose by it."""
    if not isinstance(rule, Rule):
        raise InvalidInput("rule", "must be one of Rule", rule, f"Use one of {list(Rule)}.")
    if rule in TO_TOTAL and kind.parameter.name != "epsilon":
        raise Incompatible("rule", "is for epsilon and delta", rule, _NO_RULE)
    return rule


def _total(rule: Rule, total_delta: float | None) -> float:
    """The total delta, which is there if the rule needs one."""
    if rule in TO_TOTAL:
        return open_probability("total_delta", total_delta, _TOTAL)
    if total_delta is not None:
        unused = f"has no use with the rule {rule.name.lower()}"
        raise Incompatible("total_delta", unused, total_delta, "Use it with the rule optimal.")
    return 0.0


def _refuse(kind: object, given: dict[str, Any], *, allowed: tuple[str, ...]) -> None:
    """Refuse options that a family does not have."""
    for name, value in given.items():
        if value is not None and name not in allowed:
            shown = getattr(kind, "__name__", kind)
            raise Incompatible(name, f"is no option of the family {shown}", value, f"Leave out {name}.")
