"""The panel's panes as text of HTML: header, players, settings, and frames round the drawings."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from qgames import draw
from qgames.core import Game, Option, View
from qgames.draw.scene import Look, Scene
from qgames.i18n import Html, _, fill, html
from qgames.players import HINTS, players_of
from qgames.walk import Walk
from qgames.widget.icons import icon

if TYPE_CHECKING:
    from qgames.widget.panel import MatchWidget


def frame(game: Game, scene: Scene) -> str:
    """The empty panel: places for the panes, in reading and tab order."""
    label = fill(_("{game} match"), game=game.title)
    left = "".join(_place(name, f"qg-pane qg-p-{name}") for name in scene.left)
    right = "".join(_place(name, f"qg-pane qg-p-{name}") for name in scene.right)
    foot = _place("slider", "qg-p-slider") + _place("moves", "qg-p-moves")
    return (
        f'<section class="qg qg-game-{game.key}" aria-label="{label}" tabindex="-1">'
        f"{_place('header')}{_place('menu')}{_place('bar')}"
        f'<div class="qg-main" style="--left:{scene.board_size + 32}px">'
        f'<div class="qg-left">{left}</div>'
        f'<div class="qg-right">{right}</div></div>'
        f'<div class="qg-foot">{foot}</div>{_place("inspect", "qg-pane qg-p-inspect")}'
        f"{_place('curtain')}</section>"
    )


def _place(name: str, classes: str = "") -> str:
    return f'<div data-pane="{name}" class="{classes}"></div>'


def _button(
    action: str,
    text: str,
    picture: str = "",
    *,
    kind: str = "",
    on: bool = True,
    ready: bool = False,
) -> str:
    """A button; with a picture its word may be hidden where there is little room."""
    word = f'<span class="qg-word">{escape(text)}</span>' if picture else escape(text)
    more = "" if on else " disabled"
    more += ' data-ready="1"' if ready else ""
    return (
        f'<button type="button" class="qg-btn {kind}" data-action="{action}"{more}'
        f' aria-label="{escape(text)}">{icon(picture) if picture else ""}{word}</button>'
    )


def _heading(title: str, caption: str = "") -> str:
    beside = f'<span class="qg-sub">{html(caption)}</span>'
    return f'<div class="qg-ph"><h3>{html(title)}</h3>{beside}</div>'


def primary(scene: Scene, seat: int | None = None) -> str:
    """The classes of the main button, in a seat's hue."""
    return "qg-pri" if seat is None else f"qg-pri qg-side-{scene.seat_hue(seat)}"


# ---- header and players ------------------------------------------------------------------------


def header(w: MatchWidget) -> str:
    """Name, who looks, and undo, new, save, load."""
    game = w.match.game
    seats: list[int | None] = [*range(game.seats), None]
    radios = "".join(_radio(w, seat) for seat in seats)
    load = (
        f'<label class="qg-btn qg-load">{icon("load")}<span class="qg-word">{_("Load")}</span>'
        '<input type="file" accept=".json,application/json" data-action="load"'
        f' aria-label="{_("Load")}"></label>'
    )
    undoable = len(w.match.record) > w.match.fewest_steps
    over = w.match.result is not None
    return (
        f'<header class="qg-head"><h2>{escape(game.title)}</h2>'
        f'<span class="qg-sub">{escape(_(game.subtitle))}</span><span class="qg-sp"></span>'
        f'<span class="qg-sub qg-word">{_("View as")}</span>'
        f'<span class="qg-seg" role="radiogroup" aria-label="{_("View as")}">{radios}</span>'
        + _button("undo", _("Undo"), "undo", on=undoable)
        + _button("menu", _("New"), "new", kind=primary(w.scene) if over else "")
        + _button("save", _("Save"), "save")
        + f"{load}</header>"
    )


def _radio(w: MatchWidget, seat: int | None) -> str:
    on = seat == w.seat
    text = _("Spectator") if seat is None else w.scene.player(seat)
    badge = "" if seat is None else w.scene.seat_badge(seat, 13)
    disabled = "" if w.may_view(seat) else " disabled"
    value = "none" if seat is None else str(seat)
    few = w.match.game.seats == 2  # more seats than two show their number alone
    short = f'<span class="qg-word">{escape(text if few else value)}</span>'
    if seat is None:
        short = escape(text)
    return (
        f'<button type="button" role="radio" aria-checked="{str(on).lower()}"'
        f' aria-label="{escape(text)}" data-action="view" data-value="{value}"{disabled}>'
        f"{badge}{short}</button>"
    )


