"""Shots, the score sheet front and back, and "Why this result?"."""

from __future__ import annotations

from collections import Counter

from qgames.draw import glyphs
from qgames.draw.qubits_wars_words import (
    card_name,
    player,
    rules_of,
    secondary,
    table,
    typed,
)
from qgames.draw.svg import circle, escape, line, rect, svg, text, text_width
from qgames.games.qubits_wars import Sheet, WarsPosition, WarsView
from qgames.games.qubits_wars_circuit import FACES, DiceRow, Operation, symbols_after
from qgames.i18n import Html, _, fill, ngettext, percent

MOST = 8
"""Columns of a histogram at most: the likeliest results, and what was measured."""


def facts(view: WarsView) -> Html:
    """Symbols before and after the CNOT zone, shots, why they came out so, and the sheets."""
    parts: list[str] = [before_and_after(view), shots(view)]
    if table(view).shots:
        parts.append(why_html(view))
    for sheet in reversed(table(view).sheets):
        title = fill(_("Score sheet of round {number}"), number=sheet.round)
        parts.append(
            f'<details open="open"><summary>{title}</summary><div class="qg-wars-sheet">'
            f"{front(view, sheet)}{back(sheet)}</div></details>"
        )
    return Html("".join(parts))


# ---- before and after ----------------------------------------------------------------------------


def before_and_after(view: WarsView) -> Html:
    """Each line's symbol, and what the CNOT zone makes of it; face-down noise is not counted."""
    now = table(view)
    before = now.recorded or now.symbols
    if "E" in before or set(before) & {"?"}:
        return Html("")
    after = symbols_after(before, now.cnot_lines)
    parts = []
    for q, (a, b) in enumerate(zip(before, after, strict=True)):
        x = 30 + 74 * q
        parts.append(text(x, 14, f"q{q}", 12, 400, "ink2"))
        parts.append(glyphs.planet(x, 32, 12, a) + text(x, 61, "↓", 13, 400, "ink2"))
        parts.append(glyphs.planet(x, 78, 12, b, "gd"))
        parts.append(text(x, 106, _("entangled") if b == "E" else f"|{typed(b)}⟩", 12))
    label = _("symbols {before} become {after}").format(before=before, after=after)
    caption = escape(_("Before and after the CNOT zone"))
    return Html(
        f'<div class="qg-cap"><b>{caption}</b></div>'
        + svg(74 * len(before), 112, "".join(parts), label)
    )


# ---- shots ---------------------------------------------------------------------------------------


def shots(view: WarsView) -> Html:
    """The histogram so far, with what is expected; one's own mission is named."""
    now, game = table(view), rules_of(view)
    caption = _("Shots: {number} of {all}").format(number=len(now.shots), all=game.shots)
    if any(n and n.kind == "?" for n in now.noises):
        caption += " · " + _("face-down noise is not counted")
    drawing = histogram(
        view.distribution(),
        Counter(shot.recorded for shot in now.shots),
        game.shots,
        {view.seat: view.mission.pattern} if view.seat is not None and view.mission else {},
    )
    return Html(f'<div class="qg-cap"><b>{escape(caption)}</b></div>{drawing}')


def histogram(
    odds: dict[str, float], counts: Counter[str], most: int, patterns: dict[int, str]
) -> Html:
    """A column of boxes a result: filled boxes are shots, the line is what is expected."""
    names = sorted(set(odds) | set(counts), key=lambda b: (-counts[b], -odds.get(b, 0.0), b))
    shown = sorted(names[:MOST])
    tall = 10 * most + 4
    parts = [
        _column(30 + 60 * n, tall, bits, odds.get(bits, 0.0), counts[bits], most, patterns)
        for n, bits in enumerate(shown)
    ]
    rest = sum(odds.get(b, 0.0) for b in names[MOST:])
    if rest > 1e-9:
        words = _("others {chance}").format(chance=percent(rest))
        parts.append(text(30 + 60 * len(shown), tall / 2 + 20, words, 12, 400, "ink2"))
    told = ", ".join(f"{b}: {counts[b]}, {percent(odds.get(b, 0.0))}" for b in shown)
    width = max(200, 60 * len(shown) + (70 if rest > 1e-9 else 0))
    return svg(width, tall + 56, "".join(parts), _("histogram {told}").format(told=told))


