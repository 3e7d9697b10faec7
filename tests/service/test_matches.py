"""Load, decide, append: races, repeats, and processes that overtake each other."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from domain.engine.agenda import Run
from domain.engine.codec import encode
from domain.engine.decider import Choose, CreateMatch, StartMatch, TakeSeat, carry_out, create
from domain.engine.errors import NotYourTurn, UnknownChoice
from domain.engine.match import Match
from schema import errors
from service import store as s
from service.matches import Decide, Done, Matches, Order
from service.store import MemoryStore
from tests.kit.service import Clock

pytestmark = pytest.mark.anyio

SEED, SALT = "ab" * 16, "cd" * 32


class Faulty(MemoryStore):
    """A store that appends and then fails to say so, when told."""

    silent = False

    async def append(
        self, match_id: str, expected: int, commit: s.Commit, hooked: bool | None = None
    ) -> None:
        await super().append(match_id, expected, commit, hooked)
        if self.silent:
            raise s.StoreUnavailable("the answer was lost")


class Overtaken(MemoryStore):
    """A store in which somebody else appends just before each of the next appends."""

    def __init__(self) -> None:
        super().__init__()
        self.others: list[s.Commit] = []

    async def append(
        self, match_id: str, expected: int, commit: s.Commit, hooked: bool | None = None
    ) -> None:
        if self.others and expected > 0:
            other = self.others.pop()
            await super().append(match_id, other.first - 1, other)
        await super().append(match_id, expected, commit, hooked)


def order(command: str, **more: Any) -> Order:
    return Order(command=command, digest=more.pop("digest", ""), seat=more.pop("seat", 0), **more)


def sits(seat: int) -> Decide:
    return lambda match: carry_out(match, TakeSeat(seat, f"player {seat}"))


def swaps(seat: int, choice: int) -> Decide:
    """Answer the first choice, asked of everybody: whether to swap identities. No."""
    return lambda match: carry_out(match, Choose(seat, choice, ((),)))


async def started(matches: Matches, seats: int = 2) -> Match[Any]:
    """Store a match "m" in which every seat is asked at the same time."""
    event, match = create(CreateMatch("chrononauts", seats, {"courtesySwap": True}))
    run = Run(match)
    events = [event]
    for seat in range(seats):
        run = carry_out(match, TakeSeat(seat, f"player {seat}"))
        match, events = run.match, [*events, *run.events]  # type: ignore[list-item]
    run = carry_out(match, StartMatch(SEED, SALT))
    await matches.create("m", first_commit([*events, *run.events]), public=False)
    return run.match


def first_commit(events: Sequence[object], digest: str = "") -> s.Commit:
    return s.Commit(1, len(events), 1_000, None, "first", digest, encode(events))


async def test_one_of_two_callers_who_race_for_a_choice_is_refused() -> None:
    store = MemoryStore()
    one, other = Matches(store), Matches(store)
    match = await started(one)
    decide = swaps(0, match.choice)

    async def answer(matches: Matches, command: str) -> Done | Exception:
        try:
            return await matches.commit("m", order(command), decide)
        except NotYourTurn as refusal:
            return refusal

    await other.newest("m")
    results = await asyncio.gather(answer(one, "a"), answer(other, "b"), answer(one, "c"))
    assert sum(isinstance(result, Done) for result in results) == 1
    assert await store.last_version("m") == match.version + 1


async def test_callers_with_different_choices_both_succeed() -> None:
    store = MemoryStore()
    one, other = Matches(store), Matches(store)
    match = await started(one, seats=3)
    await other.newest("m")
    await one.commit("m", order("a"), swaps(0, match.choice))
    done = await other.commit("m", order("b", seat=1), swaps(1, match.choice))
    assert done.snapshot.version == match.version + 2
    assert (await one.newest("m")).match == done.snapshot.match


async def test_what_was_meant_for_an_answered_choice_is_refused() -> None:
    matches = Matches(MemoryStore())
    match = await started(matches)
    await matches.commit("m", order("a"), swaps(0, match.choice))
    await matches.commit("m", order("b", seat=1), swaps(1, match.choice))
    late = order("c", choice=match.choice)
    with pytest.raises(UnknownChoice):
        await matches.commit("m", late, lambda match: pytest.fail("it was decided again"))


async def test_a_stale_version_is_refused_with_the_current_one() -> None:
    store = MemoryStore()
    one, other = Matches(store), Matches(store)
    match = await started(one)
    await other.newest("m")
    await one.commit("m", order("a"), swaps(0, match.choice))
    for matches in (one, other):
        with pytest.raises(errors.VersionConflict) as caught:
            await matches.commit(
                "m", order("b", seat=1, expected=match.version), swaps(1, match.choice)
            )
        assert caught.value.detail == {"version": match.version + 1}
    assert await store.last_version("m") == match.version + 1


async def test_an_expected_version_that_another_process_made_is_found() -> None:
    store = MemoryStore()
    one, other = Matches(store), Matches(store)
    match = await started(one)
    await other.newest("m")
    await one.commit("m", order("a"), swaps(0, match.choice))
    expected = order("b", seat=1, expected=match.version + 1)
    await other.commit("m", expected, swaps(1, match.choice))


async def test_a_repeat_answers_what_the_first_did_and_appends_nothing() -> None:
    store = MemoryStore()
    matches = Matches(store)
    match = await started(matches)
    first = await matches.commit("m", order("a", digest="x"), swaps(0, match.choice))
    await matches.commit("m", order("b", seat=1), swaps(1, match.choice))
    version = await store.last_version("m")
    for process in (matches, Matches(store)):
        repeat = order("a", digest="x", expected=match.version)
        again = await process.commit("m", repeat, swaps(0, match.choice))
        assert again.events == tuple(first.events)
        assert (again.first, again.at, again.seat) == (first.first, first.at, first.seat)
        assert again.snapshot.match == first.snapshot.match
    assert await store.last_version("m") == version


async def test_a_command_id_with_another_body_is_refused() -> None:
    matches = Matches(MemoryStore())
    match = await started(matches)
    await matches.commit("m", order("a", digest="x"), swaps(0, match.choice))
    with pytest.raises(errors.CommandReused):
        await matches.commit("m", order("a", digest="y"), swaps(0, match.choice))


async def test_a_commit_whose_answer_was_lost_is_found_by_its_command_id() -> None:
    store = Faulty()
    matches = Matches(store)
    match = await started(matches)
    store.silent = True
    with pytest.raises(s.StoreUnavailable):
        await matches.commit("m", order("a"), swaps(0, match.choice))
    store.silent = False
    done = await matches.commit("m", order("a"), swaps(0, match.choice))
    assert done.snapshot.version == match.version + 1
    assert await store.last_version("m") == match.version + 1


async def test_a_command_is_decided_again_three_times_and_no_more() -> None:
    store = Overtaken()
    matches = Matches(store)
    event, match = create(CreateMatch("chrononauts", 6, {}))
    await matches.create("m", first_commit([event]), public=False)
    others, version = [], 1
    for seat in (4, 3, 2, 1):
        run = carry_out(match, TakeSeat(seat, "other"))
        match = run.match
        others.append(s.Commit(version + 1, 1, 1_000, None, f"{seat}", "", encode(run.events)))
        version += 1
    store.others = others[::-1][1:]
    done = await matches.commit("m", order("a"), sits(5))
    assert done.snapshot.version == 5
    assert [place.player for place in done.snapshot.match.places][1:] == [
        None, "other", "other", "other", "player 5",
    ]  # fmt: skip
    with pytest.raises(errors.Busy):
        await busy(matches, store)


async def busy(matches: Matches, store: Overtaken) -> None:
    """Take a seat while others append, more often than the service tries."""
    version = await store.last_version("m")
    snapshot = await matches.newest("m")
    run = carry_out(snapshot.match, TakeSeat(1, "other"))
    events = encode(run.events)
    store.others = [
        s.Commit(version + 1 + number, 1, 1_000, None, f"x{number}", "", events)
        for number in reversed(range(4))
    ]
    await matches.commit("m", order("b"), sits(0))


async def test_time_never_goes_backwards_in_a_match() -> None:
    clock = Clock()
    matches = Matches(MemoryStore(), clock)
    match = await started(matches)
    first = await matches.commit("m", order("a"), swaps(0, match.choice))
    clock.now -= 60_000
    second = await matches.commit("m", order("b", seat=1), swaps(1, match.choice))
    assert second.at == first.at


async def test_few_matches_are_remembered_and_all_are_found() -> None:
    store = MemoryStore()
    matches = Matches(store, capacity=2)
    event, _ = create(CreateMatch("chrononauts", 2, {}))
    for name in "abcd":
        await matches.create(name, first_commit([event]), public=name == "a")
        await matches.newest(name)
    assert [matches.remembered(name) is not None for name in "abcd"] == [False, False, True, True]
    assert (await matches.newest("a")).public
    assert not (await matches.newest("b")).public


async def test_an_unknown_match_is_not_found() -> None:
    with pytest.raises(errors.MatchNotFound):
        await Matches(MemoryStore()).newest("nothing")
