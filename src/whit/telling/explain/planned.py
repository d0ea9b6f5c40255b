"""A plan as somebody with a concern meets it: which tables tell something about it, and how much."""

from __future__ import annotations

from whit.plans import Concern, Exposure, Plan, PlanRecommendation, Presence, WholeRecord, expose
from whit.semantics import membership, testing
from whit.setting import Knowledge, Neighbours
from whit.telling.explain import amounts
from whit.telling.explain.asked import FAILURE, LEVEL, PRIOR
from whit.telling.explain.language import Audience, Language, Passage, Said
from whit.telling.explain.subject import Subject
from whit.theory import Direction


def exposed(exposure: Exposure, audience: Audience, words: Language) -> Subject:
    """What there is to say about a plan and a concern."""
    unprotected = tuple(_unprotected(exposure, audience, words))
    opening = (_opening(exposure, audience, words), *_reading(exposure, audience, words))
    if exposure.number == 0:
        return Subject((), opening, unprotected)
    release, relation = exposure.release, exposure.neighbours
    power = testing.power(release, LEVEL, neighbours=relation, knows=Knowledge.ANY_BELIEF)
    posterior = membership.posterior(release, PRIOR, failure=FAILURE, neighbours=relation)
    answers = (("posterior", posterior), ("power", power))
    return Subject(answers, opening, unprotected, exposure.rho.basis)


def worst_concern(plan: Plan) -> Concern:
    """The concern that takes the most: being in the data, or all that the record says, as the plan is stated."""
    return Presence() if plan.neighbours is Neighbours.ADD_REMOVE else WholeRecord()


def chosen(found: PlanRecommendation, audience: Audience, words: Language) -> Subject:
    """What there is to say about a plan whose noise was chosen."""
    subject = exposed(expose(found.plan, found.binding), audience, words)
    if audience is Audience.PUBLIC:
        first = words.say("plan.public.factor")
    else:
        number = amounts.bare(found.factor, Direction.AT_MOST, words, digits=5)
        first = words.say("plan.officer.factor", number=number, concern=str(found.binding))
    return Subject(subject.answers, (first, *subject.opening), subject.unprotected, subject.besides)


def _opening(exposure: Exposure, audience: Audience, words: Language) -> Passage:
    touched, public = exposure.number > 0, audience is Audience.PUBLIC
    key = f"plan.{'public' if public else 'officer'}.{'opening' if touched else 'untouched'}"
    gaps: dict[str, Said | Passage | str] = {"concern": str(exposure.concern)}
    if not public:
        gaps["plan"] = exposure.plan.name
    if touched:
        number = exposure.number
        gaps["number"] = Said(words.digits(f"{number:,}"), float(number), exposure.rho, "inputs.queries")
        gaps["rho"] = amounts.amount(exposure.rho, words)
    template = words.templates[key]
    return words.say(key, **{name: gap for name, gap in gaps.items() if f"{{{name}}}" in template})


def _reading(exposure: Exposure, audience: Audience, words: Language) -> list[Passage]:
    if audience is Audience.PUBLIC:
        return []
    return [words.say("plan.officer.reading", reading=exposure.reading)]


def _unprotected(exposure: Exposure, audience: Audience, words: Language) -> list[Passage]:
    names = ", ".join(each.name for each in exposure.unprotected)
    key = "public.unprotected" if audience is Audience.PUBLIC else "officer.unprotected"
    return [words.say(key, names=names)] if names else []
