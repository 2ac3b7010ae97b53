"""QLANET: the board of nine planets, the hand, what a move may lead to, and what is said."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import cast

from qgames.choice import Square
from qgames.core import Branch, Move, Position, Result, Step, View
from qgames.draw import glyphs, kets
from qgames.draw.known import Group, foreseen, group_of, groups
from qgames.draw.scene import Look, Scene
from qgames.draw.svg import circle, escape, group, inline, line, path, rect, svg, text, var
from qgames.games.qlanet import (
    BELL,
    CARDS,
    KETS,
    LINES,
    ONE_PLANET,
    ORDERED,
    PLANETS,
    Qlanet,
    QlanetPosition,
    QlanetView,
    pure_symbol,
)
from qgames.i18n import Html, _, fill, listed, ngettext, percent

SIZE = 360
R = 36.0
CENTRES = {p: (180 + 115.92 * ((p - 1) % 3 - 1), 180 + 115.92 * ((p - 1) // 3 - 1)) for p in PLANETS}
DISC = {p: p - 1 for p in PLANETS}
"""The wire of each planet."""


class QlanetScene(Scene):
    """Everything that QLANET shows."""

    board_size = SIZE

    # ---- board -----------------------------------------------------------------------------------

    def board(self, view: View, look: Look) -> str:
        """Nine planets on their eight lines, threads, knowledge marks and the state of the choice."""
        seen = _own(view)
        over = view.result is not None
        ghosts = _ghosts(seen, look)
        faint = look.disabled and not over
        under = group(_threads(seen), 'class="qg-faint"' if faint else "")
        cells = "".join(_row(self, seen, look, row, faint, ghosts) for row in range(3))
        body = _ground() + _winning(view.result) + under + cells
        told = _("QLANET board, nine planets")
        return svg(SIZE, SIZE, body, told, 'class="qg-board"', "grid")

    # ---- hand ------------------------------------------------------------------------------------

    def controls(self, view: View, look: Look) -> str:
        """The viewer's hand as cards, the other hand as pills."""
        seen = _own(view)
        seat = _hand_seat(seen)
        hand = seen.position.hands[seat]
        cards = "".join(_card(seen, look, card, n) for n, card in enumerate(hand))
        label = escape(_("Hand of {player}").format(player=self.player(seat)))
        wide = ' style="grid-template-columns:repeat(3,minmax(0,1fr))"' if len(hand) in (3, 5, 6) else ""
        return f'<div class="qg-hand" role="group" aria-label="{label}"{wide}>{cards}</div>' + _other_hand(
            self, seen, 1 - seat
        )

    def hand_caption(self, view: View) -> str:
        """Where cards come from."""
        if cast(Qlanet, view.game).any_card:
            return _("practice: every card is always at hand")
        return _("a played card is replaced at random")

    # ---- odds ------------------------------------------------------------------------------------

    def thumbnail(self, view: View, branch: Branch, move: Move) -> str:
        """The nine planets after ``branch``, those that changed on the mark's yellow."""
        before, after = _own(view), _own(foreseen(view, branch, move))
        changed = set(_changed(before, after)) | {int(a) for a in move.args if move.verb == "m"}
        parts = [rect(0.5, 0.5, 53, 53, 6, "sunken", "line", 1)]
        for p in PLANETS:
            x, y = 9 + 18 * ((p - 1) % 3), 9 + 18 * ((p - 1) // 3)
            parts.append(_small(after, p, x, y, p in changed))
        return svg(54, 54, "".join(parts), _("the board then"))

    def consequence(self, view: View, branch: Branch, move: Move) -> str:
        """What changes on the board, what it is worth, and what the other player will see."""
        before, after = _own(view), _own(foreseen(view, branch, move))
        sentences = [
            *_measured(self, after, branch, move),
            *_bell_found(after, branch, move),
            *_links(before, after, move),
            *_becomes(before, after, move),
            *_still_hidden(self, after, move),
        ]
        return Html(" ".join(sentences) or escape(_nothing(move)))

    def branch_hue(self, view: View, branch: Branch, move: Move) -> str:
        """A measurement's outcome has its side's hue."""
        fixed = dict(branch.outcome).get("fixed")
        return "ink2" if fixed is None else f"s{fixed}"

    def aftermath(self, view: View, move: Move) -> str:
        """The cost, who moves next, and both totals on a line."""
        seen = _own(view)
        cost = cast(Qlanet, view.game).costs.get(move.verb)
        if cost is None or view.to_move is None:
            return ""
        words = _cost_words(self, seen, view.to_move, cost)
        return (
            f'<div class="qg-after"><div class="qg-cap" style="margin:0">{words}</div>'
            f"{_cost_line(seen.position.totals, view.to_move, cost)}</div>"
        )

    # ---- words -----------------------------------------------------------------------------------

    def move_label(self, move: Move) -> str:
        """``BM 6,9``, ``CX0 6→9``, ``M 5``."""
        if move.verb in CARDS:
            between = "→" if move.verb in ORDERED else ","
            return f"{move.verb.upper()} {between.join(map(str, move.args))}"
        return {
            "deal": _("deal"),
            "draw": _("draw"),
            "redraw": _("redraw"),
            "resign": _("resign"),
        }.get(move.verb, str(move))

    def move_phrase(self, move: Move) -> str:
        """``M on 5``, ``CX0, 6 → 9``, ``BM on 6, 9``."""
        if move.verb not in CARDS:
            return self.move_label(move)
        card = move.verb.upper()
        if move.verb in ORDERED:
            control, target = move.args
            return _("{card}, {control} → {target}").format(card=card, control=control, target=target)
        return _("{card} on {planets}").format(card=card, planets=", ".join(map(str, move.args)))

    def result_label(self, view: View, step: Step) -> str:
        """The fixed value, or the Bell state if it was the viewer's to read."""
        if step.move.verb == "m":
            return step.bits("fixed") or ""
        if step.move.verb == "bm":
            bits = dict(step.outcome).get(f"p{step.seat}", "??")
            return _bell(BELL[bits]) if bits in BELL else ""
        return ""

    def status(self, view: View, look: Look) -> str:
        """What happened and what to do."""
        seen = _own(view)
        if seen.result is not None:
            return _ending(self, seen, seen.result)
        if look.refused is not None and not look.disabled:
            return _refusal(seen, look)
        if seen.seat != seen.to_move or look.disabled:
            return Html(" ".join(filter(None, [_report(self, seen), _turn(self, seen)])))
        if look.choice.verb is None and not look.choice.squares:
            return Html(" ".join(filter(None, [_report(self, seen), _your_turn(seen)])))
        return _half_way(look)

    def score(self, view: View, seat: int) -> str:
        """The cost so far."""
        return str(_own(view).position.totals[seat])

    def player(self, seat: int) -> str:
        """Player 0 collects 0!, player 1 collects 1!."""
        return _("Player {number}").format(number=seat)

    # ---- circuit and state -----------------------------------------------------------------------

    def wire_glyph(self, view: View, wire: int, x: float, y: float, r: float) -> str:
        """The planet's disc, as on the board."""
        return glyphs.planet(x, y, r, _own(view).symbol(wire + 1), _hue(group_of(view, wire)))

    def fixed(self, position: Position, wire: int) -> int | None:
        """The side a planet is fixed for."""
        return cast(QlanetPosition, position).fixed[wire]

    def registers(self, view: View) -> tuple[str, ...]:
        """The fixed bits, and where BM is in play each player's own Bell bits."""
        bell = "bm" in cast(Qlanet, view.game).cards
        return ("fixed", "p0", "p1") if bell else ("fixed",)

    def register_label(self, register: str) -> tuple[str, int | None]:
        """``fixed``, and ``Bell`` with the badge of the player who alone reads it."""
        if register in ("p0", "p1"):
            return _("Bell"), int(register[1])
        return (_("fixed"), None) if register == "fixed" else (register, None)

    def count_text(self, view: View) -> str:
        """Nine planets."""
        return ngettext("{count} planet", "{count} planets", len(PLANETS)).format(count=len(PLANETS))

    def members(self, view: View, wires: Sequence[int]) -> str:
        """``planets 6 and 9``."""
        return fill(_("planets {names}"), names=_names([w + 1 for w in wires]))

    def tiles_caption(self, view: View) -> str:
        """Above the nine tiles."""
        return _("<b>Each planet on its own</b> &#160;state, and chance of measuring 1")

    def wire_text(self, view: View, wire: int) -> str:
        """The planet's ket, its group's letter, or ``?`` where the board shows it."""
        seen = _own(view)
        symbol = seen.symbol(wire + 1)
        if symbol == "?":
            return "?"
        found = group_of(view, wire)
        return found.name if symbol == "E" and found else kets.ket(_typed(symbol[0]))

    def facts(self, view: View) -> str:
        """What a ``?`` may be, and the viewer's own Bell codes."""
        seen = _own(view)
        rows = [*_hidden_facts(self, seen), *_codes(self, seen)]
        return Html(f'<div class="qg-facts">{"".join(rows)}</div>' if rows else "")

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
            (svg(30, 30, glyphs.small_unknown(15, 15)), _("<b>small ?</b> the other player sees ?")),
            (strand, _("<b>thread</b> joins one entangled group")),
        )


