"""A promise from its parameters, wherever they were written: options, one text, or a file."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

# Each kind of promise and of noise is loaded when it is named: a command names one of them.
from whit import guarantees, mechanisms, setting
from whit.apps.cli.written import Given, number, require_known, shown, whole
from whit.assessment import in_each, promise_name
from whit.errors import Incompatible, InvalidInput
from whit.guarantees import Guarantee
from whit.numerics import down
from whit.setting import Neighbours

NEIGHBOURS = {
    "add-remove": Neighbours.ADD_REMOVE,
    "replace": Neighbours.REPLACE,
    "local": Neighbours.LOCAL,
}
"""The relations between datasets by their words."""

_ADDED: dict[str, Callable[[float, setting.Sensitivity], mechanisms.Mechanism]] = {
    "gaussian": lambda x, s: mechanisms.Gaussian(x, sensitivity=s),
    "laplace": lambda x, s: mechanisms.Laplace(x, sensitivity=s),
    "geometric": lambda x, s: mechanisms.Geometric(x, sensitivity=s),
    "discrete_gaussian": lambda x, s: mechanisms.DiscreteGaussian(x, sensitivity=s),
}
_GUARANTEES = ("epsilon", "rho", "mu")
_MECHANISMS = (*_ADDED, "randomized_response")
STATED_BY = (*_GUARANTEES, *_MECHANISMS)
"""The parameters of which a promise has exactly one."""

PARAMETERS = (*STATED_BY, "delta", "noise", "sampling_rate", "sensitivity", "neighbours", "times")
"""All parameters of a promise."""

# The noise that keeps a promise with equality, by the parameter that it is known by.
NOISES: dict[str, dict[str, Callable[[float], mechanisms.Mechanism]]] = {
    "gaussian": {
        "rho": lambda rho: mechanisms.Gaussian(_sigma(math.sqrt(2.0 * rho))),
        "mu": lambda mu: mechanisms.Gaussian(_sigma(mu)),
    },
    "laplace": {"epsilon": lambda epsilon: mechanisms.Laplace(_sigma(epsilon))},
    "geometric": {"epsilon": lambda epsilon: mechanisms.Geometric(epsilon=epsilon)},
    "randomized-response": {"epsilon": lambda epsilon: mechanisms.RandomizedResponse(epsilon=epsilon)},
}
"""The noises that a promise may be said to be kept by."""

_WHAT = "the promise"
_ONE = "Give one of them; whit compare puts several promises beside each other."
_WITH_EPSILON = "Give both, such as --epsilon 1 --delta 1e-6."
_NONE = "Give one, such as --epsilon 1, --rho 0.1, --gaussian 2 or --from FILE."


@dataclass(frozen=True)
class Stated:
    """A promise as it was stated.

    Attributes:
        one: one release.
        times: how many such releases there are.
        neighbours: the relation that was named; empty if none was.
        name: what it is called beside others.
    """

    one: Guarantee | mechanisms.Mechanism
    times: int
    neighbours: tuple[Neighbours, ...]
    name: str

    @property
    def promised(self) -> Guarantee | mechanisms.Mechanism:
        """All releases together."""
        return self.one if self.times == 1 else self.one.times(self.times)

    @property
    def words(self) -> str:
        """The promise in a few words."""
        related = [] if self.relation is None else [f"neighbours {shown(self.relation.name.lower())}"]
        return ", ".join([in_each(promise_name(self.one), self.times), *related])

    @property
    def relation(self) -> Neighbours | None:
        """The relation to ask a mechanism about; a guarantee was stated under its own."""
        return self.neighbours[0] if self.neighbours and isinstance(self.one, mechanisms.Mechanism) else None


def stated(given: Given, name: str = "") -> Stated:
    """The promise of these parameters.

    >>> stated({"epsilon": "1", "delta": "1e-6"}).promised
    ApproxDP(epsilon=1.0, delta=1e-06)
    >>> stated({"rho": 0.01, "times": 7}).promised
    ZeroConcentratedDP(rho=0.07)
    """
    require_known(_WHAT, given, PARAMETERS)
    by = _only(given)
    relation = _relation(given)
    one = _guarantee(by, given, relation) if _is_guarantee(by, given) else _mechanism(by, given)
    return Stated(one, whole("times", given.get("times", 1)), relation, name or said(given))


def said(given: Given) -> str:
    """The parameters as one text."""
    return ", ".join(f"{shown(name)}={value}" for name, value in given.items())


def _only(given: Given) -> str:
    """The one parameter that the promise is stated by."""
    found = [name for name in STATED_BY if name in given]
    if len(found) == 1:
        return found[0]
    listed = " and ".join(map(shown, found))
    if not found and "delta" in given:
        raise Incompatible("delta", "goes with epsilon", f"{given['delta']} alone", _WITH_EPSILON)
    if not found:
        raise InvalidInput(_WHAT, "must be stated", listed or said(given) or "nothing", _NONE)
    raise Incompatible(_WHAT, "must be stated once", listed, _ONE)


def _relation(given: Given) -> tuple[Neighbours, ...]:
    if "neighbours" not in given:
        return ()
    word = str(given["neighbours"]).lower().replace("_", "-")
    if word not in NEIGHBOURS:
        raise InvalidInput("neighbours", "must be one of the words for it", word, f"Use {', '.join(NEIGHBOURS)}.")
    return (NEIGHBOURS[word],)


def _is_guarantee(by: str, given: Given) -> bool:
    return by in _GUARANTEES and "noise" not in given


def _guarantee(by: str, given: Given, relation: tuple[Neighbours, ...]) -> Guarantee:
    """A promise by its parameters alone."""
    for name in ("sampling_rate", "sensitivity"):
        if name in given:
            rule = f"goes with noise, and not with {by}"
            raise Incompatible(shown(name), rule, given[name], f"Leave it out: {by} has it in it already.")
    value, neighbours = number(by, given[by]), relation[0] if relation else Neighbours.ADD_REMOVE
    if by == "epsilon" and "delta" in given:
        return guarantees.ApproxDP(value, number("delta", given["delta"]), neighbours=neighbours)
    _no_delta(by, given)
    if by == "epsilon":
        return guarantees.PureDP(value, neighbours=neighbours)
    if by == "rho":
        return guarantees.ZeroConcentratedDP(value, neighbours=neighbours)
    return guarantees.GaussianDP(value, neighbours=neighbours)


def _mechanism(by: str, given: Given) -> mechanisms.Mechanism:
    """A promise by its noise."""
    _no_delta("noise", given)
    if "noise" in given:
        noise = _noise_of(by, given)
    elif by == "randomized_response":
        _no_sensitivity(by, given)
        noise = mechanisms.RandomizedResponse(number(by, given[by]))
    else:
        noise = _ADDED[by](number(by, given[by]), _sensitivity(given))
    if "sampling_rate" not in given:
        return noise
    return mechanisms.PoissonSubsampled(noise, number("sampling_rate", given["sampling_rate"]))


def _noise_of(by: str, given: Given) -> mechanisms.Mechanism:
    """The noise with which a promise is kept exactly."""
    word = shown(str(given["noise"]).lower())
    _no_sensitivity(by, given)
    if word not in NOISES:
        raise InvalidInput("noise", "must be one of the words for it", word, f"Use {', '.join(NOISES)}.")
    if by not in NOISES[word]:
        goes = " or ".join(NOISES[word])
        raise Incompatible(f"noise={word}", f"goes with {goes}", shown(by), "Name the noise that the promise is about.")
    value = number(by, given[by])
    if value <= 0.0:
        raise InvalidInput(by, "must be above 0 where the noise is named", value, "Use a number such as 1.")
    return NOISES[word][by](value)


def _sigma(inverse: float) -> float:
    """The spread whose inverse this is, rounded down twice: too little noise is on the safe side."""
    return float(down(1.0 / inverse, 2))


def _no_delta(by: str, given: Given) -> None:
    if "delta" in given:
        raise Incompatible("delta", f"goes with epsilon, and not with {by}", given["delta"], "Leave it out.")


def _no_sensitivity(by: str, given: Given) -> None:
    if "sensitivity" in given:
        raise Incompatible("sensitivity", f"does not go with {shown(by)}", given["sensitivity"], "Leave it out.")


def _sensitivity(given: Given) -> setting.Sensitivity:
    return sensitivity(given["sensitivity"]) if "sensitivity" in given else setting.Sensitivity.count()


def sensitivity(value: object) -> setting.Sensitivity:
    """count, histogram, one number for every change, or two: for adding or removing, and for replacing.

    >>> sensitivity("1:2")
    Sensitivity(add_remove=1.0, replace=2.0)
    """
    words = {"count": setting.Sensitivity.count, "histogram": setting.Sensitivity.histogram}
    if isinstance(value, str) and value in words:
        return words[value]()
    if isinstance(value, dict):
        return setting.Sensitivity(**value)
    ends = value.split(":") if isinstance(value, str) else value if isinstance(value, list) else [value]
    if len(ends) not in (1, 2) or not all(map(_is_number, ends)):
        way_out = "Use count, histogram, one number, or ADD:REPLACE such as 1:2."
        raise InvalidInput("sensitivity", "must be a word, a number or two numbers", repr(value), way_out)
    changes = [number("sensitivity", end) for end in ends]
    return setting.Sensitivity(add_remove=changes[0], replace=changes[-1])


def _is_number(value: object) -> bool:
    try:
        number("sensitivity", value)
    except InvalidInput:
        return False
    return True
