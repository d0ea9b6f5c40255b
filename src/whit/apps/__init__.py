"""What people run: the command line.

cli   the command `whit`, one file per command
"""
