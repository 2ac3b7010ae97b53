"""The panel of a match for notebooks: board, circuit and state side by side."""

from qgames.widget.panel import MatchWidget, play

__all__ = ["MatchWidget", "play"]
