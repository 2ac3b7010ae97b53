"""Quantum checkers: men that stand on several squares at once (docs/rules/quantum_checkers.md).

The 32 dark squares, four a row; square s is wire s - 1, and ``|1>`` means that a piece is there::

       1   2   3   4        Black, seat 1, on 1..12: men move down
     5   6   7   8
       9  10  11  12
    13  14  15  16          each piece also has a grave, ``|1>`` means that it is dead: wires 32
      17  18  19  20        to 55 in the order of the pieces' start squares (1..12, then 21..32)
    21  22  23  24
      25  26  27  28
    29  30  31  32          White, seat 0, on 21..32: men move up; White moves first

Moves: ``move 21 17`` ``quantum 21 17`` ``jump 21 14`` (from, landing square; a further jump of a
chain is a further step by the same side); ``stop`` ends a chain where that is allowed; ``offer`` of
a draw, answered by ``accept`` or ``decline``.

Outcomes: ``f`` is the bit of a forced measurement: 1 if the target square was occupied, so that
nothing moves, 0 if it was empty, so that the move is performed. ``cap`` are the three bits of a
capture, attacker, victim, landing square: it succeeds on 110 alone. Under the rule ``cat`` the
victim is not measured and ``cap`` are two bits, attacker and landing square: it succeeds on 10.

The state is always a product of pieces, each a superposition of its squares and its grave, so
``amplitudes`` (one a wire) say everything. Which piece a square's amplitude belongs to, and its
rank, are classical fields; whatever the state leaves below 1e-9 is taken off the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit.library import XXPlusYYGate

from qgames.core import Game, Move, Option, Position, Result
from qgames.quantum import LARGEST_CLUSTER, QuantumState

WHITE, BLACK = 0, 1
SIDES = ("White", "Black")
SQUARES = tuple(range(1, 33))
HOMES = (*range(1, 13), *range(21, 33))
"""The start square of each piece: pieces 0 to 11 are black, 12 to 23 white."""
SIDE = (BLACK,) * 12 + (WHITE,) * 12
FORWARD = (-1, 1)
"""The way down the board that men of each side move, by seat."""
FAR_ROW = (frozenset(range(1, 5)), frozenset(range(29, 33)))
DIRECTIONS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
"""Rows down, columns to the right."""

NOTHING = 1e-9
"""A smaller probability counts as none."""
MOST_SQUARES = LARGEST_CLUSTER - 2
"""A piece, its grave and the square it moves to must fit one exact vector."""
QUIET_PLIES = 80
CLASSICAL, QUANTUM = -np.pi, -np.pi / 2
"""The angles of iSWAP and its square root as XXPlusYY gates."""
GATE_NAMES = {CLASSICAL: "iSWAP", QUANTUM: "√iSWAP"}

OFFER, ACCEPT, DECLINE, STOP = Move("offer"), Move("accept"), Move("decline"), Move("stop")
TALK = (OFFER, ACCEPT, DECLINE, STOP)
STEPS = ("move", "quantum")
VERBS = (*STEPS, "jump", *(move.verb for move in TALK), "resign")

Direction = tuple[int, int]


def place(square: int) -> tuple[int, int]:
    """Row and column of a square, both from 0, from the upper left."""
    row, k = divmod(square - 1, 4)
    return row, 2 * k + (row % 2 == 0)


def _square_at(row: int, column: int) -> int | None:
    if not (0 <= row < 8 and 0 <= column < 8):
        return None
    return 4 * row + column // 2 + 1


def _steps_from(square: int) -> dict[Direction, tuple[int, int | None]]:
    """By direction: the next square and the one behind it (None off the board)."""
    row, column = place(square)
    found = {}
    for down, right in DIRECTIONS:
        near = _square_at(row + down, column + right)
        if near is not None:
            found[down, right] = (near, _square_at(row + 2 * down, column + 2 * right))
    return found


NEIGHBOURS = {square: _steps_from(square) for square in SQUARES}
WAYS = {
    (seat, king): {
        square: tuple(
            (direction, near, far)
            for direction, (near, far) in NEIGHBOURS[square].items()
            if king or direction[0] == FORWARD[seat]
        )
        for square in SQUARES
    }
    for seat in (WHITE, BLACK)
    for king in (False, True)
}
"""(direction, next square, the one behind it) for each way a man or king of a seat may go."""


def grave(piece: int) -> int:
    """The wire that says whether a piece is dead."""
    return len(SQUARES) + piece


@dataclass(frozen=True)
class CheckersPosition(Position):
    """Whose amplitude each square carries, its rank, and where the turn stands; all is public."""

    owners: tuple[int | None, ...] = (None,) * 32
    """The piece (0 to 23) that may be on each square, square 1 first."""
    kings: frozenset[int] = frozenset()
    """The squares whose branch is a king."""
    chain: tuple[int, int] | None = None
    """From where to where the capture under way must go on."""
    offered: bool = False
    """A draw is offered to the seat to move."""
    declined: bool = False
    """The seat to move has offered a draw this turn, and was declined."""
    quiet: int = 0
    """Plies since the last capture attempt, forced measurement or move of a man."""
    amplitudes: tuple[complex, ...] = field(default=(0j,) * 56, compare=False)
    """The amplitude of ``|1>`` on each wire, up to one phase a piece; read from ``state``."""

    @cached_property
    def chances(self) -> tuple[float, ...]:
        """The probability of finding each square occupied, square 1 first."""
        return tuple(abs(a) ** 2 for a in self.amplitudes[:32])

    def chance(self, square: int) -> float:
        """The probability of finding ``square`` occupied."""
        return self.chances[square - 1]

    def piece(self, square: int) -> int | None:
        """The piece that may be on ``square``."""
        return self.owners[square - 1]

    def side(self, square: int) -> int | None:
        """The seat whose piece may be on ``square``."""
        piece = self.owners[square - 1]
        return None if piece is None else SIDE[piece]

    def squares(self, piece: int) -> tuple[int, ...]:
        """The squares on which ``piece`` may be, ascending."""
        return tuple(s for s in SQUARES if self.owners[s - 1] == piece)

    def dead(self, piece: int) -> float:
        """The probability that ``piece`` lies in its grave."""
        return abs(self.amplitudes[grave(piece)]) ** 2

    def existence(self, seat: int) -> float:
        """How many pieces of ``seat`` there are, on average."""
        return sum(
            (
                p
                for p, o in zip(self.chances, self.owners, strict=True)
                if o is not None and SIDE[o] == seat
            ),
            0.0,
        )


class QuantumCheckers(Game):
    """Checkers whose men may move and stay at once; a capture looks, and looking decides."""

    key = "quantum_checkers"
    title = "Quantum checkers"
    subtitle = "pieces on several squares at once"
    secretive = False
    wires = QuantumRegister(56, "sq")
    wire_labels = (*map(str, SQUARES), *(f"†{home}" for home in HOMES))
    options: ClassVar[Mapping[str, Option]] = {
        "capture_rule": Option(
            "as_published",
            ("as_published", "projective", "cat"),
            "what a capture does to the other squares of a piece that was hit",
        ),
        "interference": Option(
            True, (True, False), "a quantum move onto its own half-filled square interferes"
        ),
        "chain_optional": Option(False, (False, True), "a chain of captures may be stopped"),
        "blocked": Option("loses", ("loses", "draw"), "what becomes of a side that cannot move"),
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.cat = self.option["capture_rule"] == "cat"

    def seat_name(self, seat: int) -> str:
        """White or Black."""
        return SIDES[seat]

    # ---- setting up --------------------------------------------------------------------------

    def preparation(self) -> QuantumCircuit:
        """X on the 24 start squares."""
        qc = self.circuit()
        qc.x([home - 1 for home in HOMES])
        return qc

    def start(self) -> CheckersPosition:
        """Twelve men a side, all certain."""
        state = QuantumState.zeros(self.wires.size).follow(self.preparation(), ())
        owners: list[int | None] = [None] * len(SQUARES)
        for piece, home in enumerate(HOMES):
            owners[home - 1] = piece
        return CheckersPosition(
            state, to_move=WHITE, owners=tuple(owners), amplitudes=amplitudes(state)
        )

    # ---- what is legal -----------------------------------------------------------------------

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """A square that can capture must; every other own square may move or move by halves."""
        assert isinstance(position, CheckersPosition)
        if position.to_move is None:
            return ()
        if position.offered:
            return (ACCEPT, DECLINE)
        if position.chain:
            jump = Move("jump", position.chain)
            return (jump, STOP) if self.option["chain_optional"] else (jump,)
        moves: list[Move] = []
        for square in _own_squares(position):
            moves += _jumps(position, square) or _plain_moves(position, square)
        return tuple(moves)

    def captures(self, position: CheckersPosition) -> tuple[Move, ...]:
        """The legal captures of the seat to move."""
        if position.chain:
            return (Move("jump", position.chain),)
        squares = _own_squares(position)
        return tuple(jump for square in squares for jump in _jumps(position, square))

    def unlisted(self, position: Position) -> tuple[Move, ...]:
        """A draw may be offered once a turn, though not in the middle of a chain."""
        assert isinstance(position, CheckersPosition)
        busy = position.offered or position.declined or position.chain or position.to_move is None
        return () if busy else (OFFER,)

    def why_illegal(self, position: Position, move: Move) -> str:
        """What stands against ``move``: spelling, turn, squares, or the duty to capture."""
        assert isinstance(position, CheckersPosition)
        if move.verb not in VERBS:
            return f"unknown verb {move.verb!r}, expected one of {' '.join(VERBS)}"
        if move.verb in (*STEPS, "jump"):
            if len(move.args) != 2 or not all(a in SQUARES for a in move.args):
                return f"{move.verb} takes two squares from 1 to 32"
        elif move.args:
            return f"{move.verb} takes no squares"
        if position.offered:
            return "a draw is offered, expected 'accept' or 'decline'"
        if position.chain:
            stop = " or 'stop'" if self.option["chain_optional"] else ""
            return f"the capture goes on, expected 'jump {_spaced(position.chain)}'{stop}"
        if move in TALK:
            return _why_no_talk(move)
        return _why_no_step(position, move.verb, int(move.args[0]), int(move.args[1]))

    # ---- the circuit of a move ---------------------------------------------------------------

    def fragment(self, position: Position, move: Move) -> QuantumCircuit:
        """iSWAP, its root, or a capture; under ``if_test`` where something is measured first."""
        assert isinstance(position, CheckersPosition)
        qc = self.circuit()
        if move in TALK:
            return qc
        start, end = int(move.args[0]), int(move.args[1])
        if move.verb == "jump":
            self._capture(qc, position, start, between(start, end), end)
            return qc
        gate = _hop(CLASSICAL if move.verb == "move" else QUANTUM)
        if not self.is_forced(position, move):
            qc.append(gate, [start - 1, end - 1])
            return qc
        found = ClassicalRegister(1, "f")
        qc.add_register(found)
        qc.measure(end - 1, found)
        with qc.if_test((found, 0)):
            qc.append(gate, [start - 1, end - 1])
        return qc

    def is_forced(self, position: Position, move: Move) -> bool:
        """Whether a move or quantum move measures its target: somebody may be there (4.1, 4.2).

        A quantum move onto a square of the same piece and rank interferes instead, if that is on.
        """
        assert isinstance(position, CheckersPosition)
        if move.verb not in STEPS:
            return False
        start, end = int(move.args[0]), int(move.args[1])
        if position.piece(end) is None:
            return False
        alike = position.piece(start) == position.piece(end) and (start in position.kings) == (
            end in position.kings
        )
        return not (move.verb == "quantum" and self.option["interference"] and alike)

    def _capture(
        self, qc: QuantumCircuit, position: CheckersPosition, start: int, victim: int, end: int
    ) -> None:
        """Measure attacker, victim and landing square (not the victim under ``cat``), then jump."""
        measured = (start, end) if self.cat else (start, victim, end)
        found = ClassicalRegister(len(measured), "cap")
        qc.add_register(found)
        qc.measure([square - 1 for square in measured], found)
        with qc.if_test((found, 0b01 if self.cat else 0b011)):
            qc.swap(start - 1, end - 1)
            self._remove(qc, position, victim, end)

    def _remove(
        self, qc: QuantumCircuit, position: CheckersPosition, victim: int, end: int
    ) -> None:
        """Take the victim off its square as the capture rule says."""
        piece = position.piece(victim)
        assert piece is not None
        if self.option["capture_rule"] == "projective":
            qc.x(victim - 1)
        elif self.cat and position.dead(piece) > NOTHING:
            living, dead = position.amplitudes[victim - 1], position.amplitudes[grave(piece)]
            qc.append(_transfer(living, dead), [victim - 1, grave(piece)])
        else:
            qc.swap(victim - 1, grave(piece))
            if not self.cat:
                _restore(qc, position, piece, victim, end)

    # ---- what follows ------------------------------------------------------------------------

    def after(
        self, position: Position, move: Move, state: QuantumState, outcome: Mapping[str, str]
    ) -> CheckersPosition:
        """Owners and ranks follow the branch that moved; then chain, end, or the other side."""
        assert isinstance(position, CheckersPosition)
        state, now = _swept(state, position)
        return self.settled(position, move, state, now, outcome)

    def settled(
        self,
        position: CheckersPosition,
        move: Move,
        state: QuantumState,
        now: tuple[complex, ...],
        outcome: Mapping[str, str],
    ) -> CheckersPosition:
        """``after`` for amplitudes ``now``, read from ``state`` or worked out without it."""
        if move in TALK:
            return self._talked(position, move)
        seat = position.to_move
        assert seat is not None
        start, end = int(move.args[0]), int(move.args[1])
        moved = not outcome or outcome.get("f") == "0" or outcome.get("cap") in ("110", "10")
        calm = move.verb != "jump" and not outcome and start in position.kings
        owners, kings = list(position.owners), set(position.kings)
        if moved:
            owners[end - 1] = owners[start - 1]
            kings -= {end}
            if start in position.kings or end in FAR_ROW[seat]:
                kings |= {end}
        for square in SQUARES:
            if abs(now[square - 1]) ** 2 < NOTHING:
                owners[square - 1] = None
                kings.discard(square)
        played = CheckersPosition(
            state,
            to_move=seat,
            owners=tuple(owners),
            kings=frozenset(kings),
            quiet=position.quiet + 1 if calm else 0,
            amplitudes=now,
        )
        crowned = end in kings and start not in position.kings
        if move.verb == "jump" and moved and not crowned:
            played = replace(played, chain=_further(played, start, end))
        return played if played.chain else self._handed_over(played)

    def _talked(self, position: CheckersPosition, move: Move) -> CheckersPosition:
        """An offer passes the word to the other side, the answer passes it back."""
        seat = position.to_move
        assert seat is not None
        if move == ACCEPT:
            return _ended(replace(position, offered=False), None, "draw agreed")
        if move == STOP:
            return self._handed_over(replace(position, chain=None))
        return replace(position, to_move=1 - seat, offered=move == OFFER, declined=move == DECLINE)

    def _handed_over(self, position: CheckersPosition) -> CheckersPosition:
        """The turn has ended: all gone, the other side blocked, no progress for long, or go on."""
        assert position.to_move is not None
        mover, other = position.to_move, 1 - position.to_move
        alive = [any(SIDE[o] == seat for o in position.owners if o is not None) for seat in (0, 1)]
        if not all(alive):
            winner = None if not any(alive) else int(alive[BLACK])
            return _ended(position, winner, "all pieces are gone")
        position = replace(position, to_move=other)
        if not _can_act(position):
            winner = mover if self.option["blocked"] == "loses" else None
            return _ended(position, winner, f"{SIDES[other]} cannot move")
        if position.quiet >= QUIET_PLIES:
            return _ended(position, None, "40 moves of each side without progress")
        return position


# ---- legality -----------------------------------------------------------------------------------


def between(start: int, end: int) -> int:
    """The square that a jump from ``start`` to ``end`` passes over."""
    return next(near for near, far in NEIGHBOURS[start].values() if far == end)


def _own_squares(position: CheckersPosition) -> Iterator[int]:
    for square, owner in enumerate(position.owners, 1):
        if owner is not None and SIDE[owner] == position.to_move:
            yield square


def _ways(position: CheckersPosition, square: int) -> tuple[tuple[Direction, int, int | None], ...]:
    """(direction, next square, the one behind it) for each way the branch on ``square`` may go."""
    seat = position.side(square)
    assert seat is not None
    return WAYS[seat, square in position.kings][square]


def _captures(position: CheckersPosition, square: int) -> Iterator[tuple[Direction, int]]:
    """(direction, landing square) of each possible capture: perhaps an enemy, and room behind."""
    enemy = _enemy(position, square)
    for direction, near, far in _ways(position, square):
        if far is not None and position.side(near) == enemy and not is_sure(position, far):
            yield direction, far


def _jumps(position: CheckersPosition, square: int) -> list[Move]:
    return [Move("jump", (square, landing)) for _, landing in _captures(position, square)]


def _enemy(position: CheckersPosition, square: int) -> int | None:
    side = position.side(square)
    return None if side is None else 1 - side


def is_sure(position: CheckersPosition, square: int) -> bool:
    """Whether a piece is on ``square`` with certainty."""
    return position.chances[square - 1] > 1 - NOTHING


def _plain_moves(position: CheckersPosition, square: int) -> Iterator[Move]:
    for _, near, _ in _ways(position, square):
        if not is_sure(position, near):
            yield Move("move", (square, near))
            if not _too_wide(position, square, near):
                yield Move("quantum", (square, near))


def _too_wide(position: CheckersPosition, start: int, end: int) -> bool:
    """Whether a quantum move would spread its piece over more squares than one vector can hold."""
    piece = position.owners[start - 1]
    if position.owners[end - 1] == piece:
        return False
    return position.owners.count(piece) >= MOST_SQUARES


def _can_act(position: CheckersPosition) -> bool:
    """Whether the seat to move has any move: a capture, or a step to a square that is not sure."""
    return any(
        not is_sure(position, near) or any(_captures(position, square))
        for square in _own_squares(position)
        for _, near, _ in _ways(position, square)
    )


def _further(position: CheckersPosition, start: int, end: int) -> tuple[int, int] | None:
    """The next jump of a chain, which keeps its direction."""
    (row, column), (to_row, to_column) = place(start), place(end)
    onward = ((to_row - row) // 2, (to_column - column) // 2)
    landings = [far for direction, far in _captures(position, end) if direction == onward]
    return (end, landings[0]) if landings else None


def _why_no_talk(move: Move) -> str:
    if move == OFFER:
        return "a draw was declined this turn"
    if move == STOP:
        return "no chain of captures is under way"
    return "no draw is offered"


def _why_no_step(position: CheckersPosition, verb: str, start: int, end: int) -> str:
    """Why a step or jump that is well written is not legal."""
    seat = position.to_move
    assert seat is not None
    if position.side(start) is None:
        return f"square {start} is empty"
    if position.side(start) != seat:
        return f"the piece on square {start} is not {SIDES[seat]}'s"
    captures = [(start, far) for _, far in _captures(position, start)]
    if captures and (verb != "jump" or (start, end) not in captures):
        expected = " or ".join(f"'jump {_spaced(jump)}'" for jump in captures)
        return f"square {start} can capture, so it must: expected {expected}"
    rank = "king" if start in position.kings else "man"
    ways = list(_ways(position, start))
    if verb == "jump":
        return _why_no_jump(position, start, end, rank)
    if end not in [near for _, near, _ in ways]:
        reach = " or ".join(str(near) for _, near, _ in ways)
        return f"a {rank} on square {start} moves to {reach}"
    if is_sure(position, end):
        return f"square {end} is surely occupied"
    return (
        f"the piece on square {start} stands on {MOST_SQUARES} squares already, "
        "the most that one exact vector can follow"
    )


def _why_no_jump(position: CheckersPosition, start: int, end: int, rank: str) -> str:
    """The square passed over and the landing square decide whether there is anything to capture."""
    jumps = {far: near for _, near, far in _ways(position, start) if far is not None}
    if end not in jumps:
        reach = " or ".join(map(str, jumps)) or "no square"
        return f"a {rank} on square {start} jumps to {reach}"
    if position.side(jumps[end]) != _enemy(position, start):
        return f"no enemy may be on square {jumps[end]}"
    return f"square {end} is surely occupied"


def _spaced(squares: Sequence[int]) -> str:
    return " ".join(map(str, squares))


# ---- gates --------------------------------------------------------------------------------------


def _hop(angle: float) -> XXPlusYYGate:
    return XXPlusYYGate(angle, label=GATE_NAMES[angle])


def _transfer(living: complex, dead: complex) -> XXPlusYYGate:
    """T: from (victim's square, grave), all into a grave that is not empty."""
    theta = 2 * np.arctan2(abs(living), abs(dead))
    beta = float(np.angle(dead) - np.angle(living) + np.pi / 2)
    return XXPlusYYGate(theta, beta, label="T")


def _restore(
    qc: QuantumCircuit, position: CheckersPosition, piece: int, victim: int, end: int
) -> None:
    """R: give the other squares of a dead piece the amplitudes they had before the capture (6b).

    If the piece might have been on the landing square, found empty, the others have grown.
    """
    grown = 1.0
    if position.piece(end) == piece:
        grown = 1 / np.sqrt(1 - position.chance(end))
    left = 1.0
    for square in position.squares(piece):
        if square not in (victim, end):
            b = position.amplitudes[square - 1] * grown
            theta = 2 * np.arcsin(min(1.0, abs(b) / left))
            beta = float(np.angle(b)) + np.pi / 2
            qc.append(XXPlusYYGate(theta, beta, label="R"), [grave(piece), square - 1])
            left = float(np.sqrt(max(left**2 - abs(b) ** 2, NOTHING)))


# ---- reading the state --------------------------------------------------------------------------


def amplitudes(state: QuantumState, before: CheckersPosition | None = None) -> tuple[complex, ...]:
    """The amplitude of ``|1>`` on each wire; in a piece's cluster, that of this wire alone.

    Clusters that are those of the position ``before`` are not read again.
    """
    found = [0j] * state.wires if before is None else list(before.amplitudes)
    for wires in state.clusters:
        cluster = state.cluster(wires[0])
        if before is None or before.state.cluster(wires[0]) is not cluster:
            for n, wire in enumerate(wires):
                found[wire] = complex(cluster.vectors[0, 1 << n])
    return tuple(found)


def _swept(
    state: QuantumState, before: CheckersPosition
) -> tuple[QuantumState, tuple[complex, ...]]:
    """The state without weights below 1e-9 (the rest renormalised), and its amplitudes."""
    now = amplitudes(state, before)
    crumbs = [
        wire
        for wires in state.clusters
        if len(wires) > 1
        for wire in wires
        if abs(now[wire]) ** 2 < NOTHING
    ]
    if not crumbs:
        return state, now
    look = QuantumCircuit(QuantumRegister(state.wires, "sq"), ClassicalRegister(len(crumbs), "c"))
    look.measure(crumbs, range(len(crumbs)))
    clean = state.follow(look, (("c", "0" * len(crumbs)),))
    return clean, amplitudes(clean)


def _ended(position: CheckersPosition, winner: int | None, reason: str) -> CheckersPosition:
    points = (0.5, 0.5) if winner is None else (1.0 - winner, float(winner))
    return replace(position, to_move=None, chain=None, result=Result(winner, reason, points))
