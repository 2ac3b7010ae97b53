"""The |Qubits> Wars in words: cards, moves, the status line, the rules in short."""

from __future__ import annotations

from qgames.core import Move, View
from qgames.draw.scene import Look
from qgames.games.qubits_wars import LONE, PLACEMENTS, QubitsWars, WarsPosition, WarsView
from qgames.games.qubits_wars_cards import INSTANTS, NOISES, Mission
from qgames.i18n import Html, _, fill, percent


def own(view: View) -> WarsView:
    """The view as this game's own kind of view."""
    assert isinstance(view, WarsView)
    return view


def table(view: View) -> WarsPosition:
    """The table in a view."""
    assert isinstance(view.position, WarsPosition)
    return view.position


def rules_of(view: View) -> QubitsWars:
    """The game with the options of this match."""
    assert isinstance(view.game, QubitsWars)
    return view.game


def player(seat: int | None) -> str:
    """``Player 2``."""
    return _("Player {number}").format(number=seat)


def card_name(card: str) -> str:
    """A card's printed name."""
    return {
        "x": "X",
        "z": "Z",
        "h": "H",
        "id": "I",
        "swap": "SWAP",
        "control": _("Control"),
        "target": _("Target"),
        "cnot": "CNOT",
        "bit-flip": _("Bit flip"),
        "phase-flip": _("Phase flip"),
        "relaxation": _("Relaxation"),
        "late-flip": _("Late flip"),
        "dephasing": _("Dephasing"),
        "depolarise": _("Depolarise"),
        "readout-error": _("Readout error"),
        "stuck-detector": _("Stuck detector"),
        "supply": _("Supply"),
        "double": _("Double step"),
        "relocate": _("Relocate"),
        "erase": _("Erase"),
        "exchange": _("Exchange lines"),
        "new-orders": _("New orders"),
        "scout": _("Scout"),
        "lone": _("Lone control"),
        "cancel": _("Cancel"),
        "redirect": _("Redirect"),
        "shield": _("Shield"),
        "reverse": _("Reverse"),
        "?": _("face down"),
    }[card]


def card_words(card: str) -> str:
    """What a card does, in a few words."""
    return {
        "x": _("flip 0, 1"),
        "z": _("flip +, −"),
        "h": _("Hadamard"),
        "id": _("fills a slot"),
        "swap": _("exchange two"),
        "control": _("half a CNOT"),
        "target": _("half a CNOT"),
        "cnot": _("half a CNOT"),
        "bit-flip": _("X, before CNOT"),
        "phase-flip": _("Z, before CNOT"),
        "relaxation": _("to 0, before CNOT"),
        "late-flip": _("X, after CNOT"),
        "dephasing": _("never visible"),
        "depolarise": _("a die, after CNOT"),
        "readout-error": _("bit inverted"),
        "stuck-detector": _("bit reads 0"),
        "supply": _("two extra cards"),
        "double": _("two placements"),
        "relocate": _("move a gate"),
        "erase": _("latest on a line"),
        "exchange": _("swap two rows"),
        "new-orders": _("new mission"),
        "scout": _("look at a secret"),
        "lone": _("a missing half"),
        "cancel": _("card just played"),
        "redirect": _("other lines"),
        "shield": _("drop a noise"),
        "reverse": _("turn a CNOT"),
        "?": "",
    }[card]


def card_kind(card: str) -> str:
    """Gate, noise, strategy or instant."""
    if card in NOISES:
        return _("noise")
    if card in INSTANTS:
        return _("instant")
    return _("gate") if card in (*PLACEMENTS, "control", "target") else _("strategy")


def verb_name(verb: str) -> str:
    """What a verb is called on a button."""
    names = {
        "change": _("Change"),
        "pass": _("Pass"),
        "allow": _("Allow"),
        "stop": _("Stop"),
        "noise": _("Noise"),
        "choose": _("Choose"),
        "reveal": _("Reveal noise"),
        "record": _("Record the symbols"),
        "missions": _("Reveal the missions"),
        "cnot-zone": _("Run the CNOT zone"),
        "measure": _("Measure one shot"),
        "score": _("Score"),
        "next-round": _("Next round"),
        "reshuffle": _("Shuffle the discards"),
        "resign": _("Resign"),
        "deal": _("Deal"),
    }
    if verb in LONE:
        return _("Lone control")
    return names.get(verb) or card_name(verb)


def move_label(move: Move) -> str:
    """``H q0``, ``CNOT q0→q3``, ``noise q1``, ``change Z``."""
    args = [str(a) for a in move.args]
    if move.verb == "cnot" or move.verb in LONE:
        return f"CNOT {args[0]}→{args[1]}"
    if move.verb == "noise":
        return _("noise {line}").format(line=args[0])
    if move.verb == "change":
        return _("change {card}").format(card=card_name(args[0]))
    if move.verb == "relocate":
        return f"{card_name('relocate')} {args[0]}→{args[1]}"
    if move.verb == "allow":
        return "✓"
    if move.verb == "measure":
        return _("shot")
    return " ".join([verb_name(move.verb), *args])


