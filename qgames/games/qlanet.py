"""QLANET: quantum noughts and crosses with nine planets (rule sheet: docs/rules/qlanet.md).

The planets, and the wire of each (planet 1 is wire 0)::

    1 2 3        + + -
    4 5 6        - ? -     start: ? is one of 0, 1, +, -, hidden from both
    7 8 9        - + +

Moves: ``x 5`` ``h 5`` ``z 5`` ``m 5`` ``cx0 1 2`` ``cx1 1 2`` (control, target) ``sw 1 2`` ``bm 1
2``; ``redraw`` when no card in hand can be played, ``draw`` when a drawn number named no card.
Only ``m`` fixes a planet, and a fixed planet takes no further card.

Outcomes: ``fixed`` is the bit of M, the planet's side for good. ``p0`` or ``p1`` are the two bits
of a Bell measurement, read by the seat that played it: bit 0 is 1 for a minus sign, bit 1 is 1
when the planets differ, so 00 10 01 11 are P+ P- S+ S-. ``sealed`` are planet 5's bits (1, then
H): 00 10 01 11 are 0 1 + -. ``dice`` are three bits a card: d0 + 2 d1 + 4 d2 counts X H Z M CX0
CX1 SW BM.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, combinations, permutations
from typing import Any, ClassVar

import numpy as np
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from qgames.core import Game, Moment, Move, Option, Position, Result, View
from qgames.quantum import QuantumState, Vector

CARDS = ("x", "h", "z", "m", "cx0", "cx1", "sw", "bm")
ONE_PLANET = ("x", "h", "z", "m")
ORDERED = ("cx0", "cx1")
COSTS = {"x": 6, "h": 3, "z": 2, "m": 10, "cx0": 3, "cx1": 3, "sw": 3, "bm": 8}
LEVELS = {"beginner": CARDS[:4], "intermediate": CARDS[:7], "advanced": CARDS}
PLANETS = tuple(range(1, 10))
LINES = (
    *((1, 2, 3), (4, 5, 6), (7, 8, 9)),
    *((1, 4, 7), (2, 5, 8), (3, 6, 9)),
    *((1, 5, 9), (3, 5, 7)),
)
MAJORITY = 5
HIDDEN_PLANET = 5
PLUS, MINUS = (1, 2, 8, 9), (3, 4, 6, 7)
QUARTER_TURN = ((1, 3), (9, 7), (2, 6), (8, 4))
"""Each planet that starts as + with the one a quarter turn further, which starts as -."""
KETS = {
    "0": np.array([1, 0]),
    "1": np.array([0, 1]),
    "+": np.array([1, 1]) / np.sqrt(2),
    "-": np.array([1, -1]) / np.sqrt(2),
}
BELL = {"00": "P+", "10": "P-", "01": "S+", "11": "S-"}


@dataclass(frozen=True)
class QlanetPosition(Position):
    """Totals, hands (cards in order; None is still to be drawn) and fixed planets, all public."""

    totals: tuple[int, int] = (0, 0)
    hands: tuple[tuple[str | None, ...], tuple[str | None, ...]] = ((), ())
    fixed: tuple[int | None, ...] = (None,) * 9
    turns: int = 0
    mover: int = 0
    """The seat that played the last card: it moves again at equal totals."""


@dataclass(frozen=True)
class SecretCode:
    """A Bell measurement of the viewer's own: the state right after it, outdated by later cards."""

    step: int
    planets: tuple[int, int]
    bell: str


@dataclass(frozen=True, eq=False)
class QlanetView(View):
    """A view with knowledge marks (who sees ``?`` where) and the viewer's secret codes."""

    position: QlanetPosition
    marks: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    codes: tuple[SecretCode, ...] = ()

    def symbol(self, planet: int) -> str:
        """What this viewer sees: one of ``0! 1! 0 1 + - ? E``."""
        return self._symbols[planet - 1]

    @cached_property
    def _symbols(self) -> tuple[str, ...]:
        return tuple(self._seen(planet) for planet in PLANETS)

    def _seen(self, planet: int) -> str:
        if self.position.fixed[planet - 1] is not None:
            return f"{self.position.fixed[planet - 1]}!"
        if self.seat is not None and planet in self.marks[self.seat]:
            return "?"
        return pure_symbol(self.belief, planet)


