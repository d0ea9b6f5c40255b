"""The command `whit` with its subcommands; a subcommand is loaded when it is asked for."""

from __future__ import annotations

import gc
import os
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from whit.apps.cli.exits import told_as_sentences
from whit.apps.cli.written import nearest
from whit.version import VERSION

COMMANDS = {
    "assess": "What one promise lets one adversary learn.",
    "recommend": "The least noise that keeps to a risk profile or a limit.",
    "check": "Whether a promise or a plan keeps to a profile or a limit: exit code 0 or 1.",
    "compare": "Several promises beside each other.",
    "convert": "What another kind of promise follows, and by which theorems.",
    "explain": "The answers in words, for the public, for officers or for experts.",
    "plot": "A picture, as PNG, SVG, PDF or HTML.",
    "report": "A whole report from one TOML file, as HTML, PDF, Markdown or JSON.",
    "plan": "What many queries together leave somebody with a concern.",
    "catalogue": "Releases that were really made, with their risks.",
    "theorem": "What a number rests on: statement, reference, assumptions, proof.",
    "papers": "The numbers and figures of the five papers, again.",
}
"""The subcommands with their short help, which is known without loading them."""

ALLOCATIONS = 100_000
"""How many new objects there are between two searches for garbage; a command that loads and answers makes fewer."""


class LazyGroup(click.Group):
    """A group of commands, each in a module of its own that is loaded when the command is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the list."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if cmd_name not in COMMANDS:
            return None
        found = getattr(import_module(f"whit.apps.cli.commands.{cmd_name}"), cmd_name)
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is asked for; an unknown one is refused with those most like it."""
        asked = args[0]
        if asked in COMMANDS or asked.startswith("-"):
            name, command, rest = super().resolve_command(ctx, args)
            if command is not None and not ctx.resilient_parsing:
                require_once(click.Context(command, parent=ctx, info_name=name), rest)
            return name, command, rest
        near = nearest(asked, COMMANDS) or list(COMMANDS)
        raise click.UsageError(f"there is no command {asked!r}. Perhaps one of these is meant: {', '.join(near)}.", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command without loading any."""
        names = [CompletionItem(name, help=said) for name, said in COMMANDS.items() if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; errors of whit end it with a sentence."""
        with told_as_sentences():
            return super().invoke(ctx)


def require_once(ctx: click.Context, args: list[str]) -> None:
    """Refuse an option that is given twice, of which only the last would count."""
    try:
        _, _, given = ctx.command.make_parser(ctx).parse_args(args=list(args))
    except click.UsageError:
        return  # the command says so itself
    for each in given:
        if isinstance(each, click.Option) and not (each.multiple or each.is_flag) and given.count(each) > 1:
            raise click.UsageError(f"{each.opts[0]} may be given once. Leave out one of them.", ctx)


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        click.echo(f"whit {VERSION}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and stop."
)
def whit() -> None:
    """How much wiser can a private release make an adversary, and how little noise keeps them from it?

    Exit codes: 0 all went well; 1 `check` says no, or `papers` finds another number; 2 wrong input; 3 no answer; 4 a
    library is missing.
    """


def main() -> None:
    """Run the command.

    The linear algebra below numpy starts a thread for each core when it is loaded, unless somebody says how many it
    may use: a third of the time of a short answer, and no command has matrices that are large enough to gain by it.
    The search for garbage takes another fifth, while modules are loaded and again at the end, and finds none.
    """
    for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(threads, "1")
    gc.set_threshold(ALLOCATIONS)
    try:
        whit(prog_name="whit")
    finally:
        gc.freeze()
