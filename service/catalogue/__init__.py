"""The public catalogue: games with their options, cards with facts and texts, an operator's too.

Facts come from the game, texts from the tables in its package. The directory that
`STELE_CATALOGUE_DIR` names may replace some of both, a folder for each game:

    <game>/facts.csv            card,fact,value         new matches carry what differs
    <game>/texts.<locale>.csv   card,text,value         rows replace the texts of the package

It is read once, at the start; a fault in it stops the start with file, line and reason.
"""

from service.catalogue.listing import cards, game, games, load
from service.catalogue.replacements import facts
from service.catalogue.tables import CatalogueInvalid
from service.catalogue.texts import spoken

__all__ = ["CatalogueInvalid", "cards", "facts", "game", "games", "load", "spoken"]