class Qlanet(Game):
    """Fix three planets in a row, or any five; dear cards leave the next turns to the rival."""

    key = "qlanet"
    title = "QLANET"
    subtitle = "nine quantum planets"
    unordered = frozenset({"sw", "bm"})
    automatic = frozenset({"draw"})
    opening = Move("deal")
    wires = QuantumRegister(9, "planet")
    wire_labels = tuple(map(str, PLANETS))
    options: ClassVar[Mapping[str, Option]] = {
        "sw_cost": Option(3, (3, 4), "cost of the card SW"),
        "layout": Option("fixed", ("fixed", "random"), "how the eight known planets start"),
        "first": Option(0, (0, 1, "random"), "the seat that moves first"),
        "gates": Option("advanced", tuple(LEVELS), "which cards are in play"),
        "hands": Option(
            "drawn", ("drawn", "any"), "'any': every card is always at hand (practice)"
        ),
        "hand_size": Option(4, (3, 4, 5, 6), "cards in a hand"),
        "marks": Option("literal", ("literal", "deduced"), "when a planet shows '?'"),
        "turn_limit": Option(200, tuple(range(1, 1001)), "turns until the match is counted out"),
    }

    def __init__(self, /, **options: Any) -> None:
        super().__init__(**options)
        self.cards = LEVELS[self.option["gates"]]
        self.costs = COSTS | {"sw": self.option["sw_cost"]}

    # ---- setting up --------------------------------------------------------------------------

    def start(self) -> QlanetPosition:
        """Nothing dealt yet."""
        size = self.option["hand_size"]
        hand = self.cards if self.any_card else (None,) * size
        return QlanetPosition(QuantumState.zeros(9), hands=(hand, hand))

    @property
    def any_card(self) -> bool:
        """Practice: every card always at hand, nothing is drawn."""
        return bool(self.option["hands"] == "any")

    def _deal(self) -> QuantumCircuit:
        """Planets in + and -, planet 5 by two sealed bits, then both hands, player 0 first."""
        spare, sealed = QuantumRegister(2, "spare"), ClassicalRegister(2, "sealed")
        qc = self.circuit(spare, sealed)
        if self.option["layout"] == "fixed":
            qc.x([p - 1 for p in MINUS])
        else:
            self._toss(qc, "layout", 4)
            for bit, (one, other) in zip(qc.cregs[-1], QUARTER_TURN, strict=True):
                with qc.if_test((bit, 0)) as otherwise:
                    qc.x(other - 1)
                with otherwise:
                    qc.x(one - 1)
        qc.h([p - 1 for p in sorted(PLUS + MINUS)])
        qc.h(spare)
        qc.measure(spare, sealed)
        with qc.if_test((sealed[0], 1)):
            qc.x(HIDDEN_PLANET - 1)
        with qc.if_test((sealed[1], 1)):
            qc.h(HIDDEN_PLANET - 1)
        if self.option["first"] == "random":
            self._toss(qc, "first", 1)
        if not self.any_card:
            self._toss(qc, "dice", 3 * 2 * self.option["hand_size"])
        return qc

    @staticmethod
    def _toss(qc: QuantumCircuit, name: str, count: int) -> None:
        """Fair bits: fresh qubits, H, measured into a register that everybody reads."""
        dice = QuantumRegister(count, f"{name}_die")
        bits = ClassicalRegister(count, name)
        qc.add_register(dice, bits)
        qc.h(dice)
        qc.measure(dice, bits)

    def _dealt(self, start: QlanetPosition, outcome: Mapping[str, str]) -> QlanetPosition:
        first = self.option["first"]
        first = int(outcome["first"]) if first == "random" else first
        position = replace(start, to_move=first, mover=first)
        return self._filled(position, outcome)

    # ---- the rules ---------------------------------------------------------------------------

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Every card in hand on every choice of unfixed planets; else a free redraw."""
        assert isinstance(position, QlanetPosition)
        if position.to_move is None:
            return ()
        if _missing(position):
            return (Move("draw"),)
        free = tuple(p for p in PLANETS if position.fixed[p - 1] is None)
        hand = set(position.hands[position.to_move])
        moves = tuple(chain.from_iterable(_plays(card, free) for card in CARDS if card in hand))
        return moves or (Move("redraw"),)

    def why_illegal(self, position: Position, move: Move) -> str:
        """What stands against ``move``: its spelling, its planets, or the hand."""
        assert isinstance(position, QlanetPosition)
        assert position.to_move is not None
        if move.verb in ("deal", "draw", "redraw") and not move.args:
            return "it is played only when nothing else can be"
        if move.verb not in CARDS:
            return f"unknown card {move.verb!r}, expected one of {' '.join(CARDS)}"
        count = 1 if move.verb in ONE_PLANET else 2
        if len(move.args) != count or not all(a in PLANETS for a in move.args):
            return f"{move.verb} takes {count} planet{'s' * (count > 1)} from 1 to 9"
        if len(set(move.args)) != count:
            return f"{move.verb} takes two different planets"
        for planet in move.args:
            if position.fixed[int(planet) - 1] is not None:
                return f"planet {planet} is fixed"
        if move.secret:
            return f"{move.verb} has no secret argument"
        if _missing(position):
            return "a card is still to be drawn, expected 'draw'"
        hand = " ".join(str(card) for card in position.hands[position.to_move])
        return f"the hand has no {move.verb}, only {hand}"

    def fragment(self, position: Position, move: Move) -> QuantumCircuit:
        """The gates of a card as its name says, then three dice for the card that replaces it."""
        assert isinstance(position, QlanetPosition)
        if move.verb == "deal":
            return self._deal()
        wires = tuple(int(a) - 1 for a in move.args)
        secret = f"p{position.to_move}"
        return self._card(move.verb, wires, secret, self._drawn_by(position, move)).copy()

    @classmethod
    @lru_cache(maxsize=256)  # copying a circuit is four times faster than building it
    def _card(cls, verb: str, wires: tuple[int, ...], secret: str, drawn: int) -> QuantumCircuit:
        """A card's circuit, to be copied; ``secret`` is the register of a Bell measurement."""
        qc = QuantumCircuit(cls.wires)
        match verb:
            case "x":
                qc.x(*wires)
            case "h":
                qc.h(*wires)
            case "z":
                qc.z(*wires)
            case "m":
                qc.add_register(ClassicalRegister(1, "fixed"))
                qc.measure(wires[0], 0)
            case "cx0":
                qc.x(wires[0])
                qc.cx(*wires)
                qc.x(wires[0])
            case "cx1":
                qc.cx(*wires)
            case "sw":
                qc.swap(*wires)
            case "bm":
                cls._bell_measurement(qc, wires, secret)
        if drawn:
            cls._toss(qc, "dice", 3 * drawn)
        return qc

    @staticmethod
    def _bell_measurement(qc: QuantumCircuit, pair: tuple[int, ...], register: str) -> None:
        """To the Bell basis, measure, and back: the pair is left in the state that was read."""
        a, b = pair
        code = ClassicalRegister(2, register)
        qc.add_register(code)
        qc.cx(a, b)
        qc.h(a)
        qc.measure([a, b], code)
        qc.h(a)
        qc.cx(a, b)

    def _drawn_by(self, position: QlanetPosition, move: Move) -> int:
        """How many cards a move draws."""
        if self.any_card:
            return 0
        if move.verb == "draw":
            return len(_missing(position))
        return int(self.option["hand_size"]) if move.verb == "redraw" else 1

    def after(
        self, position: Position, move: Move, state: QuantumState, outcome: Mapping[str, str]
    ) -> QlanetPosition:
        """Cost, new card, fixed planet, then who has won or moves next."""
        assert isinstance(position, QlanetPosition)
        position = replace(position, state=state)
        if move.verb == "deal":
            return self._dealt(position, outcome)
        if move.verb == "draw":
            return self._next(self._filled(position, outcome))
        seat = position.to_move
        assert seat is not None
        if move.verb == "redraw":
            emptied = _with_hand(position, seat, (None,) * self.option["hand_size"])
            return self._filled(emptied, outcome)
        if not self.any_card:
            hand = list(position.hands[seat])
            hand[hand.index(move.verb)] = None
            position = self._filled(_with_hand(position, seat, tuple(hand)), outcome)
        totals = list(position.totals)
        totals[seat] += self.costs[move.verb]
        fixed = list(position.fixed)
        if move.verb == "m":
            fixed[int(move.args[0]) - 1] = int(outcome["fixed"])
        played = replace(
            position,
            totals=(totals[0], totals[1]),
            fixed=tuple(fixed),
            turns=position.turns + 1,
            mover=seat,
        )
        return self._next(played)

    def _filled(self, position: QlanetPosition, outcome: Mapping[str, str]) -> QlanetPosition:
        """Drawn cards go into empty places in order; a number that names no card fills none."""
        bits = outcome.get("dice", "")
        for (seat, place), n in zip(_missing(position), range(0, len(bits), 3), strict=False):
            number = sum(int(bit) << k for k, bit in enumerate(bits[n : n + 3]))
            hand = list(position.hands[seat])
            hand[place] = CARDS[number] if CARDS[number] in self.cards else None
            position = _with_hand(position, seat, tuple(hand))
        return position

    def _next(self, position: QlanetPosition) -> QlanetPosition:
        """Judged when a turn has ended; then the smaller total moves, at a tie the mover."""
        result = self._judged(position)
        if result is not None:
            return replace(position, to_move=None, result=result)
        if _missing(position) or position.totals[0] == position.totals[1]:
            return replace(position, to_move=position.mover)
        return replace(position, to_move=int(position.totals[1] < position.totals[0]))

    def _judged(self, position: QlanetPosition) -> Result | None:
        for seat in (0, 1):
            lines = tuple(x for x in LINES if all(position.fixed[p - 1] == seat for p in x))
            if lines:
                return _won(seat, "three in a row", lines)
        counts = [position.fixed.count(seat) for seat in (0, 1)]
        for seat in (0, 1):
            if counts[seat] >= MAJORITY:
                own = tuple(p for p in PLANETS if position.fixed[p - 1] == seat)
                return _won(seat, "five planets", tuple((p,) for p in own))
        if position.turns < self.option["turn_limit"]:
            return None
        if counts[0] != counts[1]:
            return _won(int(counts[1] > counts[0]), "more planets at the turn limit")
        if position.totals[0] != position.totals[1]:
            return _won(
                int(position.totals[1] < position.totals[0]), "lower cost at the turn limit"
            )
        return Result(None, "turn limit", (0.5, 0.5))

    # ---- what a seat knows -------------------------------------------------------------------

    def view(self, seat: int | None, position: Position, history: tuple[Moment, ...]) -> QlanetView:
        """Marks by the literal or the deduced rule, and the seat's own secret codes."""
        marks = _literal_marks(history)
        if self.option["marks"] == "deduced":
            public = history[-1].public_after if history else position.state
            uncertain = _uncertain(public)
            marks = (marks[0] & uncertain, marks[1] & uncertain)
            if seat is not None:
                own = _uncertain(position.state)
                marks = (own, marks[1]) if seat == 0 else (marks[0], own)
        assert isinstance(position, QlanetPosition)
        return QlanetView(self, seat, position, history, marks, _codes(seat, history))


