from collections.abc import Iterable

import pytest
from msgspec import Raw

from domain.engine.codec import encode
from domain.engine.events import Event, MatchEnded, MatchRestored, Outcome, SeatConceded
from domain.games.chrononauts.events import TurnStarted
from service.store import Commit
from service.webhooks.turns import News, is_alerting, is_told_again, news
from tests.engine.lab import LAB

GAME = "chrononauts"
OTHER = SeatConceded(seat=0)
END = MatchEnded(outcome=Outcome(winners=(0,), reasons=("x",)), seed="", salt="")


def turn(seat: int) -> Event:
    return TurnStarted(seat=seat)


def undo(version: int) -> Event:
    return MatchRestored(why="undo", state=Raw(b"{}"), version=version)


def log(*commits: Iterable[Event]) -> list[Commit]:
    """Return a log of commits; each is made at the time of its first version."""
    made: list[Commit] = []
    for events in commits:
        all = tuple(events)
        first = made[-1].last + 1 if made else 1
        made.append(Commit(first, len(all), first, None, "c", "d", encode(all)))
    return made


def test_news_are_turns_and_the_end() -> None:
    commits = log([OTHER, turn(1)], [OTHER], [turn(0), OTHER], [OTHER, END])
    assert list(news(GAME, commits)) == [
        News(2, 1, 1, 1),
        News(4, 4, 2, 0),
        News(7, 6, 2, None),
    ]


def test_a_turn_has_the_same_number_when_it_begins_anew() -> None:
    commits = log([turn(0)], [turn(1)], [undo(1)], [turn(1)], [turn(0)])
    assert [(one.version, one.number) for one in news(GAME, commits)] == [
        (1, 1),
        (2, 2),
        (4, 2),
        (5, 3),
    ]


def test_an_undo_of_an_undone_past_counts_as_it_stood_there() -> None:
    commits = log([turn(0)], [turn(1)], [undo(1)], [OTHER], [undo(2)], [turn(0)])
    assert [(one.version, one.number) for one in news(GAME, commits)][-1] == (6, 3)


def test_only_an_undo_sets_turns_back() -> None:
    restored = MatchRestored(why="fork", state=Raw(b"{}"), version=7, match="m")
    commits = log([restored, turn(0)], [undo(99)], [turn(1)])
    assert [(one.version, one.number) for one in news(GAME, commits)] == [(2, 1), (4, 2)]


@pytest.mark.parametrize(
    ("version", "since", "again"),
    [(4, 0, True), (4, 1, True), (4, 2, False), (2, 0, False), (5, 0, False)],
)
def test_a_turn_told_before_is_not_told_again(version: int, since: int, again: bool) -> None:
    known = list(news(GAME, log([turn(0)], [turn(1)], [undo(1)], [turn(1)], [turn(0)])))
    one = next(one for one in known if one.version == version)
    assert is_told_again(known, one, since) is again


def test_another_seat_at_the_same_turn_is_told() -> None:
    known = list(news(GAME, log([turn(0)], [turn(1)], [undo(1)], [turn(2)])))
    assert not is_told_again(known, known[-1], 0)


def test_the_end_is_told_whatever_came_before() -> None:
    known = list(news(GAME, log([turn(0)], [END])))
    assert not is_told_again(known, known[-1], 0)


def test_commits_with_news_are_known_by_their_events() -> None:
    assert is_alerting(GAME, [OTHER, turn(0)])
    assert is_alerting(GAME, [END])
    assert not is_alerting(GAME, [OTHER])
    assert not is_alerting(LAB.name, [OTHER])


def test_a_game_without_turns_has_its_end_to_tell() -> None:
    assert [one.seat for one in news(LAB.name, log([OTHER], [END]))] == [None]
