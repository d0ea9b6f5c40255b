"""`whit compare`: several promises side by side."""

from __future__ import annotations

from typing import Any

import click

from whit.apps.cli.options import PromiseCommand, answer, asks, json_option


@click.command(cls=PromiseCommand, short_help="Put the same questions to several promises.")
@asks("compare")
@json_option
def compare(as_json: bool, **values: Any) -> None:
    """The same questions put to several promises, one line each.

    A promise is written with the names of the options: "epsilon=17.14, delta=1e-10". The noise that keeps a promise, if
    it is known, is said with it: "rho=2.56, noise=gaussian". "name=..." gives it a name of its own. Without --question
    it is posterior, expected-posterior, power and advantage, and with --baseline the success of a guess.
    """
    answer("compare", values, as_json=as_json)
