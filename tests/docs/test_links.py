"""A link of a built page that leads nowhere is found; one that leads somewhere is not."""

from __future__ import annotations

import pytest
from _generate.links import Checked, check


@pytest.fixture
def site(tmp_path):
    def build(body: str) -> Checked:
        (tmp_path / "a.html").write_text(f"<html><body id='top'>{body}</body></html>", encoding="utf-8")
        (tmp_path / "sub").mkdir()
        (tmp_path / "sub" / "b.html").write_text("<h1 id='head'>B</h1><a href='../a.html#top'>a</a>", encoding="utf-8")
        (tmp_path / "picture.svg").write_text("<svg/>", encoding="utf-8")
        return check(tmp_path)

    return build


@pytest.mark.parametrize(
    "body",
    [
        "<a href='sub/b.html'>b</a>",
        "<a href='sub/b.html#head'>b</a>",
        "<a href='#top'>here</a>",
        "<a href='#'>here</a>",
        "<img src='picture.svg'>",
        "<img src='data:image/png;base64,AAAA'>",
        "<a href='https://example.org/x'>x</a>",
        "<a href='mailto:somebody@example.org'>x</a>",
    ],
)
def test_a_link_that_leads_somewhere_is_accepted(site, body):
    assert site(body).broken == ()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("<a href='gone.html'>x</a>", "a.html: gone.html leads to no file"),
        ("<a href='sub/b.html#gone'>x</a>", "a.html: sub/b.html#gone leads to no anchor"),
        ("<a href='#gone'>x</a>", "a.html: #gone leads to no anchor"),
        ("<a href='sub'>x</a>", "a.html: sub leads to no file"),
        ("<img src='gone.svg'>", "a.html: gone.svg leads to no file"),
        ("<a href='../../x.html'>x</a>", "a.html: ../../x.html leads out of the site"),
        ("<a href='https://nowhere'>x</a>", "a.html: https://nowhere is not an address"),
        ("<a href='ftp://example.org'>x</a>", "a.html: ftp://example.org is not an address"),
        (
            "<script src='https://example.org/x.js'></script>",
            "a.html: loads https://example.org/x.js from outside",
        ),
        (
            "<link rel='stylesheet' href='//example.org/x.css'>",
            "a.html: loads //example.org/x.css from outside",
        ),
    ],
)
def test_a_link_that_leads_nowhere_is_found(site, body, why):
    assert why in site(body).broken


def test_links_are_counted(site):
    found = site("<a href='sub/b.html'>b</a><a href='https://example.org'>x</a><a href='https://example.org'>x</a>")
    assert (found.pages, found.inside, found.outside) == (2, 2, ("https://example.org",))
    assert str(found) == "2 pages, 2 links inside the site, 1 addresses outside it."
