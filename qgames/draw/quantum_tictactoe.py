"""What quantum tic-tac-toe shows; the modules ``tictactoe_*`` beside this one draw the parts."""

from __future__ import annotations

from collections.abc import Sequence

from qgames.core import Branch, Move, Position, Step, View
from qgames.draw.scene import Look, Scene
from qgames.draw.svg import circle, escape, num, path, svg
from qgames.draw.tictactoe_board import SIZE, board, pill, sign, small_board, small_sign, thumbnail
from qgames.draw.tictactoe_words import (
    bold,
    consequence,
    fell_on,
    move_label,
    move_phrase,
    of,
    place,
    player,
    point_text,
    prospects,
    rules,
    rules_of,
    spooky_name,
    status,
    worth,
)
from qgames.games.quantum_tictactoe import SQUARES, Mark, TicTacToePosition, owner
from qgames.i18n import Html, _, fill, ngettext, percent


class TicTacToeScene(Scene):
    """Nine squares, pairs of spooky marks, and the choice of a collapse."""

    board_size = SIZE

    def board(self, view: View, look: Look) -> str:
        """Squares with spooky and classical marks, threads, the open cycle, the choice."""
        return board(view, look)

    def board_caption(self, view: View) -> str:
        """What the keyboard does."""
        return _("keys 1–9 choose squares")

    def hand_title(self, view: View) -> str:
        """What is to be done."""
        return _("Collapse") if place(view).pending else _("Move")

    def hand_caption(self, view: View) -> str:
        """Who decides a collapse."""
        if place(view).pending is None:
            return ""
        if rules_of(view).by_chance:
            return _("nature decides, half and half")
        if view.seat == view.to_move:
            return _("your choice, no chance involved")
        return _("a choice, no chance involved")

    def controls(self, view: View, look: Look) -> str:
        """The mark to place, or the two boards of a collapse."""
        position = place(view)
        if position.pending is None:
            return _next_mark(view, position)
        boxes = "".join(_choice(view, look, position, s) for s in position.pending.squares)
        note = _same_either_way(position)
        return f'<div class="qg-odds qg-two">{boxes}</div>{note}'

    def thumbnail(self, view: View, branch: Branch, move: Move) -> str:
        """The nine squares after ``branch``, those that changed on the mark's yellow."""
        return thumbnail(view, branch, move)

    def consequence(self, view: View, branch: Branch, move: Move) -> str:
        """Where marks settle, lines, and what each side needs then."""
        return consequence(view, branch, move)

    def aftermath(self, view: View, move: Move) -> str:
        """That a chosen collapse leaves nothing to chance."""
        if move.verb != "collapse" or not move.args:
            return ""
        words = _("The measured bit may be 0 or 1; the X gates then turn the cycle to your choice.")
        return fill('<p class="qg-cap">{words}</p>', words=words)

    def move_label(self, move: Move) -> str:
        """``1–5``, ``> 5``, ``3``."""
        return move_label(move)

    def move_phrase(self, move: Move) -> str:
        """``a mark on 1 and 5``, ``the collapse on 5``."""
        return move_phrase(move)

    def result_label(self, view: View, step: Step) -> str:
        """The square on which nature let the newest mark settle."""
        if step.move.verb != "collapse" or step.move.args:
            return ""
        before = next((m.before for m in view.history if m.step is step), None)
        return str(fell_on(step, of(before))) if before else ""

    def status(self, view: View, look: Look) -> str:
        """What happened and what to do."""
        place(view)
        return status(view, look)

    def score(self, view: View, seat: int) -> str:
        """The points, once the match is over."""
        return point_text(view.result.points[seat]) if view.result else ""

    def role(self, view: View, seat: int) -> str:
        """To place, to choose or to measure."""
        if place(view).pending is None:
            return _("to place")
        return _("to measure") if rules_of(view).by_chance else _("to choose")

    def seat_mark(self, x: float, y: float, r: float, seat: int, digit: bool = False) -> str:
        """The side's sign, X or O, which says more than a digit."""
        return small_sign(x, y, (0.95 if seat == 0 else 0.85) * r, seat, max(2.0, 0.5 * r))

    def player(self, seat: int) -> str:
        """``Player X``, ``Player O``."""
        return player(seat)

    def rules(self, view: View) -> str:
        """The rules in short, with this match's options."""
        return Html("".join(f"<p>{part}</p>" for part in rules(rules_of(view))))

    # ---- circuit and state -----------------------------------------------------------------------

    def wire_glyph(self, view: View, wire: int, x: float, y: float, r: float) -> str:
        """Settled: the mark in a ring. Spooky: half and half. Not placed: an empty ring."""
        position, number = place(view), wire + 1
        hue = f"s{owner(number)}"
        if number in position.landed:
            return circle(x, y, r, f"{hue}t", hue, 1.6) + small_sign(
                x, y, 0.42 * r, owner(number), 2
            )
        if number > position.placed:
            return circle(x, y, r, "bg", "edge", 1.2, 'stroke-dasharray="1 2.4"')
        one = view.belief.probability(wire)
        if one < 1e-6 or one > 1 - 1e-6:
            return circle(x, y, r, f"{hue}t", hue, 1.6)
        half = f"M{num(x)} {num(y - r)}A{num(r)} {num(r)} 0 0 0 {num(x)} {num(y + r)}Z"
        return circle(x, y, r, "bg", hue, 1.6) + path(half, f"{hue}h", hue, 1.2)

    def fixed(self, position: Position, wire: int) -> int | None:
        """The side of a mark that has settled."""
        return owner(wire + 1) if wire + 1 in of(position).landed else None

    def registers(self, view: View) -> tuple[str, ...]:
        """The newest mark's bit, and the settled bits."""
        return ("cyc", "mark")

    def register_label(self, register: str) -> tuple[str, int | None]:
        """``cycle`` and ``marks``."""
        return {"cyc": _("cycle"), "mark": _("marks")}.get(register, register), None

    def count_text(self, view: View) -> str:
        """One wire a mark."""
        return _("one wire a mark")

    def members(self, view: View, wires: Sequence[int]) -> str:
        """``marks x3, o4 and x7: the cycle 1–2–5 …``."""
        names = bold([spooky_name(w + 1) for w in wires])
        return fill(_("marks {names}, digit by digit: 0 lower square, 1 higher"), names=names)

    def things(self, view: View, wires: Sequence[int]) -> str:
        """``mark x1``, ``marks x1 and o2``."""
        names = bold([spooky_name(w + 1) for w in wires])
        return fill(ngettext("mark {names}", "marks {names}", len(wires)), names=names)

    def tiles_caption(self, view: View) -> str:
        """Above the nine tiles."""
        return _("<b>Each mark on its own</b> &#160;its squares, and chance of the higher one")

    def wire_text(self, view: View, wire: int) -> str:
        """``1 | 5`` while spooky, the square once settled."""
        position, number = place(view), wire + 1
        if number in position.landed:
            return _("on {square}").format(square=position.landed.index(number) + 1)
        for mark in position.spooky:
            if mark.number == number:
                return f"{mark.squares[0]} | {mark.squares[1]}"
        return "–"

    def facts(self, view: View) -> str:
        """The boards that fit an open cycle, and who may be on each square."""
        position = place(view)
        return Html(_placements(view, position) + _squares(view, position))

    def legend(self, view: View) -> tuple[tuple[str, str], ...]:
        """Spooky and classical marks, and the ghost of a collapse."""
        x, o = Mark(3, (1, 2)), Mark(4, (1, 2))
        return (
            (
                svg(34, 26, pill(17, 13, x)),
                _("<b>x3</b> spooky mark of move 3, here on one of two"),
            ),
            (svg(34, 26, pill(17, 13, o)), _("<b>o4</b> spooky mark of O's move 4")),
            (svg(30, 30, sign(15, 15, 9, 0)), _("<b>X</b> classical mark: there for good")),
            (
                svg(30, 30, sign(15, 15, 10, 1, ghost=True)),
                _("<b>ghost</b> what a collapse brings"),
            ),
            (
                svg(
                    30,
                    12,
                    path("M2 6H28", "none", "markline", 6.5) + path("M2 6H28", "none", "mark", 4),
                ),
                _("<b>lit thread</b> belongs to the open cycle"),
            ),
        )


