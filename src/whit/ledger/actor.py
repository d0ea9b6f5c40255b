"""Who asks: the name under which events are entered where nobody gives one."""

from __future__ import annotations

import getpass
import os

from whit.errors import InvalidInput
from whit.ledger.trees import named


def user_here() -> str:
    """The user of the machine; refused where the system has no name for them, as in some containers."""
    try:
        name = getpass.getuser()
    except (ImportError, KeyError, OSError) as unknown:
        number = os.getuid() if hasattr(os, "getuid") else "no number"
        way_out = "Set the environment variable USER, or give the name: --actor ada, and actor='ada' in Python."
        raise InvalidInput("the actor", "must have a name", f"user {number}, who has none here", way_out) from unknown
    return named("the actor", name)
