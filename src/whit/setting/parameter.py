"""The one number that a kind of promise is stated by, declared once on its class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

REACH = 1e20
"""How many times further, and how many times less far, than its start a search looks."""


@dataclass(frozen=True)
class Parameter:
    """The number by which a guarantee or a mechanism is stated, and what a reader and a search must know of it.

    Attributes:
        name: as the class is built with, such as "sigma".
        word: the name of the kind in options, files and forms, such as "gaussian".
        symbol: what stands for the number in a help text, such as "SIGMA".
        meaning: what the number says, in a sentence.
        rising: whether a larger number tells more.
        bounded: whether the losses have a bound that always holds.
        steady: whether every number that tells less keeps to what one keeps to.
        reach: how far a search for the number looks.
        beside: other parameters that the kind is stated with, such as delta.
        keeps: of noise: by the word of a guarantee, the number with which one count keeps that guarantee to the full.
    """

    name: str
    word: str
    symbol: str
    meaning: str
    rising: bool
    bounded: bool
    steady: bool = True
    reach: float = REACH
    beside: tuple[str, ...] = ()
    keeps: tuple[tuple[str, Callable[[float], float]], ...] = field(default=(), compare=False)

    @property
    def option(self) -> str:
        """The word as an option has it, with hyphens."""
        return self.word.replace("_", "-")

    @property
    def kind(self) -> str:
        """The word for the kind itself, with all that it is stated by, such as "epsilon-delta"."""
        return "-".join((self.option, *self.beside))
