"""QLANET in words: names of planets, cards and players, the status line and the rules in short."""

from __future__ import annotations

from collections.abc import Sequence

from qgames.core import Move, Result, Step, View
from qgames.draw.scene import Look
from qgames.games.qlanet import (
    BELL,
    CARDS,
    ONE_PLANET,
    ORDERED,
    PLANETS,
    Qlanet,
    QlanetPosition,
    QlanetView,
)
from qgames.i18n import Html, _, fill, listed


def own(view: View) -> QlanetView:
    """The view as QLANET's own kind of view."""
    assert isinstance(view, QlanetView)
    return view


def position(view: View) -> QlanetPosition:
    """The position in a view."""
    assert isinstance(view.position, QlanetPosition)
    return view.position


def rules_of(view: View) -> Qlanet:
    """The game with the options of this match."""
    assert isinstance(view.game, Qlanet)
    return view.game


def player(seat: int) -> str:
    """Player 0 collects ``0!``, player 1 collects ``1!``."""
    return _("Player {number}").format(number=seat)


def typed(symbol: str) -> str:
    """A symbol or a Bell state's name with a typographic minus."""
    return symbol.replace("-", "−")


def bell_read(bits: str | None) -> str:
    """The Bell state that two bits name; empty when they were not the viewer's to read."""
    return typed(BELL.get(bits or "", ""))


def bold(planets: Sequence[int | str]) -> Html:
    """``6 and 9``, each in bold."""
    return listed([fill("<b>{planet}</b>", planet=p) for p in planets])


def condition(symbol: str) -> str:
    """A symbol in words."""
    return {
        "0!": _("fixed 0"),
        "1!": _("fixed 1"),
        "0": _("zero"),
        "1": _("one"),
        "+": _("plus"),
        "-": _("minus"),
        "E": _("entangled"),
    }.get(symbol, _("unknown to you"))


def card_words(card: str) -> str:
    """Two words under a card's name."""
    return {
        "x": _("flip 0, 1"),
        "h": _("Hadamard"),
        "z": _("flip +, −"),
        "m": _("measure"),
        "cx0": _("if 0, flip"),
        "cx1": _("if 1, flip"),
        "sw": _("exchange"),
        "bm": _("Bell basis"),
    }[card]


def effect(card: str) -> str:
    """What a card does, in a sentence."""
    return {
        "x": _("turns 0 into 1 and 1 into 0"),
        "h": _("Hadamard: 0 and + change into each other, 1 and − too"),
        "z": _("turns + into − and − into +"),
        "m": _("measures a planet and fixes it for good"),
        "cx0": _("flips the second planet where the first is 0"),
        "cx1": _("flips the second planet where the first is 1"),
        "sw": _("exchanges two planets"),
        "bm": _("measures two planets in the Bell basis; only you learn the result"),
    }[card]


def deed(move: Move) -> Html:
    """What a move does, as the start of a sentence."""
    sentences = {
        "x": _("X on planet {a}"),
        "h": _("Hadamard on planet {a}"),
        "z": _("Z on planet {a}"),
        "m": _("Measurement of planet {a}"),
        "cx0": _("X on planet {b} where planet {a} is 0"),
        "cx1": _("X on planet {b} where planet {a} is 1"),
        "sw": _("Planets {a} and {b} change places"),
        "bm": _("Bell measurement of planets {a} and {b}"),
        "deal": _("The planets are set up and cards dealt"),
        "draw": _("A card is drawn"),
        "redraw": _("A new hand is drawn"),
    }
    planets = [*(fill("<b>{planet}</b>", planet=p) for p in move.args), "", ""]
    return fill(sentences.get(move.verb, move_label(move)), a=planets[0], b=planets[1])


def move_label(move: Move) -> str:
    """``BM 6,9``, ``CX0 6→9``, ``M 5``."""
    if move.verb in CARDS:
        between = "→" if move.verb in ORDERED else ","
        return f"{move.verb.upper()} {between.join(map(str, move.args))}"
    other = {
        "deal": _("deal"),
        "draw": _("draw"),
        "redraw": _("redraw"),
        "resign": _("resign"),
    }
    return other.get(move.verb, str(move))


def move_phrase(move: Move) -> str:
    """``M on 5``, ``CX0, 6 → 9``, ``BM on 6, 9``."""
    if move.verb not in CARDS:
        return move_label(move)
    card = move.verb.upper()
    if move.verb in ORDERED:
        control, target = move.args
        words = _("{card}, {control} → {target}")
        return words.format(card=card, control=control, target=target)
    return _("{card} on {planets}").format(card=card, planets=", ".join(map(str, move.args)))


