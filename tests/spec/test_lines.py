"""The line of a key is found in the layouts that TOML allows."""

from __future__ import annotations

import pytest

from whit.spec.lines import line_of

TEXT = '''\
title = "x"

[release]
name = "y"
description = """
name = not a key
[unit]
"""
[unit] # comment
name = "person"
[[adversary]]
prior = 0.1
[[adversary]]
"prior" = 0.2
[profile.capped]
relative = 3
[limit]
power = { limit = 0.2, level = 0.05 }
promise.rho = 1
[[budget]]
[budget.levels]
State = 1
[[budget]]
[budget.levels]
State = 2
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 1),
        (("release",), 3),
        (("release", "name"), 4),
        (("unit",), 9),
        (("unit", "name"), 10),
        (("adversary", 0, "prior"), 12),
        (("adversary", 1), 13),
        (("adversary", 1, "prior"), 14),
        (("profile", "capped", "relative"), 16),
        (("limit", "power", "level"), 18),
        (("limit", "promise", "rho"), 19),
        (("budget", 1, "levels", "State"), 25),
        (("Release", "NAME"), 4),
    ],
)
def test_the_line_of_a_key_is_found(path, line):
    assert line_of(TEXT, path) == line


def test_what_is_not_there_has_no_line():
    assert line_of(TEXT, ("nowhere",)) is None
