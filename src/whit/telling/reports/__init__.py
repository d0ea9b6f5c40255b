"""Reports: one document model, written as PDF, HTML, Word, Markdown or JSON.

report      the file that is asked for, from a TOML file or from a result, written whole or not at all
making      the document, section by section; and the shorter one of one result
cases       every adversary with every answer, and whether the release is within each limit
sheet       the decision sheet; instead finds what would be within every limit, and several does so for several promises
main_part   the risks, the section for the people in the data, and the risks in words; figures draws for it
comparison  the release beside those of the catalogue
ledger      the account that the release is to be charged to, and whether it fits
hazards     the checklist
appendix    every answer, assumption and theorem, and the file
facts       what is protected and what is promised
sentences   limits, verdicts and who decides, in words
wording     sentences by key, from one file for each language in languages
document    the model; formats and word make files of it, with the looks in templates and colours
"""

from __future__ import annotations

from whit.front_door import front_door

# At once, because these names are also those of modules: loaded later, a module would take their place.
from whit.telling.reports.report import report as report

__all__, __getattr__, __dir__ = front_door(__name__)
