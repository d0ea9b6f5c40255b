"""`whit assess`: what one promise lets one adversary learn."""

from __future__ import annotations

from typing import Any

import click

from whit.apps.cli.options import PromiseCommand, answer, asks, json_option


@click.command(cls=PromiseCommand, short_help="What one promise lets one adversary learn.")
@asks("assess")
@json_option
def assess(as_json: bool, **values: Any) -> None:
    """Answer every question that a promise and an adversary raise.

    The first sentence gives the posterior. The table below gives each question, its answer, and the answer in words.
    A question without an answer says why.
    """
    answer("assess", values, as_json=as_json)
