"""The pure core of Stele: rules, state and secrecy of card games with hidden information.

Dependency rule: nothing in this package imports anything but the standard library's pure parts and
msgspec. It knows no clock, no random module, no network, no files and no logging; time and seeds
arrive inside commands, results leave as events. `domain.engine` is shared by every game and knows
no card; a game in `domain.games` imports the engine and never another game.
"""
