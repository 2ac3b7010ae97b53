"""Cards of The |Qubits> Wars: the deck of 80, the 24 missions, and shuffling by fair bits.

The published page of the game does not list its cards; these are ours (rule sheet, section 4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, cycle, islice, product
from math import perm
from typing import TypeVar

GATES = {"x": 10, "h": 12, "z": 8, "id": 6, "swap": 4}
HALVES = {"control": 6, "target": 6}
IDENTICAL = {"cnot": 12}
"""With the option ``cnot_two_identical`` any two of these make a CNOT."""
NOISES = {
    "bit-flip": 2,
    "phase-flip": 1,
    "relaxation": 1,
    "late-flip": 2,
    "dephasing": 1,
    "depolarise": 1,
    "readout-error": 1,
    "stuck-detector": 1,
}
STRATEGIES = {
    "supply": 2,
    "double": 2,
    "relocate": 1,
    "erase": 1,
    "exchange": 1,
    "new-orders": 1,
    "scout": 1,
    "lone": 1,
}
INSTANTS = {"cancel": 4, "redirect": 2, "shield": 1, "reverse": 1}

BEFORE = ("bit-flip", "phase-flip", "relaxation")
"""Noises that act before the CNOT zone."""
LATE = ("late-flip", "dephasing", "depolarise")
"""Noises that act after the CNOT zone and before measurement."""
READOUT = ("readout-error", "stuck-detector")
"""Noises that change the recorded bit."""

ONE_LINE = ("x", "h", "z", "id")
MODES = ("beginner", "intermediate", "advance")
MISSIONS_PER_MODE = 8
PATTERNS = {
    "beginner": "01** 10** *01* *10* **01 **10 0**1 1**0".split(),
    "intermediate": "001* 110* *010 *101 0*10 1*01 01*1 10*0".split(),
    "advance": "0011 0101 0110 1001 1010 1100 0101 1010".split(),
}
SECONDARY = {
    1: "at least two superposed qubits",
    2: "no superposed qubit",
    3: "exactly one -",
    4: "the first and the last line carry the same symbol",
    5: "at least one qubit entangled after the CNOT zone",
    6: "no qubit entangled",
    7: "at least one SWAP on the board",
    8: "both CNOT places used",
}
SAFE_BITS = 64
"""Bits beyond the size of a choice: every result is then within 2**-64 of equally likely."""

T = TypeVar("T")


@dataclass(frozen=True)
class Mission:
    """A mission card: a pattern over the lines (``*`` is any bit), and a secondary mission."""

    pattern: str
    secondary: int

    def fits(self, bits: str) -> bool:
        """Whether a recorded result, q0 first, is the main mission's."""
        return all(p in ("*", b) for p, b in zip(self.pattern, bits, strict=True))


def deck(identical: bool = False) -> tuple[str, ...]:
    """The 80 Q-cards in printed order, before any shuffle."""
    halves = IDENTICAL if identical else HALVES
    counts = Counter(GATES | halves | NOISES | STRATEGIES | INSTANTS)
    return tuple(counts.elements())


@lru_cache(maxsize=32)
def patterns(mode: str, lines: int) -> tuple[str, ...]:
    """Every main pattern of a mode; for 4 lines the printed eight (section 4.5)."""
    if lines == 4:
        return tuple(PATTERNS[mode])
    return tuple(dict.fromkeys(_generated(mode, lines)))


def _generated(mode: str, lines: int) -> Iterator[str]:
    if mode == "beginner":
        for a in range(lines):
            for bits in ("01", "10"):
                yield _placed(lines, (a, (a + 1) % lines), bits)
    else:
        fixed = 3 if mode == "intermediate" else lines
        ones = (fixed // 2, (fixed + 1) // 2)
        for places in combinations(range(lines), fixed):
            for chosen in product("01", repeat=fixed):
                if chosen.count("1") in ones:
                    yield _placed(lines, places, "".join(chosen))


def _placed(lines: int, places: Sequence[int], bits: str) -> str:
    pattern = ["*"] * lines
    for place, bit in zip(places, bits, strict=True):
        pattern[place] = bit
    return "".join(pattern)


def missions(mode: str, lines: int, number: int = 0) -> tuple[Mission, ...]:
    """The eight cards of a mode; ``number`` draws eight patterns where there are more."""
    found = patterns(mode, lines)
    if len(found) > MISSIONS_PER_MODE:
        chosen = sorted(permuted(range(len(found)), number, MISSIONS_PER_MODE))
        found = tuple(found[n] for n in chosen)
    eight = islice(cycle(found), MISSIONS_PER_MODE)
    return tuple(Mission(pattern, n) for n, pattern in enumerate(eight, 1))


def permuted(cards: Sequence[T], number: int, count: int | None = None) -> tuple[T, ...]:
    """Fisher and Yates: the first ``count`` cards of the shuffle that ``number`` names.

    Each remainder of ``number`` by ``perm(len(cards), count)`` names another one.
    """
    left = list(cards)
    drawn = []
    for _ in range(len(left) if count is None else count):
        number, place = divmod(number, len(left))
        left[place], left[-1] = left[-1], left[place]
        drawn.append(left.pop())
    return tuple(drawn)


def bits_for(choices: int) -> int:
    """How many fair bits make a number whose remainder by ``choices`` is fair within 2**-64."""
    return choices.bit_length() + SAFE_BITS


def shuffle_bits(cards: int, count: int | None = None) -> int:
    """How many fair bits a shuffle of ``cards`` (its first ``count``) takes."""
    return bits_for(perm(cards, cards if count is None else count))


def number_of(bits: str) -> int:
    """The number that measured bits spell, bit 0 first and least significant."""
    return int(bits[::-1] or "0", 2)
