"""Where a ledger is: a path or a URL, of which no message repeats a password."""

from __future__ import annotations

import pytest

from whit.errors import WhitError
from whit.ledger import Ledger

URLS = [
    "postgresql://ada:SECRET@127.0.0.1:1/x",
    "postgresql://ada:a/SECRET@127.0.0.1:1/x",
    "postgresql://ada:a@SECRET@127.0.0.1:1/x",
    "postgresql://ada:a:SECRET@127.0.0.1:1/x",
    "postgresql://ada:a%zzSECRET@127.0.0.1:1/x",
    "postgresql://ada:a#SECRET@127.0.0.1:1/x",
    "postgresql://ada:a?SECRET@127.0.0.1:1/x",
    "postgresql://ada@127.0.0.1:1/x?password=SECRET",
    "postgresql://ada@127.0.0.1:1/x?passwrd=SECRET",
    "postgresql://ada@127.0.0.1:1/x?password=a&SECRET=1",
    "postgresql:/ada:SECRET@127.0.0.1/x",
    "POSTGRESQL://ada:SECRET@127.0.0.1/x",
    "postgres:ada:SECRET@127.0.0.1/x",
    "mysql://ada:SECRET@127.0.0.1/x",
]


@pytest.mark.parametrize("url", URLS)
def test_no_message_about_a_url_repeats_a_part_of_its_password(url):
    with pytest.raises(WhitError, match="the ledger must") as raised:
        Ledger(url)
    assert "SECRET" not in str(raised.value)
    assert "SECRET" not in repr(raised.value)
    assert raised.value.__cause__ is None or "SECRET" not in str(raised.value.__cause__)


def test_a_password_that_is_written_as_urls_have_it_gets_as_far_as_the_server():
    with pytest.raises(WhitError, match="connection failed"):
        Ledger("postgresql://ada:a%40b%2Fc%25@127.0.0.1:1/x")
