"""The main paths in a real browser: with script and without, by keyboard alone, narrow and wide, light and dark."""

from __future__ import annotations

import getpass
from urllib.parse import urlsplit

import pytest
from web_server import Browsing, violations

from whit.guarantees import ZeroConcentratedDP
from whit.ledger import Ledger, State

pytestmark = pytest.mark.web

PAGES = ("/", "/ledger", "/ledger/open", "/ledger/import", "/ledger/verify", "/ledger/verify?ask=yes", "/nowhere")


@pytest.fixture
def used(ledger):
    """The ledger after some releases, and with a request that waits."""
    with Ledger(ledger, actor="ada") as book:
        for month in ("January", "February", "March"):
            book.release(book.reserve("patients 2026", ZeroConcentratedDP(0.005), what=f"table of {month}").number)
        book.plan("patients for two", ZeroConcentratedDP(0.01), what="a request of somebody else")
    return ledger


def entries(path, account="patients 2026"):
    with Ledger(path, actor="test") as book:
        return book.history(account)


def fill(page, account="patients 2026", what="table of April"):
    address = urlsplit(page.url)
    page.goto(f"{address.scheme}://{address.netloc}/ledger")
    page.get_by_role("link", name=account, exact=True).click()
    page.get_by_role("link", name="Ask for a release").click()
    page.get_by_label("What is released").fill(what)
    page.get_by_label("Its value").fill("0.005")
    with page.expect_navigation():
        page.get_by_role("button", name="Continue").click()


@pytest.mark.parametrize("script", [True, False])
def test_a_release_is_reserved(browser: Browsing, used, script):
    page = browser.window(script=script)
    fill(page)
    assert page.get_by_role("heading", name="Check your answers").is_visible()
    assert len(entries(used)) == 3
    page.get_by_role("button", name="Reserve").click()
    assert "is reserved" in page.locator("h1").inner_text()
    assert entries(used)[0].what == "table of April"


@pytest.mark.parametrize("script", [True, False])
def test_a_double_click_makes_one_entry(browser: Browsing, used, script):
    page = browser.window(script=script)
    fill(page)
    page.get_by_role("button", name="Reserve").dblclick()
    page.get_by_role("heading", name="is reserved").wait_for()
    assert len(entries(used)) == 4


def test_two_windows_make_one_entry(browser: Browsing, used):
    first = browser.window()
    second = first.context.new_page()
    second.goto(browser.server.url)
    for page in (first, second):
        fill(page)
    for page in (first, second):
        page.get_by_role("button", name="Reserve").click()
        page.get_by_role("heading", name="is reserved").wait_for()
    assert first.url == second.url
    assert len(entries(used)) == 4


def test_a_receipt_that_is_loaded_again_sends_nothing_again(browser: Browsing, used):
    page = browser.window()
    fill(page)
    page.get_by_role("button", name="Reserve").click()
    page.get_by_role("heading", name="is reserved").wait_for()
    page.reload()
    page.get_by_role("heading", name="is reserved").wait_for()
    assert len(entries(used)) == 4


def test_a_second_person_approves_what_somebody_else_asked_for(browser: Browsing, used):
    page = browser.window()
    page.goto(f"{browser.server.url}/ledger")
    waiting = entries(used, "patients for two")[0].number
    page.get_by_role("link", name=str(waiting), exact=True).click()
    page.get_by_role("button", name="Approve and reserve").click()
    page.get_by_role("heading", name="is reserved").wait_for()
    found = entries(used, "patients for two")[0]
    assert (found.state, found.requester, found.approver) == (State.RESERVED, "ada", getpass.getuser())


def test_the_way_by_keyboard_alone(browser: Browsing, used):
    page = browser.window()
    page.goto(f"{browser.server.url}/ledger")

    def go(words: str) -> None:
        """Press Tab until what has the focus says the words."""
        for _ in range(60):
            page.keyboard.press("Tab")
            focus = page.evaluate("document.activeElement.labels?.[0]?.innerText || document.activeElement.innerText")
            if words in (focus or ""):
                return
        raise AssertionError(f"no Tab leads to {words}")

    go("Skip to the content")
    page.keyboard.press("Enter")
    go("patients 2026")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="patients 2026").wait_for()
    go("Ask for a release")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Ask for a release").wait_for()
    go("What is released")
    page.keyboard.type("table of April")
    go("Its value")
    page.keyboard.type("0.005")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Check your answers").wait_for()
    go("Reserve")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="is reserved").wait_for()
    assert len(entries(used)) == 4


def test_a_mistake_leads_to_its_field(browser: Browsing, used):
    page = browser.window()
    fill(page, what="")
    link = page.get_by_role("alert").get_by_role("link")
    assert "What is released must be filled in" in link.inner_text()
    link.click()
    assert page.evaluate("document.activeElement.id") == "what"
    assert page.get_by_label("Its value").input_value() == "0.005"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1400])
def test_every_page_fits_its_window_and_axe_finds_nothing(browser: Browsing, used, width, dark):
    page = browser.window(width=width, dark=dark)
    page.goto(f"{browser.server.url}/ledger")
    account = page.get_by_role("link", name="patients 2026", exact=True).get_attribute("href")
    found = {}
    for path in (*PAGES, account, f"{account}/reserve", f"/ledger/entry/{entries(used)[0].number}"):
        page.goto(f"{browser.server.url}{path}")
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found[path] = violations(page) + ([f"{wide} pixels too wide"] if wide > 0 else [])
    fill(page)
    found["check"] = violations(page)
    fill(page, what="")
    found["mistake"] = violations(page)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_somebody_who_is_not_known_gets_a_page_that_axe_likes(browser: Browsing):
    page = browser.window(entered=False)
    page.goto(f"{browser.server.url}/ledger")
    assert "Please come in by your link" in page.locator("h1").inner_text()
    assert violations(page) == []


def test_a_page_that_reaches_out_would_be_noticed(chromium, server):
    watched = Browsing(chromium, server)
    page = watched.window()
    page.evaluate("fetch('http://127.0.0.1:9/').catch(() => 0)")
    watched.close()
    assert any("Content Security" in each for each in watched.errors)


def test_the_pictures_are_drawn(browser: Browsing, used):
    page = browser.window()
    page.goto(f"{browser.server.url}/ledger")
    page.wait_for_load_state("networkidle")
    sizes = page.evaluate("[...document.images].map((each) => each.complete && each.naturalWidth)")
    assert len(sizes) == 1
    assert all(size > 100 for size in sizes)
