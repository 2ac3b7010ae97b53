"""The state pane as one SVG, for files: groups as kets, then each wire alone, then hidden facts.

On screen the pane is HTML (see ``state.py``), which no drawing program reads.
"""

from __future__ import annotations

import re

from qgames.core import View
from qgames.draw import glyphs, kets
from qgames.draw.inspector import cluster_text, plain, state_form
from qgames.draw.known import Group, groups
from qgames.draw.scene import Scene
from qgames.draw.state import MOST, wire_text
from qgames.draw.svg import group, rect, svg, text
from qgames.i18n import Html, _, percent

WIDTH, LINE, TILE = 574.0, 25.0, 62.0
TILES = 9
"""Tiles in a row."""
MONO = 'style="font-family:var(--qg-mono)"'


def state_svg(view: View, scene: Scene) -> Html:
    """The state as far as the viewer can know it."""
    body, y = "", 0.0
    for found in groups(view):
        drawn, high = _group(view, scene, found)
        body += group(drawn, f'transform="translate(0 {y:g})"')
        y += high + 10
    drawn, high = _tiles(view, scene)
    body += group(drawn, f'transform="translate(0 {y:g})"')
    y += high
    for words in _facts(view, scene):
        body += text(0, y + 17, words, 12, 400, "ink2", "start")
        y += 18
    return svg(WIDTH, max(y, LINE), body, _told(view), 'class="qg-state"')


def _group(view: View, scene: Scene, found: Group) -> tuple[str, float]:
    hue = scene.group_hue(found.letter)
    members = plain(scene.members(view, found.wires))
    head = text(12, 16, f"{found.name}  {members}", 13, 650, anchor="start")
    if found.cluster.is_pure:
        head += text(WIDTH, 16, state_form(found.cluster), 13, 400, anchor="end", more=MONO)
        rows = _kets(found, hue)
    else:
        rows = [text(12, 17, cluster_text(found.cluster), 13, 400, anchor="start", more=MONO)]
    body = head + "".join(
        group(row, f'transform="translate(0 {22 + LINE * n:g})"') for n, row in enumerate(rows)
    )
    high = 22 + LINE * len(rows)
    return rect(0, 0, 3, high, 0, hue) + body, high


def _kets(found: Group, hue: str) -> list[str]:
    terms = kets.terms(kets.phase_fixed(found.cluster.vectors[0], found.wires))
    rows = []
    for digits, a in terms[:MOST]:
        chance = abs(a) ** 2
        rows.append(
            text(12, 17, kets.ket(digits), 13, 400, anchor="start", more=MONO)
            + glyphs.dial(170, 12.5, 11, a, hue)
            + text(270, 17, kets.signed(a), 13, 400, anchor="end", more=MONO)
            + rect(290, 8.5, 150, 8, 4, "line")
            + rect(290, 8.5, max(150 * chance, 1), 8, 4, hue)
            + text(490, 17, percent(chance), 13, 400, anchor="end")
        )
    if len(terms) > MOST:
        left = percent(sum(abs(a) ** 2 for _digits, a in terms[MOST:]))
        words = _("{count} more, {chance}").format(count=len(terms) - MOST, chance=left)
        rows.append(text(12, 17, words, 12, 400, "ink2", "start"))
    return rows


def _tiles(view: View, scene: Scene) -> tuple[str, float]:
    wires = scene.tiles(view)
    body = ""
    for n, wire in enumerate(wires):
        x, y = TILE * (n % TILES) + 2, 108.0 * (n // TILES) + 4
        side = scene.fixed(view.position, wire)
        one = view.belief.probability(wire) if side is None else float(side)
        middle = x + TILE / 2 - 2
        body += rect(x, y, TILE - 4, 100, 8, "bg", "line")
        body += text(middle, y + 17, view.game.wire_labels[wire], 12, 400, "ink2")
        body += scene.wire_glyph(view, wire, middle, y + 38, 10.5)
        words = scene.wire_text(view, wire) or wire_text(view, wire)
        body += text(middle, y + 67, plain(words), 13, 400, more=MONO)
        body += group(
            glyphs.split_bar(40, 6, one), f'transform="translate({middle - 20:g} {y + 74:g})"'
        )
        body += text(middle, y + 94, percent(one) if side is None else _("fixed"), 12, 400, "ink2")
    return body, 108.0 * ((len(wires) + TILES - 1) // TILES)


def _facts(view: View, scene: Scene) -> list[str]:
    """The game's facts, a line each, as plain text."""
    named = re.sub(r'<svg[^>]*aria-label="([^"]*)".*?</svg>', r" \1 ", scene.facts(view))
    lines = re.split(r"</div>|</p>|</tr>|</li>", re.sub(r"<svg.*?</svg>", " ", named))
    spaced = (plain(line.replace("<", " <")) for line in lines)
    return [" ".join(line.split()) for line in spaced if line.strip()]


def _told(view: View) -> str:
    names = view.game.wire_labels
    rows = [
        f"{','.join(names[w] for w in found.wires)} {cluster_text(found.cluster)}"
        for found in groups(view)
    ]
    return _("State: {groups}").format(groups="; ".join(rows) or _("nothing is entangled"))
