"""Links of the written pages lead to the same thing on the site."""

from __future__ import annotations

import pytest
from _generate.places import ROOT, moved, place
from _generate.site import gather, origins


@pytest.mark.parametrize(
    ("origin", "link", "on_the_site"),
    [
        ("docs/how-to/a.md", "[b](b.md#c)", "[b](b.md#c)"),
        ("docs/how-to/a.md", "[b](../voice.md)", "[b](../voice.md)"),
        ("docs/how-to/a.md", "[g](../../src/whit/theory/glossary.md#the-curve)", "[g](../glossary.md#the-curve)"),
        ("docs/how-to/a.md", "[p](../../src/whit/theory/proofs/cells.md)", "[p](../reference/theorems/cells.md)"),
        ("docs/how-to/a.md", "[p](../../ARCHITECTURE.md#the-layers)", "[p](../project/architecture.md#the-layers)"),
        ("ARCHITECTURE.md", "[d](docs/decisions/README.md)", "[d](../decisions/README.md)"),
        ("docs/how-to/a.md", "[w](https://example.org) [h](#here)", "[w](https://example.org) [h](#here)"),
        ("docs/how-to/a.md", "`[b](../../ARCHITECTURE.md)`", "`[b](../../ARCHITECTURE.md)`"),
        ("docs/how-to/a.md", "```\n[b](../../ARCHITECTURE.md)\n```", "```\n[b](../../ARCHITECTURE.md)\n```"),
        ("docs/how-to/a.md", "[the layers](../../src/whit)", "the layers"),
    ],
)
def test_a_link_leads_to_the_same_thing_on_the_site(origin, link, on_the_site):
    assert moved(link, origin) == (on_the_site, set())


def test_a_file_that_is_no_page_is_carried_along():
    text, files = moved("[plan](../../demo/release.toml)", "docs/how-to/a.md")
    assert (text, files) == ("[plan](../files/demo/release.toml)", {"demo/release.toml"})


def test_no_two_pages_share_a_place():
    places = [place(origin) for origin in origins()]
    assert len(places) == len(set(places))
    assert {"index.md", "glossary.md", "project/architecture.md", "decisions/README.md"} <= set(places)


def test_gathering_brings_pages_pictures_and_files_and_removes_what_was_there(tmp_path):
    old = tmp_path / "reference" / "gone.md"
    old.parent.mkdir(parents=True)
    old.write_text("# Gone\n", encoding="utf-8")
    gather(tmp_path, {"reference/grid.md": "# Grid\n"})
    assert not old.exists()
    assert (tmp_path / "reference" / "grid.md").read_text(encoding="utf-8") == "# Grid\n"
    assert (tmp_path / "images" / "posterior.png").is_file()
    assert (tmp_path / "files" / "demo" / "release.toml").read_bytes() == (ROOT / "demo/release.toml").read_bytes()


def test_gathering_again_touches_nothing_that_is_the_same(tmp_path):
    gather(tmp_path, {"a.md": "# A\n"})
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.md")}
    gather(tmp_path, {"a.md": "# A\n"})
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.md")} == before
