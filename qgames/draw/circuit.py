"""The circuit pane: every move's fragment as a drawing, from the history in a view.

Each instruction of a fragment is drawn once, on its wires, in order: it is one ``<g data-op>`` with
its place in ``qc.data`` (``data-index``) and its qubits (``data-wires``). Dice that touch none of
the game's wires are left out. The opening is shown as the glyphs that the wires start with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil

from qgames.core import Move, View
from qgames.draw import glyphs
from qgames.draw.fragments import COLUMN, Op, Piece, piece, pieces, placed, span, units
from qgames.draw.known import group_of, opening, traced
from qgames.draw.scene import Scene
from qgames.draw.svg import circle, escape, group, line, num, path, rect, svg, text, text_width, var
from qgames.i18n import Html, _, language, ngettext
from qgames.quantum import UNREAD

NEWEST = 14
"""Older moves than these fold into one column."""
TOP, PITCH, GAP = 46.0, 26.5, 11.0
FIRST = 63.0
NARROWEST = 44.0
EXCHANGES = ("iswap", "xx_plus_yy")
"""Gates that treat both wires alike: a box on each, joined by a line."""
DASH = 'stroke-dasharray="3 2.5"'


# ---- layout --------------------------------------------------------------------------------------


@dataclass
class Column:
    """A move on the sheet: its bracket from ``left`` to ``right`` and its instructions."""

    move: Move
    seat: int | None
    step: int | None
    """How many steps the record has after this move; None for a preview."""
    piece: Piece
    outcome: dict[str, str]
    label: str
    reading: str = ""
    """What the viewer read, in a word."""
    left: float = 0.0
    width: float = NARROWEST

    @property
    def right(self) -> float:
        """Where the bracket ends."""
        return self.left + self.width

    @property
    def middle(self) -> float:
        """The middle of the bracket."""
        return self.left + self.width / 2

    @property
    def instructions(self) -> Iterator[tuple[Op, float]]:
        """Each instruction with the middle of its last column, from the bracket's middle on."""
        half = (max(self.piece.places, default=0) + 1) / 2 - 0.5
        for op, place in zip(self.piece.ops, self.piece.places, strict=True):
            yield op, COLUMN * (place - half)


@dataclass
class Sheet:
    """Where everything stands: rows of wires, ancillas and registers, and columns of moves."""

    view: View
    scene: Scene
    columns: list[Column]
    folded: int
    """How many moves are folded into one column."""
    rows: dict[int, float] = field(default_factory=dict)
    """y of each of the game's wires that is drawn."""
    spare: dict[str, float] = field(default_factory=dict)
    """y of each ancilla, by name."""
    registers: dict[str, float] = field(default_factory=dict)
    looks: list[dict[int, str]] = field(default_factory=list)
    """How each wire looks before the first move shown and after each."""
    margin: float = 26.0
    width: float = 574.0
    height: float = 345.0

    @property
    def start(self) -> float:
        """X where the wires start."""
        return self.margin + 26

    @property
    def end(self) -> float:
        """X where the wires end."""
        return self.width - 40

    def y(self, column: Column, qubit: int) -> float:
        """The line of a fragment's qubit."""
        if qubit in self.rows:
            return self.rows[qubit]
        return self.spare[dict(column.piece.spare)[qubit]]


def _sheet(view: View, scene: Scene, preview: Move | None, width: float, newest: int) -> Sheet:
    first = scene.opening_steps(view)
    shown = max(first, len(view.history) - newest)
    if shown - first == 1:
        shown = first  # folding one move saves nothing
    columns = [
        Column(
            moment.step.move,
            moment.step.seat,
            n,
            part,
            dict(moment.step.outcome),
            scene.move_label(moment.step.move),
            scene.result_label(view, moment.step),
        )
        for n, (moment, part) in enumerate(
            zip(view.history[shown:], pieces(view, shown), strict=True), start=shown + 1
        )
    ]
    if preview is not None:
        columns.append(_preview(view, scene, preview))
    sheet = Sheet(view, scene, columns, shown - first)
    _place_rows(sheet)
    _place_columns(sheet, width)
    sheet.looks = _looks(sheet)
    return sheet


def _preview(view: View, scene: Scene, move: Move) -> Column:
    part = piece(view, view.position, move)
    unread = {name: UNREAD * size for name, size in part.registers}
    return Column(move, view.to_move, None, part, unread, scene.move_label(move))


