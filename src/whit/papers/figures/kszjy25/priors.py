"""Figures 1, 6 and 7: one release, against the failure and against the prior.

What is added is mostly one thing: a promise of (epsilon, delta) allows more than any noise that keeps it, so whoever
knows the noise can promise more.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from whit.curves import Promise, largest_loss
from whit.guarantees import ApproxDP
from whit.guarantees.conversions import one_sided_epsilon, two_sided_epsilon
from whit.mechanisms import Gaussian
from whit.policy import recommend
from whit.semantics.membership import difference, ratio, worst_prior
from whit.telling.plots import Axis, Mark, Panel, Picture, panels
from whit.theory import Finding

Array = NDArray[np.float64]
Change = Callable[..., Finding]

FIRST = ApproxDP(1.0, 1e-6)
CAPTION, CAPTION_FAILURE = ApproxDP(1.8, 1e-5), 0.05
TEXT, TEXT_FAILURE = ApproxDP(2.0, 1e-6), 0.01

PRINTED = "as the paper has it"
ADDED = "what whit adds"
ANY, KNOWN = "any release", "Gaussian noise, known"


def figure_1() -> Picture:
    """The bound on the loss against its failure."""
    failures = np.concatenate([np.geomspace(1.05e-6, 1.9e-6, 12), np.geomspace(2e-6, 1.0, 115)])
    failures = np.union1d(failures, [1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.1])
    stated = (FIRST.stated_epsilon, FIRST.stated_delta)
    both = (failures, two_sided_epsilon(*stated, failures))
    one = (failures, one_sided_epsilon(*stated, failures))
    known = (failures, largest_loss(_noise(FIRST), failures, sides=2))
    x, y = Axis("failure delta'", 1e-7, 1.0, log=True), Axis("loss epsilon'", 0.0, 3.0)
    dashed = {"epsilon": ([1e-7, 1.0], [1.0, 1.0]), "delta": ([1e-6, 1e-6], [0.0, 3.0])}
    shown = [
        Panel(PRINTED, x, y, {ANY: both, **dashed}),
        Panel(ADDED, x, y, {ANY: both, "any release, one side": one, KNOWN: known}),
    ]
    caption = (
        "A release with epsilon 1 and delta 1e-6: the loss stays within epsilon' on both sides, but for a chance of"
        " delta'. Right: on one side only, and for the Gaussian noise that just keeps the promise."
    )
    return panels(shown, title="KSZJY25 Figure 1: the loss and the chance that it is larger", caption=caption)


def figure_6() -> Picture:
    """The ratio of posterior and prior against the prior."""
    priors, name = _priors(), "larger of the two"
    x, y = Axis("prior of presence", 0.0, 1.0, percent=True), Axis("posterior over prior", 1.0, 10.0, log=True)
    upper = (priors, _larger(ratio, CAPTION, CAPTION_FAILURE, priors))
    known = (priors, _larger(ratio, _noise(CAPTION), CAPTION_FAILURE, priors))
    sides = {
        "presence": (priors, _upper(ratio, CAPTION, CAPTION_FAILURE, priors)),
        "absence": (priors, _upper(ratio, CAPTION, CAPTION_FAILURE, 1 - priors)),
    }
    shown = [Panel(PRINTED, x, y, {name: upper}), Panel(ADDED, x, y, {name: upper, **sides, KNOWN: known})]
    caption = (
        "The largest ratio for presence or absence, whichever is larger, under epsilon 1.8 and delta 1e-5, but for a"
        " chance of 5 %. Right: each by itself. The probability of presence is multiplied most where the prior is near"
        " 0; the text has near 1 (erratum 000.10)."
    )
    return panels(shown, title="KSZJY25 Figure 6: the ratio at each prior", caption=caption)


def figure_7() -> Picture:
    """The difference of posterior and prior against the prior."""
    priors, name = _priors(), "epsilon 1.8, 95 %"
    x = Axis("prior of presence", 0.0, 1.0, percent=True)
    y = Axis("posterior less prior", 0.0, 0.5, percent=True)
    upper = (priors, _larger(difference, CAPTION, CAPTION_FAILURE, priors))
    text = (priors, _larger(difference, TEXT, TEXT_FAILURE, priors))
    known = (priors, _larger(difference, _noise(CAPTION), CAPTION_FAILURE, priors))
    shown = [
        Panel(PRINTED, x, y, {name: upper}, _worst(CAPTION, CAPTION_FAILURE)),
        Panel(ADDED, x, y, {name: upper, "epsilon 2, 99 %": text, KNOWN: known}, _worst(TEXT, TEXT_FAILURE)),
    ]
    caption = (
        "The largest difference for presence or absence, whichever is larger, with the worst priors marked. Left: the"
        " caption's epsilon 1.8, delta 1e-5, 95 %. Right: also the text's epsilon 2, delta 1e-6, 99 %, to which its"
        " 0.27, 0.73 and 0.46 belong (erratum 000.9), and the Gaussian noise that just keeps the caption's promise."
    )
    return panels(shown, title="KSZJY25 Figure 7: the difference at each prior", caption=caption)


def _priors() -> Array:
    """Every hundredth, and closer at the ends."""
    ends = np.array([0.001, 0.0025, 0.005])
    return np.concatenate([ends, np.arange(1, 100) / 100, 1 - ends[::-1]])


def _noise(promise: ApproxDP) -> Gaussian:
    """The Gaussian noise that just keeps a promise."""
    return Gaussian(float(recommend(promise, Gaussian).parameter))


def _upper(change: Change, promised: Promise, failure: float, priors: Array) -> Array:
    return np.asarray(change(promised, priors, failure=failure, sides=2).value)


def _larger(change: Change, promised: Promise, failure: float, priors: Array) -> Array:
    """The larger of the bounds for presence and for absence."""
    both = (_upper(change, promised, failure, each) for each in (priors, 1 - priors))
    return np.maximum(*both)


def _worst(promise: ApproxDP, failure: float) -> list[Mark]:
    """The two priors at which the difference is largest."""
    worst = worst_prior(promise, failure=failure, sides=2).difference
    places = [float(worst.when_true), float(worst.when_false)]
    heights = _larger(difference, promise, failure, np.array(places))
    return [Mark(f"{at:.2f}", at, float(height)) for at, height in zip(places, heights, strict=True)]
