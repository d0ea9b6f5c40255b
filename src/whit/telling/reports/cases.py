"""Each adversary of a report with everything that was worked out about them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from whit.assessment import Assessment, Unanswered, Unasked, assess
from whit.setting import Knowledge
from whit.telling.plots.answers import safe
from whit.telling.reports.accepted import Ruling, rulings
from whit.telling.reports.request import Asker, Request
from whit.theory import Answer, Basis, Finding

_ELSEWHERE = Unasked("it is told by another number")
_OF_A_KNOWN_REST = ("difference", "odds", "worst_prior", "relative_risk", "absolute_risk")


@dataclass(frozen=True)
class Case:
    """One adversary and the answers about them."""

    asker: Asker
    assessment: Assessment

    @property
    def rest_known(self) -> bool:
        """Whether they are asked about as somebody who knows everyone else: they do, or nothing more is known."""
        adversary = self.asker.adversary
        unknown = isinstance(self.assessment.absolute_risk, Unanswered)
        return adversary.value == 1.0 and (adversary.knows is Knowledge.EVERYONE_ELSE or unknown)

    @property
    def belief(self) -> Answer:
        """How probable the fact may become for them."""
        return self.assessment.posterior if self.rest_known else self.assessment.absolute_risk

    @property
    def growth(self) -> Answer:
        """How many times as probable; the number that a risk profile limits."""
        return self.assessment.ratio if self.rest_known else self.assessment.relative_risk

    @property
    def told(self) -> Assessment:
        """The assessment with one number for each thing: what is told in words is what the tables show."""
        if isinstance(self.assessment.absolute_risk, Unanswered):
            return self.assessment
        if self.rest_known:
            return replace(self.assessment, relative_risk=_ELSEWHERE, absolute_risk=_ELSEWHERE)
        return replace(
            self.assessment,
            posterior=self._restated(self.belief, self.assessment.posterior),
            ratio=self._restated(self.growth, self.assessment.ratio),
            **dict.fromkeys(_OF_A_KNOWN_REST, _ELSEWHERE),
        )

    def _restated(self, answer: Answer, question: Answer) -> Answer:
        """What holds whatever is believed about the others, as the answer to the question about a known rest."""
        if not isinstance(answer, Finding) or not isinstance(question, Finding):
            return answer
        found = safe(answer)
        asked = safe(question)
        inputs = {**found.inputs, "prior": asked.inputs["prior"]}
        return Finding(asked.quantity, found.value, found.direction, inputs, found.basis)


@dataclass(frozen=True)
class Worked:
    """A request with all answers to it."""

    request: Request
    cases: tuple[Case, ...]
    rulings: tuple[Ruling, ...]

    @property
    def basis(self) -> Basis:
        """All that the numbers of the report rest on, the catalogue's left out."""
        keys = [key for _, _, found in self.findings() for key in found.basis.theorems]
        return Basis.of(*dict.fromkeys(keys))

    def findings(self) -> Iterator[tuple[str, str, Finding]]:
        """Every number: who asked, what, and the finding."""
        for case in self.cases:
            for question, answer in case.assessment:
                yield from ((case.asker.name, question, found) for found in answer.findings)
        for ruling in self.rulings:
            yield from (("publisher", ruling.wanted, found) for found in ruling.findings)

    def archived(self) -> tuple[Mapping[str, Any], ...]:
        """Every number as a plain tree."""
        return tuple(
            {"asked_by": who, "question": what, **json.loads(found.to_json())} for who, what, found in self.findings()
        )


def worked(request: Request) -> Worked:
    """All answers to a request."""
    stated = request.stated
    relation = stated.options.get("neighbours")
    asked: dict[str, Any] = {"failure": request.failure, "level": request.level, "neighbours": relation}
    cases = tuple(Case(asker, assess(stated.together, asker.adversary, **asked)) for asker in request.askers)
    return Worked(request, cases, rulings(request.accepted, stated, request.failure))
