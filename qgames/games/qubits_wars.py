"""The |Qubits> Wars: everybody builds one circuit, each for a mission of their own.

Rule sheet: docs/rules/qubits_wars.md. The published page does not list its cards; these are ours.

The wires are the board's lines, ``q0`` on top. In Phase II they hold the state *before* the CNOT
zone: each gate runs on Aer when it is placed, and a card that takes it back runs the inverse.
CNOTs wait. In Phase III ``record`` runs the early noise on the wires, ``cnot-zone`` the CNOTs,
and each ``measure`` is one shot: reset, then the whole board from ``|0...0>`` with all noise into
``result`` (bit 0 is q0).

Moves, on one's turn: ``x q0`` ``z q0`` ``h q0`` ``id q0`` ``swap q0 q1`` ``cnot q0 q3`` (control,
target) ``noise q1 (bit-flip)``; strategies ``supply`` ``double`` (then up to two placements, or
``stop``) ``relocate q1.2 q3`` (the gate in slot 2 of q1) ``erase q1`` ``exchange q0 q2``
``new-orders`` ``scout p2`` ``scout q1`` ``lone-control q0 q3`` ``lone-target q0 q3`` (the half
card that is spent; ``lone q0 q3`` with identical CNOT cards); ``change x``, ``pass``. In a
response window: ``cancel`` ``redirect q2`` ``reverse`` ``shield q1``, or ``allow``. ``shield``
may also be a turn's card. ``choose (3)`` takes a mission card where missions are chosen. Single
legal moves that go on with the round: ``reshuffle``, ``reveal``, ``record``, ``missions``,
``cnot-zone``, ``measure``, ``score``, ``next-round``.

Outcomes: ``sealed`` in ``deal``, ``next-round`` and ``reshuffle`` is a number, bit 0 least
significant, that names a shuffle (first the deck's bits, then the missions'); in ``measure`` it
is what dephasing measured. ``first``, ``initial`` (two bits a line: X, then H) and ``patterns``
are open numbers of the same kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any, ClassVar

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from qgames.core import Game, Moment, Move, Option, Position, Result, View
from qgames.games import qubits_wars_cards as cards
from qgames.games import qubits_wars_circuit as board
from qgames.games.qubits_wars_cards import Mission
from qgames.games.qubits_wars_circuit import DiceRow, Noise, Operation
from qgames.quantum import UNREAD, QuantumState

CNOT_PLACES = 2
HAND = 4
SHOTS = 8
FORCED = (
    *("reshuffle", "reveal", "record", "missions", "cnot-zone", "measure", "score", "next-round"),
)
"""Verbs that go on with the round; each is the only legal move when its time has come."""
PLACEMENTS = (*cards.GATES, "cnot")
LONE = {"lone-control": "control", "lone-target": "target", "lone": "cnot"}
"""The half card that Lone control spends, by verb."""
STRATEGY_VERBS = (*(s for s in cards.STRATEGIES if s != "lone"), *LONE)
WITH_BOARD = (*PLACEMENTS, *LONE, "relocate", "erase", "exchange")


@dataclass(frozen=True)
class PlacedNoise:
    """A noise card above a line: kind (``?`` where hidden), owner, who has seen it, its turn."""

    kind: str
    owner: int
    knowers: tuple[int, ...]
    order: int
    revealed: bool = False


@dataclass(frozen=True)
class Discarded:
    """A card of the discard pile; ``knowers`` is None for a card that lies face up."""

    card: str
    knowers: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Announced:
    """A card that has been played and may still be answered; the newest is answered first."""

    verb: str
    seat: int
    lines: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    """Cards that go to the discards when it is done; those of a gate lie on the board."""
    waiting: tuple[int, ...] = ()
    """Seats that have yet to say whether they answer."""
    target: int | None = None
    """The seat that Scout looks at."""
    before: tuple[tuple[Operation, ...], tuple[Operation, ...]] = ((), ())
    """The Simple Zone and the CNOT zone before it was played."""
    gone: bool = False
    """Its card is no longer there: a Shield took the noise away."""


@dataclass(frozen=True)
class Shot:
    """One measurement: the bits that were read, and as noise recorded them; q0 first."""

    read: str
    recorded: str


@dataclass(frozen=True)
class ScoreRow:
    """One player's line on the sheet: the mission, matching shots, and points."""

    mission: Mission
    hits: int
    main: int
    secondary: int

    @property
    def points(self) -> int:
        """Main and secondary points of the round."""
        return self.main + self.secondary


@dataclass(frozen=True)
class Sheet:
    """The record of one round, front and back: the circuit, its symbols, shots and scores."""

    round: int
    initial: str
    operations: tuple[Operation, ...]
    cnots: tuple[Operation, ...]
    noises: tuple[PlacedNoise | None, ...]
    recorded: str
    shots: tuple[Shot, ...]
    rows: tuple[ScoreRow, ...]


@dataclass(frozen=True)
class WarsPosition(Position):
    """The table: board, hands, piles, what is still to be answered, and the sheets of past rounds.

    In a view ``?`` and None stand for what its viewer may not know. Missions are numbers of
    ``mission_cards``, which lie open; who holds which is secret.
    """

    stage: str = "deal"
    round: int = 1
    first: int = 0
    active: int = 0
    acted: bool = False
    """The active player's turn is used up but for answers, placements and draws."""
    placements: int = 0
    """Placements that Double step still allows."""
    owed: int = 0
    """Cards that the active player has yet to draw."""
    passes: int = 0
    turns: int = 0
    """Turns taken in this round."""
    deck: tuple[str, ...] = ()
    discards: tuple[Discarded, ...] = ()
    hands: tuple[tuple[str, ...], ...] = ()
    mission_cards: tuple[Mission, ...] = ()
    mission_deck: tuple[int | None, ...] = ()
    missions: tuple[int | None, ...] = ()
    scouted: frozenset[tuple[int, int]] = frozenset()
    """(viewer, seat): viewer has looked at the mission that seat holds now."""
    initial: str = ""
    operations: tuple[Operation, ...] = ()
    cnots: tuple[Operation, ...] = ()
    noises: tuple[PlacedNoise | None, ...] = ()
    stack: tuple[Announced, ...] = ()
    recorded: str = ""
    linked: frozenset[int] = frozenset()
    """Lines that are entangled after the CNOT zone, once it has run."""
    shots: tuple[Shot, ...] = ()
    rows: tuple[ScoreRow, ...] = ()
    totals: tuple[int, ...] = ()
    mains: tuple[int, ...] = ()
    """Main-mission points so far: they decide ties."""
    sheets: tuple[Sheet, ...] = ()

    @property
    def symbols(self) -> str:
        """The symbol of each line, read from the state: ``0 1 + -``, ``E`` for an entangled one."""
        return board.symbols_in(self.state)

    @property
    def cnot_lines(self) -> tuple[tuple[int, int], ...]:
        """(control, target) of each CNOT in placement order."""
        return tuple((op.lines[0], op.lines[1]) for op in self.cnots)

    def used(self, line: int) -> int:
        """How many slots of ``line`` are filled."""
        return sum(line in op.lines for op in self.operations)

    def noise_list(self) -> tuple[Noise, ...]:
        """(kind, line) of the noises whose kind is known here, in the order in which they act."""
        placed = [(n.order, n.kind, q) for q, n in enumerate(self.noises) if n and n.kind != UNREAD]
        return board.ordered((kind, q) for _, kind, q in sorted(placed))


