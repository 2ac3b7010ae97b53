"""How many matches of quantum tic-tac-toe there are: played by the rules, and counted without playing.

`python -m benchmarks.perft_tictactoe` prints both. A sequence is every placement as an unordered pair
and every collapse as one of two choices; the plain ninth mark is one.
"""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, factorial, perm
from typing import NamedTuple

from qgames.core import Move
from qgames.games.quantum_tictactoe import (
    LINES,
    SQUARES,
    QuantumTicTacToe,
    TicTacToePosition,
    line_owner,
    tangle,
)
from qgames.players.quantum_tictactoe import state_of
from qgames.players.tictactoe_solver import LAST_SEARCHED, canonical

COMPLETE_MATCHES = 18_227_289_232_224
"""Kumar, Ang and Chai (2012): "more than 18 trillion"; the rule sheet has the number."""


class Row(NamedTuple):
    """Sequences after a number of placements: still running, and finished there by who has lines."""

    running: int
    x: int
    o: int
    both: int
    drawn: int

    @property
    def finished(self) -> int:
        """All that end here."""
        return self.x + self.o + self.both + self.drawn


# ---- played by the rules ------------------------------------------------------------------------


def perft(depth: int) -> list[Row]:
    """Rows for 1 to ``depth`` placements, by the rules' own code.

    Positions that the solver takes for one (the same by symmetry, blocks and interchangeable marks)
    are followed once, with the number of sequences that lead there: a wrong equivalence would show.
    Mark numbers count from the seventh on, so six placements are the most.
    """
    if depth > LAST_SEARCHED + 1:
        raise ValueError(f"expected a depth up to {LAST_SEARCHED + 1}: got {depth!r}")
    game = QuantumTicTacToe()
    layer = {0: (game.start(), 1)}
    rows = []
    for placed in range(1, depth + 1):
        ends: Counter[str] = Counter()
        reached: dict[int, tuple[TicTacToePosition, int]] = {}
        for position, weight in layer.values():
            for after, ways in _continuations(game, position, whole=placed < depth):
                ends[_sides(after)] += ways * weight
                if after.result is None and placed < depth:
                    key = canonical(state_of(after))
                    reached[key] = (after, reached.get(key, (after, 0))[1] + ways * weight)
        layer = reached
        rows.append(Row(*(ends[name] for name in Row._fields)))
    return rows


def _continuations(
    game: QuantumTicTacToe, position: TicTacToePosition, whole: bool
) -> Iterator[tuple[TicTacToePosition, int]]:
    """Positions after every placement and collapse, each with the number of sequences it stands for.

    Where a mark settles says what happens, not where its other square was: so one stands for all of
    those. Placements that close no cycle end nothing: unless the ``whole`` is asked for, one stands
    for all.
    """
    tangles = {s: tangle(position.spooky, s) for s in position.free}
    squares = {s: {t for m in marks for t in m.squares} - {s} for s, marks in tangles.items()}
    for square, others in squares.items():
        if others:
            pair = tuple(sorted((square, min(others))))
            closed = follow(game, position, Move("place", pair))
            yield follow(game, closed, Move("collapse", (square,))), len(others)
    links = [m for m in game.legal_moves(position) if m.args[1] not in squares[int(m.args[0])]]
    for move in links if whole else links[:1]:
        yield follow(game, position, move), 1 if whole else len(links)


def follow(game: QuantumTicTacToe, position: TicTacToePosition, move: Move) -> TicTacToePosition:
    """The position after ``move``; a collapse gets the bits that the rules foresee, without Aer."""
    outcome = {}
    if move.verb == "collapse":
        where = position.settled(int(move.args[0]))
        outcome = {"mark": "".join(str(m.squares.index(where[m])) for m in position.tangle)}
    return game.after(position, move, position.state, outcome)


def _sides(position: TicTacToePosition) -> str:
    if position.result is None:
        return "running"
    owners = {line_owner(position.landed, line) for line in LINES} - {None}
    return {(): "drawn", (0,): "x", (1,): "o", (0, 1): "both"}[tuple(sorted(owners))]


