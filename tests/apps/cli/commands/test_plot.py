from __future__ import annotations

import json
import math
import os
import sys

import pytest
from browser import needs_a_browser, opened
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.apps.cli.commands.plot import PICTURES

GIVEN = {
    "profile-and-epsilon": ["--profile", "relative=3, absolute=0.25, value=1"],
    "profile-map": ["--profile", "relative=3, absolute=0.25"],
    "accuracy-against-risk": ["--profile", "relative=2", "--profile", "relative=3", "--for", "geometric"],
    "families-side-by-side": ["--limit", "ratio=2", "--for", "laplace", "--for", "geometric"],
    "budget-by-query": ["--plan", "census-2020", "--scenario", "A"],
    "posterior-law": ["--gaussian", "2"],
    "risk-over-releases": ["--epsilon", "0.1", "--releases", "5"],
}

SEVERAL = ["families-side-by-side", "--for", "laplace", "--for", "tulap"]


def plot(*arguments: str):
    return CliRunner().invoke(whit, ["plot", *arguments])


@pytest.mark.parametrize("picture", PICTURES)
def test_every_picture_is_drawn_with_its_numbers(picture, tmp_path):
    out = tmp_path / "picture.svg"
    result = plot(picture, *GIVEN.get(picture, ["--epsilon", "1"]), "--out", str(out), "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert "<svg" in out.read_text(encoding="utf-8")
    assert document["result"]["alt"]
    assert len({len(column) for column in document["result"]["table"].values()}) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["level-and-power", "--epsilon", "1", "--out", "no/such/folder/x.svg"], "folder that exists"),
        (["level-and-power", "--epsilon", "1", "--out", "x.gif"], "must end in the form"),
        (["level-and-power", "--out", "x.svg"], "the promise of a picture must be stated"),
        (["profile-map", "--out", "x.svg"], "the profile of a picture must be given"),
        (["accuracy-against-risk", "--profile", "relative=3", "--out", "x.svg"], "--for must name the noise"),
        (
            [
                "accuracy-against-risk",
                "--profile",
                "relative=3",
                "--for",
                "laplace",
                "--for",
                "tulap",
                "--out",
                "x.svg",
            ],
            "--for must name the noise of this picture; got laplace and tulap",
        ),
        (
            ["families-side-by-side", "--for", "laplace", "--for", "tulap", "--out", "x.svg"],
            "a limit or a profile must",
        ),
        (
            ["families-side-by-side", "--limit", "ratio=2", "--for", "laplace", "--for", "laplace", "--out", "x.svg"],
            "--for must name at least two kinds of noise; got laplace",
        ),
        (
            [*SEVERAL, "--limit", "ratio=2", "--limit", "difference=0.2", "--out", "x.svg"],
            "must meet one limit at one prior, or profiles alone; got 2 of them",
        ),
        (
            [*SEVERAL, "--limit", "power=0.1, level=0.05", "--failure", "0.01", "--out", "x.svg"],
            "--failure does not apply",
        ),
        (
            ["posterior-against-prior", "--epsilon", "1", "--prior", "0.1", "--out", "x.svg"],
            "--prior must be a range in this picture",
        ),
        (
            ["posterior-against-prior", "--epsilon", "1", "--prior", "0.2..0.1", "--out", "x.svg"],
            "--prior must be a range in rising order",
        ),
        (["budget-by-query", "--out", "x.svg"], "Use --plan FILE"),
        (["budget-by-query", "--plan", "census-2020", "--out", "x.svg"], "must be named once"),
        (
            ["icon-arrays", "--epsilon", "1", "--promise", "rho=1", "--out", "x.svg"],
            "the promise of this picture must be one; got 2 of them",
        ),
        (
            ["risk-over-releases", "--epsilon", "1", "--releases", "1", "--out", "x.svg"],
            "--releases must be at least 2 in this picture",
        ),
        (["posterior-against-priors", "--epsilon", "1", "--out", "x.svg"], "posterior-against-prior"),
    ],
)
def test_what_is_wrong_is_a_sentence_and_leaves_no_file(arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = plot(*arguments)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["profile-map", "--profile", "relative=3, absolute=0.25", "--epsilon", "2"], "--epsilon"),
        (["level-and-power", "--epsilon", "1", "--failure", "0.01"], "--failure"),
        (["level-and-power", "--epsilon", "1", "--prior", "0.1"], "--prior"),
        (["posterior-against-prior", "--epsilon", "1", "--knows", "any-belief"], "--knows"),
        (["posterior-against-prior", "--epsilon", "1", "--level", "0.1"], "--level"),
        (["icon-arrays", "--epsilon", "1", "--limit", "difference=0.2"], "--limit"),
        (["budget-by-query", "--plan", "census-2020", "--presence", "--rho", "1"], "--rho"),
        (["posterior-law", "--gaussian", "1", "--plan", "census-2020"], "--plan"),
        (["accuracy-against-risk", "--profile", "relative=3", "--for", "laplace", "--sides", "2"], "--sides"),
        (["families-side-by-side", "--limit", "ratio=2", "--for", "laplace", "--epsilon", "1"], "--epsilon"),
        (["families-side-by-side", "--limit", "ratio=2", "--for", "laplace", "--prior", "0.1"], "--prior"),
    ],
)
def test_an_option_that_a_picture_has_no_use_for_is_refused(arguments, option, tmp_path):
    result = plot(*arguments, "--out", str(tmp_path / "x.svg"))
    assert result.exit_code == 2, result.output
    assert f"{option} does not apply to {arguments[0]}" in result.stderr
    assert os.listdir(tmp_path) == []


