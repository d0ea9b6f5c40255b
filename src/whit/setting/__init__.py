"""Whom a statement is about, and who is asking.

neighbours    which two datasets a promise compares
unit          whom or what a record stands for, and over which period
sensitivity   the most that the exact answer can differ between neighbours
adversary     what the one who asks believes and knows before the release
"""

from whit.setting.adversary import Adversary, Knowledge
from whit.setting.neighbours import Neighbours
from whit.setting.sensitivity import Sensitivity
from whit.setting.unit import HOUSEHOLD, PERSON, UnitOfPrivacy

__all__ = [
    "HOUSEHOLD",
    "PERSON",
    "Adversary",
    "Knowledge",
    "Neighbours",
    "Sensitivity",
    "UnitOfPrivacy",
]
