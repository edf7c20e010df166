"""How much the tests would notice: small changes to the code, each run against the tests of its own module.

`python -m tests.mutants --help`; what it found is in `docs/mutants.md`. Not part of the test suite.
"""
