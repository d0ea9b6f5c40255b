"""A file is read as it stands, and whatever is wrong with it is said with its line and its key."""

from __future__ import annotations

import pytest

from whit.errors import InvalidInput, WhitError
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Laplace, PoissonSubsampled, RandomizedResponse, Together
from whit.setting import Adversary, Knowledge, Neighbours, Sensitivity, UnitOfPrivacy
from whit.spec import Form, parsed, read_release, release_of
from whit.telling.reports.hazards import KEYS

GOOD = """\
[release]
name = "Counts"
publisher = "Office"

[unit]
name = "person"

[promise]
epsilon = 0.5

[[adversary]]
name = "a neighbour"
fact = "somebody is ill"
prior = 0.5
"""


def read(text: str = GOOD):
    return release_of(parsed(text, "release.toml"), hazards=KEYS)


def with_promise(lines: str) -> str:
    return GOOD.replace("epsilon = 0.5", lines)


def test_an_adversary_may_believe_anything_of_the_others_if_it_is_not_said():
    value = GOOD.replace("prior = 0.5", "inclusion = 0.5\nvalue = 0.5")
    for text in (GOOD, value, GOOD + "\n[profile.constant]\nrelative = 3.0\n"):
        assert read(text).askers[0].adversary.knows is Knowledge.ANY_BELIEF


def test_what_an_adversary_knows_is_read():
    for each in Knowledge:
        text = GOOD + f'knows = "{each.name.lower()}"\n'
        assert read(text).askers[0].adversary == Adversary(prior=0.5, knows=each)


def test_another_word_for_what_an_adversary_knows_is_refused_with_its_line():
    with pytest.raises(WhitError, match=r"release.toml, line 15, \[adversary\] knows cannot be a lot"):
        read(GOOD + 'knows = "a lot"\n')


def test_several_promises_are_one_release_together():
    text = GOOD.replace(
        "[promise]\nepsilon = 0.5", "[[promise]]\nepsilon = 0.5\n\n[[promise]]\ngaussian = 4\nreleases = 3"
    )
    found = read(text + "\n[questions]\nfailure = 0.01\n")
    assert [(each.one, each.releases) for each in found.promises] == [(PureDP(0.5), 1), (Gaussian(4.0), 3)]
    assert found.series.together == Together(((PureDP(0.5), 1), (Gaussian(4.0), 3)))
    assert found.series.words == "epsilon = 0.5, once; Gaussian noise, sigma = 4, in each of 3 releases"
    assert found.releases == 4
    assert "all 4 releases together" in found.protected


def test_equal_promises_are_one_about_more_releases():
    text = GOOD.replace(
        "[promise]\nepsilon = 0.5", "[[promise]]\nepsilon = 0.5\n\n[[promise]]\nepsilon = 0.5\nreleases = 2"
    )
    found = read(text)
    assert (found.series.one, found.series.releases, found.releases) == (PureDP(0.5), 3, 3)


def test_several_promises_without_a_bound_that_always_holds_need_a_failure():
    text = GOOD.replace("[promise]\nepsilon = 0.5", "[[promise]]\nepsilon = 0.5\n\n[[promise]]\ngaussian = 4")
    with pytest.raises(InvalidInput, match="failure must be given, since this promise has no bound on beliefs"):
        read(text)


def test_a_period_counts_the_releases_of_all_promises():
    text = GOOD.replace("[promise]\nepsilon = 0.5", "[[promise]]\nepsilon = 0.5\n\n[[promise]]\nepsilon = 1")
    assert read(text.replace('name = "person"', 'name = "person"\nperiod = "one year"')).leaves_period_open


def test_the_least_file_is_enough():
    found = read()
    assert (found.name, found.publisher, found.unit) == ("Counts", "Office", UnitOfPrivacy("person"))
    assert found.series.together == PureDP(0.5)
    assert found.askers[0].adversary == Adversary(prior=0.5)
    assert (found.questions.failure, found.questions.level) == (0.0, 0.05)


