"""The benchmark: what the service promises, measured; `table.py` has the promises.

`make bench` prints the table and writes `docs/performance.md`. Figures are never asserted in tests.
"""
