"""What an audit found, in the words of a report: what is left of a cell, by which sum, and what must be left."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from whit.audit import Derivation, EqualGeometric, EqualPoisson, Interval, Left, Part, Prior, cell_text
from whit.policy.tables import (
    OUTSIDER_NAME,
    Audited,
    BeliefLeft,
    CellFound,
    CellLimit,
    ShareLeft,
    ValuesLeft,
    WidthLeft,
)
from whit.spec import AuditRead
from whit.telling.reports.document import clipped
from whit.telling.reports.wording import Words

STATUS = {
    "disclosed": "audit.status.disclosed",
    "too narrow": "audit.status.too_narrow",
    "determined": "audit.status.determined",
    "protected": "audit.status.protected",
    "open": "audit.status.open",
    "not shown": "audit.status.not_shown",
}
"""The key of each status of a cell."""

LONGEST = 1_500
"""So many letters of a sum are printed; the command whit audit prints all of it."""


def headline(found: Audited, words: Words) -> str:
    """The outcome in a sentence or two."""
    cells = words.count(len(found.task.asked))
    if found.is_kept:
        return words("audit.allowed", cells=cells)
    said = []
    if found.failing_cells:
        said.append(_counted("audit.exceeded_one", "audit.exceeded", found.failing_cells, cells, words))
    if found.failing_cells == found.known_cells == 1:
        said.append(words("audit.known_it"))
    elif found.known_cells:
        said.append(_counted("audit.known_one", "audit.known", found.known_cells, cells, words))
    if found.unshown_cells:
        said.append(_counted("audit.unshown_one", "audit.unshown", found.unshown_cells, cells, words))
    return " ".join(said)


def _counted(one: str, several: str, number: int, cells: str, words: Words) -> str:
    """The sentence for one cell, or for several."""
    return words(one if number == 1 else several, number=words.count(number), cells=cells)


class CellWords:
    """The words about the cells of one table: values are written in its unit."""

    def __init__(self, read: AuditRead, found: Audited, words: Words) -> None:
        self.scale = read.scale
        self.found = found
        self.words = words

    def number(self, value: int) -> str:
        """A value in the unit of the table."""
        return self.words.language.digits(self.scale.text(value))

    def reader(self, name: str) -> str:
        """Who reads; the reader whom no file names has a name in every language."""
        return self.words("audit.outsider") if name == OUTSIDER_NAME else name

    def left(self, interval: Interval) -> str:
        """What is left of a cell, for a table."""
        if interval.determined:
            return self.words("audit.only", value=self.number(self._value(interval)))
        ends = (interval.least, interval.most)
        least, most = (self.words("audit.no_end") if end is None else self.number(end) for end in ends)
        return self.words("audit.from_to", least=least, most=most)

    def sentence(self, each: CellFound) -> str:
        """What is left of a cell and why, in one sentence, and for whom."""
        said = clipped(self._why(each, self.found.left[each.by]), LONGEST)
        return f"{said} {self.words('audit.read_by', name=self.reader(each.by))}"

    def _why(self, each: CellFound, found: Left) -> str:
        """The sum that gives the value, or that gives an end, or the equations that lead to it."""
        words, interval = self.words, self._interval(each.interval)
        sums = found.derivations(each.cell)
        alone = [one for one in sums if one.assumes_nothing and one.divisor == 1]
        if alone:
            return words("audit.because", said=interval, reason=self._sum(alone[0]))
        ends = [
            words(f"audit.{'most' if one.upper else 'least'}", value=self.number(one.value), sum=self._sum(one))
            for one in sums
        ]
        if ends:
            return words("audit.ends", said=interval, ends=words.language.listed(ends, "semicolon"))
        reasons = words.language.listed(each.through, "semicolon")
        return words("audit.by", said=interval, reasons=reasons) if reasons else words("audit.stated", said=interval)

    def _interval(self, interval: Interval) -> str:
        """What a cell can be, as a clause."""
        words, cell = self.words, cell_text(interval.cell)
        if interval.determined:
            return words("audit.exactly", cell=cell, value=self.number(self._value(interval)))
        said = words("audit.in", cell=cell, left=self._ends(interval.least, interval.most))
        if interval.is_exact:
            return said
        return words("audit.beyond", said=said, limits=self._ends(*interval.limits))

    def _ends(self, least: int | None, most: int | None) -> str:
        if least is None and most is None:
            return self.words("audit.anything")
        if least is None or most is None:
            [known] = [end for end in (least, most) if end is not None]
            return self.words("audit.or_more" if most is None else "audit.or_less", value=self.number(known))
        return self.words("audit.from_to", least=self.number(least), most=self.number(most))

    @staticmethod
    def _value(interval: Interval) -> int:
        value = interval.limits[0]
        assert value is not None  # a cell that is determined has both ends
        return value

    def _sum(self, derivation: Derivation) -> str:
        """The sum as a reader does it on paper, in the unit of the table."""
        words = self.words
        counted = sorted(
            (part for part in derivation.parts if part.value), key=lambda part: part.times * part.value < 0
        )
        start = [self._signed(derivation.start, "")] if derivation.start or not counted else []
        signed = " ".join([*start, *map(self._part, counted)]).removeprefix("+").strip()
        if derivation.divisor != 1:
            key = "audit.rounded_down" if derivation.upper else "audit.rounded_up"
            signed = words(key, sum=signed, divisor=words.count(derivation.divisor))
        still = [
            words("audit.at", cell=cell_text(part.cell), value=self.number(part.value))
            for part in derivation.parts
            if part.open
        ]
        return words("audit.with", sum=signed, cells=words.language.listed(still, "comma")) if still else signed

    def _part(self, part: Part) -> str:
        often = self.words("audit.times", number=self.words.count(abs(part.times))) if abs(part.times) > 1 else ""
        amount = " ".join(text for text in (often, self.number(abs(part.value))) if text)
        return f"{'-' if part.times * part.value < 0 else '+'} {amount} ({cell_text(part.cell)})"

    def _signed(self, value: int, between: str) -> str:
        return f"{'-' if value < 0 else '+'}{between}{self.number(abs(value))}"


def required(limit: CellLimit, words: Words) -> str:
    """What must be left of a cell, as a phrase."""
    if isinstance(limit, ValuesLeft):
        return words("audit.limit.values", number=words.count(limit.number))
    if isinstance(limit, WidthLeft):
        return words("audit.limit.width", width=words.count(limit.width))
    if isinstance(limit, ShareLeft):
        return words("audit.limit.share", percent=words.percent(float(limit.percent / 100)))
    if isinstance(limit, BeliefLeft):
        return _belief(limit, words)
    return words("audit.limit.levels")


def _belief(limit: BeliefLeft, words: Words) -> str:
    near = "" if limit.within == 1 else words("audit.limit.within", factor=_plain(limit.within, words))
    whose = ""
    if limit.between is not None:
        low, high = (words.percent(float(end)) for end in limit.between)
        whose = words("audit.limit.prior", prior=low)
        whose = whose if low == high else words("audit.limit.priors", low=low, high=high)
    gaps = {"largest": words.percent(float(limit.largest)), "whose": whose, "law": _law(limit, words), "near": near}
    return words("audit.limit.posterior", **gaps)


def _law(limit: BeliefLeft, words: Words) -> str:
    law = limit.prior
    if isinstance(law, EqualPoisson):
        return words("audit.law.poisson", mean=_plain(law.mean, words))
    if isinstance(law, EqualGeometric):
        return words("audit.law.geometric", ratio=_plain(law.ratio, words))
    every = isinstance(law, Prior) and law.cells is None
    return words("audit.law.every" if every else "audit.law.named")


def _plain(value: Fraction, words: Words) -> str:
    return words.language.digits(str(Decimal(repr(float(value))).normalize()))
