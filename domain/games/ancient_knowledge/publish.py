"""Every card as the public catalogue shows it, in catalogue order.

Effects are published in the effect vocabulary of the card files: `{"verb": "draw", "n": 2, "deck":
"builder"}`. Most words are written there as here; `_IMPLIED` says what a word leaves unsaid because
it is always so, `_given` what is written otherwise. Nothing that a card says is left out, so two
cards that differ are published differently.
"""

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import fields

from domain.engine.effects import Effect
from domain.engine.errors import InvalidOptions
from domain.engine.events import Fact
from domain.engine.game import PublishedCard
from domain.engine.ids import Json
from domain.games.ancient_knowledge import words as w
from domain.games.ancient_knowledge.cards.phrases import HAND, OPPONENT_HAND, TIMELINE
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY

_IMPLIED: Mapping[type[Struct], Mapping[str, object]] = {
    w.OnEvent: {"by": "owner"},
    w.LostKnowledge: {"of": "owner"},
    w.LostThisDecline: {"value": "knowledge_lost_this_decline_phase", "of": "owner"},
    w.FreeSlots: {"zone": "own_timeline"},
    w.EachPlayer: {"order": "clockwise", "starting_with": "owner"},
    w.Draw: {"deck": "builder"},
    w.DrawKeep: {
        "deck": "builder",
        "visible_to": "owner",
        "to": "own_hand",
        "rest_to": "discard_pile",
    },
    w.LookTop: {"bind": "seen"},
    w.TakeCard: {"n": 1, "from": w.Filter(zone="looked_at"), "to": "hand_of_chooser"},
    w.RevealUntil: {
        "deck": "builder",
        "stop_when": w.AtLeast(w.Count(HAND), 10),
        "to": "own_hand",
        "rest_to": "discard_pile",
    },
    w.StealCard: {"from": OPPONENT_HAND, "visible_to": "owner", "to": "own_hand"},
    w.AddKnowledge: {
        "target": w.Filter(zone="opponent_timeline", kind="monument"),
        "mode": "single",
    },
    w.Create: {"n": 1},
    w.Learn: {"n": 1, "requirements": "enforced"},
    w.Archive: {"n": w.AnyNumber(1, w.MinOf((w.Count(HAND), w.KnowledgeOn(TIMELINE))))},
    w.MoveMonument: {"n": 1},
    w.Straighten: {
        "target": w.Filter(zone="own_past", kind="monument", rotated=True),
        "rule": "exact",
    },
    w.SkipPhase: {"phase": "decline", "duration": "this_turn"},
    w.ReplaceDraw: {"what": "excavate_draw"},
}


@lru_cache(maxsize=1)
def published(facts: tuple[Fact, ...] = ()) -> tuple[PublishedCard, ...]:
    """Return every card: 144 of the builder deck and 45 technologies.

    Raises:
        InvalidOptions: any fact: all facts of this game are known, so there is none to replace.
    """
    if facts:
        raise InvalidOptions("facts: this game has no facts to replace")
    return (
        *(to_published(card) for card in BUILDER.values()),
        *(to_published(card) for card in TECHNOLOGY.values()),
    )


def to_published(card: w.BuilderCard | w.Technology) -> PublishedCard:
    """Return a card with its facts and its effects; a monument's kind is its category."""
    kind: str
    facts: dict[str, Json]
    effects: dict[str, Json] = {"does": _does(card)}
    match card:
        case w.BuilderCard():
            kind = card.category or card.kind
            facts = {"cost": card.cost, "startingHand": card.starting_hand}
            if card.kind == "monument":
                facts = {
                    "category": card.category,
                    "space": card.space,
                    "locked": card.locked,
                    "knowledge": card.knowledge,
                    "vp": card.vp,
                    **facts,
                }
        case w.Technology():
            kind = "technology"
            facts = {"techType": card.tech_type, "level": card.level}
            effects = {"requirement": to_vocabulary(card.requirement), **effects}
    facts["timing"] = card.timing.value
    return PublishedCard(
        id=card.id, kind=kind, count=1, facts=facts, effects=effects, provenance={}
    )


def _does(card: w.BuilderCard | w.Technology) -> Json:
    """Return the effect; a passive one with the place in which it is active."""
    match card.effect:
        case w.Reaction(on=on, do=do):
            ability: dict[str, object] = {"on": on, "do": do}
        case w.Modify():
            ability = {"modify": card.effect}
        case _:
            return to_vocabulary(card.effect)
    is_artifact = isinstance(card, w.BuilderCard) and card.kind == "artifact"
    where = "on_own_board" if is_artifact else "in_own_timeline"
    return to_vocabulary({"verb": "passive", "active_while": where, **ability})


def to_vocabulary(node: object) -> Json:
    """Return an effect, amount, condition or filter as the effect vocabulary writes it.

    Raises:
        TypeError: the vocabulary has no form for it.
    """
    match node:
        case Struct():
            return to_vocabulary({**_named(node), **_IMPLIED.get(type(node), {}), **_given(node)})
        case dict():
            return {name: to_vocabulary(value) for name, value in node.items()}
        case tuple():
            return [to_vocabulary(item) for item in node]
        case None | bool() | int() | str():
            return node
        case _:
            raise TypeError(f"the effect vocabulary has no form for {type(node).__name__}")


def _named(node: Struct) -> dict[str, object]:
    """Return the name of a word under the key that tells what it is; filters have none."""
    tag = node.__struct_config__.tag
    match node:
        case w.Filter() | w.OnEvent() | w.Modify():
            return {}
        case w.AtLeast() | w.AtMost() | w.Exactly() | w.All():
            return {"op": tag}
        case Effect():
            return {"verb": tag}
        case _:
            return {"value": tag}


def _given(node: Struct) -> dict[str, object]:
    """Return the arguments that are not at their defaults, by their names in the vocabulary."""
    given: dict[str, object] = {
        field.name: value
        for field in fields(node)
        if (value := getattr(node, field.name)) != field.default
    }
    if "source" in given and not isinstance(node, w.AddKnowledge):
        given["from"] = given.pop("source")
    match node:
        case w.Filter(zone="looked_at"):
            given["name"] = "seen"
        case w.Discard(payment=True):
            given["shortfall"] = "not_allowed"
            del given["payment"]
        # A number of the owner's own choice is never short.
        case w.Discard(chooser=str(), bind=None):
            given["shortfall"] = "as_many_as_possible"
        case w.Learn(source=zone):
            given["from"] = w.Filter(zone=zone)
        case w.MoveMonument():
            given["to"] = {"space": given.pop("space", "any_other")}
        case w.BottomCards(source=w.Filter(zone=zone)):
            given["refill_check"] = zone == "tech_market"
        case w.ReplaceDraw():
            given["with"] = given.pop("instead")
        case w.Modify(mod="excavate_draw_per_card"):
            given["set"] = given.pop("amount")
        case w.Modify(mod="learn_requirement_value"):
            given |= {"floor": 0, "optional": True}
        case w.Modify():
            given["floor"] = 0
        case _:
            pass
    return given
