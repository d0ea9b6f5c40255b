"""Noise, as values: mechanisms by the law of their output, with their exact loss where there is one.

mechanism             what all have in common; composed has several together
together              guarantees and mechanisms on the same data
coverage              everybody whom a mechanism covers, and somebody whose record changes every answer in full
group                 what is known of several records by steps from one to the next
processing            an output that is processed further, as words say
noise                 noise added to each cell of an answer, and none at all
gaussian              Gaussian noise, also with a covariance matrix
laplace, geometric    noise that falls exponentially, on all numbers and on whole ones
staircase, tulap      a density of plateaus; the noise whose curve is all that epsilon and delta promise
discrete_gaussian     Gaussian noise on whole numbers
randomized_response   the true category, or another one by chance
unary_encoding        a category as bits that are flipped by chance
rappor                reports of a few noisy bits about one value, however many there are
shuffling             such reports in random order
finite                probabilities of finitely many outcomes, channels that process them, and mixtures
selection             one of several candidates by their scores
kept                  mechanisms known only by a guarantee
sparse_vector         which of many answers lie above a threshold, until some have
private_selection     the best of a random number of runs
thresholds            keys that are released only if they reach a threshold, or by how many have them
mixture               Gaussian noise where the change is random
matrix                noise on the steps of a linear release: strategies, Toeplitz ones, trees of partial sums
participation         which of these steps one person enters
sampling              a published sample of the records, and noise on a Poisson sample
several_records       all records of one person on a Poisson sample
truncated_sample      noise on a Poisson sample that is cut at a largest size
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
