"""Glyphs that all games share: discs, rings, threads, pies, dials, badges, gates.

Each function turns a place, a radius and a value into SVG text. Saturation means certainty: pale is
superposed, full colour is certain, full colour with a ring is fixed. Every colour is doubled by a
shape, a digit or a letter.
"""

from __future__ import annotations

from functools import lru_cache
from math import atan2, ceil, cos, hypot, pi, sin, sqrt
from urllib.parse import quote

from qgames.draw.svg import circle, group, inline, line, num, path, rect, text, var
from qgames.i18n import Html

SPHERE = 16
"""Discs from this radius on get the two sphere gradients."""
HUES = ("ga", "gb", "gc", "gd")
"""Tokens of the entangled groups A to D; later groups reuse them."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


# ---- discs -------------------------------------------------------------------------------------


def basis(x: float, y: float, r: float, value: str) -> str:
    """``0`` or ``1``: a full disc with its digit."""
    return circle(x, y, r, f"s{value}") + _sphere(x, y, r) + digit(x, y, r, value)


def fixed(x: float, y: float, r: float, value: str) -> str:
    """``0!`` or ``1!``: the disc with a ring around it; the ring ends at 1.2 r."""
    ring = circle(x, y, _ring(r), "none", f"s{value}", max(1.6, 0.095 * r))
    return circle(x, y, r, f"s{value}") + ring + _sphere(x, y, r) + digit(x, y, r, value)


def sign(x: float, y: float, r: float, value: str) -> str:
    """``+`` or ``-``: half discs, blue on the left for ``+``, mirrored for ``-``."""
    left, right = ("s0", "s1") if value == "+" else ("s1", "s0")
    top, bottom = y - r, y + r
    edge = 2.0 if r >= SPHERE else 1.25
    a = f"M{num(x)} {num(top)}A{num(r)} {num(r)} 0 0 0 {num(x)} {num(bottom)}"
    b = f"M{num(x)} {num(top)}A{num(r)} {num(r)} 0 0 1 {num(x)} {num(bottom)}"
    arm = 0.36 * r if r >= SPHERE else 0.46 * r
    bar = f"M{num(x - arm)} {num(y)}H{num(x + arm)}"
    if value == "+":
        bar += f"M{num(x)} {num(y - arm)}V{num(y + arm)}"
    return (
        path(a + "Z", left + "h")
        + path(b + "Z", right + "h")
        + path(a, "none", left, edge)
        + path(b, "none", right, edge)
        + _sphere(x, y, r)
        + path(bar, "none", "ink", max(1.7, 0.125 * r), 'stroke-linecap="round"')
    )


def unknown(x: float, y: float, r: float) -> str:
    """``?``: a ground disc with a dotted edge and a big question mark."""
    big = r >= SPHERE
    dots = 'stroke-dasharray="{}" stroke-linecap="round"'.format("1 5" if big else "1 2.6")
    size = 0.95 * r if big else max(12.0, 1.35 * r)
    return circle(x, y, r, "bg", "edge", 2.0 if big else 1.4, dots) + text(
        x, y + 0.355 * size, "?", size, 600, "ink2"
    )


def entangled(x: float, y: float, r: float, hue: str) -> str:
    """Two interlocked rings on the group's tint."""
    tint = hue + "t"
    width = 2.5 if r >= SPHERE else 1.5
    out = circle(x, y, r, tint, hue, width) + _sphere(x, y, r)
    ring, pen = (0.27 * r, 0.1135 * r) if r >= SPHERE else (0.34 * r, 0.1425 * r)
    apart = 0.72 * ring
    left, right = x - apart, x + apart
    out += circle(left, y, ring, "none", hue, pen)
    out += circle(right, y, ring, "none", tint, 2 * pen) + circle(right, y, ring, "none", hue, pen)
    gap, over = (_arc(left, y, ring, 5, 85), _arc(left, y, ring, -2, 120))
    return out + path(gap, "none", tint, 2 * pen) + path(over, "none", hue, pen)


@lru_cache(maxsize=1024)
def planet(x: float, y: float, r: float, symbol: str, hue: str = "gd") -> str:
    """The disc of a symbol ``0! 1! 0 1 + - ? E``; ``hue`` is that of its entangled group."""
    if symbol.endswith("!"):
        return fixed(x, y, r, symbol[0])
    if symbol in ("0", "1"):
        return basis(x, y, r, symbol)
    if symbol in ("+", "-"):
        return sign(x, y, r, symbol)
    if symbol == "E":
        return entangled(x, y, r, hue)
    return unknown(x, y, r)


