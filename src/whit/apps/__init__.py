"""What people run: the command line, and the web.

asking   what a command asks and answers, without a screen
cli      the command `whit`, one file per command
web      the web application, one file per page
"""
