"""One file per command; each holds the command of its name."""
