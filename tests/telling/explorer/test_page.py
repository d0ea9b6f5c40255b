"""The explorer as a file: whole, by itself, and forbidden to connect."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from whit.errors import InvalidInput
from whit.telling.explorer import explorer, write_explorer


def test_the_file_forbids_every_connection_and_allows_its_own_scripts_by_their_hashes():
    text = explorer()
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert "connect-src" not in policy
    pieces = re.findall(r"<script>(.*?)</script>|<style>(.*?)</style>", text, flags=re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256((a or b).encode()).digest()).decode() for a, b in pieces]
    assert len(hashes) == 3
    assert all(f"'sha256-{each}'" in policy for each in hashes)


def test_nothing_is_fetched_and_no_element_has_a_handler_or_a_style_of_its_own():
    markup = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", explorer(), flags=re.DOTALL)
    assert not re.search(r"\s(src|href|action|style|on\w+)=", markup)
    assert "{{" not in markup


def test_a_handler_would_be_found():
    assert re.search(r"\s(src|href|action|style|on\w+)=", '<p onclick="x()">')


def test_the_file_stays_small_enough_to_send():
    assert len(explorer().encode()) < 150_000


def test_the_file_is_written_and_a_wrong_ending_refused(tmp_path):
    assert write_explorer(tmp_path / "e.html").read_text("utf-8") == explorer()
    with pytest.raises(InvalidInput, match=r"must end in .html; got e.pdf. Use explorer.html."):
        write_explorer("e.pdf")
