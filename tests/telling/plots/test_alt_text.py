"""Descriptions inside files, read back by other means than those that wrote them."""

from __future__ import annotations

import re
import struct
import zlib
from xml.etree import ElementTree

import pytest

from whit.telling.plots.files import described_png, described_svg

PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + b"\0" * 13 + b"\0" * 4 + b"\0\0\0\0IEND\xaeB`\x82"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1"><clipPath id="clip0"/><g clip-path="url(#clip0)"/></svg>'


def chunks(png: bytes) -> dict[str, bytes]:
    """The chunks of text in an image, by keyword, with their checksums verified."""
    found, at = {}, 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, content = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        if kind in (b"tEXt", b"iTXt"):
            assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + content)
            keyword, _, text = content.partition(b"\0")
            found[keyword.decode()] = text if kind == b"tEXt" else text[4:]
        at += 12 + length
    return found


@pytest.mark.parametrize(("alt", "encoding"), [("at most 73.2 %", "latin-1"), ("ε at most 1", "utf-8")])
def test_an_image_carries_title_and_description(alt, encoding):
    assert chunks(described_png(PNG, "A title", alt)) == {"Title": b"A title", "Description": alt.encode(encoding)}


def test_a_drawing_carries_title_description_and_role():
    alt = 'less than <5 % & "quoted"'
    root = ElementTree.fromstring(described_svg(SVG, "A < B", alt))
    space = "{http://www.w3.org/2000/svg}"
    assert (root.get("role"), root.get("aria-label")) == ("img", alt)
    assert (root.findtext(f"{space}title"), root.findtext(f"{space}desc")) == ("A < B", alt)


def test_names_of_two_drawings_do_not_clash():
    one, other = described_svg(SVG, "t", "a"), described_svg(SVG.replace('width="1"', 'width="2"'), "t", "a")
    names = [re.findall(r'id="([^"]+)"', text) for text in (one, other)]
    assert names[0] != names[1]
    assert f"url(#{names[0][0]})" in one
