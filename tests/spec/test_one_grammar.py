"""One request is the same whether it is written as options, as texts, or as a file."""

from __future__ import annotations

import json

import click
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from whit import guarantees, mechanisms
from whit.apps.asking.fields import ADVERSARY, REQUIREMENTS
from whit.apps.cli.options import PromiseCommand, filled_in
from whit.assessment import QUESTIONS
from whit.errors import WhitError
from whit.mechanisms import AdditiveNoise
from whit.spec import KNOWS, NEIGHBOURS, WHEN, Form, pairs, parsed
from whit.spec.form import USED_BY

KINDS = [*guarantees.kinds(), *mechanisms.kinds()]  # those that are stated by one number
positive = st.floats(1e-3, 50.0).map(lambda x: float(f"{x:.6g}"))
chance = st.floats(0.001, 0.999).map(lambda x: float(f"{x:.4g}"))


@click.command(cls=PromiseCommand)
@filled_in(*ADVERSARY, "failure", "sides", "level", "people", "question", *REQUIREMENTS)
def read(form: Form) -> Form:
    return form


@st.composite
def promises(draw) -> dict[str, object]:
    kind = draw(st.sampled_from(KINDS))
    given = {kind.parameter.word: draw(positive), **{name: draw(chance) for name in kind.parameter.beside}}
    if issubclass(kind, AdditiveNoise) and draw(st.booleans()):
        given["sensitivity"] = draw(st.sampled_from(["count", "histogram", 2, [1, 2], [1, [1, 1]], [[1, 2], [2, 2]]]))
    if draw(st.booleans()):
        given["neighbours"] = draw(st.sampled_from([word.replace("_", "-") for word in NEIGHBOURS]))
    if issubclass(kind, AdditiveNoise) and draw(st.booleans()):
        given["changes"] = draw(st.sampled_from(["any", "full"]))
    if draw(st.booleans()):
        given["releases"] = draw(st.integers(1, 1000))
    if kind.parameter.word in ("gaussian", "laplace") and draw(st.booleans()):
        given["sampling_rate"] = draw(chance)
    if kind.parameter.word in ("epsilon", "rho", "mu") and not kind.parameter.beside and draw(st.booleans()):
        keeps = [each for each in KINDS if dict(each.parameter.keeps).get(kind.parameter.word)]
        given["noise"] = draw(st.sampled_from([each.parameter.option for each in keeps]))
    return given


@st.composite
def adversaries(draw) -> dict[str, object]:
    given = draw(st.sampled_from([{"prior": draw(chance)}, {"inclusion": draw(chance), "value": draw(chance)}]))
    words = {"knows": draw(st.sampled_from(sorted(KNOWS))), "when": draw(st.sampled_from(sorted(WHEN)))}
    return {**given, **{name: word for name, word in words.items() if draw(st.booleans())}}


@st.composite
def questions(draw) -> dict[str, object]:
    given: dict[str, object] = {"failure": draw(chance), "level": draw(chance), "sides": draw(st.integers(1, 2))}
    given = {name: value for name, value in given.items() if draw(st.booleans())}
    if draw(st.booleans()):
        given["people"] = draw(st.integers(1, 50))
    if draw(st.booleans()):
        given["questions"] = draw(st.lists(st.sampled_from(QUESTIONS), min_size=1, max_size=3, unique=True))
        assume(all(set(uses) & set(given["questions"]) for key, uses in USED_BY.items() if key in given))
    return given


