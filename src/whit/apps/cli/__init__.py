"""The command `whit`.

group           the command with its subcommands, each loaded when it is asked for; errors as sentences, exit codes
options         the options that commands share, and the form that they fill in
option_groups   the options in groups, as help lists them
output          what a command answers, as tables, as sentences and as JSON; things of whit in words; signs of life
questions       the questions of an assessment: their order, and each answer in one plain sentence
rows            the rows of a table of answers
receipts        what is said of an entry of the ledger
layout          paragraphs and tables that fit the width of a screen
spelling        messages of the library without Python
commands        one file per command
"""

from whit.apps.cli.group import main, whit

__all__ = ["main", "whit"]