def _column(
    x: float, tall: float, bits: str, chance: float, count: int, most: int, patterns: dict[int, str]
) -> str:
    fitting = [
        s for s, p in patterns.items() if all(a in ("*", b) for a, b in zip(p, bits, strict=True))
    ]
    hue = glyphs.PLAYERS[fitting[0]] if fitting else "gd"
    top = 20.0
    out = text(x, 12, str(count) if count else percent(chance), 12, 650 if fitting else 400)
    for k in range(most):
        y = top + tall - 10 * (k + 1)
        pen = (hue, hue) if k < count else ("bg", "line")
        out += rect(x - 17, y, 34, 8, 2, pen[0], pen[1])
    y = top + tall - 2 - 10 * most * chance
    out += line(x - 22, y, x + 22, y, "ink", 1.8)
    out += text(x, top + tall + 14, bits, 13, 700 if fitting else 400, more='class="qg-ket"')
    for n, seat in enumerate(fitting[:4]):
        at = x + 13 * (n - (len(fitting[:4]) - 1) / 2)
        out += glyphs.player_mark(at, top + tall + 26, 5, seat)
    return out


# ---- why this result -----------------------------------------------------------------------------


def why_html(view: WarsView) -> Html:
    """The dice rule of each shot, beside the circuit's exact odds; the two agree."""
    now, found = table(view), view.why()
    rows = "".join(_why_row(view, now, n, ways) for n, ways in enumerate(found.shots, 1))
    heads = (_("shot"), _("dice"), _("bits"), _("CNOT"), _("read"), _("recorded"), _("hits"))
    head = "".join(f"<th>{escape(h)}</th>" for h in heads)
    odds = "".join(
        f'<tr><td class="qg-ket">{bits}</td>'
        f'<td class="qg-n">{percent(found.dice.get(bits, 0.0))}</td>'
        f'<td class="qg-n">{percent(found.exact.get(bits, 0.0))}</td>'
        f'<td class="qg-n">{sum(s.recorded == bits for s in now.shots)}</td></tr>'
        for bits in sorted(set(found.dice) | set(found.exact))
    )
    ends = (_("result"), _("dice rule"), _("circuit, exact"), _("shots"))
    end = "".join(f"<th>{escape(h)}</th>" for h in ends)
    return Html(
        f'<details open="open"><summary>{escape(_("Why this result?"))}</summary>'
        f'<table class="qg-wars-t"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        f'<p class="qg-sub">{escape(_noise_words(now))}</p>'
        f'<table class="qg-wars-t"><thead><tr>{end}</tr></thead><tbody>{odds}</tbody></table>'
        "</details>"
    )


def _why_row(view: WarsView, now: WarsPosition, number: int, ways: tuple[DiceRow, ...]) -> str:
    shot = now.shots[number - 1]
    way = ways[0]
    dice = [_die(q, bit, len({dict(w.dice)[q] for w in ways}) > 1) for q, bit in way.dice]
    dice += [_die(q, bit, False) for q, bit in way.late_dice]
    several = len(ways) > 1
    hits = "".join(
        str(glyphs.player_badge(seat))
        for seat in range(rules_of(view).seats)
        if (m := view.mission_of(seat)) is not None and m.fits(shot.recorded)
    )
    cells = (
        str(number),
        ", ".join(dice) or _("no die"),
        "…" if several else way.bits,
        "…" if several else way.after_cnot,
        shot.read,
        shot.recorded,
    )
    body = "".join(f'<td class="qg-ket">{escape(cell)}</td>' for cell in cells)
    return f"<tr>{body}<td>{hits}</td></tr>"


def _die(q: int, bit: str, either: bool) -> str:
    """``q0: 4-6 → 1``; a die that a late noise covers may have fallen either way."""
    return f"q{q}: ?" if either else f"q{q}: {FACES[bit].replace('-', '–')} → {bit}"


def _noise_words(now: WarsPosition) -> str:
    noises = [f"{card_name(kind)} q{q}" for kind, q in now.noise_list()]
    dice = _("A die of 1–3 gives 0, 4–6 gives 1.")
    if not noises:
        return dice
    return f"{dice} {_('Noise, in its order: {noises}.').format(noises=', '.join(noises))}"


# ---- the score sheet -----------------------------------------------------------------------------


def score_sheet(view: WarsView, number: int = -1) -> Html:
    """Front and back of one round's sheet, for a page of its own."""
    sheet = table(view).sheets[number]
    return Html(f'<div class="qg-wars-sheet">{front(view, sheet)}{back(sheet)}</div>')


