"""Words, pictures and reports; computes nothing.

words       explain: what a result says, for three audiences
plots       pictures, with their alt text and the numbers behind them
catalogue   real deployments, with their risks recomputed
audits      audits of tables without noise, as a page and as a picture
claims      a claim as it is stated: what it means, what it leaves open, what is like it
reports     documents made of both
explorer    one HTML file that answers in a browser

There is no `finding.explain()`: values at the bottom know nothing of words. The three everyday names, explain, plot and
report, are functions; so is remedy_sentences, which commands share with reports. Each is loaded when it is first used.
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
