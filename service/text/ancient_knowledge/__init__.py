"""Ancient Knowledge as text: the table, its events in words, and what was picked."""

from service.text.ancient_knowledge.story import name_pick, tell
from service.text.ancient_knowledge.table import lay_out

__all__ = ["lay_out", "name_pick", "tell"]
