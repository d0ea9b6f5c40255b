"""The check of certificates, in whole numbers alone: nothing is searched for, and no solver is asked.

This module reads statements and equations as they were published. It shares no code with the engine that finds proofs.
"""

from __future__ import annotations

from collections.abc import Mapping

from whit.audit.certificate import Certificate, Combination, Impossible, Possible, Proof, Remainder, Split, Unlimited
from whit.audit.counting import number_left
from whit.audit.knowledge import OUTSIDER, Knowledge
from whit.audit.publication import Cell, Publication, cell_text
from whit.audit.statement import whole
from whit.audit.system import System, system_of
from whit.errors import InvalidInput, unknown_name


def verify(publication: Publication, certificate: Certificate, knowledge: Knowledge = OUTSIDER) -> None:
    """Check a certificate against what was published; one that proves nothing is refused with a sentence."""
    system = system_of(publication, knowledge)
    if isinstance(certificate, Possible):
        check_table(system, certificate.table)
    elif isinstance(certificate, Unlimited):
        check_unlimited(system, certificate)
    elif isinstance(certificate, Impossible):
        check_impossible(system, certificate)
    elif (again := number_left(system)) != certificate.number:
        raise refused("the number of tables left", f"must be {again}", certificate.number)


def refused(name: str, rule: str, value: object) -> InvalidInput:
    """The error about a certificate that proves nothing."""
    return InvalidInput(name, rule, value, "Use the certificate that belongs to this publication, unchanged.")


def check_table(system: System, table: Mapping[Cell, int]) -> None:
    """Refuse a table that lacks a cell, leaves the ends of a cell, or breaks an equation."""
    if table.keys() != system.ends.keys():
        different = sorted(map(cell_text, table.keys() ^ system.ends.keys()))
        raise refused("the table", "must have the cells of the publication and no others", different)
    for cell, (low, high) in system.ends.items():
        value = whole(cell_text(cell), table[cell])
        if (low is not None and value < low) or (high is not None and value > high):
            raise refused(cell_text(cell), f"must be in {ends_text(low, high)} in a table that is left", value)
    for name, equation in system.equations.items():
        found = sum(times * table[cell] for cell, times in equation.terms.items())
        if found != equation.right:
            raise refused(f"the equation {name}", f"must come out at {equation.right}", found)


def ends_text(low: int | None, high: int | None) -> str:
    """Two ends in words.

    >>> ends_text(1, None)
    '1 or more'
    """
    if low is None or high is None:
        one = [f"{low} or more"] if low is not None else [f"{high} or less"] if high is not None else []
        return one[0] if one else "any range"
    return f"{low} to {high}"


def check_unlimited(system: System, certificate: Unlimited) -> None:
    """Refuse a change that cannot be repeated for ever, or that does not move the cell as claimed."""
    check_table(system, certificate.table)
    moved = whole("a change", certificate.change.get(certificate.cell, 0))
    if moved == 0 or (moved > 0) != certificate.upwards:
        raise refused("the change", f"must move {cell_text(certificate.cell)} as claimed", moved)
    for cell, step in certificate.change.items():
        low, high = system.ends[system.known(cell)]
        if (whole("a change", step) < 0 and low is not None) or (step > 0 and high is not None):
            raise refused(f"the change of {cell_text(cell)}", "must not lead beyond an end", step)
    for name, equation in system.equations.items():
        drift = sum(times * certificate.change.get(cell, 0) for cell, times in equation.terms.items())
        if drift:
            raise refused(f"the change of the equation {name}", "must be 0", drift)


def check_impossible(system: System, certificate: Impossible) -> None:
    """Refuse a proof that leaves a table possible."""
    if certificate.cell is None:
        check_proof(system, certificate.proof)
    else:
        cell = system.known(certificate.cell)
        check_proof(system.within(cell, certificate.low, certificate.high), certificate.proof)


def check_proof(system: System, proof: Proof) -> None:
    """Refuse a proof that no table is left, unless every leaf of it holds within the ends that lead there."""
    if isinstance(proof, Split):
        cell, at = system.known(proof.cell), whole("a split", proof.at)
        check_proof(system.within(cell, None, at), proof.below)
        check_proof(system.within(cell, at + 1, None), proof.above)
    elif not system.valueless and not contradicts(system, proof):
        raise refused("the sum of equations", "must be out of reach", dict(proof.multipliers))


def contradicts(system: System, leaf: Combination | Remainder) -> bool:
    """Whether the sum of the equations, each times its multiplier, cannot come out."""
    terms, right = summed(system, leaf.multipliers)
    if isinstance(leaf, Combination):
        return beyond(system, terms, right) or beyond(system, {c: -t for c, t in terms.items()}, -right)
    return remains(system, terms, right, whole("a modulus", leaf.modulus))


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


def beyond(system: System, terms: Mapping[Cell, int], right: int) -> bool:
    """Whether the right side is above the largest value that the sum takes within the ends."""
    largest = 0
    for cell, times in terms.items():
        low, high = system.ends[cell]
        end = high if times > 0 else low
        if times and end is None:
            return False
        largest += times * (end or 0)
    return right > largest


def remains(system: System, terms: Mapping[Cell, int], right: int, modulus: int) -> bool:
    """Whether the right side has another remainder than the sum, of which only cells with one value may have any."""
    if modulus < 2:
        return False
    rest = right
    for cell, times in terms.items():
        low, high = system.ends[cell]
        if low is not None and low == high:
            rest -= times * low
        elif times % modulus:
            return False
    return rest % modulus != 0
