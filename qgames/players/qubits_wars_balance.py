"""Seat balance of The |Qubits> Wars: very many rounds between computer players, without a Match.

A Match keeps its record, its beliefs and a state on Aer for every step. Here only the table is
kept: a round's chance is fair bits from Aer (shuffles, and the dice of the sheet for each shot),
and the rules are the game's own. That the dice rule has the odds of the circuit is tested
exactly, so the points come out as in a Match, about fifty times sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from qgames.core import Move
from qgames.games import qubits_wars_circuit as board
from qgames.games.qubits_wars import Prospect, QubitsWars, WarsPosition, chances
from qgames.games.qubits_wars_cards import INSTANTS
from qgames.players.general import Player, random_move
from qgames.players.qubits_wars import greedy, spoiler
from qgames.quantum import sample

GAMES_A_ROW = 1500
ROWS = (
    *((players, "beginner") for players in (2, 3, 4)),
    *((players, "intermediate") for players in (3, 4)),
    (4, "advance"),
)
"""Players and mode of each row, as in the sheet's balance check."""
_WIDTH = 16


class FairBits:
    """A supply of fair bits: qubits in H, measured on Aer, many shots at a time."""

    def __init__(self, seed: int) -> None:
        self._seeds = np.random.SeedSequence(seed)
        self._left: Iterator[str] = iter(())

    def take(self, count: int) -> str:
        """The next ``count`` bits as text."""
        return "".join(next(self._left, "") or self._refilled() for _ in range(count))

    def _refilled(self) -> str:
        circuit = QuantumCircuit(_WIDTH, _WIDTH)
        circuit.h(range(_WIDTH))
        circuit.measure(range(_WIDTH), range(_WIDTH))
        seed = int(self._seeds.spawn(1)[0].generate_state(1, np.uint32)[0])
        shots = sample(circuit, 4096, seed=seed, memory=True)
        assert isinstance(shots, list)
        self._left = iter("".join(shot.partition("=")[2] for shot in shots))
        return next(self._left)


@dataclass(frozen=True)
class Row:
    """What seats got on average, counted from the round's first player."""

    players: int
    mode: str
    games: int
    turns: float
    chance: tuple[float, ...]
    """Exact chance of a main-mission hit on the finished board, by place in the turn order."""
    hits: tuple[float, ...]
    """Share of shots that were hits."""
    points: tuple[float, ...]
    error: float
    """Standard error of ``chance``: the largest of all places."""
    lead: float
    """How far the most striking place is from the mean, in standard errors."""

    @property
    def fair(self) -> bool:
        """No place stands out beyond noise, that is by 3 standard errors."""
        return self.lead < 3

    def __str__(self) -> str:
        chance = " ".join(f"{c:.3f}" for c in self.chance)
        hits = " ".join(f"{h:.3f}" for h in self.hits)
        points = " ".join(f"{p:.2f}" for p in self.points)
        head = f"{self.players} players {self.mode:12} {self.games} games {self.turns:5.1f} turns"
        noise = f"+-{self.error:.3f}, largest {self.lead:.1f} sigma"
        return f"{head}  chance {chance} ({noise})  hits {hits}  points {points}"


def balance(
    player: Player, players: int, mode: str, games: int = GAMES_A_ROW, seed: int = 0
) -> Row:
    """Play ``games`` quick games of one round in which every seat plays alike."""
    game = QubitsWars(seats=players, mode=mode, rounds="quick")
    bits, rng = FairBits(seed), Random(seed)
    finished = [finished_round(game, [player] * players, bits, rng) for _ in range(games)]
    chance = np.array([_by_place(t, _chance) for t in finished])
    hits = np.array([_by_place(t, _hits) for t in finished])
    points = np.array([_by_place(t, _points) for t in finished])
    return Row(
        players,
        mode,
        games,
        float(np.mean([t.turns for t in finished])),
        tuple(map(float, chance.mean(0))),
        tuple(map(float, hits.mean(0))),
        tuple(map(float, points.mean(0))),
        float(chance.std(0).max() / np.sqrt(games)),
        _lead(chance),
    )


def _lead(values: NDArray[np.float64]) -> float:
    """The largest deviation of a place from its table's mean, in standard errors."""
    apart = values - values.mean(1, keepdims=True)
    spread = apart.std(0) / np.sqrt(len(values))
    return float(np.max(np.abs(apart.mean(0)) / np.maximum(spread, 1e-12)))


