"""The two ends of findings that enclose a number."""

from __future__ import annotations

import numpy as np

from whit.theory import Finding


def middle(finding: Finding) -> np.ndarray:
    """The middle of what is known on both sides: where an exact number lies, but for its numerical error."""
    lower, upper = np.asarray(finding.lower, dtype=np.float64), np.asarray(finding.upper, dtype=np.float64)
    return np.where(lower == upper, lower, lower / 2 + upper / 2)
