"""The check of certificates, in whole numbers alone: nothing is searched for, and no solver is asked.

This module reads statements and equations as they were published. It shares no code with the search that finds proofs;
a number of tables is counted again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice

from whit.audit.at_once import AtOnce, Whole
from whit.audit.certificate import (
    Certificate,
    Combination,
    Impossible,
    Possible,
    Proof,
    Remainder,
    Split,
    Unlimited,
    Values,
)
from whit.audit.counting import number_left
from whit.audit.knowledge import OUTSIDER, Knowledge
from whit.audit.publication import Cell, Equation, Publication, cell_text
from whit.audit.statement import Ends, whole
from whit.audit.system import System, narrowed, system_of
from whit.errors import InvalidInput, unknown_name

BLOCK = 20_000
"""So many certificates are checked at once."""

FEW = 50
"""So many are checked one by one."""


def verify(publication: Publication, certificate: Certificate, knowledge: Knowledge = OUTSIDER) -> None:
    """Check a certificate against what was published; one that proves nothing is refused with a sentence.

    For many certificates of one publication, Verifier.check_all is quicker.
    """
    Verifier(publication, knowledge).check(certificate)


def refused(name: str, rule: str, value: object) -> InvalidInput:
    """The error about a certificate that proves nothing."""
    return InvalidInput(name, rule, value, "Use the certificate that belongs to this publication, unchanged.")


class Verifier:
    """What was published, ready to check certificates one after the other.

    A table that many certificates share is added up once, and so is what they share of changes in it.
    """

    def __init__(self, publication: Publication, knowledge: Knowledge = OUTSIDER) -> None:
        self.publication = publication
        self.knowledge = knowledge
        # By identity, since nobody changes Values; they are kept, so that no other object takes their place.
        self._added_up: dict[int, Mapping[Cell, int]] = {}
        self._arrays: dict[int, Whole] = {}
        self._changed: dict[tuple[int, int], tuple[Mapping[Cell, int], Mapping[Cell, int]]] = {}

    @cached_property
    def system(self) -> System:
        """What was published and is known, cell by cell."""
        return system_of(self.publication, self.knowledge)

    @cached_property
    def _open(self) -> System:
        """What was published, between the cells that have more than one value."""
        return self.system.without_fixed()

    @cached_property
    def _users(self) -> dict[Cell, list[str]]:
        """The equations of each cell."""
        found: dict[Cell, list[str]] = {cell: [] for cell in self.system.ends}
        for name, equation in self._open.equations.items():
            for cell in equation.terms:
                found[cell].append(name)
        return found

    @cached_property
    def _at_once(self) -> AtOnce:
        """What was published, in machine numbers."""
        return AtOnce(self.publication, self.knowledge)

    def check_all(self, certificates: Iterable[Certificate]) -> None:
        """Refuse certificates one of which proves nothing; many are checked at once."""
        waiting = iter(certificates)
        while block := [*islice(waiting, BLOCK)]:
            for each in self.doubtful(block):
                self.check(each)

    def doubtful(self, certificates: Sequence[Certificate]) -> Sequence[Certificate]:
        """The certificates that are not accepted in machine numbers."""
        if len(certificates) < FEW:
            return certificates
        try:
            good = self._tables([each for each in certificates if isinstance(each, Possible)])
            good |= self._contradictions([each for each in certificates if isinstance(each, Impossible)])
        except (OverflowError, KeyError):
            return certificates
        return [each for each in certificates if id(each) not in good]

    def _contradictions(self, claims: Sequence[Impossible]) -> set[int]:
        """The identities of claims that single sums of equations prove."""
        single = [each for each in claims if each.cell is not None and isinstance(each.proof, Combination)]
        accepted = self._at_once.contradicted(single).tolist()
        return {id(each) for each, good in zip(single, accepted, strict=True) if good}

    def _tables(self, claims: Sequence[Possible]) -> set[int]:
        """The identities of claims that are tables which are left."""
        good: set[int] = set()
        for table in {id(each.table): each.table for each in claims}.values():
            values = self._array(table)
            if values is not None:
                several = [each for each in claims if each.table is table]
                changes = {id(each.instead): each.instead for each in several}
                accepted = self._at_once.changed(values, [*changes.values()]).tolist()
                fits = dict(zip(changes, accepted, strict=True))
                good.update(id(each) for each in several if fits[id(each.instead)])
        return good

    def _array(self, table: Mapping[Cell, int]) -> Whole | None:
        """The values of a table that certificates share, if it is one that is left."""
        key = id(table)
        if key not in self._arrays and (values := self._at_once.table(table)) is not None:
            self._arrays[key], self._added_up[key] = values, table
        return self._arrays.get(key)

    def check(self, certificate: Certificate) -> None:
        """Refuse a certificate that proves nothing."""
        if isinstance(certificate, Possible):
            self.check_table(certificate.table)
            self.check_changed(certificate.table, certificate.instead)
        elif isinstance(certificate, Unlimited):
            self.check_unlimited(certificate)
        elif isinstance(certificate, Impossible):
            self.check_impossible(certificate)
        elif (again := number_left(self.system)) != certificate.number:
            raise refused("the number of tables left", f"must be {again}", certificate.number)

    def check_table(self, table: Mapping[Cell, int]) -> None:
        """Refuse a table that lacks a cell, leaves the ends of a cell, or breaks an equation."""
        if id(table) in self._added_up:
            return
        if table.keys() != self.system.ends.keys():
            different = sorted(map(cell_text, table.keys() ^ self.system.ends.keys()))
            raise refused("the table", "must have the cells of the publication and no others", different)
        for cell, value in table.items():
            self.check_value(cell, value)
        for equation in self.system.equations.values():
            self.check_equation(equation, table, {})
        if isinstance(table, Values):
            self._added_up[id(table)] = table

    def check_changed(self, table: Mapping[Cell, int], instead: Mapping[Cell, int]) -> None:
        """Refuse values that, put in the place of those of a good table, do not make another."""
        if (id(table), id(instead)) in self._changed:
            return
        for cell, value in instead.items():
            self.check_value(self.system.known(cell), value)
        for name in dict.fromkeys(name for cell in instead for name in self._users[cell]):
            self.check_equation(self._open.equations[name], table, instead)
        if isinstance(table, Values) and isinstance(instead, Values):
            self._changed[id(table), id(instead)] = (table, instead)

    def check_value(self, cell: Cell, value: object) -> None:
        """Refuse a value that is not whole, or beyond the ends of its cell."""
        low, high = self.system.ends[cell]
        number = whole(cell_text(cell), value)
        if (low is not None and number < low) or (high is not None and number > high):
            raise refused(cell_text(cell), f"must be in {ends_text(low, high)} in a table that is left", number)

    def check_equation(self, equation: Equation, table: Mapping[Cell, int], instead: Mapping[Cell, int]) -> None:
        """Refuse a table with which an equation does not come out."""
        found = sum(times * (instead[c] if c in instead else table[c]) for c, times in equation.terms.items())
        if found != equation.right:
            raise refused(f"the equation {equation.name}", f"must come out at {equation.right}", found)

    def check_unlimited(self, certificate: Unlimited) -> None:
        """Refuse a change that cannot be repeated for ever, or that does not move the cell as claimed."""
        self.check_table(certificate.table)
        moved = whole("a change", certificate.change.get(certificate.cell, 0))
        if moved == 0 or (moved > 0) != certificate.upwards:
            raise refused("the change", f"must move {cell_text(certificate.cell)} as claimed", moved)
        for cell, step in certificate.change.items():
            low, high = self.system.ends[self.system.known(cell)]
            if (whole("a change", step) < 0 and low is not None) or (step > 0 and high is not None):
                raise refused(f"the change of {cell_text(cell)}", "must not lead beyond an end", step)
        for name in dict.fromkeys(name for cell in certificate.change for name in self._users[cell]):
            terms = self._open.equations[name].terms
            drift = sum(times * certificate.change.get(cell, 0) for cell, times in terms.items())
            if drift:
                raise refused(f"the change of the equation {name}", "must be 0", drift)

    def check_impossible(self, certificate: Impossible) -> None:
        """Refuse a proof that leaves a table possible."""
        told: dict[Cell, Ends] = {}
        if certificate.cell is not None:
            cell = self.system.known(certificate.cell)
            told[cell] = narrowed(self.system.ends[cell], (certificate.low, certificate.high))
        if not self.system.valueless:
            check_proof(self._open, told, certificate.proof)


def ends_text(low: int | None, high: int | None) -> str:
    """Two ends in words.

    >>> ends_text(1, None)
    '1 or more'
    """
    if low is not None:
        return f"{low} or more" if high is None else f"{low} to {high}"
    return "any range" if high is None else f"{high} or less"


def check_proof(system: System, told: Mapping[Cell, Ends], proof: Proof) -> None:
    """Refuse a proof that no table is left, unless each leaf holds within the ends that lead there.

    What is derived on the way stands beside the system, which has its ends for all other cells.
    """
    if isinstance(proof, Split):
        cell, at = system.known(proof.cell), whole("a split", proof.at)
        before = told.get(cell, system.ends[cell])
        check_proof(system, {**told, cell: narrowed(before, (None, at))}, proof.below)
        check_proof(system, {**told, cell: narrowed(before, (at + 1, None))}, proof.above)
    elif not any(empty(ends) for ends in told.values()) and not contradicts(system, told, proof):
        raise refused("the sum of equations", "must be out of reach", dict(proof.multipliers))


def empty(ends: Ends) -> bool:
    """Whether ends leave no value."""
    low, high = ends
    return low is not None and high is not None and low > high


def contradicts(system: System, told: Mapping[Cell, Ends], leaf: Combination | Remainder) -> bool:
    """Whether the sum of the equations, each times its multiplier, cannot come out."""
    terms, right = summed(system, leaf.multipliers)
    ends = {cell: told.get(cell, system.ends[cell]) for cell in terms}
    if isinstance(leaf, Combination):
        turned = {cell: -times for cell, times in terms.items()}
        return beyond(ends, terms, right) or beyond(ends, turned, -right)
    return remains(ends, terms, right, whole("a modulus", leaf.modulus))


def summed(system: System, multipliers: Mapping[str, int]) -> tuple[dict[Cell, int], int]:
    """The sum of the equations, each times its multiplier: coefficients of the cells, and the right side."""
    terms: dict[Cell, int] = {}
    right = 0
    for name, times in multipliers.items():
        if name not in system.equations:
            raise unknown_name("an equation", name, [*system.equations])
        right += whole("a multiplier", times) * system.equations[name].right
        for cell, each in system.equations[name].terms.items():
            terms[cell] = terms.get(cell, 0) + times * each
    return terms, right


def beyond(ends: Mapping[Cell, Ends], terms: Mapping[Cell, int], right: int) -> bool:
    """Whether the right side is above the largest value that the sum takes within the ends."""
    largest = 0
    for cell, times in terms.items():
        low, high = ends[cell]
        end = high if times > 0 else low
        if times and end is None:
            return False
        largest += times * (end or 0)
    return right > largest


def remains(ends: Mapping[Cell, Ends], terms: Mapping[Cell, int], right: int, modulus: int) -> bool:
    """Whether the right side has another remainder than the sum, where only cells with one value may have any."""
    if modulus < 2:
        return False
    rest = right
    for cell, times in terms.items():
        low, high = ends[cell]
        if low is not None and low == high:
            rest -= times * low
        elif times % modulus:
            return False
    return rest % modulus != 0
