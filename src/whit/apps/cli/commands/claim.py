"""`whit claim`: what a claim means as it is stated, and what it leaves open."""

from __future__ import annotations

from typing import Any

import click

from whit.apps.cli.options import Command, answer, asks, json_option, such


class ClaimCommand(Command):
    """A command that takes one text, and says so where its parts are given as options."""

    def elsewhere(self, option: str) -> str:
        """The text."""
        return f'A claim is one text: whit claim "{option.lstrip("-")}=...".'


@click.command(cls=ClaimCommand, short_help="What a claim means as it is stated, and what it leaves open.")
@click.argument("claim", type=such('"epsilon=2, delta=1e-6, unit=user"'))
@asks("claim")
@json_option
def claim(as_json: bool, **values: Any) -> None:
    """What CLAIM means, what is missing from it, why that matters, and which published releases are like it.

    A claim is one text with the names of the options: "epsilon=2, delta=1e-6, unit=user, period=day". It may also say
    neighbours, releases, covers ("each release" or "all releases"), contributions, unprotected, adaptive and sampling
    ("poisson" where it has a rate).
    "epsilon=2, delta=1e-5, gaussian=1" states the noise too, and whit says whether it gives this epsilon.
    --promise "gaussian=2, releases=12" adds another promise about the same people; it may be repeated. Without
    --failure the posterior holds always where it can, and except with probability 1 % where it cannot.
    """
    answer("claim", values, as_json=as_json)
