"""The state pane: entangled groups as kets, each wire alone, and what is hidden with its odds.

All of it is the viewer's belief. A group whose state is hidden shows every state it may be in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import sqrt

import numpy as np

from qgames.core import View
from qgames.draw import glyphs, kets
from qgames.draw.known import Group, factor, groups, reduced, remembered
from qgames.draw.scene import Scene
from qgames.draw.svg import escape, inline, rect, svg
from qgames.i18n import Html, _, fill, ngettext, percent
from qgames.quantum import Cluster, Vector

MOST = 8
"""Kets or possible states listed for one group."""


def state_html(view: View, scene: Scene) -> Html:
    """The whole pane below its heading."""
    return Html(
        "".join(
            (
                groups_html(view, scene),
                tiles_html(view, scene),
                scene.facts(view),
                legend_line(),
                legend(view, scene),
            )
        )
    )


def state_caption(view: View, scene: Scene) -> str:
    """What the pane's heading adds: whose knowledge this is."""
    if not view.game.secretive:
        return _("exact, and the same for everybody")
    if view.seat is None:
        return _("exact, as far as a spectator can know it")
    return _("exact, as far as {player} can know it").format(player=scene.player(view.seat))


# ---- groups -------------------------------------------------------------------------------------


def groups_html(view: View, scene: Scene) -> Html:
    """All groups, below each other or two by two."""
    found = "".join(group_html(view, scene, group) for group in groups(view))
    two = " qg-two" if scene.group_columns > 1 else ""
    return Html(f'<div class="qg-grps{two}">{found}</div>' if found else "")


def group_html(view: View, scene: Scene, group: Group) -> Html:
    """One group: letter, members, closed form, how entangled; then its kets or possible states."""
    pure = group.cluster.is_pure
    heading = fill(
        '<div class="qg-gh"><b>{letter}</b><span>{members}</span>'
        '<span class="qg-ket">{form}</span><span class="qg-sub">{kind}</span></div>',
        letter=group.name,
        members=Html(scene.members(view, group.wires)),
        form=_form(view, scene, group) if pure else "",
        kind=_kind(group),
    )
    hue = scene.group_hue(group.letter)
    if pure:
        rows = _kets(view, scene, group, hue)
    else:
        labels = view.game.wire_labels
        rows = history_rows(group.cluster, lambda vector: _history(group, vector, labels))
    table = f'<table class="qg-amp"><tbody>{rows}</tbody></table>'
    return Html(f'<div class="qg-grp qg-{hue}">{heading}{table}</div>')


def _form(view: View, scene: Scene, group: Group) -> str:
    vector = scene.turned(view, group.wires, group.cluster.vectors[0])
    return scene.form(view, group.wires, vector)


def _kind(group: Group) -> str:
    if not group.cluster.is_pure:
        words = _hidden_kind(group)
        return words.format(count=len(group.cluster.weights))
    vector = group.cluster.vectors[0]
    mixed = [reduced(vector, n) for n in range(len(group.wires))]
    full = all(np.allclose(rho, np.eye(2) / 2, atol=1e-6) for rho in mixed)
    return _("fully entangled") if full else _("partly entangled")


def _hidden_kind(group: Group) -> str:
    """How a group whose state is hidden hangs together."""
    bond = group.bond
    if group.sure:
        return _("entangled, in one of {count} states")
    if bond.parts:
        return _("in part entangled, in one of {count} states")
    if bond.maybe:
        return _("perhaps entangled, in one of {count} states")
    return _("correlated, in one of {count} states")


def _kets(view: View, scene: Scene, group: Group, hue: str) -> str:
    vector = scene.turned(view, group.wires, group.cluster.vectors[0])
    return ket_rows(vector, hue, lambda digits: scene.ket_name(view, group.wires, digits))


def ket_rows(vector: Vector, hue: str, name: Callable[[str], str] = str) -> str:
    """Rows of a table, likeliest ket first: ket, dial, exact amplitude, chance."""
    found = kets.terms(vector)
    rows = [
        f'<tr><td class="qg-ket">{kets.ket(name(digits))}</td>'
        f"<td>{inline(25, glyphs.dial(12.5, 12.5, 11, a, hue))}</td>"
        f'<td class="qg-ket qg-n">{kets.signed(a)}</td>{bar_cells(abs(a) ** 2)}</tr>'
        for digits, a in found[:MOST]
    ]
    return "".join(rows) + _rest([abs(a) ** 2 for _, a in found[MOST:]])


