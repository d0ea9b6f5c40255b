"""Objects and files of other libraries, as promises and mechanisms; and back.

learned             what was learned from an object or a file, and what it does not say
dp_events           trees of events of dp-accounting, TensorFlow Privacy and JAX Privacy
dp_accountants      accountants of dp-accounting, by the events that they composed
loss_distributions  privacy loss distributions of dp-accounting, and Google's files of them
opacus              accountants of Opacus and riskcal, their history and their state
prv                 accountants of prv-accountant
opendp              measurements, odometers and contexts of OpenDP; serialized measurements
autodp              mechanisms of autodp
budgets             what a session of Tumult or SmartNoise has spent
pipeline_dp         what an accountant of PipelineDP has shared out
releases            tables of releases: CSV, Parquet, and live tables
registry            records of the deployments registry, in and out
reading             the one way in: any of these, or a file of it
asking              the questions, asked of these as they are

No library of others is imported: a live object is read by its public names, in the process of its user. A file is JSON,
TOML, YAML, CSV or Parquet. Nothing that could run code is ever opened. What is not known is refused, with the place of
the field.
"""

from __future__ import annotations

from whit.front_door import front_door

__all__, __getattr__, __dir__ = front_door(__name__)