# ---- controls ------------------------------------------------------------------------------------


def _next_mark(view: View, position: TicTacToePosition) -> str:
    """Which mark is next, and how it is placed."""
    if view.result is not None:
        return ""
    number = position.placed + 1
    mark = svg(34, 26, pill(17, 13, Mark(number, (1, 2))), more='class="qg-i"')
    if len(position.free) == 1:
        words = _("One square is left: it takes a plain mark.")
    else:
        words = _("goes on any two squares without a classical mark.")
    return fill('<p class="qg-sub">{mark} {words}</p>', mark=mark, words=words)


def _choice(view: View, look: Look, position: TicTacToePosition, square: int) -> str:
    """One of the two boards: thumbnail, where the newest mark settles, what follows."""
    assert position.pending is not None
    where = position.settled(square)
    after = rules_of(view).with_landed(position, {m.number: s for m, s in where.items()})
    thumb = small_board(after, {square})
    name = spooky_name(position.pending.number)
    title = fill(_("<b>{mark} on {square}</b>"), mark=name, square=square)
    value = look.values.get(Move("collapse", (square,)))
    hint = (
        fill(' <span class="qg-sub">{word}</span>', word=worth(value)) if value is not None else ""
    )
    body = (
        f'<span class="qg-th">{thumb}</span><span class="qg-p">{title}{hint}</span>'
        f"<span>{prospects(after)}</span>"
    )
    place_ = position.pending.squares.index(square)
    if rules_of(view).by_chance or look.disabled:
        return f'<div class="qg-oc" data-would="{place_}" tabindex="0">{body}</div>'
    pressed = str(look.choice.squares == (square,)).lower()
    label = _("{mark} on {square}").format(mark=name, square=square)
    return (
        f'<button type="button" class="qg-card qg-pick qg-oc" data-square="{square}"'
        f' data-would="{place_}" aria-pressed="{pressed}" aria-label="{escape(label)}">'
        f"{body}</button>"
    )