@lru_cache(maxsize=64)
def _plays(card: str, free: tuple[int, ...]) -> tuple[Move, ...]:
    """Every way to play ``card`` on unfixed planets; remembered, since they recur step by step."""
    if card in ONE_PLANET:
        return tuple(Move(card, (p,)) for p in free)
    pairs = permutations(free, 2) if card in ORDERED else combinations(free, 2)
    return tuple(Move(card, pair) for pair in pairs)


def _missing(position: QlanetPosition) -> list[tuple[int, int]]:
    """(seat, place) of every card that is still to be drawn, player 0's first."""
    return [
        (s, n) for s, hand in enumerate(position.hands) for n, card in enumerate(hand) if not card
    ]


def _with_hand(position: QlanetPosition, seat: int, hand: tuple[str | None, ...]) -> QlanetPosition:
    hands = (hand, position.hands[1]) if seat == 0 else (position.hands[0], hand)
    return replace(position, hands=hands)


def _won(seat: int, reason: str, lines: tuple[tuple[int, ...], ...] = ()) -> Result:
    return Result(seat, reason, (1.0, 0.0) if seat == 0 else (0.0, 1.0), lines)


def _codes(seat: int | None, history: tuple[Moment, ...]) -> tuple[SecretCode, ...]:
    return tuple(
        SecretCode(
            n,
            (int(m.step.move.args[0]), int(m.step.move.args[1])),
            BELL[str(m.step.bits(f"p{seat}"))],
        )
        for n, m in enumerate(history)
        if m.step.move.verb == "bm" and m.step.seat == seat
    )


