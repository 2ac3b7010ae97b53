"""Drawings: from a view to text of SVG and HTML, without Jupyter; they decide nothing.

``scene("qlanet")`` is what a game shows; ``picture(match)`` is a whole match as one piece of HTML
that needs no kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from importlib import import_module

from qgames.core import Match, Move, View
from qgames.draw import theme
from qgames.draw.circuit import circuit_caption, circuit_html, circuit_svg
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


@cache
def scene(key: str) -> Scene:
    """What the game ``key`` shows: the ``SCENE`` of ``qgames.draw.<key>``; LookupError if none."""
    name = f"qgames.draw.{key}"
    try:
        found = getattr(import_module(name), "SCENE", None)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        found = None
    if not isinstance(found, Scene):
        raise LookupError(f"game {key!r} has no drawings: expected a module {name} with a SCENE")
    return found


def picture(
    match: Match | View,
    seat: int | None = None,
    panes: Sequence[str] = PANES,
    theme_name: str | None = None,
    preview: Move | None = None,
) -> Html:
    """A match as one piece of HTML with its own styles, for pages without a kernel.

    ``seat`` (None: a spectator) says whose knowledge is drawn; a view is drawn as its own seat's.
    ``panes`` are any of board, hand, odds, circuit, state and moves; ``preview`` is a legal move
    whose odds and gates are shown. ``theme_name`` is ``"light"`` or ``"dark"``; without it the page
    or the system decides. Raises ValueError for an unknown pane or theme.
    """
    view = match if isinstance(match, View) else match.view(seat)
    show = scene(view.game.key)
    _check(theme_name, (None, "light", "dark"), "theme")
    for name in panes:
        _check(name, _PANES, "pane")
    drawn = {name: _PANES[name](view, show, preview) for name in panes}
    left = "".join(drawn[name] for name in show.left if name in drawn)
    right = "".join(drawn[name] for name in show.right if name in drawn)
    foot = drawn.get("moves", "")
    chosen = f' data-theme="{escape(theme_name)}"' if theme_name else ""
    label = escape(_("{game} match").format(game=view.game.title))
    both = left + right
    if left and right:
        wide = f"--left:{show.board_size + 32}px"
        sides = _side("left", left) + _side("right", right)
        both = f'<div class="qg-main" style="{wide}">{sides}</div>'
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


def _check(value: object, allowed: Collection[object], what: str) -> None:
    if value not in allowed:
        known = ", ".join(str(name) for name in allowed if name is not None)
        raise ValueError(f"unknown {what} {value!r}: expected one of {known}")


def _board(view: View, show: Scene, _preview: Move | None) -> str:
    return pane("board", _("Board"), "", show.board(view, Look()))


def _hand(view: View, show: Scene, _preview: Move | None) -> str:
    drawing = show.controls(view, Look(disabled=True))
    return pane("hand", show.hand_title(view), show.hand_caption(view), drawing)


def _odds(view: View, show: Scene, preview: Move | None) -> str:
    return pane("odds", odds_heading(show, preview), "", odds_html(view, show, preview))


def _circuit(view: View, show: Scene, preview: Move | None) -> str:
    drawing = circuit_html(view, show, preview)
    return pane("circuit", _("Circuit"), circuit_caption(view, show), drawing)


def _state(view: View, show: Scene, _preview: Move | None) -> str:
    return pane("state", _("State"), state_caption(view, show), state_html(view, show))


def _moves(view: View, show: Scene, _preview: Move | None) -> str:
    live = len(view.history)
    return f'<section class="qg-foot">{moves_html(view, show, live, live)}</section>'


_PANES: dict[str, Callable[[View, Scene, Move | None], str]] = {
    "board": _board,
    "hand": _hand,
    "odds": _odds,
    "circuit": _circuit,
    "state": _state,
    "moves": _moves,
}


def _side(name: str, body: str) -> str:
    return f'<div class="qg-{name}">{body}</div>'


def _header(view: View) -> str:
    title, subtitle = escape(view.game.title), escape(view.game.subtitle)
    return (
        f'<header class="qg-head"><h2>{title}</h2><span class="qg-sub">{subtitle}</span></header>'
    )


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
    tint = f" qg-on qg-side-{show.seat_hue(seat)}" if active else ""
    who = f'{escape(show.player(seat))}</span><span class="qg-sub">{escape(under)}'
    return Html(
        f'<div class="qg-chip{tint}">{show.seat_badge(seat, 23, digit=True)}<span class="qg-nm">'
        f"<span>{who}</span></span>"
        f'<span class="qg-big">{escape(show.score(view, seat))}</span></div>'
    )
