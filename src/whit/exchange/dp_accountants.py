"""Accountants of dp-accounting, live: the events that they have composed, and the neighbours that they count for.

What an accountant computes is not asked for: its `ledger` is what was run, and whit composes that itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from whit.errors import NotImplied, unknown_name
from whit.exchange.dp_events import from_dp_event
from whit.exchange.learned import Learned, OpenPoint
from whit.mechanisms import Mechanism
from whit.setting import Neighbours

RELATIONS = {
    "ADD_OR_REMOVE_ONE": Neighbours.ADD_REMOVE,
    "REPLACE_SPECIAL": Neighbours.ADD_REMOVE,
    "REPLACE_ONE": Neighbours.REPLACE,
}
"""What the relations of the library are here; a record that counts for nothing is as good as none."""


def from_dp_accountant(accountant: Any) -> Learned:
    """What an accountant of dp-accounting has composed.

    accountant   a PLDAccountant, a RdpAccountant or another one with a `ledger` and a `neighboring_relation`
    """
    named = str(getattr(accountant.neighboring_relation, "name", accountant.neighboring_relation))
    zeroed = named == "REPLACE_SPECIAL"
    found = from_dp_event(accountant.ledger, zeroed=zeroed)
    if named not in RELATIONS:
        raise unknown_name("the neighboring_relation of the accountant", named, list(RELATIONS))
    relation = RELATIONS[named]
    known = found.promise.relations if isinstance(found.promise, Mechanism) else (relation,)
    if relation is Neighbours.REPLACE and relation not in known:
        rule = "must be one under which whit has a bound for these events"
        way_out = "State the release in whit, with noise for the sensitivity to a replaced record."
        raise NotImplied("the neighboring_relation of the accountant", rule, named, way_out)
    if relation not in known:
        relation = known[0]  # a report that each person makes is never added; what is changed in it tells no less
    points = [each for each in found.open if each is not OpenPoint.NEIGHBOURS]
    points += [OpenPoint.ZEROED] if zeroed else []
    source = f"{type(accountant).__name__} of dp-accounting"
    return replace(found, source=source, open=tuple(points), neighbours=relation)


def is_dp_accountant(value: object) -> bool:
    """Whether something is an accountant of dp-accounting."""
    return hasattr(value, "ledger") and hasattr(value, "neighboring_relation")
