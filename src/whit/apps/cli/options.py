"""The options that commands share, and the form that they fill in; what they mean is read by the grammar of `spec`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import wraps
from typing import Any

import click
from click.shell_completion import CompletionItem

from whit import spec
from whit.apps.cli.output import working
from whit.assessment import QUESTIONS
from whit.errors import InvalidInput, unknown_name

Function = Callable[..., Any]

ADVERSARY = ("prior", "inclusion", "value", "knows", "when", "adversary")
"""The options about who is asking."""

REQUIREMENTS = ("profile", "limit", "keeping", "requirements")
"""The options about what is acceptable."""

_QUESTIONS = [name.replace("_", "-") for name in QUESTIONS]
_WORDS: dict[str, Collection[str]] = {
    "changes": spec.CHANGES,
    "neighbours": spec.NEIGHBOURS,
    "knows": spec.KNOWS,
    "when": spec.WHEN,
    "sides": ("1", "2"),
    "question": _QUESTIONS,
}
_FLAGS = ("whole_record", "presence")
_MULTIPLE = ("promise", "question", "profile", "limit", "keeping")
_OPTIONS = {
    "noise": ("WORD", "The noise that keeps --epsilon, --rho or --mu to the full, where it is known."),
    "sampling_rate": ("RATE", "Noise that sees each record with this probability (Poisson sampling)."),
    "records": ("K", "Of noise on a sample: how many records one person has at most, each drawn by itself."),
    "shuffled": ("PEOPLE", "Reports of so many people in random order, of which each is what is stated."),
    "sensitivity": ("CHANGE", "Of the exact answer: count (if not given), histogram, a number, or ADD:REPLACE."),
    "changes": ("", "full: only about who changes every answer of every release to the full. any if not given."),
    "neighbours": ("", "Which two datasets are compared. add-remove if not given."),
    "releases": ("K", "So many such releases about the same people."),
    "from": ("FILE", "A TOML file with [promise], [[adversary]], [questions], [limit] and [profile]."),
    "promise": ("TEXT", 'One more promise: "epsilon=1, delta=1e-6", "rho=0.1, noise=gaussian".'),
    "prior": ("NUMBER", "What the adversary believes before: the probability of the fact. 0.5 if not given."),
    "inclusion": ("NUMBER", "The probability that the person is in the data; with --value."),
    "value": ("NUMBER", "The probability of the sensitive value, if they are in the data."),
    "knows": ("", "What they know of the others: everyone-else, or any-belief unless it is given."),
    "when": ("", "When a bound on beliefs holds: ever, also between the releases; or at the end unless it is given."),
    "adversary": ("NAME", "Only this adversary of the file."),
    "failure": ("NUMBER", "The chance that a statement may be false. 0 if neither this nor a file says it."),
    "sides": ("", "2 to bound drops of beliefs as well. 1 if not given."),
    "level": ("NUMBER", "The false-positive rate of tests. 0.05 if neither this nor a file says it."),
    "people": ("K", "How many people a bound on total variation is to hold for at once."),
    "question": ("NAME", f"Only this question: {', '.join(_QUESTIONS)}."),
    "profile": ("TEXT", 'A risk profile: "relative=3, absolute=0.25".'),
    "limit": ("TEXT", 'A limit on one risk: "difference=0.2", "power=0.1, level=0.05".'),
    "keeping": ("TEXT", 'A promise to keep: "epsilon=1, delta=1e-6".'),
    "requirements": ("FILE", "A TOML file with what is acceptable: every [limit] and [profile] in it."),
    "about": ("ATTRIBUTES", "The concern: these attributes of the record, with commas."),
    "place": ("TEXT", 'The concern: "Block within Tract", or "anywhere".'),
    "whole_record": ("", "The concern: everything about the record."),
    "presence": ("", "The concern: being in the data at all."),
    "scenario": ("LETTER", "A concern of the Census paper, A to H."),
}

json_option = click.option("--json", "as_json", is_flag=True, help="Answer as one JSON document.")
"""`--json`: the answers as one document, with directions, theorems and inputs."""


class Words(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.2 on
    """One of several words, which the shell completes and the grammar reads."""

    name = "word"

    def __init__(self, words: Collection[str]) -> None:
        self.words = [word.replace("_", "-") for word in words]

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The words that begin like this."""
        return [CompletionItem(word) for word in self.words if word.startswith(incomplete)]


