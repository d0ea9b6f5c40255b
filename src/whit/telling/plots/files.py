"""The files of pictures: what a picture says inside them, for those who cannot see it."""

from __future__ import annotations

import hashlib
import html
import re
import struct
import zlib
from itertools import accumulate, pairwise

_REFERENCE = re.compile(rb"(\d+) 0 R")
_NAMED_REFERENCES = re.compile(rb"(?:^ +/\w+ \d+ 0 R\n){2,}", flags=re.MULTILINE)
_IN_USE = re.compile(rb"(\d{10}) \d{5} ([nf])")
_STREAM = b"\nstream\n"


def objects_of(pdf: bytes) -> dict[int, bytes]:
    """What lies between `obj` and `endobj`, by number."""
    start = int(pdf[pdf.rindex(b"startxref") :].split()[1])
    entries = _IN_USE.findall(pdf[start : pdf.rindex(b"trailer")])
    places = sorted((int(place), number) for number, (place, kind) in enumerate(entries) if kind == b"n")
    ends = [after for _, (after, _) in pairwise(places)] + [start]
    whole = {number: pdf[place:end] for (place, number), end in zip(places, ends, strict=True)}
    return {number: text[text.index(b"obj\n") + 4 : text.rindex(b"\nendobj")] for number, text in whole.items()}


def root_of(pdf: bytes) -> int:
    """The number of the catalogue."""
    found = re.search(rb"/Root (\d+) 0 R", pdf[pdf.rindex(b"trailer") :])
    assert found is not None  # every document has one
    return int(found[1])


def document(objects: dict[int, bytes], *, root: int, info: int) -> bytes:
    """A document of these objects, numbered as they are met from the catalogue on; what is not met is left out."""
    tidy = {number: _sorted(body) for number, body in objects.items()}
    numbers = {old: new for new, old in enumerate(_met(tidy, [root, info]), start=1)}
    bodies = [b"%d 0 obj\n%s\nendobj\n" % (new, _renumbered(tidy[old], numbers)) for old, new in numbers.items()]
    parts = [b"%PDF-1.7\n%\x80\x80\x80\x80\n", *bodies]
    *places, start = accumulate(map(len, parts))
    table = b"".join(b"%010d 00000 n\r\n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f\r\n" % (len(numbers) + 1)
    pointers = (len(numbers) + 1, numbers[root], numbers[info], start)
    tail = b"trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % pointers
    return b"".join([*parts, head, table, tail])


def _head(body: bytes) -> tuple[bytes, bytes]:
    """What may refer to other objects, and the stream after it."""
    head, mark, stream = body.partition(_STREAM)
    return head, mark + stream


def _sorted(body: bytes) -> bytes:
    """The object with neighbouring references in the order of their names, which are not left to chance."""
    head, rest = _head(body)
    return _NAMED_REFERENCES.sub(lambda run: b"".join(sorted(run[0].splitlines(keepends=True))), head) + rest


def _met(objects: dict[int, bytes], waiting: list[int]) -> list[int]:
    """The numbers in the order in which references lead to them, the first reference followed to its end first."""
    found: list[int] = []
    stack = waiting[::-1]
    while stack:
        number = stack.pop()
        if number not in found:
            found.append(number)
            stack += [int(each) for each in reversed(_REFERENCE.findall(_head(objects[number])[0]))]
    return found


def _renumbered(body: bytes, numbers: dict[int, int]) -> bytes:
    head, rest = _head(body)
    return _REFERENCE.sub(lambda found: b"%d 0 R" % numbers[int(found[1])], head) + rest


_END_OF_HEADER = 8 + 25
"""The signature of a PNG and its first chunk, after which text may come."""

_CONTENTS = re.compile(rb"/Contents (\d+ 0 R)")
_MEDIA_BOX = re.compile(rb"/MediaBox (\[[^\]]*\])")

# What a document says of itself to programs.
_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{alt}</rdf:li></rdf:Alt></dc:description>
<pdf:Producer>whit</pdf:Producer>
<pdfuaid:part>1</pdfuaid:part>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>"""


def described_svg(svg: str, title: str, alt: str, style: str = "") -> str:
    """The drawing with a title, a description and the role of an image; its names do not clash with other drawings.

    A style sheet comes after them, such as one that carries the font.
    """
    apart = _own_names(svg)
    attributes = f' role="img" aria-label="{html.escape(alt)}"'
    inside = f"<title>{html.escape(title)}</title><desc>{html.escape(alt)}</desc>"
    inside += f"<style>{style}</style>" if style else ""
    opened = apart.index(">")
    return f"{apart[:opened]}{attributes}>{inside}{apart[opened + 1 :]}"


def described_png(png: bytes, title: str, alt: str) -> bytes:
    """The image with chunks of text that name its title and describe it."""
    chunks = _text_chunk("Title", title) + _text_chunk("Description", alt)
    return png[:_END_OF_HEADER] + chunks + png[_END_OF_HEADER:]


def described_pdf(pdf: bytes, title: str, alt: str, language: str = "en") -> bytes:
    """The document as one tagged figure with its alternative text, title and subject in its properties: PDF/UA-1."""
    objects, root = objects_of(pdf), root_of(pdf)
    (page,) = (number for number, body in objects.items() if b"/Type /Page\n" in body)
    info, tree, whole, figure, before, after, metadata = range(max(objects) + 1, max(objects) + 8)
    said, xmp = _pdf_text(alt), _XMP.format(title=html.escape(title), alt=html.escape(alt))
    drawn = rb"/Contents [%d 0 R \1 %d 0 R]\n  /StructParents 0" % (before, after)
    tags = b"\n  /Lang (%s)\n  /MarkInfo << /Marked true >>\n  /StructTreeRoot %d 0 R" % (language.encode(), tree)
    tags += b"\n  /ViewerPreferences << /DisplayDocTitle true >>\n  /Metadata %d 0 R\n>>" % metadata
    place = b"/A << /O /Layout /Placement /Block /BBox %s >>" % _MEDIA_BOX.findall(objects[page])[0]
    objects |= {
        root: objects[root].rstrip(b">\n") + tags,
        page: _CONTENTS.sub(drawn, objects[page]),
        info: b"<< /Title %s /Subject %s /Producer (whit) >>" % (_pdf_text(title), said),
        tree: b"<< /Type /StructTreeRoot /K %d 0 R /ParentTree << /Nums [0 [%d 0 R]] >> >>" % (whole, figure),
        whole: b"<< /Type /StructElem /S /Document /P %d 0 R /K %d 0 R >>" % (tree, figure),
        figure: b"<< /Type /StructElem /S /Figure /P %d 0 R /Pg %d 0 R /K 0 %s /Alt %s >>" % (whole, page, place, said),
        before: _stream(b"/Figure << /MCID 0 >> BDC\n"),
        after: _stream(b"\nEMC\n"),
        metadata: _stream(xmp.encode(), b" /Type /Metadata /Subtype /XML"),
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


def _stream(content: bytes, kind: bytes = b"") -> bytes:
    return b"<< /Length %d%s >>\nstream\n%s\nendstream" % (len(content), kind, content)
