"""A picture that is explored: drawn in a real browser under the strict policy, when somebody asks for it."""

from __future__ import annotations

import re

import pytest
from web_server import Browsing, violations

from whit import Adversary, ZeroConcentratedDP, assess

pytestmark = pytest.mark.web

ASKED = "/explore?kind=rho&parameter=0.1&prior=0.1&failure=0.01&releases=1&level=0.05"
BUTTON = "Explore this picture: posterior against prior"


def opened(browser: Browsing, **look):
    """The page with its first picture opened, and what was asked for before that."""
    page = browser.window(**look)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{browser.server.url}{ASKED}")
    page.wait_for_load_state("networkidle")
    before = list(asked)
    page.get_by_role("button", name=BUTTON).click()
    page.get_by_role("img", name="Posterior against prior, to explore").wait_for(timeout=60_000)
    return page, before


def test_the_library_is_loaded_when_somebody_opens_a_picture_and_not_before(browser: Browsing):
    page, before = opened(browser)
    assert not any("vega" in url or ".drawing" in url for url in before)
    assert page.locator("#picture-posterior .exploring svg path").count() > 0
    assert not page.locator("#picture-posterior img").is_visible()
    page.get_by_role("button", name="Show the picture as it was").click()
    assert page.locator("#picture-posterior img").is_visible()
    assert page.locator(".exploring").count() == 0


@pytest.mark.parametrize("width", [360, 1400])
def test_the_button_of_a_picture_stands_apart_from_what_is_above_it(browser: Browsing, width):
    page = browser.window(width=width)
    page.goto(f"{browser.server.url}{ASKED}")
    button = page.get_by_role("button", name=BUTTON).bounding_box()
    caption = page.locator("#picture-posterior figcaption").bounding_box()
    assert button["y"] - (caption["y"] + caption["height"]) >= 6


def test_the_number_under_the_pointer_is_that_of_whit(browser: Browsing):
    page, _ = opened(browser)
    said = page.locator("#picture-posterior output")
    assert said.inner_text().startswith("Point at the line")
    box = page.locator("#picture-posterior .exploring svg .background").first.bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.move(box["x"] + 0.31 * box["width"], box["y"] + 0.5 * box["height"])
    found = re.fullmatch(r"From ([\d.]+) % to at most ([\d.]+) %", said.inner_text())
    assert found, said.inner_text()
    prior, most = (float(each) / 100 for each in found.groups())
    ours = float(assess(ZeroConcentratedDP(0.1), Adversary(prior=prior), failure=0.01).posterior.value)
    assert ours <= most <= ours + 0.002  # the picture shows three digits


def test_a_slider_reads_the_line_by_keyboard(browser: Browsing):
    page, _ = opened(browser)
    slider = page.get_by_label("A point of the line")
    slider.focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    assert page.locator("#picture-posterior output").inner_text() == "From 10 % to at most 32.4 %"
    assert slider.get_attribute("aria-valuetext") == "From 10 % to at most 32.4 %"
    assert "parameter=0.1" in page.url


def test_a_part_of_the_picture_is_enlarged(browser: Browsing):
    page, _ = opened(browser)
    labels = page.locator("#picture-posterior .exploring svg .role-axis-label text")
    before = labels.all_inner_texts()
    box = page.locator("#picture-posterior .exploring svg .background").first.bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.wheel(0, -400)
    page.wait_for_timeout(300)
    assert labels.all_inner_texts() != before


def test_an_open_picture_follows_the_form(browser: Browsing):
    page, _ = opened(browser)
    page.locator("#parameter").fill("0.5")
    page.wait_for_url("**parameter=0.5*")
    page.get_by_role("img", name="Posterior against prior, to explore").wait_for(timeout=60_000)
    slider = page.get_by_label("A point of the line")
    slider.focus()
    for _ in range(100):
        page.keyboard.press("ArrowRight")
    ours = assess(ZeroConcentratedDP(0.5), Adversary(prior=0.5), failure=0.01).posterior
    assert page.locator("#picture-posterior output").inner_text() == f"From 50 % to {ours.brief()}"


@pytest.mark.parametrize("name", ["power", "releases"])
def test_the_other_pictures_of_lines_open_too(browser: Browsing, name):
    page = browser.window()
    page.goto(f"{browser.server.url}{ASKED}")
    page.locator(f"#picture-{name} button").click()
    page.locator(f"#picture-{name} [role=img]").wait_for(timeout=60_000)
    assert page.locator(f"#picture-{name} .exploring svg path").count() > 0
    slider = page.locator(f"#picture-{name} input[type=range]")
    slider.focus()
    page.keyboard.press("End")
    assert re.search(r"at most [\d.]+ %|possibly", page.locator(f"#picture-{name} output").inner_text())


def test_without_script_the_page_is_as_before(browser: Browsing):
    page = browser.window(script=False)
    page.goto(f"{browser.server.url}{ASKED}")
    assert page.get_by_role("button", name="Explore").count() == 0
    assert page.locator("#picture-posterior img").is_visible()
    assert page.get_by_role("link", name="The numbers of this picture: posterior against prior").is_visible()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1400])
def test_an_open_picture_fits_its_window_and_axe_finds_nothing(browser: Browsing, width, dark):
    page, _ = opened(browser, width=width, dark=dark)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    assert violations(page) == []