SCENE = QlanetScene()


def _own(view: View) -> QlanetView:
    assert isinstance(view, QlanetView)
    assert isinstance(view.position, QlanetPosition)
    return view


def _typed(symbol: str) -> str:
    """A symbol with a typographic minus."""
    return symbol.replace("-", "−")


def _bell(name: str) -> str:
    return name.replace("-", "−")


def _hue(found: Group | None) -> str:
    return SCENE.group_hue(found.letter) if found else "gd"


def _names(planets: Sequence[int | str]) -> Html:
    """``6 and 9``, each in bold."""
    return listed([fill("<b>{planet}</b>", planet=p) for p in planets])


# ---- the board ----------------------------------------------------------------------------------


def _ground() -> str:
    lines = "".join(
        line(*CENTRES[a], *CENTRES[c], "line", 1.25)  # type: ignore[arg-type]
        for a, _b, c in LINES
    )
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
    """Two strands between the members of each entangled group, and the Bell state's name if known."""
    parts = []
    for found in groups(view):
        hue = _hue(found)
        planets = [w + 1 for w in found.wires]
        for a, b in _tree(planets):
            bulge = _bulge(a, b)
            if found.sure:
                parts.append(glyphs.thread(CENTRES[a], CENTRES[b], R, hue, bulge))
            else:
                parts.append(_maybe(a, b, hue, bulge))
        name = kets.bell_name(found.cluster.vectors[0]) if found.cluster.is_pure else ""
        if name:
            parts.append(_name_pill(planets[0], planets[1], name, hue))
    return "".join(parts)


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
    """How far a thread must swing aside, if a disc lies in its way: towards the middle of the board."""
    if not any(a in ends and b in ends for ends in ((l[0], l[2]) for l in LINES)):
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


