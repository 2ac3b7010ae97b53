"""The board of The |Qubits> Wars: the shared circuit with its places, symbols and results."""

from __future__ import annotations

from qgames.draw import glyphs
from qgames.draw.known import remembered
from qgames.draw.qubits_wars_words import card_name, rules_of, table, typed, verb_name
from qgames.draw.scene import Look
from qgames.draw.svg import circle, escape, group, line, rect, svg, text
from qgames.games.qubits_wars import LONE, PlacedNoise, WarsPosition, WarsView
from qgames.games.qubits_wars_circuit import Operation, symbols_of
from qgames.i18n import Html, _

WIDTH = 880
TOP = 116
PITCH = 62
SLOTS = (118.0, 452.0)
"""The Simple Zone from left to right."""
SYMBOL, METER, RESULT = 496.0, 752.0, 826.0
PLACES = (596.0, 676.0)
ZONE = (540.0, 712.0)


def board(view: WarsView, look: Look) -> Html:
    """The whole board; lines and slots carry ``data-square``."""
    now = table(view)
    after = view.preview(look.move) if look.move is not None and not look.disabled else now
    lines = rules_of(view).lines
    height = TOP + PITCH * lines - 4
    rows = "".join(_line(view, look, now, after, q) for q in range(lines))
    body = (
        _noise_places(look, now)
        + _frames(view, now, lines)
        + rows
        + _tall(look, now, after)
        + _slot_cells(view, look, now)
    )
    label = _("The shared circuit, {lines} lines").format(lines=lines)
    return svg(WIDTH, height, body, label, 'class="qg-board qg-wars-board"', "grid")


def y_of(q: int) -> float:
    """The height of a line."""
    return TOP + PITCH * q + 18


def _x_of(columns: int, slot: int) -> float:
    left, right = SLOTS
    return left + (slot + 0.5) * (right - left) / columns


# ---- frames and headings -------------------------------------------------------------------------


def _frames(view: WarsView, now: WarsPosition, lines: int) -> str:
    game = rules_of(view)
    used, all_slots = sum(map(now.used, range(lines))), lines * game.option["columns"]
    tall = PITCH * lines - 6
    y = TOP - 10
    simple = _("Simple gate zone · {used} of {all}").format(used=used, all=all_slots)
    zone = _("CNOT zone · {used} of 2").format(used=len(now.cnots))
    middle = sum(SLOTS) / 2, sum(ZONE) / 2
    parts = [
        rect(SLOTS[0], y, SLOTS[1] - SLOTS[0], tall, 8, "sunken", "line"),
        rect(ZONE[0], y, ZONE[1] - ZONE[0], tall, 8, "sunken", "line"),
        text(middle[0], y - 9, simple, 12, 600),
        text(SYMBOL, y - 9, _("recorded") if now.recorded else _("symbol"), 12, 600),
        text(middle[1], y - 9, zone, 12, 600),
        text(RESULT, y - 9, _("result"), 12, 600),
    ]
    for n, x in enumerate(PLACES):
        if n >= len(now.cnots):
            dashes = 'stroke-dasharray="4 3"'
            parts.append(rect(x - 20, y + 8, 40, tall - 16, 6, "none", "edge", 1, dashes))
            parts.append(text(x, y + tall / 2 + 4, n + 1, 12, 600, "ink2"))
    return group("".join(parts), 'aria-hidden="true"')


def _noise_places(look: Look, now: WarsPosition) -> str:
    parts = [text(14, 36, _("Noise places"), 12, 600, "ink", "start")]
    step = min(156.0, 720 / len(now.noises))
    for q, noise in enumerate(now.noises):
        x = 128 + step * q
        body = text(x, 36, f"q{q}", 12, 400, "ink2", "end")
        body += _noise_card(noise, x + 8, step - 48)
        lit = look.choice.verb in ("noise", "shield", "scout") and f"q{q}" in look.targets
        if lit and not look.disabled:
            body += rect(x + 5, 15, step - 42, 34, 8, "none", "ink", 2, 'stroke-dasharray="1 4"')
        parts.append(group(body, f'data-square="q{q}" style="cursor:pointer"'))
    return group("".join(parts))


