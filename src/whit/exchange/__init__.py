"""Objects and files of other libraries, as promises and mechanisms; and back.

learned       what was learned from an object or a file, and what it does not say
dp_events     trees of events of dp-accounting, TensorFlow Privacy and JAX Privacy
opacus        accountants of Opacus, their history and their state
opendp        measurements of OpenDP, live or serialized
budgets       what a session of Tumult or SmartNoise has spent
reading       the one way in: any of these, or a JSON file of it

No library of others is imported: a live object is read by its public names, in the process of its user, and a file is
JSON. Nothing that could run code is ever opened. What is not known is refused, with the place of the field.
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
