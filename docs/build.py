"""Build the site: `python docs/build.py build/docs`. The pages are then in build/docs/html; `make docs` does this."""

from __future__ import annotations

import sys
from pathlib import Path

from _generate.site import build, made_pages


def main(target: str) -> int:
    """Build below a folder, say what was found, and fail on a warning or a broken link."""
    checked = build(Path(target), made_pages())
    if checked is None:
        return 1
    sys.stdout.write(f"{checked}\nThe pages are in {Path(target) / 'html' / 'index.html'}\n")
    return 1 if checked.broken else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
