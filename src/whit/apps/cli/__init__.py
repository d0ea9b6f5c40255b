"""The command `whit`.

group            the command with its subcommands, each loaded when it is asked for
exits            exit codes, and errors as sentences
written          `name=value, name=value`, as options and files have it
promises         a promise from its parameters
promise_options  the options that state a promise, the same in every command
adversaries      the options about who is asking
wanted           risk profiles and limits from their parameters, and their options
concerns         the options about what somebody wants kept, of a plan
always           what to ask instead of a bound that always holds
toml_file        TOML files, and the line on which something is wrong
json_option      the option of every command that asks for JSON
answers          what a command answers
document         the answers as JSON
tables           the answers as tables
pictures         what `whit plot` draws, by name
progress         a sign of life on anything over a second
commands         one file per command
"""

from whit.apps.cli.group import main, whit

__all__ = ["main", "whit"]
