"""Ask whether a version that whit is installed with has a known vulnerability; say so where nobody can be asked.

    python release/vulnerabilities.py

pip-audit asks the database of the package index. Exit codes: 0 none is known, 1 some are, 3 some libraries could not be
checked. A mirror of the index may know the libraries and not what is known of them, and pip-audit passes over these.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def main() -> int:
    """Print each library with a known vulnerability."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(ROOT / "constraints.txt")]
    options = ["--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
    run = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    try:
        libraries = json.loads(run.stdout)["dependencies"]
    except (json.JSONDecodeError, KeyError):
        sys.stderr.write(
            f"The database of vulnerabilities cannot be reached. Nothing was checked. {_last(run.stderr)}\n"
        )
        return 3
    return judged(libraries)


def judged(libraries: list[dict[str, Any]]) -> int:
    """Print what is known of the libraries, and what was not checked; the exit code."""
    unchecked = [each["name"] for each in libraries if "skip_reason" in each]
    known = [(each, found) for each in libraries for found in each.get("vulns", [])]
    for each, found in known:
        better = " or ".join(found["fix_versions"]) or "no version yet"
        sys.stdout.write(f"{each['name']} {each['version']}: {found['id']}, mended in {better}\n")
    checked = len(libraries) - len(unchecked)
    sys.stdout.write(f"{checked} of {len(libraries)} libraries were checked, {len(known)} vulnerabilities are known.\n")
    if unchecked:
        sys.stderr.write(f"The database does not answer for {len(unchecked)} libraries, {unchecked[0]} first.\n")
    return 1 if known else 3 if unchecked else 0


def _last(text: str) -> str:
    """The last line of a text."""
    return (text.strip() or "There was no answer.").splitlines()[-1]


if __name__ == "__main__":
    sys.exit(main())
