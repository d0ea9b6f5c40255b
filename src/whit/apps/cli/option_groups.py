"""The options of a command in groups, as its help lists them: what is used most stands first."""

from __future__ import annotations

from collections.abc import Iterable

import click

from whit import guarantees, mechanisms

PARAMETERS = "The promise, by its parameters"
NOISE = "The promise, by its noise or mechanism"
BESIDE = "More about the release"
OWN = "Options of this command"
OUTPUT = "Output"
DETAILS = "Details of some mechanisms"
AROUND = "Sampling, shuffling, thresholds and runs"

GROUPS: dict[str, tuple[str, ...]] = {
    PARAMETERS: ("--epsilon", "--delta", "--rho", "--mu", "--bounded-range"),
    NOISE: (),
    BESIDE: ("--releases", "--neighbours", "--sensitivity", "--noise", "--changes", "--from", "--promise"),
    "The adversary": (
        *("--prior", "--inclusion", "--value", "--knows", "--when", "--block", "--baseline", "--adversary"),
    ),
    "The questions": ("--question", "--failure", "--level", "--sides", "--people", "--population"),
    "What is acceptable": ("--limit", "--profile", "--keeping", "--requirements"),
    "The concern": ("--about", "--place", "--whole-record", "--presence", "--scenario"),
    OWN: (),
    OUTPUT: ("--all", "--why", "--out", "--json", "--help"),
    AROUND: (),
    DETAILS: (),
}
"""The groups in the order of the help, with the options of each; kinds of promise say theirs themselves."""


def write_groups(command: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Write the options of a command in their groups; a command with few options has one list."""
    parameters = command.get_params(ctx)
    kinds = _kinds() if any(each not in command.params for each in parameters) else {}
    listed: dict[str, list[tuple[str, str]]] = {title: [] for title in GROUPS}
    places = {name: at for names in GROUPS.values() for at, name in enumerate(names)}
    for each in sorted(parameters, key=lambda one: max(places.get(name, -1) for name in one.opts)):
        record = each.get_help_record(ctx) if isinstance(each, click.Option) else None
        if record is not None:
            listed[group_of(each.opts, kinds)].append(record)
    for title in GROUPS.keys() - {OWN, OUTPUT}:
        if len(listed[title]) == 1:  # one option makes no group
            listed[OWN].append(listed[title].pop())
    groups = {title: records for title, records in listed.items() if records}
    if set(groups) <= {OWN, OUTPUT}:
        groups = {"Options": [record for records in groups.values() for record in records]}
    for title, records in groups.items():
        with formatter.section(title):
            formatter.write_dl(records)


def group_of(options: Iterable[str], kinds: dict[str, str]) -> str:
    """The group of an option, by its spellings; an option that is in none is the command's own."""
    spelled = list(options)
    for title, names in GROUPS.items():
        if any(name in names for name in spelled):
            return title
    return next((kinds[name] for name in spelled if name in kinds), OWN)


def _kinds() -> dict[str, str]:
    """The groups of the options of every kind of promise."""
    around = [getattr(mechanisms, name).around.details for name in mechanisms.AROUND.values()]
    stated = [mechanisms.stated_by(kind) for kind in (*mechanisms.kinds(), *mechanisms.described())]
    found = {_option(each): DETAILS for details in stated for each in details[1:]}
    found |= {_option(each): AROUND for details in around for each in details}
    found |= {_option(details[0]): NOISE for details in stated}
    return found | {_option(mechanisms.stated_by(kind)[0]): PARAMETERS for kind in guarantees.kinds()}


def _option(detail: mechanisms.Detail) -> str:
    return f"--{detail.word.replace('_', '-')}"
