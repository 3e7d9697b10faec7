"""The 14 identities: the three years of each home, a prime for a patched year."""

from domain.games.chrononauts.words import LIKELY, Identity

IDENTITIES = (
    Identity(id="ID-ANDY", years="1939' 1969 1986'", provenance={"years": LIKELY}),
    Identity(id="ID-BETTY", years="1945 1968' 1969'"),
    Identity(id="ID-FRUITY", years="1868' 1933' 1986"),
    Identity(id="ID-GINOHN", years="1868 1944' 1999'"),
    Identity(id="ID-GUNTHER", years="1917' 1918' 1950"),
    Identity(id="ID-MR-X", years="1950' 1968 1995'"),
    Identity(id="ID-OLIVER", years="1917' 1929 1974'"),
    Identity(id="ID-RAINBOW", years="1948 1968' 1986'"),
    Identity(id="ID-RENEE", years="1917 1929' 1948'"),
    Identity(id="ID-SQUA-TRONT", years="1933 1950' 1962'"),
    Identity(id="ID-TIMMY", years="1918' 1944 1999'"),
    Identity(id="ID-WERNER", years="1939' 1974' 1991"),
    Identity(id="ID-YITZCHAK", years="1918 1942' 1995'"),
    Identity(id="ID-YURI", years="1969' 1991' 1995"),
)
