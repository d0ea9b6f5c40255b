"""The web application: the questions and the ledger as pages, and the same for programs.

app        the application, put together from settings
settings   where it is reached, who may come in, what it allows
headers    what every answer says to browsers: no script and no style but our own, nothing kept
bounds     how large a request may be, how long it may take, and how many there may be
workers    warm processes that answer, and that can be killed
apart      work in a process of its own, which can be killed
problems   errors as pages and as problem documents
rendering  pages from templates, and the same pages as JSON
questions  values in an address, and the answer or what is wrong with them
pictures   pictures under addresses of their own
watching   logs without names, and counters
access     who asks, and what they may do
pages      one file per page
serving    the server: address, one-time link, stop
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
