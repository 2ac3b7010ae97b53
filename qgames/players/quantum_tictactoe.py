"""Computer players of quantum tic-tac-toe, and what each move is worth.

``greedy`` takes a line when it can, else the board with the best lines. ``perfect`` never gives
away what it holds: it plays a move that is worth as much as the position, by the opening book up to
four marks and by :mod:`qgames.players.tictactoe_solver` after that. Each criterion has its book.
When nature decides a collapse (``collapse="chance"``) there is none: from five marks on ``perfect``
plays for the best expectation, before that as if the rival chose.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from random import Random

from qgames.core import Move, View
from qgames.games.quantum_tictactoe import (
    LINES,
    QuantumTicTacToe,
    TicTacToePosition,
    owner,
    pushed,
    tangle,
    with_pair,
)
from qgames.players.general import Player, best, choices
from qgames.players.tictactoe_book import looked_up
from qgames.players.tictactoe_solver import (
    LAST_SEARCHED,
    ChanceSolver,
    Group,
    Solver,
    State,
    landing,
)

MOST_REMEMBERED = 100_000
"""Entries a solver's table may have before a new move is thought about; some ten megabytes."""


def greedy(view: View, rng: Random) -> Move:
    """The move after which its own lines look best; looks no further."""
    assert view.seat is not None
    analyst = Analyst(view)
    return best({m: analyst.prospect(m, view.seat) for m in choices(view)}, rng)


def perfect(view: View, rng: Random) -> Move:
    """A move that is worth as much as the position; chance settles which of several."""
    moves = list(choices(view))
    if len(moves) == 1:
        return moves[0]
    analyst = Analyst(view)
    rng.shuffle(moves)
    if analyst.chance:
        return best({move: analyst.value_of(move) for move in moves}, rng)
    held = analyst.value(analyst.position)
    return next(move for move in moves if analyst.value_of(move) == held)


def move_values(view: View) -> dict[Move, float]:
    """What each legal move is worth to the seat to move: 1 a win, 0 a draw, -1 a loss.

    With perfect play by both from then on. When nature decides a collapse it is an expectation,
    exact from five marks on.
    """
    analyst = Analyst(view)
    return {move: analyst.value_of(move) for move in choices(view)}


PLAYERS: Mapping[str, Player] = {"greedy": greedy, "perfect": perfect}


class Analyst:
    """The values of a view's position and of those that follow it."""

    def __init__(self, view: View) -> None:
        assert isinstance(view.game, QuantumTicTacToe)
        assert isinstance(view.position, TicTacToePosition)
        self.game, self.position = view.game, view.position
        self.chance = view.game.by_chance and view.position.placed >= LAST_SEARCHED
        self.solver = _solver(view.game.option["criterion"], self.chance)
        if len(self.solver.table) > MOST_REMEMBERED:
            self.solver.table.clear()

    # ---- what perfect play makes of a move ---------------------------------------------------

    def value_of(self, move: Move) -> float:
        """What ``move`` is worth to the one who plays it."""
        position = self.position
        if move.verb == "place":
            a, b = (int(square) for square in move.args)
            return -self.value(with_pair(position, (a, b)))
        if move.verb == "collapse" and move.args:
            return self.value(self.collapsed(position, int(move.args[0])), position.to_move)
        return self.value(position)

    def value(self, position: TicTacToePosition, seat: int | None = None) -> float:
        """What a position is worth to ``seat``, the one to move if it is not given."""
        seat = position.to_move if seat is None else seat
        if position.result is not None:
            winner = position.result.winner
            return 0 if winner is None else 1 if winner == seat else -1
        if position.pending is not None:
            found = [
                self.value(self.collapsed(position, s), seat) for s in position.pending.squares
            ]
            return sum(found) / 2 if self.chance else max(found)
        return self._running(position)

    def _running(self, position: TicTacToePosition) -> float:
        """The mover's value when no cycle waits."""
        marks = position.placed
        if marks <= LAST_SEARCHED + 1:
            return self.solver.search(state_of(position), marks)
        groups, base = groups_of(position)
        if marks == 7:
            return -self.solver.seven(groups[0], groups[1], base)
        return self.solver.eight(groups[0], base)

    # ---- what greedy sees ----------------------------------------------------------------------

    def prospect(self, move: Move, seat: int) -> float:
        """How the board looks after ``move``; if it closes a cycle, after the rival's collapse."""
        position = self.position
        if move.verb == "mark":
            last = {position.placed + 1: int(move.args[0])}
            return outlook(self.game.with_landed(position, last), seat)
        if move.verb == "collapse" and move.args:
            return outlook(self.collapsed(position, int(move.args[0])), seat)
        if move.verb == "place":
            a, b = (int(square) for square in move.args)
            position = with_pair(position, (a, b))
        if position.pending is None:
            return outlook(position, seat)
        found = [outlook(self.collapsed(position, s), seat) for s in position.pending.squares]
        return sum(found) / 2 if self.game.by_chance else min(found)

    def collapsed(self, position: TicTacToePosition, square: int) -> TicTacToePosition:
        """The position after the pending mark settled on ``square``."""
        where = {mark.number: s for mark, s in position.settled(square).items()}
        return self.game.with_landed(position, where)


def outlook(position: TicTacToePosition, seat: int) -> float:
    """Points won over the rival's, else a small sum for the lines that each side may still fill."""
    if position.result is not None:
        points = position.result.points
        return points[seat] - points[1 - seat]
    return promise(position, seat) - promise(position, 1 - seat)


def promise(position: TicTacToePosition, seat: int) -> float:
    """Lines that hold no classical mark of the rival: two own marks count four times one."""
    total = 0
    for line in LINES:
        owners = [owner(n) for n in (position.landed[s - 1] for s in line) if n is not None]
        total += len(owners) ** 2 if 1 - seat not in owners else 0
    return total / 100


@lru_cache(maxsize=4)
def _solver(criterion: str, chance: bool) -> Solver:
    kind = ChanceSolver if chance else Solver
    return kind(criterion, partial(looked_up, criterion=criterion))


def state_of(position: TicTacToePosition) -> State:
    """A position in which no cycle waits, as the solver sees it, with up to six marks."""
    blocks: tuple[list[int], list[int]] = ([], [])
    for mark in position.spooky:
        own, block = blocks[mark.owner], sum(1 << (s - 1) for s in mark.squares)
        for other in [other for other in own if other & block]:
            own.remove(other)
            block |= other
        own.append(block)
    x, o = (
        sum(1 << k for k, n in enumerate(position.landed) if n is not None and owner(n) == seat)
        for seat in (0, 1)
    )
    return tuple(blocks[0]), tuple(blocks[1]), x, o


def groups_of(position: TicTacToePosition) -> tuple[list[Group], int]:
    """The components of a position in which no cycle waits, and the code of what has landed."""
    groups: list[Group] = []
    left = list(position.free)
    while left:
        marks = tangle(position.spooky, left[0])
        squares = {left[0], *(s for m in marks for s in m.squares)}
        group = []
        for square in sorted(squares):
            where = pushed(marks, square)
            group.append((1 << (square - 1), _code({m.number: s for m, s in where.items()})))
        groups.append(tuple(group))
        left = [s for s in left if s not in squares]
    landed = {number: s for s, number in enumerate(position.landed, 1) if number is not None}
    return groups, _code(landed)


def _code(where: Mapping[int, int]) -> int:
    """The solver's code for marks on squares (square by number)."""
    code = 0
    for number, square in where.items():
        code |= landing(number, 1 << (square - 1))
    return code
