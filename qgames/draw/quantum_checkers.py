"""What quantum checkers shows; the modules ``quantum_checkers_*`` beside it draw the parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qgames.choice import Choice
from qgames.core import Branch, Move, Step, View
from qgames.draw import kets
from qgames.draw.glyphs import HUES, group_letter, thread
from qgames.draw.quantum_checkers_board import (
    SIZE,
    board,
    dagger,
    share,
    solid,
    thumbnail,
    wire_glyph,
)
from qgames.draw.quantum_checkers_words import (
    certain,
    consequence,
    is_hit,
    members,
    move_label,
    move_phrase,
    player,
    position,
    result_read,
    rules,
    rules_of,
    status,
)
from qgames.draw.scene import Look, Scene
from qgames.draw.svg import circle, escape, svg
from qgames.games.quantum_checkers import OFFER, SIDE, SQUARES
from qgames.i18n import Html, _, fill, listed, ngettext
from qgames.quantum import Vector


class CheckersScene(Scene):
    """Thirty-two squares, pieces on several of them, and the words that go with them."""

    board_size = SIZE
    group_columns = 2

    def board(self, view: View, look: Look) -> str:
        """Pieces as pies with threads, the last move, the choice and where it leads."""
        return board(view, look)

    def board_caption(self, view: View) -> str:
        """What the numbers are."""
        return _("numbers in pieces: chance in %")

    def hand_title(self, view: View) -> str:
        """The kinds of move."""
        return _("Move")

    def hand_caption(self, view: View) -> str:
        """The capture rule, if it is not the usual one."""
        rule = rules_of(view).option["capture_rule"]
        if rule == "projective":
            return _("capture rule: projective")
        return _("capture rule: cat") if rule == "cat" else ""

    def controls(self, view: View, look: Look) -> str:
        """Classical, Quantum, Capture; where they apply Accept and Decline, or Stop."""
        now = position(view)
        if now.offered:
            kinds = [("accept", _("Accept the draw")), ("decline", _("Decline"))]
        else:
            kinds = [
                ("move", _("Classical")),
                ("quantum", _("Quantum")),
                ("jump", _("Capture")),
            ]
            if rules_of(view).option["chain_optional"]:
                kinds.append(("stop", _("Stop")))
        buttons = "".join(_kind(view, look, verb, words) for verb, words in kinds)
        label = escape(_("Kind of move"))
        row = buttons + _offer(view, look)
        return Html(f'<div class="qg-row" role="group" aria-label="{label}">{row}</div>')

    def thumbnail(self, view: View, branch: Branch, move: Move) -> str:
        """The squares round the move after ``branch``."""
        return thumbnail(view, branch, move)

    def consequence(self, view: View, branch: Branch, move: Move) -> str:
        """What moves, what is hit, where a piece is found."""
        return consequence(view, branch, move)

    def branch_hue(self, view: View, branch: Branch, move: Move) -> str:
        """A hit has the mover's hue, a miss the other side's."""
        bits = dict(branch.outcome).get("cap")
        if bits is None or view.to_move is None:
            return "ink2"
        return f"s{view.to_move if is_hit(bits) else 1 - view.to_move}"

    def aftermath(self, view: View, move: Move) -> str:
        """What exactly is measured."""
        words = _measured(view, move)
        return Html(f'<div class="qg-after"><p class="qg-sub">{words}</p></div>') if words else ""

    def move_label(self, move: Move) -> str:
        """``22–17``, ``22~17``, ``22×15``."""
        return move_label(move)

    def move_phrase(self, move: Move) -> str:
        """``quantum 22 → 17``."""
        return move_phrase(move)

    def result_label(self, view: View, step: Step) -> str:
        """``hit``, ``miss``, ``empty``, ``occupied``."""
        return result_read(step)

    def status(self, view: View, look: Look) -> str:
        """What happened and what to do."""
        return status(view, look)

    def score(self, view: View, seat: int) -> str:
        """How many pieces there are, on average."""
        return f"{position(view).existence(seat):.1f}"

    def player(self, seat: int) -> str:
        """White or Black."""
        return player(seat)

    def refusal(self, view: View, verb: str) -> str:
        """Why a kind of move cannot be taken."""
        if verb == "jump":
            return _("No piece can capture now. Choose Classical or Quantum.")
        if verb == "stop":
            return _("No chain of captures is under way.")
        return _("Every piece that could move must capture first. Choose Capture.")

    def rules(self, view: View) -> str:
        """The rules in short, with the capture rule of this match."""
        return Html("".join(f"<p>{part}</p>" for part in rules(rules_of(view))))

    # ---- circuit and state -----------------------------------------------------------------------

    def seat_mark(self, x: float, y: float, r: float, seat: int, digit: bool = False) -> str:
        """A man of the seat's colour, which says more than a digit."""
        return solid(x, y, r, seat, False)

    def wire_glyph(self, view: View, wire: int, x: float, y: float, r: float) -> str:
        """The piece on a square, or how much of one is in a grave."""
        return wire_glyph(view, wire, x, y, r)

    def count_text(self, view: View) -> str:
        """Squares; graves are not counted."""
        return _("32 squares")

    def wires_drawn(self, view: View, touched: frozenset[int]) -> tuple[int, ...]:
        """The squares and graves of the moves shown; before the first, those White may use."""
        may = {int(a) - 1 for m in view.game.legal_moves(view.position) for a in m.args}
        return tuple(sorted(touched or may))

    def register_label(self, register: str) -> tuple[str, int | None]:
        """``look`` for a forced measurement, ``capture`` for its three bits."""
        return {"f": _("look"), "cap": _("capture")}.get(register, register), None

    def members(self, view: View, wires: Sequence[int]) -> str:
        """``White man on 22 and 17``."""
        return members(view, wires)

    def deed(self, view: View, move: Move) -> str:
        """``Quantum 22 → 17``; talk about a draw in words of its own."""
        said = {
            "offer": _("A draw is offered"),
            "accept": _("The draw is accepted"),
            "decline": _("The draw is declined"),
            "stop": _("The chain of captures stops"),
        }
        return escape(said.get(move.verb, move_phrase(move)))

    def things(self, view: View, wires: Sequence[int]) -> str:
        """``square 22``, ``squares 17 and 22``; ``†24`` is where the piece from 24 lies dead."""
        names = listed([fill("<b>{name}</b>", name=view.game.wire_labels[w]) for w in wires])
        return fill(ngettext("square {names}", "squares {names}", len(wires)), names=names)

    def turned(self, view: View, wires: Sequence[int], vector: Vector) -> Vector:
        """The piece's hindmost square has phase 0: the other parts have moved on from there."""
        squares = [
            n for n, w in enumerate(wires) if w < len(SQUARES) and abs(vector[1 << n]) > 1e-9
        ]
        owner = position(view).owners[wires[squares[0]]] if squares else None
        if owner is None:
            return kets.phase_fixed(vector, wires)
        lead = complex(vector[1 << (squares[0] if SIDE[owner] else squares[-1])])
        turned: Vector = vector * (abs(lead) / lead)
        return np.asarray(turned, dtype=np.complex128)

    def ket_name(self, view: View, wires: Sequence[int], digits: str) -> str:
        """A piece is on exactly one wire: ``22``, ``30K`` for a king, ``†`` for dead."""
        if digits.count("1") != 1:
            return digits
        wire = wires[digits.index("1")]
        if wire >= len(SQUARES):
            return "†"
        return f"{wire + 1}K" if wire + 1 in position(view).kings else str(wire + 1)

    def form(self, view: View, wires: Sequence[int], vector: Vector) -> str:
        """The rows say it all."""
        return ""

    def facts(self, view: View) -> str:
        """The certain pieces of each side, and how much there is in all."""
        rows = []
        for seat in (0, 1):
            words = _("{badge} {certain} &#160; <b>{total}</b> in all")
            total = f"{position(view).existence(seat):.2f}"
            told = fill(
                words, badge=self.seat_badge(seat, 15), certain=certain(view, seat), total=total
            )
            rows.append(f"<div>{told}</div>")
        title = escape(_("Certain pieces"))
        note = escape(
            _("One group is one piece on several squares; pieces never entangle with each other.")
        )
        return Html(
            f'<div class="qg-facts"><div><b>{title}</b></div>{"".join(rows)}'
            f'<div class="qg-sub">{note}</div></div>'
        )

    def legend(self, view: View) -> tuple[tuple[str, str], ...]:
        """Pieces, shares, threads and the gates of moves."""

        def drawn(body: str) -> str:
            return svg(30, 30, body)

        strand = svg(30, 12, thread((-9, 6), (39, 6), 12, HUES[0]))
        cross = circle(15, 15, 8, "bg", "edge", 1.2) + dagger(15, 15)
        return (
            (drawn(solid(15, 15, 12, 0, king=False)), _("<b>White man</b>, certain")),
            (drawn(solid(15, 15, 12, 1, king=True)), _("<b>Black king</b>, certain")),
            (
                drawn(share(15, 15, 14, 0, 0.5, 0, king=False)),
                _("<b>half a piece</b>: the arc and number are its chance"),
            ),
            (
                drawn(share(15, 15, 14, 1, 0.5, 0.5, king=False)),
                _("<b>half dead</b>: the hatched arc is lost"),
            ),
            (drawn(cross), _("<b>†</b> partly dead, and the wire of a grave")),
            (drawn(group_letter(15, 15, "A", HUES[0])), _("<b>letter</b> of a piece's group")),
            (strand, _("<b>thread</b> joins the squares of one piece")),
            ("<b>i</b>", _("iSWAP: a classical move")),
            ("<b>√i</b>", _("root of iSWAP: a quantum move")),
            ("<b>R</b>", _("gives a hit piece its other squares back, as the game's rule has it")),
        )


