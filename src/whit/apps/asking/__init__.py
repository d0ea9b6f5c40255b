"""What a command asks and what it answers, without a screen: the command line prints it, the web shows the same.

asked       `ask`: a command by its name and values by theirs, answered
fields      the values that commands take, each with its words and its meaning
request     what was asked: values that were checked, and the form that they fill in
answers     answers by name, as one document; tables, and all that a command tells
rows        the rows of a table of answers
spelling    messages of the library in the words of options
signs       signs of life while something takes long
hints       what to ask instead, where nothing but certainty bounds a belief
audits      what an audit of a table found, in words and as plain values
codes       exit codes
commands    one file per command
trees       releases, limits and verdicts as plain trees
schemas     what may be asked and what is answered, as JSON Schema
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
