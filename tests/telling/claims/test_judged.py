"""A claim is judged as it is stated: its numbers, what it leaves open, and what that could mean."""

from __future__ import annotations

import json
import math
from statistics import NormalDist

import pytest

from whit.errors import WhitError
from whit.exchange import OpenPoint
from whit.mechanisms import Gaussian, PoissonSubsampled
from whit.semantics.testing import power
from whit.setting import Adversary, Knowledge, Neighbours, Sensitivity
from whit.spec import claim_of, pairs
from whit.telling.claims import JudgedClaim, judge_claim

WHOLE = (
    "epsilon=1, delta=0, unit=person, period=year, neighbours=replace, covers=all releases, "
    "contributions=one row each, unprotected=none, adaptive=no, sampling=none"
)


def judged(text: str, **options: object) -> JudgedClaim:
    return judge_claim(claim_of(pairs("a claim", text)), number=1, **options)  # type: ignore[arg-type]


def posterior(epsilon: float, prior: float = 0.5) -> float:
    return prior / (prior + (1 - prior) * math.exp(-epsilon))


def case(found: JudgedClaim, key: str) -> float:
    (point,) = [each for each in found.points if each.key == key]
    worst = point.cases[0].meaning.posterior.worst
    assert worst is not None
    return float(worst)


@pytest.mark.parametrize(
    ("key", "epsilon"),
    # Ten records, twelve releases, one removed and one added, twice as much: what epsilon 0.5 then is.
    [("unit", 5.0), ("covers", 6.0), ("neighbours", 1.0), ("contributions", 1.0), ("noise", 0.5)],
)
def test_what_an_open_point_could_mean_is_the_posterior_of_the_larger_epsilon(key: str, epsilon: float) -> None:
    truth = posterior(epsilon, 0.1)
    found = case(judged("epsilon=0.5", adversary=Adversary(prior=0.1)), key)
    assert truth <= found <= truth * (1 + 1e-9)


def test_a_promise_per_day_is_worked_out_for_a_year() -> None:
    daily = judged("epsilon=0.01, unit=user, period=a day")
    truth = posterior(3.65)
    assert truth <= case(daily, "period") <= truth * (1 + 1e-9)
    assert "somebody is there 365 times" in str(daily)
    assert "period" not in [each.key for each in daily.missing]


def test_a_delta_that_was_left_out_leaves_a_bound_that_may_fail() -> None:
    (delta,) = [each for each in judged("epsilon=2").points if each.key == "delta"]
    assert delta.cases[0].meaning.failure == 0.01
    assert "except with probability 1 %" in delta.cases[0].sentence
    stated = {each.key: each.stated for each in judged("epsilon=2, delta=1e-6").points}
    assert stated["delta"] == "1e-6"


def test_a_claim_that_says_everything_leaves_only_the_noise_open() -> None:
    assert [each.key for each in judged(WHOLE).missing] == ["noise"]
    known = judged(WHOLE.replace("epsilon=1, delta=0", "laplace=1"))
    assert known.missing == ()


def test_a_bare_epsilon_leaves_everything_open_and_each_point_says_why() -> None:
    found = judged("epsilon=2")
    assert found.missing == found.points
    keys = {"unit", "period", "covers", "neighbours", "delta", "contributions", "unprotected", "adaptive", "sampling"}
    assert {each.key for each in found.points} == {*keys, "noise"}
    for each in found.points:
        assert each.why.endswith(".")
        assert each.why.count(". ") == 0


def test_the_noise_of_many_releases_is_that_of_each_and_a_rate_does_not_say_how_a_sample_is_drawn() -> None:
    found = judged("gaussian=2, sampling_rate=0.01, releases=3")
    stated = {each.key: each.stated for each in found.points}
    assert stated["covers"] == "the noise is that of each of 3 releases"
    assert stated["sampling"] == ""
    assert stated["noise"].startswith("Gaussian noise")
    assert found.meaning.failure == 0.01


def test_what_rules_nothing_out_is_said_in_words() -> None:
    assert "If one person has 10 such records: nothing is ruled out." in str(judged("gaussian=0.01", failure=0.0))
    assert "any posterior is possible" in str(judged("gaussian=2", failure=0.0))


