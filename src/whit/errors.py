"""The exceptions of whit, and the one sentence that they all speak.

WhitError
├── InvalidInput      a value breaks the rule of its parameter           (also a ValueError)
├── Incompatible      two things that do not go together                 (also a ValueError)
├── Unreachable       no value of the parameter meets what is asked      (also a ValueError)
├── NotImplied        a fair question to which what is known gives no answer
├── TooCostly         the answer exists, but not at this precision and cost
├── UnknownKey        a name that is in no list                          (also a LookupError)
├── NotAllowed        what was agreed before does not allow it
├── Unavailable       what is kept somewhere cannot be read or written
└── MissingExtra      an optional library is not installed               (also an ImportError)

Every message is made of the same four parts: the name, the rule, the value, and the way out. An error also knows the
parameter that it speaks of, so that whoever read that parameter can say where it was written. A way out may suggest
values for parameters: Python spells them `failure=0.01`, a command line `--failure 0.01`.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn, Self

LONGEST = 80
"""The most letters of a value that a message repeats."""

Spelling = Callable[[str, object], str]
"""How a suggested parameter is written: its name and its value as one text."""


class Sentence(str):
    """What whit itself says of a value, such as a finding in words: a message repeats it whole."""

    __slots__ = ()


class WhitError(Exception):
    """Any error that whit raises on purpose; its parts can be read as attributes.

    Args:
        name: what the sentence is about.
        rule: what must hold of it.
        value: what was found instead.
        way_out: what would have worked; `{failure}` stands for the suggested value of that parameter.
        parameter: the parameter that the error speaks of; the name itself if that is one.
        suggested: values of parameters that would have worked.
    """

    def __init__(
        self,
        name: str,
        rule: str,
        value: object,
        way_out: str,
        *,
        parameter: str = "",
        suggested: Mapping[str, object] | None = None,
    ) -> None:
        # First the parent: ImportError has a name of its own and would overwrite this one.
        super().__init__(name, rule, value, way_out)
        self.name = name
        self.rule = rule
        self.value = value
        self.way_out = way_out
        self.parameter = parameter or (name if name.isidentifier() else "")
        self.suggested = dict(suggested or {})

    def sentence(self, spell: Spelling) -> str:
        """The message, with suggested parameters spelled in the way of the place where it is read."""
        spelled = {name: spell(name, value) for name, value in self.suggested.items()}
        way_out = self.way_out.format_map(spelled) if spelled else self.way_out
        value = shown(self.value)
        return f"{self.name} {self.rule}; got {value}{'' if value.endswith('...') else '.'} {way_out}"

    def renamed(self, name: str) -> Self:
        """This error under another name, such as one with a file and a line in front."""
        return type(self)(name, self.rule, self.value, self.way_out, parameter=self.parameter, suggested=self.suggested)

    def __str__(self) -> str:
        return self.sentence(as_argument)

    def __reduce__(self) -> tuple[Any, ...]:
        again = partial(type(self), parameter=self.parameter, suggested=self.suggested)
        return again, (self.name, self.rule, self.value, self.way_out)


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


BY_NAME = "must be known by its name"
BY_KEY = "must be known by its key"
_NOBODY = {BY_NAME: "has the name", BY_KEY: "has the key"}


class UnknownKey(WhitError, LookupError):
    """A name that is in no list."""

    def sentence(self, spell: Spelling) -> str:
        """The message; of a name or a key, that nothing has it, or that the place where it stands cannot have it.

        >>> print(UnknownKey("--question", BY_NAME, "posteriour", "Did you mean posterior?"))
        --question cannot be posteriour. Did you mean posterior?
        """
        if self.rule not in _NOBODY:
            return super().sentence(spell)
        article, _, kind = self.name.partition(" ")
        nothing_has_it = f"No {kind} {_NOBODY[self.rule]}" if article in ("a", "an") else f"{self.name} cannot be"
        return f"{nothing_has_it} {shown(self.value)}. {self.way_out}"


class NotAllowed(WhitError):
    """What was agreed before does not allow what is asked, such as a release that no longer fits."""


class Unavailable(WhitError):
    """What is kept somewhere cannot be read or written now; nothing was changed."""


class MissingExtra(WhitError, ImportError):
    """An optional library is not installed."""

    name: str


def as_argument(name: str, value: object) -> str:
    """A suggested parameter as Python has it.

    >>> as_argument("failure", 1e-05)
    'failure=1e-05'
    """
    return f"{name}={value!r}"


def missing_extra(library: str, extra: str, *, purpose: str, instead: str = "") -> MissingExtra:
    """The error about a library that is not installed, with the command that installs the extra it belongs to.

    whit is on no package index, so the command is for the folder that holds its sources. It comes last, without a full
    stop, so that it can be copied.

    >>> print(missing_extra("typst", "reports", purpose="for reports in PDF").way_out)
    Run this in the folder that holds the sources of whit: python3 -m pip install '.[reports]'
    """
    command = f"Run this in the folder that holds the sources of whit: python3 -m pip install '.[{extra}]'"
    return MissingExtra(library, f"must be installed {purpose}", "no such library", f"{instead} {command}".strip())


def shown(value: object) -> str:
    r"""A value as it appears in a message: short, on one line, without control characters; it never raises.

    >>> shown("a\x1b[31m b"), shown(10**5000)
    ('a\\x1b[31m b', 'a whole number of about 16610 bits')
    """
    if isinstance(value, Sentence):
        return str(value)
    text = value if isinstance(value, str) else safe_repr(value)
    text = " ".join(text[: 4 * LONGEST].split())
    text = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
    return text if len(text) <= LONGEST else f"{_whole_words(text[: LONGEST - 3])}..."


def _whole_words(text: str) -> str:
    """The beginning of a text, without a word that may be cut; one long word stays as it is."""
    head = text.rpartition(" ")[0]
    return head.rstrip(" ,;:") if len(head) > LONGEST // 2 else text


def safe_repr(value: object) -> str:
    """The repr of a value, or a few words where it has none that may be printed."""
    if isinstance(value, int) and value.bit_length() > sys.get_int_max_str_digits() > 0:
        return f"a whole number of about {value.bit_length()} bits"
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - whatever a repr does, the sentence about its value must be said
        return f"a {type(value).__name__} that cannot be printed"


def nearest(name: str, known: Collection[str], *, most: int = 3) -> tuple[str, ...]:
    """The known names most like one that is not known: those that begin with it, else those of nearly its letters.

    >>> nearest("postrior", ["posterior", "power"])
    ('posterior',)
    """
    import difflib  # only a mistake needs it

    asked, lowered = name[:LONGEST].lower(), {each.lower(): each for each in known}
    begun = [each for each in lowered if asked and each.startswith(asked)]
    near = begun or difflib.get_close_matches(asked, lowered, n=most, cutoff=0.6)
    return tuple(lowered[each] for each in near[:most])


def unknown_name(what: str, name: object, known: Collection[str], *, parameter: str = "") -> UnknownKey:
    """The error about a name that is in no list; it suggests the nearest ones, or the list itself if that is short.

    >>> print(unknown_name("a picture", "posterio", ["posterior-law", "icon-arrays"]))
    No picture has the name posterio. Did you mean posterior-law?
    """
    near = nearest(name, known) if isinstance(name, str) else ()
    return UnknownKey(what, BY_NAME, name, meant_or_listed(near, sorted(map(str, known))), parameter=parameter)


def meant_or_listed(near: Sequence[str], known: Sequence[str]) -> str:
    """The way out of a name that is not known: those that may be meant, else those that there are, if not too many.

    >>> meant_or_listed([], ["prior", "level"])
    'Use prior, level.'
    """
    if near:
        return f"Did you mean {' or '.join(near)}?"
    more = len(known) - MOST_LISTED
    return f"Use {', '.join(known[:MOST_LISTED])}{f', or one of {more} others' if more > 0 else ''}."


MOST_LISTED = 16
"""The most names that a message lists."""


def require(condition: bool, *, name: str, rule: str, value: object, way_out: str, parameter: str = "") -> None:
    """Raise InvalidInput unless the condition holds.

    >>> require(False, name="delta", rule="must be in [0, 1]", value=1.5, way_out="Use a value such as 1e-6.")
    Traceback (most recent call last):
    whit.errors.InvalidInput: delta must be in [0, 1]; got 1.5. Use a value such as 1e-6.
    """
    if not condition:
        raise InvalidInput(name, rule, value, way_out, parameter=parameter)


class NoPromise(ABC):
    """What has answers of its own, but may not be taken for a promise, and says why."""

    @abstractmethod
    def refuse(self) -> NoReturn:
        """Raise the error that says why it is no promise."""

    @staticmethod
    def stop(value: object) -> None:
        """Let such a value refuse; any other passes."""
        if isinstance(value, NoPromise):
            value.refuse()


def require_kind(kind: type, value: object, *, name: str, way_out: str) -> None:
    """Raise InvalidInput unless the value is of the kind.

    >>> require_kind(float, "1", name="delta", way_out="Use a value such as 1e-6.")
    Traceback (most recent call last):
    whit.errors.InvalidInput: delta must be a float; got 1. Use a value such as 1e-6.
    """
    article = "an" if kind.__name__[0] in "AEIO" else "a"
    rule = f"must be {article} {kind.__name__}"
    require(isinstance(value, kind), name=name, rule=rule, value=value, way_out=way_out)
