"""The board of quantum tic-tac-toe: spooky pills, threads, classical marks, ghosts; thumbnails."""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot

from qgames.core import Branch, Move, View
from qgames.draw import glyphs
from qgames.draw.scene import Look
from qgames.draw.svg import circle, escape, group, num, path, rect, svg, text
from qgames.draw.tictactoe_words import (
    classical_name,
    of,
    place,
    spooky_name,
    square_value,
    worth,
)
from qgames.games.quantum_tictactoe import (
    SQUARES,
    Mark,
    TicTacToePosition,
    owner,
    tangle,
)
from qgames.i18n import Html, _, listed

SIZE = 360
SIDE, STEP, MARGIN = 110.0, 116.0, 9.0
CORNERS = {s: (MARGIN + STEP * ((s - 1) % 3), MARGIN + STEP * ((s - 1) // 3)) for s in SQUARES}
PILL = (31.0, 23.0)
DASHED = 'stroke-dasharray="5 3.5"'


def board(view: View, look: Look) -> Html:
    """The whole board; cells carry ``data-square`` and a full label."""
    position = place(view)
    frame = rect(0.5, 0.5, SIZE - 1, SIZE - 1, 10, "sunken", "line", 1)
    grounds = "".join(_ground(position, s) for s in SQUARES)
    rows = "".join(_row(view, look, row) for row in range(3))
    body = frame + grounds + _winning(view) + _ghosts(view, look) + _threads(position) + rows
    label = _("Tic-tac-toe board, nine squares")
    return svg(SIZE, SIZE, body, label, 'class="qg-board"', "grid")


def middle(square: int) -> tuple[float, float]:
    """The middle of a square."""
    x, y = CORNERS[square]
    return x + SIDE / 2, y + SIDE / 2


def slot(mark: Mark, square: int) -> tuple[float, float]:
    """Where a spooky mark sits in a square: move n in mini slot n, row by row."""
    x, y = CORNERS[square]
    n = mark.number - 1
    return x + 20 + 35 * (n % 3), y + 32 + 30 * (n // 3)


# ---- signs ---------------------------------------------------------------------------------------


def sign(x: float, y: float, r: float, seat: int, hue: str = "", ghost: bool = False) -> str:
    """A large X or O; a ghost has a dashed outline and half the tint."""
    hue = hue or f"s{seat}"
    if not ghost:
        pen = 0.36 * r
        if seat == 1:
            return circle(x, y, 0.82 * r, "none", hue, pen)
        d = f"M{num(x - r)} {num(y - r)}L{num(x + r)} {num(y + r)}"
        d += f"M{num(x + r)} {num(y - r)}L{num(x - r)} {num(y + r)}"
        return path(d, "none", hue, pen)
    if seat == 1:
        ring = circle(x, y, 0.82 * r, "none", f"{hue}h", 0.36 * r)
        edges = (circle(x, y, k * r, "none", hue, 1.5, DASHED) for k in (1.0, 0.64))
        return ring + "".join(edges)
    return path(_cross(x, y, r, 0.2 * r), f"{hue}h", hue, 1.5, DASHED)


def _cross(x: float, y: float, r: float, half: float) -> str:
    """The outline of an X whose strokes are ``2 * half`` wide."""
    k = half * 2**0.5
    corners = [(0, -k), (r - k, -r), (r, k - r), (k, 0), (r, r - k), (r - k, r), (0, k)]
    corners += [(-a, -b) for a, b in ((r - k, -r), (r, k - r), (k, 0), (r, r - k), (r - k, r))]
    order = [corners[0], *corners[1:7], *corners[7:]]
    return "M" + "L".join(f"{num(x + a)} {num(y + b)}" for a, b in order) + "Z"


def small_sign(x: float, y: float, r: float, seat: int, pen: float = 2.4, hue: str = "") -> str:
    """An X or O for pills, tiles and thumbnails."""
    hue = hue or f"s{seat}"
    if seat == 1:
        return circle(x, y, r, "none", hue, pen)
    d = f"M{num(x - r)} {num(y - r)}L{num(x + r)} {num(y + r)}"
    d += f"M{num(x + r)} {num(y - r)}L{num(x - r)} {num(y + r)}"
    return path(d, "none", hue, pen, 'stroke-linecap="round"')


def pill(x: float, y: float, mark: Mark) -> str:
    """A spooky mark: small x or o with its move number."""
    width, height = PILL
    hue = f"s{mark.owner}"
    box = rect(x - width / 2, y - height / 2, width, height, height / 2, f"{hue}t", hue, 1.6)
    word = text(x - 1, y + 5, "xo"[mark.owner], 16, 700, f"{hue}i", "end")
    return box + word + text(x + 2, y + 6.5, mark.number, 12, 650, f"{hue}i", "start")


# ---- under the cells -----------------------------------------------------------------------------


def _ground(position: TicTacToePosition, square: int) -> str:
    x, y = CORNERS[square]
    number = position.landed[square - 1]
    tint = "bg" if number is None else f"s{owner(number)}t"
    if square in {s for m in position.cycle for s in m.squares}:
        tint = "markt"
    return rect(x, y, SIDE, SIDE, 8, tint, "line", 1)


def _threads(position: TicTacToePosition) -> str:
    """A thread between the two halves of every spooky mark; the open cycle lit."""
    cycle = position.cycle
    hues = _hues(position.spooky)
    tails = "".join(_thread(m, hues[m]) for m in position.spooky if m not in cycle)
    return tails + "".join(_lit(m) for m in cycle)


def _hues(marks: Iterable[Mark]) -> dict[Mark, str]:
    """A hue for each component, by its oldest mark."""
    marks = tuple(marks)
    parts = list(dict.fromkeys(tangle(marks, m.squares[0]) for m in marks))
    return {m: glyphs.HUES[n % 4] for n, part in enumerate(parts) for m in part}


def _curve(mark: Mark) -> str:
    (x1, y1), (x2, y2) = (slot(mark, s) for s in mark.squares)
    length = hypot(x2 - x1, y2 - y1)
    bulge = 9.0 if mark.number % 2 else -9.0  # so that a doubled pair shows two threads
    cx = (x1 + x2) / 2 - 2 * bulge * (y2 - y1) / length
    cy = (y1 + y2) / 2 + 2 * bulge * (x2 - x1) / length
    return f"M{num(x1)} {num(y1)}Q{num(cx)} {num(cy)} {num(x2)} {num(y2)}"


def _thread(mark: Mark, hue: str) -> str:
    more = f'stroke-linecap="round" data-thread="{mark.number}"'
    return path(_curve(mark), "none", hue, 2.2, more)


def _lit(mark: Mark) -> str:
    more = 'stroke-linecap="round"'
    edge = path(_curve(mark), "none", "markline", 6.5, f'{more} data-thread="{mark.number}"')
    return edge + path(_curve(mark), "none", "mark", 4, more)


def _winning(view: View) -> str:
    """A capsule around each line that ended the match, in the hue of its side."""
    if view.result is None:
        return ""
    landed = place(view).landed
    parts = []
    for squares in view.result.lines:
        hue = f"s{owner(landed[squares[0] - 1] or 1)}"
        parts.append(glyphs.capsule(middle(squares[0]), middle(squares[-1]), 47, hue, hue + "t"))
    return "".join(parts)


def _ghosts(view: View, look: Look) -> str:
    """What each collapse would bring, shown while its choice is hovered, focused or made.

    ``data-would`` on an element is the square's place among the two; ``theme.py`` does the rest.
    """
    position = place(view)
    if position.pending is None:
        return ""
    return "".join(_ghost(position, look, n, s) for n, s in enumerate(position.pending.squares))


def _ghost(position: TicTacToePosition, look: Look, place_: int, square: int) -> str:
    marks = "".join(
        sign(*middle(s), 30, mark.owner, ghost=True) for mark, s in position.settled(square).items()
    )
    x, y = CORNERS[square]
    ring = rect(x + 1, y + 1, SIDE - 2, SIDE - 2, 8, "none", "markline", 6)
    ring += rect(x + 1, y + 1, SIDE - 2, SIDE - 2, 8, "none", "mark", 4)
    shown = " qg-shown" if look.choice.squares == (square,) else ""
    more = f'class="qg-would{shown}" data-result="{place_}" aria-hidden="true"'
    return group(marks + ring, more)


# ---- cells ---------------------------------------------------------------------------------------


def _row(view: View, look: Look, row: int) -> str:
    return group("".join(_cell(view, look, 3 * row + n) for n in (1, 2, 3)), 'role="row"')


def _cell(view: View, look: Look, square: int) -> str:
    position = place(view)
    x, y = CORNERS[square]
    number = position.landed[square - 1]
    picked = square in look.choice.squares
    lit = square in look.targets and not look.disabled
    shut = look.disabled or number is not None or (_waits(position) and not lit and not picked)
    body = rect(x, y, SIDE, SIDE, 8, "transparent")
    body += _picked(x, y) if picked and position.pending is None else ""
    body += _target(x, y) if lit and not picked and position.pending is not None else ""
    if number is None:
        here = [m for m in position.spooky if square in m.squares]
        body += "".join(pill(*slot(m, square), m) for m in here)
    else:
        body += sign(x + SIDE / 2, y + SIDE / 2, 30, owner(number))
        body += text(x + SIDE - 9, y + SIDE - 9, number, 13, 650, "ink", "end")
    body += text(
        x + 8, y + 16, square, 12, 650 if picked else 500, "ink" if picked else "ink2", "start"
    )
    if number is not None or look.refused == square:
        body += "" if look.disabled else group(glyphs.barred(x + 95, y + 15), 'class="qg-no"')
    value = square_value(look, square)
    if value is not None:
        body += text(
            x + SIDE - 7, y + 16, worth(value), 12, 650 if value > 0 else 500, "ink", "end"
        )
    body += (
        f'<rect class="qg-halo" x="{num(x + 2)}" y="{num(y + 2)}" width="{num(SIDE - 4)}"'
        f' height="{num(SIDE - 4)}" rx="7"/>'
    )
    return group(body, _attributes(view, look, square, lit, shut))


def _waits(position: TicTacToePosition) -> bool:
    return position.pending is not None


def _picked(x: float, y: float) -> str:
    out = rect(x + 1, y + 1, SIDE - 2, SIDE - 2, 8, "none", "markline", 6.5)
    return out + rect(x + 1, y + 1, SIDE - 2, SIDE - 2, 8, "none", "mark", 4.2)


def _target(x: float, y: float) -> str:
    dots = 'stroke-dasharray="1 5" stroke-linecap="round"'
    return rect(x + 4, y + 4, SIDE - 8, SIDE - 8, 6, "none", "ink", 2, dots)


def _attributes(view: View, look: Look, square: int, lit: bool, shut: bool) -> str:
    position = place(view)
    picked = square in look.choice.squares
    entry = look.choice.squares[-1] if look.choice.squares else 1
    tried = " qg-tried" if look.refused == square else ""
    value = square_value(look, square)
    told = _label(position, square, picked, lit)
    if value is not None:
        told = _("{square}; worth: {value}").format(square=told, value=worth(value))
    would = ""
    if position.pending is not None and square in position.pending.squares:
        would = f' data-would="{position.pending.squares.index(square)}"'
    disabled = ' aria-disabled="true"' if shut else ""
    return (
        f'role="gridcell" class="qg-cell{tried}" data-square="{square}"{would}'
        f' tabindex="{0 if square == entry else -1}" aria-selected="{str(picked).lower()}"'
        f'{disabled} aria-label="{escape(told)}"'
    )


def _label(position: TicTacToePosition, square: int, picked: bool, lit: bool) -> str:
    """``square 5, x1 and o4, in the open cycle; legal target``."""
    number = position.landed[square - 1]
    words = [_("square {square}").format(square=square)]
    if number is not None:
        words.append(_("{mark} for good").format(mark=classical_name(number)))
    else:
        here = [spooky_name(m.number) for m in position.spooky if square in m.squares]
        words.append(_("spooky {marks}").format(marks=listed(here)) if here else _("empty"))
    if square in {s for m in position.cycle for s in m.squares}:
        words.append(_("in the open cycle"))
    told = ", ".join(words)
    if picked:
        return _("{square}; chosen").format(square=told)
    return _("{square}; legal target").format(square=told) if lit else told


# ---- thumbnails ----------------------------------------------------------------------------------


def thumbnail(view: View, branch: Branch, move: Move) -> Html:
    """The nine squares after ``branch``, those that changed on the mark's yellow."""
    before, after = place(view), of(branch.position)
    changed = {s for s in SQUARES if before.landed[s - 1] != after.landed[s - 1]} or {
        int(a) for a in move.args
    }
    return small_board(after, changed)


def small_board(position: TicTacToePosition, changed: set[int]) -> Html:
    """The board at 54 pixels: classical marks large, a small letter for spooky ones."""
    parts = [rect(0.5, 0.5, 53, 53, 6, "sunken", "line", 1)]
    for square in SQUARES:
        x, y = 9 + 18 * ((square - 1) % 3), 9 + 18 * ((square - 1) // 3)
        if square in changed:
            parts.append(rect(x - 8, y - 8, 16, 16, 3, "mark", "markline", 0.8))
        number = position.landed[square - 1]
        if number is not None:
            parts.append(small_sign(x, y, 4.6, owner(number), 2.4))
        elif any(square in m.squares for m in position.spooky):
            parts.append(circle(x, y, 2.2, "edge"))
    return svg(54, 54, "".join(parts), _("the board then"))
