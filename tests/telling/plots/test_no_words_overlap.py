"""No words of a picture lie on each other, none leave it, and no line crosses the number of a limit.

Over all kinds of pictures, and random settings of them.

The boxes are those that `drawn_texts` reads from the SVG with another reader of fonts.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from _generate.pictures import GALLERY, drawn
from drawn_texts import advance, crossings, drawn_texts, faults

from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.ledger import Ledger, course_of
from whit.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace
from whit.papers.figures import FIGURES
from whit.plans import census_2020, expose
from whit.policy import frontier, limits, profiles
from whit.semantics import membership
from whit.telling import plots
from whit.telling.catalogue import deployments
from whit.telling.plots.fonts import width
from whit.telling.plots.picture import pictured
from whit.telling.words import languages

CROSS = (
    '<svg xmlns="http://www.w3.org/2000/svg"><g class="mark-line role-mark"><path d="M0,0L100,100H200"/></g>'
    '<g class="mark-rule role-mark"><line transform="translate(50,150)" x2="100" y2="0"/></g>'
)
"""Lines from corner to corner, and across."""

MOST_OF_A_NARROW_WINDOW = 360.0
"""A picture of this width is drawn at 300 of the 360 pixels of a telephone, with letters of 12 as letters of 10."""

LETTERS = "abcdefghijklmnopqrstuvwxyz WMil1%.,()=ÄßéåςφΩжЩ"


def name(draw: random.Random) -> str:
    """A name of up to ninety letters, which is more than fits."""
    return "x" + "".join(draw.choices(LETTERS, k=draw.choice((1, 3, 8, 20, 90))))


def promises(draw: random.Random) -> dict[str, object]:
    """Up to seven promises, some of them alike."""
    kinds = [lambda: PureDP(draw.choice((0.01, 0.5, 1.0, 5.0))), lambda: Gaussian(draw.uniform(0.3, 9.0))]
    return {f"{n} {name(draw)}": draw.choice(kinds)() for n in range(draw.randint(1, 7))}


def prior(draw: random.Random) -> float:
    return draw.choice((0.001, 0.02, 0.1, 0.5, 0.9, 0.999))


def posterior(draw: random.Random) -> plots.Picture:
    before = prior(draw)
    allowed = draw.choice(
        (
            None,
            limits.posterior(before + draw.random() * (1.0 - before), prior=before),
            limits.difference(draw.uniform(0.01, 0.9)),
            limits.ratio(draw.uniform(1.01, 9.0), prior=before),
            profiles.capped(relative=draw.uniform(1.1, 9.0), absolute=draw.uniform(0.01, 0.9), value=1.0),
            profiles.box(draw.uniform(1.1, 4.0), inclusion=(0.1, draw.uniform(0.2, 0.9)), value=(1.0, 1.0)),
        )
    )
    priors = np.linspace(0.0, draw.choice((0.01, 0.2, 1.0)), 101)
    sides = draw.choice((1, 2))
    return plots.posterior_against_prior(promises(draw), allowed=allowed, failure=0.01, priors=priors, sides=sides)


def over_releases(draw: random.Random) -> plots.Picture:
    counts = sorted(draw.sample(range(1, draw.choice((4, 40, 5000))), 3))
    risk = draw.choice((membership.PosteriorFrom(prior(draw)), membership.RatioAtAnyPrior()))
    several = {name(draw): ZeroConcentratedDP(draw.choice((1e-4, 0.01, 0.1))) for _ in range(draw.randint(1, 4))}
    limit = draw.uniform(0.0, 1.0)
    return plots.risk_over_releases(several, risk, counts, limit=limit, failure=0.01, language=spoken(draw))


def spoken(draw: random.Random) -> str:
    """The code of a language; drawn last, so that the rest of a picture does not depend on it."""
    return draw.choice(languages())


def law(draw: random.Random) -> plots.Picture:
    several = {name(draw): Gaussian(draw.uniform(0.3, 9.0)) for _ in range(draw.randint(1, 4))}
    return plots.posterior_law(several, prior(draw))


def icons(draw: random.Random) -> plots.Picture:
    words = {"believer": name(draw), "belief": f"that {name(draw)}", "what": name(draw), "of": name(draw)}
    return plots.icon_arrays(draw.uniform(0.0, 0.2), draw.uniform(0.2, 1.0), people=draw.random() < 0.5, **words)


def accepted(draw: random.Random) -> plots.Picture:
    several = {
        name(draw): profiles.capped(relative=draw.uniform(1.1, 9.0), absolute=draw.uniform(0.01, 0.9), value=1.0)
        for _ in range(draw.randint(1, 4))
    }
    return plots.profile_and_epsilon(several, language=spoken(draw))


def map_of(draw: random.Random) -> plots.Picture:
    profile = profiles.capped(relative=draw.uniform(1.1, 9.0), absolute=draw.uniform(0.01, 0.9))
    return plots.profile_map(profile, cells=draw.randint(2, 12), language=spoken(draw))


def accuracy(draw: random.Random) -> plots.Picture:
    ratios = [draw.choice((1.01, 1.02, 1.5, 4.0)) + draw.random() / 100 for _ in range(draw.randint(1, 9))]
    steps = frontier([limits.ratio(ratio) for ratio in ratios], draw.choice((Laplace, Geometric)))
    return plots.accuracy_against_risk(steps)


def families(draw: random.Random) -> plots.Picture:
    limit = limits.difference(draw.uniform(0.01, 0.5))
    kinds: list[Any] = draw.sample((Laplace, Gaussian, Geometric, DiscreteGaussian), draw.randint(1, 4))
    steps = [frontier([limit], kind, failure=0.01)[0] for kind in kinds]
    given: Any = steps if draw.random() < 0.5 else {name(draw): step for step in steps}
    return plots.families_side_by_side(given, language=spoken(draw))


def units(draw: random.Random) -> plots.Picture:
    some = draw.sample(deployments(), draw.randint(1, 12))
    return plots.power_by_unit(some, language=spoken(draw))


def budget(draw: random.Random) -> plots.Picture:
    concern = census_2020.SCENARIOS[draw.choice(sorted(census_2020.SCENARIOS))]
    return plots.budget_by_query(expose(census_2020.plan(), concern), most=draw.randint(1, 40))


def panels(draw: random.Random) -> plots.Picture:
    at = np.linspace(0.0, 1.0, 21)
    x, y = plots.Axis(name(draw), 0.0, 1.0), plots.Axis(name(draw), 1e-6, 1.0, log=draw.random() < 0.5)
    shown = [
        plots.Panel(
            name(draw),
            x,
            y,
            {name(draw): (at, at ** draw.uniform(0.1, 9.0)) for _ in range(draw.randint(1, 5))},
            [plots.Mark(name(draw)[:20], draw.random(), draw.uniform(0.01, 1.0)) for _ in range(draw.randint(0, 6))],
        )
        for _ in range(draw.randint(1, 4))
    ]
    return plots.panels(shown, title=name(draw), caption=name(draw) * 5, columns=draw.randint(1, 3))


KINDS: tuple[Callable[[random.Random], plots.Picture], ...] = (
    posterior,
    over_releases,
    law,
    icons,
    accepted,
    map_of,
    accuracy,
    families,
    units,
    budget,
    panels,
    lambda draw: plots.level_and_power(promises(draw)),
    lambda draw: plots.profile_curve(promises(draw)),
    lambda draw: plots.loss_curve({name(draw): ApproxDP(draw.uniform(0.1, 5.0), 1e-6) for _ in range(3)}),
)


@pytest.mark.parametrize("seed", range(56))
def test_no_words_overlap_in_random_settings(seed):
    found = KINDS[seed % len(KINDS)](random.Random(seed))
    assert faults(found.svg()) == []
    if found.narrow is not None:
        narrow = found.narrowed().svg()
        assert faults(narrow) == []
        assert float(re.search(r'<svg[^>]* width="([0-9.]+)"', narrow)[1]) <= MOST_OF_A_NARROW_WINDOW


@pytest.mark.parametrize("shown", GALLERY, ids=lambda shown: shown.name)
def test_no_words_overlap_in_the_gallery(shown):
    assert faults(drawn(shown).svg()) == []


@pytest.mark.parametrize(("paper", "number"), [("KAA22", 1), ("KR24", 2), ("KR24", 5), ("KSZJY25", 3), ("KSZJY25", 5)])
def test_no_words_overlap_in_figures_of_papers(paper, number):
    assert faults(FIGURES[paper][number]().svg()) == []


@pytest.mark.parametrize("posterior", [0.101, 0.3, 0.95])
def test_no_words_overlap_in_the_course_of_an_account(tmp_path, posterior):
    with Ledger.create(tmp_path / "office.ledger", actor="ada") as ledger:
        ledger.declare("people")
        ledger.open("a" * 50, "people", limits=[limits.posterior(posterior, prior=0.1)], failure="0.01", books=["zcdp"])
        for _ in range(4):
            ledger.reserve("a" * 50, ZeroConcentratedDP(1e-7), what="x")
        svg = plots.account_over_time(course_of(ledger.store, "a" * 50)).svg()
    assert faults(svg) == []
    assert crossings(svg, f"limit {100 * posterior:.4g} %") == []


@pytest.mark.parametrize("seed", range(24))
def test_no_line_crosses_the_number_of_a_limit(seed):
    draw = random.Random(seed)
    before = draw.choice((0.01, 0.1, 0.3, 0.7))
    most = round(before + draw.uniform(0.02, 0.98) * (1.0 - before), 3)
    mark, epsilon = draw.choice((None, before)), draw.choice((0.05, 0.5, 1.0, 2.0, 10.0))
    allowed = limits.posterior(most, prior=before)
    svg = plots.posterior_against_prior(PureDP(epsilon), allowed=allowed, mark=mark, sides=draw.choice((1, 2))).svg()
    number = f"{100 * most:.4g} %"
    assert crossings(svg, f"limit {number}") == []
    assert faults(svg) == []


@pytest.mark.parametrize("limit", [0.11, 0.2, 0.35, 0.5, 0.8, 0.97])
@pytest.mark.parametrize("rho", [1e-4, 0.01, 0.3])
def test_no_line_crosses_the_number_of_a_limit_over_releases(limit, rho):
    risk = membership.PosteriorFrom(0.1)
    svg = plots.risk_over_releases(ZeroConcentratedDP(rho), risk, limit=limit, failure=0.01).svg()
    assert crossings(svg, f"limit {100 * limit:.4g} %") == []


def test_a_line_through_a_word_is_found():
    word = '<text font-size="12px" transform="translate({},{})">word</text>'
    for place in ((75, 90), (110, 104), (60, 154)):
        assert crossings(f"{CROSS}{word.format(*place)}</svg>", "word") != []
    for place in ((60, 12), (60, 140)):
        assert crossings(f"{CROSS}{word.format(*place)}</svg>", "word") == []


def planted(*places: tuple[float, float]) -> str:
    """A drawing with the same long word at each place."""
    mark = {"type": "text", "text": "planted word", "clip": False}
    layers = [
        {"data": {"values": [{}]}, "mark": mark, "encoding": {"x": {"value": x}, "y": {"value": y}}} for x, y in places
    ]
    body = {"width": 200, "height": 100, "layer": layers, "autosize": "none"}
    return pictured(body, title="t", caption="c", alt="a", table=plots.Columns({"a": [1]})).svg()


def test_words_that_overlap_or_leave_are_found():
    assert "'planted word' on 'planted word'" in faults(planted((100, 60), (130, 66)))
    assert "'planted word' leaves the picture" in faults(planted((195, 60)))
    assert not any("on 'planted" in fault for fault in faults(planted((100, 40), (100, 56))))


def test_the_words_of_a_picture_are_all_read():
    texts = [each.text for each in drawn_texts(plots.posterior_against_prior(PureDP(1.0)).svg())]
    for text in ("What an adversary may come to believe", "nothing learnt", "probability before the release (prior)"):
        assert texts.count(text) == 1
    assert texts.count("40 %") == 2  # on either axis


@pytest.mark.parametrize("style", ["Regular", "Bold"])
def test_the_width_of_a_text_is_that_of_its_letters(style):
    for text in ("How far a belief can rise: 12.5 %", LETTERS, "ΔδΣσ ≤ ∞ − …"):
        assert width(text, 12.0, bold=style == "Bold") == pytest.approx(advance(text, 12.0, style), rel=1e-12)
