"""How hard a text is to read: the grade of Flesch and Kincaid, by counting words, sentences and syllables.

Syllables are counted by the groups of vowels of a word, with the usual rules for a silent e. A number counts as one
word with as many syllables as it has digits, which is about right for short ones ("fourteen", "one hundred") and too
many for long ones: the grade errs upwards.
"""

from __future__ import annotations

import re

WORD = re.compile(r"[0-9][0-9,.]*(?<![,.])|[A-Za-z]+(?:'[a-z]+)?")
SENTENCE_END = re.compile(r"[.!?]+(?=\s|$)")

# Words in which the groups of vowels mislead.
SPECIAL = {"people": 2, "something": 2, "someone": 2, "everyone": 3, "elsewhere": 2, "sometimes": 2, "being": 2}


def words(text: str) -> list[str]:
    return WORD.findall(text)


def sentences(text: str) -> int:
    """How many sentences end in the text; what is left at the end without a mark counts as one."""
    ends = len(SENTENCE_END.findall(text))
    rest = SENTENCE_END.split(text)[-1]
    return ends + bool(words(rest))


def syllables(word: str) -> int:
    if word[0].isdigit():
        return sum(sign.isdigit() for sign in word)
    bare = re.sub(r"'[a-z]+$", "", word.lower())
    if bare in SPECIAL:
        return SPECIAL[bare]
    # The e of -e, -ed and -es is silent, but not in -le, and not where it must be heard.
    if not re.search(r"[^aeiouy]le[ds]?$", bare):
        bare = re.sub(r"(?<=[^aeiouy])e$|(?<=[^aeiouytd])ed$|(?<=[^aeiouysxzcgh])es$", "", bare)
    return max(1, len(re.findall(r"[aeiouy]+", bare)) + len(re.findall(r"i[ao](?!n$)|[^q]ua(?=l)|eo(?!u)", bare)))


def grade(text: str) -> float:
    """The Flesch-Kincaid grade: years of school that a reader needs."""
    listed = words(text)
    spoken = sum(map(syllables, listed))
    return 0.39 * len(listed) / sentences(text) + 11.8 * spoken / len(listed) - 15.59
