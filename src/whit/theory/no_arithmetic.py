"""Why a finding takes no part in arithmetic: its direction would be lost without a word."""

from __future__ import annotations

from typing import NoReturn

from whit.errors import Incompatible


class NoArithmetic:
    """What takes no part in arithmetic and is not ordered, so that its direction is never lost by accident."""

    # numpy then leaves an operation with an array to the methods below.
    __array_ufunc__ = None

    def _refuse(self, *_: object) -> NoReturn:
        """Explain why there is no arithmetic."""
        raise Incompatible(
            "arithmetic or comparison with a finding",
            "is refused, because it would lose the direction without a word",
            str(self),
            "Write float(x) to take the number alone, and look after its direction yourself.",
        )

    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = _refuse
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = _refuse
    __neg__ = __pos__ = __abs__ = __round__ = __int__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = _refuse
