"""The objects of a PDF document, put into an order that depends on nothing but the document.

The drawing library numbers fonts by chance. Numbered as they are met on the way from the first object, the same drawing
gives the same bytes.
"""

from __future__ import annotations

import re
from itertools import accumulate, pairwise

_REFERENCE = re.compile(rb"(\d+) 0 R")
_NAMED_REFERENCES = re.compile(rb"(?:^ +/\w+ \d+ 0 R\n){2,}", flags=re.MULTILINE)
_IN_USE = re.compile(rb"(\d{10}) \d{5} ([nf])")
_STREAM = b"\nstream\n"


def objects_of(pdf: bytes) -> dict[int, bytes]:
    """What lies between `obj` and `endobj`, by number."""
    start = _start(pdf)
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


def _start(pdf: bytes) -> int:
    return int(pdf[pdf.rindex(b"startxref") :].split()[1])


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
