"""Profiles by a table: points are met, between them the posterior is linear, and a wrong table is named."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from whit.errors import InvalidInput, TooCostly
from whit.policy.profiles import Table, table

ROWS = [(0.1, 0.2, 5.0), (0.1, 1.0, 3.0), (1.0, 0.2, 2.0), (1.0, 1.0, 1.0)]


def test_points_are_met_and_posteriors_linear_between_them() -> None:
    profile = table(ROWS)
    for p, q, limit in ROWS:
        assert float(profile.limit(p, q)) == pytest.approx(limit, rel=1e-14)
    middle = 0.55
    posterior = (0.1 * 3.0 + 1.0 * 1.0) / 2
    assert float(profile.limit(middle, 1.0)) * middle == pytest.approx(posterior, rel=1e-14)


def test_below_the_smallest_belief_the_posterior_stays_and_above_the_largest_there_is_no_limit() -> None:
    profile = table({0.1: 3.0, 0.5: 1.5}, value=1.0)
    assert float(profile.limit(0.01, 1.0)) * 0.01 == pytest.approx(0.3, rel=1e-14)
    assert float(profile.limit(0.6, 1.0)) == math.inf
    assert "no limit to adversaries with an inclusion above 0.5" in profile.notices()[0]


def test_a_limit_of_1_survives_rounding() -> None:
    profile = table(ROWS)
    assert float(profile.limit(1.0, 1.0)) == 1.0
    assert np.all(profile.limit(np.linspace(0.01, 1, 99)[:, None], np.linspace(0.01, 1, 99)) >= 1.0)


def test_the_smallest_belief_can_be_the_strictest_inside_a_box() -> None:
    profile = table({0.1: 2.0, 0.5: 4.0}, value=1.0)
    assert float(profile.lower_bound(0.05, 0.3, 1.0, 1.0)) == pytest.approx(2.0, rel=1e-14)


def test_a_mapping_rows_and_files_say_the_same(tmp_path: Path) -> None:
    points = {0.01: 10.0, 0.1: 3.0, 1.0: 1.5}
    csv = tmp_path / "profile.csv"
    csv.write_text("inclusion, relative\n0.01, 10\n0.1, 3\n1, 1.5\n")
    toml = tmp_path / "profile.toml"
    toml.write_text("".join(f"[[limit]]\ninclusion = {p}\nvalue = 1.0\nrelative = {r}\n" for p, r in points.items()))
    rows = [(p, 1.0, r) for p, r in points.items()]
    assert table(points, value=1.0) == table(csv, value=1.0) == table(str(toml)) == table(rows)


def test_the_free_belief_may_be_the_value() -> None:
    profile = table({0.1: 3.0, 1.0: 1.5}, inclusion=0.05)
    assert profile.domain.inclusion == (0.05, 0.05)
    assert float(profile.limit(0.05, 0.1)) == pytest.approx(3.0, rel=1e-14)


def test_a_hole_is_named_with_its_place() -> None:
    with pytest.raises(InvalidInput, match=r"the table must have no hole; got none at inclusion 1.0 and value 0.2"):
        table([row for row in ROWS if row[:2] != (1.0, 0.2)])


def test_wrong_rows_are_named() -> None:
    with pytest.raises(InvalidInput, match="relative in row 2 of the table must be at least 1"):
        table({0.1: 3.0, 0.5: 0.5}, value=1.0)
    with pytest.raises(InvalidInput, match="inclusion in row 1 of the table must be a probability"):
        table({1.5: 3.0}, value=1.0)
    with pytest.raises(InvalidInput, match="row 1 of the table must have inclusion, value, relative"):
        table({0.1: 3.0})
    with pytest.raises(InvalidInput, match="must have one limit for each inclusion and value"):
        table([*ROWS, (0.1, 0.2, 4.0)])
    with pytest.raises(InvalidInput, match="the table must have at least one row"):
        table([])
    with pytest.raises(InvalidInput, match="relative in row 1 of the table must be a finite number"):
        table([(0.1, 0.2, float("nan"))])
    with pytest.raises(InvalidInput, match="row 1 of the table must have beliefs above 0"):
        table([(0.0, 0.2, 2.0)])
    with pytest.raises(InvalidInput, match="the table must be rows or the path of a file"):
        table(3.0)  # type: ignore[arg-type]


def test_wrong_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="must be the path of a .csv or .toml file"):
        table("profile.xlsx")
    with pytest.raises(InvalidInput, match="the table must be a file that can be read"):
        table(tmp_path / "missing.csv")
    text = tmp_path / "words.csv"
    text.write_text("inclusion,value,relative\n0.1,much,3\n")
    with pytest.raises(InvalidInput, match="value in row 1 of the table must be a probability"):
        table(text)
    empty = tmp_path / "empty.csv"
    empty.write_text("inclusion,value,relative\n0.1,,3\n")
    with pytest.raises(InvalidInput, match="row 1 of the table must have inclusion, value, relative"):
        table(empty)


def test_a_file_with_other_tables_is_named(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text("limit = 3\n")
    with pytest.raises(InvalidInput, match=r"the table must have its rows as tables \[\[limit\]\]"):
        table(other)
    other.write_text("limit = [3]\n")
    with pytest.raises(InvalidInput, match="row 1 of the table must have inclusion, value, relative"):
        table(other)
    other.write_text("limit = \n")
    with pytest.raises(InvalidInput, match="the table must be a file that can be read"):
        table(other)


def test_a_grid_is_checked_when_built() -> None:
    with pytest.raises(InvalidInput, match="must have a row of limits for each inclusion"):
        Table((0.1, 0.2), (1.0,), ((2.0,),))
    with pytest.raises(InvalidInput, match="must have beliefs above 0 and at most 1 that rise"):
        Table((0.2, 0.1), (1.0,), ((2.0,), (3.0,)))
    with pytest.raises(InvalidInput, match="a limit of the table must be at least 1"):
        Table((0.1,), (1.0,), ((0.5,),))


def test_a_posterior_that_falls_is_noticed() -> None:
    profile = table({0.1: 5.0, 0.2: 2.0}, value=1.0)
    assert "from inclusion 0.1 to 0.2: a higher prior is allowed a lower posterior" in profile.notices()[-1]


HEADER = "inclusion,value,relative"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("digits.toml", "[[limit]]\ninclusion=" + "9" * 5000, "must be a file that can be read"),
        ("deep.toml", "a=" + "[" * 100_000, "can be read .it is nested too deeply"),
        ("extra.csv", f"{HEADER}\n.1,.5,2,7\n", "row 1 of the table must have a field for each of the 3"),
        ("doubled.csv", f"{HEADER},relative\n.1,.5,2,7\n", "must have one column of each name; got two of 'relative'"),
    ],
)
def test_a_file_with_too_much_in_it_is_refused(tmp_path, name, text, said):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=said):
        table(path)


def test_a_path_with_a_nul_is_refused():
    with pytest.raises(InvalidInput, match="must be a file that can be read"):
        table("a\0b.csv")


def test_a_mark_of_the_byte_order_is_skipped_in_both_kinds_of_files(tmp_path):
    csv, toml = tmp_path / "a.csv", tmp_path / "a.toml"
    csv.write_bytes(f"\ufeff{HEADER}\r\n0.1,0.5,2\r\n".encode())
    toml.write_bytes("\ufeff[[limit]]\r\ninclusion = 0.1\r\nvalue = 0.5\r\nrelative = 2\r\n".encode())
    assert table(csv) == table(toml) == table([(0.1, 0.5, 2.0)])


def test_rows_may_be_arrays_but_their_fields_may_not():
    assert table(np.array([[0.1, 0.5, 2.0], [0.2, 0.5, 2.0]])) == table([(0.1, 0.5, 2.0), (0.2, 0.5, 2.0)])
    for row in ((np.array([0.1, 0.2]), 0.5, 2.0), {"inclusion": np.array([0.1, 0.2]), "value": 0.5, "relative": 2.0}):
        with pytest.raises(InvalidInput, match="inclusion in row 1 of the table must be a probability"):
            table([row])


def grid_of(random: np.random.Generator, rows: int, columns: int) -> Table:
    """A table of limits at random beliefs, none of them in any order."""
    beliefs = (tuple(np.unique(random.uniform(1e-6, 1.0, n)).tolist()) for n in (rows, columns))
    inclusions, values = beliefs
    limits = 1.0 + random.exponential(5.0, (len(inclusions), len(values)))
    return Table(inclusions, values, tuple(map(tuple, limits.tolist())))


@pytest.mark.parametrize(("rows", "columns"), [(300, 1), (1, 40), (7, 9), (60, 50)])
def test_no_limit_in_a_box_is_below_its_bound_and_a_small_box_has_the_least(rows, columns):
    random = np.random.default_rng(rows)
    profile = grid_of(random, rows, columns)
    p, q = (np.sort(random.uniform(0.0, nodes[-1], (2, 200)), axis=0) for nodes in (profile.inclusions, profile.values))
    p, q = (np.full((2, 200), n[0]) if len(n) == 1 else x for n, x in ((profile.inclusions, p), (profile.values, q)))
    p[1, ::2], q[1, ::2] = p[0, ::2] * 1.001, q[0, ::2] * 1.001  # small ones, which few lines cross or none
    p[1], q[1] = np.minimum(p[1], profile.inclusions[-1]), np.minimum(q[1], profile.values[-1])
    bound = profile.lower_bound(p[0], p[1], q[0], q[1])
    for at in range(200):
        ends = ((p[:, at], profile.inclusions), (q[:, at], profile.values))
        lines = [[low, high, *(x for x in nodes if low < x < high)] for (low, high), nodes in ends]
        least = min(float(profile.limit(max(a, 1e-9), max(b, 1e-9))) for a in lines[0] for b in lines[1])
        assert bound[at] <= least
        if all(len(each) <= 6 for each in lines):
            assert bound[at] >= least * (1 - 1e-12)


def test_a_long_table_says_the_same_as_the_points_that_it_adds():
    """Rows on the chords of a short table change nothing, but that there are more of them."""
    short = table({0.1: 4.0, 0.4: 3.0, 1.0: 1.5}, value=1.0)
    beliefs = np.unique(np.append(np.linspace(0.1, 1.0, 3001), 0.4))
    long = table(dict(zip(beliefs.tolist(), short.limit(beliefs, 1.0).tolist(), strict=True)), value=1.0)
    for low, high in ((0.1, 1.0), (0.15, 0.35), (0.2, 0.2001)):
        ends = (np.array([low]), np.array([high]), np.array([1.0]), np.array([1.0]))
        assert long.lower_bound(*ends) == pytest.approx(short.lower_bound(*ends), rel=1e-3)


def test_a_table_that_would_take_minutes_is_refused_before_it_is_read():
    with pytest.raises(TooCostly, match="at most 200,000 rows .* got '?200,001 rows'?. Leave out rows"):
        table([(None, None, None)] * 200_001)


def test_between_any_two_neighbours_of_a_longer_grid_the_posterior_is_linear() -> None:
    posteriors = {0.1: 0.4, 0.2: 0.5, 0.5: 0.9, 0.8: 0.95}
    profile = table({p: posterior / p for p, posterior in posteriors.items()}, value=1.0)
    steps = list(posteriors.items())
    for (left, low), (right, high) in pairwise(steps):
        for share in (0.0, 0.25, 0.5, 1.0):
            p = left + share * (right - left)
            assert float(profile.limit(p, 1.0)) * p == pytest.approx(low + share * (high - low), rel=1e-13)


@pytest.mark.parametrize("strictest", [0, 3, 11])
def test_a_bound_over_many_lines_of_the_grid_is_below_every_limit_there(strictest: int) -> None:
    nodes = np.linspace(0.05, 0.95, 12)
    profile = table({float(p): 1.01 if place == strictest else 3.0 for place, p in enumerate(nodes)}, value=1.0)
    inside = np.linspace(0.01, 0.95, 400)
    bound = float(profile.lower_bound(0.01, 0.95, 1.0, 1.0))
    assert bound <= float(np.min(profile.limit(np.append(inside, nodes[strictest]), 1.0)))
    assert bound >= 1.0


def test_a_grid_with_a_short_row_is_refused() -> None:
    with pytest.raises(InvalidInput, match="must have a row of limits for each inclusion, with one for each value"):
        Table((0.1, 0.2), (0.5, 1.0), ((2.0, 2.0), (2.0,)))


def test_a_box_below_the_first_inclusion_is_bounded_by_the_first_row_alone() -> None:
    values = [float(q) for q in np.linspace(0.1, 1.0, 10)]
    profile = table([(p, q, limit) for p, limit in ((0.05, 9.0), (0.5, 1.5), (1.0, 1.0)) for q in values])
    bound = float(profile.lower_bound(0.001, 0.01, 0.1, 1.0))
    assert bound == pytest.approx(9.0, rel=1e-12)
    assert bound <= float(np.min(profile.limit(np.linspace(0.001, 0.01, 20)[:, None], np.linspace(0.1, 1.0, 91))))
