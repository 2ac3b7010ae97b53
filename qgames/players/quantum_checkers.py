"""Computer players of quantum checkers: both weigh a move's outcomes by their exact odds.

``greedy`` looks at its own move only and counts existence: a piece that is there with probability
1/2 is worth half a piece. ``search`` looks two plies ahead and then plays out captures, since they
decide; a chain is played to its end.

The look-ahead keeps the sheet's own representation, amplitudes piece by piece (section 2.1). That
is exact, because the state is always a product of pieces, and it spares a vector for each of
thousands of positions. Legality, ranks, chains and results are the rules' own
(`QuantumCheckers.settled`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from random import Random

from qgames.core import Move, View
from qgames.games.quantum_checkers import (
    NOTHING,
    SIDE,
    STEPS,
    TALK,
    CheckersPosition,
    QuantumCheckers,
    between,
    grave,
    place,
)
from qgames.players.general import Player, best, choices

PLIES = 2
CAPTURES = 2
"""Plies of captures that are played out after the others."""
MOVES_SEEN = 3000
"""Moves looked at before captures are no longer played out: keeps any move well under 2 s."""

Amplitudes = tuple[complex, ...]

# ---- what a move may lead to, exactly ------------------------------------------------------------


@dataclass(frozen=True)
class End:
    """One outcome of a move: its chance, what is read, and the amplitude of each wire then."""

    chance: float
    outcome: Mapping[str, str]
    now: Amplitudes


def ends(game: QuantumCheckers, position: CheckersPosition, move: Move) -> Iterator[End]:
    """Every outcome of ``move``."""
    if move in TALK:
        yield End(1.0, {}, position.amplitudes)
        return
    start, end = int(move.args[0]), int(move.args[1])
    if move.verb == "jump":
        yield from _captured(game, position, start, end)
    elif not game.is_forced(position, move):
        yield End(1.0, {}, _hopped(position.amplitudes, move))
    else:
        for bit, chance, now in _looked(position, position.amplitudes, end):
            # after a quantum move that finds its target empty, or any plain one, the gate acts
            yield End(chance, {"f": str(bit)}, now if bit else _hopped(now, move))


def _hopped(now: Amplitudes, move: Move) -> Amplitudes:
    """The two squares after iSWAP or its root (4.1, 4.2)."""
    start, end = int(move.args[0]) - 1, int(move.args[1]) - 1
    a, b = now[start], now[end]
    after = list(now)
    if move.verb == STEPS[0]:
        after[start], after[end] = 1j * b, 1j * a
    else:
        after[start], after[end] = (a + 1j * b) / sqrt(2), (1j * a + b) / sqrt(2)
    return tuple(after)


def _wires(position: CheckersPosition, piece: int) -> list[int]:
    """The wires that may hold a piece: its squares, then its grave."""
    return [w for w, owner in enumerate(position.owners) if owner == piece] + [grave(piece)]


def _looked(
    position: CheckersPosition, now: Amplitudes, square: int
) -> Iterator[tuple[int, float, Amplitudes]]:
    """Measure a square: (bit, chance, amplitudes then) of each reading that is possible."""
    piece = position.owners[square - 1]
    found = abs(now[square - 1]) ** 2
    if piece is None or found < NOTHING:
        yield 0, 1.0, now
        return
    wires = _wires(position, piece)
    there, elsewhere = list(now), list(now)
    for wire in wires:
        there[wire] = 0j
        elsewhere[wire] = 0j if wire == square - 1 else now[wire] / sqrt(max(1 - found, NOTHING))
    there[square - 1] = 1 + 0j
    yield 1, found, tuple(there)
    if found < 1 - NOTHING:
        yield 0, 1 - found, tuple(elsewhere)


def _captured(
    game: QuantumCheckers, position: CheckersPosition, start: int, end: int
) -> Iterator[End]:
    """Attacker, victim and landing square are measured in this order (4.3)."""
    victim = between(start, end)
    trail: list[tuple[str, float, Amplitudes]] = [("", 1.0, position.amplitudes)]
    for square in (start, end) if game.cat else (start, victim, end):
        trail = [
            (bits + str(bit), chance * likely, after)
            for bits, chance, now in trail
            for bit, likely, after in _looked(position, now, square)
        ]
    for bits, chance, now in trail:
        hit = bits in ("110", "10")
        after = _taken(game, position, now, (start, victim, end)) if hit else now
        yield End(chance, {"cap": bits}, after)


def _taken(
    game: QuantumCheckers, position: CheckersPosition, now: Amplitudes, line: tuple[int, int, int]
) -> Amplitudes:
    """The attacker lands, and its victim loses its square as the capture rule says."""
    start, victim, end = (square - 1 for square in line)
    piece = position.owners[victim]
    assert piece is not None
    after = list(now)
    after[start], after[end] = 0j, 1 + 0j
    if game.option["capture_rule"] == "as_published":
        grown = 1.0
        if position.owners[end] == piece:
            grown = 1 / sqrt(1 - position.chances[end])
        for wire in _wires(position, piece):
            if wire != end:
                after[wire] = position.amplitudes[wire] * grown
    after[grave(piece)] = complex(sqrt(abs(after[grave(piece)]) ** 2 + abs(after[victim]) ** 2))
    if game.option["capture_rule"] == "projective":
        after[grave(piece)] = 0j
    after[victim] = 0j
    return tuple(after)


def lots(
    game: QuantumCheckers, position: CheckersPosition, move: Move
) -> list[tuple[float, CheckersPosition]]:
    """(chance, position) of each outcome of ``move``; their ``state`` is not kept up to date."""
    return [
        (end.chance, game.settled(position, move, position.state, end.now, end.outcome))
        for end in ends(game, position, move)
    ]


# ---- how good a position is ----------------------------------------------------------------------

KING = 1.6
WIN = 100.0


def material(position: CheckersPosition, seat: int) -> float:
    """Existence of own men and kings minus that of the other side's."""
    total = 0.0
    for square, owner in enumerate(position.owners, 1):
        if owner is not None:
            worth = position.chances[square - 1] * (KING if square in position.kings else 1.0)
            total += worth if SIDE[owner] == seat else -worth
    return total


