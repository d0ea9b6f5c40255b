"""Questions by a grammar: a command and values by name, as the interface for programs and the library take them."""

from __future__ import annotations

import json
from typing import Any

from fuzz.draw import Draw
from fuzz.readers import READERS
from whit.apps.asking import COMMANDS, ask
from whit.spec import without_files

KINDS = (
    *("epsilon", "epsilon", "epsilon", "rho", "mu", "gaussian", "laplace", "geometric", "discrete_gaussian"),
    *("bounded_range", "staircase", "tulap", "randomized_response", "unary_encoding", "exponential_mechanism"),
    *("permute_and_flip", "noisy_max", "sparse_vector", "matrix", "toeplitz", "square_root", "tree_aggregation"),
    *("gaussian_mixture", "partition_selection", "rappor", "published_sample", "outcomes", "covariance"),
)
BESIDE = {
    "delta": Draw.number,
    "releases": Draw.whole,
    "sampling_rate": Draw.number,
    "records": Draw.whole,
    "sample_size": Draw.whole,
    "drawn_from": Draw.whole,
    "threshold": Draw.number,
    "keys": Draw.whole,
    "shuffled": Draw.whole,
    "runs": Draw.number,
    "gamma": Draw.number,
    "step": Draw.number,
    "categories": Draw.whole,
    "positives": Draw.whole,
    "rounds": Draw.whole,
    "bands": Draw.whole,
    "p": Draw.number,
    "q": Draw.number,
}
WORDS = {
    "noise": ("gaussian", "laplace", "geometric", "discrete_gaussian"),
    "sensitivity": ("count", "histogram", "1:2", "1:1+1", "0.5", "2", "0", "1+1:2+2"),
    "changes": ("any", "full"),
    "neighbours": ("add-remove", "replace", "local"),
    "knows": ("any-belief", "everyone-else"),
    "when": ("end", "ever"),
    "sides": ("1", "2"),
    "question": ("posterior", "power", "ratio", "difference", "odds", "advantage", "total_variation", "worst_prior"),
    "to": ("all", "epsilon", "rho", "mu", "renyi", "profile"),
    "for": ("gaussian", "laplace", "geometric", "epsilon", "rho", "mu", "discrete_gaussian", "staircase"),
    "audience": ("public", "officer", "technical"),
    "language": ("en", "de", "fr"),
    "unit": ("person", "user", "establishment"),
    "key": ("zcdp-tails", "advanced-composition", "census"),
    "about": ("age", "sex", "age, sex"),
    "place": ("Town within Country", "anywhere"),
    "rule": ("equal", "basic"),
    "papers": ("ks14", "kr24"),
    "strategy": ("1 0; 1 1", "1"),
    "coefficients": ("1 0.5", "1"),
    "participation": ("once", "10 epochs", "100 apart at most 5 times"),
    "amounts": ("0 1 2", "1"),
    "chances": ("0.81 0.18 0.01", "1"),
    "against": ("0.5 0.5", "0.2 0.8"),
    "added": ("1 0; 0 1", "1"),
    "replaced": ("1 -1", "1"),
    "runs_shape": ("geometric", "logarithmic", "poisson", "0.5"),
}
FLAGS = ("all", "why", "costs", "whole_record", "presence", "proof", "differing", "remedy", "symmetric", "monotone")
LIMITS = (
    *("difference={}", "posterior={}, prior={}", "power={}, level={}", "advantage={}", "odds={}, prior={}", "ratio={}"),
    *("posterior={}, prior=0.001..0.01", "relative_risk={}, inclusion={}, value={}", "total_variation={}", "{}={}"),
)
PROFILES = (
    "relative={}",
    "relative={}, absolute={}",
    "relative={}, absolute={}, value={}",
    "difference={}",
    "table={}",
)
CLAIMS = ("epsilon={}, unit=user", "epsilon={}, delta={}, unit=person", "rho={}", "mu={}, releases={}", "epsilon={}")
TEXTS = {"limit": LIMITS, "profile": PROFILES, "keeping": ("epsilon={}, delta={}", "rho={}"), "claim": CLAIMS}


def promise(draw: Draw) -> dict[str, str]:
    """A promise by its words: mostly one kind with its number, sometimes more beside it."""
    kind = draw.choice(KINDS)
    found = {kind: draw.choice(("1", "0.5", "2 1; 1 2")) if kind in ("covariance", "outcomes") else draw.number()}
    if draw.random() < 0.5:
        found["releases"] = draw.whole()
    for _ in range(draw.choice((0, 0, 0, 1, 1, 2))):
        name = draw.choice((*BESIDE, *("sensitivity", "neighbours", "noise", "changes")))
        found[name] = value_of(draw, name)
    return found


