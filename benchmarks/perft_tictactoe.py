"""How many matches of quantum tic-tac-toe there are: played by the rules to six placements.

`python -m benchmarks.perft_tictactoe` prints that and the numbers of `tictactoe_counts`, which need
no playing.
"""

import time
from collections import Counter
from collections.abc import Iterator, Sequence

from qgames.core import Move
from qgames.games.quantum_tictactoe import (
    LINES,
    QuantumTicTacToe,
    TicTacToePosition,
    line_owner,
    tangle,
)
from qgames.games.tictactoe_counts import COMPLETE_MATCHES, Row, counted
from qgames.players.quantum_tictactoe import state_of
from qgames.players.tictactoe_solver import LAST_SEARCHED, canonical

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
    """Positions after every placement and collapse, with how many sequences each stands for.

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