def _same_either_way(position: TicTacToePosition) -> Html:
    """Marks of a tail land on the same square whatever is chosen."""
    first = position.settled(position.pending.squares[0]) if position.pending else {}
    tails = [m for m in position.tangle if m not in position.cycle]
    if not tails:
        return Html("")
    told = [f"{spooky_name(m.number)} → {first[m]}" for m in tails]
    words = _("The same either way: {marks}.")
    return fill('<p class="qg-cap">{words}</p>', words=fill(words, marks=", ".join(told)))


# ---- the state in squares ------------------------------------------------------------------------


def _placements(view: View, position: TicTacToePosition) -> str:
    """The only two boards that fit an open cycle, each with its probability."""
    if position.pending is None:
        return ""
    marks = position.tangle
    head = "".join(f"<th>{escape(spooky_name(m.number))}</th>" for m in marks)
    rows = ""
    for square in position.pending.squares:
        where = position.settled(square)
        cells = "".join(f"<td>{where[m]}</td>" for m in marks)
        words = _("if {mark} is on {square}").format(
            mark=spooky_name(position.pending.number), square=square
        )
        chance = percent(_chance(view, position.pending, square))
        rows += f'<tr>{cells}<td>{chance}</td><td class="qg-sub">{escape(words)}</td></tr>'
    title = fill(
        _("<b>Boards that fit</b> &#160;the square of each mark, one mark a square"),
    )
    return (
        f'<div class="qg-cap">{title}</div><table class="qg-amp"><thead><tr>{head}'
        f"<th></th><th></th></tr></thead><tbody>{rows}</tbody></table>"
    )


def _squares(view: View, position: TicTacToePosition) -> str:
    """Each square on its own: who may be there."""
    tiles = "".join(_square(view, position, s) for s in SQUARES)
    caption = _("<b>Each square on its own</b> &#160;who may be there")
    return f'<div class="qg-cap">{caption}</div><div class="qg-tiles qg-nine">{tiles}</div>'


def _square(view: View, position: TicTacToePosition, square: int) -> str:
    number = position.landed[square - 1]
    if number is not None:
        drawing = small_sign(15, 15, 7, owner(number), 4)
        told = [(spooky_name(number).upper(), _("for good"))]
    else:
        found = [(m, _chance(view, m, square)) for m in position.spooky if square in m.squares]
        drawing = circle(15, 15, 10, "none", "edge", 1.2, 'stroke-dasharray="1 2.4"')
        drawing += "".join(
            small_sign(15 + 9 * (n - (len(found[:3]) - 1) / 2), 15, 3.2, m.owner, 1.8)
            for n, (m, p) in enumerate(found[:3])
        )
        told = [(spooky_name(m.number), percent(p)) for m, p in found if p > 1e-9]
    words = (
        "".join(
            f'<span class="qg-ket">{escape(name)}</span><span class="qg-sub">{escape(p)}</span>'
            for name, p in told
        )
        or f'<span class="qg-sub">{escape(_("empty"))}</span>'
    )
    glyph = svg(30, 30, drawing)
    return f'<div class="qg-tile"><span class="qg-sub">{square}</span>{glyph}{words}</div>'


def _chance(view: View, mark: Mark, square: int) -> float:
    """The probability that a measurement would find ``mark`` on ``square``."""
    one = view.belief.probability(mark.wire)
    return one if square == mark.squares[1] else 1 - one


SCENE = TicTacToeScene()
