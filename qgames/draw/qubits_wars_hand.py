"""What a move of The |Qubits> Wars is made with: the hand, the mission card, and the buttons."""

from __future__ import annotations

from qgames.core import Move
from qgames.draw import glyphs
from qgames.draw.qubits_wars_words import (
    card_kind,
    card_name,
    card_words,
    mission_words,
    player,
    rules_of,
    secondary,
    table,
    verb_name,
)
from qgames.draw.scene import Look
from qgames.draw.svg import escape, line, rect, svg, text
from qgames.games.qubits_wars import FORCED, LONE, WarsView, secondary_now
from qgames.games.qubits_wars_cards import NOISES, Mission
from qgames.i18n import Html, _, fill, ngettext, percent

BUTTONS = ("change", "pass", "allow", "stop", *FORCED)
"""Verbs that are no card."""


def controls(view: WarsView, look: Look) -> Html:
    """Cards, buttons, and the viewer's mission."""
    now = table(view)
    if now.stage == "choose" and view.seat == view.to_move:
        return Html(_mission_choice(view, look))
    if view.seat is None:
        return Html(_others(view) + _spectator())
    cards = "".join(_card(view, look, card, n) for n, card in enumerate(now.hands[view.seat]))
    label = escape(_("Hand of {player}").format(player=player(view.seat)))
    hand = f'<div class="qg-hand" role="group" aria-label="{label}">{cards}</div>'
    return Html(hand + _buttons(view, look) + _others(view) + mission_html(view))


def _card(view: WarsView, look: Look, card: str, slot: int) -> str:
    mover = view.seat == view.to_move and not look.disabled
    if look.choice.verb == "change" and mover:
        return _changeable(look, card, slot)
    verb = _verb_of(view, card)
    legal = mover and verb is not None
    chosen = legal and look.choice.verb == verb and _same_card(look, card, slot)
    shut = "" if legal else ' aria-disabled="true"'
    secret = f' data-secret="{card}"' if card in NOISES else ""
    told = f"{card_name(card)}, {card_kind(card)}, {card_words(card)}"
    return (
        f'<button type="button" class="qg-card" data-verb="{verb or card}"{secret}'
        f' data-slot="{slot}" aria-pressed="{str(chosen).lower()}"{shut}'
        f' aria-label="{escape(told)}" title="{escape(told)}">{_face(card)}</button>'
    )


def _changeable(look: Look, card: str, slot: int) -> str:
    pressed = str(look.choice.squares == (card,)).lower()
    told = _("discard {card}").format(card=card_name(card))
    return (
        f'<button type="button" class="qg-card" data-square="{card}" data-slot="{slot}"'
        f' aria-pressed="{pressed}" aria-label="{escape(told)}">{_face(card)}</button>'
    )


def _same_card(look: Look, card: str, slot: int) -> bool:
    if card in NOISES:
        return look.choice.secret == (card,) and look.slot in (slot, None)
    return look.slot in (slot, None) or look.choice.verb in ("cnot", *LONE)


def _verb_of(view: WarsView, card: str) -> str | None:
    """The verb that plays a card now; a half card plays the CNOT, a noise is a noise."""
    verbs = {m.verb for m in view.legal_moves}
    if card in NOISES:
        return (
            "noise"
            if ("noise", (card,)) in {(m.verb, m.secret) for m in view.legal_moves}
            else None
        )
    choices = {
        "control": ("cnot", "lone-control"),
        "target": ("cnot", "lone-target"),
        "cnot": ("cnot", "lone"),
        "lone": tuple(LONE),
    }.get(card, (card,))
    return next((verb for verb in choices if verb in verbs), None)


def _face(card: str) -> str:
    name = f'<span class="qg-nm"><b>{escape(card_name(card))}</b>{escape(card_words(card))}</span>'
    return f'{_icon(card)}<span class="qg-cost">{escape(card_kind(card))}</span>{name}'


def _icon(card: str) -> Html:
    if card in ("x", "z", "h", "id"):
        return svg(28, 28, glyphs.gate_box(14, 14, card_name(card), 22))
    if card == "swap":
        return svg(28, 28, glyphs.stack_icon("sw"))
    if card in ("control", "target", "cnot", "lone"):
        return svg(28, 28, _half(card))
    if card in NOISES:
        stripes = "".join(line(5 + 6 * k, 22, 10 + 6 * k, 6, "ink2", 1.2) for k in range(3))
        return svg(28, 28, rect(2, 4, 24, 20, 4, "bg", "edge", 1.4) + stripes)
    if card_kind(card) == _("instant"):
        return svg(28, 28, glyphs.barred(14, 14))
    return svg(28, 28, rect(5, 3, 18, 22, 4, "bg", "edge", 1.4) + text(14, 19, "S", 13, 650))


def _half(card: str) -> str:
    top, low = ("ink", "ink2") if card == "control" else ("ink2", "ink")
    if card in ("cnot", "lone"):
        top = low = "ink"
    stem = line(14, 7, 14, 21, "ink2", 1.4)
    return (
        stem + glyphs.dot(14, 7, int(card != "target"), top) + glyphs.circled_plus(14, 20, 6, low)
    )


# ---- buttons -------------------------------------------------------------------------------------


