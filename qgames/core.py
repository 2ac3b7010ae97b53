"""Moves, steps, positions, games, matches and views; this file draws nothing and rolls no dice.

Rules are pure: a :class:`Game` says what is legal, which circuit a move runs (its *fragment*) and
what follows from the outcome. Positions are frozen values. :class:`Match` is the one object that
changes: it runs fragments, keeps the record, and hands out views.

Who may read an outcome is said by the name of its classical register: ``p0``, ``p1``, ... that seat
only; ``sealed`` nobody; every other name everybody.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import IfElseOp, Qubit

from qgames.quantum import (
    UNREAD,
    ImpossibleOutcomeError,
    Outcome,
    QuantumState,
    outcome_text,
    toss,
    wire_registers,
    without_dice,
)

SAVE_VERSION = 1
LARGEST_SAVE = 4_000_000  # characters; the longest match ever saved had 60 thousand
MOVE_TEXT = re.compile(r"[a-z][a-z0-9_-]*(?: [a-z0-9_.+*-]+)*(?: \([a-z0-9_?+ -]+\))?")


class InvalidMoveError(ValueError):
    """The text is no move of this game."""


class IllegalMoveError(ValueError):
    """The move is well written, but the rules forbid it now."""


class SaveError(ValueError):
    """The text is no saved match, or what it records cannot have happened."""


@dataclass(frozen=True)
class Move:
    """What a player does: a verb, its arguments, and arguments that only the mover may read.

    ``Move.parse(str(move)) == move``. Numbers are written as digits (squares), other words as they
    are (``q0``); secret arguments stand in round brackets at the end: ``noise q1 (bit-flip)``.
    """

    verb: str
    args: tuple[int | str, ...] = ()
    secret: tuple[str, ...] = ()

    def __str__(self) -> str:
        words = " ".join([self.verb, *map(str, self.args)])
        return f"{words} ({' '.join(self.secret)})" if self.secret else words

    @classmethod
    def parse(cls, text: str) -> Self:
        """The move that ``text`` spells; extra spaces and capitals are forgiven."""
        if not isinstance(text, str):
            raise InvalidMoveError(f"expected a move as text, such as 'h 5': got {text!r}")
        spelled = " ".join(text.lower().split())
        if len(spelled) > 200 or not MOVE_TEXT.fullmatch(spelled):
            shown = text if len(text) <= 40 else text[:37] + "..."
            raise InvalidMoveError(
                f"invalid move {shown!r}: expected a verb and its arguments, such as 'h 5'"
            )
        public, _, secret = spelled.partition(" (")
        verb, *words = public.split()
        args = tuple(int(w) if w.isdecimal() and str(int(w)) == w else w for w in words)
        return cls(verb, args, tuple(secret.rstrip(")").split()))

    def masked(self) -> Self:
        """The move as the other seats see it."""
        return replace(self, secret=(UNREAD,)) if self.secret else self


@dataclass(frozen=True)
class Step:
    """A move and what its fragment measured, as it stands in the record."""

    move: Move
    outcome: Outcome = ()
    seat: int | None = None
    """The seat that moved; None for the deal."""

    def __str__(self) -> str:
        return " ".join(filter(None, [str(self.move), outcome_text(self.outcome)]))

    @classmethod
    def parse(cls, text: str, seat: int | None = None) -> Self:
        """The step that ``text`` spells: ``bm 6 9 p0=01 dice=110``."""
        words = text.split()
        bits = [w.partition("=") for w in words if "=" in w]
        move = Move.parse(" ".join(w for w in words if "=" not in w))
        return cls(move, tuple((name, value) for name, _, value in bits), seat)

    def bits(self, register: str) -> str | None:
        """The bits of one register, bit 0 first; None if the fragment has no such register."""
        return dict(self.outcome).get(register)

    def seen_by(self, seat: int | None) -> Self:
        """The step as ``seat`` (None: a spectator) may know it; what is not theirs reads ``?``."""
        outcome = tuple(
            (name, bits if readable(name, seat) else UNREAD * len(bits))
            for name, bits in self.outcome
        )
        move = self.move if self.seat is not None and self.seat == seat else self.move.masked()
        return replace(self, move=move, outcome=outcome)


def readable(register: str, seat: int | None) -> bool:
    """Whether ``seat`` may read a classical register: by its name alone."""
    if register == "sealed":
        return False
    owner = re.fullmatch(r"p(\d+)", register)
    return owner is None or (seat is not None and int(owner[1]) == seat)


@dataclass(frozen=True)
class Result:
    """How a match ended."""

    winner: int | None
    reason: str
    points: tuple[float, ...]
    lines: tuple[tuple[int, ...], ...] = ()
    """Squares that decided it, line by line, for the board to enclose."""


@dataclass(frozen=True)
class Position:
    """What is true now: the quantum state and the classical fields a game adds.

    In a view it is what one seat knows: ``state`` is then that seat's belief.
    """

    state: QuantumState
    to_move: int | None = None
    result: Result | None = None


@dataclass(frozen=True)
class Option:
    """One choice that a match is set up with."""

    default: Any
    choices: tuple[Any, ...]
    help: str


@dataclass(frozen=True)
class Moment:
    """A step as a viewer saw it, with what that viewer and what a spectator knew before it."""

    before: Position
    step: Step
    public: QuantumState
    """A spectator's belief before the step: what is common knowledge."""
    public_after: QuantumState


