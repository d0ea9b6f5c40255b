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

from whit.telling.explain.audience import Audience
from whit.telling.explain.explain import Explained, explain
from whit.telling.explain.explanation import Explanation, Said
from whit.telling.explain.language import languages

__all__ = ["Audience", "Explained", "Explanation", "Said", "explain", "languages"]
