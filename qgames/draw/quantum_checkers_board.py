"""The board of quantum checkers: pies for pieces, threads between their squares; thumbnails."""

from __future__ import annotations

from math import cos, hypot, pi, sin

from qgames.core import Branch, Move, View
from qgames.draw import glyphs
from qgames.draw.known import group_of
from qgames.draw.quantum_checkers_words import pieces_of, position, square_label
from qgames.draw.scene import Look
from qgames.draw.svg import circle, escape, group, num, path, rect, svg, text, var
from qgames.games.quantum_checkers import (
    NOTHING,
    SIDE,
    SQUARES,
    CheckersPosition,
    between,
    is_sure,
    place,
)
from qgames.i18n import Html, _

SIZE = 424
MARGIN, CELL = 6.0, 51.5
BODY = (("wb", "wt", "wbh", "s0"), ("bb", "bt", "bbh", "s1"))
"""Tokens of body, text, groove and ring of each side's pieces."""
R = 18.0
DASH = 'stroke-dasharray="4 3"'


def board(view: View, look: Look) -> Html:
    """The whole board, the viewer's side at the bottom; dark squares carry ``data-square``."""
    faint = look.disabled and view.result is None
    rows = [_row(view, look, row) for row in range(8)]
    if view.seat == 1:
        rows.reverse()
    under = _ground() + _tints(view) + group(_threads(view), 'class="qg-faint"' if faint else "")
    over = _preview(view, look)
    label = _("checkers board, 32 squares")
    return svg(SIZE, SIZE, under + "".join(rows) + over, label, 'class="qg-board"', "grid")


def centre(view: View, square: int) -> tuple[float, float]:
    """The middle of a square; the board is turned for Black."""
    row, column = place(square)
    if view.seat == 1:
        row, column = 7 - row, 7 - column
    return MARGIN + CELL * (column + 0.5), MARGIN + CELL * (row + 0.5)


def _ground() -> str:
    """Frame and squares; the pattern is its own image when turned."""
    parts = [rect(0.5, 0.5, SIZE - 1, SIZE - 1, 10, "sunken", "line", 1)]
    parts.append(rect(MARGIN, MARGIN, 8 * CELL, 8 * CELL, 4, "sql"))
    for square in SQUARES:
        row, column = place(square)
        parts.append(rect(MARGIN + CELL * column, MARGIN + CELL * row, CELL, CELL, 0, "sq"))
    return group("".join(parts), 'aria-hidden="true"')


def _tints(view: View) -> str:
    """The squares of the last move."""
    squares = [a for a in view.record[-1].move.args if a in SQUARES] if view.record else []
    parts = []
    for square in squares:
        x, y = centre(view, int(square))
        parts.append(rect(x - CELL / 2, y - CELL / 2, CELL, CELL, 0, "markt"))
    return "".join(parts)


# ---- threads -------------------------------------------------------------------------------------


def _threads(view: View) -> str:
    """Two strands between the squares of one piece, by the shortest way."""
    parts = []
    for squares in pieces_of(position(view)).values():
        found = group_of(view, squares[0] - 1)
        if found is not None and len(squares) > 1:
            hue = glyphs.HUES[found.letter % 4]
            parts += [_thread(view, a, b, hue) for a, b in _tree(view, squares)]
    return "".join(parts)


def _tree(view: View, squares: tuple[int, ...]) -> list[tuple[int, int]]:
    """Pairs that join all squares by the shortest threads."""
    joined, left, pairs = [squares[0]], list(squares[1:]), []
    while left:
        a, b = min(
            ((a, b) for a in joined for b in left), key=lambda pair: (_far(view, *pair), pair)
        )
        pairs.append((a, b))
        joined.append(b)
        left.remove(b)
    return pairs


def _far(view: View, a: int, b: int) -> float:
    (x1, y1), (x2, y2) = centre(view, a), centre(view, b)
    return hypot(x2 - x1, y2 - y1)


def _thread(view: View, a: int, b: int, hue: str) -> str:
    bulge = 0.0 if _far(view, a, b) < 1.5 * CELL else 0.35 * CELL
    return glyphs.thread(centre(view, a), centre(view, b), R, hue, bulge)


