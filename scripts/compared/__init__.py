"""What to compare with a folder of researched facts, one module a game."""
