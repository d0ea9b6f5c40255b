"""Words: what a finding, an assessment, a recommendation or a plan says, for three audiences.

explaining  explain, the one function
language    sentences by key, one file for each language in languages/; texts that remember their numbers; who reads
            what has an English text elsewhere, such as a quantity or a theorem, in names/
subject     what is explained: answers, those of a promise without any, and the notes that apply
numbers     chances out of a hundred or of as many as it takes; amounts in percent or written out, with their direction
openings    what is said first about a recommendation and about a plan
public      the text for everybody
officer     the text for those who decide
technical   the text for those who check
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
