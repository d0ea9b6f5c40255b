"""The worst of several pairs."""

from __future__ import annotations

import numpy as np

from whit.curves import FinitePair, WorstLoss

FIRST = FinitePair.of([0.9, 0.1], [0.5, 0.5])
SECOND = FinitePair.of([0.7, 0.3, 0.0], [0.7, 0.2, 0.1])


def test_each_answer_is_the_largest_of_all_in_both_orders() -> None:
    worst = WorstLoss.of([FIRST, SECOND])
    parts = [FIRST, FIRST.reverse(), SECOND, SECOND.reverse()]
    points = np.array([-1.0, 0.0, 0.3, 2.0])
    for ask, at in (
        ("log_delta", points),
        ("log_tail", points),
        ("log_tail_closed", points),
        ("log_power", -(points**2)),
    ):
        for end in ("lower", "mid", "upper"):
            largest = np.max([getattr(getattr(part, ask)(at), end) for part in parts], axis=0)
            np.testing.assert_array_equal(getattr(getattr(worst, ask)(at), end), largest)
    assert worst.log_infinity == max(part.log_infinity for part in parts)
    assert worst.reverse() is worst
