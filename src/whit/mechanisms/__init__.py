"""Noise, as values: mechanisms by the law of their output, with their exact loss where there is one.

mechanism             what all have in common; copies, several together, and processing
noise                 noise added to each cell of an answer
declarations          the kinds that are stated by one number: each is a file of its own, by the name of its class
correlated_gaussian   Gaussian noise with a covariance matrix
deterministic         no noise
subsampled            noise on a Poisson sample of the records
sampling              a published sample of the records
finite                probabilities of finitely many outcomes, and channels that process them
mixture               one of several mechanisms, by chance
integers              quantiles of whole-number noise
rational              exact arithmetic on doubles
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
