"""`whit plot`: a picture, as PNG, SVG, PDF or HTML."""

from __future__ import annotations

import click

from whit.apps.cli.adversaries import Asking, adversary_options
from whit.apps.cli.answers import Answers
from whit.apps.cli.concerns import concern_options
from whit.apps.cli.document import document
from whit.apps.cli.json_option import json_option
from whit.apps.cli.pictures import NOISES, PICTURES, Asked
from whit.apps.cli.progress import working
from whit.apps.cli.promise_options import several_promises_options
from whit.apps.cli.promises import Stated
from whit.apps.cli.wanted import Wanted, wanted_options
from whit.apps.cli.written import Word
from whit.plans import Concern


@click.command(short_help="A picture, as PNG, SVG, PDF or HTML.")
@click.argument("picture", type=Word(list(PICTURES)), metavar="PICTURE")
@several_promises_options
@adversary_options
@wanted_options
@click.option("--releases", type=click.IntRange(min=2), default=365, show_default=True, help="Up to so many releases.")
@click.option("--for", "noise_word", type=Word(list(NOISES)), help="The noise, for accuracy-against-risk.")
@click.option("--plan", "plan_file", metavar="FILE", help="The plan, for budget-by-query; with a concern.")
@concern_options
@click.option("--out", required=True, metavar="PATH", help="Where to write it; .png, .svg, .pdf or .html.")
@json_option
def plot(
    picture: str,
    promises: tuple[Stated, ...],
    asking: Asking,
    wanted: tuple[Wanted, ...],
    releases: int,
    noise_word: str | None,
    plan_file: str | None,
    concerns: tuple[Concern, ...],
    out: str,
    as_json: bool,
) -> None:
    """Draw a picture, and write it with the words that describe it.

    PICTURE is posterior-against-prior, level-and-power, profile-curve, loss-curve, risk-over-releases, posterior-law,
    icon-arrays, profile-and-epsilon, profile-map, accuracy-against-risk (with --for) or budget-by-query (with --plan).
    The file holds the words that describe the picture; --json also gives the numbers behind it.
    """
    noises = () if noise_word is None else (NOISES[noise_word],)
    asked = Asked(promises, asking, wanted, releases, noises, () if plan_file is None else (plan_file,), concerns)
    with working("Drawing"):
        drawn = PICTURES[picture](asked)
        drawn.save(out)
    if not as_json:
        click.echo(f"Written: {out}\n{drawn.alt}")
        return
    echoed = {"picture": picture, "promises": {each.name: repr(each.promised) for each in promises}, **asking.echoed()}
    table = {name: [*column] for name, column in drawn.table.items()}
    result = {"written": out, "title": drawn.title, "alt": drawn.alt, "table": table}
    click.echo(document(Answers("plot", echoed, result=result)))