@dataclass(frozen=True)
class Branch:
    """One outcome of a move: what would be read, how likely, and the position then."""

    outcome: Outcome
    chance: float
    position: Position


@dataclass(frozen=True, eq=False)
class View:
    """All that one seat (None: a spectator) may know; games add fields that follow from it."""

    game: Game
    seat: int | None
    position: Position
    history: tuple[Moment, ...]

    @property
    def belief(self) -> QuantumState:
        """The state as far as this viewer can know it."""
        return self.position.state

    @property
    def record(self) -> tuple[Step, ...]:
        """The record, with ``?`` for each bit that was not this viewer's to read."""
        return tuple(moment.step for moment in self.history)

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the match is over."""
        return self.position.to_move

    @property
    def result(self) -> Result | None:
        """The result, None while the match runs."""
        return self.position.result

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The moves this viewer may choose from: none when it is somebody else's turn."""
        if self.seat is None or self.seat != self.to_move:
            return ()
        return self.game.legal_moves(self.position)

    def outlook(self, move: Move) -> tuple[Branch, ...]:
        """What ``move`` may lead to as far as this viewer knows, likeliest first; dice left out.

        Cards and the like that dice would decide are still open in the resulting positions.
        """
        fragment = without_dice(self.game.fragment(self.position, move))
        branches = []
        for outcome, chance in self.belief.odds(fragment).items():
            state = self.belief.follow(fragment, outcome)
            position = self.game.after(self.position, move, state, dict(outcome))
            branches.append(Branch(outcome, chance, position))
        return tuple(branches)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return (
            self.seat == other.seat
            and self.position == other.position
            and self.record == other.record
            and self._extra() == other._extra()
        )

    def __hash__(self) -> int:
        return hash((self.seat, self.record))

    def _extra(self) -> dict[str, Any]:
        """Fields that a game added."""
        own = {"game", "seat", "position", "history"}
        return {k: getattr(self, k) for k in self.__dataclass_fields__ if k not in own}