@dataclass(frozen=True)
class Why:
    """The dice-rule table of each shot beside the circuit's exact distribution; the two agree."""

    shots: tuple[tuple[DiceRow, ...], ...]
    """For each shot every fall of the dice that reads so; one, unless a late noise hides which."""
    dice: dict[str, float]
    """Probability of each recorded result by the dice rule."""
    exact: dict[str, float]
    """The same by the amplitudes of the whole circuit."""


@dataclass(frozen=True, eq=False)
class WarsView(View):
    """A view that also reckons the viewer's mission by what the viewer knows."""

    @property
    def mission(self) -> Mission | None:
        """The viewer's own mission card; None for a spectator."""
        return None if self.seat is None else self.mission_of(self.seat)

    def mission_of(self, seat: int) -> Mission | None:
        """The mission of ``seat`` if this viewer knows it."""
        position = self._table
        number = position.missions[seat] if position.missions else None
        return None if number is None else position.mission_cards[number]

    def distribution(self, position: Position | None = None) -> dict[str, float]:
        """Exact probability of each result, now or in ``position``; unknown noise is left out."""
        return distribution(self._table if position is None else _table(position))

    def points(self, mission: Mission, position: Position | None = None) -> float:
        """Expected points of ``mission`` if the round were measured now, or in ``position``."""
        assert isinstance(self.game, QubitsWars)
        return self.game.expected(self._table if position is None else _table(position), mission)

    def chance(self, mission: Mission, position: Position | None = None) -> float:
        """Chance that one shot fits the main pattern of ``mission``, now or in ``position``."""
        table = self.distribution(position)
        return sum(chance for bits, chance in table.items() if mission.fits(bits))

    def why(self) -> Why:
        """Why the shots came out as they did: the dice rule beside the circuit's exact odds."""
        table = self._table
        noises = table.noise_list()
        rows = tuple(
            board.dice_rows(table.recorded or recorded_symbols(table), table.cnot_lines, noises)
        )
        exact = board.exact(table.initial, table.operations, table.cnots, noises)
        return Why(
            tuple(tuple(r for r in rows if r.measured == shot.read) for shot in table.shots),
            distribution(table),
            exact,
        )

    def preview(self, move: Move) -> WarsPosition:
        """The table after ``move`` as far as this viewer knows it; the state is left as it was."""
        assert isinstance(self.game, QubitsWars)
        return self.game.moved(self._table, move, {})

    @property
    def _table(self) -> WarsPosition:
        return _table(self.position)


