"""The text for the people in the data, with a picture, and what is not protected."""

from __future__ import annotations

from whit.telling.explain import explain
from whit.telling.reports.cases import Worked
from whit.telling.reports.document import Paragraph, Points, Section
from whit.telling.reports.figures import people_figure

_BEFORE = 2
"""The paragraphs that the picture shows: the gist, and the results with the person and without."""

_ALWAYS = (
    "This does not cover what can be learnt about everyone like you. If the results show that smokers fall ill more "
    "often, then that is so for smokers who took no part as well."
)


def people(work: Worked) -> Section:
    """The section that may be read out to the people in the data."""
    request = work.request
    said = explain(work.cases[0].assessment, "public").paragraphs
    about = f"Suppose that {work.cases[0].asker.name} wonders whether {work.cases[0].asker.fact}."
    number = request.series.releases
    many = "" if number == 1 else f" What follows is about all {number} releases together."
    return Section(
        "For the people in the data",
        (
            Paragraph(f"{about}{many}"),
            *(Paragraph(text) for text in said[:_BEFORE]),
            *people_figure(work.cases[0], request.questions.level),
            *(Paragraph(text) for text in said[_BEFORE:]),
        ),
        (Section("What is not protected", (Points(_unprotected(work)),)),),
    )


def _unprotected(work: Worked) -> tuple[str, ...]:
    unit = work.request.unit
    exact = tuple(f"Published as it is, without noise: {each.rstrip('.')}." for each in work.request.unprotected)
    beyond = f"Whatever goes beyond one {unit.name} within {unit.period} is protected less than this report says."
    return (*exact, beyond, _ALWAYS)
