"""What a game shows: one scene a game, from a view to text of SVG and HTML; it decides nothing.

A scene is a module-level object ``SCENE`` in ``qgames/draw/<key>.py``. Every method takes the view of the one who
looks, so a drawing cannot hold what its viewer may not know. Classes of elements and the tokens they use
are in ``theme.py``; ``data-square``, ``data-verb`` (with ``data-secret``, ``data-slot``), ``data-move`` and
``data-step`` on an element say what a click on it means to the panel.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from qgames.choice import Choice, Square
from qgames.core import Branch, Move, Step, View


@dataclass(frozen=True)
class Look:
    """How a view is looked at: the half-made choice and the state of the panel."""

    choice: Choice = field(default_factory=Choice)
    slot: int | None = None
    """Which of several equal cards was clicked."""
    targets: frozenset[Square] = frozenset()
    """Squares that may be picked next; lit only once a card or piece is chosen."""
    move: Move | None = None
    """The complete move, when the choice is one: previewed, not yet played."""
    ghost: Branch | None = None
    """The outcome hovered or focused among the odds: drawn as a ghost on the board."""
    refused: Square | None = None
    """The square that was tried and is not legal."""
    disabled: bool = False
    """Looking back, somebody else's turn, or over."""
    names: tuple[str, ...] = ()
    """What each seat's chip calls its player: ``you``, ``CPU greedy``, ..."""


class Scene(ABC):
    """Drawings and words of one game."""

    board_size: int = 360
    """CSS pixels of the board's width in the wide layout."""

    @abstractmethod
    def board(self, view: View, look: Look) -> str:
        """SVG of the board, ``role="grid"``; cells carry ``data-square`` and a full label."""

    @abstractmethod
    def controls(self, view: View, look: Look) -> str:
        """HTML of what a move is made with: a hand of cards, a choice of verbs."""

    @abstractmethod
    def thumbnail(self, view: View, branch: Branch, move: Move) -> str:
        """SVG, 54 pixels, of the board after ``branch`` with what changed marked."""

    @abstractmethod
    def consequence(self, view: View, branch: Branch, move: Move) -> str:
        """One line of HTML: what this outcome means to the viewer."""

    @abstractmethod
    def move_label(self, move: Move) -> str:
        """Short text of a move for brackets and chips: ``BM 6,9``."""

    @abstractmethod
    def status(self, view: View, look: Look) -> str:
        """One or two sentences of HTML: what happened, what to do."""

    @abstractmethod
    def wire_glyph(self, view: View, wire: int, x: float, y: float, r: float) -> str:
        """SVG of a wire's present value, centred on (x, y)."""

    def aftermath(self, view: View, move: Move) -> str:
        """HTML under the odds: cost and who moves next; empty where there is nothing to say."""
        return ""

    def result_label(self, view: View, step: Step) -> str:
        """What the viewer read at this step, for its chip: ``S-``; empty if nothing."""
        return ""

    def facts(self, view: View) -> str:
        """HTML at the foot of the state pane: hidden facts with their odds, secret codes."""
        return ""

    def role(self, view: View, seat: int) -> str:
        """What a chip says beside the name when that seat is to move."""
        return "to move"

    def score(self, view: View, seat: int) -> str:
        """The number in a seat's chip."""
        return ""
