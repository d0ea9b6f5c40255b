"""What the interface for programs takes an answer to cost, beside the processor time that it takes.

    python benchmarks/api_cost.py

Each question is asked once, of a process that has answered others before, as a server has. It fails where the interface
would refuse what takes less than a second, or would begin at once what takes longer than it allows.
"""

from __future__ import annotations

import itertools
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

from whit import guarantees, mechanisms, spec
from whit.apps.web.api.answering import document_of
from whit.apps.web.api.cost import cost_of
from whit.apps.web.workers import QUICK, Workers
from whit.errors import TooCostly, WhitError
from whit.papers import PAPERS

SMALL, MOST, PATIENCE, MEMORY = 1.0, 15.0, 300.0, 2_000_000_000
"""Seconds that nobody should be refused; the most seconds of a question by processor and by clock; bytes."""

LIMIT = "posterior=0.3, prior=0.1"
SURE = {"failure": 0.01}
PARAMETERS = {
    "discrete_gaussian": 2,
    "gaussian": 2,
    "laplace": 2,
    "rho": 0.1,
    "mu": 0.5,
    "bounded_range": 0.5,
    "geometric": 0.5,
}
"""Parameters of promises; 1 for those that are not here."""

WARM: list[tuple[str, dict[str, Any]]] = [
    ("assess", {"rho": 0.2, **SURE}),
    ("compare", {"epsilon": 0.7}),
    ("recommend", {"limit": "power=0.3, level=0.05", "for": "mu"}),
    ("compose", {"promise": ["rho=0.1", "rho=0.3"]}),
    ("explain", {"mu": 0.7}),
]
"""Questions that a process has answered before."""

AROUND: list[dict[str, Any]] = [
    {"gaussian": 1, "sampling_rate": 0.01},
    {"laplace": 1, "sampling_rate": 0.01},
    {"gaussian": 1, "sample_size": 100, "drawn_from": 10_000},
    {"gaussian": 1, "runs": 3},
    {"geometric": 1, "threshold": 20},
    {"randomized_response": 1, "shuffled": 1000},
]


def questions() -> Iterator[tuple[str, dict[str, Any]]]:
    """Questions of every sort, from the cheapest to the dearest."""
    words = {kind.parameter.word: 0 for kind in guarantees.kinds()}
    words |= {kind.parameter.word: 0 for kind in mechanisms.kinds()}
    for word, releases in itertools.product(words, (1, 12, 365)):
        yield "assess", {word: PARAMETERS.get(word, 1), "releases": releases, **SURE}
    for stated, releases in itertools.product(AROUND, (1, 10, 100, 1000)):
        yield "assess", {**stated, "releases": releases, **SURE}
    some: list[dict[str, Any]] = [{"rho": 0.1}, {"laplace": 2, "releases": 12}, {**AROUND[0], "releases": 1000}]
    for stated in some:
        yield "explain", {**stated, **SURE}
        yield "compare", {**stated, **SURE}
        yield "check", {**stated, "limit": LIMIT, **SURE}
        yield "check", {**stated, "limit": LIMIT, "remedy": True, **SURE}
        yield "convert", {**stated, "to": "all", "at_delta": 1e-6}
        yield "convert", {**stated, "to": "epsilon-delta", "at_delta": 1e-6}
    families = ("epsilon", "epsilon-delta", "rho", "mu", "gaussian", "discrete-gaussian", "geometric", "laplace")
    for family, releases in itertools.product(families, (1, 12, 365)):
        delta = {"delta": 1e-6} if family == "epsilon-delta" else {}
        yield "recommend", {"limit": LIMIT, "for": family, "releases": releases, **delta, **SURE}
    for family in ("gaussian", "laplace"):
        yield "recommend", {"limit": [LIMIT, "power=0.3, level=0.05"], "for": family, "releases": 12, **SURE}
        yield "recommend", {"profile": "relative=2, absolute=0.3", "for": family, "releases": 12, **SURE}
    for number in (2, 5, 20):
        yield "compose", {"promise": ["rho=0.1"] * number, **SURE}
        yield "compare", {"promise": [f"name=p{each}, rho=0.{each + 1}" for each in range(number)], **SURE}
        yield "compose", {"promise": [f"laplace={2 + each / 10}" for each in range(number)], **SURE}
        yield "compose", {"promise": ["laplace=2", "gaussian=3", "geometric=0.5", "rho=0.1"] * (number // 2), **SURE}
    yield "claim", {"claim": "epsilon=1"}
    yield "claim", {"claim": "epsilon=1, delta=1e-6, releases=30"}
    yield "plan", {"file": spec.CENSUS, "scenario": "A"}
    yield "plan", {"file": spec.CENSUS, "about": "CENRACE", "costs": True}
    yield "catalogue", {}
    yield "theorem", {}
    yield from (("papers", {"papers": [each]}) for each in PAPERS)
    yield "papers", {}


class Late(Exception):
    """A question that takes longer than anybody waits here."""


def seconds_of(command: str, values: dict[str, Any]) -> float:
    """The seconds of processor time of an answer, up to the most; what is loaded once is loaded before."""
    for each in WARM:
        document_of(*each)

    def stop(*_: object) -> None:
        raise Late

    signal.signal(signal.SIGPROF, stop)
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, MOST)
    try:
        document_of(command, values)
    except Late:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
    return time.process_time() - begun


def main() -> int:
    """Measure all of it."""
    workers, missed = Workers(MEMORY, number=1), []
    print(f"{'predicted':>9} {'measured':>9}  question")
    for command, values in questions():
        predicted = cost_of(command, values)
        try:
            measured = workers.run(seconds_of, command, values, seconds=PATIENCE)
        except TooCostly:
            measured = MOST
        except WhitError as wrong:
            print(f"NOT ASKED: {command} {values}: {wrong}")
            missed.append(f"{command} {values} is no question")
            continue
        shown = ", ".join(f"{name} {value}" for name, value in values.items() if name not in SURE)
        print(f"{predicted:9.2f} {measured:9.3f}  {command} {shown[:100]}", flush=True)
        missed += [f"{command} {shown[:60]} would be refused"] if predicted > QUICK and measured < SMALL else []
        missed += [f"{command} {shown[:60]} would be killed"] if predicted <= QUICK < measured else []
    workers.close()
    print("\n".join(f"MISSED: {each}" for each in missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
