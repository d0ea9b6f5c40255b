"""`whit import`: what a file of another library says about a release, what it leaves open, and what that means."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from whit import spec
from whit.apps.asking.answers import Answers, Named
from whit.apps.asking.codes import NOT_ALLOWED
from whit.apps.asking.request import the_one_asker
from whit.apps.asking.spelling import in_options, sentence
from whit.apps.cli.options import Command, Number, a_file, filled_in, json_option
from whit.apps.cli.output import say, show, speak, working
from whit.apps.cli.receipts import receipt_text
from whit.assessment import Unanswered, assess_one, exceptions, in_short, input_text, promise_name
from whit.curves import Promise
from whit.errors import Incompatible, InvalidInput, NotImplied, TooCostly, Unreachable, unknown_name
from whit.exchange import TABLES, Learned, ListedRelease, OpenPoint, learn_from_file, releases_in_file
from whit.ledger import Ledger
from whit.setting import Adversary, Neighbours
from whit.telling.words import usual_failure
from whit.theory import Answer, Direction, Unit, echo, number_text

DELTA = 1e-6
"""The delta at which epsilon is given if none is asked for."""

ABOUT: dict[Neighbours | None, str] = {
    Neighbours.ADD_REMOVE: "if a record is added or removed",
    Neighbours.REPLACE: "if a record is replaced",
    Neighbours.LOCAL: "of one person's own report",
    None: "between the neighbours of the source",
}
"""What the numbers are about, by the relation."""

LEDGER = ("account", "what", "yes", "actor", "key")
"""The options that go with a ledger, by name."""

DRY_RUN = "Dry run: nothing is recorded. Add --yes to record it as already released."
"""What is said where somebody has not yet said yes."""

USUALLY = {OpenPoint.UNIT: "person", OpenPoint.NEIGHBOURS: "replace"}
"""What somebody may know of a point, for example; of others it is what must be so, if anything."""

SETTLED = "Recording it states that the release is about the people and the unit of the account."
"""What whoever records it answers for."""


@click.command("import", cls=Command, short_help="What a file of another library says about a release.")
@click.argument("file", shell_complete=a_file)
@click.option("--d-in", type=Number(), help="For a measurement of OpenDP: the distance between neighbouring inputs.")
@filled_in("prior", "knows", "failure", promises=False)
@click.option("--at-delta", type=Number(), default=DELTA, help="Epsilon is given at this delta. The default is 1e-6.")
@click.option(
    "--settle",
    metavar="POINT=TEXT",
    multiple=True,
    help="What you know of a point that the source leaves open, such as unit=person or neighbours=replace. Repeatable.",
)
@click.option("--into", metavar="PATH|URL", default="", help="A ledger to record it in, as already released.")
@click.option("--account", metavar="NAME", default="", help="The account of the ledger.")
@click.option("--what", metavar="TEXT", default="", help="What was released, in words.")
@click.option("--yes", is_flag=True, help="Record it. Without this nothing is written.")
@click.option("--actor", metavar="NAME", default="", help="Who records it. The default is the user.")
@click.option("--key", metavar="TEXT", default="", help="An idempotency key: the same request again is recorded once.")
@json_option
def import_(
    form: spec.Form,
    file: str,
    d_in: float | None,
    at_delta: float,
    settle: tuple[str, ...],
    as_json: bool,
    **ledger: Any,
) -> None:
    """Read FILE of another library, and say what it promises and what it leaves open.

    FILE is JSON or TOML: an event of dp-accounting, a privacy loss distribution, the state of an accountant of Opacus,
    riskcal or PipelineDP, a measurement that OpenDP serialized, or the steps of an odometer of SmartNoise. It may also
    be a record of the deployments registry (YAML) or a table of releases (CSV or Parquet). whit opens no file that
    could run code. Without --failure the posterior holds always where it can, and except with probability 1 % where it
    cannot.

    With --into, --account and --what, whit shows whether the release is within the limits of the account; --yes
    records it as already released. It then counts in full, also beyond a limit; the exit code is 1 if one is exceeded.
    A table is recorded row by row, with the column `what` instead of --what, and the column `key`.
    """
    listed = releases_in_file(file) if file.lower().endswith(TABLES) else ()
    _require_ledger(ledger, listed)
    adversary = the_one_asker(form).adversary
    found, said = _settled(_read(file, d_in), settle)
    failure = form.asked.failure if any("failure" in each for each in form.questions) else None
    failure = usual_failure(found.promise) if failure is None else failure
    with working("Assessing"):
        asking = partial(_answers, found.promise, adversary, failure, at_delta)
        answers = {relation: asking(relation) for relation in relations_of(found)}
    recorded = _recorded(found, listed, **ledger) if ledger["into"] else {}
    if not as_json:
        _print(found, said, answers, adversary, recorded)
        _end(recorded)
        return
    beliefs = {**adversary.to_dict(), "failure": failure, "at_delta": at_delta}
    asked = {"file": file, **({} if d_in is None else {"d_in": d_in}), **beliefs}
    named = [Named(name, ABOUT[about], each) for about, some in answers.items() for name, each in some.items()]
    notes = tuple(recorded.pop("notes", ()))
    result = {**_understood(found), "settled": said, **({"ledger": recorded} if recorded else {})}
    say(Answers("import", asked, tuple(named), notes, result).text())
    _end(recorded)


def _end(recorded: dict[str, Any]) -> None:
    """End with exit code 1 where a limit is exceeded by what was recorded."""
    if recorded.get("exceeded"):
        click.get_current_context().exit(NOT_ALLOWED)


def _require_ledger(given: dict[str, Any], listed: tuple[ListedRelease, ...]) -> None:
    """Refuse what goes with a ledger where there is none, and a ledger without its account and its words."""
    if not given["into"]:
        for name in LEDGER:
            if given[name]:
                way_out = "Add --into LEDGER, or leave it out."
                raise Incompatible(f"--{name}", "goes with --into", given[name], way_out)
        return
    for name, such in (("account", "--account 2026"), ("what", '--what "the model of May"')):
        said = name == "what" and listed and all(each.what for each in listed)
        if not given[name].strip() and not said:
            raise InvalidInput(f"--{name}", "must be given with --into", "nothing", f"Use {such}.")


def _read(file: str, d_in: float | None) -> Learned:
    """What the file says; a file without a promise is wrong input, and no question without an answer."""
    try:
        return learn_from_file(file, d_in=d_in)
    except InvalidInput as wrong:
        if wrong.name != "d_in":
            raise
        way_out = "Use the distance between neighbouring inputs, such as --d-in 1."
        raise InvalidInput("--d-in", wrong.rule, wrong.value, way_out) from wrong
    except (NotImplied, TooCostly, Unreachable) as wrong:
        raise InvalidInput(wrong.name, wrong.rule, wrong.value, wrong.way_out, suggested=wrong.suggested) from wrong


def _settled(found: Learned, given: tuple[str, ...]) -> tuple[Learned, dict[str, str]]:
    """What is left open after somebody has said what they know; and what they said, by the point."""
    words = {each.word: each for each in OpenPoint}
    said: dict[str, str] = {}
    for each in given:
        word, _, text = (part.strip() for part in each.partition("="))
        if not text:
            raise InvalidInput("--settle", "must be a point and what you know of it", each, "Use unit=person.")
        if word not in words or words[word] not in found.open:
            raise unknown_name("the point of --settle", word, [one.word for one in found.open])
        if not words[word].permits(text):
            must = words[word].must
            way_out = f"Leave it open, or say {word}={must} if that is so: else the numbers do not hold."
            raise NotImplied(f"--settle {word}", f"must be {must}", text, way_out)
        about = spec.Given({word: text}, spec.Text(each)).word(word, spec.NEIGHBOURS) if word == "neighbours" else None
        found = found.settled(words[word], neighbours=about)
        said[word] = text
    return found, said


def relations_of(found: Learned) -> tuple[Neighbours | None, ...]:
    """The relations that numbers are given for; of a curve there is none, and its numbers are what they are."""
    return found.relations or (None,)


def _answers(
    promise: Promise, adversary: Adversary, failure: float, delta: float, relation: Neighbours | None
) -> dict[str, Answer]:
    """The posterior, and epsilon at the delta."""
    asked: dict[str, Any] = {"failure": failure, "neighbours": relation, "questions": ("posterior",)}
    posterior = in_options(assess_one(promise, adversary, **asked)).posterior
    at = number_text(delta, Direction.EXACTLY, Unit.NUMBER, digits=15)
    try:
        epsilon: Answer = promise.epsilon(delta, neighbours=relation)
    except (NotImplied, TooCostly, Unreachable) as wrong:
        epsilon = Unanswered(sentence(wrong))
    return {"posterior": posterior, f"epsilon.{at}": epsilon}


def _understood(found: Learned) -> dict[str, Any]:
    """What was read, as plain values."""
    points = [{"point": each.name.lower(), "sentence": each.value} for each in found.open]
    return {
        "source": found.source,
        "promise": echo(found.promise),
        "words": promise_name(found.promise),
        "open": points,
    }


def _recorded(
    found: Learned, listed: tuple[ListedRelease, ...], *, into: str, account: str, **more: Any
) -> dict[str, Any]:
    """What was recorded in a ledger, or would be: whether it fits, and the sentences that say so."""
    what, yes = more["what"], more["yes"]
    with Ledger(into, actor=more["actor"]) as book:
        with working("Checking"):
            refusal = book.check(account, found.promise)
        fits = f"is within the limits of account {account}" if refusal is None else f"does not fit: it {refusal.rule}"
        said = [f"The release {fits}."]
        tree: dict[str, Any] = {"account": account, "what": what, "fits": refusal is None, "recorded": yes}
        if not yes:
            return {**tree, "notes": [*said, DRY_RUN, SETTLED]}
        rows = list(_rows(listed, what, more["key"])) or [(found.promise, what, more["key"])]
        receipts = [book.record(account, promise, what=words, key=key) for promise, words, key in rows]
        over = receipts[-1].exceeded
        tree |= {"entry": receipts[-1].number, "head": receipts[-1].head, "exceeded": list(over)}
        return {**tree, "notes": [*said, *map(receipt_text, receipts), *over]}


def _rows(listed: tuple[ListedRelease, ...], what: str, key: str) -> Iterator[tuple[Promise, str, str]]:
    """The promise, the words and the key of each row; one key for all is told apart by the row."""
    for number, each in enumerate(listed, start=1):
        yield each.promise, each.what or what, each.key or (f"{key} {number}" if key else "")


def _print(
    found: Learned,
    said: dict[str, str],
    answers: dict[Neighbours | None, dict[str, Answer]],
    adversary: Adversary,
    recorded: dict[str, Any],
) -> None:
    """The promise, what is open, what it means, and what became of it in a ledger."""
    speak(f"Read from {found.source}: {promise_name(found.promise)}.")
    say()
    if said:
        speak(f"You say: {', '.join(f'{word} is {text}' for word, text in said.items())}.")
        say()
    if found.open:
        speak(f"The source leaves {len(found.open)} {'point' if len(found.open) == 1 else 'points'} open:")
        for point in found.open:
            speak(f"- {point.value}")
        asked = found.open[0]
        known = asked.must or USUALLY.get(asked, "yes")
        speak(f"Ask whoever ran it, and say what you know: --settle {asked.word}={known}.")
        say()
    names = next(iter(answers.values()))
    rows = [(_question(name, adversary), *(_answer(each[name]) for each in answers.values())) for name in names]
    show(("question", *(ABOUT[relation] for relation in answers)), rows)
    if recorded:
        say()
    for note in recorded.get("notes", ()):
        speak(note)


def _question(name: str, adversary: Adversary) -> str:
    what, _, at = name.partition(".")
    return f"epsilon at delta {at}" if what == "epsilon" else f"posterior from a prior of {input_text(adversary.prior)}"


def _answer(answer: Answer) -> str:
    """The number in few words, with the probability of its failure; or why there is none."""
    return str(answer) if answer.worst is None else f"{in_short(answer)}{exceptions(answer.worst)}"
