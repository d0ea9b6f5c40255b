"""The options that commands share, and the form that they fill in; what they mean is read by the grammar of `spec`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import wraps
from itertools import chain
from typing import Any

import click
from click.shell_completion import CompletionItem

from whit import mechanisms, spec
from whit.apps.cli.option_groups import write_groups
from whit.apps.cli.output import working
from whit.assessment import QUESTIONS
from whit.errors import InvalidInput, unknown_name

Function = Callable[..., Any]

ADVERSARY = (*spec.BELIEFS, *(name for name in spec.WHO if name != "baseline"), "adversary")
"""The options about the adversary; not every command asks about a guess at the record, from its baseline."""

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
    "noise": ("WORD", "The noise that uses up --epsilon, --rho or --mu, if it is known."),
    "sensitivity": (
        "CHANGE",
        "The change of the answer by one record: count (the default), histogram, a number, or ADD:REPLACE (1:1+1).",
    ),
    "changes": ("", "full covers only people who change every answer in full; any (the default) covers everybody."),
    "neighbours": ("", "Which two datasets are compared. The default is add-remove."),
    "releases": ("K", "The number of such releases about the same people. The default is 1."),
    "from": ("FILE", "A TOML file with [promise], [[adversary]], [questions], [limit] and [profile]."),
    "promise": ("TEXT", 'One more promise: "epsilon=1, delta=1e-6", "rho=0.1, noise=gaussian".'),
    "prior": ("NUMBER", "The adversary's prior probability of the fact. The default is 0.5."),
    "inclusion": ("NUMBER", "The prior probability that the person is in the data; goes with --value."),
    "value": ("NUMBER", "The prior probability of the sensitive value for a person in the data."),
    "knows": ("", "What the adversary knows about the others. any-belief (the default) covers every belief."),
    "when": ("", "Bound beliefs at the end (the default), or ever: also between the releases."),
    "block": ("K", "The number of people who may depend on each other, such as a household. The default is 1."),
    "baseline": ("NUMBER", "How often a guess about the record is right without the release; asks for its success."),
    "adversary": ("NAME", "Only this adversary of the file."),
    "failure": ("NUMBER", "The probability with which a bound may fail. The default is 0, or what the file states."),
    "sides": ("", "2 also bounds drops of beliefs. The default is 1."),
    "level": ("NUMBER", "The false-positive rate of tests. The default is 0.05, or what the file states."),
    "people": ("K", "The number of people for whom a bound on total variation holds at once."),
    "population": ("N", "The size of the population: shows for how many people a bound is expected to fail."),
    "question": ("NAME", f"Only this question; may be repeated. One of {', '.join(_QUESTIONS)}."),
    "profile": ("TEXT", 'A risk profile: "relative=3, absolute=0.25". May be repeated.'),
    "limit": (
        "TEXT",
        (
            'A limit on one risk: "difference=0.2", "posterior=0.03, prior=0.001..0.01", "power=0.1, level=0.05". '
            "Ranges of priors, knows, when and block go inside. May be repeated."
        ),
    ),
    "keeping": ("TEXT", 'A total that all releases together must stay within: "epsilon=1, delta=1e-6".'),
    "requirements": ("FILE", "A TOML file with limits and profiles; every [limit] and [profile] counts."),
    "about": ("ATTRIBUTES", "The concern: these attributes of the record, separated by commas."),
    "place": ("TEXT", 'The concern: "Block within Tract", or "anywhere".'),
    "whole_record": ("", "The concern: everything about the record."),
    "presence": ("", "The concern: being in the data at all."),
    "scenario": ("LETTER", "A concern of the Census paper, A to H."),
}
ALIKE = 0.75
"""How much of an unknown option another one must share to be named beside it."""

_MEANT = {"sigma": ("gaussian", "discrete-gaussian"), "scale": ("laplace",)}
"""Parameters that have the name of their noise as an option."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
"""`--json`: the answers as one document, with directions, theorems and inputs."""


