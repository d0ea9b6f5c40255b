"""A document as JSON: the text, the pictures, and every number with its direction and its theorems."""

from __future__ import annotations

import json

from whit.telling.reports.document import Document


def as_json(document: Document) -> str:
    """The document as JSON text."""
    return json.dumps(document.tree(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
