"""Drawings: from a view to text of SVG and HTML, without Jupyter; they decide nothing.

``scene("qlanet")`` is what a game shows; ``picture(match)`` is a whole match as one piece of HTML that needs
no kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module

from qgames.core import Match, Move, View
from qgames.draw import theme
from qgames.draw.circuit import circuit_caption, circuit_html, circuit_svg
from qgames.draw.glyphs import seat_badge
from qgames.draw.moves import looking_back, moves_html, position_text, thinking
from qgames.draw.odds import odds_heading, odds_html, play_label
from qgames.draw.scene import Look, Scene
from qgames.draw.state import state_caption, state_html
from qgames.draw.svg import escape
from qgames.i18n import Html, _, html

__all__ = [
    "Look",
    "Scene",
    "circuit_caption",
    "circuit_html",
    "circuit_svg",
    "looking_back",
    "moves_html",
    "odds_heading",
    "odds_html",
    "picture",
    "play_label",
    "position_text",
    "scene",
    "state_caption",
    "state_html",
    "theme",
    "thinking",
]

PANES = ("board", "circuit", "state")


@lru_cache(maxsize=None)
def scene(key: str) -> Scene:
    """What the game ``key`` shows: the ``SCENE`` of ``qgames.draw.<key>``."""
    found = import_module(f"qgames.draw.{key}").SCENE
    assert isinstance(found, Scene)
    return found


def picture(
    match: Match | View,
    seat: int | None = None,
    panes: Sequence[str] = PANES,
    theme_name: str | None = None,
    preview: Move | None = None,
) -> Html:
    """A match as one self-contained piece of HTML: bar, and any of board, hand, circuit, state, moves.

    ``seat`` (None: a spectator) says whose knowledge is drawn. ``theme_name`` is ``"light"`` or ``"dark"``; without
    it the page or the system decides.
    """
    view = match if isinstance(match, View) else match.view(seat)
    show = scene(view.game.key)
    known = {**_drawn(view, show, preview)}
    unknown = [name for name in panes if name not in known]
    if unknown:
        raise ValueError(f"unknown pane {unknown[0]!r}: expected one of {', '.join(known)}")
    left = "".join(known[name] for name in panes if name in ("board", "hand", "odds"))
    right = "".join(known[name] for name in panes if name in ("circuit", "state"))
    foot = known["moves"] if "moves" in panes else ""
    chosen = f' data-theme="{escape(theme_name)}"' if theme_name else ""
    label = escape(_("{game} match").format(game=view.game.title))
    both = f'<div class="qg-main">{_side("left", left)}{_side("right", right)}</div>' if left and right else left + right
    return Html(
        f"<style>{theme.css()}</style>"
        f'<section class="qg qg-static"{chosen} aria-label="{label}">'
        f"{_header(view)}{_bar(view, show)}{both}{foot}</section>"
    )


def pane(kind: str, title: str, caption: object, body: str) -> Html:
    """A pane: heading left, one caption right, then its drawing."""
    return Html(
        f'<section class="qg-pane qg-p-{kind}"><div class="qg-ph"><h3>{escape(title)}</h3>'
        f'<span class="qg-sub">{html(caption)}</span></div>{body}</section>'
    )


def _drawn(view: View, show: Scene, preview: Move | None) -> dict[str, str]:
    look = Look(disabled=True)
    live = len(view.history)
    return {
        "board": pane("board", _("Board"), "", show.board(view, Look())),
        "hand": pane("hand", _("Hand"), show.hand_caption(view), show.controls(view, look)),
        "odds": pane("odds", odds_heading(show, preview), "", odds_html(view, show, preview)),
        "circuit": pane(
            "circuit", _("Circuit"), circuit_caption(view, show), circuit_html(view, show, preview)
        ),
        "state": pane("state", _("State"), state_caption(view, show), state_html(view, show)),
        "moves": f'<section class="qg-foot">{moves_html(view, show, live, live)}</section>',
    }


def _side(name: str, body: str) -> str:
    return f'<div class="qg-{name}">{body}</div>'


def _header(view: View) -> str:
    title, subtitle = escape(view.game.title), escape(view.game.subtitle)
    return f'<header class="qg-head"><h2>{title}</h2><span class="qg-sub">{subtitle}</span></header>'


def _bar(view: View, show: Scene) -> str:
    chips = "".join(chip(view, show, seat) for seat in range(view.game.seats))
    status = show.status(view, Look(disabled=True))
    return f'<div class="qg-bar">{chips}<div class="qg-status"><span>{status}</span></div></div>'


def chip(view: View, show: Scene, seat: int, name: str = "") -> Html:
    """A player's chip: badge, name, who plays it and whether it is to move, score."""
    winner = view.result.winner if view.result else None
    active = seat in (view.to_move, winner)
    role = show.role(view, seat) if seat == view.to_move else ""
    under = " · ".join(filter(None, (name, role)))
    tint = f" qg-on qg-on{seat}" if active else ""
    return Html(
        f'<div class="qg-chip{tint}">{seat_badge(seat, 23, digit=True)}<span class="qg-nm">'
        f'<span>{escape(show.player(seat))}</span><span class="qg-sub">{escape(under)}</span></span>'
        f'<span class="qg-big">{escape(show.score(view, seat))}</span></div>'
    )
