"""`whit compare`: several promises beside each other."""

from __future__ import annotations

from itertools import product

import click

from whit import spec
from whit.apps.cli.commands.assess import assess_all, form_inputs, who
from whit.apps.cli.options import ADVERSARY, PromiseCommand, filled_in, json_option, names_of
from whit.apps.cli.output import Answers, end_unanswered, in_words, named, say, short, show, working
from whit.errors import InvalidInput

USUAL = ("posterior", "expected_posterior", "power", "advantage")
"""What is compared unless other questions are asked."""

_SEVERAL = 'Give --promise "epsilon=1" --promise "rho=0.1", or --from FILE with several [[promise]].'


@click.command(cls=PromiseCommand, short_help="Several promises beside each other.")
@filled_in(*ADVERSARY, "baseline", "failure", "sides", "level", "question", several=True)
@json_option
def compare(form: spec.Form, as_json: bool) -> None:
    """The same questions put to several promises, one line each.

    A promise is written with the names of the options: "epsilon=17.14, delta=1e-10". The noise that keeps a promise, if
    it is known, is said with it: "rho=2.56, noise=gaussian". "name=..." gives it a name of its own. Without --question
    it is posterior, expected-posterior, power and advantage, and with --baseline the success of a guess.
    """
    if not form.promises:
        raise InvalidInput("what is compared", "must be at least one promise", "none", _SEVERAL)
    guesses = all(asker.adversary.baseline is not None for asker in form.askers)
    usual = (*USUAL, "success") if guesses else USUAL
    names = form.asked.names or usual
    if "worst_prior" in names:
        raise InvalidInput("--question", "must be one number to compare by", "worst-prior", "Leave it out.")
    promises = list(zip(names_of(form), form.promises, strict=True))
    with working("Comparing"):
        rows = []
        for asker, (name, series) in product(form.askers, promises):
            found = assess_all(form, series, asker, usual)
            answers_of_one = named(name, [(each, getattr(found, each)) for each in names], by=asker.name)
            rows.append((asker, series, answers_of_one))
    asked = {"promises": {name: repr(series.together) for name, series in promises}, **form_inputs(form)}
    answers = Answers("compare", asked, tuple(each for _, _, row in rows for each in row))
    if as_json:
        say(answers.document())
    else:
        head = ["promise", "neighbours", *(name.replace("_", " ") for name in names)]
        for asker in form.askers:
            cells = [
                [row[0].of, in_words(series.neighbours), *(short(each.answer) for each in row)]
                for by, series, row in rows
                if by is asker
            ]
            show(head, cells, title=f"{asker.name}: {who(form, asker)}" if asker.name else who(form, asker))
    end_unanswered(answers)
