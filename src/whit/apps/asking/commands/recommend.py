"""`whit recommend`: the least noise that meets a limit or a risk profile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from whit import guarantees, mechanisms, spec
from whit.apps.asking.answers import Answers, Named, Table, Told, question_tables, why_tables
from whit.apps.asking.commands.check import kinds_of
from whit.apps.asking.fields import REQUIREMENTS, SHARED, WHY, Field, Taken, number, one_of, terms, whole
from whit.apps.asking.request import INSIDE, Command, Promises, Request, form_in, required, terms_of
from whit.apps.asking.signs import working
from whit.apps.asking.trees import release_tree, wanted_trees
from whit.assessment import in_each, promise_name
from whit.curves import LARGEST_LOSS
from whit.errors import InvalidInput
from whit.guarantees import Guarantee
from whit.mechanisms import FullChange
from whit.policy import Recommendation, Rule, limits
from whit.policy import recommend as recommended
from whit.setting import Sensitivity
from whit.theory import Direction, Finding

FAMILIES: dict[str, Any] = {
    **{kind.parameter.kind: kind for kind in guarantees.kinds()},
    **{kind.parameter.kind: kind for kind in mechanisms.kinds()},
    **{mechanisms.stated_by(kind)[0].word.replace("_", "-"): kind for kind in mechanisms.described()},
}
"""What a parameter can be asked for, by its words."""

RULES = {rule.name.lower().replace("_", "-"): rule for rule in Rule}
"""The rules of composition by their words."""

_ABOUT = {"ADD_REMOVE": "if a record is added or removed", "REPLACE": "if one is replaced"}


OWN = (
    SHARED["from"],
    one_of("for", FAMILIES, f"One of {', '.join(FAMILIES)}.", "WORD"),
    whole("releases", "The number of releases about the same people. The default is 1."),
    number("delta", "The delta of each release, for epsilon-delta."),
    number("total_delta", "The delta of all releases together, for rules that need it."),
    replace(one_of("rule", RULES, f"How promises compose: {', '.join(RULES)}.", "WORD"), default="own", shown=True),
    SHARED["neighbours"],
    SHARED["sensitivity"],
    terms("spent", 'An earlier release about them: "epsilon=0.5".'),
    Field("digits", "Digits of the parameter, 1 to 15. The default is 5.", Taken.WHOLE, "NUMBER", most=15),
    WHY,
)


def answer(request: Request) -> Told:
    """The least noise, or the largest parameter, that meets the limits; rounded to the safe side."""
    values, form = request.values, request.form
    form = form.over(form_in(values["from"])) if "from" in values else form
    wanted = required(form)
    family, given, arguments = _searched(form, request)
    with working("Looking for the least noise"), given.placed():
        several = [each for _, each in wanted.named]
        thing = several[0] if len(several) == 1 else several
        found = recommended(thing, failure=form.asked.failure, sides=form.asked.sides, **arguments)
    rounded = _rounded(found, request)
    decider = "" if found.unlimited else found.verdict.decider
    release = None if found.unlimited else release_tree(found.release)
    result = {"parameter": found.family.parameter, "rounded": rounded, "release": release}
    opening = _opening(found, rounded, wanted, arguments.get("releases", 1))
    about = "" if found.unlimited else _about(found, arguments)
    result |= {"decided_by": decider, "opening": opening}
    notes = (*((f"What decides: {decider}.",) if decider else ()), *found.notices)
    asked = _asked(form, request, family, arguments) | {"wanted": wanted_trees(wanted), **given.values}
    answers = Answers("recommend", asked, _named(found, rounded), notes, result)
    rows = _rows(found)
    tables = [Table(("with it", "answer"), rows)] if rows else question_tables(answers)
    tables += why_tables(_by_words(found)) if values["why"] else []
    return Told(answers, f"{opening}{about}", tuple(tables), notes)


COMMAND = Command(
    "recommend", answer, form=(*REQUIREMENTS, "failure", "sides"), own=OWN, promises=Promises.LIKE, inside=INSIDE
)
"""The least noise that meets a limit or a risk profile."""


def _asked(form: spec.Form, request: Request, family: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """What a document says of the search, in the words of options."""
    spent = [release_tree(each) for each in arguments["spent"]]
    asked: dict[str, Any] = {"for": family, "failure": form.asked.failure, "sides": form.asked.sides}
    asked |= {"releases": arguments.get("releases", 1), "rule": request.values["rule"]}
    return {**asked, **({"spent": spent} if spent else {})}


def _rounded(found: Recommendation, request: Request) -> str:
    """The parameter as a text, with the digits that were asked for."""
    digits = request.given.whole("digits", most=15) if "digits" in request.values else None
    if found.unlimited:
        return str(float(found.parameter))
    return str(found.rounded(digits)) if digits else found.digits


def _opening(found: Recommendation, rounded: str, wanted: spec.Requirements, releases: int) -> str:
    """The answer in one sentence: the parameter, in how many releases, and what they meet with it."""
    met = " and ".join(f"{kind} {text}" for text, kind in kinds_of(wanted).items())
    if found.unlimited:
        return f"Any {found.family.parameter} meets {met}."
    each = f" in each of {releases:,} releases" if releases > 1 else ""
    who = "they then meet" if releases > 1 else "the release then meets"
    exception = found.parameter.basis.exception
    return f"Use {found.family.parameter} {rounded}{each}: {who} {met}{f', {exception}' if exception else ''}."


def _about(found: Recommendation, arguments: dict[str, Any]) -> str:
    """What the recommendation is for, where a sensitivity or a relation was stated that is not the usual one."""
    changed, related = getattr(found.release, "sensitivity", Sensitivity.count()), arguments.get("neighbours")
    if changed == Sensitivity.count() and related is None:
        return ""
    stated = promise_name(found.release).split(", ")
    about = [each for each in stated if not each.startswith(f"{found.family.parameter} = ")]  # the opening has it
    if related is not None and not isinstance(found.release, Guarantee):
        about.append(f"neighbours {related.word}")
    return f"\n\nAsked of: {in_each(', '.join(about), arguments.get('releases', 1))}." if about else ""


def _searched(form: spec.Form, request: Request) -> tuple[str, spec.Given, dict[str, Any]]:
    """What is searched for, the values that say how, and the arguments of the search."""
    apart = {*request.command.filled, "from", "for", "rule", "spent", "digits", "why"}
    given = spec.Given({name: value for name, value in request.values.items() if name not in apart})
    rule = request.word("rule", RULES)
    own = form.series if form.promise else None
    family = _family(_named_family(request), own, form)
    numbers: dict[str, Any] = {"releases": given.whole("releases")} if "releases" in given else {}
    numbers |= {"total_delta": given.number("total_delta")} if "total_delta" in given else {}
    given = replace(
        given, values={**given.values, **numbers, **({} if rule is Rule.OWN else {"rule": request.values["rule"]})}
    )
    found = _guarantee(family, given, own) if issubclass(FAMILIES[family], Guarantee) else {}
    found = found or _like(family, given, own)
    earlier = [spec.promise_of(each).together for each in terms_of("a promise", request.values.get("spent", ()))]
    return family, given, {**found, **numbers, "rule": rule, "spent": earlier}


def _named_family(request: Request) -> str | None:
    """The word for what is searched among, if it is named."""
    return request.word("for", {word: word for word in FAMILIES}) if "for" in request.values else None


def _family(named: str | None, own: spec.Series | None, form: spec.Form) -> str:
    """The word for what is searched among: the one that is named, else that of the promise in the file."""
    if own is not None and isinstance(own.one, FullChange):
        rule = "cannot be full here, because the recommendation must hold for everybody"
        raise form.promise[0].refuse("changes", rule, "Leave it out.")
    found = named or (None if own is None else _word(own))
    if found is None:
        raise InvalidInput("--for", "must be given", "nothing", f"Use one of {', '.join(FAMILIES)}, or --from FILE.")
    return found


def _word(series: spec.Series) -> str:
    """The word for the kind of a promise, below all that is made of it."""
    one: Any = series.one
    while (within := mechanisms.inside(one)) is not None:
        one = within
    return next(word for word, kind in FAMILIES.items() if type(one) is kind)


def _guarantee(family: str, given: spec.Given, own: spec.Series | None) -> dict[str, Any]:
    """The arguments of a search for a guarantee by itself; nothing where something is made of it."""
    known = own if own is not None and isinstance(own.one, Guarantee) and _word(own) == family else None
    made_of_it = own is not None and known is None and _word(own) == family
    if made_of_it or spec.layers(given.values):
        return {}
    found: dict[str, Any] = {} if known is None else known.search
    found |= {"delta": given.number("delta")} if "delta" in given else {}
    found |= {"neighbours": given.word("neighbours", spec.NEIGHBOURS)} if "neighbours" in given else {}
    found |= {"sensitivity": spec.sensitivity_of(given)} if "sensitivity" in given else {}
    for name in FAMILIES[family].parameter.beside:
        if name not in found:
            raise InvalidInput(f"--{name}", f"must be given for {family}", "nothing", f"Use --{name} 1e-6.")
    return {**found, "family": FAMILIES[family]}


def _like(family: str, given: spec.Given, own: spec.Series | None) -> dict[str, Any]:
    """The arguments of a search among releases like one that options and the file state; any parameter will do."""
    head, *_ = mechanisms.stated_by(FAMILIES[family])
    same = own is not None and _word(own) == family
    values: dict[str, object] = spec.words_of(own.one) if own is not None and same else {head.word: 1}
    values |= {name: value for name, value in given.values.items() if name not in ("releases", "total_delta", "rule")}
    series = spec.promise_of(spec.Given(values, given.source, {head.word: f"for {family}"}))
    releases = {"releases": own.releases} if own is not None and same else {}
    named = own.named if own is not None and same and "neighbours" not in given else series.named
    return {"family": series.one, "neighbours": named, **releases}


def _release(found: Recommendation) -> str:
    return "any" if found.unlimited else promise_name(found.release)


def _named(found: Recommendation, rounded: str) -> tuple[Named, ...]:
    """The findings, each with what a table says of it."""
    groups = {
        "parameter": {found.parameter: _digits(found, rounded)},
        "with_it": {each: " ".join(_with_it(found, each)) for each in found.findings},
        "compared": dict.fromkeys(found.comparisons, ""),
    }
    return tuple(Named(name, _release(found), *each) for name, some in groups.items() for each in some.items())


def _digits(found: Recommendation, rounded: str) -> str:
    """The parameter with the digits that were asked for, which are on the safe side of it."""
    parameter = found.parameter
    if found.unlimited or parameter.direction not in (Direction.AT_MOST, Direction.AT_LEAST):
        return ""
    return f"{parameter.quantity.name} is {parameter.direction.value} {rounded}"


def _rows(found: Recommendation) -> list[tuple[str, str]]:
    """What the releases come to with the parameter: a row for each number, by its name."""
    return [*(_with_it(found, each) for each in found.findings), *(_by_name(each) for each in found.comparisons)]


def _by_words(found: Recommendation) -> list[Named]:
    """The parameter and every number with it, by name."""
    every = [each for each in (found.parameter, *found.findings) if each.basis.theorems]
    return [Named(each.quantity.name, _release(found), each) for each in every]


def _with_it(found: Recommendation, each: Finding) -> tuple[str, str]:
    """A number by its name: the one that decides beside its limit; one of several losses with what it is about."""
    for part in found.verdict.parts or (found.verdict,):
        if each is part.number:
            about = part.requirement.about if isinstance(part.requirement, limits.Limit) else ""
            return _by_name(each, part.reason.rstrip("."), about)
    losses = [one for one in found.findings if one.quantity == LARGEST_LOSS]
    about = _ABOUT.get(str(each.inputs.get("neighbours")), "")
    return _by_name(each, f"{each}, {about}" if each in losses and len(losses) > 1 and about else "")


def _by_name(each: Finding, said: str = "", about: str = "") -> tuple[str, str]:
    """A sentence about a number in two parts: its name, and what is said of it."""
    name, text = f"{each.quantity.name}{about}", said or str(each)
    known = text[:1].lower() + text[1:]
    return name, known.removeprefix(name).strip().removeprefix("is ") if known.startswith(name) else text
