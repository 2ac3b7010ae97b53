"""The pane "If you play ...": one box an outcome, likeliest first, then what the move costs.

Odds are the viewer's odds, from what the viewer knows.
"""

from __future__ import annotations

from collections.abc import Sequence

from qgames.core import Branch, Move, View
from qgames.draw import glyphs
from qgames.draw.known import outlook
from qgames.draw.scene import Scene
from qgames.draw.svg import escape, inline
from qgames.i18n import Html, _, ngettext, percent

MOST = 4
"""Boxes at most: of more outcomes the first three are shown."""


def odds_html(view: View, scene: Scene, move: Move | None, _names: Sequence[str] = ()) -> Html:
    """Boxes of the outcomes of ``move``, and the game's aftermath under them."""
    if move is None:
        hint = _("Choose a move to see what it may lead to, before you play it.")
        return Html(f'<p class="qg-sub">{escape(hint)}</p>')
    branches = outlook(view, move)
    shown = branches if len(branches) <= MOST else branches[: MOST - 1]
    boxes = "".join(_box(view, scene, branch, move, n) for n, branch in enumerate(shown))
    if len(shown) < len(branches):
        boxes += _more(branches[len(shown) :])
    two = " qg-two" if len(branches) > 1 else ""
    return Html(f'<div class="qg-odds{two}">{boxes}</div>{scene.aftermath(view, move)}')


def odds_heading(scene: Scene, move: Move | None) -> str:
    """The pane's heading."""
    if move is None:
        return _("If you play")
    return _("If you play {move}").format(move=scene.move_phrase(move))


def play_label(scene: Scene, move: Move | None) -> str:
    """What the Play button says."""
    if move is None:
        return _("Play")
    return _("Play {move}").format(move=scene.move_phrase(move))


def _box(view: View, scene: Scene, branch: Branch, move: Move, number: int) -> str:
    """One outcome: thumbnail, chance, meaning; ``data-branch`` is its place in the outlook."""
    certain = branch.chance > 1 - 1e-9
    mark = glyphs.pie(10, 10, 6.5, branch.chance, scene.branch_hue(view, branch, move))
    told = _("certain") if certain else percent(branch.chance)
    return (
        f'<div class="qg-oc" data-branch="{number}">'
        f'<span class="qg-th">{scene.thumbnail(view, branch, move)}</span>'
        f'<span class="qg-p">{inline(20, mark)}{escape(told)}</span>'
        f"<span>{scene.consequence(view, branch, move)}</span></div>"
    )


def _more(rest: Sequence[Branch]) -> str:
    words = ngettext("{count} more outcome, {chance}", "{count} more outcomes, {chance}", len(rest))
    told = words.format(count=len(rest), chance=percent(sum(b.chance for b in rest)))
    return f'<div class="qg-oc qg-more">{escape(told)}</div>'