class Game(ABC):
    """The rules of one game, set up with its options; draws nothing, rolls no dice.

    A game gives its ``wires``, a start position, the legal moves, the fragment of each and what
    follows from an outcome. Nothing here may depend on what the seat to move cannot know: the rules
    are also asked about positions in a view, whose state is a belief.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    subtitle: ClassVar[str] = ""
    options: ClassVar[Mapping[str, Option]] = {}
    unordered: ClassVar[frozenset[str]] = frozenset()
    """Verbs whose arguments have no order: they are sorted, so that a move has one spelling."""
    automatic: ClassVar[frozenset[str]] = frozenset()
    """Verbs that leave no choice: a panel plays them by itself when nothing else is legal."""
    secretive: ClassVar[bool] = True
    """Whether seats may know different things; only then a curtain falls between two people."""
    opening: ClassVar[Move | None] = None
    """The move that opens a match when setting up needs chance (``deal``)."""

    wires: QuantumRegister
    wire_labels: tuple[str, ...]

    def __init__(self, /, **options: Any) -> None:
        for name, value in options.items():
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise ValueError(f"unknown option {name!r} for {self.key}: expected one of {known}")
            allowed = self.options[name].choices
            if not any(type(value) is type(c) and value == c for c in allowed):
                raise ValueError(
                    f"option {name} of {self.key} is one of {_listed(allowed)}: got {value!r}"
                )
        chosen = {name: option.default for name, option in self.options.items()} | options
        self.option: Mapping[str, Any] = MappingProxyType(chosen)

    @property
    def seats(self) -> int:
        """How many players there are."""
        return 2

    @abstractmethod
    def start(self) -> Position:
        """The position before the first step, all wires as :meth:`preparation` leaves them."""

    def preparation(self) -> QuantumCircuit:
        """The gates that set up the board without chance; none: all wires start in ``|0>``."""
        return self.circuit()

    @abstractmethod
    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Every move of the seat to move; empty when the match is over."""

    @abstractmethod
    def fragment(self, position: Position, move: Move) -> QuantumCircuit:
        """The circuit of ``move``: may depend neither on secret arguments nor on hidden state."""

    @abstractmethod
    def after(
        self, position: Position, move: Move, state: QuantumState, outcome: Mapping[str, str]
    ) -> Position:
        """The position once ``move`` measured ``outcome`` (bits by register), leaving ``state``."""

    def unlisted(self, position: Position) -> tuple[Move, ...]:
        """Moves accepted besides the legal ones and ``resign``, such as the offer of a draw."""
        return ()

    def why_illegal(self, position: Position, move: Move) -> str:
        """One clause that says why ``move`` is not legal."""
        return "not among the legal moves"

    def known(self, position: Position, seat: int | None, belief: QuantumState) -> Position:
        """The position as ``seat`` knows it: games with hidden fields replace those too."""
        return replace(position, state=belief)

    def view(self, seat: int | None, position: Position, history: tuple[Moment, ...]) -> View:
        """The view of ``seat``: games add what they work out from these arguments alone."""
        return View(self, seat, position, history)

    def seat_name(self, seat: int) -> str:
        """What the rules call a seat."""
        return f"player {seat}"

    def circuit(self, *registers: QuantumRegister | ClassicalRegister) -> QuantumCircuit:
        """An empty fragment: the game's wires, then ``registers``."""
        return QuantumCircuit(self.wires, *registers)

    def resigned(self, position: Position) -> Position:
        """The position after the seat to move gave up."""
        loser = position.to_move
        rivals = [seat for seat in range(self.seats) if seat != loser]
        points = tuple(0.0 if seat == loser else 1.0 for seat in range(self.seats))
        winner = rivals[0] if len(rivals) == 1 else None
        return replace(position, to_move=None, result=Result(winner, "resignation", points))

    def normal(self, move: Move) -> Move:
        """The one spelling of ``move``."""
        if move.verb in self.unordered and all(isinstance(a, int) for a in move.args):
            return replace(move, args=tuple(sorted(move.args, key=int)))
        return move


RESIGN = Move("resign")


@dataclass
class _Node:
    """A position on the match's path with what has been worked out about it."""

    position: Position
    fragment: QuantumCircuit | None = None
    """The fragment that led here."""
    secrets: bool = False
    """Whether anything measured so far is hidden from somebody."""
    legal: tuple[Move, ...] | None = None
    beliefs: dict[int | None, QuantumState] = field(default_factory=dict)
    views: dict[int | None, View] = field(default_factory=dict)


