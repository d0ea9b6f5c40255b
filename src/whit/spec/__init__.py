"""One grammar: promises, limits, profiles, adversaries, plans and releases from names and values that know their place.

given         names and values of options, of one text, or of the table of a file, and the numbers in them
one_line      names and values in one line of text
toml          TOML as tables, and the line of each key
stated        the values of mechanisms, as they are written in options, texts and files
promise       what is promised of one release, and how many releases there are
claim         a claim as somebody states it, with what is said of its unit and its period
requirement   limits and risk profiles
form          all of it together: what options say, and what a file says beside them
remedies      the parameter of one of several promises that would do beside the others
draft         such a file from a few answers, with comments
release       the file that a report is made from
plan_file     plans as TOML and CSV, and what about their record somebody wants kept
hierarchy_file  hierarchies of codes, and descriptions of tables
table_rows    published tables in CSV, SDMX-CSV and .tab
table_jj      published tables in the JJ format
cell_words    what is said about a cell, in words
cell_limit    what must be left of a cell, in words
audit_file    what is to be audited: tables, readers and limits
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
