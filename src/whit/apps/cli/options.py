"""The options that commands share, and the form that they fill in; what they mean is read by the grammar of `spec`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import wraps
from itertools import chain
from typing import Any

import click
from click.shell_completion import CompletionItem

from whit import mechanisms, spec
from whit.apps.asking import Field, Promises, Taken, ask, command_named, watched_by
from whit.apps.asking.fields import SHARED
from whit.apps.asking.request import form_names, form_of
from whit.apps.cli.option_groups import write_groups
from whit.apps.cli.output import Signs, deliver
from whit.errors import unknown_name

Function = Callable[..., Any]

ALIKE = 0.75
"""How much of an unknown option another one must share to be named beside it."""

_WITHIN = {
    "--prior": '--limit "posterior=0.3, prior=0.1"',
    "--knows": '--limit "posterior=0.3, prior=0.1, knows=everyone-else"',
    "--when": '--limit "posterior=0.3, prior=0.1, when=ever"',
    "--block": '--limit "posterior=0.3, prior=0.1, block=4"',
    "--level": '--limit "power=0.1, level=0.05"',
    "--baseline": '--limit "success=0.3, baseline=0.1"',
    "--inclusion": '--profile "relative=3, inclusion=1"',
    "--value": '--profile "relative=3, value=1"',
}
"""What stands inside of limits and profiles where a command has these and no adversary of its own."""

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
    "noise": completed(_noises),
    "sensitivity": completed(lambda: ("count", "histogram")),
}


class Words(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.2 on
    """One of several words, which the shell completes and the grammar reads."""

    name = "word"

    def __init__(self, words: Collection[str]) -> None:
        self.words = [word.replace("_", "-") for word in words]

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Which words there are."""
        return f"Use {', '.join(self.words)}."

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The words that begin like this."""
        return [CompletionItem(word) for word in self.words if word.startswith(incomplete)]


class Word(click.Choice):  # type: ignore[type-arg]  # generic from click 8.2 on
    """One of several words of a single command; another one is refused with those most like it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The word that was chosen."""
        known = [str(each) for each in self.choices]
        if value in known or (not self.case_sensitive and str(value).lower() in map(str.lower, known)):
            return super().convert(value, param, ctx)
        name = (
            param.human_readable_name.strip("[].")
            if isinstance(param, click.Argument)
            else str(param and param.opts[0])
        )
        raise unknown_name(name, value, known)


class Needed(click.ParamType):  # type: ignore[type-arg]
    """A text that must be given; the error says what would do."""

    name = "text"

    def __init__(self, way_out: Callable[[], str]) -> None:
        self.way_out = way_out

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What would do."""
        return self.way_out()


