from whit.telling.plots import plot as plot
from whit.telling.reports import report as report
from whit.telling.reports.several import remedy_sentences as remedy_sentences
from whit.telling.words import explain as explain
