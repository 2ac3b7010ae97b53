"""Computer players of QLANET: both weigh outcomes by the exact odds of what their own seat knows.

``greedy`` looks at its own card only: planets won, planets made sure, and what the card costs.
``search`` looks two cards ahead, whoever plays them: the smaller total moves, so one seat may well
play twice (H, then M). It also counts lines and who holds an M. It trusts what it foresees only by
half, since cards yet to be drawn will change it.

Two things are left out of the look-ahead: a card that dice will draw is not counted on, and what
the rival alone has read (its own Bell measurements) stays open, as the viewer's belief has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import tanh
from random import Random

from qgames.core import Move, View
from qgames.games.qlanet import LINES, MAJORITY, PLANETS, Qlanet, QlanetPosition
from qgames.players.general import SAME, Player, best, choices
from qgames.players.tableau import X_ON, Z_ON, Tableau

WIDTHS = (8,)
"""How many moves are looked into at each card but the last, whose moves are all judged at once."""
TRUST = 0.5
"""What the best card that follows counts for in the value of a move; the rest is its own worth."""

# ---- positions ahead -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Ahead:
    """A position in the look-ahead: what the viewer would believe, and the classical fields.

    ``position.state`` is not kept up to date: ``belief`` stands for it.
    """

    position: QlanetPosition
    belief: Tableau

    @classmethod
    def of(cls, view: View) -> Ahead:
        """Where a look-ahead starts: what the viewer knows."""
        assert isinstance(view.position, QlanetPosition)
        return cls(view.position, Tableau.of(view.belief))


Lot = tuple[tuple[float, Ahead], ...]
"""What a move may lead to: (chance, position) pairs."""


@lru_cache(maxsize=2**15)
def effects(belief: Tableau, move: Move, own: bool) -> tuple[tuple[float, str, Tableau], ...]:
    """(chance, bits of ``fixed``, belief after) for each outcome of a card.

    A Bell measurement that is not one's ``own`` has one outcome: its bits stay unread.
    """
    wires = [int(planet) - 1 for planet in move.args]
    if move.verb == "m":
        read = belief.measured(Z_ON[wires[0]])
        return tuple((chance, str(bit), after) for chance, bit, after in read)
    if move.verb != "bm":
        return ((1.0, "", _GATES[move.verb](belief, *wires)),)
    a, b = wires
    signs, parity = X_ON[a] | X_ON[b], Z_ON[a] | Z_ON[b]
    if not own:
        return ((1.0, "", belief.dephased(signs).dephased(parity)),)
    return tuple(
        (first * second, "", after)
        for first, _, between in belief.measured(signs)
        for second, _, after in between.measured(parity)
    )


_GATES: Mapping[str, Callable[..., Tableau]] = {
    "x": Tableau.x,
    "h": Tableau.h,
    "z": Tableau.z,
    "cx0": lambda belief, control, target: belief.x(control).cx(control, target).x(control),
    "cx1": Tableau.cx,
    "sw": Tableau.swap,
}


class Foresight:
    """What cards lead to, from a view's position on, as far as its seat can know."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        self.seat = view.seat
        # nothing is drawn ahead: with every card at hand the rules leave the hands alone
        self.rules = Qlanet(**{**view.game.option, "hands": "any"})
        self.draws = view.game.option["hands"] == "drawn"

    def lots(self, ahead: Ahead) -> Iterator[tuple[Move, Lot]]:
        """Each card that can be played with what it may lead to; of equal lots only the first."""
        known: dict[tuple[object, ...], QlanetPosition] = {}
        seen = set()
        mine = ahead.position.to_move == self.seat
        for move in self.rules.legal_moves(ahead.position):
            found = effects(ahead.belief, move, mine) if move.verb != "redraw" else ()
            same = (move.args if move.verb == "m" else move.verb, *[after for _, _, after in found])
            if found and same not in seen:
                seen.add(same)
                yield (
                    move,
                    tuple(
                        [
                            (c, self._ahead(ahead.position, move, bit, b, known))
                            for c, bit, b in found
                        ]
                    ),
                )

    def _ahead(
        self,
        position: QlanetPosition,
        move: Move,
        fixed: str,
        belief: Tableau,
        known: dict[tuple[object, ...], QlanetPosition],
    ) -> Ahead:
        """One outcome; cards of a kind leave the same classical fields, but for the planet of M."""
        key = (*move.args, fixed) if fixed else (move.verb,)
        if key not in known:
            if self.draws:
                position = _without(position, move.verb)
            known[key] = self.rules.after(position, move, position.state, {"fixed": fixed})
        return Ahead(known[key], belief)