def secondary(number: int) -> str:
    """A secondary mission in words."""
    return {
        1: _("at least two superposed qubits"),
        2: _("no superposed qubit"),
        3: _("exactly one −"),
        4: _("first and last line carry the same symbol"),
        5: _("at least one qubit entangled after the CNOT zone"),
        6: _("no qubit entangled"),
        7: _("at least one SWAP on the board"),
        8: _("both CNOT places used"),
    }[number]


def mission_words(mission: Mission) -> Html:
    """``01** · no superposed qubit``."""
    return fill(
        '<span class="qg-ket">{pattern}</span> · {second}',
        pattern=mission.pattern,
        second=secondary(mission.secondary),
    )


def typed(symbol: str) -> str:
    """A symbol with a typographic minus."""
    return symbol.replace("-", "−")


# ---- status --------------------------------------------------------------------------------------


def status(view: WarsView, look: Look) -> Html:
    """What happened and what to do."""
    if view.result is not None:
        return _ending(view)
    if look.refused is not None and not look.disabled:
        return fill(_("{square} cannot be chosen now."), square=look.refused)
    mine = view.seat == view.to_move and not look.disabled
    return Html(" ".join(filter(None, [_report(view), _mine(view, look) if mine else _turn(view)])))


def _report(view: WarsView) -> Html:
    step = view.record[-1] if view.record else None
    if step is None or step.seat is None or step.move.verb == "allow":
        return Html("")
    if step.move.verb == "measure":
        shots = table(view).shots
        last = shots[-1] if shots else None
        words = _("Shot {number} is recorded as <b>{bits}</b>.")
        return fill(words, number=len(shots), bits=last.recorded) if last else Html("")
    words = _("You: <b>{move}</b>.") if step.seat == view.seat else _("{player}: <b>{move}</b>.")
    return fill(words, player=player(step.seat), move=move_label(step.move))


def _turn(view: WarsView) -> Html:
    words = _("{player} to answer.") if table(view).stack else _("{player} to move.")
    return fill(words, player=player(view.to_move))


def _mine(view: WarsView, look: Look) -> Html:
    now = table(view)
    if len(view.legal_moves) == 1:
        words = _("Press <b>Play</b>: {move}.")
        return fill(words, move=move_label(view.legal_moves[0]))
    if look.move is not None:
        return fill(
            _("<b>{move}</b> is ready: press <b>Play</b>, or choose otherwise."),
            move=move_label(look.move),
        )
    if look.choice.verb is not None:
        return fill(
            _("<b>{card}</b> chosen. Now choose where it goes."), card=verb_name(look.choice.verb)
        )
    if now.stage == "choose":
        return Html(_("Choose your mission card; the others see only that you have chosen."))
    if now.stack:
        words = _("<b>{card}</b> by {player} waits for answers: play an Instant, or allow it.")
        top = now.stack[-1]
        return fill(words, card=verb_name(top.verb), player=player(top.seat))
    if now.placements:
        return Html(_("Double step: place a gate, or stop."))
    if now.stage == "cnot-only":
        return Html(_("The Simple Zone is full: play a CNOT, or pass."))
    return Html(_("Your turn. Play a card, change one, or pass."))


def _ending(view: WarsView) -> Html:
    assert view.result is not None
    winner = view.result.winner
    if winner is None:
        return Html(_("<b>Shared victory.</b>"))
    who = _("You win") if winner == view.seat else _("{player} wins").format(player=player(winner))
    points = f"{view.result.points[winner]:.0f}"
    if view.result.reason == "resignation":
        words = _("<b>{who}:</b> a player has resigned.")
    else:
        words = _("<b>{who}</b> with {points} points.")
    return fill(words, who=who, points=points)


def chance_words(view: WarsView, position: WarsPosition) -> Html:
    """``Mission per shot: 25 % → 50 %, expected points 3 → 5``."""
    mission = view.mission
    if mission is None:
        return Html("")
    words = _("Mission per shot: {now} → <b>{then}</b>; expected points {p} → <b>{q}</b>.")
    return fill(
        words,
        now=percent(view.chance(mission)),
        then=percent(view.chance(mission, position)),
        p=f"{view.points(mission):.2g}",
        q=f"{view.points(mission, position):.2g}",
    )


# ---- rules in short ------------------------------------------------------------------------------


def rules(game: QubitsWars) -> list[Html]:
    """The rules in short, with the numbers of this match."""
    return [
        Html(
            _(
                "Everybody builds one circuit. On your turn play a card (two for a CNOT) and draw"
                " one, or change a card, or pass. Any gate may go on any line."
            )
        ),
        fill(
            _(
                "The board has {lines} lines of {columns} slots and two CNOT places; CNOTs act"
                " after all other gates. A noise lies face down, one a line. Instants answer a"
                " card: the last one played takes effect first."
            ),
            lines=game.lines,
            columns=game.option["columns"],
        ),
        fill(
            _(
                "Then the circuit is measured in {shots} shots. Each shot that fits your secret"
                " pattern scores {main} points, your secondary mission {second}."
            ),
            shots=game.shots,
            main=game.main_points,
            second=game.secondary_points,
        ),
        Html(
            _(
                "The published page of the game does not list its cards, its board or its score"
                " sheet; these are our own design, tested for seat balance."
            )
        ),
    ]
