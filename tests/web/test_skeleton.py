"""The frame of the web application: who is let in, what every answer says, and every page also as JSON."""

from __future__ import annotations

import httpx
import pytest

from whit.version import VERSION


def test_nobody_is_let_in_without_a_link(server):
    answer = httpx.get(f"{server.url}/")
    assert answer.status_code == 401
    assert "Open the link that whit web printed" in answer.text


def test_a_link_lets_in_once(server):
    link = server.link()
    assert httpx.get(link).status_code == 303
    assert httpx.get(link).status_code == 401


def test_a_page_is_also_json(client):
    assert client.get("/index.json").json()["whit"] == VERSION


def test_every_answer_forbids_what_is_not_ours(client):
    for path in ("/", "/nowhere", "/static/whit.css", "/health", "/enter"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.web
def test_the_first_page_opens_in_a_browser(browser):
    page = browser.window()
    assert page.locator("h1").inner_text().startswith("How much does")
