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