PRIOR = st.one_of(chance, st.tuples(chance, chance).map(sorted))
LIMITS = st.one_of(
    st.fixed_dictionaries({"posterior": st.just(0.9995), "prior": PRIOR}),
    st.fixed_dictionaries({"ratio": st.floats(1.5, 9.0)}, optional={"prior": PRIOR}),  # type: ignore[misc]
    st.fixed_dictionaries({"difference": chance}, optional={"prior": PRIOR}),  # type: ignore[misc]
    st.fixed_dictionaries({"power": st.just(0.9995), "level": chance}),
    st.fixed_dictionaries({"advantage": chance}),
    st.fixed_dictionaries({"predictive_value": st.just(0.9995), "prior": PRIOR, "level": chance}),
)
RANGE = st.one_of(chance, st.tuples(chance, chance).map(sorted))
PROFILES = st.one_of(
    st.fixed_dictionaries(  # type: ignore[misc]
        {"relative": st.floats(1.5, 9.0)}, optional={"inclusion": RANGE, "value": RANGE}
    ),
    st.fixed_dictionaries({"relative": st.floats(1.5, 9.0), "absolute": chance}, optional={"value": chance}),
    st.fixed_dictionaries({"absolute": st.just(0.9995), "inclusion": RANGE}),
    st.fixed_dictionaries({"difference": chance}),
)


def text_of(value: object, key: str = "") -> str:
    """A value as an option has it."""
    if key == "sensitivity" and isinstance(value, list):
        return ":".join("+".join(map(str, end)) if isinstance(end, list) else str(end) for end in value)
    return f"{value[0]!r}..{value[1]!r}" if isinstance(value, list) else str(value)


def as_text(given: dict[str, object]) -> str:
    return ", ".join(f"{key.replace('_', '-')}={text_of(value, key)}" for key, value in given.items())


def as_options(request: dict) -> list[str]:
    found = [(key, text_of(value, key)) for key, value in {**request["promise"], **request["adversary"]}.items()]
    found += [(key, str(value)) for key, value in request["questions"].items() if key != "questions"]
    found += [("question", name.replace("_", "-")) for name in request["questions"].get("questions", [])]
    found += [(name, as_text(each)) for name in ("limit", "profile") for each in request[name]]
    return [part for key, value in found for part in (f"--{key.replace('_', '-')}", value)]


def as_table(head: str, given: dict[str, object]) -> str:
    return head + "\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in given.items())


def as_file(request: dict) -> str:
    tables = [as_table(f"[{name}]", request[name]) for name in ("promise", "adversary", "questions")]
    return "\n".join(
        tables + [as_table(f"[[{name}]]", each) for name in ("limit", "profile") for each in request[name]]
    )


def read_all(form: Form) -> tuple:
    """All that a form says, or why it says nothing."""
    try:
        wanted = [each for _, each in form.requirements.named]
        return form.series.one, form.series.releases, form.series.named, form.askers, form.asked, wanted
    except WhitError as refused:
        return type(refused), refused.rule.replace("--", "").replace("-", "_"), ()


REQUESTS = st.fixed_dictionaries(
    {
        "promise": promises(),
        "adversary": adversaries(),
        "questions": questions(),
        "limit": st.lists(LIMITS, max_size=3),
        "profile": st.lists(PROFILES, max_size=2),
    }
)


@settings(max_examples=300, deadline=None)
@given(REQUESTS)
def test_options_texts_and_files_say_the_same(request):
    options = read.main(as_options(request), standalone_mode=False)
    file = Form.of(parsed(as_file(request), "x.toml"))
    assert read_all(options) == read_all(file)
    by_text = Form(
        promise=(pairs("a promise", as_text(request["promise"])),),
        adversary=file.adversary,
        questions=file.questions,
        limit=tuple(pairs("a limit", as_text(each)) for each in request["limit"]),
        profile=tuple(pairs("a profile", as_text(each)) for each in request["profile"]),
    )
    assert read_all(by_text) == read_all(file)


@settings(max_examples=100, deadline=None)
@given(REQUESTS)
def test_most_requests_are_read_and_not_refused(request):
    found = read_all(Form.of(parsed(as_file(request), "x.toml")))
    assert len(found) == 6 or "neighbours" in request["promise"] or "whole" in found[1] or "sampl" in found[1]
