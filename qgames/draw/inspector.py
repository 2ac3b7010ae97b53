"""The inspector's pane: one step's fragment, the state after each instruction, and it in words.

All of it is drawn from a :class:`~qgames.walk.Walk`, and so from what one viewer may know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import reduce
from html import unescape
from io import StringIO

from qgames.core import Branch, Move, View, readable
from qgames.draw import glyphs, kets, state
from qgames.draw.circuit import at_stage, fragment_svg
from qgames.draw.fragments import Op, operations, piece_of
from qgames.draw.known import foreseen, opening, remembered
from qgames.draw.scene import Look, Scene
from qgames.draw.svg import escape, inline, svg
from qgames.i18n import Html, _, fill, html, listed, ngettext, percent
from qgames.quantum import UNREAD, Cluster, QuantumState, Stage, Vector
from qgames.walk import Walk

MOST_CHANGES = 3
"""Changed groups that a sentence tells."""
MOST_QUBITS = 12
"""Qubits that stand alone and get a line of their own in a column of states."""
LONGEST = 16
"""Bits of a register that a sentence tells."""
SURE = 1 - 1e-9
SYMBOLS = "01+−"
"""The order of simple states in a list."""


def plain(words: str) -> str:
    """HTML as plain text."""
    return unescape(re.sub(r"<[^>]*>", "", words))


# ---- the pane -----------------------------------------------------------------------------------


def inspector_html(walk: Walk, scene: Scene, at: int, truth: bool = False) -> Html:
    """Sentence, fragment, and the states before, after ``at`` instructions, and at the end."""
    return Html(
        f'<div class="qg-inspect"><p class="qg-says">{sentence(walk, scene)}</p>'
        f"{drawing(walk, scene, at)}{stage_html(walk, scene, at, truth)}</div>"
    )


def heading(walk: Walk, scene: Scene) -> str:
    """``Inside move 3: BM on 6, 9``."""
    number = walk.number + 1 - scene.opening_steps(walk.view)
    move = scene.move_phrase(walk.move)
    if number < 1:
        return _("Inside the opening: {move}").format(move=move)
    return _("Inside move {number}: {move}").format(number=number, move=move)


def whose(view: View, scene: Scene, truth: bool = False) -> str:
    """Whose knowledge is shown."""
    return _("exact, secrets included") if truth else state.state_caption(view, scene)


def drawing(walk: Walk, scene: Scene, at: int, near: Sequence[int] = ()) -> Html:
    """The fragment in the package's own drawing, in a strip that scrolls sideways."""
    return Html(f'<div class="qg-scroll">{fragment(walk, scene, at, near)}</div>')


def fragment(
    walk: Walk, scene: Scene, at: int = 0, near: Sequence[int] = (), width: float = 300
) -> Html:
    """SVG of the fragment in the package's own drawing; the instruction done last is marked.

    The marks of the other stages in ``near`` are there, too, but hidden: a slider shows them.
    """
    view, number = walk.view, walk.number
    part = remembered(view, f"walked {number} {len(walk)}", lambda: piece_of(walk.fragment))
    before, after = opening(view, number), opening(view, number + 1)
    wires = [q for q in walk.concerned if q < view.game.wires.size]
    shown = wires or list(scene.wires_drawn(after, frozenset()))[:9]
    return fragment_svg(before, after, scene, part, shown, at, near, width)


def stage_html(
    walk: Walk, scene: Scene, at: int, truth: bool = False, near: Sequence[int] = ()
) -> Html:
    """What the slider moves: the words and odds of one instruction, and the three states.

    The stages in ``near`` are there, too, but hidden (``data-at``), so that the browser can go to
    them by itself.
    """
    shown = near or (at,)
    hint = f" {_('Move the slider to go through them.')}" if near and len(walk) else ""
    words = "".join(
        f'<p class="qg-says" data-told="{escape(reached(walk, n))}"{at_stage(n, at)}>'
        f"{stage_words(walk, scene, n)}{hint if n == 0 else ''}</p>"
        for n in shown
    )
    odds = "".join(odds_html(walk.stages[n], at_stage(n, at)) for n in shown)
    first = _column(walk, scene, 0, _("Before"), f' data-now="0"{_now_class(at == 0)}')
    last = _column(
        *(walk, scene, len(walk), _("At the end")),
        f' data-now="{len(walk)}"{_now_class(at == len(walk))}',
    )
    middle = "".join(
        _column(
            *(walk, scene, n, _("After {at} of {count}").format(at=n, count=len(walk))),
            f"{at_stage(n, at)}{_now_class(True)}",
        )
        for n in shown
    )
    told = escape(whose(walk.view, scene, truth))
    return Html(
        f'<div aria-live="polite">{words}</div>{odds}'
        f'<div class="qg-states">{first}{middle}{last}</div><p class="qg-sub">{told}</p>'
    )