def small_planet(x: float, y: float, r: float, symbol: str, hue: str = "gd") -> str:
    """A disc for a thumbnail: no sphere, no glyph but the digit of a fixed planet."""
    if symbol.endswith("!"):
        return circle(x, y, r, f"s{symbol[0]}") + circle(
            x, y, 1.3 * r, "none", f"s{symbol[0]}", 1.1
        )
    if symbol in ("0", "1"):
        return circle(x, y, r, f"s{symbol}")
    if symbol == "E":
        return circle(x, y, r, hue + "t", hue, 1.4)
    if symbol == "?":
        dots = 'stroke-dasharray="1 2" stroke-linecap="round"'
        return circle(x, y, r, "bg", "edge", 1.2, dots)
    left, right = ("s0", "s1") if symbol == "+" else ("s1", "s0")
    a = f"M{num(x)} {num(y - r)}A{num(r)} {num(r)} 0 0 0 {num(x)} {num(y + r)}"
    b = f"M{num(x)} {num(y - r)}A{num(r)} {num(r)} 0 0 1 {num(x)} {num(y + r)}"
    return path(a + "Z", left + "h", left, 1.1) + path(b + "Z", right + "h", right, 1.1)


def digit(x: float, y: float, r: float, value: str) -> str:
    """A drawn 0 or 1, so that it sits in the middle of its disc in every font."""
    big = r >= SPHERE
    pen = 0.12 * r if big else max(1.5, 0.155 * r + 0.4)
    tall = 0.367 * r if big else 0.469 * r
    if value == "0":
        return (
            f'<ellipse cx="{num(x)}" cy="{num(y)}" rx="{num(0.66 * tall)}" ry="{num(tall)}"'
            f' fill="none" stroke="{var("on")}" stroke-width="{num(pen)}"/>'
        )
    flag = 0.52 * tall
    d = f"M{num(x - flag)} {num(y - flag)}L{num(x + 0.06 * tall)} {num(y - tall)}V{num(y + tall)}"
    return path(d, "none", "on", pen, 'stroke-linecap="round" stroke-linejoin="round"')


def _ring(r: float) -> float:
    return 1.1475 * r if r >= SPHERE else r + 3.0


def _arc(x: float, y: float, r: float, start: float, end: float) -> str:
    """The path of an arc; angles in degrees, clockwise from the right."""
    a, b = start * pi / 180, end * pi / 180
    return (
        f"M{num(x + r * cos(a))} {num(y + r * sin(a))}"
        f"A{num(r)} {num(r)} 0 0 1 {num(x + r * cos(b))} {num(y + r * sin(b))}"
    )


@lru_cache(maxsize=1)
def _gradients() -> tuple[str, str]:
    """The two sphere gradients as pictures of their own.

    A gradient in the page is found by its id; where the first drawing that defines the id is not
    shown (a hidden notebook tab) every other drawing would lose it.
    """
    shade = (
        '<radialGradient id="g" cx=".38" cy=".34" r=".72"><stop offset=".62" stop-opacity="0"/>'
        '<stop offset="1"/></radialGradient>'
    )
    gloss = (
        '<radialGradient id="g" cx=".34" cy=".28" r=".75"><stop offset="0" stop-color="#fff"/>'
        '<stop offset=".55" stop-color="#fff" stop-opacity="0"/></radialGradient>'
    )
    return _picture(shade), _picture(gloss)


def _picture(gradient: str) -> str:
    whole = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80" viewBox="0 0 80 80">'
        f'{gradient}<circle cx="40" cy="40" r="40" fill="url(#g)"/></svg>'
    )
    return "data:image/svg+xml," + quote(whole, safe="/:=() '")


def _sphere(x: float, y: float, r: float) -> str:
    if r < SPHERE:
        return ""
    shade, gloss = _gradients()
    side = num(2 * r - 2)
    box = f'x="{num(x - r + 1)}" y="{num(y - r + 1)}" width="{side}" height="{side}"'
    return (
        f'<image {box} href="{shade}" style="opacity:var(--qg-shade)"/>'
        f'<image {box} href="{gloss}" style="opacity:var(--qg-gloss)"/>'
    )


