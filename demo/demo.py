"""What whit does, in a few lines of output."""

from __future__ import annotations

import whit
from whit import ApproxDP, Finite, Gaussian, PoissonSubsampled, ProbabilisticDP, ZeroConcentratedDP, convert


def one_mechanism() -> None:
    """A Gaussian release, known exactly."""
    release = Gaussian(sigma=1.0)
    print("\nOne count with Gaussian noise as large as one person's influence:")
    print(f"  at a false-alarm rate of 5 %, the {release.power(0.05)}")
    print(f"  at delta = 1e-6, {release.epsilon(1e-6)}")
    print(f"  after seven such releases, the {release.times(7).power(0.05)}")


def a_promise() -> None:
    """A promise of which nothing else is known: bounds."""
    promise = ApproxDP(epsilon=1.0, delta=1e-6)
    print("\nA promise of epsilon = 1 and delta = 1e-6, and nothing else is known:")
    print(f"  at a false-alarm rate of 5 %, the {promise.power(0.05)}")
    print(f"  at the threshold 2, the {promise.tail(2.0)}")


def a_week() -> None:
    """A budget for seven days, as another promise."""
    week = ZeroConcentratedDP(rho=0.01).times(7)
    print("\nSeven days at rho = 0.01 each, as a bound on the loss that holds but for 1 %:")
    print(f"  {convert(week, to=ProbabilisticDP, delta=0.01)}")


def many_steps() -> None:
    """Training with noisy gradients, composed between certified bounds."""
    training = PoissonSubsampled(Gaussian(sigma=1.0), rate=0.01).times(10_000)
    print("\nTen thousand steps on samples of 1 % with noise of one standard deviation:")
    print(f"  at a false-alarm rate of one in a million, the {training.power(1e-6)}")


def a_mistake() -> None:
    """What a wrong input is answered with."""
    print("\nA mistake is answered in one sentence:")
    try:
        Finite([0.5, 0.4], [0.5, 0.5])
    except whit.InvalidInput as error:
        print(f"  {error}")


if __name__ == "__main__":
    print(f"whit {whit.__version__}: how much wiser can a release make an adversary?")
    one_mechanism()
    a_promise()
    a_week()
    many_steps()
    a_mistake()
