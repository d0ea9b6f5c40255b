"""A command by its name and values by theirs: what is refused, what files may be, and that the command line agrees."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from whit.apps.asking import COMMANDS, Told, ask, command_named, sentence
from whit.apps.cli import whit
from whit.apps.cli.group import COMMANDS as PRINTED
from whit.assessment import assess
from whit.errors import Incompatible, InvalidInput, UnknownKey, WhitError
from whit.guarantees import PureDP
from whit.setting import Adversary

SOURCE = Path(__file__).parents[3] / "src"


def test_every_command_that_may_be_asked_is_one_of_the_command_line():
    assert set(COMMANDS) <= set(PRINTED)
    assert [command_named(name).name for name in COMMANDS] == list(COMMANDS)


def test_what_is_told_is_what_the_library_finds():
    told = ask("assess", {"epsilon": "1", "prior": 0.1, "question": ["posterior"]})
    assert isinstance(told, Told)
    [answer] = told.answers.named
    assert answer.answer == assess(PureDP(1.0), Adversary(prior=0.1)).posterior
    assert told.opening.startswith("The adversary's belief in the truth goes from 10 %")
    assert told.code == 0


def test_texts_numbers_and_lists_say_the_same():
    said = ask("check", {"epsilon": 1, "limit": "difference=0.3", "failure": None})
    assert said == ask("check", {"epsilon": "1", "limit": ["difference=0.3"]})
    as_a_table = ask("check", {"epsilon": 1.0, "limit": [{"difference": 0.3}]})
    assert as_a_table.answers.document() == said.answers.document()


@pytest.mark.parametrize(
    ("command", "values", "error", "said"),
    [
        ("assess", {"epsilonn": 1}, InvalidInput, "--epsilonn is not known here.*Did you mean --epsilon"),
        ("theorem", {"keyy": "x"}, InvalidInput, "--keyy is not known here.*Did you mean --key"),
        ("assess", {"epsilon": 1, "limit": "power=0.1"}, InvalidInput, "--limit is not known here"),
        ("asess", {}, UnknownKey, "Did you mean assess"),
        ("assess", {"epsilon": 1, "question": [3]}, InvalidInput, "--question must be a text; got 3"),
        ("assess", {"epsilon": 1, "why": "perhaps"}, UnknownKey, "--why cannot be"),
        ("convert", {"epsilon": 1}, InvalidInput, "--to must be given"),
        ("claim", {}, InvalidInput, "--claim must be given"),
        ("assess", {"from": {"words": "x"}}, InvalidInput, "--from must be the text of a file"),
        ("assess", {"epsilon": [1, 2]}, InvalidInput, "--epsilon must be a number"),
        ("check", {"epsilon": 1, "limit": [{"dif": 1}]}, InvalidInput, "dif of a limit is not known here"),
        ("compare", {"promise": [{"rho": 1, "mu": 1}]}, Incompatible, "must be stated once"),
    ],
)
def test_what_is_wrong_is_refused_with_its_name(command, values, error, said):
    with pytest.raises(error, match=said):
        ask(command, values)


def test_a_file_may_come_as_its_text_and_reads_no_other():
    text = "[promise]\nepsilon = 1\n[[adversary]]\nprior = 0.1\n"
    told = ask("assess", {"from": {"name": "release.toml", "text": text}, "question": "posterior"})
    assert told.answers.named[0].answer == ask("assess", {"epsilon": 1, "prior": 0.1}).answers.named[0].answer
    with pytest.raises(InvalidInput, match="release.toml, line 2"):
        ask("assess", {"from": {"name": "release.toml", "text": "[promise]\nepsilon = -1\n"}})
    outside = '[promise]\nepsilon = 1\n[profile]\ntable = "/etc/passwd"\n'
    with pytest.raises(InvalidInput, match="must lie beside the one that names it"):
        ask("check", {"from": {"text": outside}})


def test_a_plan_may_come_as_its_text():
    text = 'name = "p"\nunit = "person"\nneighbours = "replace"\nlevels = ["Town"]\n'
    text += '[[query]]\nname = "q"\nattributes = ["age"]\nlevel = "Town"\nrho = 0.1\n'
    told = ask("plan", {"file": {"name": "p.toml", "text": text}, "about": "age"})
    assert told.answers.result["queries"] == 1


def test_a_message_has_the_names_of_its_command():
    with pytest.raises(WhitError, match="at_delta=1e-06") as wrong:
        ask("convert", {"gaussian": 1, "to": "epsilon-delta"})
    assert "--at-delta 1e-6" in sentence(wrong.value)


REQUESTS = [
    ("assess", {"rho": 0.1, "failure": 0.01, "why": True}),
    ("assess", {"epsilon": 1, "delta": 1e-6, "question": ["posterior"]}),
    ("check", {"epsilon": 1, "limit": ["difference=0.2"], "remedy": True}),
    ("recommend", {"limit": ["difference=0.2"], "for": "gaussian", "releases": 12, "failure": 0.01}),
    ("recommend", {"limit": ["difference=0.2"], "for": "laplace", "sensitivity": "histogram"}),
    ("convert", {"rho": 0.1, "to": "epsilon-delta", "at_delta": 1e-6}),
    ("convert", {"rho": 0.1, "to": "all"}),
    ("compose", {"promise": ["epsilon=1", "gaussian=2"], "at_delta": [1e-6]}),
    ("compare", {"promise": ["epsilon=1", "rho=0.1"]}),
    ("explain", {"epsilon": 1, "language": "de"}),
    ("plan", {"file": "census-2020", "scenario": "A", "costs": True}),
    ("catalogue", {"unit": "establishment"}),
    ("theorem", {"key": "zcdp-tails", "proof": True}),
    ("claim", {"claim": "epsilon=2, unit=user"}),
]
ARGUMENTS = {"claim": "claim", "plan": "file", "theorem": "key", "catalogue": "key"}
"""The values that a command line takes without their names."""


def options(command: str, values: dict[str, object]) -> list[str]:
    """A request as somebody types it."""
    typed = [command]
    for name, value in values.items():
        listed = value if isinstance(value, list) else [value]
        for each in listed:
            spelled = [] if name == ARGUMENTS.get(command) else [f"--{name.replace('_', '-')}"]
            typed += spelled if each is True else [*spelled, str(each)]
    return typed


@pytest.mark.parametrize(("command", "values"), REQUESTS, ids=lambda each: str(each)[:60])
def test_the_command_line_prints_what_is_told(command, values):
    told = ask(command, values)
    typed = options(command, values)
    document = CliRunner().invoke(whit, [*typed, "--json"])
    assert json.loads(document.stdout) == told.answers.document()
    printed = CliRunner().invoke(whit, typed)
    assert (document.exit_code, printed.exit_code) == (told.code, told.code)
    shown = " ".join(printed.stdout.split())
    for text in (
        told.opening,
        *told.notes,
        told.page,
        *(cell for each in told.tables for row in each.rows for cell in row),
    ):
        assert " ".join(text.split()) in shown


def test_asking_loads_no_command_line_and_no_web():
    code = f"import sys; sys.path.insert(0, {str(SOURCE)!r})\n"
    code += "from whit.apps.asking import ask\nask('assess', {'epsilon': 1})\n"
    code += (
        "print(sorted({'click', 'rich', 'fastapi', 'json.schema'} & set(sys.modules)), 'whit.ledger' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split("\n")[0] == "[] False"
