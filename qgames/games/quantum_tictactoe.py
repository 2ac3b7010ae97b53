"""Quantum tic-tac-toe, Allan Goff's game (rule sheet: docs/rules/quantum_tictactoe.md).

The squares; X is seat 0 and makes moves 1 3 5 7 9, O is seat 1 and makes moves 2 4 6 8::

    1 2 3
    4 5 6
    7 8 9

Moves: ``place 1 2`` puts a spooky mark on two squares; ``collapse 1``, by the player who did not
close the cycle, lets the newest mark settle on square 1; ``mark 3`` is the plain mark on the last
square. With ``collapse="chance"`` nature decides: the move is ``collapse`` alone and the outcome
says where. ``1:1-2 2:2-5 3:5-9 4:1-5>1`` is the compact form of a whole match.

Wires: one a mark, wire 0 is move 1; ``|0>`` is the lower square of its pair, ``|1>`` the higher.

Outcomes: ``cyc`` is the newest mark's bit as it was measured, before the chooser's X gates (with
``collapse="chance"`` it stands). ``mark`` are the settled bits of the collapsed marks, lowest
number first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from qgames.core import (
    RESIGN,
    Branch,
    Game,
    InvalidMoveError,
    Match,
    Moment,
    Move,
    Option,
    Position,
    Result,
    Step,
    View,
)
from qgames.quantum import QuantumState

SQUARES = tuple(range(1, 10))
LINES = (
    *((1, 2, 3), (4, 5, 6), (7, 8, 9)),
    *((1, 4, 7), (2, 5, 8), (3, 6, 9)),
    *((1, 5, 9), (3, 5, 7)),
)
NAMES = ("X", "O")
VERBS = ("place", "collapse", "mark")


@dataclass(frozen=True)
class Mark:
    """A spooky mark: its move number and its two squares, the lower first."""

    number: int
    squares: tuple[int, int]

    @property
    def owner(self) -> int:
        """The seat that placed it."""
        return owner(self.number)

    @property
    def wire(self) -> int:
        """Its qubit."""
        return self.number - 1

    def __str__(self) -> str:
        return mark_name(self.number)


@dataclass(frozen=True)
class TicTacToePosition(Position):
    """Spooky marks in order, the move that landed on each square, and the mark that waits."""

    spooky: tuple[Mark, ...] = ()
    landed: tuple[int | None, ...] = (None,) * 9
    placed: int = 0
    """How many marks have been placed, settled or not."""
    pending: Mark | None = None
    """The mark that closed a cycle, until its collapse."""

    @property
    def free(self) -> tuple[int, ...]:
        """Squares without a classical mark; spooky ones may be there."""
        return tuple(s for s in SQUARES if self.landed[s - 1] is None)

    @property
    def tangle(self) -> tuple[Mark, ...]:
        """The marks that the pending collapse settles: the cycle and all its tails."""
        return tangle(self.spooky, self.pending.squares[0]) if self.pending else ()

    @property
    def cycle(self) -> tuple[Mark, ...]:
        """The marks of the pending cycle alone."""
        if not self.pending:
            return ()
        first, second = (self.settled(s) for s in self.pending.squares)
        return tuple(m for m in self.tangle if first[m] != second[m])

    def settled(self, square: int) -> dict[Mark, int]:
        """The square of each tangled mark if the pending one settles on ``square``."""
        assert self.pending is not None
        older = [m for m in self.tangle if m != self.pending]
        return {self.pending: square} | pushed(older, square)


@dataclass(frozen=True)
class TicTacToeResult(Result):
    """How a match ended; ``narrow`` when both sides had a line and the earlier one counted."""

    narrow: bool = False


@dataclass(frozen=True, eq=False)
class TicTacToeView(View):
    """A view in which a chosen collapse has one outcome: the drawn bit ``cyc`` decides nothing."""

    def outlook(self, move: Move) -> tuple[Branch, ...]:
        """What ``move`` leads to; values of ``cyc`` that lead to one board are one branch."""
        merged: list[Branch] = []
        for branch in super().outlook(move):
            outcome = tuple(row for row in branch.outcome if row[0] != "cyc")
            if move.args and merged:
                merged[0] = replace(merged[0], chance=merged[0].chance + branch.chance)
            else:
                merged.append(replace(branch, outcome=outcome) if move.args else branch)
        return tuple(merged)


class QuantumTicTacToe(Game):
    """Marks live on two squares until a cycle settles them; the first classical line wins."""

    key = "quantum_tictactoe"
    title = "Quantum tic-tac-toe"
    subtitle = "Allan Goff's game"
    secretive = False
    unordered = frozenset({"place"})
    wires = QuantumRegister(9, "m")
    wire_labels = tuple(f"{'xo'[n % 2]}{n + 1}" for n in range(9))
    options: ClassVar[Mapping[str, Option]] = {
        "collapse": Option(
            "choice", ("choice", "chance"), "who decides a collapse: a player or nature"
        ),
        "goff_points": Option(True, (True, False), "a narrow loss still earns half a point"),
        "criterion": Option("narrow", ("narrow", "clear"), "'clear': two lines at once are a draw"),
    }

    @property
    def by_chance(self) -> bool:
        """Nature decides a collapse, not a player."""
        return bool(self.option["collapse"] == "chance")

    def seat_name(self, seat: int) -> str:
        """X or O."""
        return NAMES[seat]

    def start(self) -> TicTacToePosition:
        """An empty board; X starts."""
        return TicTacToePosition(QuantumState.zeros(9), to_move=0)

    # ---- the rules ---------------------------------------------------------------------------

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Any two squares no mark has landed on; the last square alone takes a plain mark."""
        assert isinstance(position, TicTacToePosition)
        if position.to_move is None:
            return ()
        if position.pending:
            return self._collapses(position.pending)
        free = position.free
        if len(free) == 1:
            return (Move("mark", free),)
        return tuple(Move("place", pair) for pair in combinations(free, 2))

    def _collapses(self, pending: Mark) -> tuple[Move, ...]:
        if self.by_chance:
            return (Move("collapse"),)
        return tuple(Move("collapse", (square,)) for square in pending.squares)

    def why_illegal(self, position: Position, move: Move) -> str:
        """What stands against ``move``: its spelling, its squares, or what must come first."""
        assert isinstance(position, TicTacToePosition)
        if move.verb not in VERBS or move.secret:
            return f"unknown move {str(move)!r}, expected one of {' '.join(VERBS)}"
        expected = " or ".join(repr(str(m)) for m in self.legal_moves(position))
        if position.pending and move.verb != "collapse":
            return f"{position.pending} closed a cycle, expected {expected}"
        if position.pending:
            return self._why_no_collapse(position.pending, expected)
        if move.verb == "collapse":
            return "no cycle waits for a collapse"
        if len(position.free) == 1:
            return f"one square is left, expected {expected}"
        if move.verb == "mark":
            return "a plain mark is placed only on the last free square"
        return _why_no_pair(position, move)

    def _why_no_collapse(self, pending: Mark, expected: str) -> str:
        if self.by_chance:
            return f"nature decides where {pending} settles, expected {expected}"
        return f"{pending} settles on one of its squares, expected {expected}"

    def fragment(self, position: Position, move: Move) -> QuantumCircuit:
        """H for a pair; the entangling of the tangle when it closes a cycle; the measurements."""
        assert isinstance(position, TicTacToePosition)
        qc = self.circuit()
        if move.verb == "place":
            after = with_pair(position, _pair(move))
            qc.h(after.placed - 1)
            if after.pending:
                _entangle(qc, after, after.pending)
        elif move.verb == "collapse":
            assert position.pending is not None
            self._measure(qc, position, position.pending, move)
        return qc

    @staticmethod
    def _measure(
        qc: QuantumCircuit, position: TicTacToePosition, pending: Mark, move: Move
    ) -> None:
        """Measure the newest mark, turn the cycle to the chosen side if need be, measure all."""
        marks = position.tangle
        cyc, bits = ClassicalRegister(1, "cyc"), ClassicalRegister(len(marks), "mark")
        qc.add_register(cyc, bits)
        qc.measure(pending.wire, cyc[0])
        if move.args:
            wrong = 1 - pending.squares.index(int(move.args[0]))
            cycle = [m.wire for m in position.cycle if m != pending]
            with qc.if_test((cyc[0], wrong)):
                qc.x([pending.wire, *cycle])
        qc.measure([m.wire for m in marks], bits)

    def after(
        self, position: Position, move: Move, state: QuantumState, outcome: Mapping[str, str]
    ) -> TicTacToePosition:
        """A pair that closed a cycle waits; landed marks are judged; then the next player moves."""
        assert isinstance(position, TicTacToePosition)
        position = replace(position, state=state)
        if move.verb == "place":
            return with_pair(position, _pair(move))
        if move.verb == "mark":
            ninth = position.placed + 1
            return self.with_landed(replace(position, placed=ninth), {ninth: int(move.args[0])})
        marks = position.tangle
        bits = outcome["mark"]
        where = {m.number: m.squares[int(bit)] for m, bit in zip(marks, bits, strict=True)}
        return self.with_landed(position, where)

    def with_landed(
        self, position: TicTacToePosition, where: Mapping[int, int]
    ) -> TicTacToePosition:
        """The position after marks landed (square by number): a line or a full board ends it."""
        landed = list(position.landed)
        for number, square in where.items():
            landed[square - 1] = number
        result = self.judge(tuple(landed))
        return replace(
            position,
            to_move=None if result else position.to_move,
            result=result,
            spooky=tuple(m for m in position.spooky if m.number not in where),
            landed=tuple(landed),
            pending=None,
        )

    def judge(self, landed: tuple[int | None, ...]) -> TicTacToeResult | None:
        """The result of a board; with lines of both the one whose newest mark is older counts."""
        lines = tuple(line for line in LINES if line_owner(landed, line) is not None)
        ages: dict[int, int] = {}
        for line in lines:
            newest = max(n for n in (landed[s - 1] for s in line) if n is not None)
            ages[owner(newest)] = min(newest, ages.get(owner(newest), newest))
        if not ages:
            full = all(number is not None for number in landed)
            return TicTacToeResult(None, "no line", (0.0, 0.0)) if full else None
        if len(ages) == 2 and self.option["criterion"] == "clear":
            return TicTacToeResult(None, "a line each", (0.0, 0.0), lines)
        winner = min(ages, key=lambda seat: ages[seat])
        if len(ages) == 1:
            return TicTacToeResult(winner, "three in a row", _points(winner, 0.0), lines)
        half = 0.5 if self.option["goff_points"] else 0.0
        return TicTacToeResult(winner, "earlier line", _points(winner, half), lines, narrow=True)

    def view(
        self, seat: int | None, position: Position, history: tuple[Moment, ...]
    ) -> TicTacToeView:
        """Nothing is hidden."""
        return TicTacToeView(self, seat, position, history)