def name_of(kind: str) -> str:
    """What a chip calls the one who sits there."""
    if kind == "practice":
        return _("you, too")
    if kind == "person":
        return _("person")
    return fill(_("CPU {name}"), name=kind)


def bar(w: MatchWidget, view: View, look: Look) -> str:
    """A chip for each player, and the status line."""
    chips = "".join(
        draw.chip(view, w.scene, seat, _("you") if _own(w, seat) else look.names[seat])
        for seat in range(view.game.seats)
    )
    return (
        f'<div class="qg-bar">{chips}<div class="qg-status" role="status" aria-live="polite">'
        f"<span>{status(w, view, look)}</span></div></div>"
    )


def _own(w: MatchWidget, seat: int) -> bool:
    return seat == w.seat and w.players[seat] in ("person", "practice")


def status(w: MatchWidget, view: View, look: Look) -> str:
    """One or two sentences: an error, looking back, thinking, or what the game says."""
    if w.error:
        return f"{icon('barred')} {html(w.error)}"
    if w.handing_to is not None:
        return fill(_("Hand over to <b>{player}</b>."), player=w.scene.player(w.handing_to))
    if not w.live:
        return draw.looking_back(view, w.scene, w.shown, len(w.match.record))
    said = w.scene.status(view, look)
    if view.result is not None:
        return f"{said} {html(Html(_('Press <b>New</b> for another match.')))}"
    if w.thinking and w.match.to_move is not None:
        return f"{said} {draw.thinking(w.scene, w.match.to_move)}"
    return said


# ---- the sheet of settings, rules and keys -------------------------------------------------------


def menu(w: MatchWidget) -> str:
    """New match with the same or other settings; rules and controls folded in."""
    game = type(w.match.game)
    kinds = {k: str(fill(_("computer: {name}"), name=k)) for k in players_of(game.key)}
    kinds |= {"person": _("people at this screen"), "practice": _("practice: you play every side")}
    rows = _select("form:opponent", _("opponent"), kinds, w.form.get("opponent") or opponent(w))
    for name, option in game.options.items():
        chosen = w.form.get(name, str(w.match.game.option[name]))
        rows += _select(f"form:{name}", _(option.help), _choices(option), chosen)
    return (
        f'<div class="qg-sheet"><div class="qg-form">{rows}</div><div class="qg-row">'
        + _button("start", _("Start a new match"), kind=primary(w.scene))
        + _button("restart", _("Restart with the same settings"))
        + _button("resign", _("Resign"), on=w.may_act)
        + '<span class="qg-sp"></span>'
        + _button("menu", _("Close"))
        + f"</div><details><summary>{_('Rules')}</summary>"
        f'<div class="qg-text">{w.scene.rules(w.view)}</div></details>'
        f"<details><summary>{_('Controls')}</summary>{_controls()}</details></div>"
    )


def opponent(w: MatchWidget) -> str:
    """The kind of player on the other seats, as the form names it."""
    others = [kind for seat, kind in enumerate(w.players) if seat != (w.seat or 0)]
    return others[0] if others else w.players[0]


def _choices(option: Option) -> dict[str, str]:
    """The values of an option for a list; of very many numbers the default and round ones."""
    few = option.choices
    if len(few) > 20:
        few = tuple(c for c in few if c == option.default or c in (20, 30, 40, 60, 100, 150, 300))
    return {str(c): _(str(c)) for c in few}


def _select(action: str, label: str, choices: dict[str, str], chosen: str) -> str:
    rows = "".join(
        f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>'
        f"{html(text)}</option>"
        for value, text in choices.items()
    )
    return (
        f'<label><span>{escape(label)}</span><select data-action="{action}">{rows}</select></label>'
    )


def _controls() -> str:
    rows = (
        (_("Click or tap"), _("choose squares and a card in either order, then press Play")),
        (_("1 to 9"), _("choose a square by its number")),
        (_("Arrow keys"), _("go from square to square")),
        (_("Enter or Space"), _("choose what has the focus; with a complete move, play it")),
        (_("Tab"), _("go on to the hand, the odds and the moves")),
        (_("Escape"), _("take back one step of the choice, or stop looking back")),
    )
    terms = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in rows)
    return f'<dl class="qg-text">{terms}</dl>'


# ---- panes round the drawings --------------------------------------------------------------------


def board(w: MatchWidget, view: View, look: Look) -> str:
    """The board under its heading."""
    return _heading(_("Board"), w.scene.board_caption(view)) + w.scene.board(view, look)