def _maybe(a: int, b: int, hue: str, bulge: float) -> str:
    """A single dashed strand: the two may be entangled, as far as the viewer knows."""
    (x1, y1), (x2, y2) = CENTRES[a], CENTRES[b]
    mx, my = _middle(a, b)
    cx, cy = (2 * mx - (x1 + x2) / 2, 2 * my - (y1 + y2) / 2) if bulge else (mx, my)
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
    after = _own(foreseen(view, look.ghost, look.move))
    return {p: after.symbol(p) for p in _changed(view, after)}


def _row(
    scene: Scene, view: QlanetView, look: Look, row: int, faint: bool, ghosts: dict[int, str]
) -> str:
    cells = (_cell(scene, view, look, 3 * row + n, faint, ghosts) for n in (1, 2, 3))
    return group("".join(cells), 'role="row"')


def _cell(
    scene: Scene, view: QlanetView, look: Look, planet: int, faint: bool, ghosts: dict[int, str]
) -> str:
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
        + group(disc, 'class="qg-faint"' if faint else "")
        + (_role(look, planet, x, y) if picked else "")
        + (_barred(x, y, look.disabled) if shut or look.refused == planet else "")
        + f'<circle class="qg-halo" cx="{x:.2f}" cy="{y:.2f}" r="{ring + (5 if picked else 1.5)}"/>'
        + _number(planet, x, y, symbol, picked)
    )
    return group(body, _cell_attributes(scene, view, look, planet, symbol, lit, shut))


def _cell_attributes(
    scene: Scene, view: QlanetView, look: Look, planet: int, symbol: str, lit: bool, shut: bool
) -> str:
    picked = planet in look.choice.squares
    entry = look.choice.squares[-1] if look.choice.squares else 1
    tried = " qg-tried" if look.refused == planet else ""
    return (
        f'role="gridcell" class="qg-cell{tried}" data-square="{planet}"'
        f' tabindex="{0 if planet == entry else -1}" aria-selected="{str(picked).lower()}"'
        f'{" aria-disabled=" + chr(34) + "true" + chr(34) if shut else ""}'
        f' aria-label="{escape(_cell_label(scene, view, planet, symbol, picked, lit))}"'
    )


def _cell_label(
    scene: Scene, view: QlanetView, planet: int, symbol: str, picked: bool, lit: bool
) -> str:
    """``planet 6, entangled with 9, group A, hidden from Player 1; legal target``."""
    words = [_("planet {planet}").format(planet=planet), _condition(symbol)]
    found = group_of(view, planet - 1)
    if found is not None:
        others = listed([w + 1 for w in found.wires if w != planet - 1])
        linked = _("entangled with {planets}") if found.sure else _("perhaps entangled with {planets}")
        words = [words[0], *([words[1]] if symbol != "E" else []), linked.format(planets=others)]
        words.append(_("group {letter}").format(letter=found.name))
    words += [
        _("hidden from {player}").format(player=scene.player(seat))
        for seat in (0, 1)
        if seat != view.seat and planet in view.marks[seat]
    ]
    told = ", ".join(words)
    if picked:
        return _("{planet}; chosen").format(planet=told)
    return _("{planet}; legal target").format(planet=told) if lit else told


