"""`whit plot`: a picture, as PNG, SVG, PDF or HTML."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from whit import spec
from whit.apps.cli.commands.assess import echoed
from whit.apps.cli.options import ADVERSARY, REQUIREMENTS, PromiseCommand, Word, form_of, json_option, shared
from whit.apps.cli.output import Answers, say, working
from whit.apps.cli.pictures import NOISES, PICTURES, PROMISE, Drawing
from whit.errors import Incompatible

_SHARED = (*sorted(PROMISE - {"kinds"}), *ADVERSARY, "failure", "sides", "level", *REQUIREMENTS[:2], "requirements")
_OWN = ("picture", "out", "as_json", "for", "plan", *spec.CONCERN)


@click.command(cls=PromiseCommand, short_help="A picture, as PNG, SVG, PDF or HTML.")
@click.argument("picture", type=Word(list(PICTURES)), metavar="PICTURE")
@shared(*_SHARED)
@click.option("--for", "for_", type=Word(list(NOISES)), help="The noise, for accuracy-against-risk.")
@click.option("--plan", "plan_", metavar="FILE", help="The plan, for budget-by-query; with a concern.")
@shared(*spec.CONCERN)
@click.option("--out", required=True, metavar="PATH", help="Where to write it; .png, .svg, .pdf or .html.")
@json_option
def plot(picture: str, out: str, as_json: bool, **options: Any) -> None:
    """Draw a picture, and write it with the words that describe it.

    PICTURE is posterior-against-prior, level-and-power, profile-curve, loss-curve, risk-over-releases (up to
    --releases, or 365), posterior-law, icon-arrays, profile-and-epsilon, profile-map, accuracy-against-risk (with
    --for) or budget-by-query (with --plan). The file holds the words that describe the picture; --json also gives the
    numbers behind it. An option that a picture has no use for is refused.
    """
    given = {name.rstrip("_"): value for name, value in options.items() if _given(name)}
    uses = PICTURES[picture].uses
    for name, value in given.items():
        if name not in uses and not ("kinds" in uses and f"{name}_" not in options):
            used = ", ".join(f"--{each.replace('_', '-')}" for each in sorted(uses - {"kinds"}))
            option = f"--{name.replace('_', '-')}"
            way_out = f"Leave it out; it has {used}{' and those that state a promise' if 'kinds' in uses else ''}."
            raise Incompatible(option, f"has no use for {picture}", _said(value), way_out)
    apart = ("for", "plan", *spec.CONCERN, *(() if "kinds" in uses else ("releases", "sensitivity")))
    form = form_of({name: value for name, value in given.items() if name not in apart})
    options_of_noise = spec.Given({name: given[name] for name in ("releases", "sensitivity") if name in given})
    concern = spec.Given({name: given[name] for name in spec.CONCERN if name in given})
    drawing = Drawing(form, given.get("for"), options_of_noise, given.get("plan"), concern)
    with working("Drawing"):
        drawn = PICTURES[picture].draw(drawing)
        drawn.save(out)
    if not as_json:
        say(f"Written: {out}\n{drawn.alt}")
        return
    promises = {name: repr(each) for name, each in drawing.promises().items()} if form.promise else {}
    table = {name: [*column] for name, column in drawn.table.items()}
    result = {"written": out, "title": drawn.title, "alt": drawn.alt, "table": table}
    say(Answers("plot", {"picture": picture, "promises": promises, **echoed(form)}, result=result).document())


def _given(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def _said(value: object) -> object:
    return "; ".join(map(str, value)) if isinstance(value, tuple) else "it" if value is True else value
