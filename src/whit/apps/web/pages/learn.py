"""Learn: the schools, the theorems, the assumptions, the glossary and published releases."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from whit.apps.asking import ask
from whit.apps.web.access.who import Role, may
from whit.apps.web.questions import Answered, question_page
from whit.apps.web.rendering import page
from whit.theory import ASSUMPTIONS, assumption, glossary, reference, theorem

router = APIRouter(prefix="/learn", dependencies=[may(Role.READER)])

SCHOOLS = (
    (
        "Membership: prior to posterior",
        (
            "How probable an adversary finds a fact before the release, and how probable they may find it afterwards. "
            "The answers are the posterior, its ratio to the prior, its difference from it and its odds."
        ),
        "posterior",
    ),
    (
        "Disclosure: inclusion and value",
        (
            "The adversary is unsure whether a person is in the data and which value the person has. The answers are "
            "the relative and the absolute risk of disclosure, which a risk profile limits."
        ),
        "disclosure",
    ),
    (
        "Counterfactual: with and without you",
        (
            "What an adversary believes after the release, beside what they would believe had you not taken part. The "
            "answers are a distance and a ratio of the two posteriors."
        ),
        "without",
    ),
    (
        "Testing: level and power",
        (
            "A test decides whether a person is in the data. The level is its rate of false alarms, the power its rate "
            "of hits. A promise bounds the power at each level, and the advantage."
        ),
        "power",
    ),
    (
        "Persuasion: scores and decisions",
        "How much better an adversary decides after the release than before it, by a score that they choose.",
        "score",
    ),
)
"""The schools: a title, what they ask, and a word that their theorems have."""


@router.get("")
def learn(request: Request) -> Response:
    """The schools, and every theorem that has a word."""
    about = request.query_params.get("about", "").strip()
    told = ask("theorem", {"about": about})
    document = {"schools": [{"title": title, "asks": said} for title, said, _ in SCHOOLS], **told.answers.document()}
    rows = told.tables[0].rows if told.tables else ()
    return page(request, "learn.html", document, schools=SCHOOLS, rows=rows, notes=told.notes, about=about)


@router.get("/theorems/{key}", name="theorem")
def of_theorem(request: Request, key: str) -> Response:
    """One theorem with its assumptions, its reference and its proof."""
    told = ask("theorem", {"key": key, "proof": bool(theorem(key).proof)})
    known = theorem(key)
    assumed = [assumption(each) for each in known.assumptions]
    shown: dict[str, Any] = {
        "known": known,
        "assumed": assumed,
        "reference": reference(known.reference),
        "proof": told.page,
    }
    return page(request, "theorem.html", told.answers.document(), **shown)


@router.get("/assumptions")
def assumptions(request: Request) -> Response:
    """Every assumption in plain words."""
    rows = [(key, each.plain) for key, each in sorted(ASSUMPTIONS.items())]
    document = {"assumptions": dict(rows)}
    values: dict[str, Any] = {"title": "Assumptions", "head": ("key", "in plain words"), "rows": rows}
    return page(request, "listing.html", document, **values)


@router.get("/glossary", name="glossary")
def words(request: Request) -> Response:
    """One meaning for each word."""
    chapters = glossary()
    document = {each.title: dict(each.meanings) for each in chapters}
    return page(request, "glossary.html", document, chapters=chapters)


@router.get("/catalogue")
def catalogue(request: Request) -> Response:
    """Releases that were made, with their risks."""
    return question_page(request, "catalogue.html", Answered.of(ask("catalogue", {})), {})
