"""Names and values that know their place: options, one text, or the table of a file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from whit.errors import Incompatible, InvalidInput, WhitError, nearest, shown, unknown_name
from whit.spec import numbers

Value = TypeVar("Value")

_PAIRS = 'Write it as "name=value", several with commas between them, such as "epsilon=1, delta=1e-6".'


class Source(ABC):
    """Where names and values were written."""

    @abstractmethod
    def key(self, key: str) -> str:
        """How a key is written there."""

    @abstractmethod
    def place(self, key: str) -> str:
        """The key with its place, for a message."""

    @abstractmethod
    def about(self, name: str) -> str:
        """Something that no single key is to blame for, with its place."""

    def inside(self, *path: str | int) -> Source:
        """The source of a table inside of this one."""
        return self


@dataclass(frozen=True)
class Options(Source):
    """Options of a command."""

    def key(self, key: str) -> str:
        """Two hyphens, and hyphens inside.

        >>> Options().key("sampling_rate")
        '--sampling-rate'
        """
        return f"--{key.replace('_', '-')}"

    def place(self, key: str) -> str:
        """The option itself."""
        return self.key(key)

    def about(self, name: str) -> str:
        """The name itself."""
        return name


@dataclass(frozen=True)
class Text(Source):
    """One text, `name=value, name=value`."""

    text: str

    def key(self, key: str) -> str:
        """The name itself, with hyphens."""
        return key.replace("_", "-")

    def place(self, key: str) -> str:
        """The name, and the text that it stands in."""
        return f'{self.key(key)} in "{shown(self.text)}"'

    def about(self, name: str) -> str:
        """The name of the whole, and the text."""
        return f'{name}, "{shown(self.text)}",'


@dataclass(frozen=True)
class Given:
    """Values by name, as they were written, and where.

    Attributes:
        values: numbers, texts, lists and tables; hyphens in names are underscores.
        source: where they stand.
        written: the key that a value stands under, where that is not its name.
    """

    values: Mapping[str, object]
    source: Source = field(default_factory=Options)
    written: Mapping[str, str] = field(default_factory=dict)

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def __bool__(self) -> bool:
        return bool(self.values)

    def key(self, key: str) -> str:
        """A key as it is written."""
        return self.source.key(self.written.get(key, key))

    def keys(self, keys: Collection[str]) -> str:
        """Several keys as they are written."""
        return " and ".join(map(self.key, keys)) or "nothing"

    def place(self, key: str) -> str:
        """A key with its place."""
        return self.source.place(self.written.get(key, key))

    def part(self, keys: Collection[str]) -> Given:
        """Some of the values."""
        return replace(self, values={key: self.values[key] for key in keys if key in self.values})

    def renamed(self, key: str, name: str) -> Given:
        """The same with another name for the value of a key."""
        values = {(name if each == key else each): value for each, value in self.values.items()}
        return replace(self, values=values, written={**self.written, name: key})

    def only(self, known: Collection[str], *, needed: Collection[str] = ()) -> Given:
        """The values themselves, if none but known names are among them and all that are needed."""
        for key in self.values:
            if key not in known:
                near = [self.key(each) for each in nearest(key, known)]
                way_out = (
                    f"Perhaps {' or '.join(near)} is meant." if near else f"Use {', '.join(map(self.key, known))}."
                )
                raise InvalidInput(self.place(key), "is not known here", self.key(key), way_out, parameter=key)
        for key in needed:
            if key not in self.values:
                raise InvalidInput(self.place(key), "must be given", "nothing", f"State {self.key(key)}.")
        return self

    def refuse(self, key: str, rule: str, way_out: str = "Leave it out.") -> Incompatible:
        """The error about a value that does not apply."""
        return Incompatible(self.place(key), rule, numbers.written(self.values[key]), way_out, parameter=key)

    def wrong(self, name: str, rule: str, value: object, way_out: str) -> Incompatible:
        """The error about values that do not go together."""
        return Incompatible(self.source.about(name), rule, value, way_out)

    def number(self, key: str) -> float:
        """One number."""
        return numbers.number(self.place(key), key, self.values[key])

    def whole(self, key: str, *, least: int = 1, most: int = numbers.MOST) -> int:
        """One whole number."""
        return numbers.whole(self.place(key), key, self.values[key], least=least, most=most)

    def span(self, key: str) -> tuple[float, float]:
        """A number or a range."""
        return numbers.span(self.place(key), key, self.values[key])

    def word(self, key: str, words: Mapping[str, Value]) -> Value:
        """What a word stands for; hyphens, underscores and blanks are one."""
        found = self.values[key]
        if isinstance(found, str) and (known := plain(found).replace(" ", "_")) in words:
            return words[known]
        raise unknown_name(self.place(key), found, [word.replace("_", "-") for word in words], parameter=key)

    def words(self, key: str) -> str:
        """A text; an empty one if the key is not there."""
        found = self.values.get(key, "")
        if not isinstance(found, str) or (key in self and not found.strip()):
            rule, way_out = "must be a text that is not empty", "Put it in quotes."
            raise InvalidInput(self.place(key), rule, found if found != "" else "an empty one", way_out, parameter=key)
        return " ".join(found.split())

    def list_of_words(self, key: str) -> tuple[str, ...]:
        """Texts; none if the key is not there."""
        found = self.values.get(key, [])
        if not isinstance(found, list) or not all(isinstance(each, str) and each.strip() for each in found):
            way_out = 'Write it as ["one", "two"].'
            raise InvalidInput(self.place(key), "must be a list of texts", found, way_out, parameter=key)
        return tuple(" ".join(each.split()) for each in found)

    def table(self, key: str) -> Given:
        """The table of this name; an empty one if there is none."""
        values = self.values.get(key, {})
        if not isinstance(values, Mapping):
            way_out = f"Write [{key}] on a line of its own."
            raise InvalidInput(self.place(key), "must be a table", values, way_out, parameter=key)
        return tabled(values, self.source.inside(key))

    def tables(self, key: str) -> tuple[Given, ...]:
        """The tables of this name: one [name], several [[name]], or none."""
        rows = self.values.get(key, [])
        if isinstance(rows, Mapping):
            return (self.table(key),)
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            way_out = f"Write [{key}] above it, or [[{key}]] above each."
            raise InvalidInput(self.place(key), "must be a table", rows, way_out, parameter=key)
        return tuple(tabled(row, self.source.inside(key, at)) for at, row in enumerate(rows))

    @contextmanager
    def placed(self, **names: str) -> Iterator[None]:
        """Put the place before what a value made of these says is wrong.

        Args:
            names: the key that a parameter of the value was read from, where that is not its own name.
        """
        try:
            yield
        except WhitError as wrong:
            key = names.get(wrong.parameter, wrong.parameter)
            name = self.place(key) if key in self else self.source.about(wrong.name)
            value = (
                numbers.written(self.values[key]) if key in self and not isinstance(wrong.value, str) else wrong.value
            )
            raise type(wrong)(name, wrong.rule, value, wrong.way_out, suggested=wrong.suggested) from wrong


def plain(name: str) -> str:
    """A name with hyphens and underscores made one, in small letters."""
    return name.strip().lower().replace("-", "_")


def tabled(values: Mapping[str, object], source: Source) -> Given:
    """Values by their plain names; one that is given twice is refused."""
    found = Given({plain(key): value for key, value in values.items()}, source)
    if len(found.values) < len(values):
        names = [plain(key) for key in values]
        twice = next(key for key in names if names.count(key) > 1)
        raise InvalidInput(found.place(twice), "must be given once", found.key(twice), "Leave out one of them.")
    return found


def pairs(what: str, text: str) -> Given:
    """The names and values of a text.

    >>> dict(pairs("a promise", "epsilon=17.14, delta=1e-10").values)
    {'epsilon': '17.14', 'delta': '1e-10'}
    """
    found = Given({}, Text(text))
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise InvalidInput(what, "must be made of name=value", text, _PAIRS)
        if plain(name) in found:
            raise InvalidInput(found.place(plain(name)), "must be given once", text, "Leave out one of them.")
        found = replace(found, values={**found.values, plain(name): value})
    return found
