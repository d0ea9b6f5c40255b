"""The option of every command that asks for JSON."""

from __future__ import annotations

import click

json_option = click.option("--json", "as_json", is_flag=True, help="Answer as one JSON document.")
"""`--json`: the answers as one document, with directions, theorems and inputs."""
