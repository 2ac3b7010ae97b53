"""How many matches of quantum tic-tac-toe there are, without playing one.

A sequence is every placement as an unordered pair and every collapse as one of two choices; the
plain ninth mark is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb, factorial, perm
from typing import NamedTuple

from qgames.games.quantum_tictactoe import LINES, SQUARES

COMPLETE_MATCHES = 18_227_289_232_224
"""Kumar, Ang and Chai (2012): "more than 18 trillion"; the rule sheet has the number."""


class Row(NamedTuple):
    """Sequences after some placements: still running, and finished there by who has lines."""

    running: int
    x: int
    o: int
    both: int
    drawn: int

    @property
    def finished(self) -> int:
        """All that end here."""
        return self.x + self.o + self.both + self.drawn


Board = tuple[int, int]
"""Classical squares of X and of O, each as a mask."""


def counted() -> list[Row]:
    """Rows for 1 to 9 placements without following a single match; the finished ones add up.

    A collapse of k marks is a matching of the marks with k squares and, for every square, the
    *other* square of its mark: a function from the k squares to themselves without a fixed point.
    From the marks' pairs and the chooser's square both can be read off, and the other way round. So
    there are as many such collapses as pairs of a matching (k! of them) and a function whose arrows
    connect all k squares and whose cycle goes through the square of the newest mark (`functions`).
    Neither number asks which squares they are.

    So pairs need not be followed. What is kept is the classical board and how many marks of each
    side are still spooky: when a mark is placed it stays so, or it takes some of them along into a
    collapse. In the end the spooky ones must form a forest on the free squares (`forests`).
    """
    layer: Counter[tuple[Board, int, int]] = Counter({((0, 0), 0, 0): 1})
    rows = []
    for number in range(1, 10):
        x = number % 2
        running: Counter[tuple[Board, int, int]] = Counter()
        ends: Counter[str] = Counter()
        for (board, xs, os), ways in layer.items():
            if _free(board) == 1:
                ends[_lines((board[0] | _FULL & ~board[1], board[1])) or "drawn"] += ways
                continue
            running[board, xs + x, os + 1 - x] += ways
            for (after, left_xs, left_os), more in _collapses(board, xs, os, x):
                lines = _lines(after)
                if lines or not _free(after):
                    spooky = _spooky(after, left_xs, left_os)
                    ends[lines or "drawn"] += ways * more * spooky
                else:
                    running[after, left_xs, left_os] += ways * more
        total = sum(ways * _spooky(*state) for state, ways in running.items())
        rows.append(Row(total, *(ends[name] for name in Row._fields[1:])))
        layer = running
    return rows


_FULL = 511
_WINS = [sum(1 << (s - 1) for s in line) for line in LINES]


def _collapses(
    board: Board, xs: int, os: int, x: int
) -> Iterator[tuple[tuple[Board, int, int], int]]:
    """Where a new mark of X (``x`` is 1) or O may collapse to, and in how many ways.

    Some of the spooky marks go along: which of them, onto which squares, with which other squares.
    """
    for with_xs in range(xs + 1):
        for with_os in range(os + 1):
            on_x, on_o = with_xs + x, with_os + 1 - x
            k = on_x + on_o
            ways = comb(xs, with_xs) * comb(os, with_os) * factorial(on_x) * factorial(on_o)
            for after in _boards(board, on_x, on_o) if 2 <= k <= _free(board) else ():
                yield (after, xs - with_xs, os - with_os), ways * functions(k)


@cache
def _boards(board: Board, on_x: int, on_o: int) -> tuple[Board, ...]:
    """All boards with so many more squares of X and of O."""
    free = [1 << (s - 1) for s in SQUARES if not (board[0] | board[1]) >> (s - 1) & 1]
    return tuple(
        (board[0] | sum(for_x), board[1] | sum(for_o))
        for for_x in combinations(free, on_x)
        for for_o in combinations([s for s in free if s not in for_x], on_o)
    )


@cache
def functions(k: int) -> int:
    """Functions on k points without fixed points, connected, with a given point on their cycle.

    There are k (k-1) ... (k-c+1) / c cycles of length c, and c k^(k-c-1) ways to hang the other
    points on one; the given point is on it in c of k cases.
    """
    ways = (perm(k, c) * c * int(k ** (k - c)) for c in range(2, k + 1))
    return sum(ways) // k**2


@cache
def forests(points: int, edges: int) -> int:
    """Forests with ``edges`` edges on so many labelled points: by the tree of the first point."""
    if edges == 0:
        return 1
    return sum(
        comb(points - 1, size - 1) * _trees(size) * forests(points - size, edges - size + 1)
        for size in range(1, min(points, edges + 1) + 1)
    )


def _trees(points: int) -> int:
    """Cayley's formula."""
    return points ** (points - 2) if points > 2 else 1


@cache
def _spooky(board: Board, xs: int, os: int) -> int:
    """Ways in which the marks that stay spooky lie on the free squares: a numbered forest."""
    return factorial(xs + os) * forests(_free(board), xs + os)


def _free(board: Board) -> int:
    return 9 - (board[0] | board[1]).bit_count()


@cache
def _lines(board: Board) -> str:
    has = [any(mask & line == line for line in _WINS) for mask in board]
    return ("", "o", "x", "both")[2 * has[0] + has[1]]
