"""The ledger: what was released about whom, how much risk that makes, and what still fits.

ledger     Ledger: declare, open, plan, reserve, release, cancel, guard, check
actor      who asks, where nobody says
account    populations, accounts, and what they have spent
books      the books in which releases are charged, and what a total promises
takes      which kinds of promises books take, and which promises of a release none does
amounts    exact sums
entry      one release: its charges, its state, and which states may follow
trees      plain trees, read strictly
chain      events in a chain of hashes
perform    what an event does
decision   whether an entry may be made or moved, and by whom
replay     whether a ledger would have written an event
recorded   the words of a promise that an entry keeps as an expression
room       what is left in all accounts that a release is charged to: the one decision
refusal    why a release is refused, and what would fit
status     where an account stands
elsewhere  whether another book would have had room for what is refused
outlook    what one more release would make of an account
course     the risk after each release of an account
shown      values in few words, and the tables that a notebook shows
evidence   whether a ledger is whole; export and import
store      where it is kept: sqlite in one file, postgres behind a URL; places tells which
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