def reached(walk: Walk, at: int) -> str:
    """Where a slider stands, for those who hear it."""
    return _("after {at} of {count} instructions").format(at=at, count=len(walk))


def _now_class(now: bool) -> str:
    return f' class="qg-stage-state{" qg-now" if now else ""}"'


def _column(walk: Walk, scene: Scene, at: int, title: str, more: str) -> str:
    """The state after ``at`` instructions under its title."""
    states = states_html(walk, scene, walk.stages[at].state)
    return f"<section{more}><h4>{escape(title)}</h4>{states}</section>"


def odds_html(stage: Stage, more: str = "") -> Html:
    """The branches of a measurement with their odds; the one that happened is marked."""
    if not stage.odds:
        return Html("")
    rows = "".join(
        f'<tr{_happened(bits, stage.read)}><td class="qg-ket">{bits}</td>{state.bar_cells(chance)}'
        f"<td>{escape(_('happened')) if bits == stage.read else ''}</td></tr>"
        for bits, chance in stage.odds
    )
    label = escape(_("Branches of this measurement"))
    body = f"<tbody>{rows}</tbody>"
    return Html(f'<table class="qg-amp qg-branches" aria-label="{label}"{more}>{body}</table>')


def _happened(bits: str, read: str) -> str:
    return ' class="qg-happened"' if bits == read else ""


# ---- states -------------------------------------------------------------------------------------


def states_html(walk: Walk, scene: Scene, shown: QuantumState) -> Html:
    """The qubits that the step concerns: entangled groups as kets, then each that stands alone."""
    clusters = clusters_of(shown, walk.concerned)
    groups = [c for c in clusters if len(c.wires) > 1]
    alone = [c for c in clusters if len(c.wires) == 1]
    parts = [_group(walk, scene, c, n) for n, c in enumerate(groups)]
    if alone:
        rows = "".join(_alone(walk, c) for c in alone[:MOST_QUBITS])
        parts.append(f'<table class="qg-amp"><tbody>{rows}</tbody></table>')
    left = len(alone) - MOST_QUBITS
    if left > 0:
        more = ngettext("{count} more qubit on its own", "{count} more qubits on their own", left)
        parts.append(f'<p class="qg-sub">{escape(more.format(count=left))}</p>')
    return Html("".join(parts))


def clusters_of(shown: QuantumState, qubits: Iterable[int]) -> list[Cluster]:
    """The clusters that hold ``qubits``, in order of their first qubit."""
    found = {shown.cluster(q).wires: shown.cluster(q) for q in qubits}
    return [found[wires] for wires in sorted(found)]


def _group(walk: Walk, scene: Scene, cluster: Cluster, number: int) -> str:
    hue = scene.group_hue(number)
    form = state_form(cluster) if cluster.is_pure else ""
    if cluster.is_pure:
        rows = state.ket_rows(kets.phase_fixed(cluster.vectors[0], cluster.wires), hue)
    else:
        rows = state.history_rows(cluster, lambda vector: _history(cluster, vector))
    names = f"<b>{escape(', '.join(walk.labels[w] for w in cluster.wires))}</b>"
    said = f'<span class="qg-ket">{escape(form)}</span>' if form else ""
    return (
        f'<div class="qg-grp qg-{hue}"><div class="qg-gh"><span>{names}</span>{said}</div>'
        f'<table class="qg-amp"><tbody>{rows}</tbody></table></div>'
    )


def _history(cluster: Cluster, vector: Vector) -> str:
    return _form(kets.phase_fixed(vector, cluster.wires)) or _("a sum of many kets")


def _alone(walk: Walk, cluster: Cluster) -> str:
    (wire,) = cluster.wires
    one = float(cluster.density()[1, 1].real)
    bar = inline_bar(one)
    return (
        f'<tr><td class="qg-sub">{escape(walk.labels[wire])}</td>'
        f'<td class="qg-ket">{escape(one_text(cluster))}</td><td>{bar}</td>'
        f'<td class="qg-n">{percent(one)}</td></tr>'
    )


def inline_bar(one: float) -> Html:
    """A bar of the chances of 0 and 1."""
    return svg(40, 6, glyphs.split_bar(40, 6, one), more='class="qg-i"')