@pytest.mark.parametrize(
    ("lines", "one"),
    [
        ("epsilon = 1\ndelta = 1e-6", ApproxDP(1.0, 1e-6)),
        ('rho = 0.1\nneighbours = "replace"', ZeroConcentratedDP(0.1, neighbours=Neighbours.REPLACE)),
        ("gaussian = 10", Gaussian(10.0)),
        (
            'discrete_gaussian = 10\nsensitivity = "histogram"',
            DiscreteGaussian(10.0, sensitivity=Sensitivity.histogram()),
        ),
        ("laplace = 2\nsensitivity = [1, [1, 1]]", Laplace(2.0, sensitivity=Sensitivity.histogram())),
        ("gaussian = 2\nsampling_rate = 0.1", PoissonSubsampled(Gaussian(2.0), 0.1)),
        ("randomized_response = 1", RandomizedResponse(1.0)),
    ],
)
def test_promises_and_noise_are_read(lines, one):
    questions = "" if isinstance(one, Laplace | RandomizedResponse) else "[questions]\nfailure = 0.01\n"
    assert read(with_promise(lines) + questions).series.one == one


def test_several_releases_are_composed():
    text = with_promise("rho = 0.1\nreleases = 4") + "[questions]\nfailure = 0.01\n"
    assert read(text).series.together == ZeroConcentratedDP(0.1).times(4)


def test_a_promise_without_a_sure_bound_needs_a_chance_of_failure():
    with pytest.raises(InvalidInput, match=r"failure must be given, since .* no bound.*Write failure = 0.01 in"):
        read(with_promise("rho = 0.1"))
    with pytest.raises(InvalidInput, match=r"release.toml, line 15, \[questions\] failure must be given"):
        read(with_promise("rho = 0.1") + "[questions]\nlevel = 0.1\n")
    for failure in (0.2, 0.0):
        text = with_promise("rho = 0.1") + f"[questions]\nfailure = {failure}\n"
        assert read(text).questions.failure == failure


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "epsilon = 0.5",
            "epsilonn = 0.5",
            r"release.toml, line 9, \[promise\] epsilonn is not known here.*Did you mean epsilon",
        ),
        ("prior = 0.5", "priro = 0.5", r"line 14, \[adversary\] priro is not known here.*Did you mean prior"),
        ("[unit]", "[units]", r"release.toml, line 5: units is not known here.*Did you mean unit"),
        ("epsilon = 0.5", "epsilon = -1", r"line 9, \[promise\] epsilon must be"),
        ("epsilon = 0.5", 'epsilon = "much"', r"line 9, \[promise\] epsilon must be"),
        (
            "epsilon = 0.5",
            "epsilon = 0.5\nrho = 1",
            r"line 8, \[promise\]: the promise must be stated once; got epsilon and rho",
        ),
        ("epsilon = 0.5", "", r"line 8, \[promise\]: the promise must be stated; got nothing"),
        ("epsilon = 0.5", "delta = 0.1", r"line 9, \[promise\] delta goes with epsilon; got 0.1"),
        (
            "epsilon = 0.5",
            "noise_multiplier = 0.8\nsteps = 20000",
            r'noise_multiplier is a word of claims.*Write gaussian = 0.8, releases = 20000, sensitivity = "1:2" \(',
        ),
        ("epsilon = 0.5", "epsilon = nan", r"line 9, \[promise\] epsilon must be"),
        ("epsilon = 0.5", "epsilon = 0.5\nreleases = 0", r"line 10, \[promise\] releases must"),
        ("epsilon = 0.5", 'epsilon = 0.5\nneighbours = "near"', r"line 10, \[promise\] neighbours cannot be near"),
        ("epsilon = 0.5", 'epsilon = 0.5\nsensitivity = "count"', r"line 10, \[promise\] sensitivity goes with noise"),
        ("epsilon = 0.5", "epsilon = 0.5\nsampling_rate = 0.1", r"line 10, \[promise\] sampling_rate goes with noise"),
        ("epsilon = 0.5", "laplace = 1\nreplace = 1", r"line 10, \[promise\] replace is not known here"),
        ("prior = 0.5", "prior = 1.5", r"line 14, \[adversary\] prior must be"),
        ("prior = 0.5", "prior = 0.5\nvalue = 0.5", r"line 11, \[adversary\]: an adversary must have either a prior"),
        ("prior = 0.5", "", r"\[adversary\]: an adversary must have either a prior, or .*; got nothing"),
        ('publisher = "Office"', "", r"line 1, \[release\] publisher must be given"),
        ('name = "Counts"', "name = 3", r"line 2, \[release\] name must be a text"),
        ('name = "person"', 'name = ""', r"line 6, \[unit\] name must be a text"),
        ("epsilon = 0.5", "epsilon == 0.5", r"release.toml, line 9: must be TOML: invalid value; got epsilon == 0.5"),
        ("prior = 0.5", "prior = 0.5\n[questions]\nlevel = 2", r"line 16, \[questions\] level must"),
        ("prior = 0.5", "prior = 0.5\n[hazards]\ntimin = 'x'", r"line 16, \[hazards\] timin is not known.*timing"),
        ("prior = 0.5", "prior = 0.5\n[profile.caped]\nrelative = 3", r"line 15, \[profile\] caped is not .*capped"),
        ("prior = 0.5", "prior = 0.5\n[questions]\nquestions = ['power']", r"line 16, \[questions\] questions is for"),
        ('name = "person"', 'name = "person"\ncovers = "all releases"', r"line 7, \[unit\] covers goes with a period"),
    ],
)
def test_a_mistake_is_said_with_its_line_and_key(old, new, said):
    assert GOOD.count(old) == 1
    with pytest.raises(WhitError, match=said):
        read(GOOD.replace(old, new))