# ---- counted without playing --------------------------------------------------------------------

Board = tuple[int, int]
"""Classical squares of X and of O, each as a mask."""


def counted() -> list[Row]:
    """Rows for 1 to 9 placements without following a single match; the finished ones add up.

    A collapse of k marks is a matching of the marks with k squares, and for every square the *other*
    square of its mark: a function from the k squares to themselves without a fixed point. From the
    marks' pairs and the chooser's square both can be read off, and the other way round, so there are
    as many such collapses as there are pairs of a matching (k! of them) and a function whose arrows
    connect all k squares and whose cycle goes through the square of the newest mark (`functions`).
    Neither number asks which squares they are.

    So pairs need not be followed. What is kept is the classical board and how many marks of each side
    are still spooky: when a mark is placed it stays so, or it takes some of them along into a
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
    """Where a mark of X (``x`` = 1) or O may collapse to, with some of the spooky marks, and in how
    many ways: which marks go along, onto which squares, and with which other squares."""
    for with_xs in range(xs + 1):
        for with_os in range(os + 1):
            on_x, on_o = with_xs + x, with_os + 1 - x
            k = on_x + on_o
            ways = comb(xs, with_xs) * comb(os, with_os) * factorial(on_x) * factorial(on_o)
            for after in _boards(board, on_x, on_o) if 2 <= k <= _free(board) else ():
                yield (after, xs - with_xs, os - with_os), ways * functions(k)


@lru_cache(maxsize=None)
def _boards(board: Board, on_x: int, on_o: int) -> tuple[Board, ...]:
    """All boards with so many more squares of X and of O."""
    free = [1 << (s - 1) for s in SQUARES if not (board[0] | board[1]) >> (s - 1) & 1]
    return tuple(
        (board[0] | sum(for_x), board[1] | sum(for_o))
        for for_x in combinations(free, on_x)
        for for_o in combinations([s for s in free if s not in for_x], on_o)
    )


@lru_cache(maxsize=None)
def functions(k: int) -> int:
    """Functions on k points without fixed points, connected, with a given point on their cycle.

    With a cycle of length c there are k (k-1) ... (k-c+1) / c cycles, on c of the k points, and
    c k^(k-c-1) ways to hang the other points on it; the given point is on it in c of k cases.
    """
    return sum(perm(k, c) * c * k ** (k - c) for c in range(2, k + 1)) // k**2


@lru_cache(maxsize=None)
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


@lru_cache(maxsize=None)
def _spooky(board: Board, xs: int, os: int) -> int:
    """Ways in which the marks that stay spooky lie on the free squares: a forest, edges numbered."""
    return factorial(xs + os) * forests(_free(board), xs + os)


def _free(board: Board) -> int:
    return 9 - (board[0] | board[1]).bit_count()


@lru_cache(maxsize=None)
def _lines(board: Board) -> str:
    has = [any(mask & line == line for line in _WINS) for mask in board]
    return ("", "o", "x", "both")[2 * has[0] + has[1]]


# ---- the table ----------------------------------------------------------------------------------


def table(rows: Sequence[Row]) -> str:
    """Rows as text, one a number of placements."""
    names = ("placed", *Row._fields)
    lines = ["".join(f"{name:>22}" for name in names)]
    for number, row in enumerate(rows, 1):
        lines.append("".join(f"{value:>22,}" for value in (number, *row)))
    return "\n".join(lines)


def main(depth: int = 6) -> None:
    """Print the counts by the rules to ``depth``, then all counts and their sum."""
    for name, rows in (("played by the rules", lambda: perft(depth)), ("counted", counted)):
        started = time.perf_counter()
        print(f"{name}:\n{table(found := rows())}")
        print(f"{time.perf_counter() - started:.1f} s")
    total = sum(row.finished for row in found)
    print(f"complete matches: {total:,}, expected {COMPLETE_MATCHES:,}")


if __name__ == "__main__":
    main()
