"""Sentences about profiles that say less, or ask for more, than their author may think."""

from __future__ import annotations

from whit.policy.profiles.profile import ClosedForm, Domain

NARROW = 0.01
"""An epsilon below which a profile is said to leave hardly any room."""


def void(relative: float, domain: Domain) -> tuple[str, ...]:
    """Where a relative risk allows certainty: its limit on the posterior is above 1."""
    if relative * domain.inclusion[1] * domain.value[1] <= 1.0:
        return ()
    if relative * domain.inclusion[0] * domain.value[0] >= 1.0:
        return (f"A relative risk of {relative:.4g} allows certainty everywhere in the profile, so it limits nothing.",)
    said = f"Where the prior is {1 / relative:.3g} or more, a relative risk of {relative:.4g} allows certainty."
    return (f"{said} There the profile limits nothing.",)


def tight(closed: ClosedForm) -> tuple[str, ...]:
    """Whether an adversary leaves hardly any room."""
    if closed.epsilon > NARROW:
        return ()
    p, q = closed.binding
    place = f"inclusion {p:.4g} and value {q:.4g}"
    if closed.epsilon == 0.0:
        return (f"At {place} the profile allows no gain at all: only epsilon 0 keeps to it.",)
    return (f"At {place} the profile leaves hardly any room: epsilon is {closed.epsilon:.2g} at most.",)
