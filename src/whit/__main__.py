"""`python -m whit` is the command `whit`."""

from __future__ import annotations

from whit.apps.cli import main

main()
