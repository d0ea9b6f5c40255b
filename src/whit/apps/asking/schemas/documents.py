"""The document that a command answers with, as a schema."""

from __future__ import annotations

from typing import Any

from whit.apps.asking.answers import LAYOUT

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": TEXT}
YES_NO: Schema = {"type": "boolean"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"anyOf": [{"type": "number"}, {"enum": ["inf", "-inf"]}]}
PLACE: Schema = {"anyOf": [NUMBER, {"type": "array"}, {"type": "null"}]}
TREE: Schema = {"type": "object"}


def table(needed: dict[str, Schema], others: dict[str, Schema] | None = None) -> Schema:
    """An object with fields that must be there, and others that may be."""
    return {
        "type": "object",
        "properties": {**needed, **(others or {})},
        "required": list(needed),
        "additionalProperties": False,
    }


def listed(items: Schema) -> Schema:
    """A list of things of one sort."""
    return {"type": "array", "items": items}


_QUANTITY = table(
    {
        "key": TEXT,
        "name": TEXT,
        "unit": {"enum": ["PROBABILITY", "NUMBER"]},
        "less_is_worse": YES_NO,
        "certain": YES_NO,
    },
    {"open_ends": YES_NO},
)
_FAILURE = table({"probability": {"type": "number"}, "over": {"enum": ["MECHANISM", "BELIEF", "SIMULATION"]}})
_BASIS = table({"theorems": TEXTS, "failures": listed(_FAILURE), "slack": NUMBER, "truncation": NUMBER})
FINDING = table(
    {
        "lower": PLACE,
        "value": PLACE,
        "upper": PLACE,
        "direction": {"enum": ["AT_MOST", "AT_LEAST", "EXACTLY", "ABOUT"]},
        "quantity": _QUANTITY,
        "inputs": TREE,
        "basis": _BASIS,
    },
    {"short_of_certainty": YES_NO},
)
"""One quantity, on which side of the truth it lies, and what it rests on."""

_REF: Schema = {"$ref": "#/$defs/finding"}
_ANSWER: Schema = {
    **table(
        {"name": TEXT, "of": TEXT, "sentence": TEXT},
        {"by": TEXT, "finding": _REF, "unanswered": TEXT, "people_beyond": listed(_REF)},
    ),
    "oneOf": [{"required": ["finding"]}, {"required": ["unanswered"]}],
}
_OPENING = table({"opening": TEXT})
_VERDICT = {
    "outcome": {"enum": ["KEPT", "BROKEN", "OPEN"]},
    "verdict": {"enum": ["Allowed", "Not allowed", "Not shown"]},
    "kept": YES_NO,
    "parts": listed(TREE),
}
_THEOREM = {
    **dict.fromkeys(("key", "title", "statement", "reference", "publication", "locator", "corrected"), TEXT),
    "proof": YES_NO,
    "hypotheses": TREE,
    "assumptions": listed(table({"key": TEXT, "plain": TEXT, "verifier": TEXT})),
}
_CASE = {
    **dict.fromkeys(("key", "paper", "where", "quantity", "printed", "verdict", "errata"), TEXT),
    "inputs": TREE,
    "computed": NUMBER,
    "expected": {"anyOf": [NUMBER, TEXT]},
    "within": NUMBER,
    "as_expected": YES_NO,
}
_STATED_EPSILON = table(
    {
        "of": TEXT,
        "epsilon": NUMBER,
        "delta": NUMBER,
        "support": {"enum": ["SUPPORTED", "CONTRADICTED", "NOT_SHOWN"]},
        "found": {"anyOf": [_REF, {"type": "null"}]},
        "sentence": TEXT,
    }
)
_RESULTS: dict[str, Schema] = {
    "assess": _OPENING,
    "compose": _OPENING,
    "compare": table({}),
    "check": table(_VERDICT, {"audit": TREE, "ledger": TREE, "remedies": listed(TREE), "remedy_of_all": TREE}),
    "recommend": table(
        {
            "parameter": TEXT,
            "rounded": TEXT,
            "release": {"anyOf": [TREE, {"type": "null"}]},
            "decided_by": TEXT,
            "opening": TEXT,
        }
    ),
    "convert": table({}, {"promise": TREE, "parameters": TREE, "steps": TEXTS, "theorems": TEXTS}),
    "explain": table({"text": TEXT, "paragraphs": TEXTS, "numbers": listed(table({"text": TEXT, "value": NUMBER}))}),
    "plan": table({"queries": WHOLE, "of": WHOLE}, {"costs": TEXTS, **_VERDICT}),
    "claim": table(
        {
            "claim": TEXT,
            "meaning": TREE,
            "epsilons": listed(table({"delta": NUMBER, "epsilon": _REF})),
            "stated_epsilons": listed(_STATED_EPSILON),
            "points": listed(TREE),
            "missing": TEXTS,
            "near": listed(TREE),
        },
        {"promise": TREE, "promises": listed(TREE)},
    ),
    "catalogue": table({"deployments": listed(TREE), "undisclosed": listed(TREE)}, {"written": TEXT}),
    "theorem": {"anyOf": [table(_THEOREM), table({"theorems": listed(table(_THEOREM))})]},
    "papers": table({"cases": listed(table(_CASE)), "counts": TREE}, {"written": TEXTS}),
}
"""What each command finds beside numbers with a direction."""


def document_schema(command: str) -> Schema:
    """The schema of the document of a command."""
    return table(
        {
            "whit": TEXT,
            "layout": {"const": LAYOUT},
            "command": {"const": command},
            "asked": TREE,
            "answers": listed(_ANSWER),
            "notes": TEXTS,
            "result": _RESULTS[command],
        }
    )
