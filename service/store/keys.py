"""Names of keys. All keys of a match share the hash tag `{match id}`, hence one cluster slot."""

import re

_MATCH_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")


class Keys:
    """The key names below one prefix."""

    def __init__(self, prefix: str) -> None:
        self.index = f"{prefix}:matches"  # sorted set: match id by creation time
        self.deadlines = f"{prefix}:deadlines"  # sorted set: "match id, space, key" by due time
        self.commits = f"{prefix}:commits"  # channel: "match id, space, first version"
        # All of it shares one slot, so that a script can look and put in one step.
        self.outbox = f"{prefix}:{{outbox}}:stream"
        self.probe = f"{prefix}:probe"  # written to see whether writes are taken
        self._prefix = prefix

    def log(self, match_id: str) -> str:
        """Return the key of the stream: one entry a commit, its id `<first version>-0`."""
        return self._of(match_id, "log")

    def listing(self, match_id: str) -> str:
        """Return the key of the hash with the listing's fields."""
        return self._of(match_id, "listing")

    def settings(self, match_id: str) -> str:
        """Return the key of the hash of settings."""
        return self._of(match_id, "settings")

    def posted(self, digest: str) -> str:
        """Return the key that is there while something put into the outbox is remembered."""
        return f"{self._prefix}:{{outbox}}:{digest}"

    def spent(self, name: str) -> str:
        """Return the key of a counter of what is sent."""
        return f"{self._prefix}:spent:{name}"

    def _of(self, match_id: str, part: str) -> str:
        # A brace would move the hash tag, a space would split a notice in the wrong place.
        if not _MATCH_ID.fullmatch(match_id):
            raise ValueError("a match id has 1 to 64 letters, digits, or any of _.-")
        return f"{self._prefix}:{{{match_id}}}:{part}"