def one_text(cluster: Cluster) -> str:
    """A qubit that stands alone: ``|+⟩``, amplitudes, or the states it may be in."""
    texts = [kets.closed_form(kets.phase_fixed(v, cluster.wires)) for v in cluster.vectors]
    if len(texts) == 1:
        return texts[0]
    if len(texts) <= 4 and all(texts):
        texts.sort(key=lambda words: SYMBOLS.find(words.strip("|⟩")))
        first = _(", ").join(texts[:-1])
        return _("{one} or {other}").format(one=first, other=texts[-1])
    return _("one of {count}").format(count=len(texts))


def state_form(cluster: Cluster) -> str:
    """A pure group in one line: ``S− = (|01⟩ − |10⟩)/√2``; empty when it takes many kets."""
    vector = kets.phase_fixed(cluster.vectors[0], cluster.wires)
    name, form = kets.bell_name(vector), kets.closed_form(vector)
    return f"{name} = {form}" if name else form


# ---- the step in a sentence ----------------------------------------------------------------------


def sentence(walk: Walk, scene: Scene) -> Html:
    """What the step did and who knows it, made from the states and the outcome."""
    deed = _started(Html(scene.deed(walk.view, walk.move)))
    told = [_change(walk, scene, c) for c in _merged(walk, scene, changes(walk))]
    knowing = _knowing(walk, scene)
    if len(told) == 1 and len(knowing) == 1:
        return fill(
            _("{deed}: {change}; {knowing}."), deed=deed, change=told[0], knowing=knowing[0][0]
        )
    if not told:
        told = [html(_no_change(walk))]
    left = len(told) - MOST_CHANGES
    if left > 0:
        more = ngettext("{count} more change", "{count} more changes", left)
        told = [*told[:MOST_CHANGES], html(more.format(count=left))]
    said = [fill(_("{deed}: {changes}."), deed=deed, changes=reduce(_both, told))]
    said += [whole for _clause, whole in knowing]
    return Html(" ".join(said))


def _both(first: Html, last: Html) -> Html:
    return fill(_("{first}; {last}"), first=first, last=last)


def changes(walk: Walk) -> list[Cluster]:
    """What the step made of the game's wires: each group or lone wire that was not so before."""
    before = {c.wires: c for c in clusters_of(walk.before, range(walk.before.wires))}
    after = clusters_of(walk.after, range(walk.after.wires))
    return [c for c in after if c.wires not in before or not c.equals(before[c.wires])]


def _merged(
    walk: Walk, scene: Scene, changed: Sequence[Cluster]
) -> list[tuple[tuple[int, ...], Cluster]]:
    """The move's own wires first, then groups, then lone wires; those alike are told together."""
    own = _own(walk, scene)
    first = [c for c in changed if set(c.wires) == own]
    groups = [c for c in changed if len(c.wires) > 1 and c not in first]
    alone: dict[str, list[Cluster]] = {}
    for cluster in changed:
        if len(cluster.wires) == 1 and cluster not in first:
            alone.setdefault(one_text(cluster), []).append(cluster)
    lone = [(tuple(c.wires[0] for c in same), same[0]) for same in alone.values()]
    return [*((c.wires, c) for c in (*first, *groups)), *lone]


def _own(walk: Walk, scene: Scene) -> set[int]:
    """The wires that the move names."""
    named = (scene.wire_of(walk.view, word) for word in walk.move.args)
    return {wire for wire in named if wire is not None}


def _change(walk: Walk, scene: Scene, change: tuple[tuple[int, ...], Cluster]) -> Html:
    wires, cluster = change
    form = html(_now(cluster))
    named = [scene.wire_of(walk.view, word) for word in walk.move.args]
    if [wire for wire in named if wire is not None] == sorted(wires):  # the order of the kets
        words = ngettext("it is now {form}", "they are now {form}", len(wires))
        return fill(words, form=form)
    words = ngettext("{things} is now {form}", "{things} are now {form}", len(wires))
    return fill(words, things=Html(scene.things(walk.view, wires)), form=form)


def _now(cluster: Cluster) -> str:
    """A state inside a sentence."""
    if len(cluster.wires) == 1:
        return one_text(cluster)
    forms = [_form(kets.phase_fixed(vector, cluster.wires)) for vector in cluster.vectors]
    if len(forms) == 2 and all(forms):
        return _("{one} or {other}").format(one=min(forms), other=max(forms))
    if len(forms) > 1:
        return _("in one of {count} states").format(count=len(forms))
    return forms[0] or _("a sum of {count} kets").format(count=len(kets.terms(cluster.vectors[0])))