def test_a_table_that_is_missing_is_named():
    with pytest.raises(InvalidInput, match=r"release.toml: \[unit\] must be there .* Write \[unit\] with name"):
        read(GOOD.replace('[unit]\nname = "person"\n', ""))


def test_one_table_of_an_adversary_is_as_good_as_a_list_of_one():
    assert read(GOOD.replace("[[adversary]]", "[adversary]")).askers == read().askers


def test_a_file_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(InvalidInput, match="the file .*gone.toml must be readable .No such file"):
        read_release(tmp_path / "gone.toml")


def test_a_file_that_is_not_text_is_a_sentence(tmp_path):
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match="it is not text"):
        read_release(tmp_path / "x.toml")


YEAR = GOOD.replace('name = "person"', 'name = "person"\nperiod = "one year"')


def test_a_period_beside_several_releases_may_say_what_it_covers():
    several = YEAR.replace("epsilon = 0.5", "epsilon = 0.5\nreleases = 5")
    unsaid = read(several)
    assert unsaid.covers_all  # which claims less than a period for each
    assert unsaid.leaves_period_open
    assert unsaid.protected.endswith("within one year (whether it holds all 5 releases is not stated).")
    assert not read(YEAR).leaves_period_open
    assert not read(GOOD.replace("epsilon = 0.5", "epsilon = 0.5\nreleases = 5")).leaves_period_open
    every, each = (
        read(several.replace('"one year"', f'"one year"\ncovers = "{word}"'))
        for word in ("all releases", "each release")
    )
    assert every.protected.endswith("within one year, over all 5 releases together.")
    assert each.protected.endswith("within one year. That is one of 5 releases; the risks are those of all 5 together.")
    assert (every.covers_all, each.covers_all) == (True, False)
    assert not every.leaves_period_open
    assert not each.leaves_period_open
    with pytest.raises(WhitError, match=r"\[unit\] covers cannot be some. Use all releases, each release"):
        read(several.replace('"one year"', '"one year"\ncovers = "some"'))


def test_a_period_of_one_release_and_releases_without_a_period_need_no_more_words():
    assert read(YEAR).protected == "The promise covers all that one person contributes within one year."
    several = read(GOOD.replace("epsilon = 0.5", "epsilon = 0.5\nreleases = 5"))
    assert several.protected.endswith("within the whole of the data, over all 5 releases together.")


@pytest.mark.parametrize(
    "unit",
    [
        'period = "one year"',
        'period = "one year"\ncovers = "each release"',
        'covers = "each release"',
        'perod = "a day"',
    ],
)
@pytest.mark.parametrize("releases", [1, 5])
def test_one_file_serves_every_command(unit, releases):
    text = GOOD.replace('name = "person"', f'name = "person"\n{unit}').replace(
        "epsilon = 0.5", f"epsilon = 0.5\nreleases = {releases}"
    )

    def refused(reader) -> str:
        try:
            reader(parsed(text, "release.toml"))
        except WhitError as wrong:
            return str(wrong)
        return ""

    assert refused(Form.of) == refused(release_of)
