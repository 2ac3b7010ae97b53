"""What QLANET shows; the modules ``qlanet_*`` beside this one draw the parts."""

from __future__ import annotations

from collections.abc import Sequence

from qgames.core import Branch, Move, Position, Step, View
from qgames.draw import glyphs, kets
from qgames.draw.known import group_of
from qgames.draw.qlanet_board import SIZE, board, hue_of, thumbnail
from qgames.draw.qlanet_facts import facts
from qgames.draw.qlanet_hand import hand, hand_seat
from qgames.draw.qlanet_outlook import aftermath, consequence
from qgames.draw.qlanet_words import (
    bold,
    move_label,
    move_phrase,
    own,
    player,
    position,
    result_read,
    rules,
    rules_of,
    status,
    typed,
)
from qgames.draw.scene import Look, Scene
from qgames.draw.svg import svg
from qgames.games.qlanet import CARDS, PLANETS, QlanetPosition
from qgames.i18n import Html, _, fill, ngettext


class QlanetScene(Scene):
    """Nine planets, a hand of cards, and the words that go with them."""

    board_size = SIZE

    def board(self, view: View, look: Look) -> str:
        """Nine planets on their eight lines, threads, knowledge marks and the choice."""
        return board(own(view), look)

    def board_caption(self, view: View) -> str:
        """What the keyboard does."""
        return _("keys 1–9 choose planets")

    def controls(self, view: View, look: Look) -> str:
        """The viewer's hand as cards, the other hand as pills."""
        return hand(own(view), look)

    def hand_caption(self, view: View) -> str:
        """Where cards come from."""
        if rules_of(view).any_card:
            return _("practice: every card is always at hand")
        return _("a played card is replaced at random")

    def thumbnail(self, view: View, branch: Branch, move: Move) -> str:
        """The nine planets after ``branch``, those that changed on the mark's yellow."""
        return thumbnail(view, branch, move)

    def consequence(self, view: View, branch: Branch, move: Move) -> str:
        """What changes, what it is worth, and what the other player will see."""
        return consequence(view, branch, move)

    def branch_hue(self, view: View, branch: Branch, move: Move) -> str:
        """A measurement's outcome has its side's hue."""
        fixed = dict(branch.outcome).get("fixed")
        return "ink2" if fixed is None else f"s{fixed}"

    def aftermath(self, view: View, move: Move) -> str:
        """The cost, who moves next, and both totals on a line."""
        return aftermath(view, move)

    def move_label(self, move: Move) -> str:
        """``BM 6,9``, ``CX0 6→9``, ``M 5``."""
        return move_label(move)

    def move_phrase(self, move: Move) -> str:
        """``M on 5``, ``CX0, 6 → 9``, ``BM on 6, 9``."""
        return move_phrase(move)

    def result_label(self, view: View, step: Step) -> str:
        """The fixed value, or the Bell state if it was the viewer's to read."""
        return result_read(step)

    def status(self, view: View, look: Look) -> str:
        """What happened and what to do."""
        return status(own(view), look)

    def score(self, view: View, seat: int) -> str:
        """The cost so far."""
        return str(position(view).totals[seat])

    def player(self, seat: int) -> str:
        """``Player 0``, who collects ``0!``, and ``Player 1``."""
        return player(seat)

    def refusal(self, view: View, verb: str) -> str:
        """Why a card cannot be taken."""
        held = position(view).hands[hand_seat(own(view))]
        if verb in CARDS and verb not in held:
            return fill(_("There is no card <b>{card}</b> in this hand."), card=verb.upper())
        words = _("Card <b>{card}</b> has no target now. Choose another card.")
        return fill(words, card=verb.upper())

    def rules(self, view: View) -> str:
        """The rules in short; cards and costs are those of this match."""
        return Html("".join(f"<p>{part}</p>" for part in rules(rules_of(view))))

    # ---- circuit and state -----------------------------------------------------------------------

    def wire_glyph(self, view: View, wire: int, x: float, y: float, r: float) -> str:
        """The planet's disc, as on the board."""
        return glyphs.planet(x, y, r, own(view).symbol(wire + 1), hue_of(group_of(view, wire)))

    def fixed(self, position: Position, wire: int) -> int | None:
        """The side a planet is fixed for."""
        assert isinstance(position, QlanetPosition)
        return position.fixed[wire]

    def registers(self, view: View) -> tuple[str, ...]:
        """The fixed bits, and where BM is in play each player's own Bell bits."""
        return ("fixed", "p0", "p1") if "bm" in rules_of(view).cards else ("fixed",)

    def register_label(self, register: str) -> tuple[str, int | None]:
        """``fixed``, and ``Bell`` with the badge of the player who alone reads it."""
        if register in ("p0", "p1"):
            return _("Bell"), int(register[1])
        return (_("fixed"), None) if register == "fixed" else (register, None)

    def count_text(self, view: View) -> str:
        """Nine planets."""
        words = ngettext("{count} planet", "{count} planets", len(PLANETS))
        return words.format(count=len(PLANETS))

    def members(self, view: View, wires: Sequence[int]) -> str:
        """``planets 6 and 9``."""
        return fill(_("planets {names}"), names=bold([w + 1 for w in wires]))

    def tiles_caption(self, view: View) -> str:
        """Above the nine tiles."""
        return _("<b>Each planet on its own</b> &#160;state, and chance of measuring 1")

    def wire_text(self, view: View, wire: int) -> str:
        """The planet's ket, its group's letter, or ``?`` where the board shows it."""
        symbol = own(view).symbol(wire + 1)
        if symbol == "?":
            return "?"
        found = group_of(view, wire)
        return found.name if symbol == "E" and found else kets.ket(typed(symbol[0]))

    def facts(self, view: View) -> str:
        """What a ``?`` may be, and the viewer's own Bell codes."""
        return facts(own(view))

    def legend(self, view: View) -> tuple[tuple[str, str], ...]:
        """The eight conditions and the marks."""

        def disc(symbol: str) -> str:
            return svg(30, 30, glyphs.planet(15, 15, 10.5, symbol, "ga"))

        strand = svg(30, 12, glyphs.thread((-9, 6), (39, 6), 12, "ga"))
        return (
            (disc("0"), _("<b>zero</b> measures 0 for certain")),
            (disc("1"), _("<b>one</b> measures 1 for certain")),
            (disc("+"), _("<b>plus</b> 50 : 50, blue half on the left")),
            (disc("-"), _("<b>minus</b> 50 : 50, mirrored: opposite sign")),
            (disc("0!"), _("<b>fixed 0</b> ring: owned for good")),
            (disc("1!"), _("<b>fixed 1</b> ring: owned for good")),
            (disc("?"), _("<b>unknown</b> to this viewer")),
            (disc("E"), _("<b>entangled</b> hue and letter of its group")),
            (
                svg(30, 30, glyphs.small_unknown(15, 15)),
                _("<b>small ?</b> the other player sees ?"),
            ),
            (strand, _("<b>thread</b> joins one entangled group")),
        )


SCENE = QlanetScene()