def completed(names: Callable[[], Iterable[str]]) -> Callable[..., list[CompletionItem]]:
    """What the shell completes an argument from: names that are looked up when it asks."""

    def complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in names() if name.startswith(incomplete)]

    return complete


def a_file(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete the name of a file."""
    return [CompletionItem(incomplete, type="file")]


def _noises() -> list[str]:
    return [kind.parameter.option for kind in mechanisms.kinds() if kind.parameter.keeps]


_COMPLETED = {
    "from": a_file,
    "requirements": a_file,
    "noise": completed(_noises),
    "sensitivity": completed(lambda: ("count", "histogram")),
}


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
    """A command that refuses an option twice."""

    def kinds_of(self, named: set[str] | None) -> Iterator[click.Option]:
        """The options of kinds of promise among those that are named, or all of them; no others are loaded."""
        return iter(())

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The options of kinds of promise, and those of the command."""
        own = super().get_params(ctx)
        names = {name for each in own for name in each.opts}
        return [*(each for each in self.kinds_of(ctx.meta.get(__name__)) if each.opts[0] not in names), *own]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; kinds that nobody names are not loaded, unless the shell asks for all of them."""
        if type(self).kinds_of is not Command.kinds_of:
            ctx.meta[__name__] = None if ctx.resilient_parsing else self._kinds_in(args)
        if not ctx.resilient_parsing:
            self._require_once(ctx, args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as unknown:
            like = " or ".join(self._like(unknown))
            said = f"No such option '{unknown.option_name}'.{f' Did you mean {like}?' if like else ''}"
            raise click.NoSuchOption(unknown.option_name, said, ctx=ctx) from unknown

    def _like(self, unknown: click.NoSuchOption) -> list[str]:
        """The options that are meant by an unknown one: those that take what it names, else those spelled like it."""
        from difflib import SequenceMatcher  # which only a mistake needs

        word = unknown.option_name.lstrip("-")
        meant = [f"--{each}" for each in _MEANT.get(word, ())]
        known = [each.opts[0] for each in self.kinds_of({*meant})]
        like = [each for each in unknown.possibilities or () if SequenceMatcher(None, word, each[2:]).ratio() > ALIKE]
        return [each for each in meant if each in known] or like

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options in groups."""
        write_groups(self, ctx, formatter)

    def _kinds_in(self, args: list[str]) -> set[str] | None:
        """The options that may be kinds; nothing where help is asked for, which shows them all."""
        own = {name for each in self.params for name in each.opts}
        given = {each.partition("=")[0] for each in args if each.startswith("-")}
        return None if given & {"-h", "--help"} else {each for each in given - own if each.startswith("--")}

    def _require_once(self, ctx: click.Context, args: list[str]) -> None:
        """Refuse an option that is given twice: only the last one would count."""
        try:
            _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        except click.UsageError:
            return  # what is wrong is said when the options are read
        for each in given:
            if isinstance(each, click.Option) and not (each.multiple or each.is_flag) and given.count(each) > 1:
                raise click.UsageError(f"{each.opts[0]} may be given once. Leave out one of them.", ctx)


class PromiseCommand(Command):
    """A command that takes promises: it has the options of every kind of them."""

    def kinds_of(self, named: set[str] | None) -> Iterator[click.Option]:
        """The words of the kinds, and what goes with them."""
        return kind_options(named, skipped=0)


class FamilyCommand(Command):
    """A command for one kind of promise that an option names: it has the options that go with the kinds."""

    def kinds_of(self, named: set[str] | None) -> Iterator[click.Option]:
        """What goes with the kinds, without the word of each."""
        return kind_options(named, skipped=1)


def kind_options(named: set[str] | None, *, skipped: int) -> Iterator[click.Option]:
    """The options of the kinds of promise, as their classes declare them; no more kinds are loaded than are named."""
    found: dict[str, click.Option] = {}
    words: Collection[str] = mechanisms.AROUND if named is None else [spec.plain(each[2:]) for each in named]
    around = (each.around.details for each in spec.layers(words))
    stated = (mechanisms.stated_by(kind)[skipped:] for kind in spec.kinds())
    others = (getattr(mechanisms, name).around.details for name in mechanisms.AROUND.values())  # where one is not known
    for details in chain(around, stated, others):
        if named is not None and named <= found.keys():
            break
        for each in details:
            found.setdefault(f"--{each.word.replace('_', '-')}", detail_option(each))
    return iter(found.values())


def detail_option(detail: mechanisms.Detail) -> click.Option:
    """The option of one of the values that a promise is stated with."""
    name = f"--{detail.word.replace('_', '-')}"
    if detail.written is mechanisms.Written.YES_NO:
        return click.Option([name, detail.word], is_flag=True, default=None, help=detail.meaning)
    return click.Option([name, detail.word], metavar=detail.symbol, help=detail.meaning)


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
            settings |= {"shell_complete": _COMPLETED[name]} if name in _COMPLETED else {}
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
    beside = ("noise", "sensitivity", "changes", "neighbours", "releases", "from")
    stated = beside if promises else ()
    every = (*stated, *(("promise",) if several else ()), *names)

    def with_form(command: Function) -> Function:
        @wraps(command)
        def form_first(**options: Any) -> Any:
            given = {name: options.pop(f"{name}_") for name in every}
            known = {parameter.name for parameter in click.get_current_context().command.params}
            kinds = {name: options.pop(name) for name in [*options] if promises and name not in known}
            return command(form=form_of({**kinds, **given}), **options)

        return shared(*every)(form_first)

    return with_form


def form_of(options: dict[str, Any]) -> spec.Form:
    """The form that options fill in, with what the files say that they name."""
    given = {name: value for name, value in options.items() if value not in (None, ())}
    about = {"failure", "sides", "level", "people", "population", "question", "from", "promise"}
    apart = {*ADVERSARY, *REQUIREMENTS, *about, "baseline"}
    beliefs = {name: given[name] for name in spec.BELIEFS if name in given}
    numbers = ("failure", "level", "sides", "people", "population")
    asked: dict[str, Any] = {name: given[name] for name in numbers if name in given}
    asked |= {"questions": list(given["question"])} if "question" in given else {}
    promise = {name: value for name, value in given.items() if name not in apart}
    form = spec.Form(
        promise=(spec.Given(promise),) if promise else (),
        adversary=(spec.Given(beliefs),) if beliefs else (),
        profile=tuple(spec.pairs("a profile", text) for text in given.get("profile", ())),
        limit=tuple(spec.pairs("a limit", text) for text in given.get("limit", ())),
        keeping=tuple(spec.pairs("a promise", text) for text in given.get("keeping", ())),
        questions=(spec.Given(asked, spelling={"questions": "question"}),) if asked else (),
        knows=spec.Given({name: given[name] for name in spec.WHO if name in given}),
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
    raise InvalidInput("--adversary", "must name one adversary of the file", "none", f"Use {names}.")


def required(form: spec.Form) -> spec.Requirements:
    """Every limit and profile; at least one of them, and no option that none of them uses."""
    with working("Reading the limits and profiles"):  # a table may be long
        found = form.requirements
    if not found:
        way_out = 'Use --profile "relative=3", --limit "difference=0.2", or --requirements FILE.'
        raise InvalidInput("a limit or a profile", "must be given", "none", way_out)
    by_loss = [limit for _, limit in found.limits if hasattr(limit, "allowed_loss")]
    for given in (each for each in form.questions[:1] if isinstance(each.source, spec.Options)):
        for key, uses in (("failure", [*by_loss, *found.profiles]), ("sides", by_loss)):
            if key in given and not uses:
                raise given.refuse(key, "does not apply: no limit or profile here bounds a belief")
    return found
