"""`whit init`: a commented release file, by questions."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import click

from whit import spec
from whit.apps.asking import Answers, sentence
from whit.apps.cli.options import Command, Word, json_option
from whit.apps.cli.output import confirm, say
from whit.errors import InvalidInput, WhitError, shown
from whit.files import from_home, place_of, write_new
from whit.telling.reports import checklist_in, draft_in
from whit.telling.words import languages
from whit.theory import Direction, Unit, number_text

ENGLISH = "en"
"""The language of a file that names none."""

KINDS = {
    "epsilon": ("epsilon",),
    "epsilon-delta": ("epsilon", "delta"),
    "rho": ("rho",),
    "gaussian": ("gaussian",),
    "laplace": ("laplace",),
    "geometric": ("geometric",),
}
"""The kinds of promise that are asked for, with the words that each needs."""

_QUESTIONS = (
    "The questions are in English, and the suggested answers in the language of the report ({}). "
    "Write your answers in that language."
)
_VALUES = {"epsilon": 1.0, "delta": 1e-6, "rho": 0.1, "gaussian": 2.0, "laplace": 1.0, "geometric": 1.0}
_ABOVE = "Use a larger probability; 1 sets no limit."
_NOISES = ("gaussian", "laplace", "geometric")
_CHANGE = "The most that one record changes what is published"
_CHANGES = " (a number; count; histogram; or two numbers, such as 1:2, for a record added and one replaced)"
_SURE = ("epsilon", "laplace", "geometric")
_COVERED = "Does one period cover all releases, or has each release its own?"
_COVERS = tuple(word.replace("_", " ") for word in spec.COVERS)
_NUMBERS = {
    "epsilon": "Epsilon of each release",
    "delta": "Delta of each release",
    "rho": "Rho of each release",
    "gaussian": "Standard deviation of the Gaussian noise",
    "laplace": "Scale of the Laplace noise",
    "geometric": "Epsilon of the geometric noise",
}


@click.command(cls=Command, short_help="Write a commented release file, by questions.")
@click.argument("file", default="release.toml")
@click.option("--defaults", is_flag=True, help="Ask nothing, and write a file to be changed.")
@click.option(
    "--language",
    type=Word(languages()),
    default=ENGLISH,
    help="The language of the report: FILE names it, and has its first words and its checklist in it. en.",
)
@json_option
def init(file: str, defaults: bool, language: str, as_json: bool) -> None:
    """Ask what is released, and write FILE (release.toml if not given), from which `whit report` makes a report.

    The questions are in English. A file that is there already is never overwritten.
    """
    if os.path.lexists(from_home(file)):
        raise _taken(file)
    if not defaults and language != ENGLISH:
        click.echo(_QUESTIONS.format(language), err=True)
    draft = draft_in(language) if defaults else _asked(draft_in(language))
    text = draft.text(checklist_in(language))
    spec.release_of(spec.parsed(text, file))  # a file that no report would take is not written
    _write(file, text)
    asked = {"file": file, "defaults": defaults, "language": language}
    if as_json:
        say(Answers("init", asked, result={"written": file}).text())
    else:
        confirm(f"Written: {file}. Make the report with: whit report {file} --out report.html")


def _asked(usual: spec.Draft) -> spec.Draft:
    """The answers, one question after the other; what is wrong is asked again."""
    draft = replace(
        usual,
        name=_text("What is released", usual.name),
        publisher=_text("Who publishes it", usual.publisher),
        unit=_text("What one record stands for, such as person, household or event", usual.unit),
    )
    draft = replace(draft, period=_text("Which period the promise covers (empty: all of the data)", "", empty=True))
    kind = _ask("What is promised", "epsilon", _one_of(tuple(KINDS)), shown=f" ({', '.join(KINDS)})")
    promise = {word: _number(_NUMBERS[word], word, _VALUES[word]) for word in KINDS[kind]}
    promise |= {"sensitivity": _sensitivity(promise)} if kind in _NOISES else {}
    releases = _ask("How many releases there are about the same people", 1, _whole)
    draft = replace(draft, promise=promise, releases=releases)
    if draft.period and releases > 1:
        words = [word.replace(" ", "-") for word in _COVERS]  # as a message spells them
        covers = _ask(_COVERED, words[0], _one_of(_COVERS), shown=f" ({' or '.join(words)})")
        draft = replace(draft, covers=covers)
    draft = replace(
        draft,
        adversary=_text("Who may want to learn something", usual.adversary),
        fact=_text("What they want to know", usual.fact),
        prior=_number("How probable they find it before the release", "prior", usual.prior, read=_uncertain),
    )
    most = usual.posterior if draft.prior < usual.posterior else (1.0 + draft.prior) / 2
    above = partial(_above, draft.prior)
    asked = _number("How probable they may find it afterwards, at most", "posterior", most, read=above)
    draft = replace(draft, posterior=asked)
    failure = 0.0 if kind in _SURE else 0.01
    return replace(draft, failure=_number("With which probability a bound may fail", "failure", failure))


def _ask(question: str, usual: Any, read: Callable[[str], Any], *, shown: str = "") -> Any:
    """An answer that can be read; questions go to standard error, so that what is piped on stays as it is."""

    def checked(text: str) -> Any:
        try:
            return read(str(text))
        except WhitError as wrong:
            name = f'the answer to "{question}"'
            told = type(wrong)(name, wrong.rule, wrong.value, wrong.way_out, suggested=wrong.suggested)
            raise click.UsageError(sentence(told)) from wrong

    return click.prompt(f"{question}{shown}", usual, value_proc=checked, err=True, show_default=usual != "")


def _text(question: str, usual: str, *, empty: bool = False) -> Any:
    def read(text: str) -> str:
        if not text.strip() and not empty:
            raise InvalidInput("the answer", "must be a text that is not empty", "nothing", "Write a few words.")
        return spec.Given({"answer": text}, spec.Text(text)).words("answer") if text.strip() else ""

    return _ask(question, usual, read)


def _number(question: str, word: str, usual: float, *, read: Callable[[float], float] = float) -> Any:
    """A number that the grammar takes under this word: a parameter, if it is one."""

    def found(text: str) -> float:
        given = spec.Given({word: text})
        if word in KINDS:
            spec.promise_of(given)
        return read(given.number(word))

    return _ask(question, _digits(usual), found)


def _sensitivity(noise: Mapping[str, float]) -> Any:
    """What one record changes: a number, or the words of a sensitivity that this noise takes."""

    def read(text: str) -> float | str:
        spec.promise_of(spec.Given({**noise, "sensitivity": text}))
        try:
            return float(text)
        except ValueError:
            return text.strip()

    return _ask(_CHANGE, "1", read, shown=_CHANGES)


def _uncertain(prior: float) -> float:
    """A prior from which somebody can learn something."""
    if prior == 1.0:
        way_out = "Use a probability such as 0.1."
        raise InvalidInput("prior", "must be below 1, since nobody who is certain learns from a release", "1", way_out)
    return prior


def _above(prior: float, posterior: float) -> float:
    """A limit that leaves room above the prior."""
    if posterior <= prior:
        rule = f"must be above {_digits(prior)}, the probability before"
        raise InvalidInput("posterior", rule, _digits(posterior), _ABOVE)
    return posterior


def _digits(number: float) -> str:
    return number_text(number, Direction.EXACTLY, Unit.NUMBER, digits=15)


def _whole(text: str) -> int:
    return spec.Given({"releases": text}).whole("releases")


def _one_of(words: tuple[str, ...]) -> Callable[[str], str]:
    known = {spec.plain(word).replace(" ", "_"): word for word in words}
    return lambda text: spec.Given({"answer": text}).word("answer", known)


def _write(file: str, text: str) -> None:
    """Write a file that is not there yet, as a whole or not at all."""
    try:
        write_new(place_of(file), text.encode())
    except FileExistsError as wrong:
        raise _taken(file) from wrong
    except OSError as wrong:
        why = wrong.strerror or "it is refused"
        raise InvalidInput("FILE", f"must be one that can be written ({why})", file, "Name another place.") from wrong


def _taken(file: str) -> click.UsageError:
    return click.UsageError(
        f"{shown(file)} exists already; it was left as it is. Name another file, or remove it first."
    )