def _place_rows(sheet: Sheet) -> None:
    game = sheet.view.game
    touched = frozenset(q for c in sheet.columns for op in c.piece.ops for q in op.qubits)
    wires = sheet.scene.wires_drawn(
        sheet.view, frozenset(q for q in touched if q < game.wires.size)
    )
    sheet.rows = {wire: TOP + PITCH * n for n, wire in enumerate(wires)}
    used = [name for c in sheet.columns for name, _size in c.piece.registers]
    _place_spares(sheet, TOP + PITCH * len(wires), [*sheet.scene.registers(sheet.view), *used])


def _place_spares(sheet: Sheet, y: float, registers: Sequence[str]) -> None:
    """Lines of the ancillas, then those of the classical registers, from ``y`` down."""
    for column in sheet.columns:
        for _qubit, name in column.piece.spare:
            if name not in sheet.spare:
                sheet.spare[name] = y
                y += PITCH
    y += 8.75
    for name in dict.fromkeys(registers):
        sheet.registers[name] = y
        y += 26
    sheet.height = y


def _place_columns(sheet: Sheet, width: float) -> None:
    labels = [sheet.view.game.wire_labels[w] for w in sheet.rows]
    named = [sheet.scene.register_label(r) for r in sheet.registers]
    sheet.margin = max(
        (
            26.0,
            *(8 + text_width(words) for words in labels),
            *(text_width(words) + (12 if seat is not None else 0) - 16 for words, seat in named),
            *(4 + text_width(name) for name in sheet.spare),
        )
    )
    x = sheet.start + FIRST - 52
    if sheet.folded:
        x += NARROWEST + GAP
    for column in sheet.columns:
        gates = 23 + COLUMN * max(column.piece.places, default=0)
        column.width = max(NARROWEST, gates, 4 + text_width(column.label))
        column.left = x
        x = column.right + GAP
    sheet.width = max(width, ceil(x + 40))  # whole pixels, or the pinned names leave a gap


# ---- drawing ------------------------------------------------------------------------------------


def circuit_svg(
    view: View,
    scene: Scene,
    preview: Move | None = None,
    width: float = 574,
    newest: int = NEWEST,
) -> Html:
    """The circuit of the match so far as SVG, at least ``width`` pixels wide; last move set off.

    ``preview`` is a legal move of the viewer, drawn dashed. Moves older than the ``newest`` fold.
    """
    sheet = _sheet(view, scene, preview, width, newest)
    body = _body(sheet, _names(sheet))
    return svg(sheet.width, sheet.height, body, _told(sheet), 'class="qg-circuit"')


def circuit_html(
    view: View, scene: Scene, preview: Move | None = None, width: float = 574, newest: int = NEWEST
) -> Html:
    """The circuit in a strip that scrolls sideways: last move in view, wires' names pinned left."""
    sheet = _sheet(view, scene, preview, width, newest)
    names = _names(sheet)
    body = _body(sheet, names)
    whole = svg(sheet.width, sheet.height, body, _told(sheet), 'class="qg-circuit"')
    pinned = f'<div class="qg-pin">{svg(sheet.start, sheet.height, names)}</div>'
    label = escape(_("Circuit; scroll sideways for earlier moves"))
    return Html(
        f'<div class="qg-scroll" tabindex="0" role="region" aria-label="{label}">'
        f'<div class="qg-strip">{pinned}{whole}</div></div>'
    )


def circuit_caption(view: View, scene: Scene) -> str:
    """``9 planets · 5 moves · last: Z 4``."""
    count = len(view.history) - scene.opening_steps(view)
    if count < 1:
        return _("{things} · no move yet").format(things=scene.count_text(view))
    last = scene.move_phrase(view.record[-1].move)
    words = ngettext(
        "{things} · {count} move · last: {move}", "{things} · {count} moves · last: {move}", count
    )
    return words.format(things=scene.count_text(view), count=count, move=last)


def _told(sheet: Sheet) -> str:
    """The text equivalent: the moves that are drawn, with what was read."""
    first = sheet.scene.opening_steps(sheet.view)
    if len(sheet.view.history) <= first:
        return _("Circuit: no move yet")
    moves = []
    for n, step in enumerate(sheet.view.record[first:], start=1):
        words, read = sheet.scene.move_label(step.move), sheet.scene.result_label(sheet.view, step)
        moves.append(f"{n} {words}: {read}" if read else f"{n} {words}")
    return _("Circuit: {moves}").format(moves="; ".join(moves))


