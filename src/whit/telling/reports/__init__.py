"""Reports: one document model, written as HTML, PDF, Markdown or JSON.

report      the file that is asked for, from a TOML file or from a result, written whole or not at all
making      the document, section by section; and the shorter one of one result
cases       every adversary with every answer, and whether the release keeps to what its publisher accepts
main_part   the summary, the section for the people in the data, and the risks in words; figures draws for it
comparison  the release beside those of the catalogue
ledger      the account that the release is to be charged to, and whether it fits
hazards     the checklist, from hazards.toml
appendix    every answer, assumption and theorem, and the file
sentences   short texts for the cells of tables
document    the model; formats makes HTML, PDF, Markdown and JSON of it, with the looks in templates
"""

from __future__ import annotations

from whit.front_door import front_door

# At once, because these names are also those of modules: loaded later, a module would take their place.
from whit.telling.reports.report import report as report

__all__, __getattr__, __dir__ = front_door(__name__)
