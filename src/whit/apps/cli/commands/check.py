"""`whit check`: whether a release meets limits and risk profiles, for pipelines."""

from __future__ import annotations

from typing import Any

import click

from whit.apps.cli.options import PromiseCommand, answer, asks, json_option


@click.command(cls=PromiseCommand, short_help="Whether a release meets limits and risk profiles: exit code 0, 1 or 3.")
@asks("check")
@json_option
def check(as_json: bool, **values: Any) -> None:
    """Check a release: exit code 0 if it is allowed, 1 if it is not, 3 if whit can prove neither.

    A release is not allowed if its risk exceeds a limit, or may exceed it, since the best bound is above the limit.

    The release must meet every limit and risk profile of the options, of --requirements FILE and of --from FILE. `whit
    plan` checks a plan, with the same exit codes.
    """
    answer("check", values, as_json=as_json)