# ---- marks as edges between squares -------------------------------------------------------------


def owner(number: int) -> int:
    """The seat that makes move ``number``: X the odd ones, O the even ones."""
    return (number - 1) % 2


def mark_name(number: int) -> str:
    """``X1``, ``O2``."""
    return f"{NAMES[owner(number)]}{number}"


def tangle(marks: Iterable[Mark], square: int) -> tuple[Mark, ...]:
    """The marks that hang together with ``square`` through shared squares, in order."""
    marks = tuple(marks)
    reached, before = {square}, 0
    while len(reached) > before:
        before = len(reached)
        for mark in marks:
            if mark.squares[0] in reached or mark.squares[1] in reached:
                reached.update(mark.squares)
    return tuple(m for m in marks if m.squares[0] in reached)


def connected(marks: Iterable[Mark], pair: tuple[int, int]) -> bool:
    """Whether a chain of marks leads from one square of ``pair`` to the other."""
    return any(pair[1] in m.squares for m in tangle(marks, pair[0]))


def pushed(marks: Sequence[Mark], square: int) -> dict[Mark, int]:
    """Where the marks of a tree settle when ``square`` is taken by a newer one.

    From that square outward along the marks: each settles on its farther square.
    """
    where: dict[Mark, int] = {}
    taken = [square]
    for near in taken:
        for mark in marks:
            if near in mark.squares and mark not in where:
                where[mark] = mark.squares[mark.squares[0] == near]
                taken.append(where[mark])
    return where