class QubitsWars(Game):
    """Build one circuit together, and be the one whose mission its measurement fulfils."""

    key = "qubits_wars"
    title = "The |Qubits⟩ Wars"
    subtitle = "one circuit, secret missions"
    unordered = frozenset({"swap", "exchange"})
    automatic = frozenset({"allow", "reshuffle"})
    opening = Move("deal")
    options: ClassVar[Mapping[str, Option]] = {
        "seats": Option(4, (2, 3, 4, 5, 6), "how many players"),
        "mode": Option("beginner", cards.MODES, "pattern of 2, 3 or all bits; one shot or 8"),
        "rounds": Option(
            "players",
            ("players", "quick", *range(1, 13)),
            "one a player; 'quick' is a single round",
        ),
        "n_qubits": Option(4, (3, 4, 5), "lines of the board"),
        "columns": Option(4, (2, 3, 4, 5, 6), "slots on each line of the Simple Zone"),
        "initial": Option(
            "mode",
            ("mode", "zeros", "random_basis"),
            "'mode': random 0 1 + - in Advance, else zeros",
        ),
        "missions": Option("random", ("random", "chosen"), "how each player gets a mission card"),
        "disjoint_pairs": Option(False, (False, True), "the two CNOTs may not share a line"),
        "cnot_two_identical": Option(False, (False, True), "a CNOT takes two equal CNOT cards"),
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.lines = int(self.option["n_qubits"])
        self.wires = QuantumRegister(self.lines, "q")
        self.wire_labels = tuple(_q(n) for n in range(self.lines))
        self.mode = str(self.option["mode"])
        self.shots = 1 if self.mode == "beginner" else SHOTS
        self.printed = cards.deck(self.option["cnot_two_identical"])
        chosen = self.option["rounds"]
        self.rounds = {"players": self.seats, "quick": 1}.get(chosen, chosen)
        initial = self.option["initial"]
        self.random_basis = initial == "random_basis" or (
            initial == "mode" and self.mode == "advance"
        )

    @property
    def seats(self) -> int:
        """Two to six; the published example has four."""
        return int(self.option["seats"])

    def normal(self, move: Move) -> Move:
        """The lines of SWAP and Exchange ascend; every other order means something."""
        if move.verb in self.unordered and all(isinstance(a, str) for a in move.args):
            return replace(move, args=tuple(sorted(move.args, key=str)))
        return move

    # ---- setting up --------------------------------------------------------------------------

    def start(self) -> WarsPosition:
        """An empty table."""
        return WarsPosition(
            QuantumState.zeros(self.lines),
            initial="0" * self.lines,
            hands=((),) * self.seats,
            missions=(None,) * self.seats,
            noises=(None,) * self.lines,
            totals=(0,) * self.seats,
            mains=(0,) * self.seats,
        )

    def _deal(self, move: Move) -> QuantumCircuit:
        """Every line in its initial state, by open bits where it is random; then the other dice."""
        qc = self.circuit()
        if move.verb == "next-round":
            qc.reset(self.wires)
        for name, count in self.tosses(self.start(), move).items():
            bits = _toss(qc, name, count)
            for q in range(self.lines) if name == "initial" else ():
                with qc.if_test((bits[2 * q], 1)):
                    qc.x(q)
                with qc.if_test((bits[2 * q + 1], 1)):
                    qc.h(q)
        return qc

    def tosses(self, table: WarsPosition, move: Move) -> dict[str, int]:
        """How many fair bits a deal or reshuffle takes, by register."""
        if move.verb == "reshuffle":
            return {"sealed": cards.shuffle_bits(len(table.discards))}
        patterns = self._spare_patterns
        counts = {
            "first": cards.bits_for(self.seats) if move.verb == "deal" else 0,
            "initial": 2 * self.lines if self.random_basis else 0,
            "patterns": cards.shuffle_bits(patterns, cards.MISSIONS_PER_MODE) if patterns else 0,
            "sealed": self._deck_bits + cards.shuffle_bits(cards.MISSIONS_PER_MODE),
        }
        return {name: count for name, count in counts.items() if count}

    @property
    def _deck_bits(self) -> int:
        return cards.shuffle_bits(len(self.printed))

    @property
    def _spare_patterns(self) -> int:
        """How many patterns the eight are drawn from; 0 if there are no more than eight."""
        count = len(cards.patterns(self.mode, self.lines))
        return count if count > cards.MISSIONS_PER_MODE else 0

    def _dealt(self, position: WarsPosition, outcome: Mapping[str, str]) -> WarsPosition:
        """A fresh round: 4 cards and a mission each; the first player is drawn, then the next."""
        if position.stage == "deal":
            first = cards.number_of(outcome["first"]) % self.seats
        else:
            first = (position.first + 1) % self.seats
            position = changed(position, round=position.round + 1)
        fresh = self.start()
        kept = ("round", "totals", "mains", "sheets")
        position = changed(fresh, **{name: getattr(position, name) for name in kept})
        position = self._shuffled(position, outcome.get("sealed"))
        number = cards.number_of(outcome.get("patterns", ""))
        position = changed(
            position,
            first=first,
            active=first,
            initial=_initial(outcome.get("initial", "00" * self.lines)),
            mission_cards=cards.missions(self.mode, self.lines, number),
        )
        return self._settled(self._handed_out(position))

    def _shuffled(self, position: WarsPosition, sealed: str | None) -> WarsPosition:
        """Both decks in the order that the sealed bits name; unknown where they are not given."""
        if sealed is None:
            unknown = (UNREAD,) * len(self.printed)
            return changed(position, deck=unknown, mission_deck=(None,) * cards.MISSIONS_PER_MODE)
        deck, missions = sealed[: self._deck_bits], sealed[self._deck_bits :]
        return changed(
            position,
            deck=cards.permuted(self.printed, cards.number_of(deck)),
            mission_deck=cards.permuted(range(cards.MISSIONS_PER_MODE), cards.number_of(missions)),
        )

    def _handed_out(self, position: WarsPosition) -> WarsPosition:
        seats = self.seats
        hands = tuple(position.deck[s * HAND : (s + 1) * HAND] for s in range(seats))
        position = changed(position, hands=hands, deck=position.deck[seats * HAND :])
        if self.option["missions"] == "chosen":
            return changed(position, stage="choose")
        return changed(
            position,
            stage="operations",
            missions=position.mission_deck[:seats],
            mission_deck=position.mission_deck[seats:],
        )

    def _chose(self, position: WarsPosition, move: Move) -> WarsPosition:
        seat = position.active
        number = None if move.secret == (UNREAD,) else int(move.secret[0]) - 1
        left = list(position.mission_deck)
        left.remove(number)
        position = changed(
            position,
            missions=_put(position.missions, seat, number),
            mission_deck=tuple(left),
            active=self._left_of(seat),
        )
        done = position.active == position.first
        return self._settled(changed(position, stage="operations") if done else position)

    # ---- what is legal ------------------------------------------------------------------------

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """An answer in a window, a placement after Double step, else play, change or pass."""
        table = _table(position)
        if table.to_move is None:
            return ()
        forced = self._forced(table)
        if forced:
            return (forced,)
        if table.stage == "choose":
            numbers = sorted(n for n in table.mission_deck if n is not None)
            return tuple(Move("choose", (), (str(n + 1),)) for n in numbers)
        hand = tuple(sorted(set(table.hands[table.to_move])))
        if table.stack:
            return (Move("allow"), *self._answers(table, hand))
        if table.placements:
            return (*self._placements(table), Move("stop"))
        if table.stage == "cnot-only":
            return (*self._cnots(table), *self._lone(table), Move("pass"))
        return (
            *self._placements(table),
            *self._noises(table, hand),
            *self._strategies(table, hand),
            *(self._shields(table) if "shield" in hand else ()),
            *(Move("change", (card,)) for card in hand),
            Move("pass"),
        )

    def _forced(self, table: WarsPosition) -> Move | None:
        """The single move that goes on with the round, if its time has come."""
        if table.stage in FORCED:
            return Move(table.stage)
        waits = table.owed and not table.deck and table.acted and not table.stack
        return Move("reshuffle") if waits and not table.placements else None

    def _placements(self, table: WarsPosition) -> Iterator[Move]:
        """Gate cards in hand on every line with a free slot, and CNOTs."""
        assert table.to_move is not None
        hand = table.hands[table.to_move]
        for gate in cards.GATES:
            if gate in hand:
                for lines in self._free(table, gate):
                    yield Move(gate, _qs(lines))
        yield from self._cnots(table)

    def _free(self, table: WarsPosition, gate: str) -> list[tuple[int, ...]]:
        """The lines on which ``gate`` may be placed."""
        columns = self.option["columns"]
        free = [q for q in range(self.lines) if table.used(q) < columns]
        return list(combinations(free, 2 if gate == "swap" else 1))

    def _cnots(self, table: WarsPosition) -> Iterator[Move]:
        assert table.to_move is not None
        hand = Counter(table.hands[table.to_move])
        if not self._cnot_cards() - hand:
            for pair in self._pairs(table):
                yield Move("cnot", _qs(pair))

    def _cnot_cards(self) -> Counter[str]:
        """The two cards of a CNOT."""
        if self.option["cnot_two_identical"]:
            return Counter({"cnot": 2})
        return Counter({"control": 1, "target": 1})

    def _pairs(self, table: WarsPosition) -> list[tuple[int, int]]:
        """(control, target) that a CNOT may still take: at most two, no pair twice in any order."""
        if len(table.cnots) >= CNOT_PLACES:
            return []
        taken = [set(pair) for pair in table.cnot_lines]
        shared = self.option["disjoint_pairs"]
        return [
            pair
            for pair in permutations(range(self.lines), 2)
            if not any(t == set(pair) or (shared and t & set(pair)) for t in taken)
        ]

    def _lone(self, table: WarsPosition) -> Iterator[Move]:
        assert table.to_move is not None
        hand = table.hands[table.to_move]
        if "lone" in hand:
            for verb, half in LONE.items():
                for pair in self._pairs(table) if half in hand else ():
                    yield Move(verb, _qs(pair))

    def _noises(self, table: WarsPosition, hand: Sequence[str]) -> Iterator[Move]:
        for kind in hand:
            for q, noise in enumerate(table.noises) if kind in cards.NOISES else ():
                if noise is None:
                    yield Move("noise", (_q(q),), (kind,))

    def _strategies(self, table: WarsPosition, hand: Sequence[str]) -> Iterator[Move]:
        for verb in ("supply", "double", "new-orders"):
            if verb in hand and (verb != "new-orders" or table.mission_deck):
                yield Move(verb)
        if "relocate" in hand:
            yield from self._relocations(table)
        if "erase" in hand:
            yield from (Move("erase", (_q(q),)) for q in range(self.lines) if table.used(q))
        if "exchange" in hand:
            for a, b in combinations(range(self.lines), 2):
                if table.used(a) or table.used(b):
                    yield Move("exchange", _qs((a, b)))
        if "scout" in hand:
            yield from self._scouts(table)
        yield from self._lone(table)

    def _relocations(self, table: WarsPosition) -> Iterator[Move]:
        columns = self.option["columns"]
        for q in range(self.lines):
            for slot, op in enumerate(_on(table.operations, q), 1):
                if op.gate != "swap":
                    for to in range(self.lines):
                        if to == q or table.used(to) < columns:
                            yield Move("relocate", (f"{_q(q)}.{slot}", _q(to)))

    def _scouts(self, table: WarsPosition) -> Iterator[Move]:
        yield from (Move("scout", (f"p{s}",)) for s in range(self.seats) if s != table.to_move)
        for q, noise in enumerate(table.noises):
            if noise and noise.owner != table.to_move:
                yield Move("scout", (_q(q),))

    def _answers(self, table: WarsPosition, hand: Sequence[str]) -> Iterator[Move]:
        """The Instants in hand that fit the card on top."""
        top = table.stack[-1]
        if "cancel" in hand:
            yield Move("cancel")
        if "redirect" in hand:
            yield from (Move("redirect", _qs(lines)) for lines in self._elsewhere(table, top))
        if "reverse" in hand and (top.verb == "cnot" or top.verb in LONE):
            yield Move("reverse")
        if "shield" in hand:
            yield from self._shields(table)

    def _shields(self, table: WarsPosition) -> Iterator[Move]:
        yield from (Move("shield", (_q(q),)) for q, n in enumerate(table.noises) if n)

    def _elsewhere(self, table: WarsPosition, top: Announced) -> list[tuple[int, ...]]:
        """Other lines on which the gate or noise on top would be legal."""
        if top.verb == "noise":
            return [(q,) for q, noise in enumerate(table.noises) if noise is None]
        if top.verb not in PLACEMENTS and top.verb not in LONE:
            return []
        without = changed(table, operations=top.before[0], cnots=top.before[1])
        if top.verb in cards.GATES:
            found = self._free(without, top.verb)
        else:
            found = [tuple(pair) for pair in self._pairs(without)]
        return [lines for lines in found if set(lines) != set(top.lines)]

    def why_illegal(self, position: Position, move: Move) -> str:
        """What stands against ``move``: its time, its spelling, the hand, or the board."""
        table = _table(position)
        assert table.to_move is not None
        forced = self._forced(table)
        if forced:
            return f"the round goes on with {str(forced)!r}"
        if move.verb in FORCED or move.verb == "deal":
            return "it is played only when nothing else can be"
        return (
            _spelling(move, self.lines, self.seats)
            or self._untimely(table, move)
            or self._not_in_hand(table, move)
            or self._obstacle(table, move)
        )

    def _untimely(self, table: WarsPosition, move: Move) -> str | None:
        verb = move.verb
        if (verb == "choose") != (table.stage == "choose"):
            chosen = "a mission card is to be chosen first"
            return chosen if table.stage == "choose" else "missions are not chosen now"
        if verb == "choose":
            return None
        if table.stack:
            answers = (*cards.INSTANTS, "allow")
            return (
                None
                if verb in answers
                else "a card waits for answers, expected an Instant or 'allow'"
            )
        if verb in ("allow", "cancel", "redirect", "reverse"):
            return "no card waits for an answer"
        if table.placements:
            allowed = (*PLACEMENTS, "stop")
            return None if verb in allowed else "Double step goes on, expected a gate or 'stop'"
        if verb == "stop":
            return "no Double step is under way"
        if table.stage == "cnot-only" and verb not in ("cnot", *LONE, "pass"):
            return "the Simple Zone is full: only CNOT or pass"
        return None

    def _not_in_hand(self, table: WarsPosition, move: Move) -> str | None:
        assert table.to_move is not None
        hand = Counter(table.hands[table.to_move])
        missing = self._spent(move) - hand
        if not missing or move.verb in ("allow", "pass", "stop", "choose"):
            return None
        held = " ".join(sorted(hand.elements())) or "nothing"
        return f"the hand has no {' and no '.join(sorted(missing))}, only {held}"

    def _obstacle(self, table: WarsPosition, move: Move) -> str:
        """What on the board forbids a move whose cards are in hand."""
        verb, lines = move.verb, _lines(move.args)
        if verb in cards.GATES:
            full = [_q(q) for q in lines if table.used(q) >= self.option["columns"]]
            if full and table.placements and table.stage == "cnot-only":
                return "the Simple Zone is full: only CNOT or stop"
            return f"line {full[0]} has no free slot" if full else "not among the legal moves"
        if verb == "cnot" or verb in LONE:
            if len(table.cnots) >= CNOT_PLACES:
                return f"the CNOT zone is full: at most {CNOT_PLACES} CNOTs on a board"
            if set(lines) in [set(pair) for pair in table.cnot_lines]:
                return f"the pair {' '.join(map(str, move.args))} has been operated already"
            return "the two CNOTs may not share a line"
        if verb == "noise":
            return f"the noise place of {move.args[0]} is taken"
        if verb == "redirect":
            return "it takes a gate or noise just played to other lines where it is legal"
        words = {
            "erase": "no operation touches {0}",
            "exchange": "neither line carries an operation",
            "shield": "no face-down noise lies above {0}",
            "scout": "it looks at another player's mission or at another's face-down noise",
            "relocate": "{0} holds no single-qubit gate, or the other line has no free slot",
            "reverse": "the card just played is no CNOT",
            "choose": "that mission card has been taken",
        }
        return words.get(verb, "not among the legal moves").format(*map(str, move.args or ("",)))

    # ---- circuits ----------------------------------------------------------------------------

    def fragment(self, position: Position, move: Move) -> QuantumCircuit:
        """What the move does to the board: the gates that lead from the old circuit to the new."""
        table = _table(position)
        qc = self.circuit()
        match move.verb:
            case "deal" | "next-round":
                return self._deal(move)
            case "reshuffle":
                _toss(qc, "sealed", self.tosses(table, move)["sealed"])
            case "record":
                board.early_noise(qc, table.noise_list())
            case "cnot-zone":
                for op in table.cnots:
                    board.apply(qc, op)
            case "measure":
                qc.reset(self.wires)
                board.shot(qc, table.initial, table.operations, table.cnots, table.noise_list())
            case verb if verb not in FORCED:
                after = self.moved(table, move, {})
                board.rewire(qc, table.operations, after.operations)
        return qc

    # ---- what follows ------------------------------------------------------------------------

    def after(
        self, position: Position, move: Move, state: QuantumState, outcome: Mapping[str, str]
    ) -> WarsPosition:
        """The table after the move; symbols and entanglement are read from the state."""
        table = changed(self.moved(_table(position), move, outcome), state=state)
        if move.verb == "record":
            return changed(table, recorded=board.symbols_in(state))
        if move.verb == "cnot-zone":
            linked = {w for wires in state.clusters if len(wires) > 1 for w in wires}
            return changed(table, linked=frozenset(linked))
        return table

    def moved(self, table: WarsPosition, move: Move, outcome: Mapping[str, str]) -> WarsPosition:
        """Everything that follows from a move but the quantum state."""
        match move.verb:
            case "deal" | "next-round":
                return self._dealt(table, outcome)
            case "choose":
                return self._chose(table, move)
            case "reshuffle":
                return self._settled(_reshuffled(table, outcome.get("sealed")))
            case "reveal" | "record" | "missions" | "cnot-zone" | "measure" | "score":
                return self._phase_three(table, move, outcome)
            case "allow":
                return self._settled(_with_top(table, waiting=table.stack[-1].waiting[1:]))
            case "pass":
                return self._settled(changed(table, acted=True, passes=table.passes + 1))
            case "stop":
                return self._settled(changed(table, placements=0))
            case "change":
                table = _thrown(table, table.active, Counter(map(str, move.args)))
                return self._settled(self._turn_used(table))
        return self._settled(self._played(table, move))

    def _turn_used(self, table: WarsPosition) -> WarsPosition:
        """The turn's one action: afterwards a card is drawn, unless only CNOTs are left."""
        owed = 1 if table.stage == "operations" else 0
        return changed(table, acted=True, passes=0, owed=owed)

    def _played(self, table: WarsPosition, move: Move) -> WarsPosition:
        """A card leaves the hand, changes the board at once, and waits for answers."""
        seat = table.to_move
        assert seat is not None
        if not table.stack and not table.acted:
            table = self._turn_used(table)
        elif not table.stack:
            table = changed(table, placements=table.placements - 1)
        else:  # each seat may answer a card once
            table = _with_top(table, waiting=table.stack[-1].waiting[1:])
        spent = self._spent(move)
        table = _taken(table, seat, spent)
        target = int(str(move.args[0])[1:]) if move.verb == "scout" and _is_seat(move) else None
        on_board = move.verb in PLACEMENTS or move.verb in LONE or move.verb == "noise"
        item = Announced(
            move.verb,
            seat,
            () if target is not None else _lines(move.args),
            () if on_board else tuple(spent.elements()),
            self._responders(table),
            target,
            (table.operations, table.cnots),
        )
        return _on_board(changed(table, stack=(*table.stack, item)), item, move, spent)

    def _spent(self, move: Move) -> Counter[str]:
        """The cards that a move takes from the hand."""
        if move.verb == "cnot":
            return self._cnot_cards()
        if move.verb in LONE:
            return Counter({"lone": 1, LONE[move.verb]: 1})
        if move.verb == "noise":
            return Counter(move.secret)
        return Counter([str(move.args[0])] if move.verb == "change" else [move.verb])

    def _responders(self, table: WarsPosition) -> tuple[int, ...]:
        """Clockwise from the active player's left, that player last; not an empty hand."""
        order = [(table.active + k) % self.seats for k in range(1, self.seats + 1)]
        return tuple(seat for seat in order if table.hands[seat])

    def _settled(self, table: WarsPosition) -> WarsPosition:
        """Go on until somebody has to decide."""
        while table.stack:
            top = table.stack[-1]
            if top.waiting and not top.gone:
                return changed(table, to_move=top.waiting[0])
            table = _resolved(table)
        table = self._stage_checked(table)
        if table.stage not in ("operations", "cnot-only"):
            return changed(table, to_move=table.active)
        if table.acted and not table.placements:
            table = _drawn(table)
            if not table.owed:
                return self._next_turn(table)
        return changed(table, to_move=table.active)

    def _stage_checked(self, table: WarsPosition) -> WarsPosition:
        """A full Simple Zone leaves only CNOTs; when none can be placed either, that is the end."""
        if table.stage == "operations":
            slots = sum(table.used(q) for q in range(self.lines))
            if slots < self.lines * self.option["columns"]:
                return table
            table = changed(table, stage="cnot-only")
        if table.stage == "cnot-only" and not self._pairs(table):
            return self._phase_two_over(table)
        return table

    def _next_turn(self, table: WarsPosition) -> WarsPosition:
        if table.passes >= self.seats:
            return self._phase_two_over(table)
        seat = self._left_of(table.active)
        return changed(table, active=seat, acted=False, turns=table.turns + 1, to_move=seat)

    def _phase_two_over(self, table: WarsPosition) -> WarsPosition:
        """The first player of the round carries out the steps of Phase III."""
        stage = "reveal" if any(table.noises) else "record"
        first = table.first
        return changed(
            table, stage=stage, active=first, to_move=first, owed=0, placements=0, acted=False
        )

    def _left_of(self, seat: int) -> int:
        return (seat + 1) % self.seats

    # ---- Phase III ---------------------------------------------------------------------------

    def _phase_three(
        self, table: WarsPosition, move: Move, outcome: Mapping[str, str]
    ) -> WarsPosition:
        """Reveal, record, missions, CNOT zone, shots, score: as numbered in the sheet."""
        match move.verb:
            case "reveal":
                # the one that was placed first; its line is open, so the move need not name it
                face_down = [n for n in table.noises if n and not n.revealed]
                noise = min(face_down, key=lambda n: n.order)
                shown = replace(noise, revealed=True)
                noises = _put(table.noises, table.noises.index(noise), shown)
                hidden = any(n and not n.revealed for n in noises)
                return changed(table, noises=noises, stage="reveal" if hidden else "record")
            case "record":
                return changed(table, stage="missions")
            case "missions":
                return changed(table, stage="cnot-zone")
            case "cnot-zone":
                return changed(table, stage="measure")
            case "measure":
                read = outcome.get("result", UNREAD * self.lines)
                shot = Shot(read, board.read_out(read, table.noise_list()))
                shots = (*table.shots, shot)
                stage = "score" if len(shots) == self.shots else "measure"
                return changed(table, shots=shots, stage=stage)
        return self._scored(table)

    def _scored(self, table: WarsPosition) -> WarsPosition:
        """Points of the round, a new sheet, and after the last round the winner."""
        rows = tuple(self._row(table, table.missions[seat]) for seat in range(self.seats))
        sheet = Sheet(
            table.round,
            table.initial,
            table.operations,
            table.cnots,
            table.noises,
            table.recorded,
            table.shots,
            rows,
        )
        table = changed(
            table,
            rows=rows,
            totals=tuple(t + r.points for t, r in zip(table.totals, rows, strict=True)),
            mains=tuple(m + r.main for m, r in zip(table.mains, rows, strict=True)),
            sheets=(*table.sheets, sheet),
        )
        if table.round < self.rounds:
            return changed(table, stage="next-round")
        return changed(table, stage="over", to_move=None, result=_won(table))

    def _row(self, table: WarsPosition, number: int | None) -> ScoreRow:
        assert number is not None
        mission = table.mission_cards[number]
        hits = sum(mission.fits(shot.recorded) for shot in table.shots)
        met = secondary_met(
            mission, table.recorded, table.linked, _has_swap(table.operations), len(table.cnots)
        )
        return ScoreRow(mission, hits, hits * self.main_points, self.secondary_points * met)

    @property
    def main_points(self) -> int:
        """Points of one matching shot."""
        return 3 if self.mode == "beginner" else 2

    @property
    def secondary_points(self) -> int:
        """Points of the secondary mission."""
        return 1 if self.mode == "beginner" else 4

    def expected(self, table: WarsPosition, mission: Mission) -> float:
        """Expected points of ``mission`` if the board were measured as it stands."""
        return self.worth(Prospect.of(table), mission)

    def worth(self, prospect: Prospect, mission: Mission) -> float:
        """Expected points of ``mission`` on a board, the secondary ones included."""
        hit, met = chances(prospect, mission)
        return self.main_points * self.shots * hit + self.secondary_points * met

    def resigned(self, position: Position) -> Position:
        """Who gives up has no points; the highest total of the others wins."""
        table = _table(position)
        rivals = [s for s in range(self.seats) if s != table.to_move]
        best = max((table.totals[s], table.mains[s]) for s in rivals)
        top = [s for s in rivals if (table.totals[s], table.mains[s]) == best]
        points = tuple(float(t) if s in rivals else 0.0 for s, t in enumerate(table.totals))
        winner = top[0] if len(top) == 1 else None
        return changed(table, to_move=None, result=Result(winner, "resignation", points))

    # ---- what a seat knows -------------------------------------------------------------------

    def known(self, position: Position, seat: int | None, belief: QuantumState) -> WarsPosition:
        """Own hand and mission, what Scout showed, and everything that lies face up."""
        table = _table(position)
        hands = tuple(
            hand if s == seat else (UNREAD,) * len(hand) for s, hand in enumerate(table.hands)
        )
        return changed(
            table,
            state=belief,
            deck=(UNREAD,) * len(table.deck),
            discards=tuple(_discard_seen(d, seat) for d in table.discards),
            hands=hands,
            missions=_missions_seen(table, seat),
            mission_deck=_mission_deck_seen(table, seat),
            noises=tuple(_noise_seen(n, seat) for n in table.noises),
        )

    def view(self, seat: int | None, position: Position, history: tuple[Moment, ...]) -> WarsView:
        """A view that can reckon missions."""
        return WarsView(self, seat, position, history)

    def census(self, position: Position) -> Counter[str]:
        """Every Q-card: in the deck, hands and discards, on the board and being answered."""
        table = _table(position)
        found = Counter(table.deck)
        found.update(d.card for d in table.discards)
        found.update(card for hand in table.hands for card in hand)
        found.update(card for op in (*table.operations, *table.cnots) for card in op.cards)
        found.update(n.kind for n in table.noises if n)
        found.update(card for item in table.stack for card in item.cards)
        return found


# ---- words of moves -----------------------------------------------------------------------------


def _q(line: int) -> str:
    return f"q{line}"


def _qs(lines: Iterable[int]) -> tuple[str, ...]:
    return tuple(_q(q) for q in lines)


def _lines(args: Iterable[int | str]) -> tuple[int, ...]:
    """The lines that arguments name; the slot in ``q1.2`` is left out."""
    return tuple(int(str(arg)[1:].partition(".")[0]) for arg in args)


def _is_seat(move: Move) -> bool:
    return str(move.args[0]).startswith("p")


_SHAPES = {
    **dict.fromkeys(("x", "z", "h", "id", "noise", "erase", "shield"), ("one line", 1)),
    **dict.fromkeys(("swap", "cnot", "exchange", *LONE), ("two different lines", 2)),
    **dict.fromkeys(
        ("supply", "double", "new-orders", "cancel", "reverse", "allow", "pass", "stop", "choose"),
        ("no line", 0),
    ),
    "relocate": ("a slot such as q1.2 and a line", 2),
    "redirect": ("one line or two different lines", None),
    "scout": ("a seat such as p1 or a line", 1),
    "change": ("a card", 1),
}


def _spelling(move: Move, lines: int, seats: int) -> str | None:
    """What is wrong with the words of a move, if anything."""
    if move.verb not in _SHAPES:
        return f"unknown verb {move.verb!r}, expected one of {' '.join(sorted(_SHAPES))}"
    words, count = _SHAPES[move.verb]
    wrong = f"{move.verb} takes {words}, lines q0 to q{lines - 1}"
    if count is not None and len(move.args) != count:
        return wrong
    if move.verb in ("noise", "choose"):
        known = cards.NOISES if move.verb == "noise" else tuple("12345678")
        if len(move.secret) != 1 or move.secret[0] not in known:
            return f"{move.verb} names one of {' '.join(known)} in brackets"
    elif move.secret:
        return f"{move.verb} has no secret argument"
    if move.verb == "change":
        return None
    allowed = {_q(q) for q in range(lines)}
    args = [str(a) for a in move.args]
    if move.verb == "scout":
        allowed |= {f"p{s}" for s in range(seats)}
    if move.verb == "relocate":
        line, dot, slot = args[0].partition(".")
        return None if {line, args[1]} <= allowed and dot and slot.isdecimal() else wrong
    return None if set(args) <= allowed and len(set(args)) == len(args) else wrong


# ---- cards on their way -------------------------------------------------------------------------


def _table(position: Position) -> WarsPosition:
    assert isinstance(position, WarsPosition)
    return position


def changed(table: WarsPosition, **fields: Any) -> WarsPosition:
    """The table with some fields changed, as by dataclasses.replace, only 15 times faster here."""
    new = object.__new__(type(table))
    new.__dict__.update(table.__dict__)
    assert fields.keys() <= new.__dict__.keys()
    new.__dict__.update(fields)
    return new


def _put(row: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*row[:place], value, *row[place + 1 :])


def _taken(table: WarsPosition, seat: int, spent: Counter[str]) -> WarsPosition:
    """Take cards out of a hand; in a view a hidden hand loses hidden cards."""
    hand = list(table.hands[seat])
    for card in spent.elements():
        hand.remove(card if card in hand else UNREAD)
    return changed(table, hands=_put(table.hands, seat, tuple(hand)))


def _thrown(table: WarsPosition, seat: int, spent: Counter[str]) -> WarsPosition:
    """Discard cards of a hand face up."""
    return _discarded(_taken(table, seat, spent), spent.elements())


def _discarded(table: WarsPosition, names: Iterable[str]) -> WarsPosition:
    return changed(table, discards=(*table.discards, *(Discarded(name) for name in names)))


def _drawn(table: WarsPosition) -> WarsPosition:
    """Draw what is owed, as far as there are cards; with none anywhere the debt is forgiven."""
    count = min(table.owed, len(table.deck))
    hand = (*table.hands[table.active], *table.deck[:count])
    owed = table.owed - count if table.discards else 0
    return changed(
        table,
        hands=_put(table.hands, table.active, hand),
        deck=table.deck[count:],
        owed=owed,
    )


def _reshuffled(table: WarsPosition, sealed: str | None) -> WarsPosition:
    """The discards become the draw pile, in the order that the sealed bits name."""
    if sealed is None:
        return changed(table, deck=(UNREAD,) * len(table.discards), discards=())
    names = [d.card for d in table.discards]
    return changed(table, deck=cards.permuted(names, cards.number_of(sealed)), discards=())


def _with_top(table: WarsPosition, **changes: Any) -> WarsPosition:
    return changed(table, stack=(*table.stack[:-1], replace(table.stack[-1], **changes)))


def _on(operations: Iterable[Operation], line: int) -> list[Operation]:
    """The operations on a line, slot 1 first."""
    return [op for op in operations if line in op.lines]


def _on_board(
    table: WarsPosition, item: Announced, move: Move, spent: Counter[str]
) -> WarsPosition:
    """What a card just played changes on the board at once."""
    names = tuple(spent.elements())
    match item.verb:
        case "noise":
            order = 1 + max((n.order for n in table.noises if n), default=0)
            noise = PlacedNoise(move.secret[0], item.seat, (item.seat,), order)
            return changed(table, noises=_put(table.noises, item.lines[0], noise))
        case "relocate":
            line, slot = str(move.args[0]).split(".")
            op = _on(table.operations, int(line[1:]))[int(slot) - 1]
            left = tuple(o for o in table.operations if o is not op)
            return changed(table, operations=(*left, replace(op, lines=item.lines[1:])))
        case "erase":
            op = _on(table.operations, item.lines[0])[-1]
            left = tuple(o for o in table.operations if o is not op)
            table = _with_top(table, cards=(*item.cards, *op.cards))
            return changed(table, operations=left)
        case "exchange":
            a, b = item.lines
            label = {a: b, b: a}
            moved = tuple(
                replace(op, lines=tuple(label.get(q, q) for q in op.lines))
                for op in table.operations
            )
            return changed(table, operations=moved)
    if item.verb in PLACEMENTS or item.verb in LONE:
        return _placed(table, item.verb, item.lines, item.seat, names)
    return table


def _placed(
    table: WarsPosition, verb: str, lines: tuple[int, ...], seat: int, names: tuple[str, ...]
) -> WarsPosition:
    if verb in cards.GATES:
        op = Operation(verb, lines, seat, names)
        return changed(table, operations=(*table.operations, op))
    return changed(table, cnots=(*table.cnots, Operation("cnot", lines, seat, names)))


def _resolved(table: WarsPosition) -> WarsPosition:
    """The card on top takes effect; cards that changed the board at once only stay as they are."""
    item = table.stack[-1]
    table = _discarded(changed(table, stack=table.stack[:-1]), item.cards)
    if item.gone:
        return table
    match item.verb:
        case "supply":
            return changed(table, owed=table.owed + 2)
        case "double":
            return changed(table, placements=2)
        case "new-orders":
            return _new_orders(table, item.seat)
        case "scout":
            return _scouted(table, item)
        case "shield":
            return _shielded(table, item.lines[0])
        case "cancel":
            return _cancelled(table)
        case "redirect":
            return _redirected(table, item.lines)
        case "reverse":
            return _redirected(table, table.stack[-1].lines[::-1])
    return table


def _new_orders(table: WarsPosition, seat: int) -> WarsPosition:
    """Draw the top mission; the old one goes under the pile, face down."""
    old = table.missions[seat]
    return changed(
        table,
        missions=_put(table.missions, seat, table.mission_deck[0]),
        mission_deck=(*table.mission_deck[1:], old),
        scouted=frozenset(pair for pair in table.scouted if pair[1] != seat),
    )


def _scouted(table: WarsPosition, item: Announced) -> WarsPosition:
    if item.target is not None:
        return changed(table, scouted=table.scouted | {(item.seat, item.target)})
    noise = table.noises[item.lines[0]]
    if noise is None:
        return table
    seen = replace(noise, knowers=tuple(sorted({*noise.knowers, item.seat})))
    return changed(table, noises=_put(table.noises, item.lines[0], seen))


def _shielded(table: WarsPosition, line: int) -> WarsPosition:
    """Discard a face-down noise unseen; if it was the card being answered, that is over."""
    noise = table.noises[line]
    if noise is None:
        return table
    stack = tuple(
        replace(item, gone=True) if item.verb == "noise" and item.lines == (line,) else item
        for item in table.stack
    )
    return changed(
        table,
        noises=_put(table.noises, line, None),
        discards=(*table.discards, Discarded(noise.kind, noise.knowers)),
        stack=stack,
    )


def _cancelled(table: WarsPosition) -> WarsPosition:
    """The card beneath is discarded without effect."""
    item = table.stack[-1]
    if item.verb == "noise":
        table = _shielded(table, item.lines[0])
        return changed(table, stack=table.stack[:-1])
    table = changed(table, stack=table.stack[:-1])
    names: tuple[str, ...] = item.cards
    if item.verb in WITH_BOARD:
        placed = item.verb in PLACEMENTS or item.verb in LONE
        zone = table.operations if item.verb in cards.GATES else table.cnots
        names = zone[-1].cards if placed else item.cards[:1]
        table = changed(table, operations=item.before[0], cnots=item.before[1])
    return _discarded(table, names)


def _redirected(table: WarsPosition, lines: tuple[int, ...]) -> WarsPosition:
    """The gate or noise beneath moves to other lines."""
    item = table.stack[-1]
    if item.gone:
        return table
    table = _with_top(table, lines=lines)
    if item.verb == "noise":
        noises = _put(table.noises, lines[0], table.noises[item.lines[0]])
        return changed(table, noises=_put(noises, item.lines[0], None))
    zone = table.operations if item.verb in cards.GATES else table.cnots
    table = changed(table, operations=item.before[0], cnots=item.before[1])
    return _placed(table, item.verb, lines, item.seat, zone[-1].cards)


# ---- scores --------------------------------------------------------------------------------------


def recorded_symbols(table: WarsPosition) -> str:
    """The symbols that would be recorded now, with the early noises that are known here."""
    if table.recorded:
        return table.recorded
    symbols = board.symbols_of(table.initial, table.operations)
    return board.noisy_symbols(symbols, table.noise_list())


def distribution(table: WarsPosition) -> dict[str, float]:
    """Exact probability of each recorded result; noise of unknown kind is left out."""
    symbols = board.symbols_of(table.initial, table.operations)
    return board.dice_rule(symbols, table.cnot_lines, table.noise_list())


@dataclass(frozen=True)
class Prospect:
    """All of a board that missions depend on; noise only as far as it is known."""

    symbols: str
    """Before any noise."""
    cnots: tuple[tuple[int, int], ...] = ()
    noises: tuple[Noise, ...] = ()
    swap: bool = False

    @classmethod
    def of(cls, table: WarsPosition) -> Prospect:
        """The board as it stands, with the noises whose kind is known here."""
        symbols = board.symbols_of(table.initial, table.operations)
        swap = _has_swap(table.operations)
        return cls(symbols, table.cnot_lines, table.noise_list(), swap)


@lru_cache(maxsize=2**16)
def chances(prospect: Prospect, mission: Mission) -> tuple[float, bool]:
    """The chance that a shot fits the main pattern, and whether the secondary mission holds."""
    table = board.dice_rule(prospect.symbols, prospect.cnots, prospect.noises)
    hit = sum(chance for bits, chance in table.items() if mission.fits(bits))
    symbols = board.noisy_symbols(prospect.symbols, prospect.noises)
    linked = board.entangled_lines(symbols, prospect.cnots)
    met = secondary_met(mission, symbols, linked, prospect.swap, len(prospect.cnots))
    return hit, met


def secondary_met(
    mission: Mission, symbols: str, linked: frozenset[int], swap: bool, cnots: int
) -> bool:
    """Whether the secondary mission holds, judged before late noise (section 4.5)."""
    superposed = sum(s in "+-" for s in symbols)
    return {
        1: superposed >= 2,
        2: superposed == 0,
        3: symbols.count("-") == 1,
        4: symbols[0] == symbols[-1],
        5: bool(linked),
        6: not linked,
        7: swap,
        8: cnots == CNOT_PLACES,
    }[mission.secondary]


@lru_cache(maxsize=2**16)
def nearness(prospect: Prospect, mission: Mission) -> float:
    """The share of the pattern's fixed bits that one shot matches on average."""
    table = board.dice_rule(prospect.symbols, prospect.cnots, prospect.noises)
    fixed = [(q, bit) for q, bit in enumerate(mission.pattern) if bit != "*"]
    matched = sum(p * sum(bits[q] == bit for q, bit in fixed) for bits, p in table.items())
    return matched / len(fixed)


def secondary_now(table: WarsPosition, mission: Mission) -> bool:
    """Whether the secondary mission would hold if the board were recorded now."""
    return chances(Prospect.of(table), mission)[1]


def _has_swap(operations: Iterable[Operation]) -> bool:
    return any(op.gate == "swap" for op in operations)


def _won(table: WarsPosition) -> Result:
    """The highest total wins; ties go to more main-mission points, then victory is shared."""
    best = max(zip(table.totals, table.mains, strict=True))
    top = [s for s, row in enumerate(zip(table.totals, table.mains, strict=True)) if row == best]
    points = tuple(map(float, table.totals))
    if len(top) > 1:
        return Result(None, "shared victory", points)
    shared = table.totals.count(best[0]) > 1
    return Result(top[0], "more main-mission points" if shared else "highest total", points)


# ---- masks ---------------------------------------------------------------------------------------


def _discard_seen(discarded: Discarded, seat: int | None) -> Discarded:
    hidden = discarded.knowers is not None and seat not in discarded.knowers
    return replace(discarded, card=UNREAD) if hidden else discarded


def _noise_seen(noise: PlacedNoise | None, seat: int | None) -> PlacedNoise | None:
    if noise is None or noise.revealed or seat in noise.knowers:
        return noise
    return replace(noise, kind=UNREAD)


def _missions_seen(table: WarsPosition, seat: int | None) -> tuple[int | None, ...]:
    if table.stage in ("cnot-zone", "measure", "score", "next-round", "over"):
        return table.missions
    return tuple(
        number if s == seat or (seat, s) in table.scouted else None
        for s, number in enumerate(table.missions)
    )


def _mission_deck_seen(table: WarsPosition, seat: int | None) -> tuple[int | None, ...]:
    """Hidden, but for who is choosing: that seat sees which cards are left, not their order."""
    if table.stage == "choose" and seat is not None and seat == table.to_move:
        return tuple(sorted(n for n in table.mission_deck if n is not None))
    return (None,) * len(table.mission_deck)


# ---- dice ----------------------------------------------------------------------------------------


def _toss(qc: QuantumCircuit, name: str, count: int) -> ClassicalRegister:
    """Fair bits: fresh qubits, H, measured into a register of that name."""
    dice, bits = QuantumRegister(count, f"{name}_die"), ClassicalRegister(count, name)
    qc.add_register(dice, bits)
    qc.h(dice)
    qc.measure(dice, bits)
    return bits


def _initial(bits: str) -> str:
    """The printed initial states from two bits a line, X then H."""
    symbols = {"00": "0", "10": "1", "01": "+", "11": "-"}
    return "".join(symbols[bits[n : n + 2]] for n in range(0, len(bits), 2))
