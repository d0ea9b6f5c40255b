from whit.telling.explain import explain as explain
from whit.telling.plots import plot as plot
from whit.telling.reports import report as report