def test_the_noise_of_a_picture_is_that_of_the_recommendation_for_as_many_releases(tmp_path):
    """The picture showed the noise of one release, sigma 4.01, where 36 need 24.05."""
    options = ["--for", "gaussian", "--profile", "relative=2, value=1", "--releases", "36", "--failure", "0.01"]
    drawn = plot("accuracy-against-risk", *options, "--out", str(tmp_path / "x.svg"), "--json")
    table = json.loads(drawn.stdout)["result"]["table"]
    [sigma] = [
        sigma for sigma, risk in zip(table["parameter"], table["relative risk at most"], strict=True) if 1.9 < risk <= 2
    ]
    told = CliRunner().invoke(whit, ["recommend", *options, "--json"])
    assert sigma == pytest.approx(float(json.loads(told.stdout)["result"]["rounded"]), rel=1e-4)


LIMITED = "\n[limit.posterior]\nposterior = 0.3\nprior = 0.1\n\n[questions]\nfailure = 0.01\n"


@pytest.mark.parametrize(
    ("promise", "sigma"),
    [
        ("gaussian = 4.5\nsensitivity = 2\nreleases = 5", 9.5365),  # 2.13246 * 2 * sqrt(5)
        ('gaussian = 4.5\nsensitivity = "1:2"\nneighbours = "replace"', 4.2650),
        ("gaussian = 4.5\nsensitivity = '1:2'", 2.1325),
        ("epsilon = 1\nreleases = 5", 4.7683),
    ],
)
def test_the_noise_of_a_picture_is_for_the_releases_of_the_file(promise, sigma, tmp_path):
    """The picture showed the noise of one release of one count, sigma 2.1325, whatever the file states."""
    file, out = tmp_path / "release.toml", ["--out", str(tmp_path / "x.svg"), "--json"]
    file.write_text(f"[promise]\n{promise}\n{LIMITED}", encoding="utf-8")
    given = ["--from", str(file), "--for", "gaussian"]
    for drawn in (plot("accuracy-against-risk", *given, *out), plot(SEVERAL[0], *given, "--for", "laplace", *out)):
        assert drawn.exit_code == 0, drawn.output
        assert any(
            each == pytest.approx(sigma, rel=1e-4) for each in json.loads(drawn.stdout)["result"]["table"]["parameter"]
        )
    told = CliRunner().invoke(whit, ["recommend", *given, "--json"])
    assert float(json.loads(told.stdout)["result"]["rounded"]) == pytest.approx(sigma, rel=1e-4)


