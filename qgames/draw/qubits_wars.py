"""What The |Qubits> Wars shows; the modules ``qubits_wars_*`` beside this one draw the parts.

The board is the circuit, so there is no circuit pane of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from qgames.core import Branch, Move, Step, View
from qgames.draw import glyphs
from qgames.draw.known import remembered
from qgames.draw.qubits_wars_board import WIDTH, board, caption
from qgames.draw.qubits_wars_hand import controls
from qgames.draw.qubits_wars_sheet import facts
from qgames.draw.qubits_wars_words import (
    chance_words,
    move_label,
    own,
    player,
    rules,
    rules_of,
    status,
    table,
    verb_name,
)
from qgames.draw.scene import Look, Scene
from qgames.draw.svg import rect, svg
from qgames.games.qubits_wars import WarsPosition, WarsView
from qgames.games.qubits_wars_circuit import symbols_of
from qgames.i18n import Html, _, fill, listed, ngettext


class QubitsWarsScene(Scene):
    """A shared circuit, a hand of cards, a secret mission, shots and score sheets."""

    board_size = WIDTH
    left = ("board", "hand", "odds")
    right = ("state",)

    def board(self, view: View, look: Look) -> str:
        """The shared circuit with its noise places, symbols and results."""
        return board(own(view), look)

    def board_caption(self, view: View) -> str:
        """Round, mode, phase and the draw pile."""
        return caption(own(view))

    def controls(self, view: View, look: Look) -> str:
        """The viewer's hand, buttons for what is no card, and the mission."""
        return controls(own(view), look)

    def hand_title(self, view: View) -> str:
        """The hand, or the answers to a card."""
        return _("Answer") if table(view).stack and view.to_move == view.seat else _("Hand")

    def hand_caption(self, view: View) -> str:
        """What a turn is."""
        return _("play 1 (2 for a CNOT), then draw 1")

    def thumbnail(self, view: View, branch: Branch, move: Move) -> str:
        """The symbols or the result after ``branch``, one tile a line."""
        shown = dict(branch.outcome).get("result") or _symbols(branch.position)
        parts = [rect(0.5, 0.5, 53, 53, 6, "sunken", "line", 1)]
        for q, symbol in enumerate(shown):
            x, y = 16 + 22 * (q % 2), 12 + 15 * (q // 2)
            parts.append(glyphs.planet(x, y, 7, symbol))
        return svg(54, 54, "".join(parts), _("the lines then"))

    def consequence(self, view: View, branch: Branch, move: Move) -> str:
        """New symbols and the viewer's chances, or what a shot reads."""
        read = dict(branch.outcome).get("result")
        if read is not None:
            return fill(_("The shot reads <b>{bits}</b>."), bits=read)
        wars = own(view)
        now, then = _symbols(wars.position), _symbols(wars.preview(move))
        changed = [
            fill("q{q} {a} → <b>{b}</b>", q=q, a=_minus(a), b=_minus(b))
            for q, (a, b) in enumerate(zip(now, then, strict=True))
            if a != b
        ]
        words = ", ".join(changed) or _quiet(move)
        return Html(f"{words}<br/>{chance_words(wars, wars.preview(move))}")

    def aftermath(self, view: View, move: Move) -> str:
        """What the odds leave out."""
        hidden = [q for q, n in enumerate(table(view).noises) if n and n.kind == "?"]
        if not hidden:
            return ""
        lines = ", ".join(f"q{q}" for q in hidden)
        words = fill(_("Not counted: the face-down noise on {lines}."), lines=lines)
        return Html(f'<div class="qg-after"><p class="qg-sub">{words}</p></div>')

    def move_label(self, move: Move) -> str:
        """``H q0``, ``CNOT q0→q3``."""
        return move_label(move)

    def result_label(self, view: View, step: Step) -> str:
        """What a shot read."""
        return step.bits("result") or ""

    def status(self, view: View, look: Look) -> str:
        """What happened and what to do."""
        return status(own(view), look)

    def wire_glyph(self, view: View, wire: int, x: float, y: float, r: float) -> str:
        """The line's symbol as its state says."""
        return glyphs.planet(x, y, r, _on_wires(own(view))[wire], "gd")

    def score(self, view: View, seat: int) -> str:
        """The points so far."""
        return str(table(view).totals[seat])

    def role(self, view: View, seat: int) -> str:
        """Whether a seat plays or answers."""
        return _("to answer") if table(view).stack else _("to move")

    def player(self, seat: int) -> str:
        """``Player 2``."""
        return player(seat)

    def tiles_caption(self, view: View) -> str:
        """What the wires hold: before the CNOT zone, after it, or what was read."""
        stage = table(view).stage
        if stage == "measure" and not table(view).shots:
            return _("<b>After the CNOT zone</b> &#160;state, and chance of measuring 1")
        if table(view).shots:
            return _("<b>After the last shot</b> &#160;the next one starts anew from |0…0⟩")
        return _("<b>Before the CNOT zone</b> &#160;state, and chance of measuring 1")

    def deed(self, view: View, move: Move) -> str:
        """A card as its label says; ``allow`` is no card."""
        return _("No answer") if move.verb == "allow" else super().deed(view, move)

    def things(self, view: View, wires: Sequence[int]) -> str:
        """``line q0``, ``lines q0 and q3``."""
        names = listed([fill("<b>q{line}</b>", line=w) for w in wires])
        return fill(ngettext("line {names}", "lines {names}", len(wires)), names=names)

    def members(self, view: View, wires: Sequence[int]) -> str:
        """``lines q0 and q3``."""
        names = listed([f"q{w}" for w in wires])
        return fill(_("lines {names}"), names=names)

    def group_hue(self, letter: int) -> str:
        """Players have the other hues here."""
        return "gd"

    def seat_hue(self, seat: int) -> str:
        """Players own no basis state, so they have the hues of groups."""
        return glyphs.PLAYERS[seat]

    def seat_mark(self, x: float, y: float, r: float, seat: int, digit: bool = False) -> str:
        """Disc, diamond, triangle, square, pentagon."""
        return glyphs.player_mark(x, y, r, seat, digit)

    def count_text(self, view: View) -> str:
        """How many lines there are."""
        return _("{count} lines").format(count=rules_of(view).lines)

    def facts(self, view: View) -> str:
        """Before and after the CNOT zone, shots, why, and the sheets."""
        return facts(own(view))

    def refusal(self, view: View, verb: str) -> str:
        """Why a card cannot be taken."""
        return fill(_("<b>{card}</b> cannot be played now."), card=verb_name(verb))

    def rules(self, view: View) -> str:
        """The rules in short, and whose design the cards are."""
        return Html("".join(f"<p>{part}</p>" for part in rules(rules_of(view))))


def _on_wires(view: WarsView) -> str:
    """The symbols of the state as it is, also after a shot."""
    return remembered(view, "wires", lambda: table(view).symbols)


def _symbols(position: object) -> str:
    assert isinstance(position, WarsPosition)
    return position.recorded or symbols_of(position.initial, position.operations)


def _minus(symbol: str) -> str:
    return symbol.replace("-", "−")


def _quiet(move: Move) -> str:
    """What a move does that changes no symbol."""
    if move.verb in ("change", "pass", "allow", "stop"):
        return _("The board stays as it is.")
    return _("No symbol changes.")


SCENE = QubitsWarsScene()
