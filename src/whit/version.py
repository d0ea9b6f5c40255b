"""The version of whit, the one place where it is written; pyproject.toml reads it from here."""

VERSION = "0.1.0"