# ---- squares -------------------------------------------------------------------------------------


def _row(view: View, look: Look, row: int) -> str:
    squares = range(4 * row + 1, 4 * row + 5)
    ordered = reversed(squares) if view.seat == 1 else squares
    return group("".join(_cell(view, look, square) for square in ordered), 'role="row"')


def _cell(view: View, look: Look, square: int) -> str:
    x, y = centre(view, square)
    picked = square in look.choice.squares
    lit = bool(look.choice.squares) and square in look.targets and not look.disabled
    faint = look.disabled and view.result is None
    ghost = _ghost_of(view, look, square)
    drawing = piece(view, position(view), square, x, y) if ghost is None else ghost
    body = (
        rect(x - CELL / 2, y - CELL / 2, CELL, CELL, 0, "transparent")
        + _number(square, x, y)
        + (_selection(x, y) if picked else "")
        + group(drawing, 'class="qg-faint"' if faint else "")
        + (_target(x, y) if lit and not picked else "")
        + (glyphs.barred(x + 17, y + 17) if look.refused == square else "")
        + f'<circle class="qg-halo" cx="{num(x)}" cy="{num(y)}" r="23.5"/>'
    )
    return group(body, _cell_attributes(view, look, square, picked, lit))


def _cell_attributes(view: View, look: Look, square: int, picked: bool, lit: bool) -> str:
    first = 21 if view.seat != 1 else 12
    entry = look.choice.squares[-1] if look.choice.squares else first
    told = square_label(view, square)
    if picked:
        told = _("{square}; chosen").format(square=told)
    elif lit:
        told = _("{square}; legal target").format(square=told)
    shut = ' aria-disabled="true"' if look.disabled else ""
    tried = " qg-tried" if look.refused == square else ""
    return (
        f'role="gridcell" class="qg-cell{tried}" data-square="{square}"'
        f' tabindex="{0 if square == entry else -1}" aria-selected="{str(picked).lower()}"{shut}'
        f' aria-label="{escape(told)}"'
    )


def _number(square: int, x: float, y: float) -> str:
    halo = f'stroke="{var("sq")}" stroke-width="3" paint-order="stroke" stroke-linejoin="round"'
    left, top = x - CELL / 2 + 3, y - CELL / 2 + 13
    return text(left, top, square, 12, 500, "ink", "start", halo)


def _selection(x: float, y: float) -> str:
    return circle(x, y, 22, "none", "markline", 6.2) + circle(x, y, 22, "none", "mark", 4.2)


def _target(x: float, y: float) -> str:
    return circle(x, y, 22, "none", "ink", 2, 'stroke-dasharray="1 5" stroke-linecap="round"')


# ---- pieces --------------------------------------------------------------------------------------


def piece(view: View, now: CheckersPosition, square: int, x: float, y: float) -> str:
    """What may be on a square: a solid piece, or a branch with its share as arc and number."""
    owner = now.piece(square)
    if owner is None:
        return ""
    if is_sure(now, square):
        return solid(x, y, R, SIDE[owner], square in now.kings)
    out = share(x, y, R, SIDE[owner], now.chance(square), now.dead(owner), square in now.kings)
    found = group_of(view, square - 1)
    if found is not None and now is view.position:
        hue = glyphs.HUES[found.letter % 4]
        out += glyphs.group_letter(x + 16.5, y - 15.5, found.name, hue)
    if now.dead(owner) > NOTHING:
        out += circle(x + 16.5, y + 15.5, 8, "bg", "edge", 1.2) + dagger(x + 16.5, y + 15.5)
    return out


def solid(x: float, y: float, r: float, side: int, king: bool) -> str:
    """A certain piece: body, ring in its side's hue, groove or crown."""
    body, _ink, groove, ring = BODY[side]
    pen = max(1.2, 0.2 * r)
    out = circle(x, y, r - pen / 2, body, ring, pen)
    if king:
        return out + crown(x, y + 0.05 * r, 0.62 * r, groove)
    return out + circle(x, y, 0.42 * r, "none", groove, max(0.8, 0.09 * r))