def _without(position: QlanetPosition, card: str) -> QlanetPosition:
    """The position with one ``card`` gone from the mover's hand."""
    seat = position.to_move or 0
    hand = list(position.hands[seat])
    hand.remove(card)
    hands = (tuple(hand), position.hands[1]) if seat == 0 else (position.hands[0], tuple(hand))
    return replace(position, hands=hands)


# ---- how good a position is ----------------------------------------------------------------------

# Weights of sums that go through tanh, tuned by some thousand matches between these players.
SURE, LEAN = 0.15, 0.02
WON, COST = 0.5, 0.04  # of greedy
FIXED, LINE, HOLDS_M, STRIKE, THREAT = 0.35, 0.75, 0.25, 1.5, 0.45  # of search

# How far a planet is a side's own, for its share in a line: fixed 1, lost 0, else
# EVEN + SURELY <Z> + LEANING <X>, seen from that side.
EVEN, SURELY, LEANING = 0.4, 0.25, 0.08


@lru_cache(maxsize=2**15)
def free_planets(belief: Tableau, fixed: tuple[int | None, ...]) -> float:
    """Sure and leaning planets of side 0 over those of side 1, fixed ones apart."""
    free = [bloch for bloch, side in zip(belief.bloch, fixed, strict=True) if side is None]
    return SURE * sum([z for z, _ in free]) + LEAN * sum([x for _, x in free])


@lru_cache(maxsize=2**15)
def lines(belief: Tableau, fixed: tuple[int | None, ...]) -> float:
    """How far the lines are side 0's own, over how far they are side 1's."""
    mine, theirs = [], []
    for (z, x), side in zip(belief.bloch, fixed, strict=True):
        lean = SURELY * z + LEANING * x
        mine.append(EVEN + lean if side is None else 1.0 - side)
        theirs.append(EVEN - lean if side is None else float(side))
    return sum(
        [mine[i] * mine[j] * mine[k] - theirs[i] * theirs[j] * theirs[k] for i, j, k in _LINES]
    )


_LINES = tuple((i - 1, j - 1, k - 1) for i, j, k in LINES)


def strike(ahead: Ahead, seat: int) -> float:
    """The chance to win at once with an M in hand; 0 without one."""
    if "m" not in ahead.position.hands[seat]:
        return 0.0
    wires = winning_wires(ahead.position.fixed, seat)
    if not wires:
        return 0.0
    bloch = ahead.belief.bloch
    return max([(1 + (1 - 2 * seat) * bloch[w][0]) / 2 for w in wires])


@lru_cache(maxsize=2**15)
def winning_wires(fixed: tuple[int | None, ...], seat: int) -> tuple[int, ...]:
    """Wires that would win if they became the seat's: the last of a line, or the fifth planet."""
    free = [w for w in range(len(PLANETS)) if fixed[w] is None]
    if fixed.count(seat) == MAJORITY - 1:
        return tuple(free)
    held = {w for w, side in enumerate(fixed) if side == seat}
    return tuple(w for w in free if any(w in line and {*line} - {w} <= held for line in _LINES))


def decided(position: QlanetPosition, seat: int) -> float | None:
    """1 for a win of ``seat``, -1 for a loss, 0 for a draw, None while the match runs."""
    if position.result is None:
        return None
    return 2 * position.result.points[seat] - 1.0


