"""Quantum checkers kept by hand: amplitudes piece by piece, as section 2.1 of the rule sheet says.

Nothing here comes from the package: geometry, gates and measurements are written again from the
sheet, so that two calculations can be compared. It judges no legality.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

DEAD = "dead"
HOMES = (*range(1, 13), *range(21, 33))
Amplitudes = dict[int | str, complex]


def cell(square: int) -> tuple[int, int]:
    """Row 1 to 8 and column 1 to 8: odd rows' dark squares are columns 2, 4, 6, 8."""
    row = (square + 3) // 4
    k = square - 4 * (row - 1)
    return row, 2 * k if row % 2 else 2 * k - 1


def middle(start: int, end: int) -> int:
    """The square half way between two."""
    (r1, c1), (r2, c2) = cell(start), cell(end)
    half = ((r1 + r2) / 2, (c1 + c2) / 2)
    return next(s for s in range(1, 33) if cell(s) == half)


@dataclass(frozen=True)
class Book:
    """Pieces by their start square, each with its amplitudes; and the squares of king branches."""

    pieces: dict[int, Amplitudes]
    kings: frozenset[int] = frozenset()
    rule: str = "as_published"
    interference: bool = True

    @classmethod
    def start(cls, rule: str, interference: bool = True) -> Book:
        """Every piece certain on its start square."""
        return cls({home: {home: 1.0} for home in HOMES}, rule=rule, interference=interference)

    def owner(self, square: int) -> int | None:
        """The piece that may be on a square."""
        found = [h for h, a in self.pieces.items() if square in a]
        assert len(found) < 2, f"two pieces on {square}: {found}"
        return found[0] if found else None

    def chance(self, square: int | str, home: int | None = None) -> float:
        """The probability of a square, or of a piece's being dead."""
        owner = self.owner(int(square)) if home is None else home
        return abs(self.pieces[owner].get(square, 0)) ** 2 if owner is not None else 0.0

    def total(self, home: int) -> float:
        """All that there is of a piece, dead or alive."""
        return sum(abs(a) ** 2 for a in self.pieces.get(home, {}).values())

    def outcomes(self, verb: str, start: int, end: int) -> list[tuple[str, float, Book]]:
        """(bits, probability, book then) of every outcome of a move."""
        if verb == "jump":
            return self._jump(start, middle(start, end), end)
        owner = self.owner(end)
        same = owner == self.owner(start) and (start in self.kings) == (end in self.kings)
        if owner is None or (verb == "quantum" and same and self.interference):
            return [("", 1.0, self._hopped(verb, start, end))]
        return [
            (str(bit), chance, book if bit else book._hopped(verb, start, end))
            for bit, chance, book in self.looked(end)
        ]

    def looked(self, square: int) -> list[tuple[int, float, Book]]:
        """Measure a square: (bit, probability, book then)."""
        home = self.owner(square)
        if home is None:
            return [(0, 1.0, self)]
        one = self.chance(square)
        found = [(1, one, self._with(home, {square: 1.0}))]
        rest = {k: a / np.sqrt(1 - one) for k, a in self.pieces[home].items() if k != square}
        if one < 1 - 1e-9:
            found.append((0, 1 - one, self._with(home, rest)))
        return found

    def _with(self, home: int, amplitudes: Amplitudes) -> Book:
        """One piece written anew; what is below 1e-9 is struck out and the rest made 1 again."""
        kept = {k: a for k, a in amplitudes.items() if abs(a) ** 2 >= 1e-9}
        norm = np.sqrt(sum(abs(a) ** 2 for a in kept.values()))
        pieces = self.pieces | {home: {k: a / norm for k, a in kept.items()}}
        return replace(self, pieces=pieces)._tidied()

    def _tidied(self) -> Book:
        there = {s for a in self.pieces.values() for s in a}
        return replace(self, kings=frozenset(k for k in self.kings if k in there))

    def _hopped(self, verb: str, start: int, end: int) -> Book:
        """Sections 4.1 and 4.2: iSWAP, or its square root with interference."""
        home = self.owner(start)
        assert home is not None
        amplitudes = dict(self.pieces[home])
        a, b = amplitudes.pop(start), amplitudes.pop(end, 0j)
        if verb == "move":
            assert b == 0
            amplitudes[end] = 1j * a
        else:
            amplitudes[start] = (a + 1j * b) / np.sqrt(2)
            amplitudes[end] = (1j * a + b) / np.sqrt(2)
        return self._ranked(home, start, end)._with(home, amplitudes)

    def _ranked(self, home: int, start: int, end: int) -> Book:
        """The branch that arrives keeps its rank, or is crowned on the far row (4.5)."""
        far = range(29, 33) if home < 13 else range(1, 5)
        kings = self.kings - {end}
        if start in self.kings or end in far:
            kings |= {end}
        return replace(self, kings=kings)

    def _jump(self, start: int, victim: int, end: int) -> list[tuple[str, float, Book]]:
        """Section 4.3: measure attacker, victim and landing square, then settle the victim."""
        found = []
        squares = (start, end) if self.rule == "cat" else (start, victim, end)
        trail = [("", 1.0, self)]
        for square in squares:
            trail = [
                (bits + str(bit), p * chance, after)
                for bits, p, book in trail
                for bit, chance, after in book.looked(square)
            ]
        for bits, chance, book in trail:
            hit = bits in ("110", "10")
            found.append((bits, chance, self._taken(book, start, victim, end) if hit else book))
        return found

    def _taken(self, book: Book, start: int, victim: int, end: int) -> Book:
        """The attacker lands; the victim loses its square as the capture rule says."""
        attacker, home = self.owner(start), self.owner(victim)
        assert attacker is not None
        assert home is not None
        before = dict(self.pieces[home])
        if end in before:  # "l empty" first: drop that branch and renormalise
            lost = abs(before.pop(end)) ** 2
            before = {k: a / np.sqrt(1 - lost) for k, a in before.items()}
        hit = abs(before.pop(victim)) ** 2
        before[DEAD] = np.sqrt(abs(before.get(DEAD, 0)) ** 2 + hit)
        # the victim's other branches, struck out by measuring, come back with their ranks
        back = replace(book, pieces=book.pieces | {home: before}, kings=self.kings)
        if self.rule == "projective":
            back = replace(back, pieces={h: a for h, a in book.pieces.items() if h != home})
        landed = back._ranked(attacker, start, end)._with(attacker, {end: 1.0})
        return landed if self.rule == "projective" else landed._with(home, before)


def same_up_to_phase(ours: Amplitudes, theirs: Amplitudes, tolerance: float = 1e-7) -> bool:
    """Equal squares with equal relative phases, and equal dead weight (of whatever phase)."""
    if set(ours) != set(theirs):
        return False
    squares = [s for s in ours if s != DEAD]
    a, b = (np.array([side[s] for s in squares]) for side in (ours, theirs))
    dead = abs(abs(ours.get(DEAD, 0)) - abs(theirs.get(DEAD, 0)))
    overlap = abs(np.vdot(a, b)) - np.linalg.norm(a) * np.linalg.norm(b)
    norms = np.linalg.norm(a) - np.linalg.norm(b)
    return bool(max(dead, abs(overlap), abs(norms)) < tolerance)
