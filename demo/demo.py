"""What whit does, in a few lines of output."""

from __future__ import annotations

from pathlib import Path

import whit
from whit import Adversary, ApproxDP, Finite, Gaussian, PoissonSubsampled, PureDP, ZeroConcentratedDP, assess, recommend
from whit.policy import limits, profiles


def one_mechanism() -> None:
    """A Gaussian release, known exactly."""
    release = Gaussian(sigma=1.0)
    print("\nOne count with Gaussian noise as large as one person's influence:")
    print(f"  at a false-positive rate of 5 %, the {release.power(0.05)}")
    print(f"  at delta = 1e-6, {release.epsilon(1e-6)}")
    print(f"  after seven such releases, the {release.times(7).power(0.05)}")


def a_promise() -> None:
    """A promise, and nothing else is known: bounds."""
    promise = ApproxDP(epsilon=1.0, delta=1e-6)
    print("\nA promise of epsilon = 1 and delta = 1e-6, and nothing else is known:")
    print(f"  at a false-positive rate of 5 %, the {promise.power(0.05)}")
    print(f"  at the threshold 2, the {promise.tail(2.0)}")


def a_week() -> None:
    """A budget for seven days, as what an adversary learns."""
    week = ZeroConcentratedDP(rho=0.01).times(7)
    found = assess(week, Adversary(prior=0.5), failure=0.01)
    print("\nSeven days at rho = 0.01 each, an adversary with a prior of 50 %, except with probability 1 %:")
    print(f"  {found.posterior}")
    print(f"  {found.best_guess}")
    print(f"  {found.total_variation}")


def a_choice() -> None:
    """The least noise that meets a limit."""
    print("\nTwelve releases that may raise no posterior by more than 20 points, except with probability 1 %:")
    print(f"  {recommend(limits.difference(0.2), Gaussian, releases=12, failure=0.01).parameter}")
    print("A disclosure whose probability may grow to three times what it was, or to 25 %:")
    print(f"  {recommend(profiles.capped(relative=3.0, absolute=0.25, value=1.0), PureDP).parameter}")


def many_steps() -> None:
    """Training with noisy gradients, composed between certified bounds."""
    training = PoissonSubsampled(Gaussian(sigma=1.0), rate=0.01).times(10_000)
    print("\nTen thousand steps on samples of 1 % with noise of one standard deviation:")
    print(f"  at a false-positive rate of one in a million, the {training.power(1e-6)}")


def a_mistake() -> None:
    """How whit answers a wrong input."""
    print("\nwhit answers a mistake in one sentence:")
    try:
        Finite([0.5, 0.4], [0.5, 0.5])
    except whit.InvalidInput as error:
        print(f"  {error}")


def a_report() -> None:
    """A report that could be sent."""
    here = Path(__file__).parent
    out = here.parent / "build" / "report.pdf"
    out.parent.mkdir(exist_ok=True)
    print("\nA report on the release that demo/release.toml describes (some seconds):")
    print(f"  {whit.report(here / 'release.toml', out)}")


if __name__ == "__main__":
    print(f"whit {whit.__version__}: what can a release tell an adversary?")
    one_mechanism()
    a_promise()
    a_week()
    a_choice()
    many_steps()
    a_mistake()
    a_report()
