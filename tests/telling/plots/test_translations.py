"""The pictures that reports use speak German and French: complete, with the numbers of the English ones."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from inspect import signature
from string import Formatter
from xml.etree import ElementTree

import pytest
from drawn_texts import drawn_lines, drawn_texts, faults
from english_words import english_words
from offenders import check_all
from parsed_texts import MANNERS, NARROW, NO_BREAK

from whit.errors import InvalidInput
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.guarantees.composition import AdvancedComposition
from whit.ledger import Ledger, course_of
from whit.mechanisms import Gaussian, Geometric, Laplace
from whit.policy import frontier, limits, profiles
from whit.semantics import testing
from whit.semantics.membership import DifferenceAtAnyPrior, PosteriorFrom
from whit.setting import Knowledge, Neighbours, When
from whit.telling import plots
from whit.telling.catalogue import by_unit, deployments
from whit.telling.plots.picture import Picture
from whit.telling.plots.wording import words_of
from whit.telling.words.language import languages

OTHERS = [code for code in MANNERS if code != "en"]
each_language = pytest.mark.parametrize("code", OTHERS)
LIMIT = limits.posterior(0.305, prior=0.1)
CAPPED = profiles.capped(relative=3.0, absolute=0.25, value=1.0)
BOX = profiles.box(2.0, inclusion=(0.1, 0.5), value=(1.0, 1.0))
UNDER = {"neighbours": Neighbours.ADD_REMOVE}

Drawing = Callable[[str], Picture]


def posterior(epsilon: float, **more: object) -> Drawing:
    return lambda code: plots.posterior_against_prior(PureDP(epsilon), language=code, **more)


PICTURES: dict[str, Drawing] = {
    "posterior with a limit": posterior(1.25, allowed=LIMIT, mark=0.1),
    "posterior that is all but certain": posterior(10.0, allowed=LIMIT, mark=0.1, sides=2),
    "posterior with a profile": posterior(0.5, allowed=CAPPED, by_profile=True),
    "posterior with a box": posterior(0.5, allowed=BOX, knows=Knowledge.EVERYONE_ELSE),
    "posterior of several": lambda code: plots.posterior_against_prior(
        {"A": Gaussian(2.5), "B": Gaussian(1.5)}, failure=0.001, language=code, **UNDER
    ),
    "accuracy against risk": lambda code: plots.accuracy_against_risk(
        frontier([limits.difference(0.15), limits.difference(0.35)], Laplace), language=code
    ),
    "level and power": lambda code: plots.level_and_power(Gaussian(1.5), language=code, **UNDER),
    "level and power for any belief": lambda code: plots.level_and_power(
        PureDP(0.5), language=code, knows=Knowledge.ANY_BELIEF
    ),
    "privacy profile": lambda code: plots.profile_curve(Gaussian(2.5), language=code, **UNDER),
    "privacy loss": lambda code: plots.loss_curve(Gaussian(2.5), language=code, **UNDER),
    "privacy loss in both directions": lambda code: plots.loss_curve(PureDP(0.5), sides=2, language=code),
    "law of the posterior": lambda code: plots.posterior_law(Gaussian(2.5), 0.1, language=code, **UNDER),
    "laws of several": lambda code: plots.posterior_law({"A": Gaussian(2.5), "B": Gaussian(1.5)}, 0.1, language=code),
    "risk over releases": lambda code: plots.risk_over_releases(
        PureDP(0.25), PosteriorFrom(0.105), [1, 5, 20], limit=0.305, language=code, **UNDER
    ),
    "risk over releases by a rule, ever": lambda code: plots.risk_over_releases(
        {"A": ApproxDP(0.25, 1e-6), "B": ApproxDP(0.5, 1e-6)},
        DifferenceAtAnyPrior(),
        [1, 5, 20],
        failure=0.015,
        sides=2,
        rule=AdvancedComposition(delta=1e-4),
        knows=Knowledge.EVERYONE_ELSE,
        when=When.EVER,
        language=code,
    ),
    "families": lambda code: plots.families_side_by_side(
        [frontier([LIMIT], kind)[0] for kind in (Laplace, Geometric)], language=code
    ),
    "families with an exception": lambda code: plots.families_side_by_side(
        [frontier([LIMIT], kind, failure=0.015)[0] for kind in (Laplace, Gaussian)], language=code
    ),
    "profile and epsilon": lambda code: plots.profile_and_epsilon(CAPPED, language=code),
    "profiles and epsilon": lambda code: plots.profile_and_epsilon({"A": CAPPED, "B": BOX}, language=code),
    "profile along the value": lambda code: plots.profile_and_epsilon(
        profiles.capped(relative=3.0, absolute=0.25, inclusion=0.5), language=code
    ),
    "map of a profile": lambda code: plots.profile_map(
        profiles.capped(relative=3.0, absolute=0.25), cells=6, language=code
    ),
    "power by unit": lambda code: plots.power_by_unit(deployments(), language=code),
    "icons": lambda code: plots.icon_arrays(0.05, testing.power(PureDP(1.2), 0.05), language=code),
    "small icons": lambda code: plots.icon_arrays(
        0.0005, testing.power(PureDP(1.2), 0.0005), language=code, people=True, of="epsilon"
    ),
}


@pytest.fixture
def account(tmp_path) -> Drawing:
    with Ledger.create(tmp_path / "office.ledger", actor="ada") as ledger:
        ledger.declare("people")
        ledger.open("survey", "people", limits=[LIMIT], failure="0.01", books=["zcdp"])
        for _ in range(4):
            ledger.reserve("survey", ZeroConcentratedDP(0.01), what="x")
        course = course_of(ledger.store, "survey")
    return lambda code: plots.account_over_time(course, language=code)


def gaps(template: str) -> set[str]:
    return {gap for _, gap, _, _ in Formatter().parse(template) if gap is not None}


def templates(code: str) -> dict[str, str]:
    return dict(words_of(code).language.templates)


def numbers(text: str, code: str) -> Counter[float]:
    """The numbers of a text as a reader of the language takes them."""
    manner = MANNERS[code]
    thousands = f"{NARROW} " if code == "en" else NARROW  # counts of icons have a space in English
    decimal = re.escape(manner.decimal)
    found = re.findall(rf"\d{{1,3}}(?:[{thousands}]\d{{3}})+(?!\d)|\d+(?:{decimal}\d+)?(?:e-?\d+)?", text)
    return Counter(float(each.replace(NARROW, "").replace(" ", "").replace(manner.decimal, ".")) for each in found)


def written(picture: Picture) -> str:
    return "\n".join(each.text for each in drawn_texts(picture.svg()))


def check_same(drawing: Drawing, code: str) -> None:
    """The words are of the language alone, and every number of description and drawing is that of the English one."""
    ours, english = drawing(code), drawing("en")
    for text in (ours.alt, ours.title, written(ours)):
        assert english_words(text) == []
    assert numbers(ours.alt, code) == numbers(english.alt, "en")
    assert numbers(written(ours), code) == numbers(written(english), "en")
    assert list(ours.table.values())[1:] == list(english.table.values())[1:]
    assert faults(ours.svg()) == []


def test_pictures_have_the_languages_of_explain():
    assert set(MANNERS) == set(languages())


@each_language
def test_no_key_and_no_gap_is_missing_or_extra(code):
    ours, english = templates(code), templates("en")
    assert ours.keys() ^ english.keys() == set()
    assert [key for key in english if gaps(ours[key]) != gaps(english[key])] == []


@each_language
def test_no_sentence_has_an_english_word(code):
    check_all(templates(code), lambda text: english_words(re.sub(r"\{\w+\}", "", text)))


def test_french_spaces_do_not_break():
    check_all(templates("fr"), lambda text: re.findall(r"[ ][%:;?!»]|«[^\u00a0]|\w'\w", text))


@each_language
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_the_numbers_of_the_english_one(code, name):
    check_same(PICTURES[name], code)


@each_language
def test_an_account_has_the_numbers_of_the_english_one(account, code):
    check_same(account, code)


@each_language
def test_every_unit_of_the_catalogue_has_a_name_in_the_language(code):
    names = words_of(code).language.names
    assert {unit.name for unit in by_unit()} - names["unit"].keys() == set()
    assert {unit.period for unit in by_unit()} - names["period"].keys() == set()


NO_PICTURES = ("plot", "panels", "explorable", "library_script")
"""What picks, joins or serves pictures, whose words are made before."""


def test_every_picture_can_be_asked_for_in_a_language():
    drawing = [
        name for name in plots.__all__ if name.islower() and callable(getattr(plots, name)) and name not in NO_PICTURES
    ]
    assert len(drawing) >= 12
    assert [name for name in drawing if "language" not in signature(getattr(plots, name)).parameters] == []


def test_a_changed_number_is_found():
    assert numbers(f"5,5{NO_BREAK}% von 1{NARROW}000, 1,5e-4", "de") == numbers("5.5 % of 1 000, 1.5e-4", "en")
    assert numbers(f"5,6{NO_BREAK}%", "fr") != numbers("5.5 %", "en")


@pytest.mark.parametrize("name", PICTURES)
def test_english_is_the_language_of_a_picture_that_names_none(name):
    assert PICTURES[name]("en").language == "en"
    assert plots.profile_curve(PureDP(0.5)).alt == plots.profile_curve(PureDP(0.5), language="en").alt


def test_a_language_that_is_not_there_is_refused():
    with pytest.raises(InvalidInput, match="language must be one that the sentences are written in"):
        plots.profile_curve(PureDP(0.5), language="tlh")


@each_language
def test_files_say_the_language(code):
    picture = PICTURES["posterior with a limit"](code)
    page = picture.html()
    assert f'<html lang="{code}">' in page
    assert {"de": "Die Zahlen hinter dem Bild", "fr": "Les nombres derrière l’image"}[code] in page
    assert b"/Lang (%s)" % code.encode() in picture.pdf()


@pytest.mark.parametrize(
    ("code", "limit", "dot"),
    [
        ("en", "limit 30.5 %", "at most 27.9 %"),
        ("de", "Grenze 30,5 %", "höchstens 27,9 %"),
        ("fr", "limite 30,5 %", "au plus 27,9 %"),
    ],
)
def test_limit_and_dot_have_their_numbers(code, limit, dot):
    # From 10 % with epsilon = 1.25: 0.1 e^1.25 / (0.1 e^1.25 + 0.9) = 27.94 %, rounded up.
    after = 0.1 * math.exp(1.25) / (0.1 * math.exp(1.25) + 0.9)
    assert 0.278 < after < 0.28
    texts = written(PICTURES["posterior with a limit"](code)).replace(NO_BREAK, " ").split("\n")
    assert limit in texts
    assert (
        dot.replace("27.9", f"{math.ceil(after * 1000) / 10:g}").replace(
            "27,9", f"{math.ceil(after * 1000) / 10:g}".replace(".", ",")
        )
        in texts
    )


def test_the_dot_is_on_the_line_at_a_prior_that_is_not_drawn_otherwise():
    picture = plots.posterior_against_prior(PureDP(1.0), mark=0.1234)
    (place,) = [n for n, prior in enumerate(picture.table["prior"]) if prior == 0.1234]
    after = 0.1234 * math.e / (0.1234 * math.e + 1 - 0.1234)
    assert picture.table["posterior at most: epsilon = 1"][place] == pytest.approx(after, rel=1e-12)
    assert f"from 12.34 % to at most {math.ceil(1000 * after) / 10:g} %" in picture.alt


def test_a_mark_that_is_no_probability_is_refused():
    with pytest.raises(InvalidInput, match="mark must be"):
        plots.posterior_against_prior(PureDP(1.0), mark=1.5)


@pytest.mark.parametrize("draw", [posterior(10.0), lambda code: plots.level_and_power(PureDP(10.0), language=code)])
def test_no_curve_lies_on_the_line_of_an_axis(draw):
    root = ElementTree.fromstring(draw("en").svg())
    domains = list(drawn_lines(root, role="role-axis-domain"))
    assert len(domains) in (2, 4)
    for start, end in drawn_lines(root):
        for low, high in domains:
            along = int(abs(high - low).argmin())  # the coordinate that an axis does not move along
            inside = min(low[1 - along], high[1 - along]) <= start[1 - along] <= max(low[1 - along], high[1 - along])
            assert not inside or min(abs(start[along] - low[along]), abs(end[along] - low[along])) >= 3.0
