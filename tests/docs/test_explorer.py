"""The explorer on the site."""

from __future__ import annotations

import posixpath

from _generate.explorer import FILE, explorer_pages, put_explorer

from whit.telling.explorer import explorer


def test_the_guide_leads_to_the_file(tmp_path):
    [(path, text)] = explorer_pages().items()
    put_explorer(tmp_path)
    linked = text.partition('href="')[2].partition('"')[0]
    assert posixpath.normpath(posixpath.join(posixpath.dirname(path), linked)) == FILE
    assert (tmp_path / FILE).read_text("utf-8") == explorer()
