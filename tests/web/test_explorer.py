"""The explorer file in a real browser: its script's own arithmetic against whit, and what a reader sees."""

from __future__ import annotations

import re

import numpy as np
import pytest
from web_server import violations

from whit import Adversary, ApproxDP, Gaussian, GaussianDP, Knowledge, PureDP, ZeroConcentratedDP, assess
from whit.apps.asking import ask
from whit.setting import When
from whit.telling.explorer import write_explorer
from whit.telling.explorer.tables import FAILURES, LEVELS

pytestmark = pytest.mark.web

MOST = 0.002
"""The bounds of the file exceed those of whit by at most 0.2 percentage points."""

ASK = "(all) => all.map((one) => [WHIT.posterior(one, one.prior), WHIT.power(one, one.level)])"

PARAMETERS = {
    "pure": {"epsilon": (0.01, 10)},
    "approximate": {"epsilon": (0.01, 10), "delta": (1e-12, 0.1)},
    "zcdp": {"rho": (1e-4, 32)},
    "gdp": {"mu": (0.01, 8)},
    "gaussian": {"sigma": (0.125, 100)},
}


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> str:
    return write_explorer(tmp_path_factory.mktemp("explorer") / "explorer.html").as_uri()


@pytest.fixture
def window(chromium, place):
    """A window with the file, in which nothing may be asked of anybody and no script may fail."""
    made, seen = [], []

    def opened(asked: str = "", *, width: int = 1400, dark: bool = False, script: bool = True):
        scheme = "dark" if dark else "light"
        size = {"width": width, "height": 900}
        context = chromium.new_context(viewport=size, color_scheme=scheme, java_script_enabled=script)
        made.append(context)
        page = context.new_page()
        page.on("request", lambda request: seen.append(request.url))
        page.on("pageerror", lambda error: seen.append(str(error)))
        page.on("console", lambda said: seen.append(said.text))
        page.goto(place + asked)
        return page

    yield opened
    for context in made:
        context.close()
    assert [each for each in seen if each.partition("#")[0] != place] == []


def question(random: np.random.Generator) -> dict:
    """Any question that the file takes."""
    kind = str(random.choice(list(PARAMETERS)))
    numbers = {
        name: float(np.clip(np.exp(random.uniform(np.log(low), np.log(high))), low, high))
        for name, (low, high) in PARAMETERS[kind].items()
    }
    prior = float(1 / (1 + np.exp(-random.uniform(-9, 9))))
    words = {
        "knows": str(random.choice(["any-belief", "everyone-else"])),
        "when": str(random.choice(["end", "ever"])),
    }
    shares = {"failure": float(random.choice(FAILURES)), "level": float(random.choice(LEVELS))}
    return {"kind": kind, **numbers, **words, **shares, "prior": prior}


def of_whit(asked: dict) -> tuple[float, float]:
    """The posterior and the power that whit gives; 1 where it bounds nothing."""
    made = {
        "pure": lambda: PureDP(asked["epsilon"]),
        "approximate": lambda: ApproxDP(asked["epsilon"], asked["delta"]),
        "zcdp": lambda: ZeroConcentratedDP(asked["rho"]),
        "gdp": lambda: GaussianDP(asked["mu"]),
        "gaussian": lambda: Gaussian(asked["sigma"]),
    }
    knows = Knowledge.ANY_BELIEF if asked["knows"] == "any-belief" else Knowledge.EVERYONE_ELSE
    adversary = Adversary(prior=asked["prior"], knows=knows, when=When.END if asked["when"] == "end" else When.EVER)
    found = assess(
        made[asked["kind"]](),
        adversary,
        failure=asked["failure"],
        level=asked["level"],
        questions=["posterior", "power"],
    )
    posterior = float(found.posterior.value) if "posterior" in found.answered else 1.0
    return posterior, float(found.power.value)


def below_and_beyond(page, count: int, seed: int) -> tuple[list, list]:
    """The questions that the script answers below whit, and those that it answers by too much above."""
    random = np.random.default_rng(seed)
    asked = [question(random) for _ in range(count)]
    told = np.array(page.evaluate(ASK, asked))
    ours = np.array([of_whit(each) for each in asked])
    low = [(each, *pair) for each, *pair in zip(asked, told, ours, strict=True) if (pair[0] < pair[1]).any()]
    wide = [(each, *pair) for each, *pair in zip(asked, told, ours, strict=True) if (pair[0] > pair[1] + MOST).any()]
    return low, wide


def test_the_script_is_never_below_whit_and_hardly_above(window):
    assert below_and_beyond(window(), 600, seed=3) == ([], [])


@pytest.mark.slow
def test_the_script_is_never_below_whit_and_hardly_above_at_ten_thousand_points(window):
    assert below_and_beyond(window(), 10_000, seed=4) == ([], [])


