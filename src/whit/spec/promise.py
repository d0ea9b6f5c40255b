"""A promise from its parameters: what one release promises, and how many such releases there are."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

# Each kind of promise and of noise is loaded when it is named: a request names one of them.
from whit import guarantees, mechanisms
from whit.assessment import in_each, promise_name, titled
from whit.curves import Promise
from whit.errors import Incompatible, InvalidInput
from whit.setting import Neighbours, Parameter, Sensitivity
from whit.spec.given import AsWritten, Given, as_written
from whit.spec.stated import NEIGHBOURS, read, value_of

Promised: TypeAlias = "guarantees.Guarantee | mechanisms.Mechanism"
Kind: TypeAlias = "type[guarantees.Guarantee] | type[mechanisms.Mechanism]"

CHANGES = {"any": False, "full": True}
"""The words for whom a bound with a failure covers, and whether that is only who changes every answer to the full."""

BESIDE = ("noise", "sensitivity", "changes", "neighbours", "releases", "name")
"""What a promise is stated with, beside the words of its kind and of what is made of it."""

ALSO = {"noise_multiplier": "gaussian", "steps": "releases"}
"""Words that papers about training have for what the grammar names otherwise; a claim may use them."""

CLIPPED = "1:2"
"""How far one record moves a sum of gradients that are clipped to a norm of 1, which is what a noise multiplier is for.

