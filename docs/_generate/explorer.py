"""The explorer on the site: the file itself, and a guide that leads to it."""

from __future__ import annotations

from pathlib import Path

from whit.telling.explorer import write_explorer

FILE = "explorer.html"
"""Where the file lies on the site."""

_GUIDE = f"""# Explore in a browser

One file answers in a browser, without Python and without a network:

<p><a href="../{FILE}">Open the explorer</a></p>

It takes pure, approximate, zero-concentrated and Gaussian differential privacy, and Gaussian noise. You move a slider
or write a number, and read the posterior for an adversary and the power of the best test, each as a sentence, a
picture and a table. The address after `#` holds the question, so that a link shows the same answer to somebody else.

`whit explorer --out explorer.html` writes the same file. It opens from disk and sends nothing.

Its numbers come from tables that whit made. They are never below whit's own and at most 0.2 percentage points above. A
loss between two entries is read from the chord, which is an upper bound by `losses-are-convex-in-mu`. A power is
that of the next larger entry. The file names the command that gives the exact answer.
"""


def explorer_pages() -> dict[str, str]:
    """The guide."""
    return {"how-to/explore-in-a-browser.md": _GUIDE}


def put_explorer(pages: Path) -> None:
    """Write the file beside the built pages."""
    write_explorer(pages / FILE)
