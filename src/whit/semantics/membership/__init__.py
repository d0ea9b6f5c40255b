"""Membership: how far a release moves the belief of an adversary who knows everything but one fact about a person.

The fact is what the neighbours say: that the person is in the data or not (add/remove), or that their record is one
record and not another (replace, local). The adversary gives it a prior; the release gives it a posterior.

bounds         posterior, ratio, difference and odds at a prior, but for a chance of failure
any_prior      the largest ratio, difference and odds ratio over all priors
worst_priors   the priors that gain most
law            the law of the posterior where the noise is known
expectation    the expected posterior, of any promise
between        a number held between two bounds at once
fact           what the adversary is asking about
largest        the largest loss, refused where nothing is proved
bayes          Bayes's rule, rounded outwards
converse       the promise that follows from a bound on beliefs
releases       how many releases keep a limit, and the risk after each number of them
release_rules  the rules by which releases add up
counted        numbers of releases and of units
unit_change    a promise to a person on one day as one to that person over a year
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(
    __name__,
    {
        "any_prior": ("largest_difference", "largest_ratio", "odds_ratio"),
        "between": ("Between",),
        "bounds": ("Beliefs", "difference", "odds", "posterior", "ratio"),
        "converse": (
            "Implied",
            "both_sides_epsilon",
            "epsilon_of_difference",
            "epsilon_of_odds",
            "epsilon_of_posterior",
            "epsilon_of_ratio",
            "implied_by_difference",
            "implied_by_odds",
            "implied_by_posterior",
            "implied_by_ratio",
            "other_side_epsilon",
        ),
        "expectation": ("expected_posterior",),
        "law": ("PosteriorLaw", "distribution"),
        "release_rules": (
            "AdvancedComposition",
            "CompositionRule",
            "ListedComposition",
            "OptimalComposition",
            "OwnComposition",
            "TextbookComposition",
        ),
        "releases": (
            "DifferenceAtAnyPrior",
            "PosteriorFrom",
            "RatioAtAnyPrior",
            "ReleasesWithin",
            "Risk",
            "releases_until",
            "risk_over_releases",
        ),
        "unit_change": ("UnitChange", "by_composition", "by_group"),
        "worst_priors": ("WorstPrior", "WorstPriors", "worst_prior"),
    },
)
