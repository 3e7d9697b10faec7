"""The Lua scripts. Each runs as a whole or, refused by a full or read-only server, not at all.

The first line `#!lua` makes the server check memory, disk and role before a script starts, instead
of at its first write.
"""

import hashlib
from typing import Final


class Script:
    """The text of a script and the digest it is called by."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.sha = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


# The version of the log KEYS[1]: its last entry has the first version, and how many there are.
_VERSION: Final = """
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local version = 0
if last then
  version = tonumber(string.match(last[1], '^%d+')) + tonumber(last[2][2]) - 1
end
"""

# KEYS: the log. Returns its version: without the events, that is a hundredth of the bytes.
VERSION: Final = Script("#!lua flags=no-writes" + _VERSION + "return version")

# KEYS: the log; for a new match its listing, else the settings where ARGV[5] asks for them.
# ARGV: expected version, seen version, channel, notice, "1" or "0" for whether the writer knows of
# webhooks ("": it does not matter), the six fields of a commit, then the fields of the listing.
# Returns the version found; the commit is in exactly if that is both the expected one and not below
# the seen one. Returns -1, and nothing is in, if the writer is wrong about the webhooks.
APPEND: Final = Script(
    "#!lua"
    + _VERSION
    + """
if version ~= tonumber(ARGV[1]) or version < tonumber(ARGV[2]) then
  return version
end
if ARGV[5] ~= '' and redis.call('HEXISTS', KEYS[2], 'webhooks') ~= tonumber(ARGV[5]) then
  return -1
end
redis.call('XADD', KEYS[1], string.format('%.0f-0', version + 1), 'n', ARGV[6], 't', ARGV[7],
  's', ARGV[8], 'c', ARGV[9], 'd', ARGV[10], 'e', ARGV[11])
if ARGV[12] then
  redis.call('HSET', KEYS[2], unpack(ARGV, 12))
end
redis.call('PUBLISH', ARGV[3], ARGV[4])
return version
"""
)

# KEYS: the deadlines. ARGV: now, end of the lease, limit.
CLAIM: Final = Script("""#!lua
local due = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[3])
for _, member in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[2], member)
end
return due
""")

# KEYS: the deadlines. ARGV: member, end of the lease it was claimed with.
DONE: Final = Script("""#!lua
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if score and tonumber(score) == tonumber(ARGV[2]) then
  redis.call('ZREM', KEYS[1], ARGV[1])
end
""")

# KEYS: the settings. ARGV: field, "1" if it has a value and that value, "1" for a new value and it.
SWAP: Final = Script("""#!lua
local value = redis.call('HGET', KEYS[1], ARGV[1])
if (value and '1' or '0') ~= ARGV[2] or (value and value ~= ARGV[3]) then
  return 0
end
if ARGV[4] == '1' then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[5])
else
  redis.call('HDEL', KEYS[1], ARGV[1])
end
return 1
""")

# KEYS: the outbox, what remembers that this was put in. ARGV: seconds to remember, match, words.
POST: Final = Script("""#!lua
if redis.call('SET', KEYS[2], '', 'NX', 'EX', ARGV[1]) then
  redis.call('XADD', KEYS[1], '*', 'm', ARGV[2], 'w', ARGV[3])
end
""")

# KEYS: a counter. ARGV: what is added, seconds that it is kept.
SPEND: Final = Script("""#!lua
local value = redis.call('INCRBY', KEYS[1], ARGV[1])
if value == tonumber(ARGV[1]) then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
return value
""")
