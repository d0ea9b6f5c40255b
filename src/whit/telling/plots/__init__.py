"""Pictures: charts that can be changed, with a description in words and the numbers behind them.

plot                      the picture that fits a result
posterior_against_prior   what an adversary may come to believe, with what is allowed shaded
level_and_power           hits against false alarms, and the same at small levels
profile_curve             delta at each epsilon; and loss_curve, the privacy loss and its chance
risk_over_releases        the risk after each number of releases
profile_and_epsilon       what a profile accepts along one belief, and the epsilon that it allows
profile_map               the epsilon that a profile allows at each pair of beliefs
accuracy_against_risk     what each profile costs in noise
budget_by_query           what each query of a plan costs a concern
icon_arrays               two chances out of the same number, for everybody
panels                    lines beside each other, for comparisons that no other picture foresees
posterior_law             how the posterior is spread over the noise
picture                   a picture, and how it is saved: PNG, SVG, PDF, HTML
columns                   the numbers behind a picture
drawing                   the one place that knows the drawing libraries
alt_text                  descriptions inside files
files                     files that are written whole or not at all
style, layers, curves     colours and sizes; axes, lines and words; several findings as lines
answers, points           what is drawn of an answer, and where
allowed                   what is allowed, as the largest posterior at each prior
profile_beliefs           a profile at many beliefs

Nothing is computed here: every number that is drawn is that of a finding, on its safe side.
"""

from whit.telling.plots.accuracy_against_risk import accuracy_against_risk
from whit.telling.plots.answers import Columns
from whit.telling.plots.budget_by_query import budget_by_query
from whit.telling.plots.icon_arrays import icon_arrays
from whit.telling.plots.level_and_power import level_and_power
from whit.telling.plots.panels import Axis, Mark, Panel, panels
from whit.telling.plots.picture import Picture
from whit.telling.plots.plot import plot
from whit.telling.plots.posterior_against_prior import posterior_against_prior
from whit.telling.plots.posterior_law import posterior_law
from whit.telling.plots.profile_and_epsilon import profile_and_epsilon
from whit.telling.plots.profile_curve import loss_curve, profile_curve
from whit.telling.plots.profile_map import profile_map
from whit.telling.plots.risk_over_releases import risk_over_releases

__all__ = [
    "Axis",
    "Columns",
    "Mark",
    "Panel",
    "Picture",
    "accuracy_against_risk",
    "budget_by_query",
    "icon_arrays",
    "level_and_power",
    "loss_curve",
    "panels",
    "plot",
    "posterior_against_prior",
    "posterior_law",
    "profile_and_epsilon",
    "profile_curve",
    "profile_map",
    "risk_over_releases",
]
