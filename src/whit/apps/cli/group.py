"""The command `whit` with its subcommands, each loaded when it is asked for; errors as sentences with an exit code."""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from importlib import import_module
from io import StringIO
from keyword import iskeyword
from typing import Any

import click
from click.shell_completion import CompletionItem

from whit.apps.asking.codes import INTERRUPTED, code_of
from whit.apps.cli.layout import printable, screen_width, wrapped
from whit.apps.cli.streams import prepare
from whit.errors import Unavailable, WhitError, nearest
from whit.files import sources_spared
from whit.version import VERSION

COMMANDS = {
    "assess": "What a release lets an adversary learn.",
    "recommend": "The least noise that meets a limit or a risk profile.",
    "check": "Whether a release meets limits and risk profiles: exit code 0, 1 or 3.",
    "compare": "Put the same questions to several promises.",
    "compose": "Add up several promises about the same people, of any kinds.",
    "claim": "What a claim means as it is stated, and what it leaves open.",
    "import": "What a file of another library says about a release.",
    "annotate": "Add risk columns to a table in a Parquet or CSV file.",
    "convert": "Convert a promise to another kind, and show the theorems used.",
    "explain": "The answers in plain words, for the public, officers or experts.",
    "plot": "A picture, as PNG, SVG, PDF or HTML.",
    "explorer": "One HTML file that answers in a browser and sends nothing.",
    "init": "Write a commented release file, by questions.",
    "report": "A whole report from one TOML file, as PDF, HTML, Word, Markdown or JSON.",
    "plan": "What a set of queries reveals about one sensitive fact.",
    "audit": "What is left after exact, rounded and suppressed tables: exit code 0, 1 or 3.",
    "catalogue": "Releases that were made, with their parameters and risks.",
    "ledger": "An account of releases: the risk so far, and what still fits.",
    "web": "The same questions and the ledger as web pages.",
    "theorem": "What a number rests on: statement, reference, assumptions, proof.",
    "schema": "What a command takes and answers, as JSON Schema.",
    "papers": "Recompute the numbers and figures of the five papers.",
}
"""The subcommands with their short help, which is known without loading them."""

OTHERWISE = {"proof": "whit theorem KEY --proof", "help": "whit --help", "version": "whit --version"}
"""What is meant by words that are options and no commands."""

ALLOCATIONS = 100_000
"""How many new objects there are between two searches for garbage; a command that loads and answers makes fewer."""


class Group(click.Group):
    """A group of commands that refuses an unknown one with those most like it, or with all of them."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is asked for."""
        asked, known = args[0], self.list_commands(ctx)
        if asked in known or asked.startswith("-"):
            return super().resolve_command(ctx, args)
        near = [OTHERWISE[asked]] if asked in OTHERWISE else nearest(asked, known)
        way_out = f"Did you mean {' or '.join(near)}?" if near else f"Use {', '.join(known)}."
        raise click.UsageError(f"{ctx.command_path} has no command {asked!r}. {way_out}", ctx)


class LazyGroup(Group):
    """A group of commands, each in a module of its own that is loaded when the command is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the list."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if cmd_name not in COMMANDS:
            return None
        word = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        found = getattr(import_module(f"whit.apps.cli.commands.{word}"), word)
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command without loading any."""
        names = [CompletionItem(name, help=said) for name, said in COMMANDS.items() if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; errors of whit, and those of files that nothing else foresaw, end it with a sentence."""
        try:
            with sources_spared():
                return super().invoke(ctx)
        except WhitError as error:
            raise Refused(error) from error
        except OSError as wrong:
            raise Refused(_of_system(wrong)) from wrong


class Refused(click.ClickException):
    """An error of whit, as its sentence and an exit code."""

    exit_code: int  # type: ignore[misc]  # of the class in click, but not the same for all errors

    def __init__(self, error: WhitError) -> None:
        super().__init__(import_module("whit.apps.asking.spelling").sentence(error))  # which help does not need
        self.exit_code = code_of(error)


def _of_system(wrong: OSError) -> Unavailable:
    """What the system refused, about a file that it names or about one that it does not."""
    name = f"the file {os.fsdecode(wrong.filename)}" if isinstance(wrong.filename, str | bytes) else "every file"
    way_out = "Look at names, rights and free space, and run the command again."
    return Unavailable(name, "must be one that can be read or written", wrong.strerror or str(wrong), way_out)


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        click.echo(f"whit {VERSION}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and stop."
)
def whit() -> None:
    """How much does a private release tell an adversary, and how little noise is enough?

    Start with `whit assess --epsilon 1`.

    Exit codes: 0 done, or allowed; 1 not allowed (`check`, `plan`, `audit`, `ledger`), or another number than expected
    (`papers`); 2 wrong input; 3 not shown, or no answer; 4 a library is missing; 130 interrupted.
    """


def main() -> None:
    """Run the command, on streams that are there.

    The linear algebra below numpy starts a thread for each core when it is loaded, unless somebody says how many it
    may use: a third of the time of a short answer, and no command has matrices that are large enough to gain by it.
    The search for garbage takes another fifth, while modules are loaded and again at the end, and finds none.
    """
    try:
        prepare()
        for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ.setdefault(threads, "1")
        gc.set_threshold(ALLOCATIONS)
        # Nobody is shown a warning of numpy. Tests and fuzzing run the commands with each of them as an error.
        warnings.simplefilter("ignore", RuntimeWarning)
        code = run()
    except KeyboardInterrupt:
        code = _interrupted()
    # The answer is out: who interrupts now ends the process, and is shown no traceback of its last steps.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if "duckdb" not in sys.modules:  # which complains about whatever is not freed at the end
        gc.freeze()
    sys.exit(code)


def run() -> int:
    """Run the command, and return its exit code, which no closed or full stream changes."""
    code: Any = 0
    try:
        code = whit.main(prog_name="whit", standalone_mode=False)
    except click.ClickException as wrong:
        code = wrong.exit_code
        _complain(wrong)
    except click.Abort:
        code = _interrupted()
    return int(code or 0)


def _complain(wrong: click.ClickException) -> None:
    """Say what is wrong, on standard error: wrapped to the width of a terminal, as one line elsewhere."""
    text = StringIO()
    wrong.show(text)
    said = printable(text.getvalue().rstrip("\n"))
    click.echo("\n".join(wrapped(said, screen_width())) if sys.stderr.isatty() else said, err=True)


def _interrupted() -> int:
    """Say that somebody ended the command, and return its exit code."""
    click.echo("Interrupted. No file is half written.", err=True)
    return INTERRUPTED