def such(example: str) -> Needed:
    """A text that must be given, with an example of it."""
    return Needed(lambda: f"Give one, such as {example}.")


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
            self._require_named(ctx, args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as unknown:
            like = " or ".join(self._like(unknown))
            meant = f"Did you mean {like}?" if like else self.elsewhere(unknown.option_name)
            said = f"No such option '{unknown.option_name}'. {meant}".rstrip()
            raise click.NoSuchOption(unknown.option_name, said, ctx=ctx) from unknown
        except click.BadOptionUsage as empty:
            option = next((each for each in self.get_params(ctx) if empty.option_name in each.opts), None)
            symbol = "VALUE" if option is None else option.make_metavar(ctx)
            said = f"{empty.option_name} must have a value; got nothing. Write {empty.option_name} {symbol}."
            raise click.UsageError(said, ctx) from empty

    def _like(self, unknown: click.NoSuchOption) -> list[str]:
        """The options that are meant by an unknown one: those that take what it names, else those spelled like it."""
        from difflib import SequenceMatcher  # which only a mistake needs

        word = unknown.option_name.lstrip("-")
        meant = [*map(spec.Options().key, spec.MEANT.get(spec.plain(word), ()))]
        known = [each.opts[0] for each in (*self.kinds_of({*meant}), *self.params)]
        like = [each for each in unknown.possibilities or () if SequenceMatcher(None, word, each[2:]).ratio() > ALIKE]
        begun = [each.opts[0] for each in (*self.kinds_of(None), *self.params) if each.opts[0].startswith(f"--{word}")]
        return [each for each in meant if each in known] or like or list(dict.fromkeys(begun))

    def elsewhere(self, option: str) -> str:
        """Where to say what an adversary knows or believes, if it belongs to what is acceptable here."""
        acceptable = {name for each in self.params for name in each.opts} & {"--limit", "--profile"}
        within = _WITHIN.get(option) if acceptable == {"--limit", "--profile"} else None
        return f"It stands inside of what is acceptable: {within}." if within else ""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options in groups."""
        write_groups(self, ctx, formatter)

    def _kinds_in(self, args: list[str]) -> set[str] | None:
        """The options that may be kinds; nothing where help is asked for, which shows them all."""
        own = {name for each in self.params for name in each.opts}
        given = {each.partition("=")[0] for each in args if each.startswith("-")}
        return None if given & {"-h", "--help"} else {each for each in given - own if each.startswith("--")}

    def _require_named(self, ctx: click.Context, args: list[str]) -> None:
        """Refuse an option that is given twice, since only the last one would count, and a value without its name."""
        try:
            _, rest, given = self.make_parser(ctx).parse_args(args=list(args))
        except click.UsageError:
            return  # what is wrong is said when the options are read
        for each in given:
            if isinstance(each, click.Option) and not (each.multiple or each.is_flag) and given.count(each) > 1:
                raise click.UsageError(f"{each.opts[0]} may be given once. Leave out one of them.", ctx)
        if rest and not {*args} & {"-h", "--help"}:
            raise click.UsageError(f"{rest[0]!r} has no option before it. {self._named(rest[0])}.", ctx)

    def _named(self, value: str) -> str:
        """What to write for a value without its option: that option, if the value names it, or that of a file."""
        name, equals, rest = value.partition("=")
        option = f"--{name.strip().replace('_', '-')}"
        known = {name for each in (*self.kinds_of({option}), *self.params) for name in each.opts}
        if equals and option in known:
            return f"Write {option} {rest.strip()}"
        return f"A file goes with --from: --from {value}" if "--from" in known else "Leave it out"


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


def option_of(field: Field, name: str) -> Callable[[Function], Function]:
    """The option of a value, under a name in Python."""
    settings: dict[str, Any] = {"help": field.meaning, "multiple": field.many}
    settings |= {"is_flag": True} if field.taken is Taken.YES_NO else {"metavar": field.symbol}
    settings |= {"type": Words(field.words)} if field.words else {}
    settings |= {"required": True} if field.needed else {}
    settings |= {"default": field.default, "show_default": True} if field.shown else {}
    if field.taken is Taken.FILE or field.name in _COMPLETED:
        settings["shell_complete"] = _COMPLETED.get(field.name, a_file)
    return click.option(f"--{field.name.replace('_', '-')}", name, **settings)


def shared(*names: str) -> Callable[[Function], Function]:
    """Give a command some of the shared options, each under its own name; those not given are None or empty."""

    def with_options(command: Function) -> Function:
        for name in reversed(names):
            command = option_of(SHARED[name], f"{name}_")(command)
        return command

    return with_options


def asks(command: str) -> Callable[[Function], Function]:
    """Give a command of click the options of one that can be asked, each by its name there."""

    def with_options(function: Function) -> Function:
        for field in reversed(command_named(command).fields):
            if not field.argument:
                function = option_of(field, field.name)(function)
        return function

    return with_options


def answer(command: str, values: Mapping[str, Any], *, as_json: bool) -> None:
    """Ask a command, print what it tells, and end with its exit code."""
    with watched_by(Signs()):
        told = ask(command, values)
    deliver(told, as_json=as_json)
    if told.code:
        click.get_current_context().exit(told.code)


def filled_in(*names: str, several: bool = False, promises: bool = True) -> Callable[[Function], Function]:
    """Give a command the options of a form, and hand it the form that they and a file fill in as `form`.

    Args:
        names: the shared options beside those that state a promise.
        several: whether there may be several promises.
        promises: whether a promise may be stated.
    """
    stated = Promises.SEVERAL if several else Promises.ONE if promises else Promises.NONE
    every = (*form_names(stated), *names)

    def with_form(command: Function) -> Function:
        @wraps(command)
        def form_first(**options: Any) -> Any:
            given = {name: options.pop(f"{name}_") for name in every}
            known = {parameter.name for parameter in click.get_current_context().command.params}
            kinds = {name: options.pop(name) for name in [*options] if promises and name not in known}
            return command(form=form_of({**kinds, **given}), **options)

        return shared(*every)(form_first)

    return with_form
