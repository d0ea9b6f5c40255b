"""What somebody types who is new to whit: each mistake is told in a sentence with a way out, and exit code 2."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from whit.apps.cli import whit

MISTAKES = [
    (["assess", "--epsilon"], "--epsilon must have a value; got nothing. Write --epsilon NUMBER."),
    (["assess", "--epsilon", "1,5"], "--epsilon must be a number; got 1,5. Write 1.5."),
    (["assess", "--epsilon", "1,500"], "got 1,500. Write 1500, or 1.500 with a point."),
    (["assess", "--laplace", "1", "--releases", "1,000"], "got 1,000. Write 1000."),
    (["assess", "--laplace", "1", "--releases", "1,5"], "must be a whole number; got 1,5. Use a number such as 12."),
    (["assess", "--epsilon", "1", "--prior", "0,1"], "--prior must be a number; got 0,1. Write 0.1."),
    (["assess", "--epsilon", "1", "--prior", "110%"], "in [0, 1]; got 110%. Use a share from 0 % to 100 %."),
    (["assess", "--epsilon", "1", "--prior", "10"], "in [0, 1]; got 10. 10 % is 0.1."),
    (["assess", "--epsilon", "1", "--delta", "-1e-6"], "in [0, 1]; got -1e-6. Use a number such as 0.1."),
    (["assess", "--eps", "1"], "No such option '--eps'. Did you mean --epsilon?"),
    (["assess", "epsilon=1"], "'epsilon=1' has no option before it. Write --epsilon 1."),
    (["assess", "f.toml"], "'f.toml' has no option before it. A file goes with --from: --from f.toml."),
    (["check", "--epsilon", "1", "--limit", "difference=200%"], "got 200%. Use a share from 0 % to 100 %."),
    (
        ["compose", "--promise", "epsilon=1; delta=1e-6"],
        'a comma between its parts; got epsilon=1; delta=1e-6. Write "',
    ),
    (["claim"], "Missing argument 'CLAIM'. Give one, such as \"epsilon=2, delta=1e-6, unit=user\"."),
    (["claim", "gaussian=0,8"], 'gaussian in "gaussian=0,8" must be a number with a point; got 0,8. Write 0.8.'),
    (["claim", "gaussian=1, 2"], "a claim must be made of name=value; got 2."),
    (
        ["check", "--epsilon", "1", "--limit", "posterior=0,3; prior=0,1"],
        'in its numbers and commas between its parts; got posterior=0,3; prior=0,1. Write "posterior=0.3, prior=0.1".',
    ),
    (
        ["check", "--epsilon", "1", "--limit", "posterior=0.3, prior=0.1, failure=0.01"],
        "is no part of a limit; got 0.01. Use --failure 0.01.",
    ),
    (
        ["compare", "--promise", "noise_multiplier=0.8, sampling_rate=0.004, steps=20000, name=model"],
        'Write "gaussian=0.8, sampling-rate=0.004, releases=20000, name=model, sensitivity=1:2" (',
    ),
    (["claim", "epsilon=1, local=true"], 'got local. Write "epsilon=1, neighbours=local".'),
    (["claim", "epsilon=1, units=user"], "Did you mean unit or"),
    (["claim", "epsilon=1, foo=1"], "Use unit, period, covers, contributions, unprotected, adaptive, sampling,"),
    (["proof"], "whit has no command 'proof'. Did you mean whit theorem KEY --proof?"),
    (["theorem", "nosuch"], "No theorem has the key nosuch. There are "),
    (["papers", "nosuch"], "PAPER cannot be nosuch. Use BBRR26, KAA22, KR24, KS14, KSZJY25."),
    (["init", "new.toml", "--language", "it"], "--language cannot be it. Use de, en, fr."),
    (["report", "f.toml", "--out", "r.md", "--language", "it"], "cannot be it. Use de, en, fr."),
    (["check", "--epsilon", "1", "--limit", "posterior<0.3"], 'between them, such as "posterior=0.3, prior=0.1".'),
    (["check", "--epsilon", "1", "--profile", "relative"], 'between them, such as "relative=4, absolute=0.2".'),
    (["assess", "--gaussian", "2", "--delta", "1e-6"], "For the epsilon at a delta: whit convert, with --to epsilon-"),
    (
        ["assess", "--epsilon", "1", "--question", "posterior, power"],
        "must be one question; got posterior, power. Name each by itself: --question posterior --question power.",
    ),
    (["claim", "--epsilon", "1"], "No such option '--epsilon'. A claim is one text: whit claim \"epsilon=...\"."),
    (
        ["report", "f.toml", "--out", "r.md", "--date", "31.1.2026"],
        "must be a day; got 31.1.2026. Write it as 2026-01-31.",
    ),
    (
        ["ledger", "status", "--ledger", "no.ledger"],
        "Check the path, or begin a new one: whit ledger init --ledger no.",
    ),
    (["import", "nosuch.json"], "the file nosuch.json must be readable (No such file or directory); got nosuch.json. "),
]


@pytest.mark.parametrize(
    ("command", "content", "said"),
    [
        (
            "import",
            "[promise]\nepsilon = 1\n",
            "got a release file of whit. Ask about it by --from, as in whit assess --from",
        ),
        ("audit", "[table]\nsigma = 1,5  # wide\n", "got sigma = 1,5 # wide. Write sigma = 1.5."),
    ],
)
def test_a_first_mistake_in_a_file_is_told_with_a_way_out(command, content, said, tmp_path):
    file = tmp_path / "f.toml"
    file.write_text(content, encoding="utf-8")
    found = CliRunner().invoke(whit, [command, str(file)])
    assert found.exit_code == 2, found.output
    assert said in found.stderr


@pytest.mark.parametrize(("typed", "said"), MISTAKES, ids=[" ".join(typed) for typed, _ in MISTAKES])
def test_a_first_mistake_is_told_with_a_way_out(typed, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(whit, typed)
    assert found.exit_code == 2, found.output
    assert said in found.stderr
    assert found.stderr.rstrip().endswith((".", "?"))


def test_a_paper_is_named_in_small_letters_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "KS14" in CliRunner().invoke(whit, ["papers", "ks14"]).stdout
