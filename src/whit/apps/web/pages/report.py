"""Release and report: the release file as a form, check your answers, then the sheet or the report as a file."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from starlette.datastructures import FormData

from whit import spec
from whit.apps.web.access.forms import signed_form
from whit.apps.web.access.who import Role, may
from whit.apps.web.apart import apart
from whit.apps.web.problems import status_of, told
from whit.apps.web.promises import KINDS, PARAMETER, promise_of, word_of
from whit.apps.web.questions import plain
from whit.apps.web.rendering import is_json, page
from whit.errors import InvalidInput, WhitError, unknown_name
from whit.telling import report as written_report
from whit.telling.reports import HAZARDS

router = APIRouter(prefix="/report", dependencies=[may(Role.READER)])

USUAL = spec.Draft()
FIELDS = {
    "name": ("What is released", ""),
    "publisher": ("Who publishes it", ""),
    "unit": ("What one record stands for", USUAL.unit),
    "period": ("Which period the promise covers", ""),
    "kind": ("What is promised", "epsilon"),
    "parameter": ("Its parameter", "1"),
    "delta": ("delta", ""),
    "releases": ("Number of releases about the same people", "1"),
    "covers": ("What the period holds", USUAL.covers),
    "adversary": ("Who may want to learn something", USUAL.adversary),
    "fact": ("What they want to know", USUAL.fact),
    "prior": ("How probable they find it before the release", "0.1"),
    "posterior": ("How probable they may find it afterwards, at most", "0.3"),
    "failure": ("Failure probability", "0.01"),
}
"""The fields of the form with their questions and first answers."""

EXAMPLES = {"name": "Visits by month", "publisher": "Statistics Office"}
"""The fields that nobody can fill in but who asks, each with an example that is no answer."""

_CALLED = {
    "name": "what is released",
    "publisher": "who publishes it",
    "parameter": PARAMETER,
    "releases": "the number of releases",
    "prior": "the prior",
    "posterior": "the posterior",
    "failure": "the failure probability",
}
"""What errors call the fields whose name is not the word for them."""

_IN_ITS_PLACE = EXAMPLES | {"parameter": "1", "releases": "1", "prior": "1e-9", "posterior": "1", "failure": "0"}
"""What stands in for a wrong answer while the others are looked at."""

COVERS = {"all releases": "All releases together", "each release": "Each release has a period of its own"}
"""What a period may hold."""

FORMATS = {
    "html": ("text/html; charset=utf-8", "Web page (HTML)"),
    "pdf": ("application/pdf", "PDF"),
    "docx": ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "Word"),
    "toml": ("application/toml", "The release file (TOML)"),
}
"""The files that are made, by their ending."""


@router.get("")
def form_page(request: Request) -> Response:
    """The form."""
    return _form(request, {name: usual for name, (_, usual) in FIELDS.items()})


@router.post("/change")
def change(request: Request, form: FormData = Depends(signed_form)) -> Response:  # noqa: B008  # how FastAPI states it
    """The form again, with the answers."""
    return _form(request, _answers(form))


@router.post("/check")
def check(request: Request, form: FormData = Depends(signed_form)) -> Response:  # noqa: B008
    """Check your answers: what the file will say, before anything is made."""
    answers = _answers(form)
    try:
        text = _text(answers)
    except WhitError as wrong:
        return _refused(request, answers, wrong)
    words = KINDS | COVERS
    said = {name: value for name, value in answers.items() if value and (name != "covers" or answers["period"])}
    rows = [(FIELDS[name][0], words.get(value, value)) for name, value in said.items()]
    return page(request, "report_check.html", {"text": text}, rows=rows, answers=answers, text=text, formats=FORMATS)


@router.post("/make")
def make(request: Request, form: FormData = Depends(signed_form)) -> Response:  # noqa: B008
    """The file that was asked for."""
    answers, ending = _answers(form), str(form.get("format", "html"))
    if ending not in FORMATS:
        raise unknown_name("a format", ending, FORMATS)
    try:
        text = _text(answers)
        sheet, limits = form.get("what") == "sheet", request.app.state.settings.limits
        content = text.encode() if ending == "toml" else apart(made, text, ending, sheet, limits=limits)
    except WhitError as wrong:
        return _refused(request, answers, wrong)
    headers = {"content-disposition": f'attachment; filename="release.{ending}"'}
    if ending == "html":  # opened by itself it may use its own style and nothing else
        headers["content-security-policy"] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
    return Response(content, media_type=FORMATS[ending][0], headers=headers)


def made(text: str, ending: str, sheet: bool) -> bytes:
    """The report of a release file, or its decision sheet alone, as the bytes of a file."""
    release = spec.release_of(spec.parsed(text, "the release"))
    with tempfile.TemporaryDirectory() as folder:
        return written_report(release, Path(folder) / f"report.{ending}", sheet=sheet).read_bytes()


def _answers(form: FormData) -> dict[str, str]:
    said = {name: form.get(name, "") for name in FIELDS}
    return {name: value.strip() if isinstance(value, str) else "" for name, value in said.items()}


def _text(answers: Mapping[str, str]) -> str:
    """The release file of the answers, which was read once; it names no file and no ledger."""
    for name, example in EXAMPLES.items():
        if answers[name] in ("", getattr(USUAL, name)):
            raise InvalidInput(name, "must be filled in", "nothing", f"Write it in words, such as {example}.")
    given = spec.Given({name: value for name, value in answers.items() if value})
    written = spec.Given(promise_of(answers))
    promise = {word: written.number(word) for word in written.values}
    spec.Form(promise=(written,)).series  # noqa: B018  # which refuses what does not go together, as it was written
    texts = ("name", "publisher", "unit", "adversary", "fact")
    said: dict[str, Any] = {name: answers[name] or getattr(USUAL, name) for name in texts}
    said |= {name: given.number(name) for name in ("prior", "posterior", "failure") if name in given}
    said |= {"releases": given.whole("releases")} if "releases" in given else {}
    draft = spec.Draft(**said, period=answers["period"], covers=answers["covers"] or USUAL.covers, promise=promise)
    text = draft.text({each.key: each.question for each in HAZARDS})
    spec.release_of(spec.parsed(text, "the release"))
    return text


def _all_wrong(answers: Mapping[str, str], wrong: WhitError) -> dict[str, str]:
    """What is wrong with each field: once one is known, a right answer stands in for it, and the next one is found."""
    found: dict[str, str] = {}
    tried = dict(answers)
    for _ in FIELDS:
        field = _field_of(wrong, answers)
        if field in found:
            break
        found[field] = plain(str(wrong.renamed(_CALLED[field]) if field in _CALLED else wrong))
        if field not in (*_IN_ITS_PLACE, "delta"):
            break
        stands_in = "1e-6" if answers["kind"] == "epsilon-delta" else ""  # for a delta that is wrong
        tried[field] = _IN_ITS_PLACE.get(field, stands_in)
        try:
            _text(tried)
            break
        except WhitError as another:
            wrong = another
    return found


def _field_of(wrong: WhitError, answers: Mapping[str, str]) -> str:
    """The field that an error is about; empty if it is about none."""
    kind = answers["kind"]
    if kind in KINDS and wrong.parameter == word_of(kind):
        return "parameter"
    return wrong.parameter if wrong.parameter in FIELDS else ""


def _form(request: Request, answers: Mapping[str, str], errors: Sequence[tuple[str, str]] = ()) -> Response:
    questions = {name: label for name, (label, _) in FIELDS.items()}
    shown = {
        "asked": answers,
        "questions": questions,
        "kinds": KINDS.items(),
        "periods": COVERS.items(),
        "examples": EXAMPLES,
        "errors": errors,
    }
    return page(request, "report.html", {"questions": questions}, status=422 if errors else 200, **shown)


def _refused(request: Request, answers: Mapping[str, str], wrong: WhitError) -> Response:
    """The form with all that is wrong; for programs the first of it."""
    found = [*_all_wrong(answers, wrong).items()]
    if is_json(request):
        return told(request, status_of(wrong), found[0][1], field=found[0][0])
    return _form(request, answers, found)
