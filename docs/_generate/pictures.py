"""The pictures of whit, each with the line that draws it; the lines are run when the page is made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from _generate.markdown import page, plain
from whit.telling.plots import Picture

IMPORTS = """from whit import DiscreteGaussian, Gaussian, Geometric, Laplace, PureDP, ZeroConcentratedDP
from whit.plans import census_2020, expose
from whit.policy import frontier, limits, profiles, recommend
from whit.semantics import membership, testing
from whit.telling.catalogue import deployments
from whit.telling.plots import *"""
"""What stands above the lines."""


class Shown(NamedTuple):
    """A picture of the gallery: its name in addresses, what it is for, and the line that draws it."""

    name: str
    purpose: str
    line: str


GALLERY = (
    Shown(
        "posterior-against-prior",
        "What an adversary may come to believe, for every belief before the release.",
        """posterior_against_prior(
    {"epsilon 0.5": PureDP(0.5), "epsilon 1": PureDP(1.0), "epsilon 2": PureDP(2.0)}
)""",
    ),
    Shown(
        "posterior-and-limit",
        "The same beside a limit at one prior.",
        "posterior_against_prior(PureDP(2.0), allowed=limits.posterior(0.3, prior=0.1))",
    ),
    Shown(
        "posterior-and-profile",
        "The same beside a profile, which has a limit for some priors only.",
        """posterior_against_prior(
    PureDP(0.6), allowed=profiles.box(1.6, inclusion=(0.1, 0.6), value=(1.0, 1.0))
)""",
    ),
    Shown(
        "range-of-priors",
        "The same for a range of small priors.",
        """posterior_against_prior(
    {"epsilon 1": PureDP(1.0), "epsilon 2": PureDP(2.0)}, priors=[n / 1000 for n in range(51)]
)""",
    ),
    Shown(
        "both-directions",
        "How far a belief can rise, and how far it can fall.",
        "posterior_against_prior(Gaussian(2.0), failure=0.01, sides=2)",
    ),
    Shown(
        "posterior-law",
        "How the posterior of somebody who knows everyone else varies with the noise.",
        "posterior_law(Gaussian(1.0), 0.5)",
    ),
    Shown(
        "catalogue",
        "Releases that were really made, by unit of privacy.",
        "power_by_unit(deployments())",
    ),
    Shown(
        "level-and-power",
        "How often the best test finds a person: what a parameter promises, and what knowing the noise adds.",
        """level_and_power(
    {"what rho 2.56 says": ZeroConcentratedDP(2.56), "what Gaussian noise says": Gaussian(5.12**-0.5)}
)""",
    ),
    Shown(
        "icon-arrays",
        "The same test for readers without mathematics: results as dots.",
        """icon_arrays(
    0.05, testing.power(PureDP(1.0), 0.05), believer="your insurer", belief="that you are ill"
)""",
    ),
    Shown(
        "icon-arrays-of-people",
        "People as people.",
        """icon_arrays(
    0.05, testing.power(PureDP(0.5), 0.05), what="people", people=True, believer="a test", belief="that they are ill"
)""",
    ),
    Shown(
        "risk-over-releases",
        "The risk of many releases, and the limit.",
        """risk_over_releases(
    {"epsilon 0.5 each": PureDP(0.5), "epsilon 1 each": PureDP(1.0)},
    membership.PosteriorFrom(0.1),
    [1, 2, 3, 4, 5],
    limit=0.3,
)""",
    ),
    Shown(
        "profile-curve",
        "Delta at each epsilon.",
        'profile_curve({"Gaussian noise": Gaussian(1.0), "Laplace noise": Laplace(1.0)})',
    ),
    Shown(
        "loss-curve",
        "How large the privacy loss can be.",
        'loss_curve({"Gaussian noise": Gaussian(1.0), "Laplace noise": Laplace(1.0)}, sides=2)',
    ),
    Shown(
        "profile-and-epsilon",
        "The risk that two agencies accept, and the epsilon that this allows.",
        """profile_and_epsilon(
    {
        "Agency A": profiles.capped(relative=1.5, absolute=0.25, value=1.0),
        "Agency B": profiles.capped(relative=3.0, absolute=0.25, value=1.0),
    }
)""",
    ),
    Shown(
        "profile-map",
        "The epsilon that a profile allows for each pair of beliefs.",
        "profile_map(profiles.capped(relative=3.0, absolute=0.25))",
    ),
    Shown(
        "accuracy-against-risk",
        "What stricter limits cost in noise.",
        "accuracy_against_risk(frontier([limits.ratio(r) for r in (1.5, 2.0, 3.0, 4.0)], Laplace))",
    ),
    Shown(
        "families-side-by-side",
        "Kinds of noise that meet the same limit.",
        """families_side_by_side(
    [
        frontier([limits.posterior(0.3, prior=0.1)], kind, releases=5, failure=0.01)[0]
        for kind in (Laplace, Gaussian, Geometric, DiscreteGaussian)
    ]
)""",
    ),
    Shown(
        "budget-by-query",
        "What each query of a plan costs a concern.",
        'budget_by_query(expose(census_2020.plan(), census_2020.SCENARIOS["C"]), most=8)',
    ),
    Shown(
        "recommendation",
        "A recommendation, against what was asked for.",
        "plot(recommend(limits.difference(0.2), Gaussian, releases=4, failure=0.01))",
    ),
    Shown(
        "panels",
        "Lines of your own.",
        """panels(
    [
        Panel(
            "one release",
            Axis("epsilon", 0, 4),
            Axis("delta", 1e-6, 1, log=True),
            {kind: ([0, 1, 2, 3, 4], noise.delta([0, 1, 2, 3, 4])) for kind, noise in
             {"sigma 1": Gaussian(1.0).curve(), "sigma 2": Gaussian(2.0).curve()}.items()},
            marks=[Mark("here", 2, Gaussian(1.0).curve().delta(2.0).upper)],
        )
    ],
    title="Two amounts of noise",
    caption="Delta is at most the line.",
)""",
    ),
)
"""All of them."""


def drawn(shown: Shown, names: Mapping[str, Any] | None = None) -> Picture:
    """The picture that a line draws."""
    known = dict(names or imported())
    found = eval(shown.line, known)
    if isinstance(found, Picture):
        return found
    message = f"the line of {shown.name} draws no picture: {found!r}"
    raise TypeError(message)


def imported() -> dict[str, Any]:
    """What the lines know."""
    names: dict[str, Any] = {}
    exec(IMPORTS, names)
    return names


def picture_pages(gallery: Iterable[Shown] = GALLERY) -> dict[str, str]:
    """The page of the pictures, and the pictures."""
    parts, files, names = [], {}, imported()
    for shown in gallery:
        picture = drawn(shown, names)
        file = f"picture-{shown.name}.svg"
        files[f"gallery/{file}"] = picture.svg()
        image = f"```{{image}} {file}\n:alt: {json.dumps(picture.alt)}\n:class: figure\n:target: ../_images/{file}\n```"
        parts += [f"## {plain(shown.purpose.rstrip('.'))}", f"```python\n{shown.line}\n```", image]
    opening = (
        "Every picture that whit draws, with the line that draws it. The lines are run when this page is made. "
        "[How to save and change a picture](../how-to/draw-a-picture.md)."
    )
    before = f"These names are used in all of them:\n\n```python\n{IMPORTS}\n```"
    return {"gallery/pictures.md": page("Pictures", opening, before, *parts), **files}
