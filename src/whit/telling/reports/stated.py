"""The table [promise]: what is promised of each release, and how many releases there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from whit.assessment import in_each, promise_name
from whit.errors import InvalidInput
from whit.guarantees import ApproxDP, GaussianDP, Guarantee, PureDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, Mechanism, RandomizedResponse
from whit.numerics import count
from whit.setting import Neighbours, Sensitivity
from whit.telling.reports.entries import Entry

NEIGHBOURS = {each.name.lower(): each for each in Neighbours}

_NOISE: dict[str, type[Mechanism]] = {
    "gaussian": Gaussian,
    "discrete_gaussian": DiscreteGaussian,
    "laplace": Laplace,
    "geometric": Geometric,
}
_GUARANTEES: dict[frozenset[str], type[Guarantee]] = {
    frozenset({"epsilon"}): PureDP,
    frozenset({"epsilon", "delta"}): ApproxDP,
    frozenset({"rho"}): ZeroConcentratedDP,
    frozenset({"mu"}): GaussianDP,
}
_PARAMETERS = ("epsilon", "delta", "rho", "mu", *_NOISE, "randomized_response")
KEYS = (*_PARAMETERS, "neighbours", "sensitivity", "add_remove", "replace", "releases")

_SENSITIVITIES = {"count": Sensitivity.count(), "histogram": Sensitivity.histogram()}
_ONE = "Give epsilon, epsilon and delta, rho, mu, or one of gaussian, discrete_gaussian, laplace, geometric."
_RELEASES = "Use the number of releases about the same people, such as 12."


@dataclass(frozen=True)
class Stated:
    """What is promised of one release, and how often.

    Attributes:
        one: a single release.
        releases: how many there are about the same people.
        parameter: the number that tells more or less noise, as the file has it.
        options: what else a search among such releases must be told.
    """

    one: Guarantee | Mechanism
    releases: int
    parameter: float
    options: Mapping[str, Any]

    @property
    def words(self) -> str:
        """The promise in a few words."""
        return in_each(promise_name(self.one), self.releases)

    @property
    def together(self) -> Guarantee | Mechanism:
        """All releases."""
        return self.one if self.releases == 1 else self.one.times(self.releases)

    @property
    def neighbours(self) -> Neighbours:
        """The relation between datasets that the promise is about."""
        return self.one.neighbours if isinstance(self.one, Guarantee) else self.one.relation(self.options["neighbours"])


def stated(entry: Entry) -> Stated:
    """The promise of a table."""
    entry.only(KEYS)
    names = tuple(name for name in _PARAMETERS if name in entry)
    relation = entry.one_of("neighbours", {**NEIGHBOURS, "": None}, "")
    with entry.named():
        releases = count("releases", entry.values.get("releases", 1), _RELEASES)
        one, parameter, options = _one(entry, names, relation)
    return Stated(one, releases, parameter, MappingProxyType(options))


def _one(
    entry: Entry, names: tuple[str, ...], relation: Neighbours | None
) -> tuple[Guarantee | Mechanism, float, dict[str, Any]]:
    """One release, its parameter, and the options of its family."""
    if frozenset(names) in _GUARANTEES:
        _without_sensitivity(entry)
        related = {} if relation is None else {"neighbours": relation}
        numbers = {name: entry.values[name] for name in names}
        extra = {"delta": numbers["delta"]} if "delta" in numbers else {}
        return _GUARANTEES[frozenset(names)](**numbers, **related), numbers[names[0]], {**extra, **related}
    if len(names) != 1 or names[0] == "delta":
        found = ", ".join(names) or "nothing"
        raise InvalidInput(entry.place(names[-1] if names else ""), "must state one promise", found, _ONE)
    number = entry.values[names[0]]
    if names[0] == "randomized_response":
        _without_sensitivity(entry)
        return RandomizedResponse(number), number, {"neighbours": relation}
    sensitivity = _sensitivity(entry)
    noise: Any = _NOISE[names[0]]
    return noise(number, sensitivity=sensitivity), number, {"sensitivity": sensitivity, "neighbours": relation}


def _sensitivity(entry: Entry) -> Sensitivity:
    """That of one count, of a histogram, or as it is given for both relations."""
    given = [key for key in ("add_remove", "replace") if key in entry]
    if len(given) == 2 and "sensitivity" not in entry:
        return Sensitivity(add_remove=entry.values["add_remove"], replace=entry.values["replace"])
    if given:
        rule = "must come with the other of add_remove and replace, and without sensitivity"
        way_out = 'Write add_remove = 1 and replace = [1, 1], or sensitivity = "histogram".'
        raise InvalidInput(entry.place(given[0]), rule, ", ".join(given), way_out)
    found: Sensitivity = entry.one_of("sensitivity", _SENSITIVITIES, "count")
    return found


def _without_sensitivity(entry: Entry) -> None:
    for key in ("sensitivity", "add_remove", "replace"):
        if key in entry:
            rule = "is for noise, since a guarantee does not depend on it"
            raise InvalidInput(entry.place(key), rule, entry.values[key], f"Leave {key} out, or state the noise.")
