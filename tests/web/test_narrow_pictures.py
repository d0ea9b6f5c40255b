"""Pictures in narrow and wide windows: nothing of them has to be scrolled, and their letters can be read."""

from __future__ import annotations

import base64
import re

import pytest
from web_server import Browsing

from whit.guarantees import ZeroConcentratedDP
from whit.ledger import Ledger
from whit.mechanisms import Gaussian
from whit.telling import plots
from whit.telling.reports import report

pytestmark = pytest.mark.web

SMALLEST = 10.0
"""The smallest letters that can be read, in pixels."""

RELEASE = """
[release]
name = "Visits"
publisher = "An office"
description = "Visits by month."
[unit]
name = "person"
[promise]
gaussian = 4
releases = 4
[[adversary]]
name = "an employer"
fact = "somebody is in the data"
prior = 0.1
[limit.posterior]
limit = 0.3
prior = 0.1
[questions]
failure = 0.01
"""
SHOWN = """() => [...document.querySelectorAll("figure img")].map((image) => {
  image.loading = "eager";
  return image.decode().then(() => [image.currentSrc, image.clientWidth / image.naturalWidth]);
})"""
SCROLLED = """[...document.querySelectorAll("figure .scroll, html")].filter(
  (box) => box.scrollWidth > box.clientWidth).length"""


def letters(page) -> list[float]:
    """The size of the smallest letters of each picture, in pixels of the window."""
    found = page.evaluate(f"() => Promise.all(({SHOWN})())")
    return [scale * smallest(svg_at(page, address)) for address, scale in found]


def svg_at(page, address: str) -> str:
    if address.startswith("data:"):
        return base64.b64decode(address.partition(",")[2]).decode()
    return page.request.get(address).text()


def smallest(svg: str) -> float:
    return min(float(size) for size in re.findall(r'font-size="([\d.]+)px"', svg))


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1400])
@pytest.mark.parametrize(
    "path",
    [
        "/explore?kind=gaussian&parameter=4&releases=12&prior=0.1&failure=0.01",
        "/choose?quantity=posterior&limit=0.3&prior=0.1&for=laplace",
    ],
)
def test_pictures_of_pages_fit_and_can_be_read(browser: Browsing, path, width, dark):
    page = browser.window(width=width, dark=dark)
    page.goto(f"{browser.server.url}{path}")
    sizes = letters(page)
    assert len(sizes) >= 2
    assert min(sizes) >= SMALLEST
    assert page.evaluate(SCROLLED) == 0


@pytest.mark.parametrize("width", [360, 1400])
def test_the_picture_of_an_account_fits_and_can_be_read(browser: Browsing, ledger, width):
    with Ledger(ledger, actor="ada") as book:
        book.release(book.reserve("patients 2026", ZeroConcentratedDP(0.005), what="a table").number)
    page = browser.window(width=width)
    page.goto(f"{browser.server.url}/ledger")
    page.get_by_role("link", name="patients 2026", exact=True).click()
    sizes = letters(page)
    assert sizes
    assert min(sizes) >= SMALLEST
    assert page.evaluate(SCROLLED) == 0


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1400])
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_pictures_of_a_report_fit_and_can_be_read(browser: Browsing, tmp_path, language, width, dark):
    file = tmp_path / "release.toml"
    file.write_text(RELEASE, encoding="utf-8")
    made = report(file, tmp_path / "report.html", language=language)
    page = browser.window(width=width, dark=dark, entered=False)
    page.set_content(made.read_text("utf-8"))
    sizes = letters(page)
    assert len(sizes) >= 2
    assert min(sizes) >= SMALLEST
    assert page.evaluate(SCROLLED) == 0


@pytest.mark.parametrize("width", [360, 1400])
def test_a_picture_by_itself_fits_and_can_be_read(browser: Browsing, tmp_path, width):
    made = plots.level_and_power({"one": Gaussian(1.0), "the other": Gaussian(2.0)}).save(tmp_path / "picture.html")
    page = browser.window(width=width, entered=False)
    page.set_content(made.read_text("utf-8"))
    drawn = page.locator("figure svg.marks")
    drawn.wait_for()
    scale = drawn.evaluate("(svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width")
    assert scale * smallest(drawn.evaluate("(svg) => svg.outerHTML")) >= SMALLEST
    assert page.evaluate(SCROLLED) == 0