It is 1 where the record is added or removed, and up to 2 where another one takes its place."""

_WHAT = "the promise"
_ONE = 'State one of them. To compare several: whit compare --promise "epsilon=1" --promise "gaussian=2".'
_REPLACED = "Use {0}:{0} if a new record changes the same cells by no more, or {0}:{0}+{0} if it can change others."
_AT_DELTA = "Leave it out. For the epsilon at a delta: whit convert, with --to epsilon-delta --at-delta 1e-6."
_SENSITIVITY = "Use count, histogram, one number, or ADD:REPLACE such as 1:2 or 1:1+1; in a file [1, 2] or [1, [1, 1]]."


@dataclass(frozen=True)
class Series:
    """A promise about one release, and how many such releases there are about the same people.

    Attributes:
        one: what is promised of one release.
        releases: how many there are.
        named: the relation between datasets that was named, if one was.
        name: what it is called beside others.
        parts: the promises that it is made of, where they have names of their own.

    Several promises of different kinds are one of these too: `one` then is what all of them come to.
    """

    one: Promised
    releases: int = 1
    named: Neighbours | None = None
    name: str = ""
    parts: tuple[Series, ...] = ()

    @property
    def together(self) -> Promise:
        """All releases, as tightly as they compose."""
        return self.one.times(self.releases)

    @property
    def words(self) -> str:
        """The promise in a few words; of several that have names, each after its name."""
        parts = [f"{each.name}: {each.words}" if each.name else each.words for each in self.parts]
        return in_each("; ".join(parts) if parts else promise_name(self.one), self.releases)

    def called(self, number: int) -> str:
        """The name of a promise beside others, or its number among them."""
        return self.name or f"promise {number}"

    @property
    def title(self) -> str:
        """The promise in a few words, with the relation between datasets if one was named."""
        return titled(self.words, self.relation)

    @property
    def relation(self) -> Neighbours | None:
        """The relation to ask about, if one was named; none for a guarantee that was stated under the one named."""
        stated = isinstance(self.one, guarantees.Guarantee) and self.one.neighbours is self.named
        return None if stated else self.named

    @property
    def neighbours(self) -> Neighbours:
        """The relation between datasets that the promise is about."""
        return self.one.relation(self.named)

    def under(self, neighbours: Neighbours) -> Series:
        """The same promise, asked about under a relation between datasets; refused where it does not follow."""
        if isinstance(self.one, guarantees.Guarantee):
            self.one.under(neighbours)
        return replace(self, named=self.one.relation(neighbours))

    @property
    def noise(self) -> Promised:
        """What is promised of one release that sees everybody: of noise on a sample, the noise."""
        return self.one.mechanism if isinstance(self.one, mechanisms.PoissonSubsampled) else self.one

    @property
    def search(self) -> dict[str, Any]:
        """What a search among such releases must know: all but the parameter itself."""
        one = self.noise
        found: dict[str, Any] = {"releases": self.releases, "neighbours": self.named}
        if isinstance(self.one, mechanisms.PoissonSubsampled):
            found["sampling_rate"] = self.one.rate
            found |= {"records": self.one.records} if self.one.records > 1 else {}
        beside = vars(type(one)).get("parameter", Parameter).beside
        return {**found, **{name: getattr(one, f"stated_{name}") for name in beside}, **_changes(one)}


MEANT = {
    "sigma": ("gaussian", "discrete_gaussian"),
    "scale": ("laplace",),
    "noise_multiplier": ("gaussian",),
    "times": ("releases",),
}
"""Parameters that have the name of their noise where promises are stated, and words that have another one."""


def kinds() -> Iterator[Kind]:
    """Every kind of guarantee and of mechanism that can be stated, each loaded when it is reached."""
    yield from guarantees.kinds()
    yield from mechanisms.kinds()
    yield from mechanisms.described()


def layers(named: Collection[str]) -> list[Any]:
    """The mechanisms that are made of another one and whose words are named, in the order in which they are made."""
    return [getattr(mechanisms, name) for word, name in mechanisms.AROUND.items() if word in named]


def promise_of(given: Given, *, also: Collection[str] = ()) -> Series:
    """The promise of these parameters.

    >>> promise_of(Given({"epsilon": "1", "delta": "1e-6"})).one
    ApproxDP(epsilon=1.0, delta=1e-06)
    >>> promise_of(Given({"rho": 0.01, "releases": 7})).together
    <Composition of 7 times ZeroConcentratedDP(rho=0.01): ZeroConcentratedDP(rho=0.07) by zcdp-composition>

    Args:
        given: the parameters.
        also: words that may stand beside those of a promise, which a message about an unknown word names too.
    """
    made_of_it = layers(given.values)
    kind = _kind(given, made_of_it, also)
    named = given.word("neighbours", NEIGHBOURS) if "neighbours" in given else None
    releases = given.whole("releases") if "releases" in given else 1
    guarantee = issubclass(kind, guarantees.Guarantee)
    one = _guarantee(kind, given, named) if guarantee and "noise" not in given else _mechanism(kind, given)
    for each in made_of_it:
        one, named = _made_of(one, each, given), None if named is each.around.relation else named
    if "changes" in given and given.word("changes", CHANGES) and isinstance(one, mechanisms.Mechanism):
        one = mechanisms.FullChange(one)
    if named is not None and isinstance(one, mechanisms.Mechanism) and named not in one.relations:
        known = " or ".join(each.word for each in one.relations)
        raise given.refuse("neighbours", f"must be one that {promise_name(one)} is known under", f"Use {known}.")
    name = given.words("name") if "name" in given else ""
    return Series(one, releases, named, name)


def together_of(several: Sequence[Series]) -> Series:
    """All these releases about the same people as one.

    Promises about different neighbours are taken under a replaced record, where each of them is known under it.

    >>> one, other = promise_of(Given({"epsilon": 1})), promise_of(Given({"gaussian": 2, "releases": 3}))
    >>> together_of([one, other]).words
    'epsilon = 1, once; Gaussian noise, sigma = 2, in each of 3 releases'
    >>> from dataclasses import replace
    >>> together_of([replace(one, name="register"), replace(other, name="survey")]).words
    'register: epsilon = 1; survey: Gaussian noise, sigma = 2, in each of 3 releases'
    """
    if len(several) == 1 and several[0].releases == 1:
        return several[0]
    relations = {each.neighbours for each in several}
    relation = relations.pop() if len(relations) == 1 else Neighbours.REPLACE
    whole: Any = mechanisms.compose(*(each.one.times(each.releases) for each in several))
    parts = tuple(several) if len(several) > 1 and any(each.name for each in several) else ()
    return Series(whole, named=relation, parts=parts)


def sensitivity_of(given: Given, key: str = "sensitivity") -> Sensitivity:
    """The sensitivity: count, histogram, one number for every change, or two: for adding or removing, and replacing.

    >>> sensitivity_of(Given({"sensitivity": "1:1+1"}))
    Sensitivity(add_remove=1.0, replace=(1.0, 1.0))
    """
    value = given.values[key]
    words = {"count": Sensitivity.count, "histogram": Sensitivity.histogram}
    if isinstance(value, str) and value.strip().lower() in words:
        return words[value.strip().lower()]()
    ends: list[Any] = value if isinstance(value, list) else [value]
    if isinstance(value, str):
        ends = [each.split("+") for each in value.split(":")]
    if len(ends) not in ((2,) if isinstance(value, list) else (1, 2)):
        rule = "must be a word, a number, or one for adding and one for replacing"
        raise given.invalid(key, rule, _SENSITIVITY)
    try:
        lists = [end if isinstance(end, list) else [end] for end in ends]
        cells = [tuple(Given({"cell": each}).number("cell") for each in end) for end in lists]
    except InvalidInput as wrong:
        way_out = _without_commas(value) or _SENSITIVITY
        raise given.invalid(key, "must be made of numbers", way_out) from wrong
    if len(cells) == 1 and len(cells[0]) > 1:
        # Whoever moves from some cells to others changes both: that is never taken for granted.
        rule = "must also say what replacing a record changes, if several cells change"
        raise given.invalid(key, rule, _REPLACED.format("+".join(str(as_written(each)) for each in lists[0])))
    with given.placed(add_remove=key, replace=key):
        return Sensitivity(add_remove=cells[0], replace=cells[-1])


def _without_commas(value: object) -> str:
    """How cells with commas between them are written; empty where there are none."""
    cells = re.split(r"\s*,\s*", value.strip()) if isinstance(value, str) else []
    if len(cells) < 2 or not all(re.fullmatch(r"\d+(\.\d+)?", each) for each in cells):
        return ""
    one = f"Write {'.'.join(cells)} for one number. For two cells: " if len(cells) == 2 else ""
    said = _REPLACED.format("+".join(cells))
    return f"{one}{said[0].lower()}{said[1:]}" if one else said


def _kind(given: Given, made_of_it: Collection[Any], also: Collection[str]) -> Kind:
    """The kind that is stated by these words: with all that it needs, and with no others than it has."""
    taken = {detail.word for each in made_of_it for detail in each.around.details}
    words = {key for key in given.values if key not in BESIDE}
    for kind in kinds():
        details = mechanisms.stated_by(kind)
        every, needed = {each.word for each in details}, {each.word for each in details if each.needed}
        if needed <= words <= every | taken:
            return kind
    raise _not_a_kind(given, words, taken, also)


def _not_a_kind(given: Given, words: set[str], taken: set[str], also: Collection[str]) -> Exception:
    """Why these words state no promise; the other words may be meant as well."""
    every = {kind: mechanisms.stated_by(kind) for kind in kinds()}
    around = [each.around.details for each in layers(mechanisms.AROUND)]
    stated_with = [*around, *every.values()]
    heads = tuple(dict.fromkeys(details[0].word for details in every.values()))
    for word in ALSO:
        if word in given:
            return given.invalid(word, "is a word of claims only", _in_own_words(given), given.key(word))
    for word in ("times", *NEIGHBOURS):
        if word in given:
            instead = AsWritten(f"Write {_stated_instead(given, word)}.")
            return given.invalid(word, "is not known here", instead, given.key(word))
    known = tuple(dict.fromkeys([*also, *heads, *(each.word for details in stated_with for each in details), *BESIDE]))
    _only(given, known)
    stated = [word for word in heads if word in words]
    if len(stated) > 1:
        return given.wrong(_WHAT, "must be stated once", given.keys(stated), _ONE)
    own = [details for details in every.values() if details[0].word in stated]
    for name in sorted(words - taken - {each.word for details in own for each in details}):
        owner = next((details[0].word for details in stated_with if name in [each.word for each in details]), None)
        if owner is None:  # a word that is known here, and states no promise
            return given.refuse(name, "is said of all promises together", "Write it in the first text.")
        rule, way_out = f"goes with {given.key(owner)}", f"Give both, such as {_both(given, owner, name)}."
        if stated and owner not in mechanisms.AROUND:
            rule, way_out = (
                f"{rule}, and not with {given.key(stated[0])}",
                _AT_DELTA if name == "delta" else "Leave it out.",
            )
        return given.refuse(name, rule, way_out)
    for details in own:
        read(given, details, head=details[0].word)  # says what is missing
    example = ", ".join(map(given.key, heads[:4]))
    way_out = given.source.said(f"Use {example} or others.")
    return InvalidInput(given.source.about(_WHAT), "must be stated", given.keys(given.values), way_out)


def _only(given: Given, known: Collection[str]) -> None:
    """Refuse a word that no promise has; one that is a parameter elsewhere is meant by another word here."""
    for word, meant in MEANT.items():
        if word in given and word not in known:
            way_out = f"Did you mean {' or '.join(map(given.key, meant))}?"
            raise given.invalid(word, "is not known here", way_out, given.key(word))
    given.only(known)


def _stated_instead(given: Given, word: str) -> str:
    """All that is given, with the word that is meant: releases for times, and neighbours for one of theirs."""
    meant = {key: value for key, value in given.values.items() if key not in NEIGHBOURS}
    if word in NEIGHBOURS:
        return given.source.stating({**meant, "neighbours": word.replace("_", "-")})
    return given.source.stating({"releases" if key == word else key: value for key, value in meant.items()})


def _both(given: Given, owner: str, name: str) -> str:
    """A value with the one that it goes with, as both are written."""
    return given.source.stating({owner: 1, name: given.values[name]})


def _in_own_words(given: Given) -> str:
    """What to write for training whose noise is stated relative to the clipping norm."""
    words = {ALSO.get(key, key): value for key, value in given.values.items()}
    why = ""
    if "noise_multiplier" in given:
        words.setdefault("sensitivity", CLIPPED)
        why = " (noise_multiplier is sigma for a clipping norm of 1; a replaced record changes the sum by up to 2)"
    return AsWritten(f"Write {given.source.stating(words)}{why}.")


def _guarantee(kind: Any, given: Given, named: Neighbours | None) -> guarantees.Guarantee:
    """A guarantee by its parameters alone."""
    parameter = kind.parameter
    word = given.key(parameter.word)
    if "sensitivity" in given:
        way_out = f"Leave it out: {word} has it in it already."
        raise given.refuse("sensitivity", f"goes with noise, and not with {word}", way_out)
    if "changes" in given:
        rule = f"goes with noise, and not with {word}"
        raise given.refuse("changes", rule, "Leave it out: a guarantee holds for everybody.")
    values = {parameter.name: given.number(parameter.word), **{name: given.number(name) for name in parameter.beside}}
    related = {} if named is None else {"neighbours": named}
    with given.placed():
        made: guarantees.Guarantee = kind(**values, **related)
    return made


def _mechanism(kind: Any, given: Given) -> mechanisms.Mechanism:
    """A mechanism by its own values, or noise by the guarantee that it meets exactly."""
    head, *others = mechanisms.stated_by(kind)
    value = value_of(given, head)
    if "noise" in given:
        for each in (each for each in others if each.word in given):
            raise given.refuse(each.word, "goes with a guarantee, and not with noise")
        kind, value = _keeper(given, head.word, value)
        head, others = mechanisms.stated_by(kind)[0], []
    options = read(given, others, head=head.word)
    if "sensitivity" in given:
        if "noise" in given or not issubclass(kind, mechanisms.AdditiveNoise):
            word = given.key("noise" if "noise" in given else head.word)
            raise given.refuse("sensitivity", f"does not go with {word}")
        options["sensitivity"] = sensitivity_of(given)
    with given.placed(**{each.name: each.word for each in (head, *others)}):
        made: mechanisms.Mechanism = kind(**{head.name: value}, **options)
    return made


def _made_of(one: Promised, kind: Any, given: Given) -> mechanisms.Mechanism:
    """What is made of a promise: reports in random order, noise on a sample, and so on."""
    around, word = kind.around, kind.around.details[0].word
    if not around.takes(one):
        own = {each.word for each in around.details}
        stated = given.key(next(key for key in given.values if key not in own and key not in BESIDE))
        stated_by_one: list[Any] = [*guarantees.kinds(), *mechanisms.kinds()]
        words = {each.parameter.word: given.key(each.parameter.word) for each in stated_by_one}
        rule = f"goes with {around.goes_with}, and not with {stated} here"
        raise given.refuse(word, rule, around.way_out.format_map(words))
    values = read(given, around.details, head=word)
    with given.placed(**{each.name: each.word for each in around.details}):
        made: mechanisms.Mechanism = kind(**{around.inner: one}, **values)
    return made


def _keeper(given: Given, word: str, value: float) -> tuple[Any, float]:
    """The noise that is named, and its parameter with which it keeps the guarantee."""
    known = {kind.parameter.word: kind for kind in mechanisms.kinds() if kind.parameter.keeps}
    kind = given.word("noise", known)
    keeps = dict(kind.parameter.keeps)
    if word not in keeps:
        goes = " or ".join(map(given.key, keeps))
        own = word in known  # the noise is stated by its own parameter
        way_out = f"Leave it out: {given.key(word)} names the noise already." if own else f"State {goes} instead."
        raise given.refuse("noise", f"goes with {goes}, and not with {given.key(word)}", way_out)
    if value <= 0.0:
        rule = "must be above 0 where the noise is named"
        raise Incompatible(given.place(word), rule, given.values[word], "Use a number such as 1.", parameter=word)
    return kind, keeps[word](value)


def _changes(one: Promised) -> dict[str, Any]:
    return {"sensitivity": one.sensitivity} if isinstance(one, mechanisms.AdditiveNoise) else {}