def test_the_tree_is_plain() -> None:
    tree = judged("epsilon=2, unit=user").to_dict()
    assert json.loads(json.dumps(tree))["missing"][0] == "period"
    assert tree["points"][0] == {**tree["points"][0], "key": "unit", "stated": "user", "cases": []}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("unit=user", "the promise, .*must be stated"),
        ("epsilon=2, unti=user", "unti .* is not known here"),
        ("epsilon=2, covers=some", "covers .* cannot be"),
        ("epsilon two", "a claim must be made of name=value"),
        ("epsilon=-1", "epsilon"),
    ],
)
def test_what_is_no_claim_is_refused(text: str, said: str) -> None:
    with pytest.raises(WhitError, match=said):
        judged(text)


def test_a_promise_for_all_releases_together_is_not_multiplied():
    whole, each = (judged(f"epsilon=1, releases=4, covers={word}") for word in ("all releases", "each release"))
    assert float(whole.meaning.posterior) == pytest.approx(math.e / (1 + math.e), rel=1e-9)
    assert float(each.meaning.posterior) == pytest.approx(math.exp(4) / (1 + math.exp(4)), rel=1e-9)
    points = {point.key: point.stated for found in (whole,) for point in found.points}
    assert points["covers"] == "all 4 releases together"


@pytest.mark.parametrize(
    "noise",
    [
        "gaussian=10, releases=50",
        "epsilon=0.1, noise=laplace, releases=50",
        "noise_multiplier=0.8, sampling_rate=0.004, steps=20, delta=1e-5",
    ],
)
def test_noise_is_that_of_each_release_whatever_the_claim_covers(noise: str) -> None:
    alone, whole = judged(noise), judged(f"{noise}, covers=all releases")
    assert float(whole.meaning.posterior) == float(alone.meaning.posterior)
    assert [float(each) for _, each in whole.epsilons] == [float(each) for _, each in alone.epsilons]
    assert whole.claim.releases == alone.claim.releases > 1
    assert f"in each of {alone.claim.releases:,} releases" in whole.title


def test_of_a_promise_and_a_noise_only_the_promise_may_be_for_all_releases():
    several = pairs("a claim", "epsilon=1, releases=4, covers=all releases"), pairs("a claim", "gaussian=5, releases=3")
    assert [each.releases for each in claim_of(several[0], several[1:]).promises] == [1, 3]


def test_releases_that_fill_the_year_are_not_counted_again():
    found = judged("epsilon=0.3, period=week, releases=52")
    assert not next(point for point in found.points if point.key == "period").cases


def test_a_period_without_an_end_and_bare_words_are_put_in_words():
    found = judged("epsilon=1, unit=device, period=all, adaptive=no, sampling=yes")
    stated = {point.key: point.stated for point in found.points}
    assert stated["period"] == "the whole of the data"
    assert (stated["adaptive"], stated["sampling"]) == ("fixed in advance", "a random sample")


def test_a_sentence_has_one_verb():
    found = judged("epsilon=9, delta=1e-6")
    assert "the posterior may exceed 99.9 %" in found.sentences[0]
    assert "is may" not in str(found)


def test_the_words_of_papers_about_training_are_understood():
    papers = claim_of(pairs("a claim", "noise_multiplier=2, sampling_rate=0.01, steps=10, delta=1e-6, unit=person"))
    grammar = claim_of(pairs("a claim", "gaussian=2, sampling_rate=0.01, releases=10, sensitivity=1:2, unit=person"))
    assert papers.series == grammar.series
    found = {each.key: each.stated for each in judge_claim(papers, number=1).points}
    assert found["delta"] == "1e-6"
    with pytest.raises(WhitError, match="noise.multiplier in .* must not stand beside gaussian"):
        claim_of(pairs("a claim", "noise_multiplier=2, gaussian=2"))


