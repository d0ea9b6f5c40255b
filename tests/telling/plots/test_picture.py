"""Pictures in every form: saved, described, without a network, and the same each time."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from whit.errors import InvalidInput
from whit.guarantees import PureDP
from whit.telling.plots import Picture, posterior_against_prior
from whit.telling.plots.picture import SUFFIXES

NAME = "</script><b>ε & co</b>"


@pytest.fixture(scope="module")
def picture() -> Picture:
    return posterior_against_prior({NAME: PureDP(1.0), "less": PureDP(0.5)}, priors=[0.0, 0.1, 0.5, 1.0])


class Page(HTMLParser):
    """What a page loads, what it calls itself, and the cells of its table."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.labels: list[str] = []
        self.cells: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag, attrs):
        self.inside = tag
        known = dict(attrs)
        self.loaded += [known[name] for name in ("src", "href", "data") if name in known]
        self.labels += [known["aria-label"]] if "aria-label" in known else []

    def handle_data(self, data):
        if self.inside in ("td", "th") and data.strip():
            self.cells.append(data)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_picture_gives_the_same_bytes(picture, tmp_path, suffix):
    one, other = (picture.save(tmp_path / f"{name}{suffix}").read_bytes() for name in ("one", "other"))
    assert one == other
    starts = {".png": b"\x89PNG", ".pdf": b"%PDF-", ".svg": b"<svg", ".html": b"<!DOCTYPE html>"}
    assert one.startswith(starts[suffix])


def test_a_page_loads_nothing_and_says_what_it_shows(picture):
    page = Page()
    page.feed(picture.html())
    assert page.loaded == []
    assert picture.alt in page.labels
    assert page.cells[: len(picture.table)] == list(picture.table)
    assert len(page.cells) == len(picture.table) * (1 + 4)


def test_a_page_has_no_script_from_elsewhere_and_no_name_ends_its_script(picture):
    page = picture.html()
    assert re.findall(r"<(?:script|link|img|iframe)[^>]*\b(?:src|href)\s*=", page[page.index("</script>") :]) == []
    assert re.findall(r"<script[^>]*\bsrc", page) == []
    assert page.count("</script>") == 2
    assert NAME not in page


def test_the_parts_of_a_page_that_can_be_used_are_outside_of_the_image(picture):
    page = picture.html()
    assert '<figure role="img"' not in page  # what is inside of an image is not told by a screen reader
    assert 'picture.setAttribute("role", "img")' in page
    assert 'aria-label="The numbers behind the picture"' in page


def test_a_drawing_is_well_formed_and_described(picture):
    root = ElementTree.fromstring(picture.svg())
    assert root.get("aria-label") == picture.alt
    assert root.findtext("{http://www.w3.org/2000/svg}title") == picture.title


def test_a_document_is_a_tagged_figure_with_its_description(picture):
    pdf = picture.pdf()
    said = b"<FEFF" + picture.alt.encode("utf-16-be").hex().upper().encode() + b">"
    assert b"/S /Figure" in pdf
    assert b"/Alt " + said in pdf
    assert b"/Subject " + said in pdf
    assert b"/MarkInfo << /Marked true >>" in pdf
    assert b"/Lang (en)" in pdf
    assert b"/DisplayDocTitle true" in pdf
    assert b"/S /Document" in pdf


def test_a_document_says_of_itself_that_it_is_accessible_and_has_what_that_takes(picture):
    pdf = picture.pdf()
    packet = pdf[pdf.index(b"<x:xmpmeta") : pdf.index(b"</x:xmpmeta>") + len(b"</x:xmpmeta>")]
    root = ElementTree.fromstring(packet.decode())
    titles = root.findall(".//{http://purl.org/dc/elements/1.1/}title//*[@{http://www.w3.org/XML/1998/namespace}lang]")
    assert [title.text for title in titles] == [picture.title]
    assert root.findtext(".//{http://www.aiim.org/pdfua/ns/id/}part") == "1"
    # Each font is embedded, its letters have their meaning, and everything that is drawn belongs to the figure.
    fonts = pdf.count(b"/Subtype /Type0")
    assert fonts > 0
    assert pdf.count(b"/ToUnicode") == pdf.count(b"/FontFile2") == pdf.count(b"/CIDToGIDMap") == fonts
    assert pdf.count(b" BDC\n") == pdf.count(b"\nEMC\n") == 1
    assert pdf.count(b"/Type /Page\n") == 1


def test_every_entry_of_the_table_of_a_document_points_at_its_object(picture):
    pdf = picture.pdf()
    start = int(pdf.rsplit(b"startxref\n", 1)[1].split()[0])
    assert pdf[start:].startswith(b"xref\n0 ")
    places = re.findall(rb"(\d{10}) 00000 n\r\n", pdf[start:])
    assert len(places) + 1 == int(pdf[start:].split()[2])
    for number, place in enumerate(places, start=1):
        assert pdf[int(place) :].startswith(b"%d 0 obj\n" % number)


def test_a_notebook_is_given_the_drawing_and_words(picture):
    bundle = picture._repr_mimebundle_()
    assert bundle["image/svg+xml"] == picture.svg()
    assert picture.svg() in bundle["text/html"]
    assert bundle["text/plain"] == f"<Picture: {picture.title}>"


def test_a_chart_can_be_changed_and_put_back(picture, tmp_path):
    wider = picture.with_chart(picture.chart.properties(width=700))
    assert wider.table is picture.table
    assert ElementTree.fromstring(wider.svg()).get("width") > ElementTree.fromstring(picture.svg()).get("width")


@pytest.mark.parametrize("path", ["picture.gif", "picture", "", None, 3])
def test_an_unknown_ending_is_refused_before_anything_is_drawn(picture, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match=r"path must .*the endings are \.html, \.pdf, \.png, \.svg"):
        picture.save(path)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("scale", [0.0, -1.0, float("inf")])
def test_a_scale_that_draws_nothing_is_refused(picture, scale):
    with pytest.raises(InvalidInput, match="scale must be"):
        picture.png(scale=scale)


def test_what_is_no_chart_or_says_nothing_is_refused(picture):
    with pytest.raises(InvalidInput, match="chart must be an Altair chart"):
        picture.with_chart({"mark": "line"})
    with pytest.raises(InvalidInput, match="the alt of a picture must be a text"):
        Picture(picture.drawing, "title", " ", picture.table)


def test_a_picture_goes_into_a_set_and_is_found_there(picture):
    again = posterior_against_prior({NAME: PureDP(1.0), "less": PureDP(0.5)}, priors=[0.0, 0.1, 0.5, 1.0])
    assert again in {picture}
    assert posterior_against_prior({NAME: PureDP(2.0)}) not in {picture}