def _body(sheet: Sheet, names: str) -> str:
    last = [c for c in sheet.columns if c.step is not None][-1:]
    return "".join(
        (
            *(_band(sheet, column) for column in last),
            *(_wire(sheet, wire) for wire in sheet.rows),
            _fold(sheet),
            *(_register(sheet, name) for name in sheet.registers),
            *(_spares(sheet, column) for column in sheet.columns),
            *(_move(sheet, column, column in last) for column in sheet.columns),
            names,
            *(_present(sheet, wire) for wire in sheet.rows),
        )
    )


def _hue(sheet: Sheet, column: Column) -> str:
    return "edge" if column.seat is None else sheet.scene.seat_hue(column.seat)


def _band(sheet: Sheet, column: Column) -> str:
    """The tint under the last move."""
    tint = glyphs.tint(_hue(sheet, column))
    return rect(column.left - 3, 32, column.width + 6, sheet.height - 38, 6, tint)


# ---- wires --------------------------------------------------------------------------------------


def _wire(sheet: Sheet, wire: int) -> str:
    """A wire's line: plain, in its group's hue while entangled, double once fixed."""
    y = sheet.rows[wire]
    parts = []
    changes = list(_changes(sheet, wire))
    for (x, kind), (until, _next) in zip(changes, [*changes[1:], (sheet.end, "")], strict=True):
        if kind == "":
            parts.append(line(x, y, until, y, "wire"))
        elif kind.startswith("s"):
            parts.append(line(x, y - 1.7, until, y - 1.7, kind, 1.3))
            parts.append(line(x, y + 1.7, until, y + 1.7, kind, 1.3))
        else:
            parts.append(line(x, y, until, y, kind, 2.2))
    return "".join(parts)


def _changes(sheet: Sheet, wire: int) -> Iterator[tuple[float, str]]:
    """(x, kind) where a wire's line changes its look; the kind is a hue, or empty for plain."""
    x = sheet.start
    if sheet.folded:
        yield x, ""
        x += FIRST - 52 + NARROWEST / 2
    look = sheet.looks[0].get(wire, "")
    yield x, look
    for column, looks in zip(sheet.columns, sheet.looks[1:], strict=False):
        now = looks.get(wire, "")
        if now != look:
            look = now
            yield _settled(column, wire), now


def _looks(sheet: Sheet) -> list[dict[int, str]]:
    """How each wire looks that is not plain, before the first move shown and after each."""
    history, scene = sheet.view.history, sheet.scene
    grouped = traced(sheet.view)
    found = []
    first = min(scene.opening_steps(sheet.view), len(history))  # 0 before the opening itself
    for step in range(first + sheet.folded, len(history) + 1):
        position = history[step].before if step < len(history) else sheet.view.position
        looks = {
            w: scene.group_hue(g.letter)
            for g in grouped[min(step, len(grouped) - 1)]
            for w in g.bond.entangled
        }
        sides = ((w, scene.fixed(position, w)) for w in sheet.rows)
        found.append(looks | {w: f"s{side}" for w, side in sides if side is not None})
    return found


def _settled(column: Column, wire: int) -> float:
    """X after the last instruction on ``wire``, or of the move's last one if none touches it."""
    x = column.middle
    for op, off in column.instructions:
        if wire in op.qubits or not any(wire in o.qubits for o in column.piece.ops):
            x = column.middle + off
            if op.name == "measure" and wire in op.qubits:
                x += 9.5
    return x


def _spares(sheet: Sheet, column: Column) -> str:
    """Lines of the fresh qubits of a move, only as long as the move lasts."""
    ys = (sheet.spare[name] for _qubit, name in column.piece.spare)
    return "".join(line(column.left, y, column.right, y, "wire", 1.2, DASH) for y in ys)


def _register(sheet: Sheet, name: str) -> str:
    y = sheet.registers[name]
    return line(sheet.start, y - 1.5, sheet.end, y - 1.5, "ink2", 1) + line(
        sheet.start, y + 1.5, sheet.end, y + 1.5, "ink2", 1
    )