@pytest.mark.parametrize(
    ("words", "mean"),
    # Another record may turn a clipped gradient round: it moves the sum by two norms, and a count by one.
    [("noise_multiplier=2, neighbours=replace", 1.0), ("gaussian=2, neighbours=replace", 0.5)],
)
def test_a_noise_multiplier_is_for_clipped_gradients(words, mean):
    power = judged(words).meaning.power.worst
    assert power is not None
    normal = NormalDist()
    assert float(power) == pytest.approx(normal.cdf(normal.inv_cdf(0.05) + mean), rel=1e-9)


def test_a_stated_sensitivity_goes_with_a_noise_multiplier():
    assert judged("noise_multiplier=2, sensitivity=1:1").claim == judged("gaussian=2, sensitivity=1:1").claim


def test_what_one_of_several_promises_leaves_open_is_said_of_that_one():
    more = [pairs("a promise", "epsilon=0.5, releases=2")]
    found = judge_claim(claim_of(pairs("a claim", "noise_multiplier=2, delta=1e-6"), more), number=1)
    lines = str(found).splitlines()
    assert any(line.startswith("Not stated for epsilon = 0.5: delta. ") for line in lines)
    assert any(line.startswith("Not stated for epsilon = 0.5: law of the noise. ") for line in lines)
    assert "Stated for the rest: delta: 1e-6." in lines
    assert (
        "Stated for the rest: law of the noise: Gaussian noise, sigma = 2, sensitivity 1 (2 if a record is replaced)."
        in lines
    )
    points = {each["key"]: each for each in found.to_dict()["points"]}
    assert points["delta"]["left_open_by"] == points["noise"]["left_open_by"] == ["epsilon = 0.5"]
    assert {"delta", "noise"} <= set(found.to_dict()["missing"])


def test_what_no_promise_states_is_open_without_a_name():
    found = judge_claim(claim_of(pairs("a claim", "epsilon=1"), [pairs("a promise", "epsilon=0.5")]), number=1)
    assert "Not stated: delta. " in str(found)
    assert "Not stated for" not in str(found)


def test_a_delta_beside_the_noise_has_its_epsilon():
    found = judged("gaussian=2, delta=1e-6, neighbours=add_remove")
    ((delta, epsilon),) = found.epsilons
    normal, mu = NormalDist(), 0.5  # the profile of Gaussian noise, by Balle and Wang
    at = float(epsilon)
    profile = normal.cdf(mu / 2 - at / mu) - math.exp(at) * normal.cdf(-mu / 2 - at / mu)
    assert delta == 1e-6
    assert profile == pytest.approx(1e-6, rel=1e-6)
    shown = math.ceil(at * 100) / 100  # three digits, rounded up
    assert f"The epsilon at delta = 1e-6 is {shown:.3g} (rounded up)." in found.sentences
    assert found.to_dict()["epsilons"][0]["delta"] == 1e-6


def test_the_epsilon_of_several_releases_is_that_of_all_and_one_that_is_stated_is_not_repeated():
    assert judged("epsilon=1, delta=1e-6").epsilons == ()
    assert judged("epsilon=1, releases=2").epsilons == ()
    # Two releases have twice the delta, so that no epsilon holds at the delta of one.
    assert (
        "The epsilon at delta = 1e-6 has no known upper bound." in judged("epsilon=1, delta=1e-6, releases=2").sentences
    )


def together(first: str, *others: str):
    more = [pairs("a promise", each) for each in others]
    return {each.key: each for each in judge_claim(claim_of(pairs("a claim", first), more), number=1).points}


def test_each_promise_says_its_own_neighbours_and_its_own_sampling():
    points = together(
        "epsilon=1, neighbours=replace", "gaussian=4, sampling_rate=0.1, name=survey", "rho=0.01, name=map"
    )
    assert (points["neighbours"].stated, points["neighbours"].left_open_by) == ("replace", ("survey", "map"))
    assert (points["sampling"].stated, points["sampling"].left_open_by) == ("", ())
    assert points["sampling"].title == "how the sample is drawn"


SAMPLED = "noise_multiplier=0.8, sampling_rate=0.01, steps=10, epsilon=3, delta=1e-5"


