"""Plans as files: TOML for a whole plan, CSV for its queries.

columns     one row of a file as a query, and back
plan_toml   a whole plan
table_csv   the table of queries
"""

from whit.plans.files.plan_toml import load, plan_from_toml, to_toml
from whit.plans.files.table_csv import plan_from_csv, to_csv

__all__ = ["load", "plan_from_csv", "plan_from_toml", "to_csv", "to_toml"]
