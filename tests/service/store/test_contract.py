"""What every store promises."""

import asyncio
from contextlib import aclosing, suppress

import pytest
from msgspec.structs import replace

from service.store import (
    HOOKS,
    MISSED,
    Deadline,
    EventStore,
    HookedChanged,
    Listing,
    VersionConflict,
)
from tests.service.store.commits import LISTING, commit, fill

pytestmark = pytest.mark.anyio


async def test_loads_what_was_appended(store: EventStore) -> None:
    await store.append("m", 0, commit(1, 2))
    await store.append("m", 2, commit(3, 1))
    assert await store.load("m") == (commit(1, 2), commit(3, 1))


async def test_keeps_every_field(store: EventStore) -> None:
    for seat in (None, 0, 3):
        before = await store.last_version("m")
        plain = commit(before + 1, 3, command="ünï", at=1_700_000_000_123)
        await store.append("m", before, replace(plain, seat=seat))
        assert await store.load("m", before) == (replace(plain, seat=seat),)


async def test_unknown_match_has_version_zero(store: EventStore) -> None:
    assert await store.last_version("m") == 0
    assert not await store.exists("m")
    assert await store.load("m") == ()


async def test_last_version_counts_events(store: EventStore) -> None:
    await store.append("m", 0, commit(1, 5))
    assert await store.last_version("m") == 5
    assert await store.exists("m")


@pytest.mark.parametrize("expected", [0, 1, 3])
async def test_other_expected_version_conflicts(store: EventStore, expected: int) -> None:
    await store.append("m", 0, commit(1, 2))
    with pytest.raises(VersionConflict) as refused:
        await store.append("m", expected, commit(expected + 1))
    assert refused.value.current == 2
    assert await store.load("m") == (commit(1, 2),)


async def test_gap_in_an_empty_stream_conflicts(store: EventStore) -> None:
    with pytest.raises(VersionConflict) as refused:
        await store.append("m", 7, commit(8))
    assert refused.value.current == 0
    assert not await store.exists("m")


@pytest.mark.parametrize(
    ("after", "firsts"),
    [(0, [1, 3, 4]), (1, [1, 3, 4]), (2, [3, 4]), (3, [4]), (4, [4]), (5, [4]), (6, []), (9, [])],
)
async def test_loads_commits_that_end_after_a_version(
    store: EventStore, after: int, firsts: list[int]
) -> None:
    await store.append("m", 0, commit(1, 2))
    await store.append("m", 2, commit(3, 1))
    await store.append("m", 3, commit(4, 3))
    assert [loaded.first for loaded in await store.load("m", after)] == firsts


@pytest.mark.parametrize(
    ("after", "until", "firsts"),
    [
        *((0, 0, []), (0, 1, [1]), (0, 2, [1]), (0, 3, [1, 3]), (0, 5, [1, 3, 4])),
        *((0, 9, [1, 3, 4]), (1, 2, [1]), (1, 3, [1, 3]), (2, 3, [3]), (4, 5, [4])),
    ],
)
async def test_loads_commits_that_begin_until_a_version(
    store: EventStore, after: int, until: int, firsts: list[int]
) -> None:
    assert await store.load("m", after, until) == ()
    await store.append("m", 0, commit(1, 2))
    await store.append("m", 2, commit(3, 1))
    await store.append("m", 3, commit(4, 3))
    assert [loaded.first for loaded in await store.load("m", after, until)] == firsts


async def test_loads_a_stream_of_many_pages(store: EventStore) -> None:
    await fill(store, "m", 1_203)
    assert [loaded.first for loaded in await store.load("m")] == list(range(1, 1_204))
    assert [loaded.first for loaded in await store.load("m", 1_000)] == list(range(1_001, 1_204))
    assert len(await store.load("m", 0, 1_100)) == 1_100


async def test_one_of_many_writers_wins_each_version(store: EventStore) -> None:
    async def write(writer: int) -> list[int]:
        won = []
        while (version := await store.last_version("m")) < 60:
            with suppress(VersionConflict):
                await store.append("m", version, commit(version + 1, command=str(writer)))
                won.append(version + 1)
        return won

    won = await asyncio.gather(*(write(writer) for writer in range(24)))
    log = await store.load("m")
    assert [loaded.first for loaded in log] == list(range(1, len(log) + 1))
    winners = {version: str(writer) for writer in range(24) for version in won[writer]}
    assert winners == {loaded.first: loaded.command for loaded in log}
    assert sum(map(len, won)) == len(log) >= 60


async def test_matches_do_not_disturb_each_other(store: EventStore) -> None:
    await asyncio.gather(*(fill(store, f"m{i}", 20) for i in range(30)))
    assert [await store.last_version(f"m{i}") for i in range(30)] == [20] * 30


