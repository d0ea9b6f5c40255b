"""`whit theorem`: what a number rests on."""

from __future__ import annotations

from typing import Any

import click

from whit.apps.cli.options import Command, answer, asks, completed, json_option
from whit.theory import THEOREMS


@click.command(cls=Command, short_help="What a number rests on: statement, reference, assumptions, proof.")
@click.argument("key", required=False, shell_complete=completed(lambda: THEOREMS))
@asks("theorem")
@json_option
def theorem(as_json: bool, **values: Any) -> None:
    """Show the theorem with a KEY, as the answers of other commands name it; without a KEY, list all theorems.

    It says for which questions the theorem holds, and of each assumption who can verify it.
    """
    answer("theorem", values, as_json=as_json)
