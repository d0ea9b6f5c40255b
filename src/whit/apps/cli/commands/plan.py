"""`whit plan`: what many queries together leave somebody with a concern."""

from __future__ import annotations

from collections.abc import Sequence

import click

from whit.apps.cli import exits
from whit.apps.cli.adversaries import Asking, adversary_options
from whit.apps.cli.answers import Answers, Named, named
from whit.apps.cli.concerns import CENSUS, concern_options, plan_of, the_one
from whit.apps.cli.json_option import json_option
from whit.apps.cli.progress import working
from whit.apps.cli.tables import show, tell
from whit.apps.cli.wanted import Wanted, wanted_options
from whit.assessment import assess
from whit.errors import Incompatible
from whit.plans import Concern, Exposure, Plan, costs, expose, recommend_scale
from whit.policy import limits
from whit.policy.profiles import RiskProfile

ASKED = ("posterior", "expected_posterior", "power", "advantage")
"""What is asked of the queries that a concern is exposed to."""


@click.command(short_help="What many queries together leave somebody with a concern.")
@click.argument("file", metavar=f"FILE|{CENSUS}")
@concern_options
@adversary_options
@wanted_options
@click.option("--costs", "with_costs", is_flag=True, help="Also list what each query costs, the most costly first.")
@json_option
def plan(
    file: str,
    concerns: tuple[Concern, ...],
    asking: Asking,
    wanted: tuple[Wanted, ...],
    with_costs: bool,
    as_json: bool,
) -> None:
    """Which queries somebody with a concern is exposed to, and what these tell together.

    FILE is a plan in TOML. With --limit or --profile it is checked too, exit code 0 or 1, and the factor on all noise
    that would just keep to it is found.
    """
    release = plan_of(file)
    exposure = expose(release, the_one(concerns))
    with working("Composing the queries"):
        found = [*_asked(exposure, asking), *_factor(release, exposure, wanted, asking)]
    of = f"{release.name}: {exposure.concern}"
    factors = [each.told.worst for each in found if each.name == "factor"]
    kept = [factor is not None and float(factor) <= 1.0 for factor in factors]
    notes = [f"{exposure.number} of {len(release.table)} queries tell something about it.", exposure.reading]
    notes += [f"Not protected: {each.name} ({each.reason})." for each in exposure.unprotected]
    notes += [f"{'Kept' if all(kept) else 'Not shown to be kept'}: {wanted[0].said}." for _ in kept]
    each_cost = [str(each) for each in costs(exposure)] if with_costs else []
    result = {"queries": exposure.number, "of": len(release.table), "kept": kept, "costs": each_cost}
    asked = {"plan": release.name, "concern": str(exposure.concern), **asking.echoed()}
    tell(Answers("plan", asked, tuple(found), tuple(notes), result), as_json=as_json, title=of)
    if with_costs and not as_json:
        _show_costs(exposure)
    exits.end(exits.KEPT if all(kept) else exits.NOT_KEPT)


def _asked(exposure: Exposure, asking: Asking) -> list[Named]:
    """The rho that the concern is exposed to, and the questions put to the noise of its queries."""
    found = assess(
        exposure.release,
        asking.adversary,
        failure=asking.failure,
        sides=asking.sides,
        level=asking.level,
        neighbours=exposure.neighbours,
    )
    of = str(exposure.concern)
    chosen = [(name, answer) for name, answer in found if name in ASKED]
    return [Named("rho", of, exposure.rho), *named(of, chosen)]


def _factor(plan: Plan, exposure: Exposure, wanted: Sequence[Wanted], asking: Asking) -> list[Named]:
    """The factor on all noise that just keeps to what is acceptable, if anything is said about it."""
    found = []
    for each in wanted:
        if not isinstance(each.thing, limits.Limit | RiskProfile):
            raise Incompatible("--keeping", "is for releases, not for plans", each.said, "Use --limit or --profile.")
        scale = recommend_scale(plan, {exposure.concern: each.thing}, failure=asking.failure, sides=asking.sides)
        found.append(Named("factor", str(exposure.concern), scale.factor))
    return found


def _show_costs(exposure: Exposure) -> None:
    rows = [[each.queries.names, each.queries.kind.level, str(each.share)] for each in costs(exposure)]
    click.echo("")
    show(("query", "level", "cost"), rows)