def _form(vector: Vector) -> str:
    """``|01⟩ − |10⟩`` for a Bell state, else the closed form; empty when it takes many kets."""
    name = kets.bell_name(vector)
    return kets.bell_sum(name) if name else kets.closed_form(vector)


def _no_change(walk: Walk) -> str:
    if not walk.touched:
        return _("no qubit is touched")
    certain = [s for s in walk.stages if s.odds]
    if certain and all(s.odds[0][1] > SURE for s in certain):
        return _("the result was certain, so nothing changes")
    return _("the state is as it was")


def _knowing(walk: Walk, scene: Scene) -> list[tuple[Html, Html]]:
    """Who may read each register that the step measured: as a clause and as a sentence."""
    told: list[tuple[Html, Html]] = []
    everybody: list[Html] = []
    others = any(name != "sealed" for name, _bits in walk.outcome)
    for name, bits in walk.outcome:
        owner = re.fullmatch(r"p(\d+)", name)
        if name == "sealed" and others:
            whole = html(_("One part of the result is sealed: nobody may read it."))
            told.append((html(_("nobody may read the part that is sealed")), whole))
        elif name == "sealed":
            told.append((html(_("nobody may read it")), html(_("Nobody may read the result."))))
        elif owner:
            player = scene.player(int(owner[1]))
            whole = fill(_("Only {player} knows the result."), player=player)
            told.append((fill(_("only {player} knows"), player=player), whole))
        elif readable(name, None):
            bit_text = f"{name}={bits if len(bits) <= LONGEST else bits[:LONGEST] + '…'}"
            everybody.append(Html(f'<span class="qg-ket">{escape(bit_text)}</span>'))
    if everybody:
        result = listed(everybody)
        whole = fill(_("Everybody reads {result}."), result=result)
        told.append((fill(_("everybody reads {result}"), result=result), whole))
    return list(dict.fromkeys(told))


# ---- one instruction in a sentence ---------------------------------------------------------------


def stage_words(walk: Walk, scene: Scene, at: int) -> Html:
    """What the instruction before this stage did."""
    if not len(walk):
        return html(_("This step runs no circuit."))
    if at == 0:
        return html(_("Before the first instruction."))
    return _started(_op_words(walk, scene, _ops(walk)[at - 1], walk.stages[at]))


def _started(words: Html) -> Html:
    """A sentence with a capital at its start."""
    return Html(words[:1].upper() + words[1:])


def _ops(walk: Walk) -> tuple[Op, ...]:
    return remembered(
        walk.view, f"ops {walk.number} {len(walk)}", lambda: operations(walk.fragment)
    )


def _op_words(walk: Walk, scene: Scene, op: Op, stage: Stage) -> Html:
    names = _names(walk, scene, op.qubits)
    if op.name == "measure":
        return _measurement(names, stage)
    if op.name == "barrier":
        return html(_("A barrier: nothing happens."))
    if op.name == "reset":
        return fill(_("{names} is set back to |0⟩."), names=names)
    if op.blocks:
        return _feed_forward(names, op, stage)
    if op.controls:
        controls = _names(walk, scene, [q for q, _value in op.controls])
        words = (
            _("{gate} on {targets} where {controls} is 1.")
            if all(value for _q, value in op.controls)
            else _("{gate} on {targets} where {controls} is 0.")
        )
        targets = _names(walk, scene, op.targets)
        return fill(words, gate=op.label, targets=targets, controls=controls)
    return fill(_("{gate} on {names}."), gate=op.label, names=names)


def _names(walk: Walk, scene: Scene, qubits: Sequence[int]) -> Html:
    """``planets 6 and 9``, ``planet 5 and spare0``."""
    wires = [q for q in qubits if q < walk.view.game.wires.size]
    fresh = [fill("<b>{name}</b>", name=walk.labels[q]) for q in qubits if q not in wires]
    known = [Html(scene.things(walk.view, wires))] if wires else []
    return listed([*known, *fresh])


def _measurement(names: Html, stage: Stage) -> Html:
    register, bit = stage.bits[0]
    where = f"{register}[{bit}]"
    if stage.read == UNREAD:
        words = _("{names} is measured into {where}; the bit is not the viewer's to read.")
    elif stage.odds[0][1] > SURE:
        words = _("{names} is measured into {where}: {read}, which was certain.")
    else:
        words = _("{names} is measured into {where}: it read {read}, a chance of {chance}.")
    chance = percent(dict(stage.odds).get(stage.read, 0.0))
    return fill(words, names=names, where=where, read=stage.read, chance=chance)


