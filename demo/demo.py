"""What whit does, in a few lines of output."""

from __future__ import annotations

import whit
from whit.curves import ChordProfile, Curve, FinitePair, GaussianLoss, Order, composed
from whit.theory import Basis, Direction


def one_release() -> None:
    """A Gaussian release, known exactly."""
    release = Curve.exact(GaussianLoss(mu=1.0))
    print("\nOne count with Gaussian noise as large as one person's influence (mu = 1):")
    print(f"  at a false-alarm rate of 5 %, the {release.power(0.05)}")
    print(f"  at delta = 1e-6, {release.epsilon(1e-6)}")
    print(f"  after seven such releases, the {composed([release] * 7).power(0.05)}")


def a_promise() -> None:
    """A promise of which nothing else is known: a bound, and a refusal."""
    promise = Curve(ChordProfile.of([1.0], [1e-6]), Direction.AT_MOST, Order.PROFILE, Basis.of("profile-chords"))
    print("\nA promise of epsilon = 1 and delta = 1e-6, and nothing else is known:")
    print(f"  at a false-alarm rate of 5 %, the {promise.power(0.05)}")
    try:
        promise.tail(2.0)
    except whit.NotImplied as refusal:
        print(f"  {refusal}")
    print(f"  by that way, the {promise.tail_from_profile(2.0)}")


def an_asymmetric_pair() -> None:
    """Two probability vectors: which of the two datasets is the true one matters."""
    pair = Curve.exact(FinitePair.of([0.6, 0.3, 0.1], [0.2, 0.3, 0.5]))
    print("\nThree outcomes with probabilities 0.6, 0.3, 0.1 on one dataset and 0.2, 0.3, 0.5 on the other:")
    print(f"  at epsilon = 0.5, {pair.delta(0.5)}")


def a_mistake() -> None:
    """What a wrong input is answered with."""
    print("\nA mistake is answered in one sentence:")
    try:
        FinitePair.of([0.5, 0.4], [0.5, 0.5])
    except whit.InvalidInput as error:
        print(f"  {error}")


if __name__ == "__main__":
    print(f"whit {whit.__version__}: how much wiser can a release make an adversary?")
    one_release()
    a_promise()
    an_asymmetric_pair()
    a_mistake()
