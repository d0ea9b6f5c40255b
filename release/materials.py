"""Write a bill of materials: every library that whit can be installed with, its version, its licence, and who needs it.

    python release/materials.py build/materials.json

The file is CycloneDX 1.6 in JSON. Versions are those of constraints.txt; licences are what the installed libraries say
of themselves. Tools that only developers need are marked as excluded, as the standard has it.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OF_DEVELOPERS = ("dev", "docs")
UNKNOWN = "not stated"


def pinned() -> dict[str, str]:
    """The version of each library, from constraints.txt."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    return {canonicalize_name(name): version for name, version in re.findall(r"^([^#=\n]+)==(.+)$", text, re.M)}


def needed(requirements: list[str]) -> set[str]:
    """The libraries that these requirements bring, those of whit's extras and of other libraries included."""
    found: set[str] = set()
    waiting = [Requirement(text) for text in requirements]
    while waiting:
        each = waiting.pop()
        name = canonicalize_name(each.name)
        if name == "whit":
            waiting += [Requirement(text) for extra in each.extras for text in PROJECT["optional-dependencies"][extra]]
            continue
        key = f"{name}[{','.join(sorted(each.extras))}]"
        if key not in found:
            found.add(key)
            waiting += _of_library(name, each.extras or {""})
    return {key.partition("[")[0] for key in found}


def _of_library(name: str, extras: set[str]) -> list[Requirement]:
    """What an installed library needs here, with these extras of its own."""
    library = _installed(name)
    texts = [] if library is None else library.requires or []
    some = [Requirement(text) for text in texts]
    return [r for r in some if r.marker is None or any(r.marker.evaluate({"extra": extra}) for extra in extras)]


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def licence(name: str) -> str:
    """What an installed library says its licence is."""
    library = _installed(name)
    if library is None:
        return UNKNOWN
    told = library.metadata
    short, long, classes = (told.get_all(each, []) for each in ("License-Expression", "License", "Classifier"))
    named = [each.rpartition(" :: ")[2] for each in classes if each.startswith("License :: ")]
    text = (", ".join(short) or ", ".join(named) or ", ".join(long)).strip()
    return text.splitlines()[0][:80] if text else UNKNOWN


def bill() -> dict[str, Any]:
    """The bill of materials as a tree."""
    extras = PROJECT["optional-dependencies"]
    users = {"": needed(PROJECT["dependencies"])} | {extra: needed(texts) for extra, texts in extras.items()}
    components = []
    for name, version in sorted(pinned().items()):
        by = [extra or "whit" for extra, libraries in users.items() if name in libraries]
        only_developers = all(extra in OF_DEVELOPERS for extra in by)
        components.append({
            "type": "library",
            "bom-ref": f"{name}@{version}",
            "name": name,
            "version": version,
            "scope": "excluded" if only_developers else "required" if "whit" in by else "optional",
            "licenses": [{"license": {"name": licence(name)}}],
            "properties": [{"name": "whit:needed-by", "value": ", ".join(by) or "tools"}],
        })  # fmt: skip
    whit = {"type": "application", "name": "whit", "licenses": [{"license": {"id": PROJECT["license"]}}]}
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "metadata": {"component": whit}, "components": components}


def main() -> int:
    """Write the file; print each library that a user may get, with its licence."""
    tree = bill()
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(tree, indent=2) + "\n", encoding="utf-8")
    for each in tree["components"]:
        if each["scope"] != "excluded":
            terms, by = each["licenses"][0]["license"]["name"], each["properties"][0]["value"]
            sys.stdout.write(f"{each['name']} {each['version']}: {terms} (needed by {by})\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