def _feed_forward(names: Html, op: Op, stage: Stage) -> Html:
    met = stage.met or 0.0
    register = op.bits[0][0] if op.bits else ""
    where = f"{register}[{op.bits[0][1]}]" if len(op.bits) == 1 else register
    count = len(op.qubits)
    if met > SURE:
        words = ngettext(
            "If {where} is {value}, {names} changes: it is, so it is done.",
            "If {where} is {value}, {names} change: it is, so it is done.",
            count,
        )
    elif met < 1 - SURE and len(op.blocks) > 1:
        words = ngettext(
            "If {where} is {value}, {names} changes one way, else another: it is not.",
            "If {where} is {value}, {names} change one way, else another: it is not.",
            count,
        )
    elif met < 1 - SURE:
        words = ngettext(
            "If {where} is {value}, {names} changes: it is not, so nothing is done.",
            "If {where} is {value}, {names} change: it is not, so nothing is done.",
            count,
        )
    else:
        words = ngettext(
            "If {where} is {value}, {names} changes: as far as the viewer knows, {chance}.",
            "If {where} is {value}, {names} change: as far as the viewer knows, {chance}.",
            count,
        )
    return fill(words, where=where, value=op.test, names=names, chance=percent(met))


# ---- Qiskit's own drawings -----------------------------------------------------------------------

DRAWINGS = ("mpl", "text")


def qiskit_drawing(walk: Walk, kind: str = "mpl") -> Html:
    """Qiskit's own drawing of the fragment: ``"mpl"`` as SVG, ``"text"`` as preformatted text.

    Takes 100 ms and more, so it is made on demand. No figure stays open. ``"mpl"`` needs
    matplotlib (``qgames[lab]``).
    """
    if kind not in DRAWINGS:
        raise ValueError(f"unknown drawing {kind!r}: expected one of {', '.join(DRAWINGS)}")
    if kind == "text":
        drawn = str(walk.fragment.draw("text", fold=120, idle_wires=False))
        return Html(f'<pre class="qg-qiskit">{escape(drawn)}</pre>')
    import matplotlib.pyplot as plt

    figure = walk.fragment.draw("mpl", fold=40, idle_wires=False)
    page = StringIO()
    figure.savefig(page, format="svg", bbox_inches="tight")
    plt.close(figure)
    body = page.getvalue()
    return Html(f'<div class="qg-qiskit">{body[body.index("<svg") :]}</div>')


# ---- in text, and what if? -----------------------------------------------------------------------


def text(walk: Walk, scene: Scene) -> str:
    """The whole walk for a terminal: sentence, then each instruction with the state after it."""
    lines = [heading(walk, scene), plain(sentence(walk, scene))]
    for at, stage in enumerate(walk.stages):
        lines.append(f"{at:3} {plain(stage_words(walk, scene, at))}")
        lines += [f"      {line}" for line in state_lines(walk, stage.state)]
    return "\n".join(lines)


def state_lines(walk: Walk, shown: QuantumState) -> list[str]:
    """``6,9  S− = (|01⟩ − |10⟩)/√2``: the qubits that the step concerns, one group a line."""
    rows = []
    for cluster in clusters_of(shown, walk.concerned):
        names = ",".join(walk.labels[w] for w in cluster.wires)
        rows.append(f"{names}  {cluster_text(cluster)}")
    return rows


def cluster_text(cluster: Cluster) -> str:
    """A group or a lone qubit in one line of text, hidden histories by count."""
    if len(cluster.wires) == 1:
        return one_text(cluster)
    if not cluster.is_pure:
        return _now(cluster)
    return state_form(cluster) or _now(cluster)


def board_after(view: View, scene: Scene, branch: Branch, move: Move) -> str:
    """SVG of the board after one outcome, as this viewer would see it."""
    return scene.board(foreseen(view, branch, move), Look())


def what_if_html(view: View, scene: Scene, move: Move, branches: Sequence[Branch]) -> Html:
    """Every outcome of a move: chance, what it means, and the board then."""
    boxes = "".join(
        f'<section class="qg-oc qg-after-board"><span class="qg-p">'
        f"{inline(20, glyphs.pie(10, 10, 6.5, b.chance, scene.branch_hue(view, b, move)))}"
        f"{percent(b.chance)}</span><span>{scene.consequence(view, b, move)}</span>"
        f"<div>{board_after(view, scene, b, move)}</div></section>"
        for b in branches
    )
    title = _("If {move} is played").format(move=scene.move_phrase(move))
    return Html(f'<h3>{escape(title)}</h3><div class="qg-what-if">{boxes}</div>')