def value_of(draw: Draw, name: str) -> str:
    """A value that may go with a name."""
    if draw.random() < 0.2 * draw.wildness:
        return draw.token(())
    if name in WORDS:
        return draw.choice(WORDS[name])
    if name in TEXTS:
        return filled(draw, draw.choice(TEXTS[name]))
    if name == "promise":
        return ", ".join(f"{key}={value}" for key, value in promise(draw).items())
    return BESIDE.get(name, Draw.number)(draw)


def filled(draw: Draw, pattern: str) -> str:
    """A pattern with a number in each gap."""
    while "{}" in pattern:
        pattern = pattern.replace("{}", draw.number().replace("{}", ""), 1)
    return pattern


OWN = {
    "assess": (
        "prior",
        "inclusion",
        "value",
        "knows",
        "when",
        "block",
        "failure",
        "sides",
        "level",
        "people",
        "question",
    ),
    "check": ("profile", "limit", "keeping", "failure", "sides", "remedy"),
    "recommend": (
        "profile",
        "limit",
        "keeping",
        "failure",
        "for",
        "releases",
        "delta",
        "total_delta",
        "neighbours",
        "digits",
    ),
    "convert": ("to", "at_delta", "at_epsilon", "sides", "orders", "failure", "population", "group"),
    "compose": ("promise", "promise", "prior", "failure", "level", "question", "at_delta", "at_epsilon"),
    "compare": ("promise", "promise", "prior", "failure", "level", "question", "knows"),
    "claim": ("claim", "prior", "knows", "failure", "level"),
    "explain": ("prior", "failure", "level", "audience", "language", "inclusion", "value", "population"),
    "plan": ("prior", "inclusion", "value", "failure", "limit", "about", "place", "whole_record", "presence", "costs"),
    "catalogue": ("key", "unit"),
    "theorem": ("key", "proof"),
    "papers": ("papers",),
}
STATES_ONE = ("assess", "check", "convert", "explain")


def words(draw: Draw) -> tuple[str, dict[str, str | list[str]]]:
    """A command and values by name, all as texts."""
    draw.begin()
    command = draw.choice([each for each in COMMANDS if each != "papers"])
    values: dict[str, str | list[str]] = dict(promise(draw)) if command in STATES_ONE else {}
    names = OWN[command]
    for name in draw.sample(names, min(len(names), draw.choice((0, 1, 1, 2, 3, 5)))):
        value = "yes" if name in FLAGS else value_of(draw, name)
        values[name] = [value, value_of(draw, name)] if name == "promise" else value
    if command == "claim":
        values.setdefault("claim", value_of(draw, "claim"))
    if command in ("check", "recommend") and draw.random() < 0.9:
        values.setdefault("limit", value_of(draw, "limit"))
    if command == "recommend":
        values.setdefault("for", value_of(draw, "for"))
    if draw.random() < 0.1 * draw.wildness:
        values[draw.token(tuple(BESIDE))] = draw.number()
    return command, values


def options(values: dict[str, str] | dict[str, str | list[str]]) -> list[str]:
    """Values as the options of a command line."""
    found: list[str] = []
    for name, value in values.items():
        option = f"--{name.replace('_', '-')}"
        for each in value if isinstance(value, list) else [value]:
            found += [option] if name in FLAGS else [option, str(each)]
    return found


def document(draw: Draw) -> tuple[str, dict[str, Any]]:
    """The same as a body in JSON has it: numbers as numbers, texts of files, lists and tables where none belong."""
    command, said = words(draw)
    values: dict[str, Any] = {name: _as_json(draw, value) for name, value in said.items()}
    if command == "plan":
        values["file"] = {"name": "plan.toml", "text": READERS[1].drawn(draw)}
    elif command in STATES_ONE and draw.random() < 0.1:
        values = {"from": {"name": "r.toml", "text": READERS[0].drawn(draw)}}
    return command, values


def _as_json(draw: Draw, value: str | list[str]) -> object:
    if isinstance(value, list) or draw.random() < 0.3:
        return value
    if draw.random() < 0.2 * draw.wildness:
        return draw.choice((None, [], {}, [value], {"name": value}, True, [[value]], {"text": 1}, 10**400, -1))
    try:
        return json.loads(value)
    except ValueError:
        return value


def answered(command: str, values: dict[str, Any]) -> str:
    """What is answered, as one document; no file of this machine is read."""
    with without_files():
        return ask(command, values).answers.text()
