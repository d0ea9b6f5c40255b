"""A form that was filled in: tables of names and values, from options, from a file, or from both.

What an option says holds, and the file says the rest. A promise is stated in one place only, and everything that is
acceptable must be kept, wherever it is said.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

# The parts that read promises and requirements are loaded when a form is asked for them.
from whit import spec
from whit.assessment import QUESTIONS, Assessment, about_fact, assess_one
from whit.errors import Incompatible, InvalidInput
from whit.setting import PERSON, Adversary, Knowledge, UnitOfPrivacy, When
from whit.spec.account import LedgerAccount, account_of
from whit.spec.given import KNOWS, WHEN, Given
from whit.spec.toml import read
from whit.spec.unit import unit_of

if TYPE_CHECKING:
    import os

TABLES = ("release", "unit", "promise", "adversary", "profile", "limit", "questions", "hazards", "ledger", "audit")
"""The tables of a file."""

BELIEFS = ("prior", "inclusion", "value")
"""What an adversary believes."""

WHO = ("knows", "when", "block", "baseline")
"""What else an adversary is known by."""

ASKED = ("failure", "level", "sides", "people", "population", "questions")
"""The keys of [questions]."""

BELIEF_QUESTIONS = ("posterior", "ratio", "difference", "odds", "worst_prior")
_FAILING = (*BELIEF_QUESTIONS, "relative_risk", "absolute_risk", "total_variation", "posterior_ratio")
USED_BY = {
    "level": ("power", "positive_predictive_value"),
    "people": ("total_variation",),
    "sides": (*BELIEF_QUESTIONS, "posterior_ratio"),
    "failure": _FAILING,
    "population": _FAILING,
}
"""The questions that each part of [questions] is for."""

_BELIEF = "Give a prior alone, or inclusion and value together."
_PROMISE = "State one, such as --epsilon 1, --rho 0.1, --gaussian 2 or --from FILE."
_FILE = "Write [promise] above its parameters, or [[promise]] above each of several."


@dataclass(frozen=True)
class Asker:
    """An adversary, their name, and what they would like to know; name and fact may be empty."""

    adversary: Adversary
    name: str = ""
    fact: str = ""


@dataclass(frozen=True)
class Questions:
    """What is asked, and how.

    Attributes:
        failure: the chance with which statements about beliefs may be false; 0 asks for what always holds.
        level: the false-positive rate of tests.
        sides: 2 to bound drops of beliefs as well.
        people: how many people a bound on total variation is to hold for at once.
        population: of how many people it is asked for how many a bound may fail; not asked if none are named.
        names: the questions to answer; none stands for all that apply.
    """

    failure: float = 0.0
    level: float = 0.05
    sides: int = 1
    people: int = 1
    population: int | None = None
    names: tuple[str, ...] = ()

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of an assessment."""
        asked = {"failure": self.failure, "level": self.level, "sides": self.sides, "people": self.people}
        return {**asked, "population": self.population, "questions": self.names or None}


@dataclass(frozen=True)
class Form:
    """Tables of names and values, each with its place; what they mean is worked out when it is asked for."""

    promise: tuple[Given, ...] = ()
    adversary: tuple[Given, ...] = ()
    profile: tuple[Given, ...] = ()
    limit: tuple[Given, ...] = ()
    keeping: tuple[Given, ...] = ()
    questions: tuple[Given, ...] = ()
    audit: tuple[Given, ...] = ()
    unit: tuple[Given, ...] = ()
    ledger: tuple[Given, ...] = ()
    knows: Given = field(default_factory=lambda: Given({}))

    @classmethod
    def of_file(cls, path: str | os.PathLike[str]) -> Form:
        """The form in a TOML file."""
        return cls.of(read(path))

    @classmethod
    def of(cls, whole: Given) -> Form:
        """The form in a TOML file that was read; a table that is not known is refused."""
        for key, value in whole.values.items():
            if key not in TABLES and not isinstance(value, dict | list):
                raise whole.refuse(key, "must stand in a table", "Write [promise] or another table above it.")
        whole.only(TABLES)
        if "unit" in whole:
            unit_of(whole.table("unit"))  # what a report would refuse, every command refuses
        return cls(
            promise=whole.tables("promise"),
            adversary=whole.tables("adversary"),
            profile=whole.tables("profile"),
            limit=whole.tables("limit"),
            questions=whole.tables("questions"),
            audit=whole.tables("audit"),
            unit=whole.tables("unit"),
            ledger=whole.tables("ledger"),
        )

    def over(self, file: Form) -> Form:
        """This form, and what a file says beside it."""
        if self.promise and file.promise:
            rule, also = "states the whole promise", self.promise[0].keys(self.promise[0].values)
            raise Incompatible("--from", rule, f"{also} as well", "Leave out one or the other.")
        return Form(
            promise=self.promise or file.promise,
            adversary=self.adversary or file.adversary,
            profile=(*self.profile, *file.profile),
            limit=(*self.limit, *file.limit),
            keeping=(*self.keeping, *file.keeping),
            questions=(*self.questions, *file.questions),
            audit=(*self.audit, *file.audit),
            unit=file.unit,
            ledger=file.ledger,
            knows=self.knows,
        )

    @property
    def account(self) -> LedgerAccount | None:
        """The account that the release is to be charged to, if the file names one."""
        return account_of(self.ledger[0]) if self.ledger else None

    @property
    def about(self) -> UnitOfPrivacy:
        """Whom or what the promise is about: a person, if the file does not say."""
        return unit_of(self.unit[0]).unit if self.unit else PERSON

    @cached_property
    def promises(self) -> tuple[spec.Series, ...]:
        """Every promise that is stated."""
        return tuple(map(spec.promise_of, self.promise))

    @property
    def series(self) -> spec.Series:
        """The one promise that is stated, for a search among its kind."""
        if len(self.promise) == 1:
            return self.promises[0]
        if not self.promise:
            raise InvalidInput("the promise", "must be stated", "nothing", _PROMISE)
        found = f"{len(self.promise)} of them"
        way_out = 'State the one that is looked for, and each of the others with --spent "gaussian=8, releases=4".'
        raise InvalidInput("the promise", "must be one here", found, way_out)

    @cached_property
    def together(self) -> spec.Series:
        """All promises that are stated, as one; equal ones are one promise about more releases."""
        several = self.promises
        if len(several) < 2:
            return self.series
        if len({(each.one, each.neighbours) for each in several}) == 1:  # so that a parameter can be found for it
            return replace(several[0], releases=sum(each.releases for each in several), name="")
        return spec.together_of(several)

    @cached_property
    def askers(self) -> tuple[Asker, ...]:
        """Every adversary; somebody with even odds if none is named."""
        tables = self.adversary or (Given({"prior": 0.5}),)
        return tuple(asker_of(replace(each, values={**each.values, **self.knows.values})) for each in tables)

    @cached_property
    def asked(self) -> Questions:
        """What is asked: what an option says, else the file, else as usual."""
        return questions_of(self.questions)

    @cached_property
    def table(self) -> spec.AuditRead | None:
        """The table that is published without noise beside the release, with its limits; None if none is named."""
        if len(self.audit) > 1:
            way_out = "Name one TOML file in [audit], and in it the other tables by [[together]]."
            raise InvalidInput(self.audit[1].source.about("[audit]"), "must be there once", "several", way_out)
        return spec.audit_in(self.audit[0]) if self.audit else None

    @cached_property
    def requirements(self) -> spec.Requirements:
        """Everything that is acceptable."""
        return spec.Requirements(
            profiles=tuple(each for given in self.profile for each in spec.profiles_of(given)),
            limits=tuple(each for given in self.limit for each in spec.limits_of(given)),
            promises=tuple(map(spec.guarantee_of, self.keeping)),
        )