class Match:
    """A match in progress: plays moves on Aer, keeps the record, undoes, saves and hands out views.

    ``game`` is a key of ``GAMES``, a Game class or a Game; options of the game go by keyword.
    The same ``seed`` and the same moves give the same match.
    """

    def __init__(
        self, game: str | type[Game] | Game, *, seed: int | None = None, **options: Any
    ) -> None:
        self.game = _game(game, options)
        self.seed = checked_seed(seed)
        self._path = [_Node(self.game.start())]
        self._steps: list[Step] = []
        if self.game.opening:
            self._play(self.game.opening, None)

    # ---- reading -----------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The truth: for tests, teachers and the rules, never for a player."""
        return self._path[-1].position

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the match is over."""
        return self.position.to_move

    @property
    def result(self) -> Result | None:
        """The result, None while the match runs."""
        return self.position.result

    @property
    def record(self) -> tuple[Step, ...]:
        """All steps so far; enough to replay the match exactly."""
        return tuple(self._steps)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The moves of the seat to move; ``resign`` is accepted too, though not listed."""
        node = self._path[-1]
        if node.legal is None:
            node.legal = self.game.legal_moves(node.position)
        return node.legal

    @property
    def fewest_steps(self) -> int:
        """How many steps undo leaves: the opening deal cannot be taken back."""
        return 1 if self.game.opening else 0

    def fragment(self, move: Move | str) -> QuantumCircuit:
        """The circuit that ``move`` would run now."""
        return self._fragment(self.position, self._legal(move))

    def odds(self, move: Move | str) -> dict[str, float]:
        """Exact odds of what ``move`` would measure, from what the seat to move knows; no dice."""
        chosen = self._legal(move)
        view = self.view(self.to_move)
        fragment = self._fragment(view.position, chosen)
        table = view.belief.odds(fragment, wire_registers(fragment))
        # a half, not 0.5000000000000001: what is beyond twelve decimals is rounding anyway
        return {outcome_text(outcome): round(chance, 12) for outcome, chance in table.items()}

    def view(self, seat: int | None, at: int | None = None) -> View:
        """All that ``seat`` (None: a spectator) may know, now or after the first ``at`` steps."""
        if seat is not None and seat not in range(self.game.seats):
            raise ValueError(
                f"expected a seat from 0 to {self.game.seats - 1} or None: got {seat!r}"
            )
        count = self._count(at)
        node = self._path[count]
        if seat not in node.views:
            known = [self._known(seat, n) for n in range(count + 1)]
            public = [self._belief(None, n) for n in range(count + 1)]
            history = tuple(
                Moment(known[n], self._steps[n].seen_by(seat), public[n], public[n + 1])
                for n in range(count)
            )
            node.views[seat] = self.game.view(seat, known[count], history)
        return node.views[seat]

    def truth(self, at: int | None = None) -> View:
        """Everything, for teachers and tests: a spectator's view with no secrets left out.

        Its position is the true one, now or after the first ``at`` steps. No seat may be shown it
        while the match runs.
        """
        count = self._count(at)
        public = self.view(None, count)
        positions = [node.position for node in self._path[: count + 1]]
        moments = zip(public.history, positions[:-1], self._steps[:count], strict=True)
        history = tuple(
            replace(moment, before=before, step=step) for moment, before, step in moments
        )
        return self.game.view(None, positions[-1], history)

    def circuit(self, dice: bool = False, at: int | None = None) -> QuantumCircuit:
        """Every fragment so far as one circuit, with a labelled barrier before each move.

        A classical register is named after its own and the number of its step (``fixed_4``). Dice
        that touch none of the game's wires are left out unless ``dice``; with ``at`` the circuit
        ends after that many steps.
        """
        count = self._count(at)
        whole = QuantumCircuit(self.game.wires, name=self.game.key)
        whole.compose(self.game.preparation(), inplace=True)
        steps = zip(self._steps[:count], self._path[1:], strict=False)
        for number, (step, node) in enumerate(steps):
            assert node.fragment is not None
            part = node.fragment if dice else without_dice(node.fragment)
            clbits: list[Any] = []
            for register in part.cregs:
                own = ClassicalRegister(register.size, f"{register.name}_{number}")
                whole.add_register(own)
                clbits += own
            qubits: list[Qubit] = list(self.game.wires)
            for fresh in part.qregs[1:]:
                ancillas = QuantumRegister(fresh.size, f"{fresh.name}_{number}")
                whole.add_register(ancillas)
                qubits += ancillas
            whole.barrier(self.game.wires, label=str(step.move.masked()))
            whole.compose(part, qubits, clbits, inplace=True)
        _share_bits(whole)
        return whole

    def _count(self, at: object) -> int:
        """How many steps there are at ``at``, None for now; ValueError if it is no step."""
        last = len(self._steps)
        if at is None:
            return last
        if not isinstance(at, int) or isinstance(at, bool) or not 0 <= at <= last:
            raise ValueError(f"expected a step from 0 to {last}: got {at!r}")
        return at

    def rng(self) -> Random:
        """A generator for the computer player to move: its seed is tossed on Aer for this step."""
        return Random(toss(16, _step_seed(self.seed, len(self._steps), 1)))

    # ---- changing ----------------------------------------------------------------------------

    def play(self, move: Move | str) -> Step:
        """Play ``move``: Aer decides its outcome here and nowhere else."""
        return self._play(self._legal(move), self.to_move)

    def undo(self) -> Step:
        """Take back the last step; playing the same move again gives the same outcome."""
        if len(self._steps) <= self.fewest_steps:
            raise ValueError("nothing to undo: the match is at its start")
        self._path.pop()
        return self._steps.pop()

    # ---- saving ------------------------------------------------------------------------------

    def to_json(self) -> str:
        """The match as text: options, seed and the record with every outcome, secrets included."""
        saved = {
            "qgames": SAVE_VERSION,
            "game": self.game.key,
            "options": dict(self.game.option),
            "seed": self.seed,
            "record": [str(step) for step in self._steps],
        }
        return json.dumps(saved, indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Load a saved match by replaying its recorded outcomes; SaveError says what is wrong."""
        saved = _read_save(text)
        try:
            game = _game(saved["game"], saved["options"])
        except ValueError as error:
            raise SaveError(f"this saved match cannot be set up: {error}") from None
        match = cls.__new__(cls)
        match.game, match.seed = game, saved["seed"]
        match._path, match._steps = [_Node(game.start())], []
        for number, line in enumerate(saved["record"]):
            match._replay(number, line)
        if len(match._steps) < match.fewest_steps:
            raise SaveError(
                f"a saved match of {game.key} starts with {str(game.opening)!r}: got no step"
            )
        return match

    # ---- inside ------------------------------------------------------------------------------

    def _play(self, move: Move, seat: int | None) -> Step:
        fragment = self._fragment(self.position, move)
        state, outcome = self.position.state.run(fragment, _step_seed(self.seed, len(self._steps)))
        return self._advance(move, seat, fragment, state, outcome)

    def _replay(self, number: int, line: str) -> None:
        where = f"step {number} {line[:80]!r} of this saved match"
        try:
            step = Step.parse(line)
            opens = not self._steps and self.game.opening is not None
            if opens and step.move != self.game.opening:
                raise SaveError(f"{where}: expected {str(self.game.opening)!r} first")
            move = step.move if opens else self._legal(step.move)
            fragment = self._fragment(self.position, move)
            state = self.position.state.follow(fragment, _all_read(step.outcome))
        except (InvalidMoveError, IllegalMoveError, ImpossibleOutcomeError) as error:
            raise SaveError(f"{where} cannot have happened: {error}") from None
        self._advance(move, None if opens else self.to_move, fragment, state, step.outcome)

    def _advance(
        self,
        move: Move,
        seat: int | None,
        fragment: QuantumCircuit,
        state: QuantumState,
        outcome: Outcome,
    ) -> Step:
        if move == RESIGN:
            position = self.game.resigned(self.position)
        else:
            position = self.game.after(self.position, move, state, dict(outcome))
        step = Step(move, outcome, seat)
        secrets = self._path[-1].secrets or not all(readable(name, None) for name, _ in outcome)
        self._path.append(_Node(position, fragment, secrets))
        self._steps.append(step)
        return step

    def _fragment(self, position: Position, move: Move) -> QuantumCircuit:
        return self.game.circuit() if move == RESIGN else self.game.fragment(position, move)

    def _legal(self, move: Move | str) -> Move:
        chosen = self.game.normal(move if isinstance(move, Move) else Move.parse(move))
        if self.to_move is not None:
            legal = RESIGN if chosen == RESIGN else self._listed(chosen)
            if legal is not None:
                return legal
        turn = (
            "the match is over"
            if self.to_move is None
            else f"{self.game.seat_name(self.to_move)} to move"
        )
        count = len(self._steps)
        why = (
            "no move can be played"
            if self.to_move is None
            else self.game.why_illegal(self.position, chosen)
        )
        raise IllegalMoveError(
            f"illegal move {str(chosen)!r}: {why}; {turn} after {count} step{'s' * (count != 1)}"
        )

    def _listed(self, move: Move) -> Move | None:
        """The legal move that ``move`` equals, as the rules spell it: 5.0 equals 5, and True 1."""
        # comparing arguments first is ten times faster than comparing hundreds of moves
        moves = (*self.legal_moves, *self.game.unlisted(self.position))
        return next((m for m in moves if m.args == move.args and m == move), None)

    def _known(self, seat: int | None, count: int) -> Position:
        return self.game.known(self._path[count].position, seat, self._belief(seat, count))

    def _belief(self, seat: int | None, count: int) -> QuantumState:
        """What ``seat`` must assume: known bits are followed, all others summed over."""
        if not self._path[count].secrets:
            return self._path[count].position.state
        start = count
        while start and seat not in self._path[start].beliefs:
            start -= 1
        belief = self._path[start].beliefs.setdefault(seat, self._path[0].position.state)
        for n in range(start, count):
            node = self._path[n + 1]
            belief = node.beliefs[seat] = self._believed(seat, n, belief)
        return belief

    def _believed(self, seat: int | None, count: int, belief: QuantumState) -> QuantumState:
        """The belief after one more step; shared with a spectator as long as both know the same."""
        seen, public = (self._steps[count].seen_by(who).outcome for who in (seat, None))
        if seat is not None and seen == public and belief is self._belief(None, count):
            return self._belief(None, count + 1)
        fragment = self._path[count + 1].fragment
        assert fragment is not None
        return belief.follow(fragment, seen)


def _share_bits(circuit: QuantumCircuit) -> None:
    """Let the blocks of feed-forward use the circuit's own bits.

    ``compose`` leaves them with those of the fragment, which Qiskit's drawers then do not find.
    """
    for place, item in enumerate(circuit.data):
        if isinstance(item.operation, IfElseOp):
            blocks = []
            for block in item.operation.blocks:
                own = QuantumCircuit(list(item.qubits), list(item.clbits))
                mine = dict(zip(block.qubits + block.clbits, own.qubits + own.clbits, strict=True))
                for inner in block.data:  # whose conditions are about the circuit's bits already
                    qubits = [mine[q] for q in inner.qubits]
                    own.append(inner.operation, qubits, [mine[c] for c in inner.clbits])
                _share_bits(own)
                blocks.append(own)
            circuit.data[place] = item.replace(operation=item.operation.replace_blocks(blocks))


def _listed(choices: Sequence[Any]) -> str:
    if len(choices) > 20 and list(choices) == list(range(choices[0], choices[0] + len(choices))):
        return f"the numbers {choices[0]} to {choices[-1]}"
    return ", ".join(repr(c) for c in choices)


def _game(game: str | type[Game] | Game, options: Mapping[str, Any]) -> Game:
    from qgames.games import GAMES  # here, because every game imports this file

    if isinstance(game, Game):
        return game
    if isinstance(game, str):
        if game not in GAMES:
            raise ValueError(f"unknown game {game!r}: expected one of {', '.join(GAMES)}")
        game = GAMES[game]
    return game(**options)


def checked_seed(seed: object) -> int:
    """A seed as a whole number, a fresh one for None; ValueError for anything else."""
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint32)[0])
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or seed < 0:
        raise ValueError(f"expected a seed that is a whole number from 0 up: got {seed!r}")
    return int(seed)


def _step_seed(seed: int, *step: int) -> int:
    # consecutive Aer seeds can correlate; SeedSequence spreads them
    return int(np.random.SeedSequence((seed, *step)).generate_state(1, np.uint32)[0])


def _all_read(outcome: Outcome) -> Outcome:
    if any(UNREAD in bits for _, bits in outcome):
        raise ImpossibleOutcomeError(f"an outcome is missing in {outcome_text(outcome)!r}")
    return outcome


def _read_save(text: str) -> dict[str, Any]:
    """The fields of a saved match, each of the right type."""
    if not isinstance(text, str):
        raise SaveError(f"expected the text of a saved match: got {type(text).__name__}")
    if len(text) > LARGEST_SAVE:
        size, most = len(text) / 1e6, LARGEST_SAVE / 1e6
        raise SaveError(
            f"a saved match has at most {most:.0f} million characters: got {size:.1f} million"
        )
    try:
        saved = json.loads(text.removeprefix("\ufeff"))  # some editors put a mark in front
    except (ValueError, RecursionError):
        raise SaveError(
            "expected a saved match in JSON: the text is cut off or is no JSON"
        ) from None
    if not isinstance(saved, dict) or "qgames" not in saved:
        raise SaveError("expected a saved match: the JSON has no field 'qgames'")
    version = saved["qgames"]
    if type(version) is not int or not 1 <= version <= SAVE_VERSION:
        raise SaveError(
            f"expected a saved match of version 1 to {SAVE_VERSION}: got version {_short(version)}"
        )
    for name, kind, words in (
        ("game", str, "text"),
        ("options", dict, "an object"),
        ("seed", int, "a whole number"),
        ("record", list, "a list of steps"),
    ):
        value = saved.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise SaveError(f"field {name!r} of a saved match is {words}: got {_short(value)}")
    if saved["seed"] < 0:
        raise SaveError(f"field 'seed' of a saved match is at least 0: got {_short(saved['seed'])}")
    for line in saved["record"]:
        if not isinstance(line, str):
            raise SaveError(
                f"field 'record' of a saved match is a list of texts: got {_short(line)}"
            )
    return saved


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
