"""What a game shows: one scene a game, from a view to text of SVG and HTML; it decides nothing.

A scene is a module-level object ``SCENE`` in ``qgames/draw/<key>.py``. Every method takes the
view of the one who looks, so a drawing cannot hold what its viewer may not know. Classes of
elements and the tokens they use are in ``theme.py``; ``data-square``, ``data-verb`` (with
``data-secret``, ``data-slot``), ``data-move`` and ``data-step`` on an element say what a click on
it means to the panel.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from qgames.choice import Choice, Square
from qgames.core import Branch, Move, Position, Step, View
from qgames.draw import glyphs, kets
from qgames.draw.svg import inline
from qgames.i18n import Html, _, fill, listed, ngettext
from qgames.quantum import Vector


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
    values: Mapping[Move, float] = field(default_factory=dict)
    """What each legal move is worth, 1 a win and -1 a loss, while hints are shown; else empty."""
    names: tuple[str, ...] = ()
    """What each seat's chip calls its player: ``you``, ``CPU greedy``, ..."""


class Scene(ABC):
    """Drawings and words of one game."""

    board_size: int = 360
    """CSS pixels of the board's width in the wide layout."""
    group_columns: int = 1
    """How many entangled groups stand side by side in the state pane."""
    left: tuple[str, ...] = ("board", "hand", "odds")
    """Panes of the left column of the wide layout, in reading order."""
    right: tuple[str, ...] = ("circuit", "state")
    """Panes of the right column."""

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
        return _("to move")

    def score(self, view: View, seat: int) -> str:
        """The number in a seat's chip."""
        return ""

    def player(self, seat: int) -> str:
        """What sentences call a seat that is not the viewer's own."""
        return _("Player {number}").format(number=seat)

    def seat_hue(self, seat: int) -> str:
        """The token of a seat's colour."""
        return glyphs.SIDES[seat]

    def seat_mark(self, x: float, y: float, r: float, seat: int, digit: bool = False) -> str:
        """SVG of a seat's badge, centred on (x, y); with its digit where there is room."""
        return glyphs.seat_mark(x, y, r, seat, digit)

    def seat_badge(self, seat: int, size: float = 13, digit: bool = False) -> Html:
        """A seat's badge as a drawing of its own, for a line of text."""
        return inline(size, self.seat_mark(size / 2, size / 2, size / 2 - 1.5, seat, digit))

    def move_phrase(self, move: Move) -> str:
        """A move in a sentence, for "If you play ..." and the Play button: ``M on 5``."""
        return self.move_label(move)

    def deed(self, view: View, move: Move) -> str:
        """HTML of what a move does, as the start of a sentence: ``Bell measurement of ...``."""
        return escape(self.move_phrase(move))

    def things(self, view: View, wires: Sequence[int]) -> str:
        """HTML that names wires in a sentence: ``planet 6``, ``planets 6 and 9``."""
        names = listed([fill("<b>{name}</b>", name=view.game.wire_labels[w]) for w in wires])
        return fill(ngettext("qubit {names}", "qubits {names}", len(wires)), names=names)

    def wire_of(self, view: View, word: Square) -> int | None:
        """The wire that an argument of a move names; None if it names none."""
        labels = view.game.wire_labels
        return labels.index(str(word)) if str(word) in labels else None

    def branch_hue(self, view: View, branch: Branch, move: Move) -> str:
        """The token that fills an outcome's pie; a side's hue where the outcome is that side's."""
        return "ink2"

    def hand_title(self, view: View) -> str:
        """The heading of the controls."""
        return _("Hand")

    def hand_caption(self, view: View) -> str:
        """One line of HTML beside the heading of the controls."""
        return ""

    # ---- circuit and state -------------------------------------------------------------------

    def opening_steps(self, view: View) -> int:
        """How many first steps the circuit shows as the wires' first glyphs instead of gates."""
        return 1 if view.game.opening else 0

    def fixed(self, position: Position, wire: int) -> int | None:
        """The side that a wire belongs to for good: its line becomes double in that side's hue."""
        return None

    def registers(self, view: View) -> tuple[str, ...]:
        """Classical registers that always have a line in the circuit; others get one when used."""
        return ()

    def register_label(self, register: str) -> tuple[str, int | None]:
        """What a classical register is called, and the seat whose badge stands beside it."""
        return register, None

    def wires_drawn(self, view: View, touched: frozenset[int]) -> tuple[int, ...]:
        """The wires with a line in the circuit: all, or of very many those that moves touched."""
        every = range(view.game.wires.size)
        return tuple(w for w in every if len(every) <= 16 or w in touched)

    def tiles(self, view: View) -> tuple[int, ...]:
        """The wires that get a tile of their own in the state pane."""
        return tuple(range(view.game.wires.size)) if view.game.wires.size <= 16 else ()

    def wire_text(self, view: View, wire: int) -> str:
        """The text under a wire's glyph in its tile: ``|+>`` with its bracket, ``?``, ..."""
        return ""

    def count_text(self, view: View) -> str:
        """What the circuit has how many of: ``9 planets``."""
        count = view.game.wires.size
        return ngettext("{count} qubit", "{count} qubits", count).format(count=count)

    def members(self, view: View, wires: Sequence[int]) -> str:
        """HTML that names the members of an entangled group: ``planets 6 and 9``."""
        names = listed([fill("<b>{name}</b>", name=view.game.wire_labels[w]) for w in wires])
        return fill(_("qubits {names}"), names=names)

    def turned(self, view: View, wires: Sequence[int], vector: Vector) -> Vector:
        """A group's vector with the phase that the game shows: its first ket real and positive."""
        return kets.phase_fixed(vector, wires)

    def ket_name(self, view: View, wires: Sequence[int], digits: str) -> str:
        """What stands in a ket of a group: its digits, one a wire."""
        return digits

    def form(self, view: View, wires: Sequence[int], vector: Vector) -> str:
        """A group's state in short: ``P+ = (|00⟩ + |11⟩)/√2``; empty where its rows say it all."""
        name, form = kets.bell_name(vector), kets.closed_form(vector)
        return f"{name} = {form}" if name else form

    def tiles_caption(self, view: View) -> str:
        """HTML above the tiles."""
        return _("<b>Each qubit on its own</b> state, and chance of measuring 1")

    def group_hue(self, letter: int) -> str:
        """The token of an entangled group's hue; group A has letter 0."""
        return ("ga", "gb", "gc", "gd")[letter % 4]

    def legend(self, view: View) -> tuple[tuple[str, str], ...]:
        """(SVG, HTML) pairs of the game's own glyphs, for the folded legend."""
        return ()

    def board_caption(self, view: View) -> str:
        """What stands beside the heading of the board."""
        return ""

    def refusal(self, view: View, verb: str) -> str:
        """Why a card or kind of move cannot be taken, and what to do."""
        return _("No legal move uses {verb} now: choose another one.").format(verb=verb.upper())

    def rules(self, view: View) -> str:
        """HTML of the rules in short."""
        return ""