class Word(click.Choice):  # type: ignore[type-arg]  # generic from click 8.2 on
    """One of several words of a single command; another one is refused with those most like it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The word that was chosen."""
        known = [str(each) for each in self.choices]
        if value in known:
            return super().convert(value, param, ctx)
        name = param.human_readable_name if isinstance(param, click.Argument) else str(param and param.opts[0])
        raise unknown_name(name, value, known)


class Number(click.ParamType):  # type: ignore[type-arg]
    """The number of an option that is of a single command."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number that was written."""
        key = str(param and param.name)
        return spec.Given({key: value}).number(key)


class Whole(click.ParamType):  # type: ignore[type-arg]
    """A whole number of an option that is of a single command."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number that was written."""
        key = str(param and param.name)
        return spec.Given({key: value}).whole(key)


class Command(click.Command):
    """A command that refuses an option twice; if it takes promises, it has an option for each kind of them."""

    states_promises = False

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The options of the kinds that are named, or of all of them, and those of the command."""
        own = super().get_params(ctx)
        return [*kind_options(ctx.meta.get(__name__)), *own] if self.states_promises else own

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; kinds that nobody names are not loaded."""
        if self.states_promises:
            ctx.meta[__name__] = self._kinds_in(args)
        if not ctx.resilient_parsing:
            self._require_once(ctx, args)
        return super().parse_args(ctx, args)

    def _kinds_in(self, args: list[str]) -> set[str] | None:
        """The options that may be kinds; nothing where help is asked for, which shows them all."""
        own = {name for each in self.params for name in each.opts}
        given = {each.partition("=")[0] for each in args if each.startswith("-")}
        return None if given & {"-h", "--help"} else {each for each in given - own if each.startswith("--")}

    def _require_once(self, ctx: click.Context, args: list[str]) -> None:
        """Refuse an option that is given twice, of which only the last would count."""
        try:
            _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        except click.UsageError:
            return  # what is wrong is said when the options are read
        for each in given:
            if isinstance(each, click.Option) and not (each.multiple or each.is_flag) and given.count(each) > 1:
                raise click.UsageError(f"{each.opts[0]} may be given once. Leave out one of them.", ctx)


class PromiseCommand(Command):
    """A command that takes promises."""

    states_promises = True


def kind_options(named: set[str] | None) -> Iterator[click.Option]:
    """The options of the kinds of promise, as their classes declare them; no more kinds are loaded than are named."""
    found: dict[str, click.Option] = {}
    for kind in spec.kinds():
        if named is not None and named <= found.keys():
            break
        declared = kind.parameter
        said = {declared.option: (declared.symbol, declared.meaning)}
        said |= {name: ("NUMBER", f"The {name} that goes with --{declared.option}.") for name in declared.beside}
        for name, (symbol, meaning) in said.items():
            option = click.Option([f"--{name}", spec.plain(name)], metavar=symbol, help=meaning)
            found.setdefault(f"--{name}", option)
    return iter(found.values())


def shared(*names: str) -> Callable[[Function], Function]:
    """Give a command some of the shared options, each under its own name; those not given are None or empty."""

    def with_options(command: Function) -> Function:
        for name in reversed(names):
            symbol, meaning = _OPTIONS[name]
            settings: dict[str, Any] = {"help": meaning, "multiple": name in _MULTIPLE, "is_flag": name in _FLAGS}
            if name in _WORDS:
                settings["type"] = words = Words(_WORDS[name])
                symbol = symbol or "|".join(words.words)
            settings |= {"metavar": symbol} if symbol else {}
            command = click.option(f"--{name.replace('_', '-')}", f"{name}_", **settings)(command)
        return command

    return with_options


