"""The readers again, led by coverage: `python -m fuzz.guided TARGET --seconds 60`, in .venv-fuzz, which has atheris.

An input that reaches a new branch of whit is kept and changed further. What breaks is written to build/fuzz/TARGET and
tried again by `python -m fuzz.guided TARGET --again FILE`.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["whit"]):
    from fuzz.readers import READERS, SEEDS
    from whit.errors import WhitError

    for reader in READERS:  # whatever is loaded when it is first needed is followed too
        for seed in reader.seeds:
            with suppress(WhitError):
                reader.read(seed)

READ = {each.name: each.read for each in READERS}


def main() -> None:
    """Run one target until its time is over, or until something is found."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.guided", description=__doc__)
    parser.add_argument("target", choices=READ)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", type=Path, help="one input that was found before")
    asked = parser.parse_args()
    read = READ[asked.target]

    def tried(content: bytes) -> None:
        with suppress(WhitError):
            read(content.decode("utf-8", "replace"))

    if asked.again:
        tried(asked.again.read_bytes())
        return
    kept = Path("build/fuzz") / asked.target
    kept.mkdir(parents=True, exist_ok=True)
    limits = [f"-max_total_time={asked.seconds}", "-timeout=20", "-rss_limit_mb=4096", f"-seed={asked.seed}"]
    where = [f"-artifact_prefix={kept}/", str(kept), str(SEEDS / asked.target)]
    atheris.Setup([sys.argv[0], *limits, "-max_len=4000", "-print_final_stats=1", *where], tried)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
