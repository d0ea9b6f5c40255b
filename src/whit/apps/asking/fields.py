"""The values that commands take: how each is called, what may be written, and what it means."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum, auto

from whit import spec
from whit.assessment import QUESTIONS

ADVERSARY = (*spec.BELIEFS, *(name for name in spec.WHO if name != "baseline"), "adversary")
"""The values about the adversary; not every command asks about a guess at the record, from its baseline."""

ASSESSED = (*ADVERSARY, "baseline", "failure", "sides", "level", "people", "population", "question")
"""The values about an assessment of one promise: who asks, how and what."""

REQUIREMENTS = ("profile", "limit", "keeping", "requirements")
"""The values about what is acceptable."""

PROMISE = ("noise", "sensitivity", "changes", "neighbours", "releases", "from")
"""What a promise is stated with, beside the words of its kind, and the file that may state it."""


class Taken(Enum):
    """How a value is written."""

    TEXT = auto()
    NUMBER = auto()
    WHOLE = auto()
    NUMBERS = auto()
    WORD = auto()
    YES_NO = auto()
    TERMS = auto()  # a text of name=value
    CHANGE = auto()  # the change of an answer by one record
    FILE = auto()  # the path of a file


@dataclass(frozen=True)
class Field:
    """A value that a command takes.

    Attributes:
        name: as it is called in a request, with underscores.
        meaning: what it says, in a sentence or two.
        taken: how it is written.
        symbol: what stands for the value in a help text.
        words: the words that it may be.
        many: whether there may be several.
        most: the largest whole number; nothing for no limit of its own.
        default: what holds where it is not given.
        shown: whether a help text shows the default.
        argument: whether a command line takes it without its name.
        needed: whether it must be given.
    """

    name: str
    meaning: str
    taken: Taken = Taken.TEXT
    symbol: str = ""
    words: tuple[str, ...] = ()
    many: bool = False
    most: int | None = None
    default: object = None
    shown: bool = False
    argument: bool = False
    needed: bool = False


def _spelled(words: Collection[str]) -> tuple[str, ...]:
    return tuple(word.replace("_", "-") for word in words)


def one_of(name: str, words: Collection[str], meaning: str, symbol: str = "") -> Field:
    """A value that is one of several words; these stand for it in a help text unless a symbol does."""
    spelled = _spelled(words)
    return Field(name, meaning, Taken.WORD, symbol or "|".join(spelled), spelled)


def number(name: str, meaning: str) -> Field:
    """A value that is a number."""
    return Field(name, meaning, Taken.NUMBER, "NUMBER")


def whole(name: str, meaning: str, symbol: str = "K") -> Field:
    """A value that is a whole number of at least 1."""
    return Field(name, meaning, Taken.WHOLE, symbol)


def terms(name: str, meaning: str, *, many: bool = True) -> Field:
    """A value that is a text of name=value."""
    return Field(name, meaning, Taken.TERMS, "TEXT", many=many)


def yes_no(name: str, meaning: str) -> Field:
    """A value that is yes or no."""
    return Field(name, meaning, Taken.YES_NO, default=False)


WHY = yes_no("why", "Name the theorems that each answer rests on, and say what they assume.")
"""Whether theorems and assumptions are wanted beside the answers."""


def file(name: str, meaning: str) -> Field:
    """A value that is the path of a file."""
    return Field(name, meaning, Taken.FILE, "FILE")


_QUESTIONS = _spelled(QUESTIONS)
_SENSITIVITY = (
    "The change of the answer by one record: count (the default), histogram, a number, or ADD:REPLACE (1:1+1)."
)
_LIMIT = (
    'A limit on one risk: "difference=0.2", "posterior=0.03, prior=0.001..0.01", "power=0.1, level=0.05". '
    "Ranges of priors, knows, when and block go inside. May be repeated."
)
_BESIDE = (
    Field("noise", "The noise that uses up --epsilon, --rho or --mu, if it is known.", symbol="WORD"),
    Field("sensitivity", _SENSITIVITY, Taken.CHANGE, "CHANGE"),
    one_of(
        "changes",
        spec.CHANGES,
        "full covers only people who change every answer in full; any (the default) covers everybody.",
    ),
    one_of("neighbours", spec.NEIGHBOURS, "Which two datasets are compared. The default is add-remove."),
    whole("releases", "The number of such releases about the same people. The default is 1."),
    file(
        "from",
        "A TOML file with [promise], [[adversary]], [questions], [limit] and [profile]. Options override it.",
    ),
    terms("promise", 'One more promise: "epsilon=1, delta=1e-6", "rho=0.1, noise=gaussian".'),
)
_WHO = (
    number("prior", "The adversary's prior probability of the fact. The default is 0.5."),
    number("inclusion", "The prior probability that the person is in the data; goes with --value."),
    number("value", "The prior probability of the sensitive value for a person in the data."),
    one_of(
        "knows", spec.KNOWS, "What the adversary knows about the others. any-belief (the default) covers every belief."
    ),
    one_of("when", spec.WHEN, "Bound beliefs at the end (the default), or ever: also between the releases."),
    whole("block", "The number of people who may depend on each other, such as a household. The default is 1."),
    number("baseline", "How often a guess about the record is right without the release; asks for its success."),
    Field("adversary", "Only this adversary of the file.", symbol="NAME"),
)
_ASKED = (
    number(
        "failure",
        "The probability with which a bound may fail, such as 0.01. Without it, bounds hold always where they can.",
    ),
    Field("sides", "2 also bounds drops of beliefs. The default is 1.", Taken.WHOLE, "1|2", ("1", "2"), most=2),
    number("level", "The false-positive rate of tests. The default is 0.05."),
    whole("people", "The number of people for whom a bound on total variation holds at once."),
    whole("population", "The size of the population: shows for how many people a bound is expected to fail.", "N"),
    Field(
        "question",
        f"Only this question; may be repeated. One of {', '.join(_QUESTIONS)}.",
        Taken.WORD,
        "NAME",
        _QUESTIONS,
        many=True,
    ),
)
_ACCEPTABLE = (
    terms("profile", 'A risk profile: "relative=3, absolute=0.25". May be repeated.'),
    terms("limit", _LIMIT),
    terms("keeping", 'A total that all releases together must stay within: "epsilon=1, delta=1e-6".'),
    file("requirements", "A TOML file with limits and profiles; every [limit] and [profile] counts."),
)
_CONCERN = (
    Field("about", "The concern: these attributes of the record, separated by commas.", symbol="ATTRIBUTES"),
    Field("place", 'The concern: "Block within Tract", or "anywhere".', symbol="TEXT"),
    yes_no("whole_record", "The concern: everything about the record."),
    yes_no("presence", "The concern: being in the data at all."),
    Field("scenario", "A concern of the Census paper, A to H.", symbol="LETTER"),
)
SHARED = {each.name: each for each in (*_BESIDE, *_WHO, *_ASKED, *_ACCEPTABLE, *_CONCERN)}
"""The values that commands share, by name."""