def history_rows(cluster: Cluster, told: Callable[[Vector], str]) -> str:
    """Rows of a table, likeliest first: the states that a group may be in, with their chances."""
    table: dict[str, float] = {}
    for weight, vector in zip(cluster.weights, cluster.vectors, strict=True):
        words = told(vector)
        table[words] = table.get(words, 0.0) + float(weight)
    found = sorted(table.items(), key=lambda row: (-round(row[1], 9), row[0]))
    rows = [
        f'<tr><td class="qg-ket">{escape(words)}</td>{bar_cells(chance)}</tr>'
        for words, chance in found[:MOST]
    ]
    return "".join(rows) + _rest([chance for _, chance in found[MOST:]])


def _history(group: Group, vector: Vector, labels: Sequence[str]) -> str:
    """One possible state: a Bell state's name and sum, or factor by factor, or one sum."""
    wires = group.wires
    parts = [*group.bond.parts, *((w,) for w in group.bond.loose)]
    if len(parts) > 1 and not group.bond.maybe:
        return " ".join(_factor(group, vector, part, labels) for part in parts)
    turned = kets.phase_fixed(vector, wires)
    name, form = kets.bell_name(turned), kets.closed_form(turned)
    return f"{name} = {form}" if name else form or _("a sum of many kets")


def _factor(group: Group, vector: Vector, part: tuple[int, ...], labels: Sequence[str]) -> str:
    """A factor of a product, with the places of its wires in the group's order."""
    turned = kets.phase_fixed(factor(vector, [group.wires.index(w) for w in part]), part)
    name, form = kets.bell_name(turned), kets.closed_form(turned)
    return f"{name or form or '…'}({','.join(labels[w] for w in part)})"


def bar_cells(chance: float) -> str:
    """Two cells of a table: a bar and the percentage."""
    return (
        f'<td><span class="qg-track"><i style="width:{100 * chance:.4g}%"></i></span></td>'
        f'<td class="qg-n">{percent(chance)}</td>'
    )


def _rest(chances: list[float]) -> str:
    if not chances:
        return ""
    words = ngettext("{count} more, {chance}", "{count} more, {chance}", len(chances))
    told = words.format(count=len(chances), chance=percent(sum(chances)))
    return f'<tr><td colspan="5" class="qg-sub">{escape(told)}</td></tr>'


# ---- tiles --------------------------------------------------------------------------------------


def tiles_html(view: View, scene: Scene) -> Html:
    """Each wire alone: number, glyph, ket and chance of 1, with bus lines that join the groups."""
    wires = scene.tiles(view)
    if not wires:
        return Html("")
    joined = [g for g in groups(view) if all(w in wires for w in g.wires)]
    lanes = _lanes(joined)
    row = max(lanes.values(), default=0) + 1 if joined else 0
    parts = [_bus(scene, g, wires, lanes[g.letter], row) for g in joined]
    parts += [_tile(view, scene, w, n + 1, row + 1) for n, w in enumerate(wires)]
    caption = f'<div class="qg-cap">{scene.tiles_caption(view)}</div>'
    style = f"grid-template-columns:repeat({len(wires)},minmax(0,1fr))"
    if row:
        style += f";grid-template-rows:repeat({row},24px) auto"
    return Html(f'{caption}<div class="qg-tiles" style="{style}">{"".join(parts)}</div>')


def _lanes(joined: list[Group]) -> dict[int, int]:
    """A row for each group's bus line: lines that would overlap stand above each other."""
    lanes: dict[int, int] = {}
    for group in joined:
        taken = {
            lanes[g.letter]
            for g in joined
            if g.letter in lanes and g.wires[0] <= group.wires[-1] and group.wires[0] <= g.wires[-1]
        }
        lanes[group.letter] = next(n for n in range(len(taken) + 1) if n not in taken)
    return lanes


