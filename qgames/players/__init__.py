"""Computer players: each is a function of a view and a random generator that gives a legal move.

A player sees a :class:`~qgames.core.View` and nothing else, so what is hidden from its seat is
hidden from it. The same view and the same state of the generator give the same move; equal moves
are settled by the generator, which the caller seeds.

Every game has the players in ``PLAYERS``. A game adds its own, or better ones of the same name, in
a file here and one line in ``BY_GAME``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from qgames.core import Move, View
from qgames.players import qlanet, quantum_checkers, quantum_tictactoe, qubits_wars
from qgames.players.general import Player, greedy, random_move

PLAYERS: Mapping[str, Player] = {"random": random_move, "greedy": greedy}
"""Players of any game, by name, weakest first."""

BY_GAME: dict[str, Mapping[str, Player]] = {
    "qlanet": qlanet.PLAYERS,
    "quantum_tictactoe": quantum_tictactoe.PLAYERS,
    "quantum_checkers": quantum_checkers.PLAYERS,
    "qubits_wars": qubits_wars.PLAYERS,
}
"""Players that one game adds or replaces, by the game's key."""

HINTS: Mapping[str, Callable[[View], dict[Move, float]]] = {
    "quantum_tictactoe": quantum_tictactoe.move_values,
}
"""For games that are solved, by key: what each legal move is worth, 1 a win and -1 a loss."""

__all__ = ["BY_GAME", "HINTS", "PLAYERS", "Player", "player", "players_of"]


def players_of(game: str) -> dict[str, Player]:
    """Every player of the game with key ``game`` by name, weakest first."""
    return {**PLAYERS, **BY_GAME.get(game, {})}


def player(name: str, game: str) -> Player:
    """The player called ``name`` for the game with key ``game``; ValueError names the choices."""
    known = players_of(game)
    if name not in known:
        raise ValueError(
            f"unknown computer player for {game}: expected one of {', '.join(known)}, got {name!r}"
        )
    return known[name]
