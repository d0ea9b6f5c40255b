"""Reports: one document model, written as HTML, PDF, Markdown or JSON.

report              the file that is asked for, from a TOML file or from a result
accepted            whether the release keeps to what its publisher accepts; accepted_words sets its risk beside it
cases               every adversary with every answer
making              the document, section by section: section_*, checklist, figures, sentences
plain               the shorter report of one result
hazards             the checklist, from hazards.toml
document            the model; as_html, as_pdf, as_markdown and as_json write it, writing puts it in place
templates           the looks of HTML and PDF
"""

from __future__ import annotations

from whit.front_door import front_door

# At once, because these names are also those of modules: loaded later, a module would take their place.
from whit.telling.reports.report import report as report

__all__, __getattr__, __dir__ = front_door(__name__)