def assess_series(series: spec.Series, asker: Asker, questions: Questions) -> Assessment:
    """The assessment that a request asks for; commands, texts and reports all take their numbers from here."""
    found = assess_one(series.together, asker.adversary, neighbours=series.relation, **questions.options)
    return about_fact(asker.fact, found) if asker.fact else found


def asker_of(given: Given, *, needed: tuple[str, ...] = ()) -> Asker:
    """The adversary of a table or of options.

    They may believe anything of the others, unless `knows` says that they know them all. They look after the last
    release, unless `when` says that they watch at every moment. Nobody depends on the person, unless `block` says how
    many people may depend on each other. They guess at the record if they have a `baseline`.
    """
    given.only(("name", "fact", *BELIEFS, *WHO), needed=needed)
    beliefs = {key: given.number(key) for key in BELIEFS if key in given}
    if set(beliefs) not in ({"prior"}, {"inclusion", "value"}):
        rule = "must have either a prior, or an inclusion and a value"
        raise given.wrong("an adversary", rule, given.keys(beliefs), _BELIEF)
    knows = given.word("knows", KNOWS) if "knows" in given else Knowledge.ANY_BELIEF
    when = given.word("when", WHEN) if "when" in given else When.END
    block = given.whole("block") if "block" in given else 1
    baseline = given.number("baseline") if "baseline" in given else None
    with given.placed():
        adversary: Adversary = Adversary(**beliefs, knows=knows, when=when, block=block, baseline=baseline)
    return Asker(adversary, given.words("name"), given.words("fact").rstrip("."))


def questions_of(tables: tuple[Given, ...]) -> Questions:
    """What is asked: of several tables, the first that says a thing holds; what no question uses is refused."""
    found: dict[str, Any] = {}
    for given in reversed(tables):
        given.only(ASKED)
        found |= {key: given.number(key) for key in ("failure", "level") if key in given}
        found |= {"sides": given.whole("sides", most=2)} if "sides" in given else {}
        found |= {key: given.whole(key) for key in ("people", "population") if key in given}
        found |= {"names": _names(given)} if "questions" in given else {}
        names = found.get("names", ()) if given is tables[0] or "questions" in given else ()
        for key, uses in USED_BY.items():
            if key in given and names and not set(names) & set(uses):
                said = ", ".join(name.replace("_", "-") for name in uses)
                raise given.refuse(key, f"has no use for the questions that are asked; it is for {said}")
    return Questions(**found)


def _names(given: Given) -> tuple[str, ...]:
    known = {name: name for name in QUESTIONS}
    singles = [replace(given, values={"questions": name}) for name in given.list_of_words("questions")]
    for each in singles:
        parts = [part.strip() for part in each.words("questions").split(",")]
        if len(parts) > 1:
            apart = each.source.said(" ".join(each.source.stating({"question": part}) for part in parts))
            raise each.invalid("questions", "must be one question", f"Name each by itself: {apart}.")
    return tuple(each.word("questions", known) for each in singles)
