"""A proof as the sum that a reader does on paper: published numbers, added and taken away."""

from __future__ import annotations

from dataclasses import dataclass

from whit.audit.certificate import Combination, Impossible
from whit.audit.publication import Cell, cell_text
from whit.audit.system import System
from whit.audit.verifying import summed


@dataclass(frozen=True)
class Part:
    """A number in a sum: how often it counts, its cell, and whether that cell can have another value."""

    times: int
    cell: Cell
    value: int
    open: bool


@dataclass(frozen=True)
class Derivation:
    """An end of a cell as a sum.

    cell     the cell
    upper    whether the sum is the largest value, or the least
    divisor  by what the sum is divided, and then rounded towards the inside
    start    the number that the equations begin with, 0 for totals
    parts    what is added to it; open cells stand at that end of theirs that leaves the most room
    """

    cell: Cell
    upper: bool
    divisor: int
    start: int
    parts: tuple[Part, ...]

    @property
    def value(self) -> int:
        """What comes out."""
        total = self.start + sum(part.times * part.value for part in self.parts)
        return total // self.divisor if self.upper else -(-total // self.divisor)

    @property
    def assumes_nothing(self) -> bool:
        """Whether only cells with one value are added: then the sum is the value itself."""
        return not any(part.open for part in self.parts)

    def __str__(self) -> str:
        counted = [part for part in self.parts if part.value]
        counted.sort(key=lambda part: part.times * part.value < 0)
        start = [f"{self.start:+d}"] if self.start or not counted else []
        signed = " ".join([*start, *map(part_text, counted)]).removeprefix("+").strip()
        rounded = f", rounded {'down' if self.upper else 'up'}"
        whole = signed if self.divisor == 1 else f"({signed}) / {self.divisor}{rounded}"
        still = [f"{cell_text(part.cell)} at {part.value}" for part in self.parts if part.open]
        return f"{whole}, with {', '.join(still)}" if still else whole


def part_text(part: Part) -> str:
    """A number with its sign and the name of its cell."""
    amount = part.times * part.value
    often = f"{abs(part.times)} times " if abs(part.times) > 1 else ""
    return f"{'-' if amount < 0 else '+'} {often}{abs(part.value)} ({cell_text(part.cell)})"


def derivation(system: System, certificate: Impossible) -> Derivation | None:
    """The sum behind a proof that a cell does not go beyond an end; None if the proof is not one sum of equations."""
    cell, proof = certificate.cell, certificate.proof
    if cell is None or not isinstance(proof, Combination):
        return None
    upper = certificate.high is None
    terms, right = summed(system, proof.multipliers)
    sign = 1 if terms.get(cell, 0) > 0 else -1
    divisor = abs(terms.get(cell, 0))
    if not divisor:
        return None
    others = {each: -sign * times for each, times in terms.items() if each != cell and times}
    parts = [part_of(system, each, times, upper) for each, times in others.items()]
    return Derivation(cell, upper, divisor, sign * right, tuple(part for part in parts if part is not None))


def part_of(system: System, cell: Cell, times: int, upper: bool) -> Part | None:
    """A cell at the end that makes the sum as large as it can be, or as small."""
    low, high = system.ends[cell]
    end = high if (times > 0) == upper else low
    return None if end is None else Part(times, cell, end, low != high)
