"""Two chances side by side as dots or people out of the same number, for readers without mathematics."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from whit.errors import require
from whit.numerics import probability
from whit.setting import Knowledge, Neighbours
from whit.telling.plots.answers import Columns
from whit.telling.plots.layers import Spec
from whit.telling.plots.picture import Picture, pictured
from whit.telling.plots.style import COLOURS, EMPTY, INK
from whit.telling.plots.texts import LONGEST_ALONE, LONGEST_NAME, shortened
from whit.telling.plots.wording import Words, sentences, words_of
from whit.telling.words.numbers import decimal, smallest_total
from whit.telling.words.subject import relation_of
from whit.theory import Direction, Finding

SIZES = (100, 1_000, 10_000)
"""Out of how many: the smallest that shows the difference."""

_ACROSS = {100: 10, 1_000: 40, 10_000: 100}
_SIDE = 230.0
_PERSON = (
    "M0 -1C0.25 -1 0.42 -0.83 0.42 -0.6C0.42 -0.37 0.25 -0.2 0 -0.2C-0.25 -0.2 -0.42 -0.37 -0.42 -0.6"
    "C-0.42 -0.83 -0.25 -1 0 -1Z"
    "M-0.6 1L-0.6 0.3C-0.6 0.02 -0.4 -0.1 -0.2 -0.1L0.2 -0.1C0.4 -0.1 0.6 0.02 0.6 0.3L0.6 1Z"
)
_CHANCE = "Use a probability such as 0.05, or a finding."


def icon_arrays(
    without: float | Finding,
    taking_part: float | Finding,
    *,
    believer: str | None = None,
    belief: str | None = None,
    what: str | None = None,
    of: str = "",
    people: bool = False,
    language: str = "en",
) -> Picture:
    """Two arrays of the same size: how many of so many lead to a belief without the person, and with them.

    A finding is rounded up. A plain number, which is where a finding starts from, is rounded down, so that the step
    is not shown smaller than it is. The arrays are of 100 unless that would blur the step, or show none or all: then
    of 1 000 or of 10 000, as in the words of `explain`.

    Args:
        without: the chance if the person does not take part, such as the level of a test.
        taking_part: the chance if they do, such as the power of that test.
        believer: whom the person worries about; "somebody" if not given.
        belief: what they may come to believe, as the end of a sentence; "that you are in the data" if not given, or
            what your record or your answer says, where the finding is about one that is replaced.
        what: what is counted, in the plural; "possible results" if not given.
        of: what is promised, and in how many releases, in a few words; named below the title.
        people: whether what is counted are people: then they are drawn as people, and else as dots.
        language: the code of the language of its words, such as "de".
    """
    words, about = words_of(language), f"icons.{_compared(taking_part).name.lower()}"
    given = {
        "believer": (believer, "icons.believer"),
        "belief": (belief, f"{about}.belief"),
        "what": (what, f"{about}.what"),
    }
    gaps = {name: _fitting(words(key) if text is None else text) for name, (text, key) in given.items()}
    chances = {
        words(f"{about}.without"): _chance("without", without),
        words(f"{about}.taking_part"): _chance("taking_part", taking_part),
    }
    starts, ends = ([each.number for each in chances.values() if isinstance(each, kind)] for kind in (_Start, _Bound))
    size = min(smallest_total(starts, ends), SIZES[-1])  # as the text would tell the two, as far as it can be drawn
    counts = [each.count(size) for each in chances.values()]
    texts = [each.words(size, words) for each in chances.values()]
    title = words("icons.title", believer=_capital(gaps["believer"]), belief=gaps["belief"])
    gaps["size"], promised = words.whole(size), shortened(words.promise(of), LONGEST_ALONE)
    shown = words("common.opening", name=promised) if promised else ""
    known = words("icons.knowing", **gaps) if _by_who_knows(taking_part) else ""
    of_each = words("icons.person" if people else "icons.dot", **gaps)
    caption = sentences(of_each, words("icons.orange", **gaps), known, shown)
    panels = [
        _panel(head, text, count, size, people=people) for head, text, count in zip(chances, texts, counts, strict=True)
    ]
    alt = sentences(words(f"{about}.alt", without=texts[0], taking_part=texts[1], **gaps), known, shown)
    columns = {
        "case": list(chances),
        "filled": counts,
        "out of": [size, size],
        "chance": [each.number for each in chances.values()],
    }
    return pictured(
        lambda page: {"hconcat" if page.beside else "vconcat": panels, "spacing": 46},
        title=title,
        caption=caption,
        alt=alt,
        table=Columns(columns),
        language=language,
    )


@dataclass(frozen=True)
class _Start:
    """A chance that was chosen: rounded down, so that the step from it is not shown smaller than it is."""

    number: float

    def count(self, size: int) -> int:
        """How many of so many, starting from the shortest decimal that names the number."""
        return math.floor(decimal(self.number) * size)

    def words(self, size: int, words: Words) -> str:
        """The count in words: never none or all of them, unless it is exactly that."""
        if self.number in (0.0, 1.0):
            return words("icons.none" if self.number == 0.0 else "icons.all", size=words.whole(size))
        count = self.count(size)
        return words("icons.count" if count else "icons.fewer", count=words.whole(count), size=words.whole(size))


@dataclass(frozen=True)
class _Bound:
    """A chance that was found: rounded up."""

    number: float
    direction: Direction

    def count(self, size: int) -> int:
        """How many of so many, starting from the shortest decimal that names the number."""
        return math.ceil(decimal(self.number) * size)

    def words(self, size: int, words: Words) -> str:
        """The count in words: never none or all of them, unless it is exactly that."""
        if self.number in (0.0, 1.0):
            return words("icons.none" if self.number == 0.0 else "icons.possibly_all", size=words.whole(size))
        count = self.count(size)
        key = "icons.about" if self.direction is Direction.ABOUT else "icons.at_most"
        return words(key if count < size else "icons.nearly_all", count=words.whole(count), size=words.whole(size))


def _compared(found: float | Finding) -> Neighbours:
    """What differs between the two arrays: whether the person takes part, or what their record or answer says."""
    relation = relation_of(found) if isinstance(found, Finding) else None
    return Neighbours.ADD_REMOVE if relation is None else relation


def _by_who_knows(found: float | Finding) -> bool:
    """Whether the one who tests knows the records of everyone else; an answer of one person is seen by itself."""
    known = isinstance(found, Finding) and found.inputs.get("knows") == Knowledge.EVERYONE_ELSE.name
    return known and _compared(found) is not Neighbours.LOCAL


def _chance(name: str, given: float | Finding) -> _Start | _Bound:
    """The number on the safe side, and whether it is a bound or where the bound starts from."""
    if isinstance(given, Finding):
        return _Bound(probability(name, float(given.bound), _CHANCE), given.bound.direction)
    return _Start(probability(name, given, _CHANCE))


def _panel(head: str, text: str, count: int, size: int, *, people: bool) -> Spec:
    """One array, filled from the top left."""
    across = _ACROSS[size]
    down = size // across
    cell = _SIDE / across
    title = {"text": head, "subtitle": text, "fontSize": 14, "subtitleFontSize": 18, "subtitleColor": INK}
    shape, area = (_PERSON, (0.76 * cell) ** 2) if people else ("circle", (0.76 * cell) ** 2 * math.pi / 4)
    mark = {"type": "point", "filled": True, "opacity": 1.0, "strokeWidth": 0, "shape": shape, "size": area}
    colour = {"condition": {"test": f"datum.number < {count}", "value": COLOURS[1]}, "value": EMPTY}
    return {
        "width": _SIDE,
        "height": cell * down,
        "title": {**title, "frame": "group", "offset": 10, "subtitlePadding": 4, "subtitleLineHeight": 22},
        "data": {"sequence": {"start": 0, "stop": size, "as": "number"}},
        "transform": [
            {"calculate": f"datum.number % {across}", "as": "column"},
            {"calculate": f"floor(datum.number / {across})", "as": "row"},
        ],
        "mark": mark,
        "encoding": {
            "x": _cell("column", across, reverse=False),
            "y": _cell("row", down, reverse=True),
            "color": colour,
        },
    }


def _cell(field: str, number: int, *, reverse: bool) -> Spec:
    scale = {"domain": [-0.5, number - 0.5], "nice": False, "zero": False, "reverse": reverse}
    return {"field": field, "type": "quantitative", "axis": None, "scale": scale}


def _fitting(text: Any) -> Any:
    """Words that are not longer than can be read; what is no text is left for the refusal of it."""
    return shortened(text, 2 * LONGEST_NAME) if isinstance(text, str) else text


def _capital(text: object) -> str:
    good = isinstance(text, str) and bool(text.strip())
    require(good, name="believer", rule="must be a text", value=text, way_out="Use words such as 'your insurer'.")
    return str(text)[:1].upper() + str(text)[1:]
