"""Technologies of level II: nothing but points at the end."""

import pytest

from domain.games.ancient_knowledge.scoring import points
from tests.games.ancient_knowledge.claims import card, lone

POINTS = {
    "tech_28": 3,
    "tech_29": 4,
    "tech_30": 2,
    "tech_31": 3,
    "tech_32": 3,
    "tech_33": 2,
    "tech_34": 2,
    "tech_35": 2,
    "tech_36": 2,
    "tech_37": 4,
    "tech_38": 3,
    "tech_39": 5,
    "tech_40": 2,
    "tech_41": 2,
    "tech_42": 2,
    "tech_43": 2,
    "tech_44": 4,
    "tech_45": 4,
}


@card(*POINTS)
@pytest.mark.parametrize("id", POINTS)
def test_a_technology_of_level_two_is_worth_its_points_whatever_comes_later(id: str) -> None:
    table = lone("tech_01").techs(0, id).at_action(0)
    assert points(table.board, 0) == {
        "past": 0,
        "endgame": 0,
        "technologies": POINTS[id],
        "timeline": 0,
        "lost": 0,
    }


def test_lost_knowledge_still_costs_a_point_each() -> None:
    table = lone("tech_01").techs(0, "tech_30", "tech_44").lost(0, 15).at_action(0)
    assert sum(points(table.board, 0).values()) == 2 + 4 - 15


@pytest.mark.parametrize(("id", "lost"), [("tech_30", 9), ("tech_44", 15)])
def test_removing_lost_knowledge_after_learning_keeps_the_points(id: str, lost: int) -> None:
    table = lone(id).tile(1, "tech_09").lost(0, lost).at_action(0)
    table.picks(0, f"learn:{id}").picks(0, "learn:tech_09")
    assert table.lost(0) == lost - 2
    assert points(table.board, 0)["technologies"] == POINTS[id]


def test_losing_artifacts_after_learning_tech_28_keeps_its_points() -> None:
    table = lone("tech_28").artifacts(0, "artifact_15", "artifact_22", "artifact_23", "artifact_26")
    at = table.at_action(0).picks(0, "learn:tech_28").searches(0).picks(0, "yes")
    assert len(at.artifacts(0)) == 3
    assert points(at.board, 0)["technologies"] == 3