def planets(ahead: Ahead, seat: int) -> float:
    """What greedy wants: a win, fixed planets, sure planets, and cheap cards."""
    result = decided(ahead.position, seat)
    if result is not None:
        return result
    position, rival = ahead.position, 1 - seat
    total = (1 - 2 * seat) * free_planets(ahead.belief, position.fixed)
    total += WON * (position.fixed.count(seat) - position.fixed.count(rival))
    total += COST * (position.totals[rival] - position.totals[seat])
    return 0.99 * tanh(total)


def worth(ahead: Ahead, seat: int) -> float:
    """What search wants, from -1 to 1; only a result is worth 1 or -1.

    Planets, lines, an M in hand and the chance to win with it; costs show in who is to move.
    """
    result = decided(ahead.position, seat)
    if result is not None:
        return result
    position, total = ahead.position, 0.0
    for side in (0, 1):
        weight = STRIKE if position.to_move == side else THREAT
        gain = FIXED * position.fixed.count(side) + weight * strike(ahead, side) ** 2
        gain += HOLDS_M * ("m" in position.hands[side])
        total += gain if side == 0 else -gain
    total += free_planets(ahead.belief, position.fixed)
    total += LINE * lines(ahead.belief, position.fixed)
    return 0.99 * tanh(total if seat == 0 else -total)


# ---- the players ---------------------------------------------------------------------------------


def greedy(view: View, rng: Random) -> Move:
    """The card that leaves most planets for its cost, its outcomes weighed by their odds."""
    moves = choices(view)
    if len(moves) == 1:
        return moves[0]
    foresight = Foresight(view)
    return best(
        {
            move: sum(chance * planets(after, foresight.seat) for chance, after in lot)
            for move, lot in foresight.lots(Ahead.of(view))
        },
        rng,
    )


def search(view: View, rng: Random) -> Move:
    """The card that leaves most after the best cards that follow it, weighed by their odds."""
    moves = choices(view)
    if len(moves) == 1:
        return moves[0]
    return best(_Expectimax(view).values(Ahead.of(view), 0), rng)


class _Expectimax:
    """Moves of the viewer take the highest value, the rival's the lowest, outcomes their mean."""

    def __init__(self, view: View) -> None:
        self.foresight = Foresight(view)
        self.seat = self.foresight.seat

    def values(self, ahead: Ahead, depth: int) -> dict[Move, float]:
        """The values of the moves looked into after ``depth`` cards, the most promising first."""
        lots = dict(self.foresight.lots(ahead))
        values = {
            move: sum(chance * worth(after, self.seat) for chance, after in lot)
            for move, lot in lots.items()
        }
        if depth == len(WIDTHS):
            return values
        sign = 1 if ahead.position.to_move == self.seat else -1
        looked: dict[Move, float] = {}
        for move in sorted(values, key=lambda move: -sign * values[move]):
            top = max([sign * value for value in looked.values()], default=-1.0)
            if top > 1 - SAME or (len(looked) >= WIDTHS[depth] and top > SAME - 1):
                break  # a sure win; or wide enough, and not all of them lose for sure
            foreseen = sum(c * self.value(after, depth + 1) for c, after in lots[move])
            looked[move] = _trusted(foreseen, values[move])
        return looked

    def value(self, ahead: Ahead, depth: int) -> float:
        """What a position is worth after the best card of the seat to move."""
        if ahead.position.result is not None:
            return worth(ahead, self.seat)
        values = self.values(ahead, depth).values()
        if not values:
            return worth(ahead, self.seat)  # nothing but a redraw
        return max(values) if ahead.position.to_move == self.seat else min(values)


def _trusted(foreseen: float, worth_now: float) -> float:
    """A mean by `TRUST`; a sure win and a sure loss stay what they are."""
    if abs(foreseen) > 1 - SAME:
        return foreseen
    return TRUST * foreseen + (1 - TRUST) * worth_now


PLAYERS: Mapping[str, Player] = {"greedy": greedy, "search": search}
