"""The rows of a table of answers: questions, numbers with their direction, sentences, and what they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from whit.assessment import (
    CERTAIN,
    ORDER,
    WORST_PRIORS,
    Asked,
    Unanswered,
    Unbounded,
    amount_text,
    chance_text,
    in_a_sentence,
    in_short,
    people_text,
    place_text,
    worst_priors,
)

# By this name, so that sentences are loaded when they are asked for.
from whit.theory import Answer, Unit, Verifier, assumed

if TYPE_CHECKING:
    from whit import theory
    from whit.apps.asking.answers import Named

_RANKS = {name: at for at, name in enumerate(ORDER)}


def _place(each: Named) -> int:
    """Where a question stands among the others; what is no question of an assessment comes last."""
    return _RANKS.get(each.name.partition(".")[0], len(ORDER))


def in_order(answers: Sequence[Named]) -> list[Named]:
    """The answers, the most useful question first."""
    return sorted(answers, key=_place)


def question_rows(answers: Sequence[Named], asked: Asked | None, *, every: bool) -> list[tuple[str, ...]]:
    """A row for each answer; questions that are left open for the same reason share one, and so do the worst priors."""
    found: dict[tuple[str, ...], list[str]] = {}
    priors = {each.name: each.answer for each in answers if each.name.startswith(WORST) and asked and not every}
    unbounded = {str(each.answer) for each in answers if is_unbounded(each, asked)}
    for at, each in enumerate(answers):
        name, is_open = each.name, isinstance(each.answer, Unanswered)
        if name in priors and not is_open:
            if [WORST] not in found.values():
                found[_worst(priors)] = [WORST]
            continue
        row = _cells(each, asked)
        if is_open and str(each.answer) in unbounded and name != _POSTERIOR:
            row = ("not answered", NEITHER)
        unique = () if is_open else (str(at),)
        found.setdefault((*row, *unique), []).append(name)
    columns = 1 if asked is None else 2
    return [(", ".join(map(_spelled, names)), *row[:columns]) for row, names in found.items()]


def _worst(priors: dict[str, Answer]) -> tuple[str, str]:
    """The worst priors of a fact that is true, in few words and in a sentence."""
    ratio, rise = (priors[f"worst_prior.{measure}.when_true"].worst for measure in ("ratio", "difference"))
    assert ratio is not None
    assert rise is not None
    text, said = worst_priors(ratio, rise)
    return text, f"{said} --all shows more."


WORST = "worst_prior"
"""The question that has four answers."""

MAY_BE_CERTAIN = "may be 100 %"
"""The posterior where nothing is ruled out."""

NEITHER = "Not bounded either, for the reason that the posterior is not."
"""What is said of the other questions about a belief there."""

_POSTERIOR = "posterior"


def _spelled(name: str) -> str:
    return name.replace("_", " ").replace(".", ", ")


def _cells(each: Named, asked: Asked | None) -> tuple[str, ...]:
    """What a table says of an answer, beside its name."""
    worst = each.answer.worst
    if isinstance(each.answer, Unanswered):
        reason = capital(each.answer.reason)
        told = (MAY_BE_CERTAIN, f"{CERTAIN} {reason}") if is_unbounded(each, asked) else ("not answered", reason)
        return (str(each.answer),) if asked is None else told
    assert worst is not None  # as every answer has it
    whole = f"{each.text or each.answer}{people_text(worst)}"
    if asked is None:
        return (whole,)
    said = in_a_sentence(each.name, worst, asked) or f"{capital(whole)}."
    return cell(worst.in_words), said


def is_unbounded(each: Named, asked: Asked | None) -> bool:
    """Whether it is a posterior without a bound: nothing is ruled out, unless it was certain from the start."""
    return each.name == _POSTERIOR and isinstance(each.answer, Unbounded) and asked is not None and asked.prior < 1.0


def theorem_rows(answers: Sequence[Named]) -> list[tuple[str, ...]]:
    """The theorems of each answer; answers that rest on the same ones share a row."""
    found: dict[str, list[str]] = {}
    for each in answers:
        if each.answer.worst is not None:
            found.setdefault(", ".join(each.answer.worst.basis.theorems), []).append(each.name.partition(".")[0])
    return [(", ".join(map(_spelled, dict.fromkeys(names))), keys) for keys, names in found.items()]


def assumption_rows(answers: Sequence[Named], noises: theory.Named = ()) -> list[tuple[str, ...]]:
    """The answers that need an assumption, who can check it, and the assumption in a sentence; noise by its name."""
    found: dict[tuple[Verifier, str], list[str]] = {}
    for each in answers:
        for sentence in () if each.answer.worst is None else assumed(each.answer.worst, noises):
            found.setdefault(sentence, []).append(_spelled(each.name.partition(".")[0]))
    every = dict.fromkeys(name for names in found.values() for name in names)
    whole = {*every} if len(every) > 1 else set()
    named = {one: "all" if {*names} == whole else ", ".join(dict.fromkeys(names)) for one, names in found.items()}
    return [(names, CHECKED_BY[who], plain) for (who, plain), names in named.items()]


CHECKED_BY = {
    Verifier.CURATOR: "who holds the data",
    Verifier.SOFTWARE: "who runs the software",
    Verifier.MODELLING: "who chose the model",
}
"""Who can check an assumption, in words."""


def capital(text: str) -> str:
    """The text with a capital letter first."""
    return text[:1].upper() + text[1:]


def cell(answer: Answer) -> str:
    """The number with its direction, in few words; both ends where both are bounds."""
    found = answer.worst
    if found is not None and found.quantity in WORST_PRIORS and isinstance(found.value, float):
        return place_text(found)
    if found is None or not found.is_two_sided:
        # The sentence beside it says what that means.
        return in_short(answer).removesuffix(" (nothing is ruled out)")
    return chance_text(found) if found.quantity.unit is Unit.PROBABILITY else amount_text(found)
