"""Alternative text inside a file: what a picture says, for those who cannot see it."""

from __future__ import annotations

import hashlib
import html
import re
import struct
import zlib

from whit.telling.plots.pdf_objects import document, objects_of, root_of

_END_OF_HEADER = 8 + 25
"""The signature of a PNG and its first chunk, after which text may come."""

_CONTENTS = re.compile(rb"/Contents (\d+ 0 R)")


def described_svg(svg: str, title: str, alt: str) -> str:
    """The drawing with a title, a description and the role of an image; its names do not clash with other drawings."""
    apart = _own_names(svg)
    attributes = f' role="img" aria-label="{html.escape(alt)}"'
    inside = f"<title>{html.escape(title)}</title><desc>{html.escape(alt)}</desc>"
    opened = apart.index(">")
    return f"{apart[:opened]}{attributes}>{inside}{apart[opened + 1 :]}"


def described_png(png: bytes, title: str, alt: str) -> bytes:
    """The image with chunks of text that name its title and describe it."""
    chunks = _text_chunk("Title", title) + _text_chunk("Description", alt)
    return png[:_END_OF_HEADER] + chunks + png[_END_OF_HEADER:]


def described_pdf(pdf: bytes, title: str, alt: str) -> bytes:
    """The document as one tagged figure with its alternative text, and with title and subject in its properties."""
    objects, root = objects_of(pdf), root_of(pdf)
    (page,) = (number for number, body in objects.items() if b"/Type /Page\n" in body)
    info, tree, figure, before, after = range(max(objects) + 1, max(objects) + 6)
    said = _pdf_text(alt)
    drawn = rb"/Contents [%d 0 R \1 %d 0 R]\n  /StructParents 0" % (before, after)
    tags = b"\n  /Lang (en)\n  /MarkInfo << /Marked true >>\n  /StructTreeRoot %d 0 R" % tree
    tags += b"\n  /ViewerPreferences << /DisplayDocTitle true >>\n>>"
    objects |= {
        root: objects[root].rstrip(b">\n") + tags,
        page: _CONTENTS.sub(drawn, objects[page]),
        info: b"<< /Title %s /Subject %s /Producer (whit) >>" % (_pdf_text(title), said),
        tree: b"<< /Type /StructTreeRoot /K %d 0 R /ParentTree << /Nums [0 [%d 0 R]] >> >>" % (figure, figure),
        figure: b"<< /Type /StructElem /S /Figure /P %d 0 R /Pg %d 0 R /K 0 /Alt %s >>" % (tree, page, said),
        before: _stream(b"/Figure << /MCID 0 >> BDC\n"),
        after: _stream(b"\nEMC\n"),
    }
    return document(objects, root=root, info=info)


def _own_names(svg: str) -> str:
    """The drawing with names that begin with a mark of its own, so that several fit on one page."""
    mark = hashlib.sha256(svg.encode()).hexdigest()[:8]
    for name in sorted(set(re.findall(r'\bid="([^"]+)"', svg))):
        svg = svg.replace(f'id="{name}"', f'id="{mark}-{name}"').replace(f"url(#{name})", f"url(#{mark}-{name})")
        svg = svg.replace(f'href="#{name}"', f'href="#{mark}-{name}"')
    return svg


def _text_chunk(keyword: str, text: str) -> bytes:
    """A chunk of text: tEXt where its letters are in Latin-1, which every reader knows, else iTXt."""
    try:
        kind, content = b"tEXt", keyword.encode() + b"\0" + text.encode("latin-1")
    except UnicodeEncodeError:
        kind, content = b"iTXt", keyword.encode() + b"\0\0\0\0\0" + text.encode()
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _pdf_text(text: str) -> bytes:
    return b"<FEFF%s>" % text.encode("utf-16-be").hex().upper().encode()


def _stream(content: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)
