"""Numbers of releases are whole, and few enough to be counted."""

from __future__ import annotations

import numpy as np
import pytest

from whit.errors import InvalidInput
from whit.semantics.membership.counted import MOST_COUNTED, counted


def test_every_number_up_to_the_most_is_counted():
    assert [counted("count", number, "") for number in (1, np.int64(7), MOST_COUNTED)] == [1, 7, MOST_COUNTED]
    assert float(MOST_COUNTED - 1) != float(MOST_COUNTED) == float(MOST_COUNTED + 1)


@pytest.mark.parametrize("number", [MOST_COUNTED + 1, 10**400, 10**5000, 0, -1, 1.5, True, None, "7", [7]], ids=type)
def test_what_is_not_counted_is_refused(number):
    with pytest.raises(InvalidInput, match="count must be a whole number of at .* Use a number such as 7"):
        counted("count", number, "Use a number such as 7.")
