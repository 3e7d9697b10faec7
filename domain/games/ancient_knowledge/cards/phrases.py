"""Filters, amounts and effects that many cards share."""

from domain.engine.effects import Seq
from domain.games.ancient_knowledge.words import (
    EXACT,
    Count,
    Draw,
    Filter,
    MaxOf,
    MinOf,
    RemoveKnowledge,
)

ANYWHERE = Filter(zone="own_timeline", kind="monument", min_knowledge=1)
TIMELINE = Filter(zone="own_timeline", kind="monument")
TIMELINE_CITIES = Filter(zone="own_timeline", kind="monument", category="city")
TIMELINE_MEGALITHS = Filter(zone="own_timeline", kind="monument", category="megalith")
TIMELINE_PYRAMIDS = Filter(zone="own_timeline", kind="monument", category="pyramid")
LOADED_CITIES = Filter(zone="own_timeline", kind="monument", category="city", min_knowledge=1)
LOADED_MEGALITHS = Filter(
    zone="own_timeline", kind="monument", category="megalith", min_knowledge=1
)
LOADED_PYRAMIDS = Filter(zone="own_timeline", kind="monument", category="pyramid", min_knowledge=1)
ADJACENT_CITIES = Filter(
    zone="own_timeline", kind="monument", category="city", min_knowledge=1, adjacent_to_self=True
)
ADJACENT_MEGALITHS = Filter(
    zone="own_timeline",
    kind="monument",
    category="megalith",
    min_knowledge=1,
    adjacent_to_self=True,
)
ITSELF_LOADED = Filter(zone="own_timeline", kind="monument", min_knowledge=1, only_self=True)
ITSELF = Filter(zone="own_timeline", kind="monument", only_self=True)
ANOTHER_MONUMENT = Filter(zone="own_timeline", kind="monument", exclude_self=True)
PAST = Filter(zone="own_past", kind="monument")
PAST_CITIES = Filter(zone="own_past", kind="monument", category="city")
PAST_MEGALITHS = Filter(zone="own_past", kind="monument", category="megalith")
PAST_PYRAMIDS = Filter(zone="own_past", kind="monument", category="pyramid")
PAST_ENDGAME = Filter(zone="own_past", kind="monument", timing="endgame")
ARTIFACTS_ON_BOARD = Filter(zone="own_artifacts", kind="artifact")
ITSELF_ON_BOARD = Filter(zone="own_artifacts", kind="artifact", only_self=True)
HAND = Filter(zone="own_hand")
HAND_MONUMENTS = Filter(zone="own_hand", kind="monument")
HAND_ARTIFACTS = Filter(zone="own_hand", kind="artifact")
TECHNOLOGIES = Filter(zone="own_technologies", kind="technology")
ANCIENT = Filter(zone="own_technologies", kind="technology", tech_type="ancient")
WRITING = Filter(zone="own_technologies", kind="technology", tech_type="writing")
SECRET = Filter(zone="own_technologies", kind="technology", tech_type="secret")
OPPONENT_HAND = Filter(zone="opponent_hand")

REMOVE_ONE = RemoveKnowledge(1, ANYWHERE, "distribute", EXACT)
REMOVE_ONE_AND_DRAW = Seq((REMOVE_ONE, Draw(1)))
PAST_TRIOS = MinOf((Count(PAST_CITIES), Count(PAST_MEGALITHS), Count(PAST_PYRAMIDS)))
PAST_LARGEST = MaxOf((Count(PAST_CITIES), Count(PAST_MEGALITHS), Count(PAST_PYRAMIDS)))
TECHNOLOGY_TRIOS = MinOf((Count(ANCIENT), Count(WRITING), Count(SECRET)))
