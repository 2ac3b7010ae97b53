"""Quantum board games whose every move is a real circuit, run on Aer.

>>> from qgames import Match
>>> match = Match("qlanet", seed=7)
>>> match.odds("m 1")
{'fixed=0': 0.5, 'fixed=1': 0.5}
"""

from typing import Any

from qgames.core import (
    Game,
    IllegalMoveError,
    InvalidMoveError,
    Match,
    Move,
    Position,
    Result,
    SaveError,
    Step,
    View,
)
from qgames.games import GAMES
from qgames.quantum import ImpossibleOutcomeError, QuantumState

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "Game",
    "IllegalMoveError",
    "ImpossibleOutcomeError",
    "InvalidMoveError",
    "Match",
    "Move",
    "Position",
    "QuantumState",
    "Result",
    "SaveError",
    "Step",
    "View",
    "play",
]


def play(game: str | Match, opponent: str = "greedy", **options: Any) -> Any:
    """The panel of a match, for a notebook (``qgames[lab]``); see :func:`qgames.widget.play`."""
    from qgames.widget import play as panel  # here, so that importing qgames needs no Jupyter

    return panel(game, opponent, **options)
