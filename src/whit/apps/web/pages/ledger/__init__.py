"""The pages of the ledger. What they show is never kept by a browser, and no name is in an address.

book      the ledger of a request, with whoever asks as its actor; addresses of accounts; keys of requests
words     limits in words
accounts  all accounts, one account, and its risk over time as a picture
opening   a new account
considering  what a release would do to an account, and its entry, in a process that can be killed
reserve   a release: the form, a look at the answers, and the entry
entries   one entry as a receipt, and what may be done with it
evidence  whether the ledger is whole; export and import
"""

from __future__ import annotations

from whit.apps.web.pages.ledger import accounts, entries, evidence, opening, reserve

ROUTERS = (accounts.router, opening.router, reserve.router, entries.router, evidence.router)
"""What answers under which address."""
