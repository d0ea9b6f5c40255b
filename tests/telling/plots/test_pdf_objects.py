"""Documents whose bytes do not depend on chance."""

from __future__ import annotations

import re
import zlib

import pytest

from whit.guarantees import PureDP
from whit.telling.plots import posterior_against_prior
from whit.telling.plots.files import document, objects_of, root_of
from whit.telling.plots.picture import pdf_of


@pytest.fixture(scope="module")
def drawings() -> list[bytes]:
    chart = posterior_against_prior({"a": PureDP(1.0), "b": PureDP(0.5)}, priors=[0.0, 0.5, 1.0]).drawing
    return [pdf_of(chart) for _ in range(8)]


def ordered(pdf: bytes) -> bytes:
    return document(objects_of(pdf), root=root_of(pdf), info=root_of(pdf))


def texts(pdf: bytes) -> list[bytes]:
    """What the streams of a document hold, in any order."""
    found = re.findall(rb"/FlateDecode[^>]*>>\nstream\n(.*?)\nendstream", pdf, flags=re.DOTALL)
    return sorted(zlib.decompress(stream) for stream in found)


def test_the_same_drawing_gives_the_same_document_whatever_the_numbers_of_its_fonts(drawings):
    assert len({ordered(pdf) for pdf in drawings}) == 1


def test_nothing_that_is_drawn_gets_lost(drawings):
    assert texts(ordered(drawings[0])) == texts(drawings[0])
    assert len(texts(drawings[0])) >= 3


def test_numbers_given_by_chance_are_put_right():
    pages = {1: b"<<\n  /Kids [2 0 R]\n>>", 2: b"<<\n  /a 3 0 R\n  /b 4 0 R\n>>", 3: b"(a 4 0 obj)", 4: b"(b)"}
    other = {9: b"<<\n  /Kids [2 0 R]\n>>", 2: b"<<\n  /b 3 0 R\n  /a 4 0 R\n>>", 4: b"(a 4 0 obj)", 3: b"(b)"}
    assert document(pages, root=1, info=1) == document(other, root=9, info=9)
    assert b"(a 4 0 obj)" in document(pages, root=1, info=1)
