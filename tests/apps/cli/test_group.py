from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import whit as package
from whit.apps.cli import whit
from whit.apps.cli.group import COMMANDS

ROOT = Path(__file__).parents[3]

# Large libraries that no closed-form answer needs.
LARGE = {"scipy", "altair", "fastapi", "vl_convert", "jinja2", "typst", "rich", "mpmath", "tomllib", "difflib"}

# Parts of numpy and of whit that cost a closed-form answer tens of milliseconds, and that it does not need either.
HEAVY = {
    "numpy.ma",
    "numpy.polynomial",
    "pathlib",
    "whit.curves.composition",
    "whit.guarantees.composition",
    "whit.guarantees.conversions.graph",
    "whit.mechanisms.gaussian",
    "whit.curves.contour.composition",
    "whit.plans",
    "whit.policy",
    "whit.persuasion",
    "whit.worlds",
    "whit.telling.words.language",
    "whit.curves.discrete_gaussian",
    "whit.curves.numerical",
}


def run(*arguments: str):
    return CliRunner().invoke(whit, list(arguments))


def in_a_process(*arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
    """The command in a fresh process, and then a line of Python."""
    called = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r})\nfrom whit.apps.cli import whit\n"
    called += f"whit({list(arguments)!r}, prog_name='whit', standalone_mode=False)\n{code}"
    return subprocess.run([sys.executable, "-c", called], check=False, capture_output=True, text=True)


def loaded_by(*arguments: str) -> set[str]:
    done = in_a_process(*arguments, code="print(*sys.modules)")
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_every_command_of_the_list_exists_and_says_what_it_does():
    for name in COMMANDS:
        result = run(name, "--help")
        assert result.exit_code == 0, result.output
        assert f"Usage: whit {name}" in result.output


def test_the_list_has_a_module_for_each_command_and_no_other():
    folder = ROOT / "src" / "whit" / "apps" / "cli" / "commands"
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert {name.removesuffix("_") for name in modules} == set(COMMANDS)


def test_every_command_has_json():
    inside = [f"ledger {name}" for name in ("init", "open", "reserve", "status", "verify")] + ["web token"]
    for name in [*(each for each in COMMANDS if each not in ("ledger", "web")), *inside]:
        assert "--json" in run(*name.split(), "--help").output


def test_the_help_lists_every_command_and_loads_none():
    done = in_a_process("--help", code="print('numpy' in sys.modules)")
    assert all(name in done.stdout for name in COMMANDS)
    assert done.stdout.endswith("False\n")


def test_the_version_is_that_of_the_package():
    assert run("--version").output == f"whit {package.__version__}\n"


def test_an_unknown_command_is_refused_with_the_one_that_was_meant():
    result = run("asses")
    assert result.exit_code == 2
    assert "assess" in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("more", [[], ["--json"], ["--why"], ["--question", "posterior"]], ids=" ".join)
def test_a_closed_form_answer_loads_nothing_large(more):
    loaded = loaded_by("assess", "--epsilon", "1", "--prior", "0.5", *more)
    assert {"whit", "numpy", "whit.guarantees.epsilon_delta"} <= loaded
    # What an answer assumes is said in the sentences of a TOML file, which only --why reads.
    assert loaded & (LARGE | HEAVY) == ({"tomllib"} if "--why" in more else set())


def test_one_question_loads_one_school():
    loaded = loaded_by("assess", "--epsilon", "1", "--question", "posterior")
    assert "whit.semantics.membership.bounds" in loaded
    assert {"whit.semantics.testing.powers", "whit.semantics.disclosure.risk"} & loaded == set()


def test_what_is_heavy_is_named_as_it_is_loaded():
    loaded = loaded_by("recommend", "--for", "gaussian", "--limit", "difference=0.2", "--failure", "0.01")
    assert {"whit.mechanisms.gaussian", "whit.policy"} <= loaded & HEAVY
    for name in HEAVY - {"numpy.ma", "numpy.polynomial", "pathlib"}:
        assert (ROOT / "src" / name.replace(".", "/")).with_suffix(".py").is_file() or (
            ROOT / "src" / name.replace(".", "/") / "__init__.py"
        ).is_file()


