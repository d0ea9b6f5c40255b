"""The pages of questions in a real browser: main paths with script and without, live answers, sizes, axe."""

from __future__ import annotations

import pytest
from web_server import Browsing, violations

pytestmark = pytest.mark.web

PAGES = (
    "/explore",
    "/explore?kind=rho&parameter=x&prior=0.1",
    "/explore/posterior?gaussian=2&failure=0.01&prior=0.1",
    "/choose",
    "/choose?quantity=profile",
    "/claim?claim=epsilon%3D4&prior=0.1",
    "/plan",
    "/plan?scenario=D",
    "/report",
    "/choose?quantity=beliefs&for=epsilon",
    "/choose/frontier?quantity=posterior&limit=0.3&prior=0.1&failure=0.01&for=laplace",
    "/audit",
    "/learn",
    "/learn/theorems/losses-are-convex-in-mu",
    "/learn/assumptions",
    "/learn/glossary",
    "/learn/catalogue",
)


@pytest.mark.parametrize("script", [True, False])
def test_a_promise_is_explored(browser: Browsing, script):
    page = browser.window(script=script)
    page.goto(f"{browser.server.url}/explore")
    page.get_by_label("What is known of it").select_option("epsilon")
    page.get_by_label("Its parameter", exact=True).fill("1")
    page.get_by_role("button", name="Answer").click()
    page.get_by_text("goes from 10\u00a0% to at most 23.2\u00a0%.").first.wait_for()
    page.get_by_text("Posterior: at most 23.2\u00a0%").click()
    page.locator("details[open] a").first.click()
    page.get_by_role("heading", level=1).wait_for()
    assert "/learn/theorems/" in page.url


@pytest.mark.parametrize("script", [True, False])
def test_a_table_is_audited(browser: Browsing, script):
    page = browser.window(script=script)
    page.goto(f"{browser.server.url}/audit")
    page.get_by_role("button", name="Audit").click()
    page.get_by_text("north × old is exactly 2:").wait_for()
    assert not script or violations(page) == []  # axe is a script
    page.get_by_label("The table in CSV").fill("x,value,flag\na,,c\nb,,c\nTotal,9,\n")
    page.get_by_role("button", name="Audit").click()
    page.get_by_role("cell", name="0 to 9").first.wait_for()
    assert page.get_by_text("Allowed.").is_visible()


def test_what_is_typed_while_an_answer_is_on_its_way_stays(browser: Browsing):
    page = browser.window()
    held: list = []
    page.route("**/explore?kind=rho*", lambda route: route.continue_() if held else held.append(route))
    page.goto(f"{browser.server.url}/explore?kind=epsilon&parameter=2&prior=0.1")
    before = page.request.get(f"{browser.server.url}/explore?kind=rho&parameter=2&prior=0.1").text()
    page.get_by_label("What is known of it").select_option("rho")
    while not held:
        page.wait_for_timeout(20)
    page.get_by_label("Its parameter", exact=True).fill("1.25")
    held[0].fulfill(body=before, content_type="text/html")
    for _ in range(8):
        page.wait_for_timeout(20)
        assert page.get_by_label("Its parameter", exact=True).input_value() == "1.25"
    page.get_by_text("Asked of: rho = 1.25.").wait_for()
    assert page.get_by_label("Its parameter", exact=True).input_value() == "1.25"


def test_the_answer_follows_the_slider_and_the_address_holds_the_question(browser: Browsing):
    page = browser.window()
    page.goto(f"{browser.server.url}/explore?kind=epsilon&parameter=1&prior=0.1")
    page.get_by_label("Its parameter, as a slider").focus()
    before = page.locator(".told .card").inner_text()
    page.keyboard.press("ArrowRight")
    page.get_by_text("Asked of: epsilon = 1.01.").wait_for()
    assert page.locator(".told .card").inner_text() != before
    assert "parameter=1.01" in page.url
    said = page.locator(".told .card").inner_text()
    page.reload()
    assert page.locator(".told .card").inner_text() == said
    other = browser.window()
    other.goto(page.url)
    assert other.locator(".told .card").inner_text() == said


