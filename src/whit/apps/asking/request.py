"""What was asked of a command: values that were checked, and the form that they and a file fill in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cached_property
from typing import Any

from whit import spec
from whit.apps.asking.answers import Told
from whit.apps.asking.fields import ADVERSARY, PROMISE, REQUIREMENTS, SHARED, Field, Taken
from whit.apps.asking.signs import working
from whit.errors import Incompatible, InvalidInput, WhitError, unknown_name
from whit.theory import Named, named_noises

_ANSWERS = {"yes": True, "no": False, "true": True, "false": False}
_TEXT = 'Write it in quotes, such as "text".'
_FILE = "Give the path of a file, or its text as {name, text}."


class Promises(Enum):
    """How many promises a command takes; LIKE stands for one kind whose parameter is looked for."""

    NONE = auto()
    ONE = auto()
    SEVERAL = auto()
    LIKE = auto()


@dataclass(frozen=True)
class Command:
    """A command: what it takes, and how it answers.

    Attributes:
        name: its name.
        answer: what answers a request.
        form: the shared values that fill in the form, beside those that state a promise.
        own: the values of its own.
        promises: which promises it takes.
        names: its own names of parameters of the library, for what a message suggests.
        inside: parameters of the library that stand inside of the text of another value here.
    """

    name: str
    answer: Callable[[Request], Told]
    form: tuple[str, ...] = ()
    own: tuple[Field, ...] = ()
    promises: Promises = Promises.NONE
    names: Mapping[str, str] = field(default_factory=dict)
    inside: Mapping[str, str] = field(default_factory=dict)

    @property
    def filled(self) -> tuple[str, ...]:
        """The shared values that fill in the form."""
        return (*form_names(self.promises), *self.form)

    @property
    def fields(self) -> tuple[Field, ...]:
        """Every value that it takes, without the words of kinds of promise."""
        return (*(SHARED[name] for name in self.filled), *self.own)

    def in_own_names(self, error: WhitError) -> WhitError:
        """An error whose suggestions have the names of this command."""
        if not (self.names.keys() | self.inside.keys()) & error.suggested.keys():
            return error
        way_out, suggested = error.way_out, {}
        for name, value in error.suggested.items():
            if name in self.inside:
                said = f"{name}={value.name.lower().replace('_', '-') if isinstance(value, Enum) else value}"
                way_out = way_out.replace(f"{{{name}}}", f"{said} inside --{self.inside[name]}")
                continue
            own = self.names.get(name, name)
            way_out, suggested[own] = way_out.replace(f"{{{name}}}", f"{{{own}}}"), value
        return type(error)(error.name, error.rule, error.value, way_out, parameter=error.parameter, suggested=suggested)


def form_names(promises: Promises) -> tuple[str, ...]:
    """The shared values that state promises."""
    if promises in (Promises.NONE, Promises.LIKE):
        return ()
    return (*PROMISE, "promise") if promises is Promises.SEVERAL else PROMISE


INSIDE = {"inclusion": "profile", "value": "profile", "knows": "limit", "when": "limit", "block": "limit"}
"""What is said of an adversary inside of what is acceptable, by the value that it stands in."""


@dataclass(frozen=True)
class Request:
    """What was asked.

    Attributes:
        command: the command.
        values: every value that was given, and the defaults of the others.
    """

    command: Command
    values: Mapping[str, Any]

    @property
    def given(self) -> spec.Given:
        """The values of the command's own, and the words of kinds where it states none."""
        form = () if self.command.promises is Promises.LIKE else self.command.filled
        return spec.Given({name: value for name, value in self.values.items() if name not in form})

    @cached_property
    def form(self) -> spec.Form:
        """The form that the others fill in, with what the files say that they name."""
        own = {each.name for each in self.command.own}
        like = self.command.promises is Promises.LIKE
        form = {name: value for name, value in self.values.items() if name not in own}
        return form_of({name: value for name, value in form.items() if not like or name in self.command.filled})

    def word(self, name: str, words: Mapping[str, Any]) -> Any:
        """What a word stands for."""
        return self.given.word(name, {spec.plain(word): meant for word, meant in words.items()})


def request_of(command: Command, values: Mapping[str, object]) -> Request:
    """The values of a request, each checked to be of its sort; one that the command does not know is refused."""
    known = {each.name: each for each in command.fields}
    said = {name: value for name, value in values.items() if value is not None and value not in ((), [])}
    given = spec.Given(said)
    stated = () if command.promises is Promises.NONE else said.keys() - SHARED.keys()  # the words of some promise
    given.only([*known, *stated])
    for each in command.own:
        if each.needed and each.name not in said:
            way_out = f"State {given.key(each.name)}."
            raise InvalidInput(given.place(each.name), "must be given", "nothing", way_out, parameter=each.name)
    checked = {name: _checked(given, known[name]) if name in known else value for name, value in said.items()}
    defaults = {each.name: each.default for each in command.own if each.default is not None}
    return Request(command, {**defaults, **checked})