# ---- marks on and between discs ----------------------------------------------------------------


def group_letter(x: float, y: float, letter: str, hue: str) -> str:
    """The letter of an entangled group in a small disc."""
    return circle(x, y, 9.5, "bg", hue, 1.5) + text(x, y + 4.3, letter, 12, 700)


def small_unknown(x: float, y: float) -> str:
    """The small dotted ``?``: the opponent sees ``?`` here."""
    dots = 'stroke-dasharray="1 2.6" stroke-linecap="round"'
    return circle(x, y, 9, "bg", "edge", 1.25, dots) + text(x, y + 4.4, "?", 12, 650, "ink2")


def role(x: float, y: float, kind: str) -> str:
    """The role of a chosen target: ``control``, ``control0`` (flips on 0) or ``target``."""
    out = circle(x, y, 10.5, "bg", "edge", 1.2)
    if kind == "control":
        return out + circle(x, y, 5, "ink")
    if kind == "control0":
        return out + circle(x, y, 4.6, "bg", "ink", 1.8)
    plus = f"M{num(x - 6.6)} {num(y)}H{num(x + 6.6)}M{num(x)} {num(y - 6.6)}V{num(y + 6.6)}"
    return out + circle(x, y, 6.6, "bg", "ink", 1.6) + path(plus, "none", "ink", 1.6)


def barred(x: float, y: float) -> str:
    """The barred circle: not legal here."""
    return (
        circle(x, y, 9, "bg", "edge", 1.2)
        + path(f"M{num(x - 4.8)} {num(y + 4.8)}L{num(x + 4.8)} {num(y - 4.8)}", "none", "ink", 1.7)
        + circle(x, y, 6.8, "none", "ink", 1.6)
    )


def thread(
    start: tuple[float, float], end: tuple[float, float], r: float, hue: str, bulge: float = 0
) -> str:
    """Two intertwined strands from rim to rim; ``bulge`` pixels aside around a disc in the way."""
    (x1, y1), (x2, y2) = start, end
    length = hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    rim = r - 1 if not bulge else 0.86 * r
    span = length - 2 * rim
    waves = max(2, round(span / 23 + (0.4 if bulge else 0)))
    steps = 12 * waves
    strands = []
    for side in (1, -1):
        points = []
        for k in range(steps + 1):
            t = k / steps
            off = side * 0.14 * r * sin(2 * pi * waves * t) + bulge * sin(pi * t)
            at = rim + span * t
            points.append(f"{num(x1 + ux * at - uy * off)} {num(y1 + uy * at + ux * off)}")
        strands.append("M" + "L".join(points))
    more = 'stroke-linecap="round" stroke-linejoin="round"'
    return "".join(path(d, "none", hue, 2.2, more) for d in strands)


def pill(x: float, y: float, words: str, hue: str) -> str:
    """A small label centred on (x, y)."""
    width = max(30.0, 12 + 8.4 * len(words))
    return rect(x - width / 2, y - 10, width, 20, 10, "bg", hue, 1.25) + text(
        x, y + 4.4, words, 12, 650
    )


# ---- players -----------------------------------------------------------------------------------

SIDES = ("s0", "s1")
"""Hues of the two sides, which are also those of the basis states 0 and 1."""
PLAYERS = ("gb", "ga", "gc", "ink", "gd", "ink2")
"""Hues of players who own no basis state."""
SHAPES = ("disc", "diamond", "triangle", "square", "pentagon", "hexagon")


def tint(hue: str) -> str:
    """The pale token that goes with a hue."""
    return "gdt" if hue in ("edge", "ink", "ink2") else hue + "t"


def shape(x: float, y: float, r: float, kind: str, hue: str) -> str:
    """A player's shape, filled."""
    if kind == "disc":
        return circle(x, y, r, hue)
    corners = {"diamond": 4, "triangle": 3, "square": 4, "pentagon": 5, "hexagon": 6}[kind]
    turn = pi / 4 if kind == "square" else 0.0
    size = {"diamond": 1.18, "triangle": 1.2, "square": 1.2}.get(kind, 1.1) * r
    down = 0.12 * r if kind == "triangle" else 0.0
    points = [
        (
            x + size * sin(2 * pi * k / corners + turn),
            y + down - size * cos(2 * pi * k / corners + turn),
        )
        for k in range(corners)
    ]
    d = "M" + "L".join(f"{num(a)} {num(b)}" for a, b in points) + "Z"
    return path(d, hue, hue, max(0.5, 0.12 * r), 'stroke-linejoin="round"')


