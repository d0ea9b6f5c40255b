"""`whit explain`: the answers in words."""

from __future__ import annotations

from typing import Any

import click

from whit.apps.cli.options import PromiseCommand, answer, asks, json_option


@click.command(cls=PromiseCommand, short_help="The answers in plain words, for the public, officers or experts.")
@asks("explain")
@json_option
def explain(as_json: bool, **values: Any) -> None:
    """Say in plain words what a promise means for people. Every number is one of the answers of `whit assess`.

    Without --failure, the text for the public limits a belief always where the promise does, and except with
    probability 1 % where it does not.
    """
    answer("explain", values, as_json=as_json)