def _by_place(table: WarsPosition, value: Callable[[WarsPosition, int], float]) -> list[float]:
    """A value of each seat, the round's first player first."""
    seats = len(table.rows)
    return [value(table, (table.first + k) % seats) for k in range(seats)]


def _hits(table: WarsPosition, seat: int) -> float:
    return table.rows[seat].hits / len(table.shots)


def _points(table: WarsPosition, seat: int) -> float:
    return table.rows[seat].points


def _chance(table: WarsPosition, seat: int) -> float:
    return chances(Prospect.of(table), table.rows[seat].mission)[0]


def finished_round(
    game: QubitsWars, players: Sequence[Player], bits: FairBits, rng: Random
) -> WarsPosition:
    """One quick game from deal to score."""
    table = game.moved(game.start(), Move("deal"), _thrown(game, game.start(), Move("deal"), bits))
    while (seat := table.to_move) is not None:
        if table.stack and not INSTANTS.keys() & table.hands[seat]:
            table = game.moved(table, Move("allow"), {})
            continue
        legal = game.legal_moves(table)
        move = legal[0] if len(legal) == 1 else _asked(game, table, players[seat], rng)
        table = _moved(game, table, move, bits)
    return table


def _asked(game: QubitsWars, table: WarsPosition, player: Player, rng: Random) -> Move:
    """The player sees a view as in a match, without its history."""
    seat = table.to_move
    return player(game.view(seat, game.known(table, seat, table.state), ()), rng)


def _moved(game: QubitsWars, table: WarsPosition, move: Move, bits: FairBits) -> WarsPosition:
    after = game.moved(table, move, _thrown(game, table, move, bits))
    if move.verb == "record":
        symbols = board.symbols_of(table.initial, table.operations)
        return replace(after, recorded=board.noisy_symbols(symbols, table.noise_list()))
    if move.verb == "cnot-zone":
        return replace(after, linked=board.entangled_lines(table.recorded, table.cnot_lines))
    return after


def _thrown(game: QubitsWars, table: WarsPosition, move: Move, bits: FairBits) -> dict[str, str]:
    """The outcome of a move by dice."""
    if move.verb in ("deal", "reshuffle", "next-round"):
        return {name: bits.take(count) for name, count in game.tosses(table, move).items()}
    if move.verb == "measure":
        noises = table.noise_list()
        rows = list(board.dice_rows(table.recorded, table.cnot_lines, noises))
        fallen = bits.take(len(rows).bit_length() - 1)
        return {"result": rows[int(fallen or "0", 2)].measured}
    return {}


@dataclass(frozen=True)
class Standing:
    """Mean points and share of wins of different players at one table, seats in turn."""

    names: tuple[str, ...]
    games: int
    points: tuple[float, ...]
    wins: tuple[float, ...]

    def __str__(self) -> str:
        each = zip(self.names, self.points, self.wins, strict=True)
        told = ", ".join(f"{n} {p:.2f} points, {100 * w:.0f} % won" for n, p, w in each)
        return f"at one table, {self.games} games: {told}"


def standing(games: int, seed: int = 0, mode: str = "beginner") -> Standing:
    """Random, greedy and spoiler at one table of three, each in every place as often."""
    seated: dict[str, Player] = {"random": random_move, "greedy": greedy, "spoiler": spoiler}
    game = QubitsWars(seats=len(seated), mode=mode, rounds="quick")
    bits, rng = FairBits(seed + 1), Random(seed)
    points, wins = np.zeros(len(seated)), np.zeros(len(seated))
    for number in range(games):
        turn = [(k + number) % len(seated) for k in range(len(seated))]
        table = finished_round(game, [list(seated.values())[k] for k in turn], bits, rng)
        for seat, k in enumerate(turn):
            points[k] += table.totals[seat]
            wins[k] += table.result is not None and table.result.winner == seat
    shares = (tuple(map(float, total / games)) for total in (points, wins))
    return Standing(tuple(seated), games, *shares)


def report(games: int = GAMES_A_ROW, seed: int = 0) -> Iterator[Row | Standing]:
    """The table of the sheet's balance check with greedy players, then all players at one table."""
    for players, mode in ROWS:
        yield balance(greedy, players, mode, games, seed)
    yield standing(games, seed)