def seat_mark(
    x: float, y: float, r: float, seat: int, digit: bool = False, hues: tuple[str, ...] = SIDES
) -> str:
    """A seat's badge: disc for seat 0, diamond for seat 1; with its digit where there is room."""
    out = shape(x, y, r, SHAPES[seat], hues[seat])
    if digit:
        size = max(12.0, 1.3 * r)
        out += text(x, y + 0.36 * size, seat, size, 700, "on")
    return out


def player_mark(x: float, y: float, r: float, seat: int, digit: bool = False) -> str:
    """The badge of a player who owns no basis state."""
    return seat_mark(x, y, r, seat, digit, PLAYERS)


def seat_badge(seat: int, size: float = 13, hues: tuple[str, ...] = SIDES) -> Html:
    """A seat's badge as a drawing of its own, for a line of text."""
    r = size / 2 - 1.5
    return inline(size, seat_mark(size / 2, size / 2, r, seat, hues=hues))


def player_badge(seat: int, size: float = 13) -> Html:
    """The badge of a player who owns no basis state, for a line of text."""
    return seat_badge(seat, size, PLAYERS)


# ---- probability and amplitude -----------------------------------------------------------------


def pie(x: float, y: float, r: float, chance: float, hue: str) -> str:
    """A pie from twelve o'clock, clockwise, in a ring."""
    out = circle(x, y, r + 2, "none", "edge", 1.25)
    if chance >= 0.9995:
        return out + circle(x, y, r, hue)
    angle = 2 * pi * chance
    large = int(chance > 0.5)
    d = (
        f"M{num(x)} {num(y)}V{num(y - r)}A{num(r)} {num(r)} 0 {large} 1"
        f" {num(x + r * sin(angle))} {num(y - r * cos(angle))}Z"
    )
    return out + path(d, hue)


def dial(x: float, y: float, r: float, amplitude: complex, hue: str) -> str:
    """An amplitude: the tinted disc's radius is its size, the hand its phase (up is i)."""
    size = abs(amplitude)
    out = circle(x, y, r, "bg", "edge", 1.1)
    out += circle(x, y, max(1.0, size * (r - 0.7)), hue + "t", hue, 1)
    if size < 1e-9:
        return out
    ux, uy = amplitude.real / size, -amplitude.imag / size
    tip, base, half = r - 0.5, 0.58 * r, 0.3 * r
    head = [
        (x + tip * ux, y + tip * uy),
        (x + base * ux - half * uy, y + base * uy + half * ux),
        (x + base * ux + half * uy, y + base * uy - half * ux),
    ]
    d = "M" + "L".join(f"{num(a)} {num(b)}" for a, b in head) + "Z"
    return (
        out
        + line(x, y, x + base * ux, y + base * uy, "ink", 0.19 * r)
        + path(d, "ink")
        + circle(x, y, 0.15 * r, "ink")
    )


def split_bar(width: float, height: float, one: float) -> str:
    """The chances of 0 and 1 of one qubit side by side, blue then orange, with a gap between."""
    r = height / 2
    if one < 0.0005 or one > 0.9995:
        return rect(0, 0, width, height, r, f"s{round(one)}")
    cut = min(max(width * (1 - one), r + 1), width - r - 1)
    return path(_half_bar(cut - 0.75, r, 0, r), "s0") + path(
        _half_bar(cut + 0.75, width - r, 1, r), "s1"
    )


def _half_bar(cut: float, end: float, sweep: int, r: float) -> str:
    """The path of a bar that is cut straight at one end and round at the other."""
    arc = f"A{num(r)} {num(r)} 0 0 {sweep} {num(end)} {num(2 * r)}"
    return f"M{num(cut)} 0H{num(end)}{arc}H{num(cut)}Z"


# ---- gates -------------------------------------------------------------------------------------


def gate_box(x: float, y: float, label: str, size: float = 19, dashed: bool = False) -> str:
    """A gate's box with its name, as wide as the name needs."""
    width = size if len(label) == 1 else max(size, 8 + 8.2 * len(label))
    pen, more = ("ink2", 'stroke-dasharray="3 2.5"') if dashed else ("ink", "")
    box = rect(x - width / 2, y - size / 2, width, size, 4, "bg", pen, 1.4, more)
    return box + text(x, y + 0.37 * 12, label, 12, 600)