def _condition(symbol: str) -> str:
    """A symbol in words."""
    return {
        "0!": _("fixed 0"),
        "1!": _("fixed 1"),
        "0": _("zero"),
        "1": _("one"),
        "+": _("plus"),
        "-": _("minus"),
        "E": _("entangled"),
    }.get(symbol, _("unknown to you"))


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
    hue = _hue(found)
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
    halo = (
        f'stroke="{var("sunken")}" stroke-width="4" paint-order="stroke" stroke-linejoin="round"'
    )
    weight, pen = (650, "ink") if picked else (500, "ink2")
    return text(x - 34.4 - off, y + 40.4 + off, planet, 12, weight, pen, more=halo)


# ---- cards --------------------------------------------------------------------------------------


def _hand_seat(view: QlanetView) -> int:
    """Whose hand stands as cards: the viewer's; for a spectator that of the seat to move."""
    if view.seat is not None:
        return view.seat
    return view.to_move or 0


def _card(view: QlanetView, look: Look, card: str | None, slot: int) -> str:
    if card is None:
        waiting = escape(_("to be drawn"))
        return (
            f'<button type="button" class="qg-card" aria-disabled="true"><span class="qg-nm"><b>?</b>'
            f"{waiting}</span></button>"
        )
    mine = view.seat == _hand_seat(view)
    playable = mine and any(m.verb == card for m in view.legal_moves)
    shut = look.disabled or not playable
    chosen = look.choice.verb == card and look.slot in (slot, None) and not look.disabled
    mine_to_move = mine and view.to_move == view.seat and not look.disabled
    under = _("no target") if mine_to_move and not playable else _card_words(card)
    cost = cast(Qlanet, view.game).costs[card]
    told = _("{card}, {effect}, cost {cost}").format(card=card.upper(), effect=_effect(card), cost=cost)
    return (
        f'<button type="button" class="qg-card" data-verb="{card}" data-slot="{slot}"'
        f' aria-pressed="{str(chosen).lower()}"{_when(shut, "aria-disabled")}'
        f' aria-label="{escape(told)}" title="{escape(_effect(card))}">{_icon(card)}'
        f'<span class="qg-cost">{cost}</span>'
        f'<span class="qg-nm"><b>{card.upper()}</b>{escape(under)}</span></button>'
    )


def _when(flag: bool, attribute: str) -> str:
    return f' {attribute}="true"' if flag else ""


def _icon(card: str) -> Html:
    if card == "m":
        return svg(28, 28, glyphs.meter(14, 14, 22))
    if card in ONE_PLANET:
        return svg(28, 28, glyphs.gate_box(14, 14, card.upper(), 22))
    return svg(28, 28, glyphs.stack_icon(card))


def _card_words(card: str) -> str:
    """Two words under a card's name."""
    return {
        "x": _("flip 0, 1"),
        "h": _("Hadamard"),
        "z": _("flip +, −"),
        "m": _("measure"),
        "cx0": _("if 0, flip"),
        "cx1": _("if 1, flip"),
        "sw": _("exchange"),
        "bm": _("Bell basis"),
    }[card]


def _effect(card: str) -> str:
    """What a card does, in a sentence."""
    return {
        "x": _("turns 0 into 1 and 1 into 0"),
        "h": _("Hadamard: 0 and + change into each other, 1 and − too"),
        "z": _("turns + into − and − into +"),
        "m": _("measures a planet and fixes it for good"),
        "cx0": _("flips the second planet where the first is 0"),
        "cx1": _("flips the second planet where the first is 1"),
        "sw": _("exchanges two planets"),
        "bm": _("measures two planets in the Bell basis; only you learn the result"),
    }[card]


def _other_hand(scene: Scene, view: QlanetView, seat: int) -> str:
    if cast(Qlanet, view.game).any_card:
        return ""
    costs = cast(Qlanet, view.game).costs
    pills = "".join(
        f'<span class="qg-pill">{card.upper()} <i>{costs[card]}</i></span>'
        for card in view.position.hands[seat]
        if card is not None
    )
    holds = fill(_("{badge} {player} holds"), badge=glyphs.seat_badge(seat, 15), player=scene.player(seat))
    return f'<div class="qg-opp"><span>{holds}</span>{pills}</div>'


