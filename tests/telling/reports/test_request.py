"""A file is read as it stands, and whatever is wrong with it is said with its line and its key."""

from __future__ import annotations

import pytest

from whit.errors import InvalidInput
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import DiscreteGaussian, Gaussian, Laplace, RandomizedResponse
from whit.setting import Adversary, Knowledge, Neighbours, Sensitivity, UnitOfPrivacy
from whit.telling.reports import request
from whit.telling.reports.entries import parsed
from whit.telling.reports.request import request_of

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
    return request_of(parsed(text, "release.toml"))


def with_promise(lines: str) -> str:
    return GOOD.replace("epsilon = 0.5", lines)


def test_what_an_adversary_knows_is_what_the_judgement_is_about_if_it_is_not_said():
    profile = "\n[profile.constant]\nrelative = 3.0\n"
    value = GOOD.replace("prior = 0.5", "inclusion = 0.5\nvalue = 0.5")
    assert read().askers[0].adversary.knows is Knowledge.EVERYONE_ELSE
    assert read(GOOD + profile).askers[0].adversary.knows is Knowledge.ANY_BELIEF
    assert read(value).askers[0].adversary.knows is Knowledge.ANY_BELIEF


def test_what_an_adversary_knows_is_read():
    for each in Knowledge:
        text = GOOD + f'knows = "{each.name.lower()}"\n'
        assert read(text).askers[0].adversary == Adversary(prior=0.5, knows=each)


def test_another_word_for_what_an_adversary_knows_is_refused_with_its_line():
    with pytest.raises(InvalidInput, match=r"release.toml, line 15, \[adversary\], knows must be one of the words"):
        read(GOOD + 'knows = "a lot"\n')


def test_the_least_file_is_enough():
    found = read()
    assert (found.name, found.publisher, found.unit) == ("Counts", "Office", UnitOfPrivacy("person"))
    assert found.stated.together == PureDP(0.5)
    assert found.askers[0].adversary == Adversary(prior=0.5, knows=Knowledge.EVERYONE_ELSE)
    assert (found.failure, found.level) == (0.0, 0.05)


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
        ("laplace = 2\nadd_remove = 1\nreplace = [1, 1]", Laplace(2.0, sensitivity=Sensitivity.histogram())),
        ("randomized_response = 1", RandomizedResponse(1.0)),
    ],
)
def test_promises_and_noise_are_read(lines, one):
    assert read(with_promise(lines)).stated.one == one


def test_several_releases_are_composed():
    assert read(with_promise("rho = 0.1\nreleases = 4")).stated.together == ZeroConcentratedDP(0.1).times(4)


def test_a_promise_without_a_sure_bound_gets_a_chance_of_failure():
    assert read(with_promise("rho = 0.1")).failure == 0.01
    assert read(with_promise("rho = 0.1") + "[questions]\nfailure = 0.2\n").failure == 0.2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "epsilon = 0.5",
            "epsilonn = 0.5",
            r"release.toml, line 9, \[promise\], epsilonn is not a known key.*Did you mean epsilon\?",
        ),
        ("prior = 0.5", "priro = 0.5", r"line 14, \[adversary\], priro is not a known key.*Did you mean prior\?"),
        ("[unit]", "[units]", r"release.toml, line 5, units is not a known key.*Did you mean unit\?"),
        ("epsilon = 0.5", "epsilon = -1", r"line 9, \[promise\], epsilon must be"),
        ("epsilon = 0.5", 'epsilon = "much"', r"line 9, \[promise\], epsilon must be"),
        (
            "epsilon = 0.5",
            "epsilon = 0.5\nrho = 1",
            r"line 10, \[promise\], rho must state one promise; got epsilon, rho",
        ),
        ("epsilon = 0.5", "", r"line 8, \[promise\] must state one promise; got nothing"),
        ("epsilon = 0.5", "delta = 0.1", r"line 9, \[promise\], delta must state one promise; got delta"),
        ("epsilon = 0.5", "epsilon = nan", r"line 9, \[promise\], epsilon must be"),
        ("epsilon = 0.5", "epsilon = 0.5\nreleases = 0", r"line 10, \[promise\], releases must"),
        (
            "epsilon = 0.5",
            'epsilon = 0.5\nneighbours = "near"',
            r"line 10, \[promise\], neighbours must be one of the words",
        ),
        ("epsilon = 0.5", 'epsilon = 0.5\nsensitivity = "count"', r"line 10, \[promise\], sensitivity is for noise"),
        ("epsilon = 0.5", "laplace = 1\nreplace = 1", r"line 10, \[promise\], replace must come with the other"),
        ("prior = 0.5", "prior = 1.5", r"line 14, \[adversary\], prior must be"),
        ("prior = 0.5", "prior = 0.5\nvalue = 0.5", r"line 11, \[adversary\] must have either a prior"),
        ("prior = 0.5", "", r"\[adversary\] must have either a prior, or an inclusion and a value; got none of them"),
        ('publisher = "Office"', "", r"line 1, \[release\], publisher must be given"),
        ('name = "Counts"', "name = 3", r"line 2, \[release\], name must be a text"),
        ('name = "person"', 'name = ""', r"line 6, \[unit\], name must be a text"),
        ("epsilon = 0.5", "epsilon == 0.5", r"release.toml must be TOML; got Invalid value \(at line 9, column 10\)"),
        ("[[adversary]]", "[adversary]", r"line 11, adversary must be a list of tables.*Write \[\[adversary\]\]"),
        ("prior = 0.5", "prior = 0.5\n[questions]\nlevel = 0", r"line 16, \[questions\], level must"),
        (
            "prior = 0.5",
            "prior = 0.5\n[hazards]\ntimin = 'x'",
            r"line 16, \[hazards\], timin is not a known key.*timing",
        ),
        (
            "prior = 0.5",
            "prior = 0.5\n[profile.caped]\nrelative = 3",
            r"line 15, \[profile\], caped is not a known key.*capped",
        ),
        (
            "prior = 0.5",
            "prior = 0.5\n[profile.capped]\nrelative = 3",
            r"line 15, \[profile.capped\], absolute must be given",
        ),
        ("prior = 0.5", "prior = 0.5\n[profile.constant]\nrelative = 0.5", r"line 16, \[profile.constant\], relative"),
        (
            "prior = 0.5",
            "prior = 0.5\n[limit.power]\nlimit = 0.01\nlevel = 0.05",
            r"line 15, \[limit.power\]: power must be above",
        ),
        (
            "prior = 0.5",
            "prior = 0.5\n[profile.box]\nrelative = 3\nvalue = 1",
            r"line 17, \[profile.box\], value must be a range",
        ),
    ],
)
def test_a_mistake_is_said_with_its_line_and_key(old, new, said):
    assert GOOD.count(old) == 1
    with pytest.raises(InvalidInput, match=said):
        read(GOOD.replace(old, new))


def test_a_table_that_is_missing_is_named():
    with pytest.raises(InvalidInput, match=r"release.toml, unit must be given; got nothing. State unit there."):
        read(GOOD.replace('[unit]\nname = "person"\n', ""))


def test_a_file_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(InvalidInput, match="must be a file that can be read; got .*gone.*It cannot, because: No such"):
        request(tmp_path / "gone.toml")


def test_a_file_that_is_not_text_is_a_sentence(tmp_path):
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match="it is not text in UTF-8"):
        request(tmp_path / "x.toml")