def _checked(given: spec.Given, known: Field) -> object:
    """A value of its sort; numbers and words are read where their meaning is."""
    name, value = known.name, given.values[known.name]
    if known.many:
        listed = value if isinstance(value, list | tuple) else [value]
        return tuple(_checked(replace(given, values={name: each}), replace(known, many=False)) for each in listed)
    if known.taken is Taken.YES_NO:
        return value if isinstance(value, bool) else given.word(name, _ANSWERS)
    if known.taken is Taken.TERMS and isinstance(value, Mapping):
        return value
    if known.taken is Taken.FILE and isinstance(value, Mapping):
        return _uploaded(given, name)
    if known.taken in (Taken.TEXT, Taken.TERMS, Taken.FILE, Taken.WORD) and not isinstance(value, str):
        raise given.invalid(name, "must be a text", _FILE if known.taken is Taken.FILE else _TEXT)
    return value


def _uploaded(given: spec.Given, name: str) -> object:
    """The text of a file with the name that messages call it by."""
    value: Any = given.values[name]
    if (
        set(value) - {"name", "text"}
        or not all(isinstance(each, str) for each in value.values())
        or "text" not in value
    ):
        raise given.invalid(name, "must be the text of a file", _FILE, "something else")
    return {"name": name, **value}


def form_of(options: Mapping[str, Any]) -> spec.Form:
    """The form that values fill in, with what the files say that they name."""
    given = {name: value for name, value in options.items() if value not in (None, ())}
    about = {"failure", "sides", "level", "people", "population", "question", "from", "promise"}
    apart = {*ADVERSARY, *REQUIREMENTS, *about, "baseline"}
    beliefs = {name: given[name] for name in spec.BELIEFS if name in given}
    numbers = ("failure", "level", "sides", "people", "population")
    asked: dict[str, Any] = {name: given[name] for name in numbers if name in given}
    asked |= {"questions": list(given["question"])} if "question" in given else {}
    promise = {name: value for name, value in given.items() if name not in apart}
    if "promise" in given and promise and {*promise} <= {*spec.BESIDE}:
        raise _goes_inside(promise, given["promise"])
    form = spec.Form(
        promise=(spec.Given(promise),) if promise else (),
        adversary=(spec.Given(beliefs),) if beliefs else (),
        profile=terms_of("a profile", given.get("profile", ())),
        limit=terms_of("a limit", given.get("limit", ())),
        keeping=terms_of("a promise", given.get("keeping", ())),
        questions=(spec.Given(asked, spelling={"questions": "question"}),) if asked else (),
        knows=spec.Given({name: given[name] for name in spec.WHO if name in given}),
    )
    if "from" in given:
        form = form.over(form_in(given["from"]))
    if "requirements" in given:
        wanted = form_in(given["requirements"])
        form = form.over(spec.Form(profile=wanted.profile, limit=wanted.limit, questions=wanted.questions))
    form = replace(form, promise=(*form.promise, *terms_of("a promise", given.get("promise", ()))))
    return form if "adversary" not in given else _only(form, given["adversary"])


def _goes_inside(beside: Mapping[str, Any], promises: Collection[str | Mapping[str, object]]) -> Incompatible:
    """The error about an option that says something of each promise, where each stands in a text of its own."""
    options, name = spec.Options(), next(iter(beside))
    first = next(iter(promises))
    example = f"{first if isinstance(first, str) else 'epsilon=1'}, {name.replace('_', '-')}={beside[name]}"
    way_out = f'Write it in the text: "{example}".'
    return Incompatible(options.key(name), "does not go with --promise", beside[name], way_out)


def terms_of(what: str, several: Collection[str | Mapping[str, object]]) -> tuple[spec.Given, ...]:
    """Texts of name=value, or tables with the same names."""
    return tuple(spec.pairs(what, each) if isinstance(each, str) else spec.tree(what, each) for each in several)


def form_in(file: str | Mapping[str, str]) -> spec.Form:
    """The form in a file: one by its path, or one whose text is at hand, which cannot name others."""
    if isinstance(file, str):
        return spec.Form.of_file(file)
    return spec.Form.of(spec.parsed(file["text"], file["name"]))


def _only(form: spec.Form, name: str) -> spec.Form:
    """The form with one of its adversaries."""
    known = {each.words("name"): each for each in form.adversary if "name" in each}
    if name not in known:
        raise unknown_name("--adversary", name, known)
    return replace(form, adversary=(known[name],))


def names_of(form: spec.Form) -> list[str]:
    """What the promises are called in a list: by their own names, or by how they were written."""
    return [series.name or _spelling(given) for given, series in zip(form.promise, form.promises, strict=True)]


def noises_of(form: spec.Form) -> Named:
    """The noise of each of several promises, and what the promise is called."""
    return named_noises([(each.called(at), each.together) for at, each in enumerate(form.promises, start=1)])


def _spelling(given: spec.Given) -> str:
    if isinstance(given.source, spec.Text):
        return given.source.text.strip()
    return ", ".join(f"{name.replace('_', '-')}={value}" for name, value in given.values.items())


def told_apart(names: Sequence[str]) -> list[str]:
    """The names; those that are the same get the number of their place.

    >>> told_apart(["rho = 1", "survey", "rho = 1"])
    ['rho = 1 (1)', 'survey', 'rho = 1 (3)']
    """
    return [name if names.count(name) == 1 else f"{name} ({at})" for at, name in enumerate(names, start=1)]


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