def _literal_marks(history: tuple[Moment, ...]) -> tuple[frozenset[int], frozenset[int]]:
    """Which planets show ``?`` to each seat, by the literal rule of section 4.1.

    Marks spread over what may be entangled as far as the public record tells. The true groups would
    betray planet 5: CX1 on it entangles or not, depending on its hidden state.
    """
    marks = [{HIDDEN_PLANET}, {HIDDEN_PLANET}]
    for moment in history:
        move, seat = moment.step.move, moment.step.seat
        planets = [int(a) for a in move.args]
        if move.verb == "m":
            for hidden in marks:
                hidden.discard(planets[0])
        elif move.verb == "sw":
            for hidden in marks:
                _exchange(hidden, *planets)
        elif move.verb in ("cx0", "cx1", "bm"):
            group = {w + 1 for p in planets for w in moment.public.cluster(p - 1).wires}
            for player, hidden in enumerate(marks):
                if group & hidden or (move.verb == "bm" and player != seat):
                    hidden.update(group)
                if move.verb == "bm" and player == seat:
                    hidden.difference_update(planets)
    return frozenset(marks[0]), frozenset(marks[1])


def _exchange(hidden: set[int], a: int, b: int) -> None:
    if (a in hidden) != (b in hidden):
        hidden.symmetric_difference_update({a, b})


def _uncertain(belief: QuantumState) -> frozenset[int]:
    """The deduced rule: planets whose entangled component is not a single pure state."""
    return frozenset(p for p in PLANETS if not belief.cluster(p - 1).is_pure)


def pure_symbol(belief: QuantumState, planet: int) -> str:
    """``0 1 + -`` if that is sure, ``E`` if it is entangled whatever is hidden, else ``?``."""
    cluster = belief.cluster(planet - 1)
    place = cluster.wires.index(planet - 1)
    kinds = {_kind(vector, place) for vector in cluster.vectors}
    return kinds.pop() if len(kinds) == 1 else "?"


def _kind(vector: Vector, place: int) -> str:
    """The symbol of one wire of a vector; every state of this game is real."""
    split = vector.reshape(-1, 2, 2**place)
    rho = np.einsum("hal,hbl->ab", split, split.conj()).real
    for symbol, ket in KETS.items():
        if ket @ rho @ ket > 1 - 1e-6:
            return symbol
    return "E"