def line_owner(landed: tuple[int | None, ...], line: tuple[int, ...]) -> int | None:
    """The seat whose classical marks fill ``line``, None if it is no line."""
    numbers = [landed[s - 1] for s in line]
    owners = {owner(n) for n in numbers if n is not None}
    return owners.pop() if None not in numbers and len(owners) == 1 else None


def with_pair(position: TicTacToePosition, pair: tuple[int, int]) -> TicTacToePosition:
    """The position after the next mark was placed on two squares; it waits if it closed a cycle."""
    mark = Mark(position.placed + 1, pair)
    return replace(
        position,
        to_move=1 - mark.owner,
        spooky=(*position.spooky, mark),
        placed=mark.number,
        pending=mark if connected(position.spooky, pair) else None,
    )


def _pair(move: Move) -> tuple[int, int]:
    a, b = move.args
    return int(a), int(b)


def _entangle(qc: QuantumCircuit, position: TicTacToePosition, newest: Mark) -> None:
    """Section Circuit, step 2: from all marks in |+> to the only two boards that fit.

    The older marks go back to |0>; those of the cycle follow the newest one; X puts each on the
    square that it takes when the newest settles on its first one.
    """
    first = position.settled(newest.squares[0])
    for mark in position.tangle:
        if mark == newest:
            continue
        qc.h(mark.wire)
        if mark in position.cycle:
            qc.cx(newest.wire, mark.wire)
        if first[mark] == mark.squares[1]:
            qc.x(mark.wire)