def front(view: WarsView, sheet: Sheet) -> Html:
    """The circuit record, the symbols before the CNOTs, and the table of scores."""
    columns = rules_of(view).option["columns"]
    lines = len(sheet.initial)
    noises = [text_width(card_name(noise.kind)) for noise in sheet.noises if noise]
    wide = max(392.0, 218 + 34 * columns + max(noises, default=0) + 4)
    tall = 60 + 30 * lines + 20 * len(sheet.rows)
    title = _("Round {number}: circuit record").format(number=sheet.round)
    parts = [
        rect(0.5, 0.5, wide - 1, tall + 14, 6, "bg", "edge"),
        text(12, 22, title, 13, 650, anchor="start"),
    ]
    parts += [_sheet_line(sheet, q, 48 + 30 * q, columns) for q in range(lines)]
    parts += [_sheet_cnot(op, 128 + 34 * columns + 30 * n) for n, op in enumerate(sheet.cnots)]
    y = 62 + 30 * lines
    heads = (_("player"), _("mission"), _("shots"), _("second"), _("sum"))
    xs = (14, 120, 210, 270, 340)
    parts += [text(x, y, h, 12, 400, "ink2", "start") for x, h in zip(xs, heads, strict=True)]
    for seat, row in enumerate(sheet.rows):
        y += 20
        cells = (
            player(seat),
            row.mission.pattern,
            f"{row.hits} → {row.main}",
            f"{row.mission.secondary}: +{row.secondary}",
            str(row.points),
        )
        parts.append(glyphs.player_mark(20, y - 4, 5.5, seat))
        parts += [
            text(x + (18 if n == 0 else 0), y, cell, 12, 650 if n == 4 else 400, anchor="start")
            for n, (x, cell) in enumerate(zip(xs, cells, strict=True))
        ]
    told = _("score sheet of round {number}, front").format(number=sheet.round)
    return svg(wide, tall + 15, "".join(parts), told)


def _sheet_line(sheet: Sheet, q: int, y: float, columns: int) -> str:
    out = text(12, y + 4, f"q{q}", 12, 600, anchor="start")
    out += line(58, y, 210 + 34 * columns, y, "wire", 1.3)
    out += glyphs.planet(46, y, 9, sheet.initial[q])
    held = [op for op in sheet.operations if q in op.lines]
    for slot, op in enumerate(held):
        x = 78 + 34 * slot
        if op.gate == "swap":
            out += rect(x - 12, y - 12, 24, 24, 3, "bg", "ink", 1.2) + glyphs.cross(x, y, 5)
        else:
            out += rect(x - 12, y - 12, 24, 24, 3, "bg", "ink", 1.2)
            out += text(x, y + 4.5, card_name(op.gate), 12, 600)
    out += circle(92 + 34 * columns, y, 11, "bg") + glyphs.planet(
        92 + 34 * columns, y, 10, sheet.recorded[q]
    )
    noise = sheet.noises[q]
    words = card_name(noise.kind) if noise else ""
    return out + text(218 + 34 * columns, y + 4, words, 12, 400, "ink2", "start")


def _sheet_cnot(op: Operation, x: float) -> str:
    control, target = (48 + 30 * q for q in op.lines)
    return (
        line(x, control, x, target, "ink", 1.6)
        + circle(x, control, 4, "ink")
        + glyphs.circled_plus(x, target, 7)
    )


def back(sheet: Sheet) -> Html:
    """The histogram of the shots, with every player's mission under its columns."""
    counts = Counter(shot.recorded for shot in sheet.shots)
    patterns = {seat: row.mission.pattern for seat, row in enumerate(sheet.rows)}
    drawing = histogram({}, counts, len(sheet.shots), patterns)
    second = "".join(
        f"<li>{glyphs.player_badge(seat)} {'✓' if row.secondary else '×'} "
        f"{escape(secondary(row.mission.secondary))}</li>"
        for seat, row in enumerate(sheet.rows)
    )
    count = len(sheet.shots)
    words = ngettext("Back: histogram of {shots} shot", "Back: histogram of {shots} shots", count)
    title = escape(words.format(shots=count))
    words = escape(_("Secondary missions"))
    return Html(
        f'<div class="qg-wars-back"><b>{title}</b>{drawing}<b>{words}</b><ul>{second}</ul></div>'
    )
