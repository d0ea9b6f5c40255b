"""Pictures: charts that can be changed, with a description in words and the numbers behind them.

choice       `plot`: the picture that fits a result
posteriors   what an adversary may come to believe, what of it is allowed, and its spread over the noise
allowed      what is allowed in that picture: an area or a point
curves       lines of promises: level and power, delta at each epsilon, the loss and its chance
releases     lines of the risk after each number of releases, and limits as lines
profiles     what a profile accepts and the epsilon that it allows, along one belief or as a map
costs        what each profile costs in noise, and what each query of a plan costs a concern
families     what kinds of noise cost that meet the same requirement
accounts     the risk of an account of the ledger in steps, and its limit
deployments  releases of the catalogue as dots, by unit of privacy
icons        two chances out of the same number, as dots or people, for everybody
panel        lines beside each other, for comparisons that no other picture foresees
exploring    a picture of lines to explore in a browser
picture      a picture and how it is saved; the one place that knows the drawing libraries
files        descriptions inside files, and files that are written whole or not at all
lettering    a chart of lines with its words
placing      where words stand in a chart: never on each other, and on lines only where they must
layers       axes, lines, bands and points
style        colours and sizes
wording      sentences by key, one file for each language, and numbers in its manner
texts        texts that can be drawn, in lines that fit
fonts        the font that comes along, and how wide its letters are
answers      what is drawn of an answer, and where; the numbers behind a picture

Nothing is computed here: every number that is drawn is that of a finding, on its safe side. A picture is loaded when it
is first used.
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