def outlook(position: CheckersPosition, seat: int) -> float:
    """Material, men on their way, trades when ahead, and closeness to the prey at the end."""
    both = [0.0, 0.0]
    kings, chances = position.kings, position.chances
    for n, owner in enumerate(position.owners):
        if owner is not None:
            side = SIDE[owner]
            both[side] += chances[n] * VALUES[n + 1 in kings, side][n]
    ahead = both[seat] - both[1 - seat]
    return ahead + 2.0 * ahead / max(sum(both), NOTHING) - _apart(position, seat, ahead)


def _values(king: bool, side: int) -> tuple[float, ...]:
    """The worth of a man or king on each square: men gain as they advance, the home row guards."""
    found = []
    for square in range(1, 33):
        row, column = place(square)
        way = row if side else 7 - row
        centre = 0.02 * (3.5 - max(abs(row - 3.5), abs(column - 3.5)))
        guard = 0.08 if way == 0 else 0.0
        found.append(KING + centre if king else 1.0 + 0.03 * way + guard + centre / 2)
    return tuple(found)


FEW = 14
"""Squares in use from which on the end has begun."""
VALUES = {(king, side): _values(king, side) for king in (False, True) for side in (0, 1)}


def _apart(position: CheckersPosition, seat: int, ahead: float) -> float:
    """How far the side that is ahead stands from its prey; counts once few pieces are left."""
    if 32 - position.owners.count(None) > FEW:
        return 0.0
    places: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for square, owner in enumerate(position.owners, 1):
        if owner is not None:
            places[SIDE[owner]].append(place(square))
    if not places[0] or not places[1]:
        return 0.0
    hunters, prey = places[seat if ahead > 0 else 1 - seat], places[1 - seat if ahead > 0 else seat]
    far = sum(min(max(abs(r - s), abs(c - d)) for r, c in hunters) for s, d in prey) / len(prey)
    return 0.03 * far if ahead > 0 else -0.03 * far


