from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from whit.apps.cli import whit
from whit.apps.cli.group import COMMANDS
from whit.apps.cli.option_groups import GROUPS
from whit.apps.cli.options import PromiseCommand
from whit.assessment import QUESTIONS
from whit.mechanisms import kinds
from whit.theory import THEOREMS

ROOT = Path(__file__).parents[3]


def sections(command: str) -> dict[str, list[str]]:
    """The options of a help text by the heading above them."""
    found: dict[str, list[str]] = {}
    for line in CliRunner().invoke(whit, [command, "--help"]).stdout.splitlines():
        if line.endswith(":") and not line.startswith(" "):
            found[line.rstrip(":")] = []
        elif found and (match := re.match(r"  (?:-h, )?(--[a-z-]+)", line)):
            found[list(found)[-1]].append(match[1])
    return found


@pytest.mark.parametrize("command", [each for each in COMMANDS if each != "ledger"])
def test_help_lists_every_option_once_in_a_group(command):
    loaded = whit.get_command(click.Context(whit), command)
    assert loaded is not None
    context = click.Context(loaded, help_option_names=["-h", "--help"])
    context.meta["whit.apps.cli.options"] = None
    options = [each.opts[-1] for each in loaded.get_params(context) if isinstance(each, click.Option)]
    listed = [name for names in sections(command).values() for name in names]
    assert sorted(listed) == sorted(options)


def test_the_groups_of_assess_stand_in_their_order_and_what_is_used_most_stands_first():
    found = sections("assess")
    titles = list(found)
    assert titles == [title for title in GROUPS if title in titles]
    assert titles[0] == "The promise, by its parameters"
    assert found[titles[0]] == ["--epsilon", "--delta", "--rho", "--mu", "--bounded-range"]
    assert {f"--{kind.parameter.option}" for kind in kinds()} <= set(found["The promise, by its noise or mechanism"])
    assert found["The adversary"][0] == "--prior"
    assert found["The questions"][:2] == ["--question", "--failure"]
    assert "--sampling-rate" in found["Sampling, shuffling, thresholds and runs"]
    assert "--gamma" in found["Details of some mechanisms"]


def test_a_command_with_few_options_has_one_list():
    assert list(sections("theorem")) == ["Options"]


def test_help_and_error_name_every_question():
    said = CliRunner().invoke(whit, ["assess", "--help"]).stdout
    names = [name.replace("_", "-") for name in QUESTIONS]
    flat = re.sub(r"-\s+", "-", said)
    assert all(re.search(rf"[ \n]{name}[,.]", flat) for name in names)
    refused = CliRunner().invoke(whit, ["assess", "--epsilon", "1", "--question", "xyz"])
    assert refused.exit_code == 2
    assert refused.stderr.startswith("Error: --question cannot be xyz. Use ")
    assert all(f"{name}," in refused.stderr or f"{name}." in refused.stderr for name in names)


def completions(*words: str) -> list[str]:
    """What the shell offers for the last of the words."""
    line = " ".join(words)
    settings = {"_WHIT_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1), "PATH": ""}
    command = [sys.executable, "-m", "whit"]
    done = subprocess.run(command, cwd=ROOT / "src", env=settings, check=False, capture_output=True, text=True)
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("assess", "--gaus"), {"plain,--gaussian", "plain,--gaussian-mixture"}),
        (("assess", "--epsilon", "1", "--question", "ra"), {"plain,ratio"}),
        (("recommend", "--for", "lap"), {"plain,laplace"}),
        (("import", "rel"), {"file,rel"}),
        (("plot", "fam"), {"plain,families-side-by-side"}),
        (("plot", "families-side-by-side", "--for", "laplace", "--for", "tu"), {"plain,tulap"}),
        (("assess", "--noise", "geo"), {"plain,geometric"}),
        (("assess", "--from", "rel"), {"file,rel"}),
        (("plan", "cen"), {"plain,census-2020"}),
        (("plan", "my"), {"file,my"}),
        (("convert", "--to", "ren"), {"plain,renyi"}),
        (("catalogue", "us-census-county"), {"plain,us-census-county-business-patterns"}),
        (("theorem", "zcdp-"), {f"plain,{key}" for key in THEOREMS if key.startswith("zcdp-")}),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else None,
)
def test_the_shell_completes_options_words_keys_and_files(words, offered):
    assert set(completions("whit", *words)) == offered


def test_completion_offers_every_kind_of_promise():
    loaded = whit.get_command(click.Context(whit), "assess")
    assert isinstance(loaded, PromiseCommand)
    offered = set(completions("whit", "assess", "--"))
    assert {f"plain,--{kind.parameter.option}" for kind in kinds()} <= offered