@pytest.mark.parametrize("script", [True, False])
def test_a_parameter_is_chosen(browser: Browsing, script):
    page = browser.window(script=script)
    page.goto(f"{browser.server.url}/choose")
    page.get_by_label("The limit", exact=True).fill("0.2")
    page.get_by_role("checkbox", name="Laplace noise").uncheck()
    page.get_by_role("button", name="Find the parameters").click()
    page.get_by_text("posterior at a prior of 10 %: at most 20 %").first.wait_for()
    assert page.get_by_role("heading", name="Laplace noise").count() == 0
    page.go_back()
    page.get_by_role("heading", name="Laplace noise").wait_for()


@pytest.mark.parametrize("script", [True, False])
def test_a_claim_is_assessed(browser: Browsing, script):
    page = browser.window(script=script)
    page.goto(f"{browser.server.url}/claim")
    page.get_by_label("The claim").fill("epsilon=4, unit=user")
    page.get_by_role("button", name="Assess the claim").click()
    page.get_by_text("points open").first.wait_for(timeout=30_000)
    assert "claim=epsilon" in page.url


@pytest.mark.parametrize("script", [True, False])
def test_a_concern_of_the_census_is_answered(browser: Browsing, script):
    page = browser.window(script=script)
    page.goto(f"{browser.server.url}/plan")
    page.get_by_label("A concern of the Census paper").select_option("D")
    page.get_by_role("button", name="Answer for the Census").click()
    page.get_by_text("Scenario D (HISPANIC).").first.wait_for()
    assert "scenario=D" in page.url


@pytest.mark.parametrize("script", [True, False])
def test_a_release_becomes_a_file(browser: Browsing, script):
    page = browser.window(script=script)
    page.goto(f"{browser.server.url}/report")
    page.get_by_label("What is released").fill("Visits by month")
    page.get_by_label("Who publishes it").fill("An office")
    page.get_by_role("button", name="Check your answers").click()
    page.get_by_role("heading", name="Check your answers").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="The release file (TOML)").click()
    assert "Visits by month" in download.value.path().read_text("utf-8")
    page.get_by_role("button", name="Change the answers").click()
    page.get_by_label("What is released").wait_for()
    assert page.get_by_label("What is released").input_value() == "Visits by month"


@pytest.mark.parametrize("script", [True, False])
def test_theorems_are_searched(browser: Browsing, script):
    page = browser.window(script=script)
    page.goto(f"{browser.server.url}/learn")
    page.get_by_label("Only theorems with the word").fill("convex in mu")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="The loss except with a failure probability is convex in mu").click()
    page.get_by_role("heading", name="Proof").wait_for()
    assert page.url.endswith("/learn/theorems/losses-are-convex-in-mu")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1400])
def test_every_page_fits_its_window_and_axe_finds_nothing(browser: Browsing, width, dark):
    page = browser.window(width=width, dark=dark)
    found = {}
    for path in PAGES:
        page.goto(f"{browser.server.url}{path}")
        wide = page.evaluate("document.documentElement.scrollWidth") - width
        found[path] = violations(page) + ([f"{wide} pixels too wide"] if wide > 0 else [])
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_the_answers_of_a_report_to_check_are_liked_by_axe(browser: Browsing):
    page = browser.window()
    page.goto(f"{browser.server.url}/report")
    page.get_by_label("What is released").fill("Visits by month")
    page.get_by_label("Who publishes it").fill("An office")
    page.get_by_role("button", name="Check your answers").click()
    page.get_by_role("heading", name="Check your answers").wait_for()
    assert violations(page) == []


QUESTIONS = {
    "/explore?kind=rho&parameter=0.1&prior=0.1&failure=0.01": "/explore?kind=mu&parameter=0.5&prior=0.2&failure=0.01",
    "/choose?quantity=power&limit=0.3&level=0.05&for=mu": "/choose?quantity=power&limit=0.2&level=0.05&for=epsilon",
    "/claim?claim=epsilon%3D4&prior=0.1": "/claim?claim=rho%3D0.1&prior=0.1",
    "/plan?scenario=D": "/plan?scenario=A",
    "/learn?about=convex": "/learn?about=stopping",
}
"""A question of each page that has one, and another one."""


