"""Small changes to the sources, each of which some test should find.

changes   the changes that can be made to a file
covering  which tests run which line, and how long they take
child     runs tests in copies of a process that has loaded what they need
run       tries a sample of them against the tests of the mirror folder: `python -m mutants.run numerics --seconds 300`
page      writes what was found to docs/project/mutants.md
results   what was found, one file a package; a run goes on where the last one ended
explained.toml   why no test finds a change, one by one
"""
