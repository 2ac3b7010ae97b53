"""Computer players against each other: seeded matches with sides swapped, and who wins.

Each pair of matches has one seed and swaps the seats, so that neither player gains from moving
first. A whole table is a pure function of its arguments: the same seed gives the same matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from random import Random
from statistics import median
from time import perf_counter
from typing import TextIO

import numpy as np

from qgames.core import Match
from qgames.games import GAMES
from qgames.players import Player, player, players_of, qubits_wars_balance

Z_95 = 1.96
"""Standard deviations each side of a normal mean that hold 95 % of it."""


@dataclass(frozen=True)
class Score:
    """How one player fared against another; a draw counts half."""

    names: tuple[str, str]
    wins: int
    draws: int
    losses: int
    times: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    """Seconds that each player took, move by move."""

    @property
    def matches(self) -> int:
        """How many matches were played."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The first player's points as a part of all."""
        return (self.wins + self.draws / 2) / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the share (Wilson 1927)."""
        n, p = self.matches, self.share
        centre = (p + Z_95**2 / (2 * n)) / (1 + Z_95**2 / n)
        spread = Z_95 * sqrt(p * (1 - p) / n + (Z_95 / (2 * n)) ** 2) / (1 + Z_95**2 / n)
        return max(0.0, centre - spread), min(1.0, centre + spread)


def pairings(game: str) -> list[tuple[str, str]]:
    """Each player of a game against each weaker one."""
    return [(strong, weak) for weak, strong in combinations(players_of(game), 2)]


def compete(
    game: str,
    names: tuple[str, str],
    matches: int,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
    **options: object,
) -> Score:
    """Play ``matches`` matches between two players, sides swapped in turn; ``tick`` after each.

    ValueError for an unknown game or player and for a game that is not for two.
    """
    if matches < 1:
        raise ValueError(f"expected at least 1 match: got {matches}")
    pair = [player(name, game) for name in names]
    wins = draws = 0
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(matches):
        order = [0, 1] if number % 2 == 0 else [1, 0]
        match = Match(game, seed=_seed(seed, number // 2), **options)
        if match.game.seats != 2:
            raise ValueError(f"the arena is for two players: {game} has {match.game.seats} seats")
        for seat, seconds in play_out(match, [pair[n] for n in order], _seed(seed, number, 1)):
            times[order[seat]].append(seconds)
        assert match.result is not None
        wins += match.result.winner == order.index(0)
        draws += match.result.winner is None
        tick()
    spent = (tuple(times[0]), tuple(times[1]))
    return Score(names, wins, draws, matches - wins - draws, spent)


def play_out(match: Match, seats: Sequence[Player], seed: int) -> Iterator[tuple[int, float]]:
    """Play a match to its end, a player a seat; yields the seat and its seconds for each move."""
    rng = Random(seed)
    while (seat := match.to_move) is not None:
        view = match.view(seat)
        started = perf_counter()
        move = seats[seat](view, rng)
        yield seat, perf_counter() - started
        match.play(move)


def _seed(*path: int) -> int:
    return int(np.random.SeedSequence(path).generate_state(1, np.uint32)[0])


# ---- the table -----------------------------------------------------------------------------------

HEADING = (
    f"{'players':<20} {'wins':>5} {'draws':>5} {'losses':>6} {'share':>7}  {'95 %':<13} ms a move"
)


def row(score: Score) -> str:
    """One line of the table: the first player's share, and each one's median and longest time."""
    low, high = (f"{100 * end:.1f}" for end in score.interval)
    speed = ", ".join(
        f"{name} {1000 * median(times):.0f} (at most {1000 * max(times):.0f})"
        for name, times in zip(score.names, score.times, strict=True)
        if times
    )
    return (
        f"{' - '.join(score.names):<20} {score.wins:>5} {score.draws:>5} {score.losses:>6} "
        f"{100 * score.share:>5.1f} %  {f'{low} to {high}':<13} {speed}"
    )


class Progress:
    """A bar on one line of a terminal, drawn anew after each match; silent anywhere else.

    Its own fifteen lines, because a library would be one more thing to install for one command.
    """

    def __init__(self, total: int, stream: TextIO, width: int = 30) -> None:
        self.total, self.stream, self.width = total, stream, width
        self.done, self.label = 0, ""

    def tick(self) -> None:
        """One more match is over."""
        self.done += 1
        full = self.width * self.done // self.total
        self._write(
            f"[{'#' * full}{'.' * (self.width - full)}] {self.done}/{self.total} {self.label}"
        )

    def clear(self) -> None:
        """Take the bar away, so that a line of the table can stand in its place."""
        self._write("")

    def _write(self, text: str) -> None:
        if self.stream.isatty():
            self.stream.write(f"\r\x1b[K{text}")
            self.stream.flush()


SEAT_TABLES: Mapping[str, tuple[int, Callable[[int, int], Iterable[object]]]] = {
    "qubits_wars": (qubits_wars_balance.GAMES_A_ROW, qubits_wars_balance.report)
}
"""Games for more than two: (matches a row, table of how each seat fares) instead of pairs."""
PAIR_MATCHES = 200


def tournament(
    game: str, matches: int | None, seed: int, out: TextIO, progress: TextIO
) -> tuple[Score, ...]:
    """Let every player meet every weaker one, and write the table to ``out`` line by line."""
    if game not in GAMES:
        raise ValueError(f"unknown game {game!r}: expected one of {', '.join(GAMES)}")
    if matches is not None and matches < 1:
        raise ValueError(f"expected at least 1 match: got {matches}")
    if seed < 0:
        raise ValueError(f"expected a seed that is a whole number from 0 up: got {seed}")
    if game in SEAT_TABLES:
        seat_table(game, matches, seed, out)
        return ()
    matches = PAIR_MATCHES if matches is None else matches
    bar = Progress(matches * len(pairings(game)), progress)
    out.write(
        f"{GAMES[game].title}: {matches} match{'es' * (matches != 1)} a pair, sides swapped,"
        f" seed {seed}\n{HEADING}\n"
    )
    scores = []
    for names in pairings(game):
        bar.label = " - ".join(names)
        scores.append(compete(game, names, matches, seed, bar.tick))
        bar.clear()
        out.write(row(scores[-1]) + "\n")
        out.flush()
    return tuple(scores)


def seat_table(game: str, matches: int | None, seed: int, out: TextIO) -> None:
    """Write how each seat of a game for more than two fares, row by row."""
    usual, table = SEAT_TABLES[game]
    count = usual if matches is None else matches
    if count < 1:
        raise ValueError(f"expected at least 1 match: got {count}")
    out.write(f"{GAMES[game].title}: {count} matches a row, first player first, seed {seed}\n")
    for line in table(count, seed):
        out.write(f"{line}\n")
        out.flush()
