"""Limits of the ledger in words: it keeps a limit as it was written."""

from __future__ import annotations

from typing import Final

from whit.ledger import Refusal
from whit.policy import limits
from whit.setting import Knowledge, When
from whit.spec import limits_of, pairs
from whit.theory import Direction, Unit, number_text

_RISKS: Final = {
    "posterior": ("posterior", Unit.PROBABILITY),
    "ratio": ("ratio of posterior to prior", Unit.NUMBER),
    "difference": ("increase from prior to posterior", Unit.PROBABILITY),
    "power": ("power of the best test", Unit.PROBABILITY),
    "advantage": ("advantage of the best test", Unit.PROBABILITY),
    "predictive_value": ("positive predictive value", Unit.PROBABILITY),
    "success": ("success of a guess", Unit.PROBABILITY),
}


def limit_words(written: str) -> str:
    """A limit in words.

    >>> limit_words("posterior=0.3, prior=0.1")
    'posterior at a prior of 10 %: at most 30 %'
    >>> limit_words("power=0.1, level=0.05")
    'power of the best test at a level of 5 %: at most 10 %'
    """
    found = limits_of(pairs("a limit", written))
    return _words(found[0][1]) if len(found) == 1 else written


def _words(limit: limits.Limit) -> str:
    said = limit.to_dict()
    risk = next(iter(said))
    if risk not in _RISKS or isinstance(said.get("prior"), list | tuple):
        return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in said.items())
    name, unit = _RISKS[risk]
    at = "".join(f" at a {each} of {_percent(said[each])}" for each in ("prior", "level", "baseline") if each in said)
    most = number_text(limit.largest, Direction.ABOUT, unit, digits=6)
    return f"{name}{at}: at most {most}{_for_whom(limit)}"


def _percent(share: float) -> str:
    return number_text(share, Direction.ABOUT, Unit.PROBABILITY, digits=6)


def _for_whom(limit: limits.Limit) -> str:
    """The adversary of a limit, as far as it is not the usual one."""
    knows = ", for an adversary who knows everyone else" if limit.knows is Knowledge.EVERYONE_ELSE else ""
    block = f", for {limit.block} people who depend on each other" if limit.block > 1 else ""
    return f"{knows}{block}{', at every moment' if limit.when is When.EVER else ''}"


def rule_words(refusal: Refusal) -> str:
    """What a refused release had to meet, with the limit in words."""
    return refusal.rule if refusal.is_quota else refusal.rule.replace(refusal.limit, limit_words(refusal.limit))
