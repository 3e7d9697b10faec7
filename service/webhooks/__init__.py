"""Webhooks: telling a server outside that a turn has begun, or that a match is over.

Theory of operation. A notice is never lost, because it is found again in the log:

1. `turns` tells which commits bring news: those that hold the event with which a turn begins, or
   the end. Before such a commit of a match with webhooks, `relay` puts the deadline
   `webhook:<first version>:<time>` into the store, like that of a window (see `deadlines`). Whether
   a match has webhooks is compared inside the append, so a process that does not know of the first
   one yet appends nothing and learns it; a match without any costs no round trip.
2. After the commit, or when the deadline is due because the process has died, `relay` reads the log
   and puts a notice for each webhook into the outbox, a stream; a repeat is dropped there.
3. `delivery` takes notices from the outbox as one of a group of consumers, and takes over what a
   consumer held that has died. It signs and sends one; what fails comes back by another deadline,
   `notice:…`, later and later over a day, and then goes through the outbox again.

So each notice is sent at least once, and has the same `webhook-id` each time. It tells what every
spectator sees: that a turn has begun, of which seat, at which version.

`hooks` keeps the webhooks of a match in one setting beside the stream, `urls` reads their URLs,
`addresses` decides which addresses may be connected to, `shares` how much goes there for whom,
`signing` derives their secrets.
"""
