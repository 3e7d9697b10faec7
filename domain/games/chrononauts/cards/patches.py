"""The 21 patches: one for each ripplepoint but 1945, which has three with own conditions."""

from domain.games.chrononauts.words import LIKELY, STAND_IN, Kind, PlayCard

PATCHES = (
    PlayCard(id="P1868", kind=Kind.PATCH, year=1868),
    PlayCard(id="P1917", kind=Kind.PATCH, year=1917),
    PlayCard(id="P1918", kind=Kind.PATCH, year=1918),
    PlayCard(id="P1929", kind=Kind.PATCH, year=1929),
    PlayCard(id="P1933", kind=Kind.PATCH, year=1933),
    PlayCard(id="P1939", kind=Kind.PATCH, year=1939),
    PlayCard(id="P1942", kind=Kind.PATCH, year=1942),
    PlayCard(id="P1944", kind=Kind.PATCH, year=1944),
    PlayCard(
        id="P1945-1",
        kind=Kind.PATCH,
        year=1945,
        requires="1936 1941 1943'",
        provenance={"requires": LIKELY},
    ),
    PlayCard(
        id="P1945-2",
        kind=Kind.PATCH,
        year=1945,
        requires="1936 1941'",
        provenance={"requires": LIKELY},
    ),
    PlayCard(
        id="P1945-3",
        kind=Kind.PATCH,
        year=1945,
        requires="1936'",
        provenance={"name": STAND_IN, "requires": STAND_IN},
    ),
    PlayCard(id="P1948", kind=Kind.PATCH, year=1948),
    PlayCard(id="P1950", kind=Kind.PATCH, year=1950),
    PlayCard(id="P1962", kind=Kind.PATCH, year=1962),
    PlayCard(id="P1968", kind=Kind.PATCH, year=1968),
    PlayCard(id="P1969", kind=Kind.PATCH, year=1969),
    PlayCard(id="P1974", kind=Kind.PATCH, year=1974),
    PlayCard(id="P1986", kind=Kind.PATCH, year=1986),
    PlayCard(id="P1991", kind=Kind.PATCH, year=1991),
    PlayCard(id="P1995", kind=Kind.PATCH, year=1995),
    PlayCard(id="P1999", kind=Kind.PATCH, year=1999),
)
