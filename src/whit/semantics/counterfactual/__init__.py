"""With and without you: what is believed after a release, against what would be believed had one record not been used.

world      the three worlds without a person, and the neighbours that each needs
distance   how far the two posteriors are apart in total variation
people     which delta is small enough for so many people
ratio      by which factor the posterior of a record changes
profile    the points of the privacy profile behind these bounds
kasiviswanathan_smith   the bounds of Kasiviswanathan and Smith (2014), to compare with

The other way round, from beliefs to differential privacy, is a conversion of the promise SemanticPrivacy.
"""

from whit.semantics.counterfactual import kasiviswanathan_smith
from whit.semantics.counterfactual.distance import DISTANCE, total_variation
from whit.semantics.counterfactual.people import ENOUGH, delta_for_people
from whit.semantics.counterfactual.ratio import EXCEEDED, RATIO, Record, posterior_ratio, ratio_exceeded
from whit.semantics.counterfactual.world import World

__all__ = [
    "DISTANCE",
    "ENOUGH",
    "EXCEEDED",
    "RATIO",
    "Record",
    "World",
    "delta_for_people",
    "kasiviswanathan_smith",
    "posterior_ratio",
    "ratio_exceeded",
    "total_variation",
]