# ---- what a move leads to -----------------------------------------------------------------------


def _changed(before: QlanetView, after: QlanetView) -> list[int]:
    """Planets that look different, or whose group is in another state."""
    return [
        p
        for p in PLANETS
        if before.symbol(p) != after.symbol(p)
        or (after.symbol(p) == "E" and _form(before, p) != _form(after, p))
    ]


def _form(view: QlanetView, planet: int) -> str:
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
    hue = _hue(group_of(after, planet - 1))
    if not changed:
        return glyphs.small_planet(x, y, 5.67, symbol, hue)
    under = circle(x, y, 8.87, "mark", "markline", 0.8)
    if symbol[0] in "01":
        return under + circle(x, y, 6.27, f"s{symbol[0]}") + glyphs.digit(x, y, 6.27, symbol[0])
    return under + glyphs.small_planet(x, y, 5.67, symbol, hue)


def _measured(scene: Scene, after: QlanetView, branch: Branch, move: Move) -> list[str]:
    if move.verb != "m":
        return []
    bit = int(dict(branch.outcome)["fixed"])
    words = (
        _("{planet} is fixed <b>{bit}</b>, yours for good.")
        if bit == after.seat
        else _("{planet} is fixed <b>{bit}</b>, lost for good.")
    )
    if after.seat is None:
        words = _("{planet} is fixed <b>{bit}</b>.")
    return [fill(words, planet=move.args[0], bit=bit), *_decides(scene, after)]


def _decides(scene: Scene, after: QlanetView) -> list[str]:
    result = after.result
    if result is None:
        return []
    if result.winner is None:
        return [_("The match is drawn.")]
    if result.winner == after.seat:
        return [_("<b>You win.</b>")]
    return [fill(_("<b>{player} wins.</b>"), player=scene.player(result.winner))]


def _bell_found(after: QlanetView, branch: Branch, move: Move) -> list[str]:
    if move.verb != "bm":
        return []
    bits = next(bits for name, bits in branch.outcome if name.startswith("p"))
    name = _bell(BELL[bits])
    words = _("<b>{bell}</b>: {planets} are {kets}.")
    shown = fill('<span class="qg-ket">{kets}</span>', kets=kets.bell_sum(name))
    return [fill(words, bell=name, planets=listed(move.args), kets=shown)]


def _links(before: QlanetView, after: QlanetView, move: Move) -> list[str]:
    """Groups that come into being, and groups that change their state."""
    told: list[str] = []
    if move.verb == "bm":
        return told
    for found in groups(after):
        planets = [w + 1 for w in found.wires]
        if all(after.symbol(p) != "E" for p in planets):
            continue
        name = kets.bell_name(found.cluster.vectors[0]) if found.cluster.is_pure else ""
        was = group_of(before, found.wires[0])
        if was is None or was.wires != found.wires:
            words = _("{planets} are entangled: {bell}.") if name else _("{planets} are entangled.")
            told.append(fill(words, planets=listed(planets), bell=name))
        elif _form(before, planets[0]) != _form(after, planets[0]):
            words = (
                _("{planets} are now {bell}.")
                if name
                else _("The entangled state of {planets} changes.")
            )
            told.append(fill(words, planets=listed(planets), bell=name))
    return told


def _becomes(before: QlanetView, after: QlanetView, move: Move) -> list[str]:
    """Planets that have a state of their own afterwards, or are no longer known."""
    told = []
    for p in PLANETS:
        old, new = before.symbol(p), after.symbol(p)
        if old == new or new.endswith("!") or new == "E":
            continue
        if new == "?":
            words = _("{planet} becomes <b>?</b> to you.")
        elif old == "E":
            words = _("{planet} becomes {symbol}, no longer entangled.")
        else:
            words = _("{planet} becomes {symbol}.")
        told.append(fill(words, planet=p, symbol=_typed(new)))
    return told


def _still_hidden(scene: Scene, after: QlanetView, move: Move) -> list[str]:
    """What the other player cannot see afterwards."""
    if after.seat is None or move.verb in ONE_PLANET or after.result is not None:
        return []
    other = 1 - after.seat
    hidden = [int(a) for a in move.args if int(a) in after.marks[other]]
    if not hidden:
        return []
    words = _("{player} sees <b>?</b> on {planets}.")
    return [fill(words, player=scene.player(other), planets=listed(hidden))]


def _nothing(move: Move) -> str:
    if move.verb in ("draw", "redraw"):
        return _("New cards are drawn.")
    if move.verb == "resign":
        return _("The match is lost.")
    return _("Nothing changes on the board.")


