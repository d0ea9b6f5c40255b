"""`whit convert`: a promise as another kind, and the theorems that show it."""

from __future__ import annotations

from typing import Any

import click

from whit.apps.cli.options import PromiseCommand, answer, asks, json_option


@click.command(cls=PromiseCommand, short_help="Convert a promise to another kind, and show the theorems used.")
@asks("convert")
@json_option
def convert(as_json: bool, **values: Any) -> None:
    """Convert a promise to the best one of another kind, and show the theorems used.

    For example from rho to epsilon: --rho 2.56 --to epsilon-delta --at-delta 1e-10.
    """
    answer("convert", values, as_json=as_json)
