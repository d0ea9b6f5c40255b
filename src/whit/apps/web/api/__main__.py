"""Write the description of the interface: `python -m whit.apps.web.api`, in a copy of the sources."""

from __future__ import annotations

from pathlib import Path

from whit.apps.web.api.openapi import openapi_text


def write() -> None:
    """Write the file beside this one."""
    Path(__file__).with_name("openapi.json").write_text(openapi_text(), encoding="utf-8")


if __name__ == "__main__":
    write()
