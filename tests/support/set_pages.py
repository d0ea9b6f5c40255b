"""The pages of a report as they are set, in dots, to see where there is ink."""

from __future__ import annotations

import json
import struct
import zlib
from importlib.resources import as_file, files
from typing import Any

import numpy as np
import typst

from whit.telling.plots.fonts import FOLDER
from whit.telling.reports import formats
from whit.telling.reports.document import Document

HIGH_IN_MM = 297


def set_pages(document: Document, *, dots_per_inch: float = 18.0) -> list[np.ndarray]:
    """Each page as an array that is true where there is ink."""
    with as_file(files(formats.__package__)) as folder:
        found: Any = typst.compile(
            str(folder / "templates" / "report.typ"),
            root=str(folder),
            format="png",
            ppi=dots_per_inch,
            ignore_system_fonts=True,
            font_paths=[str(FOLDER)],
            sys_inputs={"report": json.dumps(formats._for_pages(document), ensure_ascii=False)},
        )
    return [dots(page)[:, :, :3].min(axis=2) < 200 for page in (found if isinstance(found, list) else [found])]


def empty_below(page: np.ndarray, *, footer: float = 22.0) -> float:
    """How many millimetres are empty between the last line of a page and its footer."""
    in_mm = HIGH_IN_MM / len(page)
    above = page[: int((HIGH_IN_MM - footer) / in_mm)]
    return float(len(above) - 1 - np.flatnonzero(above.any(axis=1))[-1]) * in_mm


def dots(png: bytes) -> np.ndarray:
    """The dots of a picture with 8 bits in each channel: rows, columns, channels."""
    place, packed = 8, b""
    while place < len(png):
        (size,), kind = struct.unpack(">I", png[place : place + 4]), png[place + 4 : place + 8]
        content = png[place + 8 : place + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", content[:10])
            assert depth == 8
            channels = {2: 3, 6: 4}[colours]
        packed += content if kind == b"IDAT" else b""
        place += 12 + size
    raw = np.frombuffer(zlib.decompress(packed), dtype=np.uint8).reshape(height, 1 + width * channels)
    return unfiltered(raw[:, 0], raw[:, 1:].reshape(height, width, channels).astype(np.int64))


def unfiltered(kinds: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The dots, given what each row says about the difference from its neighbours (PNG, section 9)."""
    above = np.zeros_like(rows[0])
    for kind, row in zip(kinds, rows, strict=True):
        if kind == 2:
            row[:] = row + above
        elif kind in (1, 3, 4):
            left, corner = np.zeros_like(row[0]), np.zeros_like(row[0])
            for at in range(len(row)):
                row[at] = (row[at] + _predicted(int(kind), left, above[at], corner)) % 256
                left, corner = row[at], above[at]
        row[:] = row % 256
        above = row
    return rows


def _predicted(kind: int, left: np.ndarray, up: np.ndarray, corner: np.ndarray) -> np.ndarray:
    if kind == 1:
        return left
    if kind == 3:
        return np.asarray((left + up) // 2)
    near = left + up - corner
    far = [abs(near - each) for each in (left, up, corner)]
    return np.asarray(np.where((far[0] <= far[1]) & (far[0] <= far[2]), left, np.where(far[1] <= far[2], up, corner)))