def result_read(step: Step) -> str:
    """The fixed value, or the Bell state if it was the viewer's to read."""
    if step.move.verb == "m":
        return step.bits("fixed") or ""
    return bell_read(step.bits(f"p{step.seat}")) if step.move.verb == "bm" else ""


# ---- the status line -----------------------------------------------------------------------------


def status(view: QlanetView, look: Look) -> Html:
    """What happened and what to do, in one or two sentences."""
    if view.result is not None:
        return _ending(view.result)
    if look.refused is not None and not look.disabled:
        return _refusal(view, look)
    if view.seat != view.to_move or look.disabled:
        return Html(" ".join(filter(None, [_report(view), _turn(view)])))
    if look.choice.verb is None and not look.choice.squares:
        return Html(" ".join(filter(None, [_report(view), _your_turn(view)])))
    return _half_way(look)


def _report(view: QlanetView) -> Html:
    """What the last step was, told to this viewer."""
    step = view.record[-1] if view.record else None
    if step is None or step.seat is None:
        return Html("")
    read = result_read(step)
    a, b = (*map(str, step.move.args), "", "")[:2]
    words = _report_words(step.move.verb, step.seat == view.seat, read)
    who = player(step.seat)
    return fill(words, player=who, card=step.move.verb.upper(), a=a, b=b, read=read)


def _report_words(verb: str, mine: bool, read: str) -> str:
    if verb == "m":
        return (
            _("You measured planet <b>{a}</b>: result <b>{read}</b>, fixed.")
            if mine
            else _("{player} measured planet <b>{a}</b>: result <b>{read}</b>, fixed.")
        )
    if verb == "bm" and read:
        return _("You played BM on {a}, {b}: result <b>{read}</b>, which only you know.")
    if verb == "bm":
        return _("{player} played BM on {a}, {b}; only {player} knows the result.")
    if verb in ORDERED:
        return (
            _("You played {card} on planets <b>{a} → {b}</b>.")
            if mine
            else _("{player} played {card} on planets <b>{a} → {b}</b>.")
        )
    if verb == "sw":
        return (
            _("You exchanged planets <b>{a}</b> and <b>{b}</b>.")
            if mine
            else _("{player} exchanged planets <b>{a}</b> and <b>{b}</b>.")
        )
    if verb in ONE_PLANET:
        return (
            _("You played {card} on planet <b>{a}</b>.")
            if mine
            else _("{player} played {card} on planet <b>{a}</b>.")
        )
    return _("You have drawn new cards.") if mine else _("{player} has drawn new cards.")


def _turn(view: QlanetView) -> Html:
    """Whose turn it is, when it is not the viewer's to choose."""
    if view.to_move is None:
        return Html("")
    mine, other = position(view).totals[view.to_move], position(view).totals[1 - view.to_move]
    words = _("{player} to move ({mine} &lt; {other}).") if mine < other else _("{player} to move.")
    if view.to_move == view.seat:
        words = _("Your turn ({mine} &lt; {other}).") if mine < other else _("Your turn.")
    return fill(words, player=player(view.to_move), mine=mine, other=other)


def _your_turn(view: QlanetView) -> Html:
    """What the viewer, whose turn it is, may do now."""
    assert view.seat is not None
    verbs = {m.verb for m in view.legal_moves}
    if verbs == {"redraw"}:
        return Html(
            _(
                "No card in your hand can be played: press <b>Play</b> to draw a new hand, free"
                " of charge."
            )
        )
    if verbs == {"draw"}:
        return Html(_("A card is still to be drawn: press <b>Play</b>."))
    mine, other = position(view).totals[view.seat], position(view).totals[1 - view.seat]
    again = bool(view.record) and view.record[-1].seat == view.seat
    if again and mine == other:
        words = _("A tie at {mine}: who has just moved moves again, so it is your turn.")
    elif again:
        words = _("You move again ({mine} &lt; {other}).")
    elif mine < other:
        words = _("Your turn ({mine} &lt; {other}).")
    else:
        words = _("Your turn. Choose a planet, then a card.")
    return fill(words, mine=mine, other=other)