def _kind(view: View, look: Look, verb: str, words: str) -> str:
    """A button for a kind of move; ruled out ones are struck through."""
    fits = {v for v, _secret in Choice(squares=look.choice.squares).verbs(view)}
    on = look.choice.verb == verb or (look.move is not None and look.move.verb == verb)
    off = look.disabled or verb not in fits
    shut = " disabled" if off else ""
    out = "" if look.disabled else " qg-out"
    return (
        f'<button type="button" class="qg-btn{out}" data-verb="{verb}"'
        f' aria-pressed="{str(on).lower()}"{shut}>{escape(words)}</button>'
    )


def _offer(view: View, look: Look) -> str:
    """The offer of a draw, where the rules take one now."""
    if view.seat is None or view.seat != view.to_move:
        return ""
    may = OFFER in rules_of(view).unlisted(view.position)
    shut = "" if may and not look.disabled else " disabled"
    words = escape(_("Offer a draw"))
    return (
        '<span class="qg-sp"></span><button type="button" class="qg-btn" data-action="say"'
        f' data-value="offer"{shut}>{words}</button>'
    )


def _measured(view: View, move: Move) -> Html:
    if move.verb == "jump":
        words = (
            _("Measured: attacker and landing square. The victim is not looked at.")
            if rules_of(view).cat
            else _("Measured: attacker, victim and landing square.")
        )
        return Html(escape(words))
    if move.verb in ("move", "quantum") and rules_of(view).is_forced(view.position, move):
        words = _("Measured: square {square}. The turn is used either way.")
        return fill(words, square=move.args[1])
    return Html("")


SCENE = CheckersScene()