def hand(w: MatchWidget, view: View, look: Look) -> str:
    """What a move is made with."""
    title = w.scene.hand_title(view)
    body = _heading(title, w.scene.hand_caption(view)) + w.scene.controls(view, look)
    return body + (_hints(w) if w.match.game.key in HINTS and w.may_act else "")


def _hints(w: MatchWidget) -> str:
    """The switch of the hints."""
    words = _("Hide hints") if w.hints else _("Show hints: win, draw or loss")
    return f'<p style="margin-top:8px">{_button("hints", words)}</p>'


def odds(w: MatchWidget, view: View, look: Look) -> str:
    """What the chosen move may lead to, with the button that plays it."""
    if not w.may_act:
        return ""
    play = ""
    if look.move is not None:
        label = draw.play_label(w.scene, look.move)
        play = _button("play", label, kind=primary(w.scene, view.seat), ready=True)
    heading = escape(draw.odds_heading(w.scene, look.move))
    return (
        f'<div class="qg-ph qg-mid"><h3>{heading}</h3><span class="qg-sp"></span>{play}</div>'
        + draw.odds_html(view, w.scene, look.move, look.names)
    )


def circuit(w: MatchWidget, view: View, look: Look) -> str:
    """The circuit of the moves so far; wide ones scroll with the last move in view."""
    if "circuit" not in (*w.scene.left, *w.scene.right):
        return ""  # the board is the circuit
    drawing = draw.circuit_html(view, w.scene, look.move, w.room)
    return _heading(_("Circuit"), draw.circuit_caption(view, w.scene)) + drawing


def state(w: MatchWidget, view: View) -> str:
    """The state as far as the viewer can know it."""
    drawing = draw.state_html(view, w.scene)
    return _heading(_("State"), draw.state_caption(view, w.scene)) + drawing


def slider(w: MatchWidget) -> str:
    """The slider through the record."""
    first, count = w.match.fewest_steps, len(w.match.record)
    label = escape(draw.position_text(w.view, w.scene, w.shown, count))
    off = " disabled" if count == first else ""
    return (
        f'<input type="range" class="qg-range" data-action="seek" min="{first}"'
        f' max="{max(count, first + 1)}" value="{w.shown}" step="1" aria-label="{_("Moves")}"'
        f' aria-valuetext="{label}" style="--qg-ticks:{max(count - first, 1)}"{off}>'
    )


def moves(w: MatchWidget, view: View) -> str:
    """First, back, forward, live; where we are; a chip for each move."""
    count = len(w.match.record)
    back, ahead = w.shown > w.match.fewest_steps, w.shown < count
    where = escape(draw.position_text(view, w.scene, w.shown, count))
    whole = w.match.view(view.seat)
    return (
        f'<div class="qg-row qg-rewind"><h3>{_("Moves")}</h3>'
        + _step_button("first", _("First position"), back)
        + _step_button("back", _("One move back"), back)
        + _step_button("forward", _("One move forward"), ahead)
        + _step_button("live", _("Live"), ahead)
        + _button("inspect", _("Inspect"), "inspect", on=bool(w.shown))
        + f'</div><span class="qg-sub qg-where">{where}</span>'
        + draw.moves_html(whole, w.scene, w.shown, count)
    )


def _step_button(action: str, label: str, on: bool) -> str:
    live = action == "live" and on
    word = escape(label) if live else ""
    return (
        f'<button type="button" class="{"qg-btn qg-pri" if live else "qg-ib"}"'
        f' data-action="{action}" aria-label="{escape(label)}"{"" if on else " disabled"}>'
        f"{icon(action)}{word}</button>"
    )


def inspect(w: MatchWidget, view: View) -> str:
    """The step that led to the position on screen, taken apart; folded until it is asked for."""
    if w.inside is None or not view.history:
        return ""
    walk = w.inside.walk
    if walk is None or walk.view is not view:
        w.inside.enter(Walk(view))
    return w.inside.html(w.scene, _button("inspect", _("Close")))


def curtain(w: MatchWidget) -> str:
    """Covers the panel between two people's turns."""
    if w.handing_to is None:
        return ""
    name = w.scene.player(w.handing_to)
    words = fill(_("I am {player}"), player=name)
    ready = _button("reveal", words, kind=primary(w.scene, w.handing_to), ready=True)
    words = fill(_("Hand over to <b>{player}</b>."), player=name)
    return (
        f'<div class="qg-veil" role="dialog" aria-label="{escape(name)}">'
        f"{w.scene.seat_badge(w.handing_to, 40, True)}<p>{words}</p>{ready}</div>"
    )