def share(x: float, y: float, r: float, side: int, chance: float, dead: float, king: bool) -> str:
    """A branch: its share as an arc of the ring, the dead share hatched, its per cent inside."""
    body, ink, groove, ring = BODY[side]
    wide = 0.28 * r
    out = circle(x, y, r, "bg", "edge", 1)
    out += _arc(x, y, r - wide / 2, 0, chance, ring, wide)
    if dead > NOTHING:
        hatch = 'stroke-dasharray="1.6 1.8"'
        out += _arc(x, y, r - wide / 2, 1 - dead, 1, "edge", wide, hatch)
    out += circle(x, y, r - wide, body, "edge", 0.8)
    down = 0.24 * r if not king else 0.44 * r
    out += text(x, y + down, _short(chance), 12, 700, ink)
    return out + (crown(x, y - 0.36 * r, 0.34 * r, groove) if king else "")


def _short(chance: float) -> str:
    """Per cent without its sign: whole, below one ``<1``."""
    value = 100 * chance
    if value < 0.95:
        return "<1"
    return ">99" if 99 < value < 100 else f"{value:.0f}"


def _arc(
    x: float, y: float, r: float, start: float, end: float, hue: str, pen: float, more: str = ""
) -> str:
    """A part of a ring, clockwise from twelve o'clock; start and end are shares of the turn."""
    if end - start > 0.9995:
        return circle(x, y, r, "none", hue, pen, more)
    a, b = 2 * pi * start, 2 * pi * end
    large = int(end - start > 0.5)
    d = (
        f"M{num(x + r * sin(a))} {num(y - r * cos(a))}"
        f"A{num(r)} {num(r)} 0 {large} 1 {num(x + r * sin(b))} {num(y - r * cos(b))}"
    )
    return path(d, "none", hue, pen, more)


def crown(x: float, y: float, r: float, hue: str) -> str:
    """A crown of three points."""
    points = [(-1, -0.55), (-0.45, 0.05), (0, -0.8), (0.45, 0.05), (1, -0.55), (0.8, 0.7)]
    points.append((-0.8, 0.7))
    d = "M" + "L".join(f"{num(x + r * a)} {num(y + r * b)}" for a, b in points) + "Z"
    return path(d, hue, hue, 0.12 * r, 'stroke-linejoin="round"')


def dagger(x: float, y: float) -> str:
    """The mark of a piece that is partly dead."""
    d = f"M{num(x)} {num(y - 5)}V{num(y + 5.5)}M{num(x - 3)} {num(y - 2)}H{num(x + 3)}"
    return path(d, "none", "ink", 1.7, 'stroke-linecap="round"')


def wire_glyph(view: View, wire: int, x: float, y: float, r: float) -> str:
    """A wire's present value: piece, pie of its share, grave, or nothing."""
    now = position(view)
    if wire >= len(SQUARES):
        return _grave_glyph(now, wire - len(SQUARES), x, y, r)
    square = wire + 1
    owner = now.piece(square)
    if owner is None:
        dots = 'stroke-dasharray="1 2.4" stroke-linecap="round"'
        return circle(x, y, r - 1, "bg", "edge", 1.1, dots)
    if is_sure(now, square):
        return solid(x, y, r, SIDE[owner], square in now.kings)
    return glyphs.pie(x, y, r - 2, now.chance(square), f"s{SIDE[owner]}")


def _grave_glyph(now: CheckersPosition, owner: int, x: float, y: float, r: float) -> str:
    if now.dead(owner) < NOTHING:
        dots = 'stroke-dasharray="1 2.4" stroke-linecap="round"'
        return circle(x, y, r - 1, "bg", "edge", 1.1, dots)
    return glyphs.pie(x, y, r - 2, now.dead(owner), "gd")


# ---- previews ------------------------------------------------------------------------------------


def _ghost_of(view: View, look: Look, square: int) -> str | None:
    """The piece that the outcome under the pointer would put here, dashed; None: no change."""
    if look.ghost is None:
        return None
    after, now = look.ghost.position, position(view)
    assert isinstance(after, CheckersPosition)
    same = after.piece(square) == now.piece(square) and (
        abs(after.chance(square) - now.chance(square)) < 1e-7
    )
    if same and (square in after.kings) == (square in now.kings):
        return None
    x, y = centre(view, square)
    drawing = group(piece(view, after, square, x, y), 'class="qg-ghost"')
    return drawing + circle(x, y, R + 2, "none", "ink2", 2, DASH)


