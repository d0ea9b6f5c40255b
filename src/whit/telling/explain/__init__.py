"""Words: what a finding, an assessment, a recommendation or a plan says, for three audiences.

explain       the one function
audience      who reads
explanation   a text that remembers its numbers
language      sentences by key, one file for each language in languages/
quantities    which sentence tells which quantity
subject       what is explained: answers, and what they have in common
chances       chances out of a hundred, or of as many as it takes
amounts       numbers in percent or written out, with their direction
notes         short explanations, and when each applies
public        the text for everybody
officer       the text for those who decide
technical     the text for those who check
asked         what is asked of a promise that comes without an assessment
recommended   what is said first about a recommendation
planned       what is said first about a plan
"""

from __future__ import annotations

from whit.front_door import front_door

# At once, because these names are also those of modules: loaded later, a module would take their place.
from whit.telling.explain.explain import explain as explain
from whit.telling.explain.language import languages as languages

__all__, __getattr__, __dir__ = front_door(__name__)