def _half_way(look: Look) -> Html:
    """What is chosen and what is still to choose."""
    squares, verb = look.choice.squares, look.choice.verb
    card = (verb or "").upper()
    if verb is None:
        words = (
            _("Planets <b>{a} → {b}</b> chosen. Now choose a two-planet card.")
            if len(squares) == 2
            else _("Planet <b>{a}</b> chosen. Now choose a card, or a second planet.")
        )
    elif not squares:
        words = _to_choose(verb)
    elif look.move is not None or len(squares) == (1 if verb in ONE_PLANET else 2):
        words = _complete(verb)
    else:
        words = (
            _("Card <b>{card}</b>, control <b>{a}</b>. Now choose the target planet.")
            if verb in ORDERED
            else _("Card <b>{card}</b>, planet <b>{a}</b>. Now choose the second planet.")
        )
    a, b = (*map(str, squares), "", "")[:2]
    return fill(words, card=card, a=a, b=b)


def _to_choose(verb: str) -> str:
    if verb in ONE_PLANET:
        return _("Card <b>{card}</b> chosen. Now choose a planet.")
    if verb in ORDERED:
        return _("Card <b>{card}</b> chosen. Now choose the control planet, then the target.")
    return _("Card <b>{card}</b> chosen. Now choose two planets.")


def _complete(verb: str) -> str:
    if verb in ONE_PLANET:
        return _(
            "Planet <b>{a}</b> and card <b>{card}</b> are chosen: press <b>Play</b>,"
            " or choose another card."
        )
    if verb in ORDERED:
        return _(
            "Planets <b>{a} → {b}</b> and card <b>{card}</b> are chosen: press <b>Play</b>,"
            " or choose another card."
        )
    return _(
        "Planets <b>{a}, {b}</b> and card <b>{card}</b> are chosen: press <b>Play</b>,"
        " or choose another card."
    )


def _refusal(view: QlanetView, look: Look) -> Html:
    """Why the planet that was tried cannot be chosen."""
    tried, verb = look.refused, look.choice.verb
    if tried in PLANETS and position(view).fixed[PLANETS.index(int(tried))] is not None:
        words = _("Planet <b>{planet}</b> is fixed; no card works on it. Choose another planet.")
    elif verb is not None and tried in look.choice.squares:
        words = _("Card <b>{card}</b> takes two different planets. Choose another planet.")
    else:
        words = _("Planet <b>{planet}</b> cannot be chosen now.")
    return fill(words, planet=tried, card=(verb or "").upper())


def _ending(result: Result) -> Html:
    """Who won and why; a draw says so."""
    if result.winner is None:
        return Html(_("<b>Draw:</b> the turn limit is reached at equal planets and equal cost."))
    words = {
        "three in a row": _("<b>{winner} wins:</b> fixed {planets} in a row."),
        "five planets": _("<b>{winner} wins:</b> five planets fixed, {planets}."),
        "more planets at the turn limit": _(
            "<b>{winner} wins:</b> more planets fixed at the turn limit."
        ),
        "lower cost at the turn limit": _(
            "<b>{winner} wins:</b> equal planets and the lower cost at the turn limit."
        ),
        "resignation": _("<b>{winner} wins:</b> {loser} has resigned."),
    }[result.reason]
    planets = ", ".join(map(str, sorted({p for squares in result.lines for p in squares})))
    winner, loser = player(result.winner), player(1 - result.winner)
    return fill(words, winner=winner, loser=loser, planets=planets)


# ---- the rules in short ---------------------------------------------------------------------


def rules(game: Qlanet) -> list[Html]:
    """The rules in short, one paragraph each; costs and cards are those of this match."""
    costs = ", ".join(f"{card.upper()} {game.costs[card]}" for card in game.cards)
    effects = "".join(
        fill("<li><b>{card}</b> {effect}</li>", card=card.upper(), effect=effect(card))
        for card in game.cards
    )
    return [
        Html(
            _(
                "Player 0 collects planets fixed at <b>0</b>, Player 1 those fixed at <b>1</b>."
                " Three in a row win, or any five."
            )
        ),
        Html(
            _(
                "On your turn play one card on one or two planets that are not fixed. Only"
                " <b>M</b> fixes a planet, and a fixed planet takes no further card."
            )
        ),
        fill(
            _(
                "A card adds its cost to your total: {costs}. Whoever has the smaller total moves"
                " next; at a tie the player who has just moved moves again."
            ),
            costs=costs,
        ),
        Html(
            _(
                "<b>?</b> means that you do not know a state, not that it is superposed. Planet 5"
                " starts as one of 0, 1, + and −, hidden from both. A small ? marks what the other"
                " player does not see."
            )
        ),
        Html(f"<ul>{effects}</ul>"),
    ]