def _final(position: CheckersPosition, seat: int) -> float:
    assert position.result is not None
    if position.result.winner is None:
        return 0.0
    return WIN if position.result.winner == seat else -WIN


# ---- players -------------------------------------------------------------------------------------


def greedy(view: View, rng: Random) -> Move:
    """The move after which most is left of its own pieces and least of the others', on average."""
    game, position, seat = _asked(view)

    def value(move: Move) -> float:
        """The material that is left on average, or more than any for a win."""
        return sum(
            chance * (material(after, seat) if after.result is None else _final(after, seat))
            for chance, after in lots(game, position, move)
        )

    return best({move: value(move) for move in choices(view)}, rng)


def search(view: View, rng: Random) -> Move:
    """Expectimax with exact odds: two plies, then captures."""
    game, position, seat = _asked(view)
    moves = choices(view)
    if len(moves) == 1:
        return moves[0]
    return best(Search(game, seat).values(position, moves), rng)


def _asked(view: View) -> tuple[QuantumCheckers, CheckersPosition, int]:
    assert isinstance(view.game, QuantumCheckers)
    assert isinstance(view.position, CheckersPosition)
    assert view.seat is not None
    return view.game, view.position, view.seat


class Search:
    """Expectimax for one seat: it takes the best, the other side the worst, outcomes are averaged.

    Moves without a measurement are cut off by alpha and beta; those with several outcomes are
    looked at in full.
    """

    def __init__(self, game: QuantumCheckers, seat: int) -> None:
        self.game = game
        self.seat = seat
        self.seen = 0

    def values(self, position: CheckersPosition, moves: Sequence[Move]) -> dict[Move, float]:
        """The value of each move; one that is worse than the best may be given too high a value."""
        found: dict[Move, float] = {}
        first = {move: self.after(position, move, -CAPTURES, -inf, inf) for move in moves}
        for move in sorted(moves, key=lambda m: -first[m]):
            # a little below the best, so that no bound is taken for an equal value
            floor = max(found.values(), default=-inf) - 1e-6
            found[move] = self.after(position, move, PLIES - 1, floor, inf)
        return found

    def after(
        self, position: CheckersPosition, move: Move, plies: int, low: float, high: float
    ) -> float:
        """The value of a move with ``plies`` to look ahead after it; exact between low and high."""
        self.seen += 1
        found = lots(self.game, position, move)
        if len(found) > 1:
            low, high = -inf, inf
        return sum(chance * self.value(then, plies, low, high) for chance, then in found)

    def value(self, position: CheckersPosition, plies: int, low: float, high: float) -> float:
        """The value of a position; from 0 plies on only captures are looked at."""
        if position.result is not None:
            return _final(position, self.seat)
        if position.chain:
            plies += 1  # the same side goes on
        if plies <= -CAPTURES or (plies <= 0 and self.seen > MOVES_SEEN):
            return outlook(position, self.seat)
        mine = position.to_move == self.seat
        found = -inf if mine else inf
        if plies > 0 or position.offered:
            moves = self.game.legal_moves(position)
        else:
            moves = self.game.captures(position)
            if not position.chain or self.game.option["chain_optional"]:
                found = outlook(position, self.seat)  # captures are optional
                low, high = (max(low, found), high) if mine else (low, min(high, found))
        for move in sorted(moves, key=_captures_first):
            if low >= high:
                break
            if mine:
                found = max(found, self.after(position, move, plies - 1, low, high))
                low = max(low, found)
            else:
                found = min(found, self.after(position, move, plies - 1, low, high))
                high = min(high, found)
        return found


def _captures_first(move: Move) -> bool:
    return move.verb != "jump"


PLAYERS: Mapping[str, Player] = {"greedy": greedy, "search": search}
