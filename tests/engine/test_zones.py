from domain.engine.zones import hide, seen, without, without_all


def test_a_card_leaves_once() -> None:
    assert without(("a", "b", "a"), "a") == ("b", "a")


def test_a_card_that_cannot_be_seen_takes_a_face_down_one_along() -> None:
    assert without((None, "b", None), "a") == ("b", None)
    assert without((None, None), None) == (None,)


def test_a_card_that_is_seen_goes_before_a_face_down_one() -> None:
    assert without((None, "a"), "a") == (None,)


def test_a_zone_without_the_card_stays() -> None:
    assert without(("b",), "a") == ("b",)
    assert without(("b",), None) == ("b",)


def test_several_cards_leave_one_after_the_other() -> None:
    assert without_all(("a", "b", "a", None), ("a", "a", "c")) == ("b",)


def test_hiding_keeps_the_size() -> None:
    assert hide(("a", None, "b")) == (None, None, None)


def test_only_cards_face_up_are_seen() -> None:
    assert seen(("a", None, "b")) == ("a", "b")
