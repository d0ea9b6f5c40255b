"""Numbers of one question that are paired with each other: their shapes must go together."""

from __future__ import annotations

from whit.numerics import paired

__all__ = ["paired"]