def test_the_ends_of_every_range_are_answered_on_the_safe_side(window):
    base = {"knows": "everyone-else", "when": "ever", "failure": 0.01, "level": 0.05, "prior": 0.1}
    asked = [
        {"kind": kind, **base, **{name: ends[end] for name, ends in numbers.items()}}
        for kind, numbers in PARAMETERS.items()
        for end in (0, 1)
    ]
    told = np.array(window().evaluate(ASK, asked))
    ours = np.array([of_whit(each) for each in asked])
    assert (told >= ours).all()
    assert (told <= ours + MOST).all()


def test_beyond_the_tables_nothing_is_ruled_out(window):
    asked = {"knows": "any-belief", "when": "end", "failure": 0.01, "level": 0.05, "prior": 0.1}
    told = window().evaluate(ASK, [{"kind": "gdp", "mu": 8.001, **asked}, {"kind": "zcdp", "rho": 1e300, **asked}])
    assert told == [[1, 1], [1, 1]]


def test_the_sentence_is_that_of_the_command_line(window):
    page = window("#kind=pure&epsilon=1&prior=10")
    sentence = "The adversary's belief in the truth goes from 10 % to at most 23.2 %."
    assert page.locator("#posterior-sentence").inner_text() == sentence
    page = window("#kind=zcdp&rho=0.5&prior=10&failure=0.01")
    sentence = "The adversary's belief in the truth goes from 10 % to at most 79.3 %, except with probability 1 %."
    assert page.locator("#posterior-sentence").inner_text() == sentence


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        ("kind=pure&epsilon=1&prior=0.1", {"epsilon": 1.0, "prior": 0.001}),
        ("kind=pure&epsilon=1&prior=1", {"epsilon": 1.0, "prior": 0.01}),
        ("kind=pure&epsilon=0.5&prior=30", {"epsilon": 0.5, "prior": 0.3}),
    ],
)
def test_a_small_risk_has_the_digits_of_the_command_line(window, asked, options):
    said = ask("assess", options).opening.partition("\n")[0]
    assert window(f"#{asked}").locator("#posterior-sentence").inner_text() == said


@pytest.mark.parametrize("kind", PARAMETERS)
@pytest.mark.parametrize("width", [360, 1400])
def test_no_label_of_a_picture_is_cut(window, kind, width):
    cut = """() => [...document.querySelectorAll("svg text")].filter((each) => {
        const [inner, outer] = [each.getBoundingClientRect(), each.closest("svg").getBoundingClientRect()];
        return inner.left < outer.left || inner.right > outer.right || inner.bottom > outer.bottom;
    }).map((each) => each.textContent)"""
    page = window(f"#kind={kind}", width=width)
    assert page.locator("svg text").count() > 10
    assert page.evaluate(cut) == []


def test_the_question_stays_in_the_address_and_comes_back(window):
    page = window()
    page.select_option("#kind", "gaussian")
    page.fill("#sigma", "1.5")
    page.select_option("#knows", "everyone-else")
    page.select_option("#when", "ever")
    said = page.locator("#posterior-sentence").inner_text()
    again = window("#" + page.url.partition("#")[2])
    assert again.locator("#posterior-sentence").inner_text() == said
    command = again.locator("#command").text_content()
    assert command.startswith("whit assess --gaussian 1.5 --knows everyone-else --when ever --failure 0.01")


def test_a_number_out_of_range_is_refused_in_a_sentence_and_no_answer_is_shown(window):
    page = window()
    page.fill("#epsilon", "30")
    said = "epsilon must be between 0.01 and 10; got 30. Use 1."
    assert page.locator("#epsilon-wrong").inner_text() == said
    assert not page.locator("#answers").is_visible()
    page.fill("#epsilon", "2")
    assert page.locator("#answers").is_visible()
    assert page.locator("#epsilon-wrong").inner_text() == ""


def test_the_keyboard_alone_reaches_and_moves_everything(window):
    page = window()
    before = page.locator("#posterior-sentence").inner_text()
    page.locator("#kind").focus()
    page.keyboard.press("Tab")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert float(page.input_value("#epsilon")) > 1
    assert page.locator("#posterior-sentence").inner_text() != before
    reached = set()
    for _ in range(20):
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.dataset.of || ''"))
        page.keyboard.press("Tab")
    assert {"epsilon", "prior", "when", "level"} <= reached


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1400])
def test_every_kind_fits_its_window_and_axe_finds_nothing(window, width, dark):
    for kind in PARAMETERS:
        page = window(f"#kind={kind}", width=width, dark=dark)
        page.locator("details").evaluate("(each) => { each.open = true; }")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == []


def test_without_script_the_file_says_what_to_do(window):
    assert "The explorer needs its script" in window(script=False).locator("noscript").inner_text()


def test_the_tables_under_the_pictures_have_the_numbers_of_the_sentences(window):
    page = window("#kind=gdp&mu=1&prior=10&failure=0.01")
    chosen = page.locator("#posterior-rows tr.chosen").inner_text()
    assert re.split(r"\s{2,}|\t", chosen)[:2] == ["10 %", "71.7 %"]