def test_an_option_is_taken_before_what_the_file_states(tmp_path):
    file = tmp_path / "release.toml"
    file.write_text(f"[promise]\ngaussian = 4.5\nsensitivity = 2\nreleases = 5\n{LIMITED}", encoding="utf-8")
    options = ["--releases", "1", "--sensitivity", "1", "--for", "gaussian", "--out", str(tmp_path / "x.svg")]
    assert "sigma 2.1325:" in plot("accuracy-against-risk", "--from", str(file), *options).output


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ("[[promise]]\ngaussian = 4.5\n[[promise]]\ngaussian = 4.5\nsensitivity = 2\n", "2 promises"),
        ("[promise]\ngaussian = 4.5\nsampling_rate = 0.1\n", "on a sample at rate 0.1"),
    ],
)
@pytest.mark.parametrize("kind", ["accuracy-against-risk", "families-side-by-side"])
def test_the_noise_of_a_picture_is_refused_where_the_file_states_no_single_noise(kind, stated, found, tmp_path):
    file = tmp_path / "release.toml"
    file.write_text(stated + LIMITED, encoding="utf-8")
    noises = ["--for", "gaussian", *(["--for", "laplace"] if kind == "families-side-by-side" else [])]
    drawn = plot(kind, "--from", str(file), *noises, "--out", str(tmp_path / "x.svg"))
    assert drawn.exit_code == 2
    assert "the file of --from must state one promise in this picture" in drawn.stderr
    assert found in drawn.stderr
    assert "Use whit recommend --from FILE" in drawn.stderr


def test_noise_side_by_side_is_that_of_the_recommendation_for_each_kind(tmp_path):
    options = ["--limit", "posterior=0.3, prior=0.1", "--releases", "12", "--failure", "0.01"]
    noises = ["--for", "gaussian", "--for", "laplace"]
    drawn = plot("families-side-by-side", *options, *noises, "--out", str(tmp_path / "x.svg"), "--json")
    table = json.loads(drawn.stdout)["result"]["table"]
    assert table["noise"] == ["Gaussian noise", "Laplace noise"]
    for word, found in zip(("gaussian", "laplace"), table["parameter"], strict=True):
        told = CliRunner().invoke(whit, ["recommend", *options, "--for", word, "--json"])
        assert found == pytest.approx(float(json.loads(told.stdout)["result"]["rounded"]), rel=1e-4)


def test_a_limit_on_a_range_of_priors_is_shaded_there_and_grey_elsewhere(tmp_path):
    """The range became two limits, at its ends, and the picture refused to show two."""
    options = ["--epsilon", "1", "--limit", "difference=0.2, prior=0.01..0.1", "--prior", "0..0.2"]
    drawn = plot("posterior-against-prior", *options, "--out", str(tmp_path / "x.svg"), "--json")
    table = json.loads(drawn.stdout)["result"]["table"]
    assert (table["prior"][0], table["prior"][-1]) == (0.0, 0.2)
    for prior, allowed in zip(table["prior"], table["posterior allowed"], strict=True):
        assert allowed == pytest.approx(prior + 0.2 if 0.01 <= prior <= 0.1 else 1.0, rel=1e-12)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--epsilon", "2", "--releases", "5"], "This shows epsilon = 2, in each of 5 releases."),
        (["--promise", "epsilon=2, releases=1000"], "This shows epsilon = 2, in each of 1,000 releases."),
        (["--promise", "epsilon=2, name=the survey"], "This shows the survey."),
    ],
)
def test_the_caption_of_a_picture_names_the_promise_in_words(options, words, tmp_path):
    assert words in plot("posterior-against-prior", *options, "--out", str(tmp_path / "x.svg")).output.replace(
        "\n", " "
    )


@pytest.mark.parametrize("picture", [name for name, kind in PICTURES.items() if "language" in kind.uses])
def test_a_picture_speaks_the_language_that_is_asked_for(picture, tmp_path):
    options = GIVEN.get(picture, ["--epsilon", "1"])
    drawn = plot(picture, *options, "--language", "fr", "--out", str(tmp_path / "x.html"))
    assert drawn.exit_code == 0, drawn.output
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert '<html lang="fr">' in page
    assert "Les nombres derrière l’image" in page


def test_two_promises_with_the_same_words_are_two_lines(tmp_path):
    """Words give six digits. As keys, the two promises became one line."""
    options = ["--promise", "epsilon=1.00000001", "--promise", "epsilon=1.00000002"]
    drawn = plot("level-and-power", *options, "--out", str(tmp_path / "x.svg"), "--json")
    assert len(json.loads(drawn.stdout)["asked"]["promises"]) == 2


