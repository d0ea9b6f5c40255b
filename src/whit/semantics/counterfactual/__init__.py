"""With and without you: what is believed after a release, against what would be believed had one record not been used.

distance   how far the two posteriors are apart, and which delta is small enough for so many people
ratio      by which factor the posterior of a record changes
profile    the worlds without a person, and the profile behind these bounds

The other way round, from beliefs to differential privacy, is a conversion of the promise SemanticPrivacy.
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
