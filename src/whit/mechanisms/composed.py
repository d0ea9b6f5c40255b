"""Several releases about the same people, as one."""

from __future__ import annotations

from typing import overload

from whit.errors import Incompatible
from whit.guarantees import Composition, Guarantee
from whit.guarantees import compose as compose_promises
from whit.mechanisms.mechanism import Composed, Mechanism, listed


@overload
def compose(*releases: Mechanism) -> Composed: ...
@overload
def compose(*releases: Guarantee) -> Composition[Guarantee]: ...
def compose(*releases: Mechanism | Guarantee) -> Composed | Composition[Guarantee]:
    """All these mechanisms, or all these promises, together: on the same data and with independent noise.

    Promises of one kind compose by their own rule, of different kinds through their curves; the result names the
    theorem. Mechanisms compose by their exact losses.

    >>> from whit.mechanisms import Gaussian, compose
    >>> compose(Gaussian(3.0), Gaussian(4.0)).loss()
    GaussianLoss(mu=0.4166666666666667)
    """
    promises = [each for each in releases if isinstance(each, Guarantee)]
    if promises and len(promises) == len(releases):
        return compose_promises(*promises)
    if promises:
        way_out = "Use whit.curves.composed([a.curve(), b.curve()]), or compose the promises that the mechanisms keep."
        raise Incompatible("mechanisms and promises", "cannot be composed as one or the other", releases, way_out)
    parts: list[tuple[Mechanism, int]] = []
    for each in listed(tuple(each for each in releases if not isinstance(each, Guarantee))):
        parts += each.parts if isinstance(each, Composed) else [(each, 1)]
    return Composed(*parts)
