"""The list of moves, and what is said while looking back or waiting."""

from __future__ import annotations

from qgames.core import Step, View
from qgames.draw.scene import Scene
from qgames.draw.svg import circle, escape, svg
from qgames.i18n import Html, _, fill, html


def moves_html(view: View, scene: Scene, at: int, live: int) -> Html:
    """A chip for each step of the live match; ``data-step`` is how many steps the record has then.

    ``view`` is the viewer's live view, ``at`` the number of steps looked at, ``live`` that of all.
    """
    first = scene.opening_steps(view)
    chips = "".join(
        _chip(view, scene, step, n, at, first)
        for n, step in enumerate(view.record[:live], start=1)
        if n > first
    )
    label = escape(_("Moves"))
    return Html(f'<div class="qg-mv" role="list" aria-label="{label}">{chips}</div>')


def _chip(view: View, scene: Scene, step: Step, number: int, at: int, first: int) -> str:
    mark = scene.seat_badge(step.seat) if step.seat is not None else ""
    words = scene.move_label(step.move)
    read = scene.result_label(view, step)
    shown = f"{words} → {read}" if read else words
    current = number == at
    extra = " qg-cur" if current else " qg-later" if number > at else ""
    now = ' aria-current="step"' if current else ""
    return (
        f'<span role="listitem">'
        f'<button type="button" class="qg-mvc{extra}" data-step="{number}"{now}>'
        f'<span class="qg-n">{number - first}</span>{mark}<span>{escape(shown)}</span>'
        f"</button></span>"
    )


def position_text(view: View, scene: Scene, at: int, live: int) -> str:
    """``5 of 5, live`` beside the slider."""
    first = scene.opening_steps(view)
    words = _("{move} of {moves}, live") if at == live else _("{move} of {moves}")
    return words.format(move=max(0, at - first), moves=max(0, live - first))


def looking_back(view: View, scene: Scene, at: int, live: int) -> Html:
    """The status while an earlier position is shown."""
    first = scene.opening_steps(view)
    if at <= first:
        return html(Html(_("Looking back at the start. Press <b>Live</b> to return.")))
    return fill(
        _("Looking back at move <b>{move}</b> of {moves}. Press <b>Live</b> to return."),
        move=at - first,
        moves=live - first,
    )


def thinking(scene: Scene, seat: int) -> Html:
    """The status while a computer player chooses."""
    dots = svg(
        26,
        10,
        "".join(circle(4 + 9 * n, 5, 3, "ink2") for n in range(3)),
        more='class="qg-i qg-dots" style="vertical-align:0"',
    )
    return fill(_("{player} is thinking {dots}"), player=scene.player(seat), dots=dots)
