"""Limits and profiles are read alike from texts and from tables, all of them, and what is none is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whit.errors import WhitError
from whit.guarantees import ApproxDP, PureDP
from whit.policy import limits, profiles
from whit.setting import When
from whit.spec import Form, guarantee_of, limits_of, pairs, parsed, profiles_of

BOTH = [
    ("constant", "relative=3", "relative = 3.0", profiles.constant(3.0)),
    (
        "capped",
        "relative=3, absolute=0.25, value=1",
        "relative = 3.0\nabsolute = 0.25\nvalue = 1.0",
        profiles.capped(relative=3.0, absolute=0.25, value=1.0),
    ),
    ("box", "relative=3, value=0.4..0.7", "relative = 3.0\nvalue = [0.4, 0.7]", profiles.box(3.0, value=(0.4, 0.7))),
    ("box", "relative=3, value=1", "relative = 3.0\nvalue = 1", profiles.box(3.0, value=(1.0, 1.0))),
    ("difference", "difference=0.2", "change = 0.2", profiles.difference(0.2)),
    (
        "absolute_cap",
        "absolute=50%, inclusion=0..10%",
        'absolute = 0.5\ninclusion = "0..0.1"',
        profiles.absolute_cap(0.5, inclusion=(0.0, 0.1)),
    ),
    ("posterior", "posterior=30%, prior=0.1", "limit = 0.3\nprior = 0.1", limits.posterior(0.3, prior=0.1)),
    ("ratio", "ratio=2", "limit = 2.0", limits.ratio(2.0)),
    ("difference", "difference=0.2, prior=0.5", "limit = 0.2\nprior = 0.5", limits.difference(0.2, prior=0.5)),
    ("power", "power=0.2, level=0.05", "limit = 0.2\nlevel = 0.05", limits.power(0.2, level=0.05)),
    ("success", "success=5%, baseline=1%", "limit = 0.05\nbaseline = 0.01", limits.success(0.05, baseline=0.01)),
    ("advantage", "advantage=0.2", "limit = 0.2", limits.advantage(0.2)),
    (
        "predictive-value",
        "predictive-value=0.5, prior=0.1, level=0.05",
        "limit = 0.5\nprior = 0.1\nlevel = 0.05",
        limits.predictive_value(0.5, prior=0.1, level=0.05),
    ),
]


def required(text: str):
    return Form.of(parsed(text, "x.toml")).requirements


@pytest.mark.parametrize(("name", "text", "lines", "wanted"), BOTH, ids=[each[1] for each in BOTH])
def test_a_text_a_table_and_a_table_by_name_say_the_same(name, text, lines, wanted):
    table, read = ("limit", limits_of) if isinstance(wanted, limits.Limit) else ("profile", profiles_of)
    assert [each for _, each in read(pairs("x", text))] == [wanted]
    assert [each for _, each in required(f"[{table}.{name}]\n{lines}").named] == [wanted]
    short = lines.replace("limit =" if table == "limit" else "change =", f"{name} =")
    for head in (f"[{table}]", f"[[{table}]]"):
        assert [each for _, each in required(f"{head}\n{short}").named] == [wanted]


def test_all_limits_and_all_profiles_of_a_file_are_required():
    text = "[profile.capped]\nrelative = 3\nabsolute = 0.25\n[limit.power]\nlimit = 0.051\nlevel = 0.05\n"
    text += "[limit.advantage]\nlimit = 0.1\n"
    assert [said for said, _ in required(text).named] == [
        "relative=3, absolute=0.25",
        "power=0.051, level=0.05",
        "advantage=0.1",
    ]


def test_several_profiles_hold_at_once():
    both = required("[profile.constant]\nrelative = 3.0\n[profile.difference]\nchange = 0.2")
    assert float(both.profile.limit(1.0, 0.5)) == pytest.approx(1.4)
    twice = required("[[profile]]\nrelative = 3.0\n[[profile]]\nrelative = 3.0")
    assert float(twice.profile.limit(1.0, 0.5)) == 3.0
    assert required("").profile is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[limit]\npower = {limit = 0.2, level = 0.05}\nadvantage = 0.01", "line 3, .limit. advantage must be a table"),
        (
            "[limit]\npower = 0.2\nlevel = 0.05\nadvantage = 0.01",
            "a limit must be on one risk; got power and advantage",
        ),
        ("[limit]\npower = 0.1\nlevl = 0.05", "line 3, .limit. levl is not known here.*level"),
        (
            "[limit]\npower = 0.1\nlevel = 0.05\nfailure = 0.01",
            r"line 4, .limit. failure is no part of a limit; .*questions",
        ),
        (
            "[limit.power]\nlimit = 0.1\nlevel = 0.05\nfailure = 0.01",
            r"State it in \[questions\]: failure = 0.01",
        ),
        ("[limit.nope]\nlimit = 0.1", "line 1, .limit. nope is not known here"),
        ("[limit.power]\nlimit = 0.1", "line 1, .limit.power. level must be given"),
        ("[limit.power]\nlimit = 0.1\nlevel = 0.05\nprior = 0.1", "line 4, .limit.power. prior is not known here"),
        ("[limit.power]\nlimit = 0.01\nlevel = 0.05", "line 2, .limit.power. limit must be above the level"),
        ("[limit]\npower = 0.1", "a limit on the power goes with level"),
        ("[limit]\nlevel = 0.1", "a limit must be on one risk; got nothing"),
        ("[limit]\nposterior = 0.3\nprior = [0.1, 0.2, 0.3]", "line 3, .limit. prior must be a number or a range"),
        ("[limit]\nposterior = 0.3\nprior = [0.2, 0.1]", "line 3, .limit. prior must be a range in rising order"),
        ("[limit]\nposterior = 0.3\nprior = [0.2, 0.4]", "line 2, .limit. posterior must be above the prior"),
        ("limit = 3", "limit must be a table"),
        ("[profile.nope]\nrelative = 9", "line 1, .profile. nope is not known here"),
        ("[profile.capped]\nrelative = 3", "line 1, .profile.capped. absolute must be given"),
        ("[profile.constant]\nrelative = 3\nvalue = 1", "line 3, .profile.constant. value is not known here"),
        ("[profile.constant]\nrelative = 0.5", "line 2, .profile.constant. relative must be at least 1"),
        ("[profile]\nrelative = 3\ndifference = 0.1", "a profile must be one of the known ones; got relative and diff"),
        ("[profile]\nvalue = 1", "a profile must be one of the known ones; got value"),
        ("[profile]\nrelative = 3\nabsolute = 0.2\nvalue = [0.1, 0.2]", "line 4, .profile. value must be one number"),
        ("[profile]\ntable = '../x.csv'", "line 2, .profile. table must lie beside"),
    ],
)
def test_what_is_no_limit_and_no_profile_is_told_with_its_line(text, said):
    with pytest.raises(WhitError, match=said):
        required(text)


def test_a_table_of_a_profile_lies_beside_the_file_that_names_it(tmp_path):
    (tmp_path / "p.csv").write_text("inclusion,value,relative\n1,1,3\n", encoding="utf-8")
    (tmp_path / "x.toml").write_text("[profile]\ntable = 'p.csv'\n", encoding="utf-8")
    assert float(Form.of_file(tmp_path / "x.toml").requirements.profile.limit(1.0, 1.0)) == 3.0
    [(_, by_path)] = profiles_of(pairs("a profile", f"table={tmp_path / 'p.csv'}"))
    assert by_path == Form.of_file(tmp_path / "x.toml").requirements.profile
    (tmp_path / "x.toml").write_text("[profile]\ntable = 'gone.csv'\n", encoding="utf-8")
    with pytest.raises(WhitError, match="line 2, .profile. table must be readable"):
        _ = Form.of_file(tmp_path / "x.toml").requirements


def test_a_promise_to_keep_is_by_epsilon():
    assert guarantee_of(pairs("x", "epsilon=1, delta=1e-6"))[1] == ApproxDP(1.0, 1e-6)
    with pytest.raises(WhitError, match="must be a promise by epsilon"):
        guarantee_of(pairs("x", "rho=1"))


ENDS = st.tuples(st.floats(0.02, 0.93), st.floats(0.0, 0.05))


@given(
    st.sampled_from(
        ["posterior=0.98", "ratio=1.7", "difference=0.2", "difference=0.61", "predictive-value=0.99, level=0.05"]
    ),
    ENDS,
    st.floats(0.05, 4.0),
    st.sampled_from([1, 2]),
)
def test_a_range_of_priors_is_kept_if_every_prior_of_it_is(text, ends, epsilon, sides):
    """Against the limit at each prior of a fine grid, which is how a range is meant."""
    low, high = ends[0], ends[0] + ends[1]
    promise = PureDP(epsilon)
    found = limits_of(pairs("a limit", f"{text}, prior={low!r}..{high!r}"))
    kept = all(limit.keeps(promise, sides=sides) for _, limit in found)
    grid = [low, *np.linspace(low, high, 41)[1:-1].tolist(), high]
    each = [limits_of(pairs("a limit", f"{text}, prior={prior!r}"))[0][1] for prior in grid]
    on_the_grid = all(limit.keeps(promise, sides=sides) for limit in each)
    assert on_the_grid or not kept
    if kept is not on_the_grid:  # between two points of the grid, where the difference is next to nothing
        room = min(float(limit.headroom(promise, sides=sides)) for limit in each)
        assert 0.0 <= room < 1e-4


def test_a_wide_range_of_priors_allows_what_the_worst_one_does_and_is_said_as_a_range():
    [(_, limit)] = limits_of(pairs("a limit", "difference=0.2, prior=0.1..0.6"))
    assert float(limit.allowed_loss()) == float(limits.difference(0.2).allowed_loss())
    assert limit.about == " for priors from 10 % to 60 %"


def test_a_limit_on_beliefs_may_be_about_every_moment():
    [(_, limit)] = limits_of(pairs("a limit", "posterior=0.9, prior=0.5, when=ever"))
    assert limit == limits.posterior(0.9, prior=0.5, when=When.EVER)


def test_a_limit_on_tests_has_no_moment():
    with pytest.raises(WhitError, match="a limit on the power, .* goes with level"):
        limits_of(pairs("a limit", "power=0.1, level=0.05, when=ever"))
