"""Whatever is passed where something else belongs, the answer is an error of this house, with its sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from whit import assess, plot, report
from whit.errors import WhitError
from whit.guarantees import PureDP, RenyiDP, convert
from whit.mechanisms import Gaussian, PoissonSubsampled, RandomizedResponse
from whit.plans import census_2020, costs, expose
from whit.setting import Adversary, UnitOfPrivacy
from whit.theory import Finding, assumption, reference, theorem

CALLS: dict[str, tuple[Callable[[Any], object], str]] = {
    "an order that is no number": (lambda wrong: convert(PureDP(1.0), to=RenyiDP, orders=[wrong]), "an order must be"),
    "a plan": (lambda wrong: expose(wrong, census_2020.SCENARIOS["A"]), "plan must be a Plan"),
    "a concern": (lambda wrong: expose(census_2020.plan(), wrong), "concern must be a Concern"),
    "an exposure": (costs, "exposure must be an Exposure"),
    "a theorem": (theorem, "No theorem has the key"),
    "an assumption": (assumption, "No assumption has the key"),
    "a reference": (reference, "No reference has the key"),
}
WRONG: list[Any] = ["a", ["x"], None, b"x", {}]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
@pytest.mark.parametrize("name", CALLS)
def test_what_is_of_another_kind_is_refused_with_a_sentence(name, wrong):
    call, sentence = CALLS[name]
    with pytest.raises(WhitError, match=sentence):
        call(wrong)


LONG = 10**5000
COUNTED: dict[str, Callable[[], object]] = {
    "releases": lambda: assess(Gaussian(1.0).times(LONG)),
    "releases on samples": lambda: PoissonSubsampled(Gaussian(1.0), rate=0.1).times(LONG),
    "a group of mechanisms": lambda: Gaussian(1.0).group(LONG),
    "categories": lambda: RandomizedResponse(1.0, categories=LONG),
    "a failure": lambda: assess(PureDP(1.0), failure=LONG),
    "a level": lambda: assess(PureDP(1.0), level=LONG),
    "a population": lambda: assess(PureDP(1.0), population=LONG),
    "a unit": lambda: UnitOfPrivacy(LONG),  # type: ignore[arg-type]
    "sigma": lambda: Gaussian(LONG),
    "a prior": lambda: Adversary(prior=LONG),
}


@pytest.mark.parametrize("name", COUNTED)
def test_a_number_that_python_does_not_print_is_refused_with_a_sentence(name):
    with pytest.raises(WhitError, match="number of (about|more than) [0-9]+ (bits|digits)"):
        COUNTED[name]()


@pytest.mark.parametrize("wrong", [3, ["x"], None, {}], ids=repr)
def test_a_report_needs_the_path_of_a_file(wrong):
    with pytest.raises(WhitError, match="the file of a report must be the path of a file"):
        report("release.toml", wrong)


@pytest.mark.parametrize("wrong", ["x", ["x"], None, 3], ids=repr)
def test_a_finding_needs_parts_of_their_kinds(wrong):
    whole = PureDP(1.0).epsilon(0.0).worst
    for part in ("quantity", "inputs", "basis", "direction"):
        with pytest.raises(WhitError, match=f"{part} of a finding must be a"):
            replace(whole, **{part: wrong})


@pytest.mark.parametrize("text", ["[" * 100_000, '{"value": ' + "9" * 5000 + "}"], ids=["deep", "long"])
def test_a_text_that_is_no_finding_is_refused_with_a_sentence(text):
    with pytest.raises(WhitError, match="a JSON text must hold the finding"):
        Finding.from_json(text)


def test_a_picture_can_be_kept_in_a_set():
    one, same, other = plot(PureDP(1.0)), plot(PureDP(1.0)), plot(PureDP(2.0))
    assert len({one, same, other}) == 2
