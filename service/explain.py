"""Why something happened, and a whole match, in words; both from what the viewer may see."""

from collections.abc import Sequence
from typing import Any

from domain.engine.audit import causes
from domain.engine.choices import Choice
from domain.engine.codec import codec, type_of
from domain.engine.decider import fold
from domain.engine.events import ChoiceMade, ChoiceOffered, Event, TimeRanOut
from domain.engine.game import game_of
from domain.engine.ids import CardId, Seat, Viewer
from domain.engine.match import Match
from domain.engine.redaction import redact, redact_event
from domain.engine.worlds import cards_seen
from schema import errors
from schema import reads as r
from service import text, views
from service.catalogue.directory import directory
from service.matches import Matches
from service.snapshots import Snapshot
from service.store import Commit
from service.text import Words


async def explain(
    matches: Matches, snapshot: Snapshot, viewer: Viewer, version: int, locale: str
) -> r.Explanation:
    """Return why the event of that version happened, for a viewer.

    Raises:
        NotFound: there is no such event yet.
    """
    if not 1 <= version <= snapshot.version:
        raise errors.NotFound(
            f"the match has events 1 to {snapshot.version}", version=snapshot.version
        )
    game = snapshot.match.game
    commits = await matches.store.load(snapshot.match_id, until=version)
    decode = codec(game).events
    at = next(at for at, commit in enumerate(commits) if commit.last >= version)
    before = [event for commit in commits[:at] for event in decode(commit.events)]
    events = decode(commits[at].events)
    number = version - commits[at].first
    match = fold(before) if before else None
    words = Words(game, locale, directory())
    return _explained(snapshot.match_id, commits[at], match, events, number, viewer, words)


def _late(match: Match[Any], seats: Sequence[Seat], words: Words) -> str:
    assert match.limit is not None
    then, seconds = match.limit.then, match.limit.seconds
    return words.say(f"explain_late_{then}", seats=words.seats(seats), seconds=seconds)


def _explained(
    match_id: str,
    commit: Commit,
    match: Match[Any] | None,
    events: Sequence[Event],
    number: int,
    viewer: Viewer,
    words: Words,
) -> r.Explanation:
    event, version = events[number], commit.first + number
    game = game_of(words.game)
    card = answer = prompt = None
    if match is not None:
        frame = causes(match, events)[number]
        card = None if frame is None else _shown(match, events, number, frame.card, viewer)
        answer = _answer(match, events[: number + 1], viewer)
        prompt = _prompt(match, events[: number + 1], viewer)
    name, _ = type_of(event)
    rule = game.rules.events.get(name) or game.rules.prompts.get(prompt or "")
    title = None if rule is None else words.paragraph(rule)
    (shown,) = views.to_events((event,), version, commit.at, commit.seat, viewer, words.game)
    told = text.tell(words.game, redact_event(event, viewer, words.game), words)
    lines = [words.say("explain_what", version=version, what=told)]
    if rule is not None:
        lines.append(words.say("explain_rule", rule=rule, title=title))
    if card is not None:
        lines.append(words.say("explain_card", card=words.card(card)))
    if answer is not None:
        lines.append(_answered(answer, words))
    late = [one.seat for one in events[: number + 1] if isinstance(one, TimeRanOut)]
    if late:
        assert match is not None
        lines.append(_late(match, late, words))
    elif answer is None and match is not None and not isinstance(event, ChoiceMade):
        lines.append(words.say("explain_command"))
    return r.Explanation(
        match_id=match_id,
        event=shown,
        rule=rule,
        rule_title=title,
        card=card,
        answer=answer,
        text="\n".join(lines) + "\n",
    )


def _shown(
    match: Match[Any], events: Sequence[Event], number: int, card: CardId | None, viewer: Viewer
) -> CardId | None:
    """Return the card if the viewer sees it on the table, before the event or after it.

    Of a question only those who are asked learn which card asks: it may not be announced yet.
    """
    event = events[number]
    if card is None or viewer == "all":
        return card
    if isinstance(event, ChoiceOffered):
        return card if viewer in event.seats else None
    before = fold(events[:number], match)
    after = fold(events[number : number + 1], before)
    seen = cards_seen(before, viewer) | cards_seen(after, viewer)
    return card if card in seen else None


def _answer(match: Match[Any], events: Sequence[Event], viewer: Viewer) -> r.AnsweredChoice | None:
    """Return the last answer among the events, as the viewer sees it."""
    for number in range(len(events) - 1, -1, -1):
        event = events[number]
        if isinstance(event, ChoiceMade):
            shown = redact_event(event, viewer, match.game)
            assert isinstance(shown, ChoiceMade), "redaction keeps the type"
            return r.AnsweredChoice(
                version=match.version + number + 1,
                seat=event.seat,
                prompt=redact(fold(events[:number], match), viewer).prompt,
                picks=shown.picks,
            )
    return None


def _prompt(match: Match[Any], events: Sequence[Event], viewer: Viewer) -> str | None:
    """Return the prompt of the choice that the last event offers or answers, if it shows."""
    event = events[-1]
    if isinstance(event, ChoiceOffered):
        shown = redact_event(event, viewer, match.game)
        assert isinstance(shown, ChoiceOffered), "redaction keeps the type"
        return shown.prompt
    if isinstance(event, ChoiceMade):
        return redact(fold(events[:-1], match), viewer).prompt
    return None


def _answered(answer: r.AnsweredChoice, words: Words) -> str:
    seat = words.seat(answer.seat)
    if answer.picks is None:
        return words.say("explain_answer_hidden", version=answer.version, seat=seat)
    picks = text.picks(words.game, answer.picks, words) or words.say("nothing")
    return words.say("explain_answer", version=answer.version, seat=seat, picks=picks)


async def describe(
    matches: Matches,
    snapshot: Snapshot,
    viewer: Viewer,
    choice: Choice | None,
    locale: str,
    recent: int,
) -> r.Description:
    """Return the match of a snapshot in words, with the viewer's options and the last events."""
    match_id, match, game = snapshot.match_id, snapshot.match, snapshot.match.game
    words = Words(game, locale, directory())
    after = max(0, snapshot.version - recent)
    happened: list[tuple[int, Event]] = []
    commits = await matches.store.load(match_id, after, snapshot.version) if recent else ()
    for commit in commits:
        for version, event in enumerate(codec(game).events(commit.events), commit.first):
            if after < version <= snapshot.version:
                happened.append((version, redact_event(event, viewer, game)))
    lines = text.board(match_id, match, viewer, words, happened)
    if choice is not None:
        lines += "\n" + text.options(game, choice, words)
    return r.Description(match_id=match_id, version=snapshot.version, locale=locale, text=lines)
