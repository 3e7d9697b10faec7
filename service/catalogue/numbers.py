"""Numbers in a text and in its translation: the part of a translation that a machine can check.

Years and every other number that the source writes in digits have to stand in the translation, a
prime included (`1936'`). A translation may write in digits what the source says in words ("two
cards"), so small numbers are allowed there if the source has such a word; a lone 1 always is.
"""

import re
import unicodedata

_NUMBER = re.compile(r"\d+'?")
_WORD = re.compile(r"[a-z]+")
_PRIMES = str.maketrans({"’": "'", "′": "'", "＇": "'"})

_WORDS = {
    "1": ("one", "once", "single", "first", "i"),
    "2": ("two", "twice", "both", "either", "second", "ii"),
    "3": ("three", "third", "iii"),
    "4": ("four", "fourth", "iv"),
    "5": ("five", "fifth", "v"),
    "6": ("six", "sixth", "vi"),
    "7": ("seven", "seventh"),
    "8": ("eight", "eighth"),
    "9": ("nine", "ninth"),
    "10": ("ten", "tenth"),
    "11": ("eleven",),
    "12": ("twelve",),
    "13": ("thirteen",),
}
_DIGITS = {word: digits for digits, words in _WORDS.items() for word in words}


def numbers(text: str) -> frozenset[str]:
    """Return the numbers that a text writes in digits, of any width, primes included."""
    plain = "".join(str(unicodedata.decimal(one, one)) for one in text.translate(_PRIMES))
    return frozenset(_NUMBER.findall(plain))


def difference(source: str, value: str) -> str | None:
    """Return what is wrong with the numbers of a translation, `None` if nothing is."""
    wanted, given = numbers(source), numbers(value)
    words = {_DIGITS[word] for word in _WORD.findall(source.lower()) if word in _DIGITS}
    missing, strange = wanted - given, given - wanted - words - {"1"}
    if missing:
        return f"{', '.join(sorted(missing))} of the English text is missing"
    if strange:
        return f"{', '.join(sorted(strange))} is not in the English text"
    return None
