"""Each adversary of a report with everything that was worked out about them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from whit.assessment import Assessment
from whit.spec import Asker, Release, assess_series
from whit.telling.reports.accepted import Ruling, rulings
from whit.theory import Basis, Finding


@dataclass(frozen=True)
class Case:
    """One adversary and the answers about them."""

    asker: Asker
    assessment: Assessment


@dataclass(frozen=True)
class Worked:
    """A release with all answers about it."""

    request: Release
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


def worked(request: Release) -> Worked:
    """All answers about a release."""
    series, questions = request.series, request.questions
    cases = tuple(Case(asker, assess_series(series, asker, questions)) for asker in request.askers)
    return Worked(request, cases, rulings(request.requirements, series, questions.failure))
