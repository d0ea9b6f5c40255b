"""What may be asked and what is answered, as JSON Schema: one file for each command, made by one function.

requests    the values of a command, from its fields and from the words of promises
documents   the document that it answers with
making      both as one schema; the file of a command, and its text

The files beside this one are what `making.schema_of` makes; a test compares them.
"""

from __future__ import annotations

from whit.apps.asking.schemas.making import schema_of, schema_text, stored_schema

__all__ = ["schema_of", "schema_text", "stored_schema"]
