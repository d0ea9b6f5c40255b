"""`whit compose`: several promises of different kinds about the same people, taken together."""

from __future__ import annotations

from typing import Any

import click

from whit.apps.cli.options import PromiseCommand, answer, asks, json_option


@click.command(cls=PromiseCommand, short_help="Add up several promises about the same people, of any kinds.")
@asks("compose")
@json_option
def compose(as_json: bool, **values: Any) -> None:
    """What several promises about the same people permit together, and what each of them adds.

    A promise is written with the names of the options, also noise on a sample: "gaussian=2, sampling-rate=0.01,
    releases=1000". Epsilon is given at --at-delta (1e-6 if not given), delta at --at-epsilon.
    """
    answer("compose", values, as_json=as_json)
