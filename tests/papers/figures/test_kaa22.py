"""The figures of Kifer et al. (2022): what is drawn is what the cases say, and what is added is nowhere worse."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from whit.papers import Case, read_cases
from whit.papers.figures.kaa22 import (
    ADDED,
    ANY_NOISE,
    AS_PRINTED,
    FIGURES,
    ITSELF,
    LOWER,
    SHARPER,
    UNPROCESSED,
    UPPER,
    difference,
)
from whit.telling.plots import Picture
from whit.theory import Basis, Direction, Finding, Quantity, Unit

CASES = [case for case in read_cases("KAA22") if case.key.startswith("004-fig") and case.key != "004-fig1-sigma"]
NAMES = {
    "delta of Gaussian noise": "approximate DP, Gaussian",
    "delta of pbdp of Gaussian noise": "pbdp, Gaussian noise",
    "largest power against Gaussian noise": "Gaussian noise",
    "largest power under zCDP": ANY_NOISE,
    "lower tail of the loss under zCDP": "Theorem 7.3",
    "tail of the loss under zCDP": "Theorem 7.5",
}
RATIOS, BY_TABLES = (3, 5, 7, 9), {12: ("E", 1.32), 13: ("E", 1.32), 14: ("F", 0.555), 15: ("F", 0.555)}


@cache
def picture(number: int) -> Picture:
    return FIGURES[number]()


def line(number: int, name: str, panel: str) -> tuple[np.ndarray, np.ndarray]:
    """Places and numbers of a line."""
    rows = [row[2:] for row in picture(number).table.rows() if row[0].startswith(panel) and row[1] == name]
    assert rows, (number, name, panel)
    first, second = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    return first, second


def name_of(case: Case, number: int) -> str:
    if number in BY_TABLES:
        return f"printed rho {BY_TABLES[number][1]:g}"
    return ANY_NOISE if number == 1 and case.key.startswith("004-fig1-zcdp") else NAMES[case.quantity]


def test_every_figure_is_drawn() -> None:
    assert list(FIGURES) == list(range(1, 16))


@pytest.mark.parametrize("number", FIGURES)
def test_a_figure_has_two_panels_a_title_and_a_description(number: int) -> None:
    drawn = picture(number)
    titles = list(dict.fromkeys(drawn.table["panel"]))
    assert titles[0] == AS_PRINTED
    assert titles[1].startswith(ADDED)
    assert drawn.title.startswith(f"KAA22 Figure {number}: ")
    assert drawn.title in drawn.alt


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.key)
def test_what_is_drawn_is_what_the_cases_say(case: Case) -> None:
    number = int(case.key.split("-")[1].removeprefix("fig"))
    x, y = line(number, name_of(case, number), AS_PRINTED)
    [place] = np.flatnonzero(np.isclose(x, case.given("level" if "level" in case.inputs else "eps"), rtol=1e-12))
    assert y[place] == pytest.approx(case.expected, rel=1e-9)
    # The place may be a rounding away from the one of the case; on the safe side but for that.
    assert y[place] >= case.expected * (1 - 1e-12)


@pytest.mark.parametrize("number", RATIOS)
def test_sharper_bounds_are_nowhere_above_those_of_the_paper(number: int) -> None:
    theorem = "Theorem 7.3" if number in (3, 7) else "Theorem 7.5"
    x, printed = line(number, theorem, ADDED)
    at, sharper = line(number, SHARPER, ADDED)
    assert np.array_equal(x, at)
    assert np.all(sharper <= printed * (1 + 1e-12))
    assert np.any(sharper < 0.99 * printed)
    at, itself = line(number, ITSELF, ADDED)
    order = np.argsort(at)
    # Between the places of the line itself, which is drawn straight there.
    between = np.interp(x, at[order], itself[order])
    assert np.all(between[x <= at.max()] <= printed[x <= at.max()] * (1 + 1e-9) + 1e-3)
    assert np.min(between / printed) < 0.7


@pytest.mark.parametrize("number", [1, 8, 11])
def test_the_noise_itself_has_the_curve_of_gaussian_noise_and_any_noise_one_above(number: int) -> None:
    epsilons, deltas = line(number, ITSELF, ADDED)
    at, gaussian = line(number, "pbdp, Gaussian noise", AS_PRINTED)
    inside = epsilons <= at.max()
    # The line of the Gaussian is straight between its places, which are up to a quarter apart.
    assert deltas[inside] == pytest.approx(np.interp(epsilons[inside], at, gaussian), abs=4e-3)
    at, any_noise = line(number, SHARPER, ADDED)
    assert np.all(any_noise >= gaussian - 1e-12)
    at, unprocessed = line(number, UNPROCESSED, ADDED)
    assert np.all(unprocessed <= gaussian + 1e-12)


def test_the_sharper_bound_of_figure_1_is_nowhere_above_the_printed_one() -> None:
    printed, sharper = line(1, ANY_NOISE, ADDED)[1], line(1, SHARPER, ADDED)[1]
    assert np.all(sharper <= printed * (1 + 1e-12))
    assert np.array_equal(printed, line(1, ANY_NOISE, AS_PRINTED)[1])


@pytest.mark.parametrize("number", [2, 6])
def test_the_discrete_noise_is_drawn_on_the_line_of_the_gaussian_below_any_noise(number: int) -> None:
    gaussian, itself, bound = (line(number, name, AS_PRINTED)[1] for name in ("Gaussian noise", ITSELF, ANY_NOISE))
    assert itself == pytest.approx(gaussian, abs=2e-6)
    assert np.all(gaussian <= bound + 1e-12)


@pytest.mark.parametrize(("number", "most"), [(2, 1.3), (4, 7.0), (6, 0.2)])
def test_the_difference_of_the_two_kinds_of_noise_is_held_between_bounds(number: int, most: float) -> None:
    lower, upper = line(number, LOWER, ADDED)[1], line(number, UPPER, ADDED)[1]
    assert np.all(lower <= upper)
    assert np.max(np.abs([lower, upper])) < most
    assert np.any((lower > 0.0) | (upper < 0.0))  # somewhere it is not nothing


def test_figure_2_shows_the_differences_of_the_errata() -> None:
    """004.14: -6.1e-10, 5.2e-10 and 6.6e-10 at the levels of Table 2."""
    at, lower = line(2, LOWER, ADDED)
    _, upper = line(2, UPPER, ADDED)
    for level, value in ((0.05, 0.52), (0.10, 0.66)):
        assert np.interp(level, at, lower) - 0.05 <= value <= np.interp(level, at, upper) + 0.05


@pytest.mark.parametrize("number", [12, 14])
def test_the_power_at_the_rho_of_the_tables_is_above_the_printed_one(number: int) -> None:
    letter, rho = BY_TABLES[number]
    printed = line(number, f"printed rho {rho:g}", ADDED)
    [name] = {row[1] for row in picture(number).table.rows() if row[1].startswith("rho of the tables")}
    at, by_tables = line(number, name, ADDED)
    inside = (at > 0) & (at < 1)
    assert np.all(by_tables[inside] > printed[1][inside])
    for case in read_cases("KAA22"):
        if case.key.startswith(f"004-pow-{letter}") and case.key.endswith("probe-tables"):
            [place] = np.flatnonzero(np.isclose(at, case.given("level"), rtol=1e-12))
            assert by_tables[place] == pytest.approx(case.expected, rel=1e-8)


@pytest.mark.parametrize("number", [13, 15])
def test_the_curve_at_the_rho_of_the_tables_is_above_the_printed_one(number: int) -> None:
    x, printed = line(number, f"printed rho {BY_TABLES[number][1]:g}", ADDED)
    [name] = {row[1] for row in picture(number).table.rows() if row[1].startswith("rho of the tables")}
    epsilons, deltas = line(number, name, ADDED)
    middle = (deltas > 0.01) & (deltas < 0.99)
    assert np.all(deltas[middle] > np.interp(epsilons[middle], x, printed))


def test_a_difference_is_bounded_from_both_sides_in_billionths() -> None:
    quantity = Quantity("power", Unit.PROBABILITY)
    exactly, basis = Direction.EXACTLY, Basis.of("neyman-pearson")
    one = Finding(quantity, [0.5 + 2e-9], exactly, {}, basis, [0.5 - 1e-9])
    other = Finding(quantity, [0.5 + 1e-9], exactly, {}, basis, [0.5 - 3e-9])
    lower, upper = difference(one, other)
    assert lower[0] < -2.0 + 1e-6
    assert upper[0] > 5.0 - 1e-6
    assert (lower[0], upper[0]) == pytest.approx((-2.0, 5.0), rel=1e-6)
