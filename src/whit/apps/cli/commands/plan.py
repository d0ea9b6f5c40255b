"""`whit plan`: what a set of queries reveals about one sensitive fact."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem

from whit import spec
from whit.apps.cli.options import Command, a_file, answer, asks, json_option


def _a_plan(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What the shell completes: the plan that comes with whit, else the name of a file."""
    known = [CompletionItem(spec.CENSUS)] if spec.CENSUS.startswith(incomplete) else []
    return known or a_file(ctx, param, incomplete)


@click.command(cls=Command, short_help="What a set of queries reveals about one sensitive fact.")
@click.argument("file", metavar=f"FILE|{spec.CENSUS}", shell_complete=_a_plan)
@asks("plan")
@json_option
def plan(as_json: bool, **values: Any) -> None:
    """Show which queries touch a concern about one person, and what they reveal together.

    FILE is a plan in TOML. With --limit or --profile the plan is also checked, with the exit codes of `whit check`, and
    whit finds the factor on all noise with which it just meets them.
    """
    answer("plan", values, as_json=as_json)