@pytest.mark.parametrize("how", ["shuffled batches", "no", "everybody once an epoch"])
def test_no_number_follows_from_a_sample_that_is_drawn_otherwise(how):
    """Shuffled batches show a record in each epoch: their epsilon is far above that of Poisson samples."""
    found = judged(f"{SAMPLED}, sampling={how}")
    assert found.meaning.posterior.worst is None
    assert found.meaning.power.worst is None
    assert found.epsilons == found.near == ()
    assert not any(each.cases for each in found.points)
    (epsilon,) = found.stated_epsilons
    assert (epsilon.support.value, epsilon.found) == ("not shown", None)
    assert found.sentences[0] == (
        f'{OpenPoint.SAMPLING.value} The claim says "{how}", so no number follows from the sample.'
    )


def test_a_sample_that_is_drawn_as_the_theorem_needs_has_its_numbers_without_a_condition():
    found = judged(f"{SAMPLED}, sampling=Poisson sampling")
    assert found.meaning.power.worst is not None
    assert "batches are Poisson" not in str(found)
    assert "sampling" not in [each.key for each in found.missing]


@pytest.mark.parametrize("said", ["", ", sampling=yes"])
def test_a_rate_alone_leaves_open_how_the_sample_is_drawn(said):
    found = judged(f"{SAMPLED}{said}")
    assert f"Not stated: how the sample is drawn. {OpenPoint.SAMPLING.value}" in str(found)
    assert all(each.startswith("If batches are Poisson samples") for each in found.sentences[:-1])


def test_a_sample_of_fixed_size_needs_its_own_rule():
    sized = "gaussian=4, sample_size=10, drawn_from=1000, releases=2"
    assert "If samples are drawn anew without replacement, " in judged(sized).sentences[0]
    assert judged(f"{sized}, sampling=without replacement").sentences[0].startswith("From a prior ")
    assert judged(f"{sized}, sampling=shuffled").meaning.power.worst is None


def test_another_promise_keeps_its_epsilon_where_a_sample_has_none():
    others = [pairs("a promise", "epsilon=1, laplace=1, name=survey")]
    found = judge_claim(claim_of(pairs("a claim", f"{SAMPLED}, sampling=shuffled"), others), number=1)
    assert [each.support.value for each in found.stated_epsilons] == ["not shown", "supported"]


def test_a_number_of_steps_does_not_say_what_the_epsilon_covers():
    text = "epsilon=2, delta=1e-5, gaussian=4, releases=30, neighbours=add-remove"
    found = judged(text)
    assert "covers" in [each.key for each in found.missing]
    assert [each.support.value for each in found.stated_epsilons] == ["contradicted", "supported"]
    assert found.sentences[2].startswith(
        "If the stated epsilon is for all 30 releases together, the stated noise gives "
    )
    assert found.sentences[3].startswith("If the stated epsilon is for each release by itself, the stated noise gives ")
    for covers, support in (("all releases", "contradicted"), ("each release", "supported")):
        said = judged(f"{text}, covers={covers}")
        assert [each.support.value for each in said.stated_epsilons] == [support]
        assert "covers" not in [each.key for each in said.missing]


def test_a_promise_of_several_releases_is_worked_out_for_all_of_them_together():
    found = judged("epsilon=0.5, releases=4", adversary=Adversary(prior=0.1))
    assert case(found, "covers") == pytest.approx(posterior(0.5, 0.1), rel=1e-9)


def test_what_each_of_several_promises_covers_is_open_by_itself():
    points = together("epsilon=1, laplace=1, name=table", "gaussian=8, releases=20, name=model")
    assert points["covers"].left_open_by == ("table",)
    assert points["covers"].stated == "the noise is that of each of 20 releases"


def test_several_promises_are_worked_out_for_a_replaced_record():
    points = together("epsilon=1", "epsilon=0.5, releases=2")
    (replaced,) = points["neighbours"].cases
    assert float(replaced.meaning.posterior.worst) == pytest.approx(posterior(4.0), rel=1e-9)


