"""English that was left in the text of another language, by the words that hold English sentences together."""

from __future__ import annotations

import re

# Words that make English sentences and are words of neither German nor French.
ENGLISH = re.findall(
    r"\w+",
    """
the of and is are that with for by from this which to at be been have it its they them their these those where when who
what whose if than then more most less because does do would could may might can cannot must each every any some between
without other others there here your you but however nothing someone
""",
)


def english_words(text: str) -> list[str]:
    """English function words in a text; what stands between quotation marks is quoted."""
    own = re.sub(r"„[^“]*“|«[^»]*»", " ", text)
    return [word for word in re.findall(r"[^\W\d_]+", own) if word in ENGLISH]
