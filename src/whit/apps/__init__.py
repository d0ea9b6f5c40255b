"""What people run: the command line, and the web.

cli   the command `whit`, one file per command
web   the web application, one file per page
"""