def _names(sheet: Sheet, begin: View | None = None) -> str:
    """Everything left of the wires: their names, first glyphs, and the registers' names."""
    begin = begin or opening(sheet.view, sheet.scene.opening_steps(sheet.view))
    labels = sheet.view.game.wire_labels
    x = sheet.margin + 16
    parts = []
    for wire, y in sheet.rows.items():
        parts.append(circle(x, y, 9.5, "bg"))
        parts.append(sheet.scene.wire_glyph(begin, wire, x, y, 8))
        parts.append(text(sheet.margin, y + 4.4, labels[wire], 12, 600, anchor="end"))
    for name, y in sheet.spare.items():
        parts.append(text(sheet.margin + 20, y + 4.4, name, 12, 500, "ink2", "end"))
    for name, y in sheet.registers.items():
        words, seat = sheet.scene.register_label(name)
        right = sheet.margin + 20
        if seat is not None:
            parts.append(sheet.scene.seat_mark(right - 5, y, 4.2, seat))
            right -= 13
        parts.append(text(right, y + 4, words, 12, 500, "ink2", "end"))
    return "".join(parts)


def _present(sheet: Sheet, wire: int) -> str:
    y, x = sheet.rows[wire], sheet.width - 28
    out = sheet.scene.wire_glyph(sheet.view, wire, x, y, 8)
    found = group_of(sheet.view, wire)
    if found is not None:
        out += text(x + 13, y + 4.4, found.name, 12, 650, anchor="start")
    return out


def _fold(sheet: Sheet) -> str:
    """The column that older moves are folded into, with a gap in every wire."""
    if not sheet.folded:
        return ""
    left = sheet.start + FIRST - 52
    middle = left + NARROWEST / 2
    parts = [_bracket(left, NARROWEST, "edge", 1.5, "")]
    parts.append(text(middle, 25, _("1–{last}").format(last=sheet.folded), 12, 500))
    for y in sheet.rows.values():
        parts.append(rect(middle - 9, y - 4, 18, 8, 0, "bg"))
        parts += [circle(middle + dx, y, 1.3, "ink2") for dx in (-5, 0, 5)]
    return "".join(parts)


# ---- moves --------------------------------------------------------------------------------------


def _bracket(left: float, width: float, hue: str, pen: float, more: str) -> str:
    d = f"M{num(left)} 38V32H{num(left + width)}V38"
    return path(d, "none", hue, pen, f'stroke-linejoin="round"{more}')


def _move(sheet: Sheet, column: Column, last: bool) -> str:
    """A move's bracket and gates; the gates are drawn once, around x = 0, and then only moved."""
    keys = (
        *(sheet.rows.items(), sheet.spare.items(), sheet.registers.items()),
        column.outcome.items(),
    )
    key = (*map(tuple, keys), column.step is None, column.reading, language())
    if key not in column.piece.drawn:
        column.piece.drawn[key] = _gates(sheet, column)
    gates = group(column.piece.drawn[key], f'transform="translate({num(column.middle)} 0)"')
    body = _heading(sheet, column, last) + gates
    if column.step is None:
        return group(body, 'class="qg-preview"')
    return group(body, f'class="qg-step" data-step="{column.step}"')


def _gates(sheet: Sheet, column: Column) -> str:
    body = ""
    for n, (op, x) in enumerate(column.instructions):
        wires = " ".join(map(str, op.qubits))
        more = f'data-op="{escape(op.name)}" data-index="{n}" data-wires="{wires}"'
        body += group(_op(sheet, column, op, x), more)
    return body + _reading(sheet, column)


def _heading(sheet: Sheet, column: Column, last: bool) -> str:
    hue, x = _hue(sheet, column), column.middle
    if column.step is None:
        return (
            _bracket(column.left, column.width, hue, 1.5, ' stroke-dasharray="3 3"')
            + text(x, 9.5, _("preview"), 12, 400, "ink2")
            + text(x, 25, column.label, 12, 500)
        )
    number = str(column.step - sheet.scene.opening_steps(sheet.view))
    half = (6.7 * len(number) + 5.5) / 2 + 3
    mark = ""
    if column.seat is not None:
        mark = sheet.scene.seat_mark(x - half + 2, 5, 4.5, column.seat)
    return (
        rect(column.left, 0, column.width, 38, 0, "transparent")
        + _bracket(column.left, column.width, hue, 2.5 if last else 1.5, "")
        + mark
        + text(x - half + 9.5, 9.5, number, 12, 500, "ink2", "start")
        + text(x, 25, column.label, 12, 650 if last else 500)
    )