def _why_no_pair(position: TicTacToePosition, move: Move) -> str:
    if len(move.args) != 2 or not all(a in SQUARES for a in move.args):
        return "place takes two squares from 1 to 9"
    if move.args[0] == move.args[1]:
        return "place takes two different squares"
    taken = next(int(a) for a in move.args if a not in position.free)
    return f"{mark_name(position.landed[taken - 1] or 0)} has settled on square {taken}"


def _points(winner: int, half: float) -> tuple[float, float]:
    return (1.0, half) if winner == 0 else (half, 1.0)


# ---- the compact form ---------------------------------------------------------------------------

_TURN = re.compile(r"([1-9]):([1-9])(?:-([1-9])(?:>([1-9]))?)?")


def to_compact(match: Match | Iterable[Step]) -> str:
    """``1:1-2 2:2-5 3:5-9 4:1-5>1``: a match, or its record, in the sheet's notation.

    ``>r`` is the square on which the newest mark settled, whoever decided; ``resign`` ends the text
    when a player gave up.
    """
    turns: list[str] = []
    for step in match.record if isinstance(match, Match) else match:
        args = [int(a) for a in step.move.args]
        if step.move == RESIGN:
            turns.append("resign")
        elif step.move.verb == "collapse":
            turns[-1] += f">{_chosen(step, turns[-1])}"
        else:
            turns.append(f"{len(turns) + 1}:{'-'.join(map(str, args))}")
    return " ".join(turns)


def _chosen(step: Step, turn: str) -> str:
    if step.move.args:
        return str(step.move.args[0])
    return turn.partition(":")[2].split("-")[int(step.bits("cyc") or 0)]


def from_compact(text: str) -> tuple[Move, ...]:
    """The moves that a compact text spells, with each collapse as a choice (``collapse 1``).

    Raises InvalidMoveError for text that is none; whether the moves are legal a match will say.
    """
    if not isinstance(text, str):
        raise InvalidMoveError(f"expected a match as text, such as '1:1-2 2:1-2>1': got {text!r}")
    moves: list[Move] = []
    words = text.split()
    for count, word in enumerate(words, 1):
        if word == "resign" and count == len(words):
            moves.append(RESIGN)
            continue
        turn = _TURN.fullmatch(word)
        if turn is None:
            raise InvalidMoveError(f"expected a turn such as '{count}:1-2>1': got {word[:40]!r}")
        if int(turn[1]) != count:
            raise InvalidMoveError(f"expected move {count} next: got {word!r}")
        moves += _moves_of(turn)
    return tuple(moves)


def _moves_of(turn: re.Match[str]) -> list[Move]:
    first, second, chosen = turn[2], turn[3], turn[4]
    if second is None:
        return [Move("mark", (int(first),))]
    pair = (min(int(first), int(second)), max(int(first), int(second)))
    return [Move("place", pair)] + ([Move("collapse", (int(chosen),))] if chosen else [])


def match_from_compact(text: str, *, seed: int | None = None, **options: str | bool) -> Match:
    """A match in which everything that ``text`` tells has been played.

    With ``collapse="chance"`` nature is held to the squares that the text names.
    """
    match = Match(QuantumTicTacToe, seed=seed, **options)
    for move in from_compact(text):
        position = match.position
        assert isinstance(position, TicTacToePosition)
        pending = position.pending
        by_chance = move.verb == "collapse" and match.game.option["collapse"] == "chance"
        if by_chance and pending and move.args[0] in pending.squares:
            match = _continued(match, _fallen(position, pending, int(move.args[0])))
        else:
            match.play(move)
    return match


def _fallen(position: TicTacToePosition, pending: Mark, square: int) -> Step:
    """The step in which nature has put the pending mark on ``square``."""
    where = position.settled(square)
    bits = "".join(str(m.squares.index(where[m])) for m in position.tangle)
    return Step(Move("collapse"), (("cyc", str(pending.squares.index(square))), ("mark", bits)))


def _continued(match: Match, step: Step) -> Match:
    """The match with one more step whose outcome is given: saved, prolonged and loaded."""
    saved = json.loads(match.to_json())
    return Match.from_json(json.dumps(saved | {"record": [*saved["record"], str(step)]}))
