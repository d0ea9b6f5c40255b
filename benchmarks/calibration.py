"""The sigma of training with noisy gradients, from each tool: its value, its error and its time, one row a question.

Run `python -m benchmarks.calibration` with the tools installed; those that are missing have no row. The error is that
of the sigma, by a referee with no code in common: what is above the smallest safe one costs accuracy, what is below it
breaks the promise.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable

from benchmarks import grid_referee
from whit.guarantees import ApproxDP
from whit.mechanisms import Gaussian
from whit.policy import limits, recommend

RATE, STEPS, EPSILON, DELTA = 0.01, 1000, 1.0, 1e-6
LEVEL, POWER = 0.05, 0.1
PRIOR, POSTERIOR, FAILURE = 0.1, 0.3, 0.01
# More than this much time for one of ours fails the run.
MOST_SECONDS = 5.0


def whit_promise() -> float:
    """For epsilon and delta."""
    return float(recommend(ApproxDP(EPSILON, DELTA), Gaussian, sampling_rate=RATE, releases=STEPS).parameter)


def whit_power() -> float:
    """For the power of a test at a level."""
    return float(recommend(limits.power(POWER, level=LEVEL), Gaussian, sampling_rate=RATE, releases=STEPS).parameter)


def whit_posterior() -> float:
    """For a posterior, but for a chance of failure."""
    limit = limits.posterior(POSTERIOR, prior=PRIOR)
    return float(recommend(limit, Gaussian, sampling_rate=RATE, releases=STEPS, failure=FAILURE).parameter)


def dp_accounting_promise() -> float:
    """By bisection over pessimistic privacy loss distributions."""
    accounting, pld = importlib.import_module("dp_accounting"), importlib.import_module("dp_accounting.pld")

    def event(sigma: float) -> object:
        step = accounting.PoissonSampledDpEvent(RATE, accounting.GaussianDpEvent(sigma))
        return accounting.SelfComposedDpEvent(step, STEPS)

    bracket = accounting.LowerEndpointAndGuess(0.3, 1.5)
    sigma = accounting.calibrate_dp_mechanism(
        pld.PLDAccountant, event, EPSILON, DELTA, bracket_interval=bracket, tol=1e-5
    )
    return float(sigma)


def prv_promise() -> float:
    """By bisection over the upper end of the epsilon that prv-accountant states."""
    prv = importlib.import_module("prv_accountant")

    def above(sigma: float) -> bool:
        one = prv.PoissonSubsampledGaussianMechanism(noise_multiplier=sigma, sampling_probability=RATE)
        accountant = prv.PRVAccountant(prvs=one, max_self_compositions=STEPS, eps_error=0.01, delta_error=DELTA / 1e3)
        return bool(accountant.compute_epsilon(delta=DELTA, num_self_compositions=STEPS)[2] > EPSILON)

    return _bisected(above)


def riskcal_power() -> float:
    """By bisection over riskcal's power, which interpolates a pessimistic distribution."""
    pld = importlib.import_module("dp_accounting.pld.privacy_loss_distribution")
    analysis = importlib.import_module("riskcal.analysis")

    def above(sigma: float) -> bool:
        one = pld.from_gaussian_mechanism(sigma, sampling_prob=RATE, value_discretization_interval=1e-4)
        beta = analysis.get_beta_from_pld(one.self_compose(STEPS), LEVEL)
        return bool(1.0 - float(beta) > POWER)

    return _bisected(above)


def _bisected(above: Callable[[float], bool], low: float = 0.5, high: float = 4.0) -> float:
    while high - low > 1e-5 * low:
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) else (low, middle)
    return high


def error_of(sigma: float, *, power: bool) -> float:
    """By which share a sigma is above the smallest safe one, by the referee; negative where it is not safe."""
    wanted = POWER if power else DELTA
    found, slope = _asked(sigma, power=power) / wanted, _slope(sigma, power=power)
    return (found - 1.0) / slope


def _asked(sigma: float, *, power: bool) -> float:
    ask, point = (grid_referee.power, LEVEL) if power else (grid_referee.delta, EPSILON)
    return ask(sigma, RATE, STEPS, point)


def _slope(sigma: float, *, power: bool) -> float:
    """The relative change of the answer for a relative change of sigma."""
    return (_asked(sigma * 1.001, power=power) / _asked(sigma, power=power) - 1.0) / 0.001


ROWS: list[tuple[str, str, Callable[[], float], bool]] = [
    ("epsilon 1, delta 1e-6", "whit", whit_promise, False),
    ("epsilon 1, delta 1e-6", "dp-accounting", dp_accounting_promise, False),
    ("epsilon 1, delta 1e-6", "prv-accountant", prv_promise, False),
    ("power 10 % at 5 %", "whit", whit_power, True),
    ("power 10 % at 5 %", "riskcal", riskcal_power, True),
]


def main() -> int:
    """Print the rows; 1 where one of ours is unsafe or slow."""
    print(f"sigma for {STEPS} steps at rate {RATE}")
    print(f"{'wanted':24}{'tool':16}{'sigma':>10}{'above the smallest':>20}{'seconds':>9}")
    status = 0
    for wanted, tool, ask, power in ROWS:
        try:
            start = time.process_time()
            sigma = ask()
            seconds = time.process_time() - start
        except ModuleNotFoundError:
            continue
        error = error_of(sigma, power=power)
        print(f"{wanted:24}{tool:16}{sigma:10.6f}{error:20.1e}{seconds:9.2f}")
        if tool == "whit" and (error < -grid_referee.GOOD_TO or seconds > MOST_SECONDS):
            status = 1
    start = time.process_time()
    sigma = whit_posterior()
    print(f"{'posterior 30 % of 10 %':24}{'whit':16}{sigma:10.6f}{'':>20}{time.process_time() - start:9.2f}")
    return status


if __name__ == "__main__":
    sys.exit(main())