def _op(sheet: Sheet, column: Column, op: Op, x: float) -> str:
    dashed = column.step is None
    pen = "ink2" if dashed else "ink"
    ys = [sheet.y(column, q) for q in op.qubits]
    if op.name == "measure":
        return _meter(sheet, column, op, x)
    if op.blocks:
        return _conditional(sheet, column, op, x)
    if op.name == "barrier":
        return line(x, min(ys) - 10, x, max(ys) + 10, "edge", 1, DASH)
    out = ""
    if len(ys) > 1:
        out = line(x, min(ys), x, max(ys), pen, 1.6, DASH if dashed else "")
    out += "".join(glyphs.dot(x, sheet.y(column, q), on, pen) for q, on in op.controls)
    targets = [sheet.y(column, q) for q in op.targets]
    if op.name in ("swap", "cswap"):
        return out + "".join(glyphs.cross(x, y, pen=pen) for y in targets)
    if op.controls and op.label == "X":
        return out + glyphs.circled_plus(x, targets[0], pen=pen, more=DASH if dashed else "")
    if op.controls and op.label == "Z":
        return out + glyphs.dot(x, targets[0], 1, pen)
    if op.name in EXCHANGES:
        return out + "".join(glyphs.gate_box(x, y, op.label, 19, dashed) for y in targets)
    return out + _box(x - COLUMN * (units(op) - 1) / 2, targets, op.label, dashed)


def _box(x: float, ys: Sequence[float], label: str, dashed: bool) -> str:
    """A gate's box; over several wires one tall box with a notch at each."""
    if len(ys) == 1:
        return glyphs.gate_box(x, ys[0], label, 19, dashed)
    pen = "ink2" if dashed else "ink"
    top, bottom = min(ys) - 9.5, max(ys) + 9.5
    box = rect(x - 9.5, top, 19, bottom - top, 4, "bg", pen, 1.4, DASH if dashed else "")
    notches = "".join(circle(x - 9.5, y, 2.2, pen) for y in ys)
    turned = f'transform="rotate(-90 {num(x)} {num((top + bottom) / 2)})"'
    return box + notches + text(x, (top + bottom) / 2 + 4.4, label, 12, 600, more=turned)


def _meter(sheet: Sheet, column: Column, op: Op, x: float) -> str:
    """A measurement with a double line down to its bit's register, and the bit under it."""
    y = sheet.y(column, op.qubits[0])
    dashed = column.step is None
    register, place = op.bits[0]
    down = sheet.registers[register]
    bits = column.outcome.get(register, "")
    out = _double(x, y + 9.5, down - 6, dashed)
    out += path(
        f"M{num(x - 4)} {num(down - 8)}L{num(x)} {num(down - 2)}L{num(x + 4)} {num(down - 8)}Z",
        "ink2",
    )
    bit = bits[place] if place < len(bits) else UNREAD
    if len(bits) == 1 and op.qubits[0] in sheet.rows:
        label = sheet.view.game.wire_labels[op.qubits[0]]
        bit = f"{label} = {bit}"
    out += text(x, down + 15, bit, 12, 500 if dashed else 600)
    return out + glyphs.meter(x, y, 19, dashed)


def _double(x: float, top: float, bottom: float, dashed: bool) -> str:
    out = line(x, top, x, bottom, "bg", 6)
    more = DASH if dashed else ""
    return out + "".join(line(x + dx, top, x + dx, bottom, "ink2", 1.1, more) for dx in (-1.5, 1.5))


def _reading(sheet: Sheet, column: Column) -> str:
    """What several bits mean together: ``= S−`` beside them."""
    meters = [(op.bits[0][0], x) for op, x in column.instructions if op.name == "measure"]
    if not meters or not column.reading:
        return ""
    register, x = meters[-1]
    if len(column.outcome.get(register, "")) < 2:
        return ""
    y = sheet.registers[register] + 15
    return text(x + 14.5, y, f"= {column.reading}", 12, 600, anchor="start")


