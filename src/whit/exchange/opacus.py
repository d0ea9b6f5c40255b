"""Accountants of Opacus: what was trained, phase by phase, as noise on Poisson samples.

An accountant has a history of (noise multiplier, sample rate, steps). Its `state_dict()` has the same, and
`json.dump(engine.accountant.state_dict(), file)` keeps it without anything that could run code. Which kind of
accountant it is does not matter: the history is what was run, and whit composes it itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whit.errors import InvalidInput
from whit.exchange.learned import NORM, Learned, OpenPoint, chosen_on_the_way, field_of, number_of, whole_of
from whit.mechanisms import Gaussian, Mechanism, PoissonSubsampled, compose


def from_opacus(accountant: object) -> Learned:
    """What an accountant has counted.

    accountant   an accountant, its `state_dict()`, or its history

    >>> print(from_opacus([(1.0, 0.01, 1000)]).promise.epsilon(1e-5))
    epsilon is 1.83 (rounded up)
    """
    history = _history(accountant)
    if not history:
        raise InvalidInput("history", "must have a phase", "no phase", "Train before the accountant is read.")
    phases = [_phase(entry, f"history[{place}]") for place, entry in enumerate(history)]
    promise = phases[0] if len(phases) == 1 else compose(*phases)
    source = "riskcal accountant" if _mechanism(accountant) == "ctd" else "Opacus accountant"
    settings = {tuple(entry[:2]) for entry in history}  # type: ignore[index]
    points = (OpenPoint.UNIT, OpenPoint.NORM, OpenPoint.SAMPLING, *chosen_on_the_way(settings))
    return Learned(promise, source, points)


def is_opacus(value: object) -> bool:
    """Whether something looks like an accountant, or like its state."""
    if isinstance(value, Mapping):
        return "history" in value and "mechanism" in value
    return hasattr(value, "history") and hasattr(value, "mechanism")


def _mechanism(accountant: Any) -> object:
    """The word for the kind of accountant; riskcal has one that Opacus can use."""
    if isinstance(accountant, Mapping):
        return accountant.get("mechanism")
    return accountant.mechanism() if callable(getattr(accountant, "mechanism", None)) else None


def _history(accountant: object) -> Sequence[object]:
    if isinstance(accountant, Mapping):
        accountant = field_of(accountant, "history", "state")
    found = getattr(accountant, "history", accountant)
    if not isinstance(found, Sequence) or isinstance(found, str):
        way_out = "Pass an accountant, its state_dict(), or a list such as [(1.1, 0.01, 1000)]."
        raise InvalidInput("history", "must be a list of phases", found, way_out)
    return found


def _phase(entry: object, path: str) -> Mechanism:
    if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != 3:
        raise InvalidInput(path, "must be (noise multiplier, sample rate, steps)", entry, "Use (1.1, 0.01, 1000).")
    sigma, rate = (number_of(entry[place], f"{path}[{place}]") for place in (0, 1))
    noise = Gaussian(sigma, sensitivity=NORM)
    sampled = noise if rate == 1 else PoissonSubsampled(noise, rate)
    return sampled.times(whole_of(entry[2], f"{path}[2]"))
