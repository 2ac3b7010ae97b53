"""The opening book of quantum tic-tac-toe: what each position with up to four marks is worth.

`make book` writes it with the solver that plays. One 64-bit number a position, ascending: the
canonical key modulo a prime in the high bits, then the mover's value plus 1 in two bits for each
criterion. Every position with so few marks is in it, and `packed` refuses two with the same number,
so a number that is found is the position asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

CRITERIA = ("narrow", "clear")
_PRIME = 271_828_182_845_904_533  # no power of two is near, so keys with few bits spread
_VALUE_BITS = 2

Book = NDArray[np.uint64]


def packed(narrow: Mapping[int, int], clear: Mapping[int, int]) -> Book:
    """The book of values by canonical key under the two criteria."""
    numbers = {key % _PRIME for key in narrow}
    if len(numbers) != len(narrow) or narrow.keys() != clear.keys():
        raise ValueError("expected one number for each position and a value under each criterion")
    rows = [
        (key % _PRIME) << 2 * _VALUE_BITS | (value + 1) << _VALUE_BITS | (clear[key] + 1)
        for key, value in narrow.items()
    ]
    return np.array(sorted(rows), dtype="<u8")


@lru_cache(maxsize=1)
def book() -> Book:
    """The book that comes with the package."""
    data = (files("qgames.players") / "tictactoe_book.bin").read_bytes()
    return np.frombuffer(data, dtype="<u8")


def looked_up(key: int, criterion: str) -> int:
    """The mover's value of the position with a canonical key; KeyError if the book has it not."""
    rows = book()
    wanted = (key % _PRIME) << 2 * _VALUE_BITS
    place = int(np.searchsorted(rows, np.uint64(wanted)))
    row = int(rows[place]) if place < len(rows) else -1
    if row >> 2 * _VALUE_BITS != key % _PRIME:
        raise KeyError(f"no position of the book has the key {key}")
    shift = 0 if criterion == "clear" else _VALUE_BITS
    return (row >> shift & 3) - 1
