"""QLANET's cards: the viewer's hand, and what the other player holds."""

from __future__ import annotations

from qgames.draw import glyphs
from qgames.draw.qlanet_words import card_words, effect, player, position, rules_of
from qgames.draw.scene import Look
from qgames.draw.svg import escape, svg
from qgames.games.qlanet import ONE_PLANET, QlanetView
from qgames.i18n import Html, _, fill


def hand(view: QlanetView, look: Look) -> Html:
    """The viewer's hand as cards, the other hand as pills."""
    seat = hand_seat(view)
    held = position(view).hands[seat]
    cards = "".join(_card(view, look, card, n) for n, card in enumerate(held))
    label = escape(_("Hand of {player}").format(player=player(seat)))
    three = ' style="grid-template-columns:repeat(3,minmax(0,1fr))"'
    wide = three if len(held) in (3, 5, 6) else ""
    body = f'<div class="qg-hand" role="group" aria-label="{label}"{wide}>{cards}</div>'
    return Html(body + _other_hand(view, 1 - seat))


def hand_seat(view: QlanetView) -> int:
    """Whose hand stands as cards: the viewer's; for a spectator that of the seat to move."""
    if view.seat is not None:
        return view.seat
    return view.to_move or 0


def _card(view: QlanetView, look: Look, card: str | None, slot: int) -> str:
    if card is None:
        waiting = escape(_("to be drawn"))
        return (
            '<button type="button" class="qg-card" aria-disabled="true">'
            f'<span class="qg-nm"><b>?</b>{waiting}</span></button>'
        )
    mine = view.seat == hand_seat(view)
    playable = mine and any(m.verb == card for m in view.legal_moves)
    shut = look.disabled or not playable
    chosen = look.choice.verb == card and look.slot in (slot, None) and not look.disabled
    mine_to_move = mine and view.to_move == view.seat and not look.disabled
    under = _("no target") if mine_to_move and not playable else card_words(card)
    cost = rules_of(view).costs[card]
    told = _("{card}, {effect}, cost {cost}").format(
        card=card.upper(), effect=effect(card), cost=cost
    )
    return (
        f'<button type="button" class="qg-card" data-verb="{card}" data-slot="{slot}"'
        f' aria-pressed="{str(chosen).lower()}"{_when(shut, "aria-disabled")}'
        f' aria-label="{escape(told)}" title="{escape(effect(card))}">{_icon(card)}'
        f'<span class="qg-cost">{cost}</span>'
        f'<span class="qg-nm"><b>{card.upper()}</b>{escape(under)}</span></button>'
    )


def _when(flag: bool, attribute: str) -> str:
    return f' {attribute}="true"' if flag else ""


def _icon(card: str) -> Html:
    if card == "m":
        return svg(28, 28, glyphs.meter(14, 14, 22))
    if card in ONE_PLANET:
        return svg(28, 28, glyphs.gate_box(14, 14, card.upper(), 22))
    return svg(28, 28, glyphs.stack_icon(card))


def _other_hand(view: QlanetView, seat: int) -> str:
    if rules_of(view).any_card:
        return ""
    costs = rules_of(view).costs
    pills = "".join(
        f'<span class="qg-pill">{card.upper()} <i>{costs[card]}</i></span>'
        for card in position(view).hands[seat]
        if card is not None
    )
    holds = fill(
        _("{badge} {player} holds"), badge=glyphs.seat_badge(seat, 15), player=player(seat)
    )
    return f'<div class="qg-opp"><span>{holds}</span>{pills}</div>'
