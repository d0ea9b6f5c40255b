"""The commands, one file each: what it takes, and how it answers."""
