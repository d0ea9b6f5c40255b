"""Claims of differential privacy: what one means as it is stated, what it leaves open, and which releases are like it.

judged        the claim with its meaning, its points and its neighbours in the catalogue, as text and as a plain tree
beside_noise  whether the stated noise gives the stated epsilon
drawing       how the sample of a claim is drawn, and whether the numbers hold for it
cases         what each open point could mean, worked out
points.toml   the points, each with the reason why it matters
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
