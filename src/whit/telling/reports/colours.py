"""The colours of verdicts: told apart with every kind of colour vision, and never red, amber and green."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Colour:
    """How the box of a verdict looks.

    Attributes:
        line: the colour of its border and of its sign.
        fill: the colour behind the text.
        border: how its border is drawn, in the words of word processors.
    """

    line: str
    fill: str
    border: str


COLOURS: Final = {
    "allowed": Colour("#006BA8", "#E3F0F8", "single"),
    "not_allowed": Colour("#B34700", "#FCEDE1", "double"),
    "not_shown": Colour("#7A3B69", "#F6ECF3", "dashed"),
    "no_limit": Colour("#555555", "#F2F2F2", "single"),
}
"""The look of each verdict. Text on it is black."""

TEXT: Final = "#1A1A1A"
"""The colour of all running text."""
