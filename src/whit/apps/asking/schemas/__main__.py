"""Write the file of each command: `python -m whit.apps.asking.schemas`, in a copy of the sources."""

from __future__ import annotations

from pathlib import Path

from whit.apps.asking.asked import COMMANDS
from whit.apps.asking.schemas.making import schema_text


def write() -> None:
    """Write every file beside this one."""
    for command in COMMANDS:
        Path(__file__).with_name(f"{command}.json").write_text(schema_text(command), encoding="utf-8")


if __name__ == "__main__":
    write()
