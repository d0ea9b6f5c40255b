"""The command `whit`.

group      the command with its subcommands, each loaded when it is asked for; errors as sentences, exit codes
options    the options that commands share, and the form that they fill in
output     what a command answers, as tables, as sentences and as JSON; things of whit in words; signs of life
commands   one file per command
"""

from whit.apps.cli.group import main, whit

__all__ = ["main", "whit"]