def _conditional(sheet: Sheet, column: Column, op: Op, x: float) -> str:
    """Feed-forward: a dashed box round what is done if the bit says so, fed from its register.

    An else block stands in a box of its own to the right.
    """
    ys = [sheet.y(column, q) for q in op.qubits]
    top, bottom = min(ys) - 13, max(ys) + 13
    widths = [COLUMN * span(block) for block in op.blocks]
    left = x + COLUMN / 2 - sum(widths)
    out = _fed(sheet, column, op, left + widths[0] / 2, bottom)
    words = [_("if {value}").format(value=op.test), _("else")]
    for block, width, told in zip(op.blocks, widths, words, strict=False):
        frame = 'stroke-dasharray="4 2"'
        out += rect(left + 1, top, width - 2, bottom - top, 5, "bg", "ink2", 1.2, frame)
        out += "".join(line(left + 1, y, left + width - 1, y, "wire") for y in ys)
        halo = f'stroke="{var("bg")}" stroke-width="4" paint-order="stroke"'
        out += text(left + width / 2 + 4, bottom + 12, told, 12, 500, "ink2", "start", halo)
        for inner, place in zip(block, placed(block), strict=True):
            out += _op(sheet, column, inner, left + COLUMN * (place + 0.5))
        left += width
    return out


def _fed(sheet: Sheet, column: Column, op: Op, x: float, bottom: float) -> str:
    """The double line from the tested bit's register up to the box."""
    if not op.bits or op.bits[0][0] not in sheet.registers:
        return ""
    down = sheet.registers[op.bits[0][0]]
    return _double(x, bottom, down - 2, column.step is None) + circle(x, down, 3.4, "ink2")


# ---- one fragment alone -------------------------------------------------------------------------


def fragment_svg(
    before: View,
    after: View,
    scene: Scene,
    part: Piece,
    wires: Sequence[int],
    at: int,
    near: Sequence[int] = (),
    width: float = 574,
) -> Html:
    """The last step of ``after`` alone, on ``wires``, with its first ``at`` instructions done.

    The newest of these stands on a tint, and the tints of the stages ``near`` wait hidden. A click
    on an instruction asks for the stage after it.
    """
    step = after.record[-1]
    column = Column(
        *(step.move, step.seat, len(after.record), part, dict(step.outcome)),
        *(scene.move_label(step.move), scene.result_label(after, step)),
    )
    sheet = Sheet(after, scene, [column], len(before.record) - scene.opening_steps(after))
    sheet.rows = {wire: TOP + PITCH * n for n, wire in enumerate(wires)}
    _place_spares(sheet, TOP + PITCH * len(wires), [name for name, _size in part.registers])
    sheet.looks = _looks(sheet)
    sheet.folded = 0
    _place_columns(sheet, width)
    body = "".join(
        (
            *(_stage_mark(sheet, column, n, at) for n in near or (at,)),
            *(_wire(sheet, wire) for wire in sheet.rows),
            *(_register(sheet, name) for name in sheet.registers),
            _spares(sheet, column),
            _move(sheet, column, True),
            _names(sheet, before),
            *(_present(sheet, wire) for wire in sheet.rows),
            *_stage_links(sheet, column),
        )
    )
    told = _("Circuit of {move}").format(move=column.label)
    return svg(sheet.width, sheet.height, body, told, 'class="qg-circuit qg-fragment"')


def _stage_box(sheet: Sheet, column: Column, op: Op, x: float) -> tuple[float, float, float, float]:
    """Left, top, width and height of an instruction on the sheet."""
    ys = [sheet.y(column, q) for q in op.qubits] or [TOP]
    wide = COLUMN * units(op)
    left = column.middle + x + COLUMN / 2 - wide
    return left, min(ys) - PITCH / 2, wide, max(ys) - min(ys) + PITCH


def at_stage(number: int, at: int) -> str:
    """Attributes of what belongs to one stage of a walk and is hidden at every other."""
    return f' data-at="{number}"{"" if number == at else " hidden"}'


def _stage_mark(sheet: Sheet, column: Column, number: int, at: int) -> str:
    """The tint under the newest instruction that is done at stage ``number``."""
    done = list(column.instructions)[:number]
    if not done:
        return ""
    left, top, wide, high = _stage_box(sheet, column, *done[-1])
    return rect(left, top, wide, high, 5, "markt", "mark", 2, at_stage(number, at).strip())


def _stage_links(sheet: Sheet, column: Column) -> Iterator[str]:
    for number, (op, x) in enumerate(column.instructions, start=1):
        left, top, wide, high = _stage_box(sheet, column, op, x)
        more = f'class="qg-stage" data-action="stage" data-value="{number}"'
        yield rect(left, top, wide, high, 5, "transparent", more=more)