def _buttons(view: WarsView, look: Look) -> str:
    verbs = {m.verb: m for m in view.legal_moves}
    if look.disabled:
        return ""
    parts = [_button(look, verb) for verb in BUTTONS if verb in verbs]
    spare = [v for v in ("lone-control", "lone-target") if v in verbs]
    parts += [_button(look, verb, _spends(verb)) for verb in spare]
    if look.choice.verb == "scout":
        parts += [_seat_button(look, m) for m in view.legal_moves if _looks_at_seat(m)]
    return f'<div class="qg-row qg-wars-do">{"".join(parts)}</div>'


def _spends(verb: str) -> str:
    return _("Lone control with {card}").format(card=card_name(LONE[verb]))


def _button(look: Look, verb: str, words: str = "") -> str:
    pressed = str(look.choice.verb == verb).lower()
    told = escape(words or verb_name(verb))
    return (
        f'<button type="button" class="qg-btn" data-verb="{verb}" aria-pressed="{pressed}">'
        f"{told}</button>"
    )


def _looks_at_seat(move: Move) -> bool:
    return move.verb == "scout" and str(move.args[0]).startswith("p")


def _seat_button(look: Look, move: Move) -> str:
    name = str(move.args[0])
    seat = int(name[1:])
    pressed = str(name in look.choice.squares).lower()
    words = fill(
        _("{badge} mission of {player}"), badge=glyphs.player_badge(seat), player=player(seat)
    )
    return (
        f'<button type="button" class="qg-btn" data-square="{name}" aria-pressed="{pressed}">'
        f"{words}</button>"
    )


def _others(view: WarsView) -> str:
    """How many cards the other players hold, and missions that Scout has shown."""
    parts = []
    for seat, hand in enumerate(table(view).hands):
        if seat == view.seat:
            continue
        held = fill(
            ngettext(
                "{badge} {player}: {count} card", "{badge} {player}: {count} cards", len(hand)
            ),
            badge=glyphs.player_badge(seat, 15),
            player=player(seat),
            count=len(hand),
        )
        known = view.mission_of(seat)
        shown = f" · {mission_words(known)}" if known is not None else ""
        parts.append(f'<span class="qg-pill qg-long"><span>{held}{shown}</span></span>')
    return f'<div class="qg-opp">{"".join(parts)}</div>'


# ---- missions ------------------------------------------------------------------------------------


def _spectator() -> str:
    words = _("Hands and missions are secret until they are revealed.")
    return f'<p class="qg-sub">{escape(words)}</p>'


def _mission_choice(view: WarsView, look: Look) -> str:
    rows = ""
    for move in view.legal_moves:
        mission = table(view).mission_cards[int(move.secret[0]) - 1]
        pressed = str(look.choice.secret == move.secret).lower()
        rows += (
            f'<button type="button" class="qg-btn qg-wars-m" data-verb="choose"'
            f' data-secret="{move.secret[0]}" aria-pressed="{pressed}">'
            f"{mission_words(mission)}</button>"
        )
    return f'<div class="qg-wars-choice">{rows}</div>'


def mission_html(view: WarsView) -> str:
    """The viewer's mission card with its chance and expected points now."""
    mission = view.mission
    if mission is None:
        return ""
    game, now = rules_of(view), table(view)
    per_shot = (
        _("{points} points for each of {shots} shots") if game.shots > 1 else _("{points} points")
    )
    points = fill(per_shot, points=game.main_points, shots=game.shots)
    met = secondary_now(now, mission)
    second = fill(
        _("Secondary, worth {points}: {words}: <b>{met}</b>"),
        points=game.secondary_points,
        words=secondary(mission.secondary),
        met=_("✓ as it stands") if met else _("× not now"),
    )
    expected = fill(
        _("Chance per shot <b>{chance}</b>, expected points <b>{points}</b> of {most}"),
        chance=percent(view.chance(mission)),
        points=f"{view.points(mission):.2g}",
        most=game.main_points * game.shots + game.secondary_points,
    )
    side = f"qg-side-{glyphs.PLAYERS[view.seat]}" if view.seat is not None else ""
    return (
        f'<div class="qg-wars-mission {side}"><div class="qg-ph"><h3>{escape(_("Mission"))}</h3>'
        f'<span class="qg-sub">{escape(_secrecy(view))}</span></div>'
        f"{pattern_svg(mission)}<p>{points}</p><p>{expected}</p><p>{second}</p></div>"
    )


def _secrecy(view: WarsView) -> str:
    return (
        _("revealed")
        if table(view).stage in ("cnot-zone", "measure", "score", "over")
        else _("secret")
    )


def pattern_svg(mission: Mission, size: float = 34) -> Html:
    """The main pattern as tiles, q0 first."""
    parts = []
    for q, bit in enumerate(mission.pattern):
        x = q * (size + 8)
        if bit == "*":
            dashes = 'stroke-dasharray="4 3"'
            parts.append(rect(x + 1, 1, size - 2, size, 5, "bg", "edge", 1.2, dashes))
            parts.append(text(x + size / 2, size / 2 + 5, _("any"), 12, 400, "ink2"))
        else:
            parts.append(rect(x + 1, 1, size - 2, size, 5, f"s{bit}"))
            parts.append(text(x + size / 2, size / 2 + 7, bit, 17, 700, "on"))
        parts.append(text(x + size / 2, size + 15, f"q{q}", 12, 400, "ink2"))
    width = len(mission.pattern) * (size + 8)
    label = _("mission {pattern}").format(pattern=mission.pattern)
    return svg(width, size + 20, "".join(parts), label)