def _cost_words(scene: Scene, view: QlanetView, seat: int, cost: int) -> Html:
    totals = view.position.totals
    mine, other = totals[seat] + cost, totals[1 - seat]
    rival = scene.player(1 - seat)
    if mine > other:
        words = _("<b>Cost</b> &#160;{old} + {cost} = {new}. {rival} has {other}, so {rival} moves next")
    elif mine < other:
        words = _("<b>Cost</b> &#160;{old} + {cost} = {new}. Still below {other}, so you move again")
    else:
        words = _("<b>Cost</b> &#160;{old} + {cost} = {new}, a tie: who has just moved moves again, so you do")
    return fill(words, old=totals[seat], cost=cost, new=mine, rival=rival, other=other)


def _cost_line(totals: tuple[int, int], seat: int, cost: int) -> Html:
    """Both totals on a line, and where the mover's would go."""
    after = totals[seat] + cost
    step = 5
    low = max(0, (min(totals) // step) * step - (step if min(totals) else 0))
    while (max(*totals, after) - low) / step > 5:
        step *= 2
        low = (min(totals) // step) * step
    ticks = max(4, -(-(max(*totals, after) - low) // step))
    width = 336 / (ticks + 0.8)

    def x(total: float) -> float:
        return 12 + width * (total - low) / step

    y = 24.0
    parts = [line(12, y, 348, y, "line", 3, 'stroke-linecap="round"')]
    for n in range(ticks + 1):
        parts.append(line(x(low + n * step), 19, x(low + n * step), 29, "edge", 1))
        parts.append(text(x(low + n * step), 47, low + n * step, 12, 400, "ink2"))
    hue = f"s{seat}"
    start, end = x(totals[seat]), x(after)
    parts.append(path(f"M{start:.1f} {y}H{end:.1f}", "none", hue, 2, 'stroke-dasharray="3 3"'))
    parts.append(_ghost_mark(end, y, seat))
    apart = 9 if abs(x(totals[0]) - x(totals[1])) < 17 else 0
    for s in (1 - seat, seat):
        shift = (0, 0) if not apart else (-apart, apart)
        parts.append(glyphs.seat_mark(x(totals[s]) + shift[s], y, 8.5, s, digit=True))
    told = _("Cost: {mine} now, {after} after this move; the other player has {other}")
    words = told.format(mine=totals[seat], after=after, other=totals[1 - seat])
    return svg(360, 50, "".join(parts), words)


def _ghost_mark(x: float, y: float, seat: int) -> str:
    dashed = 'stroke-dasharray="3 2"'
    if seat == 0:
        mark = circle(x, y, 8.5, "bg", "s0", 1.5, dashed)
    else:
        mark = path(f"M{x:.1f} {y - 10}L{x + 10:.1f} {y}L{x:.1f} {y + 10}L{x - 10:.1f} {y}Z", "bg", "s1", 1.5, dashed)
    return mark + text(x, y + 4.2, seat, 12, 650, f"s{seat}i")


# ---- the status line ----------------------------------------------------------------------------


def _report(scene: Scene, view: QlanetView) -> str:
    """What the last step was, told to this viewer."""
    if not view.record:
        return ""
    step = view.record[-1]
    if step.seat is None:
        return ""
    own = step.seat == view.seat
    told = dict.fromkeys("abcd", "") | dict(zip("ab", map(str, step.move.args), strict=False))
    read = scene.result_label(view, step)
    words = _report_words(step.move.verb, own, read)
    return fill(
        words,
        player=scene.player(step.seat),
        card=step.move.verb.upper(),
        a=told["a"],
        b=told["b"],
        read=read,
    )


def _report_words(verb: str, own: bool, read: str) -> str:
    if verb == "m":
        return (
            _("You measured planet <b>{a}</b>: result <b>{read}</b>, fixed.")
            if own
            else _("{player} measured planet <b>{a}</b>: result <b>{read}</b>, fixed.")
        )
    if verb == "bm" and read:
        return _("You played BM on {a}, {b}: result <b>{read}</b>, which only you know.")
    if verb == "bm":
        return _("{player} played BM on {a}, {b}; only {player} knows the result.")
    if verb in ORDERED:
        return (
            _("You played {card} on planets <b>{a} → {b}</b>.")
            if own
            else _("{player} played {card} on planets <b>{a} → {b}</b>.")
        )
    if verb == "sw":
        return (
            _("You exchanged planets <b>{a}</b> and <b>{b}</b>.")
            if own
            else _("{player} exchanged planets <b>{a}</b> and <b>{b}</b>.")
        )
    if verb in ONE_PLANET:
        return (
            _("You played {card} on planet <b>{a}</b>.")
            if own
            else _("{player} played {card} on planet <b>{a}</b>.")
        )
    return (
        _("You have drawn new cards.") if own else _("{player} has drawn new cards.")
    )


def _turn(scene: Scene, view: QlanetView) -> str:
    """Whose turn it is, when it is not the viewer's to choose."""
    if view.to_move is None:
        return ""
    mine, other = view.position.totals[view.to_move], view.position.totals[1 - view.to_move]
    words = _("{player} to move ({mine} &lt; {other}).") if mine < other else _("{player} to move.")
    if view.to_move == view.seat:
        words = _("Your turn ({mine} &lt; {other}).") if mine < other else _("Your turn.")
    return fill(words, player=scene.player(view.to_move), mine=mine, other=other)


def _your_turn(view: QlanetView) -> str:
    assert view.seat is not None
    verbs = {m.verb for m in view.legal_moves}
    if verbs == {"redraw"}:
        return Html(_("No card in your hand can be played: press <b>Play</b> to draw a new hand, free of charge."))
    if verbs == {"draw"}:
        return Html(_("A card is still to be drawn: press <b>Play</b>."))
    mine, other = view.position.totals[view.seat], view.position.totals[1 - view.seat]
    again = bool(view.record) and view.record[-1].seat == view.seat
    if again and mine == other:
        words = _("A tie at {mine}: who has just moved moves again, so it is your turn.")
    elif again:
        words = _("You move again ({mine} &lt; {other}).")
    elif mine < other:
        words = _("Your turn ({mine} &lt; {other}).")
    else:
        words = _("Your turn. Choose a planet, then a card.")
    return fill(words, mine=mine, other=other)


def _half_way(look: Look) -> str:
    """What is chosen and what is still to choose."""
    squares, verb = look.choice.squares, look.choice.verb
    card = (verb or "").upper()
    if verb is None:
        words = (
            _("Planets <b>{a} → {b}</b> chosen. Now choose a two-planet card.")
            if len(squares) == 2
            else _("Planet <b>{a}</b> chosen. Now choose a card, or a second planet.")
        )
    elif not squares:
        words = _to_choose(verb)
    elif look.move is not None or len(squares) == (1 if verb in ONE_PLANET else 2):
        words = _complete(verb)
    else:
        words = (
            _("Card <b>{card}</b>, control <b>{a}</b>. Now choose the target planet.")
            if verb in ORDERED
            else _("Card <b>{card}</b>, planet <b>{a}</b>. Now choose the second planet.")
        )
    a, b = (*map(str, squares), "", "")[:2]
    return fill(words, card=card, a=a, b=b)


def _to_choose(verb: str) -> str:
    if verb in ONE_PLANET:
        return _("Card <b>{card}</b> chosen. Now choose a planet.")
    if verb in ORDERED:
        return _("Card <b>{card}</b> chosen. Now choose the control planet, then the target.")
    return _("Card <b>{card}</b> chosen. Now choose two planets.")


def _complete(verb: str) -> str:
    if verb in ONE_PLANET:
        return _("Planet <b>{a}</b> and card <b>{card}</b> are chosen: press <b>Play</b>, or choose another card.")
    if verb in ORDERED:
        return _("Planets <b>{a} → {b}</b> and card <b>{card}</b> are chosen: press <b>Play</b>, or choose another card.")
    return _("Planets <b>{a}, {b}</b> and card <b>{card}</b> are chosen: press <b>Play</b>, or choose another card.")


def _refusal(view: QlanetView, look: Look) -> str:
    square: Square | None = look.refused
    if square in PLANETS and view.position.fixed[int(cast(int, square)) - 1] is not None:
        return fill(
            _("Planet <b>{planet}</b> is fixed; no card works on it. Choose another planet."),
            planet=square,
        )
    if look.choice.verb is not None and square in look.choice.squares:
        return fill(
            _("Card <b>{card}</b> takes two different planets. Choose another planet."),
            card=look.choice.verb.upper(),
        )
    return fill(_("Planet <b>{planet}</b> cannot be chosen now."), planet=square)


def _ending(scene: Scene, view: QlanetView, result: Result) -> Html:
    """Who won and why; a draw says so."""
    if result.winner is None:
        return Html(
            _("<b>Draw:</b> the turn limit is reached at equal planets and equal cost. Press <b>New</b> for another match.")
        )
    loser = scene.player(1 - result.winner)
    winner = scene.player(result.winner)
    planets = ", ".join(str(p) for p in sorted({p for line in result.lines for p in line}))
    words = {
        "three in a row": _(
            "<b>{winner} wins:</b> fixed {planets} in a row. Press <b>New</b> for another match."
        ),
        "five planets": _(
            "<b>{winner} wins:</b> five planets fixed, {planets}. Press <b>New</b> for another match."
        ),
        "more planets at the turn limit": _(
            "<b>{winner} wins:</b> more planets fixed at the turn limit. Press <b>New</b> for another match."
        ),
        "lower cost at the turn limit": _(
            "<b>{winner} wins:</b> equal planets and the lower cost at the turn limit. Press <b>New</b> for another match."
        ),
        "resignation": _("<b>{winner} wins:</b> {loser} has resigned. Press <b>New</b> for another match."),
    }[result.reason]
    return fill(words, winner=winner, loser=loser, planets=planets)


# ---- facts under the state ----------------------------------------------------------------------


def _hidden_facts(scene: Scene, view: QlanetView) -> list[str]:
    """What each planet that shows ``?`` may be; groups of several planets stand above already."""
    rows = []
    for p in PLANETS:
        cluster = view.belief.cluster(p - 1)
        if view.symbol(p) == "?" and len(cluster.wires) == 1:
            rows.append(_hidden_fact(scene, view, p))
    return rows


def _hidden_fact(scene: Scene, view: QlanetView, planet: int) -> str:
    mark = inline(23, glyphs.unknown(11.5, 11.5, 9))
    odds = _symbol_odds(view, planet)
    if len(odds) == 1:
        symbol = next(iter(odds))
        words = _("{mark} <b>{planet}</b> is marked ?, but the record leaves only {symbol}")
        return f"<div>{fill(words, mark=mark, planet=planet, symbol=kets.ket(_typed(symbol)))}</div>"
    both = all(planet in marks for marks in view.marks) or view.seat is None
    words = (
        _("{mark} <b>{planet}</b> is hidden from both players: one of")
        if both
        else _("{mark} <b>{planet}</b> is hidden from you: one of")
    )
    told = fill(words, mark=mark, planet=planet)
    if len({round(c, 6) for c in odds.values()}) == 1:
        drawn = "".join(inline(21, glyphs.planet(10.5, 10.5, 8, s)) for s in odds)
        each = escape(_("{chance} each").format(chance=percent(next(iter(odds.values())))))
        return f'<div><span>{told}</span><span class="qg-glyphs">{drawn}</span><span>{each}</span></div>'
    shown = "".join(
        f'<span class="qg-glyphs">{inline(21, glyphs.planet(10.5, 10.5, 8, s))} {escape(percent(c))}</span>'
        for s, c in odds.items()
    )
    return f"<div><span>{told}</span>{shown}</div>"


def _symbol_odds(view: QlanetView, planet: int) -> dict[str, float]:
    """How likely each symbol of a planet is, in the order 0 1 + -."""
    cluster = view.belief.cluster(planet - 1)
    odds: dict[str, float] = {}
    for weight, vector in zip(cluster.weights, cluster.vectors, strict=True):
        symbol = kets.one_qubit(vector).replace("−", "-") or "E"
        odds[symbol] = odds.get(symbol, 0.0) + float(weight)
    return {s: odds[s] for s in (*KETS, "E") if s in odds}


def _codes(scene: Scene, view: QlanetView) -> list[str]:
    """The viewer's own Bell measurements, newest last; earlier ones than three fold."""
    if not view.codes or view.seat is None:
        return []
    first = scene.opening_steps(view)
    rows = []
    for code in view.codes:
        a, b = code.planets
        name = _bell(code.bell)
        shown = fill('<span class="qg-ket">{kets}</span>', kets=kets.bell_sum(name))
        words = _("move {move}: {kets} on {a}, {b}")
        rows.append(fill(words, move=code.step + 1 - first, kets=shown, a=a, b=b))
    title = escape(_("Your Bell codes"))
    other = fill(_("{player} does not see them"), player=scene.player(1 - view.seat))
    newest = "".join(f"<span>{row}</span>" for row in rows[-3:])
    out = [f'<div><b>{title}</b>{newest}<span class="qg-sub">{other}</span></div>']
    if len(rows) > 3:
        more = ngettext("{count} earlier code", "{count} earlier codes", len(rows) - 3)
        older = "".join(f"<div>{row}</div>" for row in rows[:-3])
        out.append(f"<details><summary>{escape(more.format(count=len(rows) - 3))}</summary>{older}</details>")
    return out


__all__ = ["SCENE", "QlanetScene", "pure_symbol"]
