"""Builds the wheel and the source archive of the last commit: `python release/archives.py dist`.

Both are built twice, in two copies of the commit that lie in different folders and have different rights, and must be
the same byte for byte: whoever has the commit can then check that an archive was made of it and of nothing else.
SHA256SUMS lists what each of them must hash to.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[1]
SUMS = "SHA256SUMS"


def built(source: Path, folder: Path) -> dict[str, bytes]:
    """The wheel and the source archive of a folder, by their names."""
    paths = [
        Path(path)
        for builder in (WheelBuilder, SdistBuilder)
        for path in builder(str(source)).build(directory=str(folder), versions=["standard"])
    ]
    return {path.name: path.read_bytes() for path in paths}


def of_commit(repository: Path, work: Path, *, mask: int) -> dict[str, bytes]:
    """What is built in a copy of the last commit, whose files are made with these rights taken away."""
    before = os.umask(mask)
    try:
        copy = ["git", "clone", "--quiet", "--no-local", "--depth", "1", f"file://{repository}", str(work / "copy")]
        subprocess.run(copy, check=True)
        return built(work / "copy", work / "built")
    finally:
        os.umask(before)


def differing(first: dict[str, bytes], second: dict[str, bytes]) -> list[str]:
    """The names of the archives that only one of two builds has, or that are not the same in both."""
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))


def release(repository: Path, folder: Path) -> dict[str, str]:
    """Build twice, compare, and write the archives with their hashes, which are returned by name."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory(prefix="another-") as other:
        archives = of_commit(repository, Path(one), mask=0o022)
        wrong = differing(archives, of_commit(repository, Path(other), mask=0o077))
    if wrong:
        raise SystemExit(f"Two builds of one commit differ in {', '.join(wrong)}. Nothing was written.")
    folder.mkdir(parents=True, exist_ok=True)
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in archives.items()}
    for name, content in archives.items():
        (folder / name).write_bytes(content)
    (folder / SUMS).write_text("".join(f"{sums[name]}  {name}\n" for name in sorted(sums)), encoding="utf-8")
    return sums


def main(folder: Path) -> None:
    """Write the archives of the last commit, and say what they hash to."""
    for name, found in sorted(release(ROOT, folder).items()):
        sys.stdout.write(f"{folder / name}: the same in two builds, sha256 {found}\n")
    if subprocess.run(["git", "-C", str(ROOT), "status", "--porcelain"], capture_output=True, check=True).stdout:
        sys.stdout.write("Changes that are not committed are in neither archive.\n")


if __name__ == "__main__":
    main(Path(*sys.argv[1:2] or ["dist"]))
