"""The exceptions of whit, and the one sentence that they all speak.

WhitError
├── InvalidInput      a value breaks the rule of its parameter           (also a ValueError)
├── Incompatible      two things that do not go together                 (also a ValueError)
├── Unreachable       no value of the parameter meets what is asked      (also a ValueError)
├── NotImplied        a fair question to which what is known gives no answer
├── TooCostly         the answer exists, but not at this precision and cost
├── UnknownKey        a name that is in no list                          (also a LookupError)
└── MissingExtra      an optional library is not installed               (also an ImportError)

Every message is made of the same four parts: the name, the rule, the value, and the way out.
"""

from __future__ import annotations


class WhitError(Exception):
    """Any error that whit raises on purpose; its parts can be read as attributes."""

    def __init__(self, name: str, rule: str, value: object, way_out: str) -> None:
        # First the parent: ImportError has a name of its own and would overwrite this one.
        super().__init__(name, rule, value, way_out)
        self.name = name
        self.rule = rule
        self.value = value
        self.way_out = way_out

    def __str__(self) -> str:
        """The sentence: name, rule, value, way out."""
        return f"{self.name} {self.rule}; got {shown(self.value)}. {self.way_out}"


class InvalidInput(WhitError, ValueError):
    """A value breaks the rule of its parameter."""


class Incompatible(WhitError, ValueError):
    """Two things that do not go together, such as releases under different neighbours."""


class Unreachable(WhitError, ValueError):
    """No value of the parameter meets what is asked."""


class NotImplied(WhitError):
    """A fair question to which what is known gives no answer."""


class TooCostly(WhitError):
    """The answer exists, but not at the precision and cost that were asked for."""


class UnknownKey(WhitError, LookupError):
    """A name that is in no list."""


class MissingExtra(WhitError, ImportError):
    """An optional library is not installed."""

    name: str


def shown(value: object) -> str:
    """The value as it appears in a message: short, on one line."""
    text = value if isinstance(value, str) else repr(value)
    text = " ".join(text.split())
    return text if len(text) <= 80 else f"{text[:77]}..."


def require(condition: bool, *, name: str, rule: str, value: object, way_out: str) -> None:
    """Raise InvalidInput unless the condition holds.

    >>> require(False, name="delta", rule="must be in [0, 1]", value=1.5, way_out="Use a value such as 1e-6.")
    Traceback (most recent call last):
    whit.errors.InvalidInput: delta must be in [0, 1]; got 1.5. Use a value such as 1e-6.
    """
    if not condition:
        raise InvalidInput(name, rule, value, way_out)
