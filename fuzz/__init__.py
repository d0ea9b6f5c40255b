"""Inputs at random, drawn by a grammar from a seed: whit answers each, or refuses it in a sentence.

draw           numbers, texts and mutations, all from one seed
judge          what counts as found: a traceback, a nan, a warning, a hang, a half file
readers        files of every kind, read in process
questions      the interface for programs and the library: values by name, as JSON has them
office         a ledger that is in use, and command lines about it
command_lines  the command line, in process
processes      the command line as real processes, some of them killed
guided         the readers again, led by coverage (atheris)
run            runs any of these, bounded in number and in time

`make fuzz` runs all of them. What was found, and how often it was run, stands in docs/project/fuzzing.md.
"""
