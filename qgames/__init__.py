"""Quantum board games whose every move is a real circuit, run on Aer.

>>> from qgames import Match
>>> match = Match("qlanet", seed=7)
>>> match.odds("m 1")
{'fixed=0': 0.5, 'fixed=1': 0.5}
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from qgames.inspector import Inspector

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
    "inspect",
    "play",
]


def play(game: str | Match | Path, opponent: str | None = None, **options: Any) -> Any:
    """The panel of a match, for a notebook (``qgames[lab]``); see :func:`qgames.widget.play`.

    ``game`` is a key of ``GAMES``, a Match, or the path of a saved one (``"lesson.json"``).
    """
    from qgames.widget import play as panel  # here, so that importing qgames needs no Jupyter

    return panel(game, opponent, **options)


def inspect(source: Match | View, step: int = -1, **whose: Any) -> "Inspector":
    """A step taken apart, gate by gate; see :class:`qgames.inspector.Inspector`.

    ``step`` counts the record from 0, -1 is the last one. ``seat=0`` shows what seat 0 may know,
    ``truth=True`` (for teachers) everything; a spectator's knowledge is the default.
    """
    from qgames.inspector import Inspector  # here, so that importing qgames draws nothing

    return Inspector(source, step, **whose)
