from __future__ import annotations

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.apps.cli.promise_options import from_file, from_text
from whit.apps.cli.toml_file import parts, read
from whit.apps.cli.wanted import limit, profile
from whit.errors import InvalidInput
from whit.guarantees import ApproxDP, PureDP, ZeroConcentratedDP
from whit.mechanisms import Gaussian


@pytest.fixture
def file(tmp_path):
    def write(text: str):
        path = tmp_path / "promise.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def assess_from(path: str):
    return CliRunner().invoke(whit, ["assess", "--from", path])


def test_a_file_may_be_the_promise_itself(file):
    assert from_file(file("epsilon = 1\ndelta = 1e-6\n"))[0].promised == ApproxDP(1.0, 1e-6)


def test_a_file_may_have_one_table_among_others_for_a_report(file):
    text = '[release]\nname = "x"\n\n[promise]\ngaussian = 2.0\nreleases = 3\nadd_remove = 1\nreplace = 1\n'
    assert from_file(file(text))[0].promised == Gaussian(2.0).times(3)


def test_a_file_may_state_several_by_name(file):
    found = from_file(file('[[promise]]\nname = "a"\nepsilon = 1\n[[promise]]\nname = "b"\nrho = 0.1\n'))
    assert [each.name for each in found] == ["a", "b"]
    assert [each.promised for each in found] == [PureDP(1.0), ZeroConcentratedDP(0.1)]


def test_several_promises_are_for_compare(file):
    result = assess_from(file("[[promise]]\nepsilon = 1\n[[promise]]\nrho = 0.1\n"))
    assert result.exit_code == 2
    assert "Use whit compare" in result.stderr


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("epsilon = 1\ndelta = = 2\n", 2, "must be TOML"),
        ("epsilon = 1\n\nepsilom = 2\n", 3, "Perhaps epsilon is meant"),
        ("[promise]\nrho = 1\ngaussian = 2\n", 2, "rho and gaussian"),
        ("# words\nepsilon = -1\n", 2, "epsilon must be"),
        ("times = 2\nepsilon = 'one'\n", 2, "epsilon must be a number"),
        ("epsilon = 1\ndelta = 1.5\n", 2, "delta must be"),
        ("rho = 1\nneighbours = 'swap'\n", 2, "neighbours must be"),
        ("[promise]\nrho = 1\n[promise]\n", 3, "must be TOML"),
        ("epsilon = 1\nname = 'x\n", 2, "must be TOML"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(file, text, line, said):
    result = assess_from(file(text))
    assert result.exit_code == 2, result.output
    assert f"promise.toml, line {line}:" in result.stderr
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_in_a_list_of_promises_the_line_is_that_of_the_wrong_one(file):
    result = assess_from(file("[[promise]]\nepsilon = 1\n\n[[promise]]\nepsilon = -1\n"))
    assert "line 5" in result.stderr


def test_a_file_that_is_not_there_is_refused(tmp_path):
    result = assess_from(str(tmp_path / "none.toml"))
    assert result.exit_code == 2
    assert "must be readable (No such file or directory)" in result.stderr


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match="it is not text"):
        read(path)


def test_a_file_without_the_table_is_refused(file):
    with pytest.raises(InvalidInput, match=r"must have a table \[promise\]"):
        parts(file("[other]\nx = 1\n"), "promise")


def test_a_file_and_options_do_not_go_together(file):
    result = CliRunner().invoke(whit, ["assess", "--from", file("epsilon = 1\n"), "--times", "2"])
    assert result.exit_code == 2
    assert "--from states the whole promise" in result.stderr


def test_an_empty_file_states_nothing(file):
    result = assess_from(file(""))
    assert result.exit_code == 2
    assert "must be stated" in result.stderr


def test_a_text_may_name_its_promise():
    found = from_text("rho=2.56, noise=gaussian, name=as Gaussian")
    assert found.name == "as Gaussian"
    assert isinstance(found.promised, Gaussian)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("[profile]\nrelative = 3\nabsolute = 0.25\nvalue = 1\n", {"relative": "3", "absolute": "0.25", "value": "1"}),
        ("[profile.capped]\nrelative = 3\nabsolute = 0.25\n", {"relative": 3, "absolute": 0.25}),
        ("[profile.difference]\nchange = 0.2\n", {"difference": "0.2"}),
        ("[profile]\nrelative = 3\ninclusion = [0.1, 0.6]\n", {"relative": "3", "inclusion": "0.1..0.6"}),
    ],
)
def test_a_profile_in_a_file_is_the_profile_in_an_option(file, text, same):
    from whit.apps.cli.wanted import _from_file

    assert _from_file(file(text)) == profile(same)


def test_a_limit_in_a_file_is_the_limit_in_an_option(file):
    from whit.apps.cli.wanted import _from_file

    wanted = limit({"power": "0.1", "level": "0.05"})
    assert _from_file(file("[limit]\npower = 0.1\nlevel = 0.05\n")) == wanted
    assert _from_file(file("[limit.power]\nlimit = 0.1\nlevel = 0.05\n")) == wanted


def test_a_wrong_limit_in_a_file_is_told_with_its_line(file):
    path = file("[limit]\npower = 0.1\nlevl = 0.05\n")
    result = CliRunner().invoke(whit, ["check", "--epsilon", "1", "--wanted-from", path])
    assert result.exit_code == 2
    assert "line 3" in result.stderr
