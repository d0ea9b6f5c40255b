"""`whit plot`: a picture, as PNG, SVG, PDF or HTML; each kind by its name, and which options it has a use for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from whit import spec
from whit.apps.asking.answers import Answers
from whit.apps.asking.commands.assess import form_inputs
from whit.apps.asking.fields import ADVERSARY
from whit.apps.asking.request import form_of, required, the_one_asker, told_apart
from whit.apps.cli.options import (
    PromiseCommand,
    Word,
    json_option,
    shared,
    such,
)
from whit.apps.cli.output import confirm, say, speak, working
from whit.assessment import promise_name
from whit.errors import Incompatible, InvalidInput
from whit.guarantees import Guarantee
from whit.mechanisms import AdditiveNoise, kinds
from whit.plans import expose
from whit.policy import around, frontier, stated_number
from whit.policy.profiles import RiskProfile
from whit.semantics import membership, testing
from whit.setting import Neighbours
from whit.telling import plots
from whit.telling.plots import Picture
from whit.telling.words import languages
from whit.theory import echo

NOISES = {kind.parameter.option: kind for kind in kinds() if issubclass(kind, AdditiveNoise)}
"""The noise that accuracy is measured for, by its words."""

MANY = 365
"""Up to so many releases a risk is drawn, unless the promise says how many there are."""

FEW = 40
"""Up to so many releases every number of them is drawn, and of more so many."""

_SEVERAL = 'State one, such as --epsilon 1; each --promise "rho=0.1" adds a line.'
_ONE_OF_FILE = "Use whit recommend --from FILE, or state the limit, the releases and the sensitivity by options."
_PROFILE = 'Use --profile "relative=3, absolute=0.25".'


NAMED = 6
"""A line that stands for several promises names at most so many."""


@dataclass(frozen=True)
class Drawing:
    """What is to be drawn.

    Attributes:
        form: what the options and a file say.
        release: the same without each --promise, which is a line of its own.
        own: the options that only pictures have, or that do not state a promise here, by name.
    """

    form: spec.Form
    release: spec.Form
    own: Mapping[str, Any]

    @property
    def language(self) -> dict[str, Any]:
        """The language of the words, if one is named."""
        return {"language": self.own["language"]} if "language" in self.own else {}

    @property
    def lines(self) -> tuple[spec.Series, ...]:
        """What is drawn: the release of a file or of options, with all that it promises, and each --promise."""
        others = self.form.promises[len(self.release.promise) :]
        return (self.release.together, *others) if self.release.promise else others

    def promises(self, *, one: bool = False) -> Mapping[str, Any]:
        """The promises by name, of all releases together or of one; there is at least one promise."""
        if not self.form.promises:
            raise InvalidInput("the promise of a picture", "must be stated", "nothing", _SEVERAL)
        if one:
            single = told_apart([series.name or promise_name(series.one) for series in self.form.promises])
            return dict(zip(single, (series.one for series in self.form.promises), strict=True))
        names = told_apart([series.name or series.words for series in self.lines])
        stated = self.form.promises[: len(self.release.promise)]
        if len(stated) > 1:  # what they promise is said behind their names
            called = [series.called(at) for at, series in enumerate(stated, start=1)]
            names[0] = ", ".join([*called[:NAMED], *(["…"] if len(called) > NAMED else [])])
        return {name: series.together for name, series in zip(names, self.lines, strict=True)}

    @property
    def relation(self) -> Neighbours | None:
        """The one relation that was named."""
        found = {series.relation for series in self.lines}
        if len(found) > 1:
            found = {series.neighbours for series in self.lines}
        if len(found) > 1:
            names = ", ".join(sorted(each.word for each in found if each))
            raise Incompatible("neighbours", "must be the same in one picture", names, "Draw one picture each.")
        return next(iter(found), None)

    @property
    def bounds(self) -> dict[str, Any]:
        """How beliefs are bounded: the failure, the sides, and the relation."""
        questions = self.form.asked
        return {"failure": questions.failure, "sides": questions.sides, "neighbours": self.relation}

    @property
    def profile(self) -> Any:
        """The profile that is drawn."""
        found = self.form.requirements.profile
        if found is None:
            raise InvalidInput("the profile of a picture", "must be given", "none", _PROFILE)
        return found

    @property
    def allowed(self) -> dict[str, Any]:
        """What is shaded as allowed: by every limit, with the range of its priors, and by all profiles."""
        profile = self.form.requirements.profile
        ranged = [each for given in self.form.limit for each in spec.ranged_limits_of(given)]
        found = [limit if span is None else (limit, span) for limit, span in ranged]
        return {"allowed": [*found, *([] if profile is None else [profile])]}

    @property
    def priors(self) -> dict[str, Any]:
        """The priors of the axis, if a range of them is given."""
        if "prior" not in self.own:
            return {}
        given = spec.Given({"prior": self.own["prior"]})
        low, high = given.span("prior")
        if low == high:
            raise given.invalid("prior", "must be a range in this picture", "Use --prior 0..0.1, or leave it out.")
        return {"priors": [low + (high - low) * step / POINTS for step in range(POINTS)] + [high]}

    @property
    def costs(self) -> dict[str, Any]:
        """What the cost of noise depends on: how it is asked, how many releases there are, what a record changes."""
        given, asked = spec.Given(self.own), self.form.asked
        found = {"failure": asked.failure, "sides": asked.sides, **self._of_file}
        found |= {"releases": given.whole("releases")} if "releases" in given else {}
        return {**found, **({"sensitivity": spec.sensitivity_of(given)} if "sensitivity" in given else {})}

    @property
    def _of_file(self) -> dict[str, Any]:
        """The releases, the neighbours and the sensitivity of the one promise of a file; nothing if it states none."""
        several = self.form.promises
        if not several:
            return {}
        own, found = several[0].one, f"{len(several)} promises" if len(several) > 1 else several[0].words
        if len(several) > 1 or not isinstance(own, AdditiveNoise | Guarantee):
            rule = "must state one promise in this picture: a guarantee, or noise on an answer from all records"
            raise Incompatible("the file of --from", rule, found, _ONE_OF_FILE)
        changed = {"sensitivity": own.sensitivity} if isinstance(own, AdditiveNoise) else {}
        return {"releases": several[0].releases, "neighbours": several[0].named, **changed}

    @property
    def prior(self) -> float:
        """The prior of the one adversary."""
        return the_one_asker(self.form).adversary.prior


def _in_blocks(promises: Mapping[str, Any], form: spec.Form) -> dict[str, Any]:
    """The promises to people in blocks, if the adversaries say how many depend on each other."""
    sizes = {asker.adversary.block for asker in form.askers}
    if len(sizes) > 1:
        said = " and ".join(map(str, sorted(sizes)))
        raise Incompatible("block", "must be the same in one picture", said, "Draw one picture each.")
    [size] = sizes
    return {name: promise.block(size) for name, promise in promises.items()}


def _posterior(drawing: Drawing) -> Picture:
    promises = _in_blocks(drawing.promises(), drawing.form)
    return plots.posterior_against_prior(
        promises, **drawing.allowed, **drawing.priors, **drawing.bounds, **drawing.language
    )


def _power(drawing: Drawing) -> Picture:
    knows = the_one_asker(drawing.form).adversary.knows
    promises = _in_blocks(drawing.promises(), drawing.form)
    several = [each for each in drawing.allowed["allowed"] if not isinstance(each, RiskProfile)]
    bounds: dict[str, Any] = {"neighbours": drawing.relation, "allowed": several}
    return plots.level_and_power(promises, knows=knows, **bounds, **drawing.language)


def _profile(drawing: Drawing) -> Picture:
    return plots.profile_curve(drawing.promises(), neighbours=drawing.relation, **drawing.language)


def _loss(drawing: Drawing) -> Picture:
    sides, relation = drawing.form.asked.sides, drawing.relation
    return plots.loss_curve(drawing.promises(), sides=sides, neighbours=relation, **drawing.language)


def _over_releases(drawing: Drawing) -> Picture:
    one = _in_blocks(drawing.promises(one=True), drawing.form)
    last = _last(drawing.form)
    steps = range(1, last + 1) if last <= FEW else sorted({round(last ** (at / FEW)) for at in range(FEW + 1)})
    who, posterior = the_one_asker(drawing.form).adversary, membership.PosteriorFrom(drawing.prior)
    bounds: dict[str, Any] = {**drawing.bounds, **drawing.language, "limit": drawing.allowed["allowed"] or None}
    return plots.risk_over_releases(
        one, posterior, steps, knows=who.knows, when=who.when, most=_most(drawing, list(one), last), **bounds
    )


def _most(drawing: Drawing, names: list[str], last: int) -> dict[str, int] | None:
    """How many releases there are of each promise of one file; None where lines are not about the same people."""
    if len(drawing.release.promise) < 2:
        return None
    if len(drawing.release.promise) < len(drawing.form.promise):
        way_out = "Draw the file by itself, or state each with --promise."
        raise Incompatible("--promise", "does not go with a file of several promises in this picture", "both", way_out)
    stated = any("releases" in each for each in drawing.form.promise)
    counted = zip(names, drawing.form.promises, strict=True)
    return {name: series.releases if stated else last for name, series in counted}


def _last(form: spec.Form) -> int:
    """Up to how many releases a risk is drawn: as many as the promises state, or many if none says how many."""
    stated = [each for each in form.promise if "releases" in each]
    most = max((each.whole("releases") for each in stated), default=MANY)
    if most == 1:
        rule = "must be at least 2 in this picture, which goes from the first release to the last"
        raise stated[0].invalid("releases", rule, f"Use 12, or leave it out to draw {MANY}.")
    return most


def _law(drawing: Drawing) -> Picture:
    return plots.posterior_law(drawing.promises(), drawing.prior, neighbours=drawing.relation, **drawing.language)


def _icons(drawing: Drawing) -> Picture:
    """A test with the level, and its power: how often the release gives a person away, with and without them."""
    promises, level = drawing.promises(), drawing.form.asked.level
    if len(promises) > 1:
        raise InvalidInput("the promise of this picture", "must be one", f"{len(promises)} of them", "State one.")
    [series] = drawing.lines
    power = testing.power(series.together, level, neighbours=drawing.relation)
    return plots.icon_arrays(level, power, of=series.words, **drawing.language)


def _accuracy(drawing: Drawing) -> Picture:
    """Each profile and each limit by itself, with the noise that it costs; one alone among stricter and looser ones."""
    words, found = drawing.own.get("for", ()), drawing.form.requirements
    if len(words) != 1:
        rule, given = "must name the noise of this picture", " and ".join(words) or "nothing"
        raise InvalidInput("--for", rule, given, f"Use {' or '.join(NOISES)}; families-side-by-side takes several.")
    each: list[Any] = [one for _, one in (*found.profiles, *found.limits)] or [drawing.profile]
    among = around(each[0]) if len(each) == 1 else each
    line: dict[str, Any] = {"limit": stated_number(each[0])} if len(among) > len(each) else {}
    return plots.accuracy_against_risk(frontier(among, NOISES[words[0]], **drawing.costs), **line, **drawing.language)


def _families(drawing: Drawing) -> Picture:
    """One limit or profile, and what each kind of noise costs that meets it."""
    words, found = dict.fromkeys(drawing.own.get("for", ())), required(drawing.form)
    if len(words) < 2:
        way_out = f"Use --for laplace --for gaussian; there are {', '.join(NOISES)}."
        raise InvalidInput("--for", "must name at least two kinds of noise", " ".join(words) or "nothing", way_out)
    each: list[Any] = [*(limit for _, limit in found.limits), *([] if found.profile is None else [found.profile])]
    if len(each) > 1:
        rule, several = "must meet one limit at one prior, or profiles alone", f"{len(each)} of them"
        raise Incompatible("the noise of this picture", rule, several, "Draw one picture each.")
    return plots.families_side_by_side(
        [frontier(each, NOISES[word], **drawing.costs)[0] for word in words], **drawing.language
    )


def _budget(drawing: Drawing) -> Picture:
    concern = dict(drawing.own)
    plan = concern.pop("plan", None)
    if plan is None:
        raise InvalidInput("--plan", "must name the plan of this picture", "nothing", "Use --plan FILE and a concern.")
    concern.pop("language", None)
    exposure = expose(spec.plan_named(plan), spec.concern_of(spec.Given(concern)))
    return plots.budget_by_query(exposure, **drawing.language)


class Kind(NamedTuple):
    """A kind of picture: how it is drawn, and which options it has a use for."""

    draw: Callable[[Drawing], Picture]
    uses: frozenset[str]


PROMISE = frozenset(
    (
        *("from", "promise", "noise", "sensitivity", "changes", "neighbours", "releases"),
        "kinds",
    )
)
"""The options that state promises; `kinds` stands for those of the kinds themselves."""

POINTS = 200
"""Into so many steps a range of priors is divided."""

_PROFILES = frozenset(("profile", "requirements", "from", "language"))
_NOISE = frozenset(("for", "limit", "failure", "releases", "sensitivity"))

_SPOKEN = PROMISE | {"language"}
_LIMITS = ("profile", "limit", "requirements")

PICTURES = {
    "posterior-against-prior": Kind(_posterior, _SPOKEN | {"prior", "block", "failure", "sides", *_LIMITS}),
    "level-and-power": Kind(_power, _SPOKEN | {"knows", "block", "adversary", "limit"}),
    "profile-curve": Kind(_profile, _SPOKEN),
    "loss-curve": Kind(_loss, _SPOKEN | {"sides"}),
    "risk-over-releases": Kind(
        _over_releases, _SPOKEN | {"prior", *spec.WHO, "failure", "sides", "adversary", *_LIMITS}
    ),
    "posterior-law": Kind(_law, _SPOKEN | {"prior", "adversary"}),
    "icon-arrays": Kind(_icons, _SPOKEN | {"level"}),
    "profile-and-epsilon": Kind(lambda drawn: plots.profile_and_epsilon(drawn.profile, **drawn.language), _PROFILES),
    "profile-map": Kind(lambda drawn: plots.profile_map(drawn.profile, **drawn.language), _PROFILES),
    "accuracy-against-risk": Kind(_accuracy, _PROFILES | _NOISE),
    "families-side-by-side": Kind(_families, _PROFILES | _NOISE | {"sides"}),
    "budget-by-query": Kind(_budget, frozenset(("plan", "language", *spec.CONCERN))),
}
"""The pictures by name."""

_FOR = f"The noise of accuracy-against-risk, or each of families-side-by-side: {', '.join(NOISES)}."
_LANGUAGE = f"The language of its words: {', '.join(languages())}."
_REST = (*ADVERSARY, "failure", "sides", "level", "profile", "limit", "requirements")


@click.command(cls=PromiseCommand, short_help="A picture, as PNG, SVG, PDF or HTML.")
@click.argument("picture", type=Word(list(PICTURES)), metavar="PICTURE")
@shared(*sorted(PROMISE - {"kinds"}), *_REST)
@click.option("--for", "for_", multiple=True, type=Word(list(NOISES)), metavar="WORD", help=_FOR)
@click.option("--plan", "plan_", metavar="FILE", help="The plan, for budget-by-query; with a concern.")
@shared(*spec.CONCERN)
@click.option("--language", "language_", type=Word(languages()), metavar="CODE", help=_LANGUAGE)
@click.option(
    "--out", required=True, type=such("--out picture.png"), metavar="PATH", help="The file: .png, .svg, .pdf or .html."
)
@json_option
def plot(picture: str, out: str, as_json: bool, **options: Any) -> None:
    """Draw a picture, and write it to a file together with a description.

    PICTURE is posterior-against-prior, level-and-power, profile-curve, loss-curve, risk-over-releases (up to
    --releases, or 365), posterior-law, icon-arrays, profile-and-epsilon, profile-map, accuracy-against-risk (with
    --for), families-side-by-side (with several --for) or budget-by-query (with --plan). A range such as --prior 0..0.1
    draws only these priors in posterior-against-prior. --json also prints the numbers behind the picture. whit refuses
    an option that a picture does not use.
    """
    source = click.get_current_context().get_parameter_source
    by_hand = [name for name in options if source(name) is ParameterSource.COMMANDLINE]
    given = {name.rstrip("_"): options[name] for name in by_hand}
    uses = PICTURES[picture].uses
    for name, value in given.items():
        if name not in uses and not ("kinds" in uses and f"{name}_" not in options):
            raise _no_use(picture, name, value)
    apart = {"for", "plan", "language", *spec.CONCERN, *(() if "kinds" in uses else ("releases", "sensitivity"))}
    apart |= {"prior"} if PICTURES[picture].draw is _posterior else set()  # the range of an axis, and nobody's belief
    filled = {name: value for name, value in given.items() if name not in apart}
    form = form_of(filled)
    release = replace(form, promise=form.promise[: len(form.promise) - len(filled.get("promise", ()))])
    drawing = Drawing(form, release, {name: value for name, value in given.items() if name in apart})
    with working("Drawing"):
        drawn = PICTURES[picture].draw(drawing)
        drawn.save(out)
    if not as_json:
        confirm(f"Written: {out}")
        speak(drawn.alt)
        return
    promises = {name: echo(each) for name, each in drawing.promises().items()} if form.promise else {}
    table = {name: [*column] for name, column in drawn.table.items()}
    result = {"written": out, "title": drawn.title, "alt": drawn.alt, "table": table}
    say(Answers("plot", {"picture": picture, "promises": promises, **form_inputs(form)}, result=result).text())


def _no_use(picture: str, name: str, value: object) -> Incompatible:
    """The error about an option that a picture does not draw, with those that it does."""
    options, uses = spec.Options(), PICTURES[picture].uses
    used = ", ".join(map(options.key, sorted(uses - {"kinds"})))
    way_out = (
        f"Leave it out; {picture} uses {used}{' and the options that state a promise' if 'kinds' in uses else ''}."
    )
    found = "; ".join(map(str, value)) if isinstance(value, tuple) else "it" if value is True else value
    return Incompatible(options.key(name), f"does not apply to {picture}", found, way_out)
