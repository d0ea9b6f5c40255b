"""`whit schema`: what may be asked of a command and what it answers, as JSON Schema."""

from __future__ import annotations

import click

from whit.apps.asking import COMMANDS
from whit.apps.asking.schemas import stored_schema
from whit.apps.cli.options import Command, Needed, completed
from whit.apps.cli.output import say
from whit.errors import require


@click.command(cls=Command, short_help="What a command takes and answers, as JSON Schema.")
@click.argument(
    "command", type=Needed(lambda: f"Use {', '.join(COMMANDS)}."), shell_complete=completed(lambda: COMMANDS)
)
def schema(command: str) -> None:
    """Print the JSON Schema of COMMAND, such as assess.

    The schema is that of the document that --json prints; `$defs/request` in it is that of what may be asked. Commands
    that write a file or keep an account have none, such as report and ledger.
    """
    root = click.get_current_context().find_root()
    others = root.command.list_commands(root) if isinstance(root.command, click.Group) else []
    require(
        command in COMMANDS or command not in others,
        name="COMMAND",
        rule="must be a command with a JSON Schema",
        value=command,
        way_out=f"These have one: {', '.join(sorted(COMMANDS))}.",
    )
    say(stored_schema(command).rstrip("\n"))