def _noise_card(noise: PlacedNoise | None, x: float, width: float) -> str:
    if noise is None:
        return rect(x, 18, width, 28, 6, "bg", "edge", 1, 'stroke-dasharray="4 3"')
    hue = glyphs.PLAYERS[noise.owner]
    badge = glyphs.player_mark(x + width - 12, 32, 6, noise.owner)
    face = rect(x, 18, width, 28, 6, glyphs.tint(hue), hue, 1.6)
    if noise.kind == "?":
        stripes = "".join(
            line(x + 6 + 9 * k, 42, x + 16 + 9 * k, 22, hue, 1) for k in range(int(width // 9) - 3)
        )
        return face + stripes + badge
    words = card_name(noise.kind)
    size = 12 if len(words) * 6.6 < width - 24 else 10
    pen = "" if noise.revealed else 'font-style="italic"'
    return face + text(x + 6, 36, words, size, 600, "ink", "start", pen) + badge


# ---- lines ---------------------------------------------------------------------------------------


def _line(view: WarsView, look: Look, now: WarsPosition, after: WarsPosition, q: int) -> str:
    y, name = y_of(q), f"q{q}"
    picked = name in look.choice.squares and not look.disabled
    lit = look.choice.verb is not None and name in look.targets and not look.disabled
    body = (
        rect(4, y - PITCH / 2 + 2, WIDTH - 8, PITCH - 4, 6, "transparent")
        + line(96, y, METER - 17, y, "wire", 1.8)
        + _double(y)
        + text(40, y + 4.5, name, 14, 600)
        + glyphs.planet(78, y, 15, now.initial[q])
        + _slots(view, now, after, q, lit, picked)
        + _symbol(view, now, after, q, y)
        + glyphs.meter(METER, y, 32)
        + _result(now, q, y)
        + '<rect class="qg-halo" x="8" '
        + f'y="{y - 28}" width="{WIDTH - 16}" height="56" rx="8"/>'
        + (glyphs.barred(14, y) if look.refused == name else "")
    )
    entry = look.choice.squares[-1] if look.choice.squares else "q0"
    told = _line_label(view, now, q, picked, lit)
    cell = (
        f'role="gridcell" class="qg-cell" data-square="{name}" aria-label="{escape(told)}"'
        f' tabindex="{0 if name == entry else -1}" aria-selected="{str(picked).lower()}"'
    )
    return group(group(body, cell), 'role="row"')


def _double(y: float) -> str:
    left, right = METER + 17, RESULT - 24
    return line(left, y - 2, right, y - 2, "wire", 1.2) + line(
        left, y + 2, right, y + 2, "wire", 1.2
    )


def _line_label(view: WarsView, now: WarsPosition, q: int, picked: bool, lit: bool) -> str:
    gates = ", ".join(card_name(op.gate) for op in now.operations if q in op.lines)
    words = _("line q{line}, {used} of {all} slots filled ({gates}), symbol {symbol}").format(
        line=q,
        used=now.used(q),
        all=rules_of(view).option["columns"],
        gates=gates or _("empty"),
        symbol=typed(symbols(view)[q]),
    )
    if picked:
        return _("{line}; chosen").format(line=words)
    return _("{line}; legal target").format(line=words) if lit else words


def symbols(view: WarsView) -> str:
    """The symbols before the CNOT zone: recorded ones, else those of the state on the wires."""
    now = table(view)
    return now.recorded or remembered(view, "symbols", lambda: now.symbols)


def _slots(
    view: WarsView,
    now: WarsPosition,
    after: WarsPosition,
    q: int,
    lit: bool,
    picked: bool,
) -> str:
    columns = rules_of(view).option["columns"]
    held = [op for op in now.operations if q in op.lines]
    then = [op for op in after.operations if q in op.lines]
    parts = []
    for slot in range(columns):
        x, y = _x_of(columns, slot), y_of(q)
        if slot < len(held):
            ghost = held[slot] not in then
            parts.append(_gate(held[slot], q, x, y, _newest(now, held[slot]), ghost))
        elif slot < len(then):
            parts.append(_ghost(then[slot], x, y))
        else:
            first = slot == len(held) and lit
            pen = ("ink", 2.2, "1 4") if first else ("edge", 1.0, "4 3")
            more = f'stroke-dasharray="{pen[2]}" stroke-linecap="round"'
            parts.append(rect(x - 27, y - 21, 54, 42, 5, "bg", pen[0], pen[1], more))
    if picked and len(held) < columns:
        x, y = _x_of(columns, len(held)), y_of(q)
        parts.append(rect(x - 31, y - 25, 62, 50, 8, "none", "markline", 6))
        parts.append(rect(x - 31, y - 25, 62, 50, 8, "none", "mark", 4))
    return "".join(parts)


def _newest(now: WarsPosition, op: Operation) -> bool:
    """Whether the gate has just been played and waits for answers."""
    return bool(now.stack) and now.operations[-1] is op and now.stack[0].verb == op.gate


def _gate(op: Operation, q: int, x: float, y: float, newest: bool, ghost: bool) -> str:
    hue = glyphs.PLAYERS[op.seat]
    edge = ("ink2", 1.4, 'stroke-dasharray="3 2.5"') if ghost else ("ink", 1.6, "")
    out = rect(x - 31, y - 25, 62, 50, 8, glyphs.tint(hue), hue, 2.4) if newest else ""
    out += rect(x - 27, y - 21, 54, 42, 5, "bg", *edge)
    if op.gate == "swap":
        other = op.lines[1] if op.lines[0] == q else op.lines[0]
        out += glyphs.cross(x, y - 5, 6) + text(x, y + 16, f"q{other}", 12, 400, "ink2")
    else:
        out += text(x, y + 6, card_name(op.gate), 16, 600)
    return out + glyphs.player_mark(x + 25, y - 20, 5.5, op.seat)


def _ghost(op: Operation, x: float, y: float) -> str:
    box = rect(x - 27, y - 21, 54, 42, 5, "markt", "ink", 1.6, 'stroke-dasharray="4 3"')
    return box + text(x, y + 6, card_name(op.gate), 15, 600)


def _symbol(view: WarsView, now: WarsPosition, after: WarsPosition, q: int, y: float) -> str:
    shown = symbols(view)[q]
    out = circle(SYMBOL, y, 18, "bg") + glyphs.planet(SYMBOL, y, 16, shown)
    if after is not now and not now.recorded:
        then = symbols_of(after.initial, after.operations)[q]
        if then != shown:
            out += circle(SYMBOL + 17, y + 15, 11, "bg")
            out += glyphs.planet(SYMBOL + 17, y + 15, 9.5, then)
    return out


def _result(now: WarsPosition, q: int, y: float) -> str:
    if not now.shots:
        return rect(RESULT - 23, y - 19, 46, 38, 5, "sunken", "line") + text(
            RESULT, y + 5, "–", 14, 400, "ink2"
        )
    shot = now.shots[-1]
    bit = shot.recorded[q]
    out = rect(RESULT - 23, y - 19, 46, 38, 5, f"s{bit}") + text(RESULT, y + 6, bit, 17, 700, "on")
    if shot.read[q] != bit:
        out += glyphs.circled_plus((METER + RESULT) / 2, y, 7.6)
    return out


def _tall(look: Look, now: WarsPosition, after: WarsPosition) -> str:
    """CNOTs across the lines, the previewed one dashed."""
    parts = [_cnot(op, PLACES[n], "") for n, op in enumerate(now.cnots) if op in after.cnots]
    dashed = 'stroke-dasharray="4 3"'
    parts += [
        _cnot(op, PLACES[n], dashed) for n, op in enumerate(after.cnots) if op not in now.cnots
    ]
    squares = [s for s in look.choice.squares if str(s).startswith("q")]
    if look.choice.verb in ("cnot", *LONE) and len(squares) == 1 and not look.disabled:
        place = PLACES[min(len(now.cnots), 1)]
        parts.append(glyphs.role(place, y_of(int(str(squares[0])[1:])), "control"))
    return group("".join(parts), 'aria-hidden="true" pointer-events="none"')


def _cnot(op: Operation, x: float, more: str) -> str:
    control, target = (y_of(q) for q in op.lines)
    return (
        line(x, control, x, target, "ink", 2, more)
        + circle(x, control, 6, "ink")
        + glyphs.circled_plus(x, target, 12)
        + glyphs.player_mark(x + 17, control - 13, 5.5, op.seat)
    )


def _slot_cells(view: WarsView, look: Look, now: WarsPosition) -> str:
    """While Relocate chooses its gate, filled slots are squares of their own."""
    if look.choice.verb != "relocate" or look.disabled:
        return ""
    columns, parts = rules_of(view).option["columns"], []
    for q in range(rules_of(view).lines):
        for slot, op in enumerate(op for op in now.operations if q in op.lines):
            name = f"q{q}.{slot + 1}"
            if name not in look.targets and name not in look.choice.squares:
                continue
            x, y = _x_of(columns, slot), y_of(q)
            picked = name in look.choice.squares
            pen = ("mark", 4.0, "") if picked else ("ink", 2.2, 'stroke-dasharray="1 4"')
            body = rect(x - 29, y - 23, 58, 46, 6, "transparent", *pen)
            label = _("slot {slot} of line q{line}, {gate}").format(
                slot=slot + 1, line=q, gate=card_name(op.gate)
            )
            cell = f'role="gridcell" class="qg-cell" data-square="{name}" tabindex="-1"'
            parts.append(group(body, f'{cell} aria-label="{escape(label)}"'))
    return group("".join(parts), 'role="row"') if parts else ""


def caption(view: WarsView) -> str:
    """Round, phase, and the draw pile."""
    now = table(view)
    phase = _("phase II: quantum operations")
    if now.stage in ("reveal", "record", "missions", "cnot-zone", "score"):
        phase = _("phase III: {step}").format(step=verb_name(now.stage))
    elif now.stage == "measure":
        phase = _("phase III: shot {number} of {all}").format(
            number=min(len(now.shots) + 1, rules_of(view).shots), all=rules_of(view).shots
        )
    elif now.stage == "cnot-only":
        phase = _("phase II: CNOT only")
    elif now.stage in ("next-round", "over"):
        phase = _("the round is scored")
    return _("round {round} of {rounds} · {mode} · {phase} · deck {deck}").format(
        round=now.round,
        rounds=rules_of(view).rounds,
        mode=rules_of(view).mode,
        phase=phase,
        deck=len(now.deck),
    )
