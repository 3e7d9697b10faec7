"""The list of matches: what stands in the store's index, and pages of it.

The index holds a few words about each match, written before what they tell of is appended, like a
deadline; so a page costs no match. After a crash in between, or where two commands cross, a word
can be ahead of its match until its next commit. A page is looked for in the whole index, but not
for ever: it may come out short, and `hasNextPage` then says that the search can go on.

A cursor hides the match that it stands for, since that may be a private one which was only passed.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Mapping
from typing import Any, Final, Literal, cast

from domain.engine.match import Match
from schema import inputs as i
from schema import reads as r
from schema.errors import NotFound
from service import store as s
from service.auth import Principal
from service.matches import PUBLIC, Matches
from service.tokens import Keyring
from service.views import status_of

_CHUNK: Final = 100
_CHUNKS: Final = 20  # of the index that one page may look through
_REMEMBERED: Final = 10_000  # matches
_NONCE: Final = 8  # bytes
_BLOCK: Final = 32  # bytes of `Keyring.derive`


def summary(match: Match[Any]) -> dict[str, str]:
    """Return the words of the index about a match."""
    free = sum(place.player is None and not place.conceded for place in match.places)
    places = [place.account for place in match.places]
    accounts = " ".join(name for name in (match.account, *places) if name is not None)
    return {
        **({"accounts": accounts} if accounts else {}),
        "game": match.game,
        "seats": str(len(match.places)),
        "free": str(free),
        "status": status_of(match),
    }


class Index:
    """Keeps the index true; a `Watcher` of the matches of this process."""

    def __init__(self, store: s.EventStore) -> None:
        self._store = store
        self._known: dict[str, dict[str, str]] = {}

    async def before(self, match_id: str, before: Match[Any], after: Match[Any], at: int) -> None:
        """Write what is about to change; a match that is only loaded changes nothing."""
        fields = summary(after)
        if before.version != after.version and self._known.get(match_id) != fields:
            await self._store.set_listing(match_id, fields)
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[match_id] = fields

    def after(self, match_id: str, match: Match[Any]) -> None:
        """Forget a match that is over."""
        if match.outcome is not None:
            self._known.pop(match_id, None)


class Lister:
    """Makes pages of the index for whoever asks."""

    def __init__(self, matches: Matches, keys: Keyring) -> None:
        self._matches = matches
        self._keys = keys

    async def page(self, principal: Principal, arguments: i.MatchesArguments) -> r.MatchConnection:
        """Return the newest matches that the caller may see and wants, after the cursor.

        Raises: NotFound.
        """
        wanted = arguments.filter or i.MatchFilter()
        last = None if arguments.after is None else self._opened(arguments.after)
        found: list[r.MatchEdge] = []
        more = True
        for _ in range(_CHUNKS):
            chunk = await self._matches.store.matches(last, _CHUNK)
            for entry in chunk:
                if len(found) == arguments.first:
                    break
                last = entry.match_id
                node = await self._node(principal, entry, wanted)
                if node is not None:
                    found.append(r.MatchEdge(cursor=self._cursor(last), node=node))
            else:
                if len(chunk) == _CHUNK:
                    continue
                more = False
            break
        end = None if last is None else self._cursor(last)
        return r.MatchConnection(
            edges=tuple(found),
            page_info=r.PageInfo(
                has_next_page=more,
                has_previous_page=arguments.after is not None,
                start_cursor=found[0].cursor if found else None,
                end_cursor=end,
            ),
        )

    async def _node(
        self, principal: Principal, entry: s.Listing, wanted: i.MatchFilter
    ) -> r.MatchSummary | None:
        """Return what may be told of a match, `None` if it is not for the caller or not wanted."""
        visibility = entry.fields.get("visibility", "private")
        own = entry.match_id == principal.match_id
        if principal.account is not None:
            names = self._keys.bindings(entry.match_id, principal.account)
            own = not set(names).isdisjoint(entry.fields.get("accounts", "").split())
        if visibility != PUBLIC and not own and principal.kind != "admin":
            return None
        if wanted.visibility == "mine" and not own:
            return None
        if wanted.visibility == "public" and visibility != PUBLIC:
            return None
        fields = await self._fields(entry)
        if wanted.game not in (None, fields["game"]) or wanted.status not in (
            None,
            fields["status"],
        ):
            return None
        return r.MatchSummary(
            match_id=entry.match_id,
            game=fields["game"],
            status=cast(Literal["open", "running", "finished"], fields["status"]),
            visibility="public" if visibility == PUBLIC else "private",
            created_at=entry.at,
            seats=int(fields["seats"]),
            free_seats=int(fields["free"]),
        )

    async def _fields(self, entry: s.Listing) -> Mapping[str, str]:
        """Return the words about a match; of one listed by an older build it is asked itself."""
        if "status" in entry.fields:
            return entry.fields
        return summary((await self._matches.newest(entry.match_id)).match)

    def _cursor(self, match_id: str) -> str:
        plain = match_id.encode()
        nonce = self._keys.derive("cursor", match_id)[:_NONCE]
        return urlsafe_b64encode(nonce + self._masked(nonce, plain)).decode().rstrip("=")

    def _opened(self, cursor: str) -> str:
        try:
            data = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
            match_id = self._masked(data[:_NONCE], data[_NONCE:]).decode()
        except (NotBase64, ValueError):
            match_id = ""
        if not match_id or self._cursor(match_id) != cursor:
            raise NotFound("after: there is no such place in the list; begin without a cursor")
        return match_id

    def _masked(self, nonce: bytes, data: bytes) -> bytes:
        blocks = range(-(-len(data) // _BLOCK))
        mask = b"".join(self._keys.derive("mask", nonce.hex(), block) for block in blocks)
        return bytes(one ^ other for one, other in zip(data, mask, strict=False))