def _preview(view: View, look: Look) -> str:
    """The way of the chosen move: an arrow; in a capture also rings round victim and landing."""
    if look.move is None or look.move.verb not in ("move", "quantum", "jump"):
        return ""
    start, end = int(look.move.args[0]), int(look.move.args[1])
    out = _arrow(centre(view, start), centre(view, end), look.move.verb == "jump")
    if look.move.verb == "jump":
        x, y = centre(view, between(start, end))
        out += circle(x, y, R + 3.5, "none", "ink", 1.8, DASH)
    return group(out, 'class="qg-way" pointer-events="none"')


def _arrow(start: tuple[float, float], end: tuple[float, float], curved: bool) -> str:
    """A dashed arrow from rim to rim; a jump's is curved."""
    (x1, y1), (x2, y2) = start, end
    length = hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    aside = 26.0 if curved else 0.0
    mx, my = (x1 + x2) / 2 - uy * aside, (y1 + y2) / 2 + ux * aside
    tx, ty = x2 - mx, y2 - my
    tip = hypot(tx, ty)
    tx, ty = tx / tip, ty / tip
    ex, ey = x2 - tx * 24, y2 - ty * 24
    d = (
        f"M{num(x1 + ux * 20)} {num(y1 + uy * 20)}"
        f"Q{num(mx)} {num(my)} {num(ex - tx * 6)} {num(ey - ty * 6)}"
    )
    head = (
        f"M{num(ex)} {num(ey)}L{num(ex - 8 * tx - 4 * ty)} {num(ey - 8 * ty + 4 * tx)}"
        f"L{num(ex - 8 * tx + 4 * ty)} {num(ey - 8 * ty - 4 * tx)}Z"
    )
    halo = path(d, "none", "sunken", 4)
    return halo + path(d, "none", "ink", 1.8, DASH) + path(head, "ink")


# ---- thumbnails ----------------------------------------------------------------------------------


def thumbnail(view: View, branch: Branch, move: Move) -> Html:
    """The three by three squares round the move, after ``branch``; the target marked."""
    after = branch.position
    assert isinstance(after, CheckersPosition)
    parts = [rect(0.5, 0.5, 53, 53, 6, "sql", "line", 1)]
    squares = [int(a) for a in move.args if a in SQUARES]
    top, left = _corner(squares) if squares else (0, 0)
    for square in SQUARES if squares else ():
        row, column = place(square)
        if view.seat == 1:
            row, column = 2 - (row - top), 2 - (column - left)
        else:
            row, column = row - top, column - left
        if 0 <= row < 3 and 0 <= column < 3:
            x, y = 1.5 + 17 * column, 1.5 + 17 * row
            marked = square in squares
            parts.append(rect(x, y, 17, 17, 2, "mark" if marked else "sq"))
            parts.append(_small(after, square, x + 8.5, y + 8.5))
    if not squares:
        parts.append(text(27, 33, "½" if move.verb in ("accept", "offer") else "·", 18, 650))
    return svg(54, 54, "".join(parts), _("the board then"))


def _corner(squares: list[int]) -> tuple[int, int]:
    """The upper left of a window of three by three that shows the squares."""
    rows, columns = zip(*map(place, squares), strict=True)
    top, left = min(rows), min(columns)
    if max(rows) - top < 2:
        top = max(0, min(top - 1, 5))
        left = max(0, min(left - 1, 5)) if max(columns) - left < 2 else left
    return min(top, 5), min(left, 5)


def _small(now: CheckersPosition, square: int, x: float, y: float) -> str:
    owner = now.piece(square)
    if owner is None:
        return ""
    if is_sure(now, square):
        return solid(x, y, 6.6, SIDE[owner], square in now.kings)
    body, _ink, _groove, ring = BODY[SIDE[owner]]
    out = circle(x, y, 6.6, "bg", "edge", 0.8)
    out += _arc(x, y, 5.4, 0, now.chance(square), ring, 2.2)
    return out + circle(x, y, 3.9, body)
