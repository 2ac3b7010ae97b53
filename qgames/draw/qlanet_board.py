"""QLANET's board: nine planets, threads, marks, the state of the choice; and thumbnails."""

from __future__ import annotations

from math import hypot

from qgames.core import Branch, Move, Result, View
from qgames.draw import glyphs, kets
from qgames.draw.known import Group, foreseen, group_of, groups
from qgames.draw.qlanet_words import condition, own, player
from qgames.draw.scene import Look
from qgames.draw.svg import circle, escape, group, line, path, rect, svg, text, var
from qgames.games.qlanet import LINES, ORDERED, PLANETS, QlanetView
from qgames.i18n import Html, _, listed

SIZE = 360
R = 36.0
PITCH = 115.92
CENTRES = {
    p: (SIZE / 2 + PITCH * ((p - 1) % 3 - 1), SIZE / 2 + PITCH * ((p - 1) // 3 - 1))
    for p in PLANETS
}


def board(view: QlanetView, look: Look) -> Html:
    """The whole board; cells carry ``data-square`` and a full label."""
    ghosts = _ghosts(view, look)
    faint = look.disabled and view.result is None
    under = group(_threads(view), 'class="qg-faint"' if faint else "")
    cells = "".join(_row(view, look, row, faint, ghosts) for row in range(3))
    body = _ground() + _winning(view.result) + under + cells
    return svg(SIZE, SIZE, body, _("QLANET board, nine planets"), 'class="qg-board"', "grid")


def hue_of(found: Group | None) -> str:
    """The token of a planet's group, or of none."""
    return glyphs.HUES[found.letter % 4] if found else "gd"


def thumbnail(view: View, branch: Branch, move: Move) -> Html:
    """The nine planets after ``branch``, those that changed on the mark's yellow."""
    before, after = own(view), own(foreseen(view, branch, move))
    marked = set(changed(before, after)) | {a for a in move.args if move.verb == "m"}
    parts = [rect(0.5, 0.5, 53, 53, 6, "sunken", "line", 1)]
    for p in PLANETS:
        x, y = 9 + 18 * ((p - 1) % 3), 9 + 18 * ((p - 1) // 3)
        parts.append(_small(after, p, x, y, p in marked))
    return svg(54, 54, "".join(parts), _("the board then"))


def _ground() -> str:
    lines = "".join(line(*CENTRES[a], *CENTRES[c], "line", 1.25) for a, _, c in LINES)
    frame = rect(0.5, 0.5, SIZE - 1, SIZE - 1, 10, "sunken", "line", 1)
    return group(frame + glyphs.stars(SIZE, SIZE, 64) + lines, 'aria-hidden="true"')


def _winning(result: Result | None) -> str:
    """A capsule around each line that decided the match."""
    if result is None or result.winner is None:
        return ""
    hue = f"s{result.winner}"
    return "".join(
        glyphs.capsule(CENTRES[squares[0]], CENTRES[squares[-1]], R + 14, hue, hue + "t")
        for squares in result.lines
    )


def _threads(view: QlanetView) -> str:
    """Two strands between entangled planets, a dashed one where that is not sure; Bell names."""
    parts = []
    for found in groups(view):
        hue = hue_of(found)
        for part in found.bond.parts:
            parts += [_thread(a, b, hue) for a, b in _tree([w + 1 for w in part])]
        if found.bond.maybe:
            sure = {w: part[0] for part in found.bond.parts for w in part}
            pairs = _tree([w + 1 for w in found.wires])
            parts += [
                _maybe(a, b, hue) for a, b in pairs if sure.get(a - 1, a) != sure.get(b - 1, -b)
            ]
        name = kets.bell_name(found.cluster.vectors[0]) if found.cluster.is_pure else ""
        if name:
            parts.append(_name_pill(found.wires[0] + 1, found.wires[1] + 1, name, hue))
    return "".join(parts)


def _thread(a: int, b: int, hue: str) -> str:
    return glyphs.thread(CENTRES[a], CENTRES[b], R, hue, _bulge(a, b))


def _tree(planets: list[int]) -> list[tuple[int, int]]:
    """Pairs that join all planets by the shortest threads."""
    joined, left, pairs = [planets[0]], planets[1:], []
    while left:
        a, b = min(
            ((a, b) for a in joined for b in left),
            key=lambda pair: (_distance(*pair) + 1000 * (_bulge(*pair) != 0), pair),
        )
        pairs.append((a, b))
        joined.append(b)
        left.remove(b)
    return pairs


def _distance(a: int, b: int) -> float:
    (x1, y1), (x2, y2) = CENTRES[a], CENTRES[b]
    return hypot(x2 - x1, y2 - y1)


def _bulge(a: int, b: int) -> float:
    """How far a thread swings aside, towards the board's middle, if a disc lies in its way."""
    if not any({a, b} == {first, last} for first, _, last in LINES):
        return 0.0
    (x1, y1), (x2, y2) = CENTRES[a], CENTRES[b]
    length = hypot(x2 - x1, y2 - y1)
    across = ((y1 - y2) / length, (x2 - x1) / length)
    inward = across[0] * (180 - (x1 + x2) / 2) + across[1] * (180 - (y1 + y2) / 2)
    return 57.0 if inward >= 0 else -57.0


def _middle(a: int, b: int) -> tuple[float, float]:
    """The middle of a thread."""
    (x1, y1), (x2, y2) = CENTRES[a], CENTRES[b]
    length, bulge = hypot(x2 - x1, y2 - y1), _bulge(a, b)
    return (x1 + x2) / 2 - bulge * (y2 - y1) / length, (y1 + y2) / 2 + bulge * (x2 - x1) / length


def _maybe(a: int, b: int, hue: str) -> str:
    """A single dashed strand: the two may be entangled, as far as the viewer knows."""
    (x1, y1), (x2, y2) = CENTRES[a], CENTRES[b]
    mx, my = _middle(a, b)
    cx, cy = 2 * mx - (x1 + x2) / 2, 2 * my - (y1 + y2) / 2
    d = f"M{x1:.1f} {y1:.1f}Q{cx:.1f} {cy:.1f} {x2:.1f} {y2:.1f}"
    return path(d, "none", hue, 2, 'stroke-dasharray="5 4" stroke-linecap="round"')


def _name_pill(a: int, b: int, name: str, hue: str) -> str:
    (x1, y1), (x2, y2) = CENTRES[a], CENTRES[b]
    x, y = _middle(a, b)
    if abs(x1 - x2) < 1:
        x += 22.3
    elif abs(y1 - y2) < 1:
        y += 19
    else:
        x, y = x + 15, y + (16 if (x2 - x1) * (y2 - y1) < 0 else -16)
    return glyphs.pill(x, y, name, hue)


def _ghosts(view: QlanetView, look: Look) -> dict[int, str]:
    """Planets that the previewed outcome would change, with the symbol they would have."""
    if look.ghost is None or look.move is None:
        return {}
    after = own(foreseen(view, look.ghost, look.move))
    return {p: after.symbol(p) for p in changed(view, after)}


def _row(view: QlanetView, look: Look, row: int, faint: bool, ghosts: dict[int, str]) -> str:
    cells = (_cell(view, look, 3 * row + n, faint, ghosts) for n in (1, 2, 3))
    return group("".join(cells), 'role="row"')


def _cell(view: QlanetView, look: Look, planet: int, faint: bool, ghosts: dict[int, str]) -> str:
    x, y = CENTRES[planet]
    symbol = view.symbol(planet)
    picked = planet in look.choice.squares
    ring = 47.0 if symbol.endswith("!") else 42.5
    lit = look.choice.verb is not None and planet in look.targets and not look.disabled
    shut = look.disabled or symbol.endswith("!")
    disc = _disc(view, planet, x, y, symbol, picked, ghosts)
    body = (
        circle(x, y, R + 22, "transparent")
        + (_selection(x, y, ring) if picked else "")
        + (_target(x, y, ring) if lit else "")
        + (circle(x, y, R, "sunken") if faint else "")
        + group(disc, 'class="qg-faint"' if faint else "")
        + (_role(look, planet, x, y) if picked else "")
        + (_barred(x, y, look.disabled) if shut or look.refused == planet else "")
        + f'<circle class="qg-halo" cx="{x:.2f}" cy="{y:.2f}" r="{ring + (5 if picked else 1.5)}"/>'
        + _number(planet, x, y, symbol, picked)
    )
    return group(body, _cell_attributes(view, look, planet, symbol, lit, shut))


def _cell_attributes(
    view: QlanetView, look: Look, planet: int, symbol: str, lit: bool, shut: bool
) -> str:
    picked = planet in look.choice.squares
    entry = look.choice.squares[-1] if look.choice.squares else 1
    tried = " qg-tried" if look.refused == planet else ""
    return (
        f'role="gridcell" class="qg-cell{tried}" data-square="{planet}"'
        f' tabindex="{0 if planet == entry else -1}" aria-selected="{str(picked).lower()}"'
        f"{' aria-disabled=' + chr(34) + 'true' + chr(34) if shut else ''}"
        f' aria-label="{escape(_cell_label(view, planet, symbol, picked, lit))}"'
    )


def _cell_label(view: QlanetView, planet: int, symbol: str, picked: bool, lit: bool) -> str:
    """``planet 6, entangled with 9, group A, hidden from Player 1; legal target``."""
    words = [_("planet {planet}").format(planet=planet), condition(symbol)]
    found = group_of(view, planet - 1)
    if found is not None:
        mine = next((p for p in found.bond.parts if planet - 1 in p), found.wires)
        others = listed([w + 1 for w in mine if w != planet - 1])
        sure = planet - 1 in found.bond.entangled
        linked = _("entangled with {planets}") if sure else _("linked with {planets}")
        words = [words[0], *([words[1]] if symbol != "E" else []), linked.format(planets=others)]
        words.append(_("group {letter}").format(letter=found.name))
    words += [
        _("hidden from {player}").format(player=player(seat))
        for seat in (0, 1)
        if seat != view.seat and planet in view.marks[seat]
    ]
    told = ", ".join(words)
    if picked:
        return _("{planet}; chosen").format(planet=told)
    return _("{planet}; legal target").format(planet=told) if lit else told


def _disc(
    view: QlanetView,
    planet: int,
    x: float,
    y: float,
    symbol: str,
    picked: bool,
    ghosts: dict[int, str],
) -> str:
    """The disc with its group's letter and, where the other player sees ``?``, the small mark."""
    found = group_of(view, planet - 1)
    hue = hue_of(found)
    if planet in ghosts:
        dashed = 'stroke-dasharray="4 4"'
        out = circle(x, y, R, "bg") + group(
            glyphs.planet(x, y, R - 2, ghosts[planet], hue), 'class="qg-ghost"'
        )
        out += circle(x, y, R, "none", "ink2", 2, dashed)
    else:
        out = glyphs.planet(x, y, R, symbol, hue)
    if found is not None:
        out += glyphs.group_letter(x + 27.36, y - 27.36, found.name, hue)
    if view.seat is not None and planet in view.marks[1 - view.seat] and symbol[-1] != "!":
        off = 33.0 if picked else 28.08
        out += glyphs.small_unknown(x - off, y - off)
    return out


def _selection(x: float, y: float, ring: float) -> str:
    return circle(x, y, ring, "none", "markline", 6.5) + circle(x, y, ring, "none", "mark", 4.5)


def _target(x: float, y: float, ring: float) -> str:
    return circle(x, y, ring, "none", "ink", 2, 'stroke-dasharray="1 5" stroke-linecap="round"')


def _barred(x: float, y: float, disabled: bool) -> str:
    """The barred circle, shown on hover or try; not where nothing at all can be played."""
    return "" if disabled else group(glyphs.barred(x + 28, y + 28), 'class="qg-no"')


def _role(look: Look, planet: int, x: float, y: float) -> str:
    """What a chosen planet is to an ordered card: control or target."""
    verb = look.choice.verb
    if verb not in ORDERED:
        return ""
    first = look.choice.squares[0] == planet
    kind = ("control0" if verb == "cx0" else "control") if first else "target"
    return glyphs.role(x + 29, y + 29, kind)


def _number(planet: int, x: float, y: float, symbol: str, picked: bool) -> str:
    off = 5.0 if symbol.endswith("!") else 2.9 if picked else 0.0
    halo = f'stroke="{var("sunken")}" stroke-width="4" paint-order="stroke" stroke-linejoin="round"'
    weight, pen = (650, "ink") if picked else (500, "ink2")
    return text(x - 34.4 - off, y + 40.4 + off, planet, 12, weight, pen, more=halo)


# ---- thumbnails


def changed(before: QlanetView, after: QlanetView) -> list[int]:
    """Planets that look different, or whose group is in another state."""
    return [
        p
        for p in PLANETS
        if before.symbol(p) != after.symbol(p)
        or (after.symbol(p) == "E" and form(before, p) != form(after, p))
    ]


def form(view: QlanetView, planet: int) -> str:
    """Something that is equal for equal states of a planet's group."""
    found = group_of(view, planet - 1)
    if found is None:
        return ""
    if found.cluster.is_pure:
        return kets.closed_form(kets.phase_fixed(found.cluster.vectors[0], found.wires), 512)
    return repr(found.cluster.density().round(6).tolist())


def _small(after: QlanetView, planet: int, x: float, y: float, changed: bool) -> str:
    """A planet of a thumbnail."""
    symbol = after.symbol(planet)
    hue = hue_of(group_of(after, planet - 1))
    if not changed:
        return glyphs.small_planet(x, y, 5.67, symbol, hue)
    under = circle(x, y, 8.87, "mark", "markline", 0.8)
    if symbol[0] in "01":
        return under + circle(x, y, 6.27, f"s{symbol[0]}") + glyphs.digit(x, y, 6.27, symbol[0])
    return under + glyphs.small_planet(x, y, 5.67, symbol, hue)
