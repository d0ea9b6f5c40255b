"""`whit claim`: what a claim means as it is stated, and what it leaves open."""

from __future__ import annotations

import click

from whit import spec
from whit.apps.cli.options import Command, Whole, filled_in, json_option, the_one_asker
from whit.apps.cli.output import Answers, Named, say, short, show, working
from whit.telling.catalogue import CHANGED
from whit.telling.claims import JudgedClaim, judge_claim

NEVER = "Releases with another unit or other neighbours cannot be ranked against the claim."
"""What is said below releases of the catalogue."""


@click.command(cls=Command, short_help="What a claim means as it is stated, and what it leaves open.")
@click.argument("claim")
@filled_in("prior", "knows", "failure", "level", promises=False)
@click.option("--near", type=Whole(), default=3, help="How many releases of the catalogue to show beside it. 3.")
@json_option
def claim(form: spec.Form, claim: str, near: int, as_json: bool) -> None:
    """What CLAIM means, what is missing from it, why that matters, and which published releases are like it.

    A claim is one text with the names of the options: "epsilon=2, delta=1e-6, unit=user, period=day". It may also say
    neighbours, releases, covers ("each release" or "all releases"), contributions, unprotected, adaptive and sampling.
    Without --failure the posterior holds always where it can, and except with probability 1 % where it cannot.
    """
    stated = spec.claim_of(spec.pairs("a claim", claim))
    asked = form.asked
    failure = asked.failure if any("failure" in each for each in form.questions) else None
    with working("Judging the claim"):
        found = judge_claim(stated, the_one_asker(form).adversary, failure=failure, level=asked.level, number=near)
    if as_json:
        say(_document(claim, found).document())
        return
    say(str(found))
    say("")
    show(
        ("release", "year", "stated", "neighbours", "power", "how it differs"),
        _rows(found),
        "Published releases with the closest power",
    )
    say(NEVER)


def _document(text: str, found: JudgedClaim) -> Answers:
    """The numbers of the claim as answers, and the whole as a result."""
    asking = found.asking
    asked = {"claim": text, **asking.adversary.to_dict(), "failure": found.meaning.failure, "level": asking.level}
    named = [Named("posterior", found.title, found.meaning.posterior), Named("power", found.title, found.meaning.power)]
    for each in found.points:
        for case in each.cases:
            named.append(Named("posterior", case.said, case.meaning.posterior))
            named.append(Named("power", case.said, case.meaning.power))
    return Answers("claim", asked, tuple(named), (*found.sentences, NEVER), found.to_dict())


def _rows(found: JudgedClaim) -> list[tuple[str, ...]]:
    return [
        (
            each.deployment.key,
            str(each.deployment.year),
            each.deployment.stated,
            CHANGED[each.deployment.neighbours],
            short(each.risks.power),
            each.difference,
        )
        for each in found.near
    ]
