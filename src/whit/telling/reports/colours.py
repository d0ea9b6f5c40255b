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
        dark_line: the colour of border and sign on a dark screen.
        dark_fill: the colour behind the text on a dark screen.
    """

    line: str
    fill: str
    border: str
    dark_line: str
    dark_fill: str


COLOURS: Final = {
    "allowed": Colour("#006BA8", "#E3F0F8", "single", "#6CC0F2", "#10293A"),
    "not_allowed": Colour("#B34700", "#FCEDE1", "double", "#FFA564", "#3A2113"),
    "not_shown": Colour("#7A3B69", "#F6ECF3", "dashed", "#E3A6D2", "#34202E"),
    "no_limit": Colour("#555555", "#F2F2F2", "single", "#BDBDBD", "#2A2C30"),
}
"""The look of each verdict. Text on it is black, and light on a dark screen."""

TEXT: Final = "#1A1A1A"
"""The colour of all running text."""

DARK_TEXT: Final = "#ECECEC"
"""The same on a dark screen."""