def _bus(scene: Scene, group: Group, wires: tuple[int, ...], lane: int, rows: int) -> str:
    first, last = wires.index(group.wires[0]), wires.index(group.wires[-1])
    hue = scene.group_hue(group.letter)
    name = group.name if last - first < 3 else _bus_words(group).format(letter=group.name)
    rows_of = f"grid-row:{lane + 1}/{rows + 1}"
    style = f"grid-column:{first + 1}/{last + 2};{rows_of};--n:{last - first + 1}"
    maybe = "" if group.sure else " qg-maybe"
    bus = f'<div class="qg-bus qg-{hue}{maybe}" style="{style}"><span>{escape(name)}</span></div>'
    drops = "".join(
        f'<div class="qg-drop qg-{hue}" style="grid-column:{wires.index(w) + 1};{rows_of}"></div>'
        for w in group.wires[1:-1]
    )
    return bus + drops


def _bus_words(group: Group) -> str:
    if group.sure:
        return _("{letter} · entangled")
    if group.bond.parts:
        return _("{letter} · in part entangled")
    return _("{letter} · perhaps entangled") if group.bond.maybe else _("{letter} · correlated")


def _tile(view: View, scene: Scene, wire: int, column: int, row: int) -> str:
    side = scene.fixed(view.position, wire)
    one = view.belief.probability(wire) if side is None else float(side)
    glyph = svg(30, 30, scene.wire_glyph(view, wire, 15, 15, 10.5))
    bar = svg(40, 6, glyphs.split_bar(40, 6, one))
    told = percent(one) if side is None else _("fixed")
    words = scene.wire_text(view, wire) or wire_text(view, wire)
    return (
        f'<div class="qg-tile" style="grid-column:{column};grid-row:{row}">'
        f'<span class="qg-sub">{escape(view.game.wire_labels[wire])}</span>{glyph}'
        f'<span class="qg-ket">{escape(words)}</span>'
        f'{bar}<span class="qg-sub">{escape(told)}</span></div>'
    )


def wire_text(view: View, wire: int) -> str:
    """``|+⟩`` if the wire is in a simple state of its own, its group's letter, else ``?``."""
    letters = remembered(
        view, "letters", lambda: {w: g.name for g in groups(view) for w in g.wires}
    )
    if wire in letters:
        return letters[wire]
    cluster = view.belief.cluster(wire)
    name = kets.one_qubit(cluster.vectors[0]) if cluster.is_pure else "?"
    return kets.ket(name) if name not in ("", "?") else name or kets.ket("ψ")


# ---- legend -------------------------------------------------------------------------------------


def legend_line() -> Html:
    """What the hands, discs and bars mean, in one line."""
    return _legend_line(
        _("phase 0 (+)"), _("phase π (−)"), _("disc size: amplitude"), _("chance of 0 and 1")
    )


@lru_cache(maxsize=8)
def _legend_line(zero: str, pi: str, size: str, chance: str) -> Html:
    def dial(a: complex) -> str:
        return inline(21, glyphs.dial(10.5, 10.5, 9, a / sqrt(2), "ga"))

    bar = svg(
        34, 8, rect(0, 1, 16.5, 6, 3, "s0") + rect(17.5, 1, 16.5, 6, 3, "s1"), more='class="qg-i"'
    )
    return Html(
        f'<div class="qg-leg"><span>{dial(1)} {escape(zero)}</span>'
        f"<span>{dial(-1)} {escape(pi)}</span>"
        f"<span>{escape(size)}</span><span>{bar} {escape(chance)}</span></div>"
    )


def legend(view: View, scene: Scene) -> Html:
    """All glyphs, folded behind "Legend"."""
    rows = [*scene.legend(view), *_common()]
    items = "".join(f"<span>{drawing}<span>{words}</span></span>" for drawing, words in rows)
    title = escape(_("Legend"))
    return Html(
        f'<details><summary>{title}</summary><div class="qg-legend">{items}</div></details>'
    )


def _common() -> list[tuple[str, str]]:
    dials = (
        (1, _("phase 0: the amplitude is positive")),
        (1j, _("phase π/2: the amplitude is a positive multiple of i")),
        (-1, _("phase π: the amplitude is negative")),
        (-1j, _("phase −π/2: the amplitude is a negative multiple of i")),
    )
    rows = [
        (str(inline(25, glyphs.dial(12.5, 12.5, 11, a / sqrt(2), "ga"))), escape(w))
        for a, w in dials
    ]
    pie = inline(20, glyphs.pie(10, 10, 6.5, 0.25, "ink2"))
    return [*rows, (str(pie), escape(_("a chance, here 25 %")))]