def test_a_sensitivity_of_one_number_is_also_worked_out_for_two_cells():
    """A record that moves changes two cells by 1 each, so that the mean is the root of two times as large."""
    (point,) = [each for each in judged("gaussian=4, sensitivity=1").points if each.key == "neighbours"]
    normal = NormalDist()
    for found, mean in zip(point.cases, (0.25, 0.25 * math.sqrt(2)), strict=True):
        assert float(found.meaning.power.worst) == pytest.approx(normal.cdf(normal.inv_cdf(0.05) + mean), rel=1e-9)
    (stated,) = [each for each in judged("gaussian=4, sensitivity=histogram").points if each.key == "neighbours"]
    assert [each.meaning for each in stated.cases] == [point.cases[1].meaning]


def test_local_noise_is_randomized_response():
    (point,) = [each for each in judged("epsilon=2, neighbours=local").points if each.key == "noise"]
    assert point.cases[0].said == "If the noise is randomized response on one bit"
    assert float(point.cases[0].meaning.posterior.worst) == pytest.approx(posterior(2.0), rel=1e-9)


@pytest.mark.parametrize(
    ("neighbours", "said"),
    [
        ("add-remove", "records where it assumes one, and comes and goes with all of them"),
        ("replace", "records where it assumes one, and all of them are replaced"),
        ("local", "reports where it assumes one"),
    ],
)
def test_two_records_are_those_that_the_neighbours_speak_of(neighbours, said):
    assert f"If somebody has two {said}: posterior" in str(judged(f"epsilon=1, neighbours={neighbours}"))


def test_neighbours_that_differ_stand_with_their_promises():
    points = together("epsilon=1, neighbours=replace, name=tables", "gaussian=4, neighbours=add-remove, name=survey")
    assert points["neighbours"].stated == "replace for tables; add-remove for survey"
    assert not points["neighbours"].is_missing


def test_sampling_that_the_claim_states_is_that_of_every_promise():
    points = together("epsilon=1, sampling=no", "gaussian=4, sampling_rate=0.1")
    assert points["sampling"].stated == "everybody is in the data"
    assert points["sampling"].left_open_by == ()


def test_two_records_on_a_sample_are_drawn_each_by_itself():
    """The change is that of two records, one or none, with binomial chances: an exact law, and no bound by steps."""
    found = {each.key: each for each in judged("noise_multiplier=1, sampling_rate=0.1, steps=10, unit=person").points}
    [case] = found["contributions"].cases
    known = PoissonSubsampled(Gaussian(1.0, sensitivity=Sensitivity(add_remove=1.0, replace=2.0)), 0.1, records=2)
    assert float(case.meaning.power.worst) == float(power(known.times(10), 0.05, knows=Knowledge.ANY_BELIEF))
    by_steps = PoissonSubsampled(Gaussian(1.0), 0.1).times(10).group(2)
    assert float(case.meaning.power.worst) < float(power(by_steps, 0.05, knows=Knowledge.ANY_BELIEF))


def test_a_large_epsilon_rules_certainty_out():
    """The loss of 365 days at epsilon 2 is 730: near to certainty, and no certainty."""
    cases = [case.sentence for each in judged("epsilon=2, unit=user, period=day").points for case in each.cases]
    assert not any("nothing is ruled out" in each for each in cases)


@pytest.mark.parametrize(
    ("stated", "other", "named"),
    [
        ("gaussian=4, neighbours=replace", "gaussian=2, neighbours=replace", True),
        ("epsilon=1, neighbours=replace", "epsilon=2", True),
        ("epsilon=1, neighbours=replace", "epsilon=2, neighbours=replace", False),  # both are "one record replaced"
        ("gaussian=4", "gaussian=2", False),
    ],
)
def test_the_headline_of_several_promises_names_the_neighbours_that_the_numbers_are_about(stated, other, named):
    claim = claim_of(pairs("a claim", stated), [pairs("a promise", other + ", releases=3")])
    assert ("neighbours replace" in judge_claim(claim, number=1).title) is named
    assert (claim.series.neighbours is Neighbours.REPLACE) is ("replace" in stated)


def test_a_posterior_that_nothing_limits_has_one_pair_of_brackets():
    said = judged("gaussian=4, releases=1000000").sentences[0]
    assert said.endswith("the posterior may be 100 %: nothing is ruled out (failure probability 1 %).")