def filled_in(*names: str, several: bool = False, promises: bool = True) -> Callable[[Function], Function]:
    """Give a command the options of a form, and hand it the form that they and a file fill in as `form`.

    Args:
        names: the shared options beside those that state a promise.
        several: whether there may be several promises.
        promises: whether a promise may be stated.
    """
    beside = (
        "noise",
        "sampling_rate",
        "records",
        "shuffled",
        "sensitivity",
        "changes",
        "neighbours",
        "releases",
        "from",
    )
    stated = beside if promises else ()
    every = (*stated, *(("promise",) if several else ()), *names)

    def with_form(command: Function) -> Function:
        @wraps(command)
        def form_first(**options: Any) -> Any:
            given = {name: options.pop(f"{name}_") for name in every}
            known = {parameter.name for parameter in click.get_current_context().command.params}
            kinds = {name: options.pop(name) for name in [*options] if name not in known}
            return command(form=form_of({**kinds, **given}), **options)

        return shared(*every)(form_first)

    return with_form


def form_of(options: dict[str, Any]) -> spec.Form:
    """The form that options fill in, with what the files say that they name."""
    given = {name: value for name, value in options.items() if value not in (None, ())}
    apart = {*ADVERSARY, *REQUIREMENTS, "failure", "sides", "level", "people", "question", "from", "promise"}
    beliefs = {name: given[name] for name in spec.BELIEFS if name in given}
    asked: dict[str, Any] = {name: given[name] for name in ("failure", "level", "sides", "people") if name in given}
    asked |= {"questions": list(given["question"])} if "question" in given else {}
    promise = {name: value for name, value in given.items() if name not in apart}
    form = spec.Form(
        promise=(spec.Given(promise),) if promise else (),
        adversary=(spec.Given(beliefs),) if beliefs else (),
        profile=tuple(spec.pairs("a profile", text) for text in given.get("profile", ())),
        limit=tuple(spec.pairs("a limit", text) for text in given.get("limit", ())),
        keeping=tuple(spec.pairs("a promise", text) for text in given.get("keeping", ())),
        questions=(spec.Given(asked),) if asked else (),
        knows=spec.Given({name: given[name] for name in ("knows", "when") if name in given}),
    )
    if "from" in given:
        form = form.over(spec.Form.of_file(given["from"]))
    if "requirements" in given:
        wanted = spec.Form.of_file(given["requirements"])
        form = form.over(spec.Form(profile=wanted.profile, limit=wanted.limit, questions=wanted.questions))
    texts = tuple(spec.pairs("a promise", text) for text in given.get("promise", ()))
    form = replace(form, promise=(*form.promise, *texts))
    return form if "adversary" not in given else _only(form, given["adversary"])


def _only(form: spec.Form, name: str) -> spec.Form:
    """The form with one of its adversaries."""
    known = {each.words("name"): each for each in form.adversary if "name" in each}
    if name not in known:
        raise unknown_name("--adversary", name, known)
    return replace(form, adversary=(known[name],))


def names_of(form: spec.Form) -> list[str]:
    """What the promises are called beside each other: by their own names, or by how they were written."""
    return [series.name or _spelling(given) for given, series in zip(form.promise, form.promises, strict=True)]


def _spelling(given: spec.Given) -> str:
    if isinstance(given.source, spec.Text):
        return given.source.text.strip()
    return ", ".join(f"{name.replace('_', '-')}={value}" for name, value in given.values.items())


def the_one_asker(form: spec.Form) -> spec.Asker:
    """The one adversary that a command is about."""
    if len(form.askers) == 1:
        return form.askers[0]
    names = " or ".join(asker.name for asker in form.askers)
    raise InvalidInput("--adversary", "must choose one of the file's here", "none", f"Use {names}.")


def required(form: spec.Form) -> spec.Requirements:
    """Everything that is acceptable; at least one thing, and no option that none of it has a use for."""
    with working("Reading what is acceptable"):  # a table may be long
        found = form.requirements
    if not found:
        way_out = 'Say what is acceptable: --profile "relative=3", --limit "difference=0.2", or --requirements FILE.'
        raise InvalidInput("what is acceptable", "must be said", "nothing", way_out)
    by_loss = [limit for _, limit in found.limits if hasattr(limit, "allowed_loss")]
    for given in (each for each in form.questions[:1] if isinstance(each.source, spec.Options)):
        for key, uses in (("failure", [*by_loss, *found.profiles]), ("sides", by_loss)):
            if key in given and not uses:
                raise given.refuse(key, "has no use for what is to be kept, which is no bound on a belief")
    return found