async def test_created_matches_are_listed_latest_first(store: EventStore) -> None:
    for i, at in enumerate((10, 30, 20)):
        await store.create(f"m{i}", commit(1, at=at), LISTING)
    assert await store.matches() == (
        Listing("m1", 30, LISTING),
        Listing("m2", 20, LISTING),
        Listing("m0", 10, LISTING),
    )


async def test_pages_of_matches_neither_overlap_nor_skip(store: EventStore) -> None:
    for i in range(7):
        await store.create(f"m{i}", commit(1, at=5 + i // 3), LISTING)
    first = await store.matches(limit=3)
    await store.create("late", commit(1, at=99), LISTING)
    second = await store.matches(after=first[-1].match_id, limit=3)
    third = await store.matches(after=second[-1].match_id, limit=3)
    listed = [listing.match_id for listing in (*first, *second, *third)]
    assert listed == ["m6", "m5", "m4", "m3", "m2", "m1", "m0"]
    assert await store.matches(after="nowhere") == ()


async def test_match_is_created_once(store: EventStore) -> None:
    await store.create("m", commit(1, 2, at=5), LISTING)
    with pytest.raises(VersionConflict) as refused:
        await store.create("m", commit(1, at=9), {"game": "other"})
    assert refused.value.current == 2
    assert await store.matches() == (Listing("m", 5, LISTING),)


async def test_listing_needs_a_field(store: EventStore) -> None:
    with pytest.raises(ValueError, match="at least one field"):
        await store.create("m", commit(1), {})


async def test_listing_changes_field_by_field(store: EventStore) -> None:
    await store.create("m", commit(1), LISTING)
    await store.set_listing("m", {"status": "finished"})
    assert await store.matches() == (Listing("m", 1_000, {"game": "toy", "status": "finished"}),)


async def test_setting_is_kept_and_removed(store: EventStore) -> None:
    assert await store.get_setting("m", "seat-0") is None
    await store.set_setting("m", "seat-0", "päss")
    assert await store.get_setting("m", "seat-0") == "päss"
    assert await store.get_setting("m", "seat-1") is None
    assert await store.get_setting("other", "seat-0") is None
    await store.set_setting("m", "seat-0", None)
    assert await store.get_setting("m", "seat-0") is None
    assert not await store.exists("m")


async def test_deadlines_are_claimed_when_due_earliest_first(store: EventStore) -> None:
    assert await store.next_due() is None
    for match_id, due in (("a", 300), ("b", 100), ("c", 200)):
        await store.schedule(match_id, "turn", due)
    assert await store.next_due() == 100
    assert await store.claim_due(99, 50, 10) == ()
    assert await store.claim_due(200, 50, 10) == (
        Deadline("b", "turn", 250),
        Deadline("c", "turn", 250),
    )


async def test_claim_takes_no_more_than_its_limit(store: EventStore) -> None:
    for i in range(5):
        await store.schedule(f"m{i}", "turn", i)
    claimed = await store.claim_due(100, 1_000, 3)
    assert [deadline.match_id for deadline in claimed] == ["m0", "m1", "m2"]


async def test_deadline_is_claimed_by_one_of_many(store: EventStore) -> None:
    for i in range(40):
        await store.schedule(f"m{i}", "turn", i)
    claims = await asyncio.gather(*(store.claim_due(100, 1_000, 3) for _ in range(30)))
    claimed = [deadline.match_id for claim in claims for deadline in claim]
    assert sorted(claimed) == sorted(f"m{i}" for i in range(40))


async def test_unfinished_deadline_is_due_again_after_its_lease(store: EventStore) -> None:
    await store.schedule("m", "turn", 100)
    (first,) = await store.claim_due(100, 50, 1)
    assert await store.claim_due(150, 50, 1) == ()
    assert await store.next_due() == 151
    (second,) = await store.claim_due(151, 50, 1)
    assert second == Deadline("m", "turn", 201)
    await store.done(first)
    assert await store.next_due() == 202
    await store.done(second)
    assert await store.next_due() is None


async def test_deadline_moved_during_a_lease_stays(store: EventStore) -> None:
    await store.schedule("m", "turn", 100)
    (claimed,) = await store.claim_due(100, 50, 1)
    await store.schedule("m", "turn", 150)
    await store.done(claimed)
    assert await store.next_due() == 150


async def test_keys_of_deadlines_may_hold_spaces(store: EventStore) -> None:
    await store.schedule("m", "turn of seat 1", 1)
    assert await store.claim_due(1, 1, 1) == (Deadline("m", "turn of seat 1", 2),)


async def test_follower_hears_of_every_commit_in_order(store: EventStore) -> None:
    async with aclosing(store.follow()) as notices:
        assert await anext(notices) == MISSED
        await fill(store, "m", 100)
        await store.create("n", commit(1), LISTING)
        heard = [await anext(notices) for _ in range(101)]
    assert heard == [*(("m", version) for version in range(1, 101)), ("n", 1)]


async def test_follower_hears_nothing_of_a_refused_commit(store: EventStore) -> None:
    async with aclosing(store.follow()) as notices:
        assert await anext(notices) == MISSED
        with pytest.raises(VersionConflict):
            await store.append("m", 3, commit(4))
        await store.append("n", 0, commit(1))
        assert await anext(notices) == ("n", 1)


async def test_answers_a_ping(store: EventStore) -> None:
    await store.ping()


async def test_a_deadline_is_removed_whoever_holds_it(store: EventStore) -> None:
    for match_id in ("m", "n"):
        await store.schedule(match_id, "turn", 100)
    await store.claim_due(100, 50, 1)
    for match_id in ("m", "n", "o"):
        await store.unschedule(match_id, "turn")
    assert await store.next_due() is None


@pytest.mark.parametrize(
    ("before", "after", "swapped"),
    [("a", "b", True), ("a", None, True), ("", "b", False), (None, "b", False), ("b", "b", False)],
)
async def test_a_setting_is_swapped_if_it_is_as_it_was(
    store: EventStore, before: str | None, after: str | None, swapped: bool
) -> None:
    await store.set_setting("m", "k", "a")
    assert await store.swap_setting("m", "k", before, after) is swapped
    assert await store.get_setting("m", "k") == (after if swapped else "a")


async def test_a_setting_that_is_not_there_is_swapped_for_one(store: EventStore) -> None:
    assert not await store.swap_setting("m", "k", "", "b")
    assert await store.swap_setting("m", "k", None, "")
    assert await store.get_setting("m", "k") == ""
    assert not await store.swap_setting("m", "k", None, "b")
    assert await store.swap_setting("m", "k", "", "b")
    assert await store.get_setting("m", "k") == "b"


async def test_one_of_many_swaps_a_setting(store: EventStore) -> None:
    swaps = await asyncio.gather(
        *(store.swap_setting("m", "k", None, str(number)) for number in range(20))
    )
    assert swaps.count(True) == 1


async def test_a_writer_that_is_wrong_about_webhooks_appends_nothing(store: EventStore) -> None:
    await store.append("m", 0, commit(1), hooked=False)
    with pytest.raises(HookedChanged):
        await store.append("m", 1, commit(2), hooked=True)
    await store.set_setting("m", HOOKS, "[]")
    with pytest.raises(HookedChanged):
        await store.append("m", 1, commit(2), hooked=False)
    assert await store.last_version("m") == 1
    await store.append("m", 1, commit(2), hooked=True)
    await store.append("m", 2, commit(3))
    with pytest.raises(VersionConflict):
        await store.append("m", 1, commit(2), hooked=False)
    assert await store.load("m") == (commit(1), commit(2), commit(3))


async def test_what_is_put_in_twice_comes_out_once(store: EventStore) -> None:
    outbox = store.outbox
    for match_id, words in (("m", "a"), ("m", "a"), ("n", "a"), ("m", "b"), ("m", "a")):
        await outbox.put(match_id, words)
    taken = await outbox.take("one", 10)
    assert [(parcel.match_id, parcel.words) for parcel in taken] == [
        ("m", "a"),
        ("n", "a"),
        ("m", "b"),
    ]
    for parcel in taken:
        await outbox.settle(parcel)
    await outbox.put("m", "a")
    assert await outbox.take("one", 10) == ()


async def test_a_parcel_is_taken_by_one_of_many(store: EventStore) -> None:
    for number in range(40):
        await store.outbox.put("m", str(number))
    first = await store.outbox.take("0", 1)
    takes = await asyncio.gather(*(store.outbox.take(str(who), 3) for who in range(30)))
    taken = [parcel.words for take in (first, *takes) for parcel in take]
    assert sorted(taken, key=int) == list(map(str, range(40)))


async def test_what_is_held_too_long_is_taken_over(store: EventStore) -> None:
    outbox = store.outbox
    assert await outbox.take_over("alive", 0, 10) == ()
    for words in ("a", "b", "c"):
        await outbox.put("m", words)
    held = await outbox.take("dead", 10)
    assert [parcel.words for parcel in held] == ["a", "b", "c"]
    await outbox.settle(held[1])
    assert await outbox.take_over("alive", 60_000, 10) == ()
    assert await outbox.take_over("alive", 0, 1) == (held[0],)
    assert await outbox.take_over("alive", 0, 10) == (held[0], held[2])
    for parcel in (held[0], held[2]):
        await outbox.settle(parcel)
    assert await outbox.take_over("alive", 0, 10) == ()


async def test_what_all_processes_send_is_added_up(store: EventStore) -> None:
    assert await store.outbox.spend("a", 1, 60) == 1
    assert await store.outbox.spend("a", 19, 60) == 20
    assert await store.outbox.spend("b", 1, 60) == 1
    assert await store.outbox.spend("a", 1, 60) == 21