def test_of_several_limits_the_picture_shows_what_all_of_them_allow(tmp_path):
    """One limit on all priors, one on a range, one at a prior, and one that is not about beliefs."""
    file = tmp_path / "release.toml"
    limits = "[limit.difference]\nlimit = 0.2\n[limit.ratio]\nlimit = 2\nprior = [0.05, 0.3]\n"
    others = "[limit.posterior]\nlimit = 0.4\nprior = 0.1\n[limit.power]\nlimit = 0.2\nlevel = 0.05\n"
    file.write_text(f"[promise]\nepsilon = 1\n{limits}{others}", encoding="utf-8")
    drawn = plot("posterior-against-prior", "--from", str(file), "--out", str(tmp_path / "x.svg"), "--json")
    assert drawn.exit_code == 0, drawn.output
    result = json.loads(drawn.stdout)["result"]
    for prior, allowed in zip(result["table"]["prior"], result["table"]["posterior allowed"], strict=True):
        most = min(1.0, prior + 0.2, 2 * prior if 0.05 <= prior <= 0.3 else 1.0)
        assert allowed == pytest.approx(most, rel=1e-12)
        assert allowed <= most
    assert "from 10 % to 40 %" in result["alt"]
    assert "A limit that is not about beliefs is not shown." in result["alt"]


def test_a_limit_that_is_not_about_beliefs_is_refused_where_it_is_the_only_one(tmp_path):
    limit = ["--limit", "power=0.2, level=0.05"]
    drawn = plot("posterior-against-prior", "--epsilon", "1", *limit, "--out", str(tmp_path / "x.svg"))
    assert drawn.exit_code == 2
    assert "must be a risk profile, or a limit on posterior, ratio or difference" in drawn.stderr


def test_a_limit_on_the_power_is_marked_where_the_power_is_drawn(tmp_path):
    """By an option and by a file, whose limit on a belief and whose profile belong to other pictures."""
    file = tmp_path / "release.toml"
    others = "[limit.posterior]\nlimit = 0.4\nprior = 0.1\n[profile]\nrelative = 3\n"
    file.write_text(f"[promise]\nepsilon = 1\n[limit.power]\nlimit = 0.2\nlevel = 0.05\n{others}", encoding="utf-8")
    for asked in (["--epsilon", "1", "--limit", "power=0.2, level=0.05"], ["--from", str(file)]):
        drawn = plot("level-and-power", *asked, "--out", str(tmp_path / "x.svg"))
        assert "Allowed: at level 0.05 power 20 %." in drawn.stdout
        assert ("A limit that is not about the power is not shown." in drawn.stdout) == ("--from" in asked)


def test_a_range_of_priors_is_the_axis_of_the_picture_also_where_a_file_has_an_adversary(tmp_path):
    file = tmp_path / "release.toml"
    file.write_text("[promise]\nepsilon = 1\n[[adversary]]\nprior = 0.5\n", encoding="utf-8")
    options = ["--from", str(file), "--prior", "1%..10%", "--out", str(tmp_path / "x.svg"), "--json"]
    table = json.loads(plot("posterior-against-prior", *options).stdout)["result"]["table"]
    assert (min(table["prior"]), max(table["prior"])) == (0.01, 0.1)


def test_a_promise_is_drawn_for_as_many_releases_as_it_says(tmp_path):
    tables = []
    for releases in ("1", "12"):
        options = [
            "level-and-power",
            "--gaussian",
            "5",
            "--releases",
            releases,
            "--out",
            str(tmp_path / "x.svg"),
            "--json",
        ]
        tables.append(json.loads(plot(*options).stdout)["result"]["table"])
    one, twelve = (next(table[name] for name in table if name not in ("level", "promise")) for table in tables)
    assert max(twelve) >= max(one)
    assert twelve != one


def test_a_folder_is_no_file_and_stays_as_it_was(tmp_path):
    out = tmp_path / "folder.svg"
    out.mkdir()
    result = plot("level-and-power", "--epsilon", "1", "--out", str(out))
    assert result.exit_code == 2
    assert os.listdir(tmp_path) == ["folder.svg"]
    assert os.listdir(out) == []