def test_the_list_of_loaded_modules_would_show_a_large_one():
    assert "mpmath" in {
        name.partition(".")[0]
        for name in in_a_process("--version", code="import mpmath; print(*sys.modules)").stdout.split()
    }


def test_the_names_of_commands_are_completed():
    done = subprocess.run(
        [sys.executable, "-m", "whit"],
        cwd=ROOT / "src",
        env={"_WHIT_COMPLETE": "bash_complete", "COMP_WORDS": "whit re", "COMP_CWORD": "1", "PATH": ""},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["plain,recommend", "plain,report"]


def test_python_dash_m_is_the_command():
    command = [sys.executable, "-m", "whit", "assess", "--epsilon", "1", "--question", "posterior", "--json"]
    done = subprocess.run(command, cwd=ROOT / "src", check=True, capture_output=True, text=True)
    assert json.loads(done.stdout)["command"] == "assess"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["assess", "--rho", "1", "--gaussian", "2"], 2, "--rho and --gaussian"),
        (["report", "release.toml"], 2, "Missing option '--out'. Give one, such as --out report.pdf."),
        (["ledger", "plot", "patients"], 2, "Missing option '--out'. Give one, such as --out year.png."),
        (["convert", "--epsilon", "1"], 2, "Missing option '--to'. Use epsilon, epsilon-delta, rho, mu,"),
        (["ledger", "backup"], 2, "Missing option '--out'. Give one, such as --out copy.ledger."),
        (["schema"], 2, "Missing argument 'COMMAND'. Use assess, "),
        (["ledger", "chek"], 2, "ledger has no command 'chek'. Did you mean check?"),
        (["ledger", "zzz"], 2, "ledger has no command 'zzz'. Use "),
        (["assess"], 2, "must be stated"),
        (["assess", "--epsilon", "one"], 2, "epsilon must be a number"),
        (["assess", "--epsilon", "nan"], 2, "epsilon must be a number"),
        (["assess", "--epsilon", "-1"], 2, "epsilon must be"),
        (["assess", "--epsilon", "1", "--prior", "1.5"], 2, "prior must be"),
        (["assess", "--epsilon", "1", "--prior", "0.5", "--value", "0.1"], 2, "--prior and --value"),
        (["assess", "--delta", "0.1"], 2, "--delta goes with --epsilon; got 0.1. Give both, such as --epsilon 1"),
        (
            ["assess", "--epsilon", "1", "--prior", "20"],
            2,
            "in [0, 1]; got 20. 20 % is 0.2.",
        ),
        (["assess", "--epsilon", "1", "--failure", "1"], 2, "failure must be below 1"),
        (["check", "--epsilon", "1", "--failure", "100 %", "--limit", "ratio=2"], 2, "failure must be below 1"),
        (["assess", "--laplace", "1", "--sensitivity", "table"], 2, "Use count, histogram, one number, or ADD:REPLACE"),
        (["assess", "--laplace", "2", "--laplace", "3"], 2, "--laplace may be given once"),
        (["assess", "--epsilon", "1", "--prior=0.1", "--prior", "0.2"], 2, "--prior may be given once"),
        (["assess", "--epsilon", "1", "--question", "postrior"], 2, "Did you mean posterior or"),
        (
            ["plot", "posterior", "--epsilon", "1", "--out", "a.svg"],
            2,
            "Did you mean posterior-against-prior or",
        ),
        (
            ["plot", "cake", "--epsilon", "1", "--out", "a.svg"],
            2,
            "PICTURE cannot be cake. Use accuracy-against-risk",
        ),
        (["convert", "--rho", "1", "--to", "epsilon-delta"], 2, "Give --at-delta 1e-6 or --at-epsilon 1."),
        (["convert", "--rho", "1", "--to", "renyi"], 2, "Give --orders 2,8,32."),
        (["convert", "--gaussian", "2", "--to", "beliefs"], 2, "such as --failure 0.001 and --population 10000."),
        (["assess", "--rho", "1", "--delta", "0.1"], 2, "--delta goes with --epsilon, and not with --rho"),
        (["assess", "--epsilon", "1", "--sensitivity", "2"], 2, "--sensitivity goes with noise"),
        (["assess", "--epsilon", "1", "--sampling-rate", "0.1"], 2, "--sampling-rate goes with noise"),
        (["assess", "--rho", "1", "--noise", "laplace"], 2, "--noise goes with --epsilon"),
        (["assess", "--epsilon", "1", "--times", "3"], 2, "No such option '--times'. Did you mean --releases?"),
        (["check", "--epsilon", "1", "--wanted-from", "x.toml"], 2, "No such option '--wanted-from'"),
        (["assess", "--epsilon", "1", "--releases", "0"], 2, "--releases must be a whole number"),
        (["assess", "--epsilon", "1", "--neighbours", "swap"], 2, "neighbours cannot be swap"),
        (["assess", "--epsilon", "1", "--failure", "2"], 2, "failure must be"),
        (["assess", "--epslon", "1"], 2, "--epsilon"),
        (["compare"], 2, "at least one promise"),
        (["compare", "--promise", "epsilon 1"], 2, "name=value"),
        (["compare", "--promise", "epsilom=1"], 2, "Did you mean epsilon"),
        (["recommend", "--for", "epsilon"], 2, "a limit or a profile must be given"),
        (["recommend", "--for", "epsilon", "--limit", "power=0.1"], 2, "goes with level"),
        (["recommend", "--for", "gaussian", "--limit", "difference=0.2"], 3, "failure"),
        (["recommend", "--for", "epsilon", "--profile", "relative=0.5"], 2, "relative"),
        (["convert", "--epsilon", "1", "--delta", "1e-6", "--to", "epsilon"], 3, "must be 0 for pure"),
        (["theorem", "zcdp-tial"], 2, "zcdp-tails"),
        (["plan", "census-2020"], 2, "the concern must be named once"),
        (["plan", "no-such-file.toml", "--presence"], 2, "no-such-file.toml"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_an_exit_code(arguments, code, said):
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert said in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.output
    assert isinstance(result.exception, SystemExit)


def test_exit_codes_are_documented_as_they_are():
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (\d+) \|", page, flags=re.MULTILINE) == ["0", "1", "2", "3", "4", "130"]


def test_the_command_lets_linear_algebra_have_one_thread_unless_somebody_says_otherwise(monkeypatch):
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    code = f"import os, sys; sys.path.insert(0, {str(ROOT / 'src')!r}); sys.argv = ['whit', '--version']\n"
    code += "from whit.apps.cli import main\ntry:\n    main()\nfinally:\n"
    code += "    print(os.environ['OPENBLAS_NUM_THREADS'], os.environ['OMP_NUM_THREADS'])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "1 3"


def test_an_option_that_may_be_repeated_and_a_flag_may_be_given_twice():
    asked = ["assess", "--epsilon", "1", "--question", "posterior", "--question", "power", "--why", "--why"]
    assert run(*asked).exit_code == 0


@pytest.mark.parametrize(
    ("option", "hint"),
    [
        ("--sigma", "No such option '--sigma'. Did you mean --gaussian or --discrete-gaussian?"),
        ("--limitx", "No such option '--limitx'. Did you mean --limit?"),
        ("--jsx", "No such option '--jsx'."),
        ("--version", "No such option '--version'."),
    ],
)
def test_an_unknown_option_names_those_that_are_meant(option, hint):
    result = CliRunner().invoke(whit, ["check", option, "2"])
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == f"Error: {hint}"