@pytest.mark.parametrize("first", QUESTIONS)
@pytest.mark.parametrize("script", [True, False])
def test_back_reload_and_a_shared_address_give_the_same_answer(browser: Browsing, first, script):
    page = browser.window(script=script)
    page.goto(f"{browser.server.url}{first}")
    said, asked = page.locator("main").inner_text(), page.url
    page.goto(f"{browser.server.url}{QUESTIONS[first]}")
    assert page.locator("main").inner_text() != said
    page.go_back()
    assert (page.url, page.locator("main").inner_text()) == (asked, said)
    page.reload()
    assert page.locator("main").inner_text() == said
    other = browser.window(script=script)
    other.goto(asked)
    assert other.locator("main").inner_text() == said


DOWN = "ArrowDown"
KEYS = {
    "/explore": [("Its parameter", "3"), ("Answer", None)],
    "/choose": [("The limit", "0.2"), ("Find the parameters", None)],
    "/claim": [("The claim", "epsilon=4"), ("Assess the claim", None)],
    "/plan": [("A concern of the Census paper", DOWN), ("Answer for the Census", None)],
    "/report": [
        ("What is released", "Visits by month"),
        ("Who publishes it", "An office"),
        ("Check your answers", None),
    ],
    "/learn": [("Only theorems with the word", "convex"), ("Search", None)],
    "/audit": [("Audit", None)],
}
"""What somebody does on each page: where they go, and what they type; nothing where they press Enter."""

ANSWERS = {
    "/explore": "Asked of: ",
    "/choose": "at most 20",
    "/claim": "points open",
    "/plan": "Scenario D (HISPANIC).",
    "/report": "Check your answers",
    "/learn": "convex in mu",
    "/audit": "is exactly 2",
}

FOCUS = """() => {
  const at = document.activeElement;
  return at.matches("a") ? "" : at.getAttribute("aria-label") || at.labels?.[0]?.innerText || at.innerText || "";
}"""
"""What has the focus, unless it is a link."""


def _is_next(page, words: str) -> bool:
    """Whether one more Tab leads to what has these words."""
    page.keyboard.press("Tab")
    return page.evaluate(FOCUS).strip() == words


@pytest.mark.parametrize("path", KEYS)
def test_the_keyboard_alone_is_enough(browser: Browsing, path):
    page = browser.window()
    page.goto(f"{browser.server.url}{path}")
    for words, typed in KEYS[path]:
        assert any(_is_next(page, words) for _ in range(80)), f"no Tab leads to {words}"
        if typed in (None, DOWN):
            page.keyboard.press(typed or "Enter")
        else:
            page.keyboard.press("Control+A")
            page.keyboard.type(typed)
    said = page.get_by_text(ANSWERS[path]).first
    said.wait_for(timeout=60_000)
    assert said.is_visible()


CLAIM = "/claim?claim=epsilon%3D4%2C+unit%3Duser%2C+period%3Done+day&prior=0.1"


@pytest.mark.parametrize("path", [CLAIM, "/learn/catalogue"])
def test_a_narrow_page_shows_captions_and_sentences_of_tables_whole(browser: Browsing, path):
    page = browser.window()
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(f"{browser.server.url}{path}")
    beyond = (
        "nodes => nodes.filter(node => node.getBoundingClientRect().right > innerWidth).map(node => node.innerText)"
    )
    assert page.locator("caption").evaluate_all(beyond) == []
    assert page.locator(".stacked td").count() > 0
    assert page.locator(".stacked td").evaluate_all(beyond) == []
    assert page.get_by_role("row").count() > 0


def test_a_case_of_a_claim_is_indented_and_the_answer_is_apart_from_the_button(browser: Browsing):
    page = browser.window()
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(f"{browser.server.url}{CLAIM}")
    case = page.locator(".told .card .case").first
    assert case.inner_text().startswith("If ")
    left = "node => node.getBoundingClientRect().left + parseFloat(getComputedStyle(node).paddingLeft)"
    assert case.evaluate(left) > page.locator(".told .card p").first.evaluate(left)
    button = page.get_by_role("button", name="Assess the claim").evaluate("node => node.getBoundingClientRect().bottom")
    assert page.locator(".told .card").evaluate("node => node.getBoundingClientRect().top") >= button + 8


@pytest.mark.parametrize("width", [360, 1400])
def test_a_door_of_the_start_page_holds_its_description(browser: Browsing, width):
    page = browser.window()
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(browser.server.url)
    fills = page.locator(".doors li").evaluate_all("nodes => nodes.map(node => getComputedStyle(node).backgroundColor)")
    assert len(set(fills)) == 1
    assert fills[0] != "rgba(0, 0, 0, 0)"