def meter(x: float, y: float, size: float = 19, dashed: bool = False) -> str:
    """The measurement's box: a dial and its hand."""
    pen, more = ("ink2", 'stroke-dasharray="3 2.5"') if dashed else ("ink", "")
    k = size / 19
    low, r = num(y + 3.8 * k), 5.7 * k
    d = (
        f"M{num(x - r)} {low}A{num(r)} {num(r)} 0 0 1 {num(x + r)} {low}"
        f"M{num(x)} {low}L{num(x + 4.56 * k)} {num(y - 4.56 * k)}"
    )
    box = rect(x - size / 2, y - size / 2, size, size, 4, "bg", pen, 1.4, more)
    return box + path(d, "none", pen, 1.5, 'stroke-linecap="round"')


def dot(x: float, y: float, on: int = 1, pen: str = "ink") -> str:
    """A control: filled when it acts on 1, open when it acts on 0."""
    return circle(x, y, 3.8, pen if on else "bg", pen, 1.6)


def circled_plus(x: float, y: float, r: float = 7.6, pen: str = "ink", more: str = "") -> str:
    """The target of a controlled X."""
    cross = f"M{num(x - r)} {num(y)}H{num(x + r)}M{num(x)} {num(y - r)}V{num(y + r)}"
    return circle(x, y, r, "bg", pen, 1.6, more) + path(cross, "none", pen, 1.6)


def cross(x: float, y: float, r: float = 5.2, pen: str = "ink") -> str:
    """One end of a swap."""
    d = (
        f"M{num(x - r)} {num(y - r)}L{num(x + r)} {num(y + r)}"
        f"M{num(x - r)} {num(y + r)}L{num(x + r)} {num(y - r)}"
    )
    return path(d, "none", pen, 1.8, 'stroke-linecap="round"')


def stack_icon(kind: str) -> str:
    """Two wires' gate for a card, 28 pixels square: ``cx0``, ``cx1``, ``sw`` or ``bm``."""
    if kind == "sw":
        return line(14, 6, 14, 22, "ink", 1.6) + cross(14, 6, 4) + cross(14, 22, 4)
    if kind == "bm":
        rings = circle(10.5, 9, 4.6, "none", "ink", 1.6) + circle(17.5, 9, 4.6, "none", "ink", 1.6)
        arc = "M8.3 24A5.7 5.7 0 0 1 19.7 24M14 24L18.2 17.4"
        return rings + path(arc, "none", "ink", 1.6, 'stroke-linecap="round"')
    top = circle(14, 6, 4, "ink" if kind == "cx1" else "bg", "ink", 1.6)
    return line(14, 6, 14, 26, "ink", 1.6) + top + circled_plus(14, 20, 6.3)


# ---- what surrounds several squares ------------------------------------------------------------


def capsule(
    start: tuple[float, float], end: tuple[float, float], r: float, hue: str, ground: str
) -> str:
    """A band with round ends that encloses everything from ``start`` to ``end``."""
    (x1, y1), (x2, y2) = start, end
    d = f"M{num(x1)} {num(y1)}L{num(x2 + (0.01 if start == end else 0))} {num(y2)}"
    more = 'stroke-linecap="round"'
    return path(d, "none", hue, 2 * r, more) + path(d, "none", ground, 2 * r - 4.5, more)


def stars(width: float, height: float, count: int) -> str:
    """Faint stars at places that look random and are the same each time."""
    return group("".join(_star(k, width, height) for k in range(count)), 'aria-hidden="true"')


def _star(k: int, width: float, height: float) -> str:
    # steps of an irrational ratio spread points evenly, without a pattern the eye can find
    x = (0.5 + (k + 1) * 0.7548776662466927) % 1
    y = (0.5 + (k + 1) * 0.5698402909980532) % 1
    r = (0.6, 0.6, 0.8, 0.6, 1.1)[k % 5]
    opacity = (0.1, 0.22, 0.16)[ceil(k * sqrt(2)) % 3]
    return circle(
        5 + x * (width - 10), 5 + y * (height - 10), r, "ink", more=f'opacity="{opacity}"'
    )


def angle_of(a: tuple[float, float], b: tuple[float, float]) -> float:
    """The direction from ``a`` to ``b`` in radians."""
    return atan2(b[1] - a[1], b[0] - a[0])
