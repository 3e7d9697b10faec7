"""The engine that every game shares: choices, the agenda machine, chance, secrecy, the fold.

Start with `decider.py` (command in, events out), then `agenda.py` (how a program runs).
"""
