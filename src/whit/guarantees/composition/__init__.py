"""Several promises about the same people: what they promise together.

result           a composition: the promise, the theorem, and whether it holds adaptively
rules            one rule for each kind of promise
repeated         the rules of (epsilon, delta) for equal releases, as objects
approximations   the rules of (epsilon, delta): basic, advanced, optimal
compose          promises of any kind, by their own rule or through their curves
"""

from __future__ import annotations

from whit.front_door import front_door

# At once, because these names are also those of modules: loaded later, a module would take their place.
from whit.guarantees.composition.compose import compose as compose

__all__, __getattr__, __dir__ = front_door(__name__)
