"""`whit recommend`: the least noise that meets a limit or a risk profile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from whit import guarantees, mechanisms, spec, theory
from whit.apps.asking.answers import Answers, Named, Table, Told, question_tables, why_tables
from whit.apps.asking.commands.check import kinds_of
from whit.apps.asking.fields import REQUIREMENTS, SHARED, WHY, Field, Taken, number, one_of, terms, whole
from whit.apps.asking.of_all import answer_of_all, is_of_all
from whit.apps.asking.request import INSIDE, Command, Promises, Request, form_in, required, terms_of, told_apart
from whit.apps.asking.signs import working
from whit.apps.asking.trees import release_tree, wanted_trees
from whit.assessment import in_each, is_by_profile, loose_text, promise_name
from whit.curves import LARGEST_LOSS
from whit.errors import InvalidInput, Unreachable
from whit.guarantees import Guarantee
from whit.mechanisms import FullChange
from whit.policy import Outcome, Recommendation, Rule, limits, opening
from whit.policy import recommend as recommended
from whit.setting import Neighbours, Sensitivity
from whit.theory import Direction, Finding, number_text

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
    replace(
        one_of("for", FAMILIES, f"One of {', '.join(FAMILIES)}; or the name of a promise of the file.", "WORD"),
        taken=Taken.TEXT,
    ),
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
    if is_of_all(form, request):
        return answer_of_all(form, request, wanted, _met(wanted))
    family, given, arguments = _searched(form, request)
    with working("Looking for the least noise"), given.placed():
        several = [each for _, each in wanted.named]
        thing = several[0] if len(several) == 1 else several
        try:
            found = recommended(thing, failure=form.asked.failure, sides=form.asked.sides, **arguments)
        except Unreachable:
            _require_room(form, request, wanted)
            raise
    rounded = _rounded(found, request)
    decider = "" if found.unlimited else found.verdict.decider
    release = None if found.unlimited else release_tree(found.release)
    result = {"parameter": found.family.parameter, "rounded": rounded, "release": release}
    said = opening(found, rounded, _met(wanted))
    own = _looked_for(form, request)[0] if "from" in values else None
    about = "" if found.unlimited else _about(found, arguments, own)
    result |= {"decided_by": decider, "opening": said}
    notes = (*((f"What decides: {decider}.",) if decider else ()), *_looser(found), *found.notices)
    asked = _asked(form, request, family, arguments) | {"wanted": wanted_trees(wanted), **given.values}
    answers = Answers("recommend", asked, _named(found, rounded), notes, result)
    rows = _rows(found, rounded)
    tables = [Table(("with it", "answer"), rows)] if rows else question_tables(answers)
    tables += why_tables(_by_words(found, rounded), _noises(form, request, found)) if values["why"] else []
    return Told(answers, f"{said}{about}{_spent(arguments)}", tuple(tables), notes)


COMMAND = Command(
    "recommend", answer, form=(*REQUIREMENTS, "failure", "sides"), own=OWN, promises=Promises.LIKE, inside=INSIDE
)
"""The least noise that meets a limit or a risk profile."""


def _looser(found: Recommendation) -> tuple[str, ...]:
    """Whether the bound that decides on noise may be looser than that of other noise."""
    number = None if found.unlimited or isinstance(found.release, Guarantee) else found.verdict.number
    noise = promise_name(found.to_use) if number is not None else ""
    return (loose_text(number.quantity.name, noise),) if number is not None and is_by_profile(number) else ()


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
    return found.written(digits) if digits else found.digits


def _met(wanted: spec.Requirements) -> str:
    """What is acceptable, as it was written."""
    return " and ".join(f"{kind} {text}" for text, kind in kinds_of(wanted).items())


def _about(found: Recommendation, arguments: dict[str, Any], own: spec.Series | None) -> str:
    """What the recommendation is for, where a file says it, or a sensitivity or relation that is not the usual one."""
    changed, related = getattr(found.release, "sensitivity", Sensitivity.count()), arguments.get("neighbours")
    if changed == Sensitivity.count() and related is None and own is None:
        return ""
    stated = promise_name(found.release).split(", ")
    about = [each for each in stated if not each.startswith(f"{found.family.parameter} = ")]  # the opening has it
    if related is not None and not isinstance(found.release, Guarantee):
        about.append(f"neighbours {related.word}")
    name = f"{own.name}, whose {found.family.parameter} is looked for: " if own is not None and own.name else ""
    return f"\n\nAsked of: {name}{in_each(', '.join(about), arguments.get('releases', 1))}." if about else ""


def _spent(arguments: dict[str, Any]) -> str:
    """What counts beside the releases that are looked for."""
    names = "; ".join(map(promise_name, arguments["spent"]))
    return f"\n\nSpent: {names}." if names else ""


def _searched(form: spec.Form, request: Request) -> tuple[str, spec.Given, dict[str, Any]]:
    """What is searched for, the values that say how, and the arguments of the search."""
    apart = {*request.command.filled, "from", "for", "rule", "spent", "digits", "why"}
    given = spec.Given({name: value for name, value in request.values.items() if name not in apart})
    rule = request.word("rule", RULES)
    own, others, named = _looked_for(form, request)
    family = _family(named, own, form)
    numbers: dict[str, Any] = {"releases": given.whole("releases")} if "releases" in given else {}
    numbers |= {"total_delta": given.number("total_delta")} if "total_delta" in given else {}
    given = replace(
        given, values={**given.values, **numbers, **({} if rule is Rule.OWN else {"rule": request.values["rule"]})}
    )
    found = _guarantee(family, given, own) if issubclass(FAMILIES[family], Guarantee) else {}
    found = found or _like(family, given, own)
    earlier = [*others, *(spec.promise_of(each) for each in terms_of("a promise", request.values.get("spent", ())))]
    return family, given, {**found, **numbers, "rule": rule, "spent": [each.together for each in earlier]}


def _looked_for(form: spec.Form, request: Request) -> tuple[spec.Series | None, list[spec.Series], str | None]:
    """The promise of the file whose parameter is looked for, those that count as spent, and the kind if it is named."""
    several = list(form.promises)
    if len(several) < 2:
        return next(iter(several), None), [], _named_family(request)
    asked = str(request.values.get("for", ""))
    kind = spec.plain(asked).replace("_", "-").replace(" ", "-")
    words = [_word(each) for each in several]
    names = told_apart([_called(at, each, words) for at, each in enumerate(several, start=1)])
    found = [at for known, name in ((names, asked), (words, kind)) for at in range(len(several)) if known[at] == name]
    if asked in names or len(found) == 1:
        own = several.pop(found[0])
        return own, several, _word(own)
    rule = f"must say which of the {len(several)} promises of the file to look for ({', '.join(names)})"
    choices = " or ".join(f'--for "{name}"' if " " in name else f"--for {name}" for name in names)
    raise InvalidInput("--for", rule, asked or "nothing", f"Use {choices}; the rest then counts as spent.")


def _require_room(form: spec.Form, request: Request, wanted: spec.Requirements) -> None:
    """Refuse to look for one of several promises where the others alone exceed a limit: no parameter of it helps."""
    own, others, _ = _looked_for(form, request)
    if own is None or not others:
        return
    alone = spec.check_series(spec.together_of(others), wanted, form.asked)
    over = [(text, each) for (text, _), each in zip(wanted.named, alone.parts or (alone,), strict=True)]
    broken = [(text, each.number) for text, each in over if each.outcome is Outcome.BROKEN and each.number is not None]
    for text, risk in broken:
        name, parameter = own.called(form.promises.index(own) + 1), mechanisms.parameter_of(own.one).name
        rule = f"must be within {kinds_of(wanted)[text]} {text}, or no {parameter} of {name} is enough"
        reached = number_text(float(risk), Direction.AT_MOST, risk.quantity.unit)
        way_out = "Leave out --for: then the noise of all is raised by one factor."
        raise Unreachable(f"what all promises but {name} come to", rule, reached, way_out)


def _called(number: int, series: spec.Series, words: Sequence[str]) -> str:
    """What a promise of the file is called: its name, else its kind where that is the only one, else its number."""
    word = words[number - 1]
    return word if not series.name and words.count(word) == 1 else series.called(number)


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
    one = _innermost(series)
    return next(word for word, kind in FAMILIES.items() if type(one) is kind)


def _innermost(series: spec.Series) -> Any:
    one: Any = series.one
    while (within := mechanisms.inside(one)) is not None:
        one = within
    return one


def _guarantee(family: str, given: spec.Given, own: spec.Series | None) -> dict[str, Any]:
    """The arguments of a search for a guarantee by itself; nothing where something is made of it."""
    if spec.layers({**given.values, **_carried(family, own)}):
        return {}
    found: dict[str, Any] = {}
    if own is not None:
        found = own.search if _word(own) == family else {"releases": own.releases, "neighbours": _relation(own)}
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
    values = _carried(family, own)
    values |= {name: value for name, value in given.values.items() if name not in ("releases", "total_delta", "rule")}
    series = spec.promise_of(spec.Given(values, given.source, {head.word: f"for {family}"}))
    if own is None:
        return {"family": series.one, "neighbours": series.named}
    same = _word(own) == family and "neighbours" not in given
    return {"family": series.one, "neighbours": own.named if same else series.named, "releases": own.releases}


def _carried(family: str, own: spec.Series | None) -> dict[str, object]:
    """What the file says of releases of this kind: of its own kind all; of another, all that is not about its own.

    That is what is made of the noise, the relation between datasets, and the sensitivity where this kind has one.
    """
    kind = FAMILIES[family]
    head = mechanisms.stated_by(kind)[0].word
    if own is None:
        return {head: 1}
    words, one = spec.words_of(own.one), _innermost(own)
    if _word(own) == family:
        return words
    parameter = getattr(type(one), "parameter", None)
    alone = () if parameter is None else (parameter.word, *parameter.beside)
    theirs = [each.word for each in mechanisms.stated_by(type(one)) if each.word in words]
    if further := [word for word in theirs if word not in alone]:
        rule = f"must be {_word(own)} with this file, whose promise states {' and '.join(further)}"
        raise InvalidInput("--for", rule, family, f"Use --for {_word(own)}, or state all by options, without --from.")
    apart = {*theirs, "neighbours", *(() if issubclass(kind, mechanisms.AdditiveNoise) else ("sensitivity",))}
    found = {head: 1} | {word: value for word, value in words.items() if word not in apart}
    relation = _relation(own)
    return found if relation is None else {**found, "neighbours": relation.name.lower()}


def _relation(own: spec.Series) -> Neighbours | None:
    """The relation that the file names, or that of reports of people themselves, who are never added or removed."""
    return Neighbours.LOCAL if own.neighbours is Neighbours.LOCAL else own.named


def _release(found: Recommendation, rounded: str) -> str:
    """The release to use, with no more digits than a name has: that of a promise rounds up, and that of noise down."""
    number = min(rounded, found.digits, key=len)
    return "any" if found.unlimited else promise_name(found.family.one(float(number)))


def _named(found: Recommendation, rounded: str) -> tuple[Named, ...]:
    """The findings, each with what a table says of it."""
    groups = {
        "parameter": {found.parameter: _digits(found, rounded)},
        "with_it": {each: " ".join(_with_it(found, each)) for each in found.findings_with(rounded)},
        "compared": dict.fromkeys(found.comparisons, ""),
    }
    return tuple(Named(name, _release(found, rounded), *each) for name, some in groups.items() for each in some.items())


def _digits(found: Recommendation, rounded: str) -> str:
    """The parameter with the digits that were asked for, which are on the safe side of it."""
    parameter = found.parameter
    if found.unlimited or parameter.direction not in (Direction.AT_MOST, Direction.AT_LEAST):
        return ""
    return f"{parameter.quantity.name} is {parameter.direction.value} {rounded}"


def _rows(found: Recommendation, rounded: str) -> list[tuple[str, str]]:
    """What the releases come to with the parameter: a row for each number, by its name."""
    with_it = [_with_it(found, each) for each in found.findings_with(rounded)]
    return [*with_it, *(_by_name(each) for each in found.comparisons)]


def _by_words(found: Recommendation, rounded: str) -> list[Named]:
    """The parameter and every number with it, by name."""
    every = [each for each in (found.parameter, *found.findings_with(rounded)) if each.basis.theorems]
    return [Named(each.quantity.name, _release(found, rounded), each) for each in every]


def _noises(form: spec.Form, request: Request, found: Recommendation) -> theory.Named:
    """The noise of each promise of a file by its name; that of the one looked for with the parameter that was found."""
    if found.unlimited:
        return ()
    own, _, _ = _looked_for(form, request)
    several = [
        (each.called(at), found.release if each is own else each.one) for at, each in enumerate(form.promises, 1)
    ]
    return theory.named_noises(several)


def _with_it(found: Recommendation, each: Finding) -> tuple[str, str]:
    """A number by its name: the one that decides beside its limit; one of several losses with what it is about."""
    for part in found.verdict.parts or (found.verdict,):
        if each is part.number:
            limit = part.requirement if isinstance(part.requirement, limits.Limit) else None
            name, said = _by_name(each, part.reason.rstrip("."), "" if limit is None else limit.about)
            return f"{name}{'' if limit is None else _whom(limit)}", said
    losses = [one for one in found.findings if one.quantity == LARGEST_LOSS]
    about = _ABOUT.get(str(each.inputs.get("neighbours")), "")
    return _by_name(each, f"{each}, {about}" if each in losses and len(losses) > 1 and about else "")


def _whom(limit: limits.Limit) -> str:
    """Whom a limit is about, where that is not everybody at the end: two limits may differ in nothing else."""
    said = [each for each in limit.text.split(", ") if each.startswith(("knows=", "when=", "block="))]
    return f" ({', '.join(said)})" if said else ""


def _by_name(each: Finding, said: str = "", about: str = "") -> tuple[str, str]:
    """A sentence about a number in two parts: its name, and what is said of it."""
    name, text = f"{each.quantity.name}{about}", said or str(each)
    known = text[:1].lower() + text[1:]
    return name, known.removeprefix(name).strip().removeprefix("is ") if known.startswith(name) else text
