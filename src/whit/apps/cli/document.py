"""The answers as one JSON document; its layout is the same for every command."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from whit.apps.cli.answers import Answers, Named
from whit.assessment import Unanswered
from whit.theory import Answer
from whit.version import VERSION

LAYOUT = 2
"""The number of the layout; it grows when an older reader would misunderstand a document."""


def document(answers: Answers) -> str:
    """The answers as JSON text."""
    tree = {
        "whit": VERSION,
        "layout": LAYOUT,
        "command": answers.command,
        "asked": _spelled(answers.asked),
        "answers": [_answer(each) for each in answers.named],
        "notes": list(answers.notes),
        "result": _spelled(answers.result),
    }
    return json.dumps(tree, allow_nan=False, ensure_ascii=False, indent=2)


def _answer(each: Named) -> dict[str, Any]:
    return {"name": each.name, "of": each.of, "sentence": str(each.told), **told(each.told)}


def told(answer: Answer) -> dict[str, Any]:
    """What is told: a finding under that name, or why there is none."""
    return answer.to_dict() if isinstance(answer, Unanswered) else {"finding": answer.to_dict()}


def _spelled(tree: Any) -> Any:
    """Plain values as JSON has them: infinite numbers become the texts "inf" and "-inf"."""
    if isinstance(tree, Mapping):
        return {name: _spelled(each) for name, each in tree.items()}
    if isinstance(tree, list | tuple):
        return [_spelled(each) for each in tree]
    return str(tree) if isinstance(tree, float) and math.isinf(tree) else tree