def test_without_its_library_there_is_a_sentence_an_exit_code_of_its_own_and_no_file(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    result = plot("level-and-power", "--epsilon", "1", "--out", str(tmp_path / "picture.svg"))
    assert result.exit_code == 4, result.output
    assert "python3 -m pip install '.[charts]'" in result.stderr
    assert result.stderr.count("\n") == 1
    assert os.listdir(tmp_path) == []


@pytest.mark.slow
@needs_a_browser
@pytest.mark.parametrize("picture", PICTURES)
def test_every_picture_is_drawn_by_a_browser_without_a_network(picture, tmp_path):
    out = tmp_path / "picture.html"
    assert plot(picture, *GIVEN.get(picture, ["--epsilon", "1"]), "--out", str(out)).exit_code == 0
    page = opened(out)
    assert page.complaints == ()
    assert page.elements.count("<path") > 10
    assert 'role="img"' in page.elements
    assert 'aria-label="Save the picture"' in page.elements


@pytest.mark.slow
@needs_a_browser
def test_a_browser_tells_of_a_script_that_fails_for_want_of_a_network(tmp_path):
    page = tmp_path / "page.html"
    scripts = "<script src='https://example.org/a.js'></script><script>from_elsewhere()</script>"
    page.write_text(scripts, encoding="utf-8")
    assert "from_elsewhere is not defined" in " ".join(opened(page).complaints)


def test_the_risk_over_releases_ends_where_the_promise_does_and_names_what_is_in_each(tmp_path):
    drawn = plot("risk-over-releases", "--epsilon", "1", "--releases", "7", "--out", str(tmp_path / "x.svg"), "--json")
    result = json.loads(drawn.stdout)["result"]
    assert max(max(column) for name, column in result["table"].items() if name == "releases") == 7
    assert "This shows epsilon = 1 in each release." in result["alt"]


def test_a_limit_is_a_line_in_the_risk_over_releases(tmp_path):
    stated = ["--gaussian", "4", "--releases", "5", "--prior", "0.1", "--failure", "0.01"]
    drawn = plot("risk-over-releases", *stated, "--limit", "posterior=0.3, prior=0.1", "--out", str(tmp_path / "x.svg"))
    assert "Dashed: the limit 30 %." in drawn.output


def test_one_limit_is_drawn_among_stricter_and_looser_ones(tmp_path):
    options = ["--limit", "difference=0.2", "--for", "laplace", "--out", str(tmp_path / "x.svg"), "--json"]
    table = json.loads(plot("accuracy-against-risk", *options).output)["result"]["table"]
    assert len(table["parameter"]) == 6
    assert sorted(table["parameter"], reverse=True) == table["parameter"]
    two = plot("accuracy-against-risk", "--limit", "difference=0.1", *options)
    assert len(json.loads(two.output)["result"]["table"]["parameter"]) == 2


def test_the_risk_over_releases_of_a_file_ends_at_what_all_of_them_come_to(tmp_path):
    file = tmp_path / "release.toml"
    yearly, monthly = "[[promise]]\nname = 'yearly'\nepsilon = 0.5\n", "[[promise]]\nname = 'monthly'\nepsilon = 0.1\n"
    out = ["--out", str(tmp_path / "x.svg"), "--json", "--from", str(file)]
    file.write_text(f"{yearly}{monthly}releases = 12\n[[adversary]]\nprior = 0.1\n", encoding="utf-8")
    table = json.loads(plot("risk-over-releases", *out).stdout)["result"]["table"]
    assert table["releases"][-1] == 12
    lines = {name.rpartition(": ")[2]: column for name, column in table.items()}
    assert lines["yearly alone"][0] == lines["yearly alone"][-1]  # it is released once
    # From 10 %, the odds of 1 to 9 grow at most e^(0.5 + 12 * 0.1) times.
    assert lines["all together"][-1] == pytest.approx(1 / (1 + 9 * math.exp(-1.7)), rel=1e-9)
    file.write_text(f"{yearly}{monthly}[[adversary]]\nprior = 0.1\n", encoding="utf-8")
    table = json.loads(plot("risk-over-releases", *out).stdout)["result"]["table"]
    assert table["releases"][-1] == 365
    assert table["posterior probability of the truth at most: all together"][0] == pytest.approx(
        1 / (1 + 9 * math.exp(-0.6)), rel=1e-9
    )
    both = plot("risk-over-releases", *out, "--promise", "epsilon=1")
    assert both.exit_code == 2
    assert "--promise does not go with a file of several promises in this picture" in both.stderr


def test_every_number_of_a_few_releases_is_worked_out_and_of_many_the_caption_says_how_many_are(tmp_path):
    options = ["risk-over-releases", "--gaussian", "5", "--failure", "0.01", "--out", str(tmp_path / "x.svg"), "--json"]
    few = json.loads(plot(*options, "--releases", "24").stdout)["result"]
    assert few["table"]["releases"] == [*range(1, 25)]
    assert "straight lines" not in few["alt"]
    many = json.loads(plot(*options, "--releases", "100").stdout)["result"]
    number = len(many["table"]["releases"])
    assert f"worked out after {number} numbers of releases; straight lines join them." in many["alt"]


TWO_TABLES = """
[[promise]]
name = "tables 1 and 2"
gaussian = 4.5
releases = 10
[[promise]]
name = "table 3"
gaussian = 4.5
sensitivity = 2
releases = 5
[[adversary]]
prior = 0.1
[questions]
failure = 0.01
"""


def test_several_promises_run_through_equal_rounds_to_all_of_their_releases(tmp_path):
    file = tmp_path / "case.toml"
    file.write_text(TWO_TABLES, encoding="utf-8")
    stated = ["--from", str(file), "--out", str(tmp_path / "x.svg"), "--json"]
    result = json.loads(plot("risk-over-releases", *stated).stdout)["result"]
    assert result["table"]["releases"] == [1, 2, 3, 4, 5]
    assert "Each round has 2 of “tables 1 and 2”, 1 of “table 3”." in result["alt"]
    first, *_, last = next(column for name, column in result["table"].items() if name.endswith("all together"))
    assert (first, last) == (pytest.approx(0.35, abs=5e-3), pytest.approx(0.85, abs=5e-3))
    icons = json.loads(plot("icon-arrays", *stated).stdout)["result"]["alt"]
    assert "table 3: Gaussian noise, sigma = 4.5, sensitivity 2, in each of 5 releases." in icons


def test_a_pure_epsilon_never_gives_all_of_100_percent(tmp_path):
    local = ["--epsilon", "4", "--neighbours", "local", "--prior", "0.1", "--releases", "30"]
    said = plot("risk-over-releases", *local, "--out", str(tmp_path / "x.svg")).stdout
    assert "after 16 possibly more than 99.9 %, after 30 possibly more than 99.9 %" in said
    assert "This shows epsilon = 4, local, in each release." in said


@pytest.mark.parametrize(("option", "value"), [("releases", "12"), ("neighbours", "replace")])
def test_what_is_said_of_each_promise_goes_into_its_text(option, value, tmp_path):
    said = plot("loss-curve", "--promise", "laplace=3", f"--{option}", value, "--out", str(tmp_path / "x.svg")).stderr
    way_out = f'Write it in the text: "laplace=3, {option}={value}".'
    assert f"--{option} does not go with --promise; got {value}. {way_out}" in said
    compared = CliRunner().invoke(whit, ["compare", "--promise", "laplace=3", f"--{option}", value])
    assert way_out in compared.stderr


def test_a_dot_of_accuracy_is_the_least_noise(tmp_path):
    given = ["accuracy-against-risk", *GIVEN["accuracy-against-risk"], "--out", str(tmp_path / "x.svg")]
    assert "Each dot: the least noise that meets one limit or profile." in plot(*given).stdout


def test_what_several_promises_of_a_file_are_is_said_once_and_then_by_their_names(tmp_path):
    file, drawn = tmp_path / "two.toml", tmp_path / "two.svg"
    text = '[[promise]]\nname = "income"\nlaplace = 5\n\n[[promise]]\nname = "survey"\nepsilon = 0.3\n'
    file.write_text(text, encoding="utf-8")
    found = CliRunner().invoke(whit, ["plot", "posterior-against-prior", "--from", str(file), "--out", str(drawn)])
    assert found.exit_code == 0, found.output
    alt = drawn.read_text(encoding="utf-8").partition('aria-label="')[2].partition('"')[0]
    assert "income, survey: " in alt
    assert alt.count("scale = 5") == 1
