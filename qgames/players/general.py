"""Players that know no game: they use only what every view offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from qgames.core import Move, View

Player = Callable[[View, Random], Move]
"""Chooses one of ``view.legal_moves``; the generator is the only source of chance."""

SAME = 1e-9  # values this close are equal: exact odds still carry rounding errors


def random_move(view: View, rng: Random) -> Move:
    """Any legal move, each as likely."""
    return rng.choice(choices(view))


def greedy(view: View, rng: Random) -> Move:
    """The move that scores most, its outcomes weighed by their exact odds; looks no further.

    Only a result scores, in points compared with the best rival. A game with more to say
    replaces this player by its own.
    """
    assert view.seat is not None
    return best({move: expected_points(view, move) for move in choices(view)}, rng)


def expected_points(view: View, move: Move) -> float:
    """Points of the viewer minus those of the best rival if ``move`` ends the match, else 0."""
    total = 0.0
    for branch in view.outlook(move):
        if branch.position.result is not None:
            points = list(branch.position.result.points)
            own = points.pop(view.seat or 0)
            total += branch.chance * (own - max(points, default=0.0))
    return total


def choices(view: View) -> tuple[Move, ...]:
    """The legal moves of a view; ValueError when its seat has none."""
    moves = view.legal_moves
    if not moves:
        raise ValueError(
            f"seat {view.seat!r} has no move to choose: seat {view.to_move!r} is to move"
        )
    return moves


def best(values: Mapping[Move, float], rng: Random) -> Move:
    """A move of the highest value; the generator settles ties."""
    highest = max(values.values())
    return rng.choice([move for move, value in values.items() if value > highest - SAME])
