"""Quantum checkers in words: pieces, moves, what an outcome means, the status line, the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qgames.core import Branch, Move, Result, Step, View
from qgames.draw.known import group_of
from qgames.draw.scene import Look
from qgames.games.quantum_checkers import (
    NOTHING,
    SIDE,
    SQUARES,
    CheckersPosition,
    QuantumCheckers,
    between,
    is_sure,
)
from qgames.i18n import Html, _, fill, html, listed, percent


def position(view: View) -> CheckersPosition:
    """The position in a view."""
    assert isinstance(view.position, CheckersPosition)
    return view.position


def rules_of(view: View) -> QuantumCheckers:
    """The game with the options of this match."""
    assert isinstance(view.game, QuantumCheckers)
    return view.game


def player(seat: int) -> str:
    """White or Black."""
    return _("Black") if seat else _("White")


def bold(squares: Sequence[int]) -> Html:
    """``22 and 17``, each in bold."""
    return listed([fill("<b>{square}</b>", square=s) for s in squares])


def pieces_of(now: CheckersPosition) -> dict[int, tuple[int, ...]]:
    """The squares of every piece that may be on the board."""
    found: dict[int, list[int]] = {}
    for square, owner in enumerate(now.owners, 1):
        if owner is not None:
            found.setdefault(owner, []).append(square)
    return {piece: tuple(squares) for piece, squares in found.items()}


def rank(now: CheckersPosition, square: int) -> str:
    """Man or king."""
    return _("king") if square in now.kings else _("man")


# ---- moves ---------------------------------------------------------------------------------------


def move_label(move: Move) -> str:
    """``22–17``, ``22~17`` by halves, ``22×15``."""
    between_squares = {"move": "–", "quantum": "~", "jump": "×"}.get(move.verb)
    if between_squares:
        return between_squares.join(map(str, move.args))
    other = {
        "offer": _("draw?"),
        "accept": _("draw agreed"),
        "decline": _("no draw"),
        "stop": _("stop"),
        "resign": _("resign"),
    }
    return other.get(move.verb, str(move))


def move_phrase(move: Move) -> str:
    """``22 → 17``, ``quantum 22 → 17``, ``capture 22 × 18 → 15``."""
    if move.verb == "move":
        return _("{start} → {end}").format(start=move.args[0], end=move.args[1])
    if move.verb == "quantum":
        return _("quantum {start} → {end}").format(start=move.args[0], end=move.args[1])
    if move.verb == "jump":
        start, end = int(move.args[0]), int(move.args[1])
        victim = between(start, end)
        words = _("capture {start} × {victim} → {end}")
        return words.format(start=start, victim=victim, end=end)
    return move_label(move)


def result_read(step: Step) -> str:
    """``hit`` or ``miss``; ``empty`` or ``occupied`` of a forced measurement."""
    if step.bits("f") is not None:
        return _("occupied") if step.bits("f") == "1" else _("empty")
    bits = step.bits("cap")
    return "" if bits is None else _("hit") if is_hit(bits) else _("miss")


def is_hit(bits: str) -> bool:
    """Whether a capture's bits say that it succeeded."""
    return bits in ("110", "10")


# ---- what an outcome means -----------------------------------------------------------------------


def consequence(view: View, branch: Branch, move: Move) -> Html:
    """What happens on the board, then what becomes of the pieces that were looked at."""
    before, after = position(view), branch.position
    assert isinstance(after, CheckersPosition)
    first = _happens(view, before, after, move, dict(branch.outcome))
    settled = _found(before, after, move) if branch.outcome else []
    return Html(" ".join([first, *settled, *_decides(view, after)]))


def _happens(
    view: View,
    before: CheckersPosition,
    after: CheckersPosition,
    move: Move,
    outcome: Mapping[str, str],
) -> Html:
    if move.verb == "jump":
        return _capture_words(view, before, after, move, outcome["cap"])
    if move.verb not in ("move", "quantum"):
        return Html(
            {
                "accept": _("The match is drawn."),
                "decline": _("The match goes on."),
                "stop": _("The turn ends."),
                "offer": _("The other side may accept or decline."),
            }.get(move.verb, _("The match is lost."))
        )
    start, end = int(move.args[0]), int(move.args[1])
    if outcome.get("f") == "1":
        return fill(_("<b>{end}</b> is occupied: nothing moves."), end=end)
    words = _("<b>{end}</b> is empty: {what}") if outcome else "{what}"
    return fill(words, end=end, what=_moved(before, after, move.verb, start, end))


def _moved(
    before: CheckersPosition, after: CheckersPosition, verb: str, start: int, end: int
) -> Html:
    name = rank(before, start)
    if end in after.kings and start not in before.kings:
        words = (
            _("the man moves to <b>{end}</b> and is crowned.")
            if verb == "move"
            else _("half of it goes to <b>{end}</b> and is crowned: {shares}.")
        )
    elif verb == "move":
        words = (
            _("the {rank} moves to <b>{end}</b>.")
            if is_sure(before, start)
            else _("{share} of the {rank} goes to <b>{end}</b>.")
        )
    elif before.piece(end) == before.piece(start):
        words = _("the two parts interfere: {shares}.")
    else:
        words = _("the {rank} both stays and moves: {shares}.")
    shares = listed(
        [
            fill(_("<b>{square}</b> {share}"), square=s, share=percent(after.chance(s)))
            for s in (start, end)
            if after.chance(s) > NOTHING
        ]
    )
    share = percent(after.chance(end))
    return fill(words, rank=name, end=end, share=share, shares=shares)


def _capture_words(
    view: View, before: CheckersPosition, after: CheckersPosition, move: Move, bits: str
) -> Html:
    start, end = int(move.args[0]), int(move.args[1])
    victim = between(start, end)
    piece = before.piece(victim)
    assert piece is not None
    if is_hit(bits):
        return _hit_words(view, before, after, piece, (victim, end))
    if bits[0] == "0":
        words = _("Miss: nobody is on <b>{start}</b>.")
    elif bits[-1] == "1":
        words = _("Miss: <b>{end}</b> is occupied.")
    else:
        words = _("Miss: nobody is on <b>{victim}</b>.")
    return fill(words, start=start, victim=victim, end=end)


def _hit_words(
    view: View,
    before: CheckersPosition,
    after: CheckersPosition,
    piece: int,
    line: tuple[int, int],
) -> Html:
    rule, (victim, end) = rules_of(view).option["capture_rule"], line
    if not after.squares(piece):
        words = _("Hit: jump to <b>{end}</b>, {side}'s piece is captured.")
    elif rule == "cat":
        words = _("Jump to <b>{end}</b>; {side}'s piece is {share} more dead.")
    else:
        words = _("Hit: jump to <b>{end}</b>, {side}'s piece loses {share}.")
    share = before.chance(victim)
    if before.piece(end) == piece:
        share /= 1 - before.chance(end)
    return fill(words, end=end, side=player(SIDE[piece]), share=percent(share))


def _found(before: CheckersPosition, after: CheckersPosition, move: Move) -> list[Html]:
    """Pieces that were in several places and are now surely in one, or surely dead."""
    told = []
    for piece, squares in pieces_of(before).items():
        now = after.squares(piece)
        spread = len(squares) > 1 or before.dead(piece) > NOTHING
        if spread and len(now) == 1 and is_sure(after, now[0]) and now[0] != move.args[-1]:
            words = _("{side}'s piece is surely on <b>{square}</b>.")
            told.append(fill(words, side=player(SIDE[piece]), square=now[0]))
        elif spread and not now and not _was_hit(before, move, piece):
            words = _("{side}'s piece of {squares} is gone.")
            told.append(fill(words, side=player(SIDE[piece]), squares=listed(squares)))
    return told


def _was_hit(before: CheckersPosition, move: Move, piece: int) -> bool:
    if move.verb != "jump":
        return False
    return before.piece(between(int(move.args[0]), int(move.args[1]))) == piece


def _decides(view: View, after: CheckersPosition) -> list[Html]:
    if after.result is None:
        if after.chain:
            return [Html(_("The capture goes on."))]
        return []
    if after.result.winner is None:
        return [Html(_("The match is drawn."))]
    if after.result.winner == view.seat:
        return [Html(_("<b>You win.</b>"))]
    return [fill(_("<b>{player} wins.</b>"), player=player(after.result.winner))]


# ---- squares in words ----------------------------------------------------------------------------


def square_label(view: View, square: int) -> str:
    """``square 22, White man, 50 %, group A, also on 17``."""
    now = position(view)
    piece = now.piece(square)
    if piece is None:
        return _("square {square}, empty").format(square=square)
    chance = now.chance(square)
    words = [
        _("square {square}").format(square=square),
        _("{side} {rank}").format(side=player(SIDE[piece]), rank=rank(now, square)),
    ]
    if not is_sure(now, square):
        words.append(percent(chance))
        found = group_of(view, square - 1)
        if found is not None:
            words.append(_("group {letter}").format(letter=found.name))
        others = [s for s in now.squares(piece) if s != square]
        if others:
            words.append(_("also on {squares}").format(squares=listed(others)))
        if now.dead(piece) > NOTHING:
            words.append(_("dead {share}").format(share=percent(now.dead(piece))))
    return ", ".join(words)


def members(view: View, wires: Sequence[int]) -> Html:
    """``White man on 22 and 17, dead in part``."""
    now = position(view)
    squares = [w + 1 for w in wires if w < len(SQUARES)]
    piece = now.piece(squares[0]) if squares else None
    if piece is None:
        return html("")
    kings = [s for s in squares if s in now.kings]
    men = [s for s in squares if s not in now.kings]
    half = now.dead(piece) > NOTHING
    if men and kings:
        words = (
            _("{side} man on {men}, king on {kings}, partly dead")
            if half
            else _("{side} man on {men}, king on {kings}")
        )
    else:
        words = _("{side} {rank} on {all}, partly dead") if half else _("{side} {rank} on {all}")
    return fill(
        words,
        side=player(SIDE[piece]),
        rank=rank(now, squares[0]),
        men=bold(men),
        kings=bold(kings),
        all=bold(squares),
    )


def certain(view: View, seat: int) -> Html:
    """``White 7: 3K 23 24``: the pieces of a side that are surely on one square."""
    now = position(view)
    sure = [s for s in SQUARES if now.side(s) == seat and is_sure(now, s)]
    names = " ".join(f"{s}K" if s in now.kings else str(s) for s in sure)
    words = _("{side} {count}: {names}") if sure else _("{side} none")
    return fill(words, side=player(seat), count=len(sure), names=names)


# ---- the status line -----------------------------------------------------------------------------


def status(view: View, look: Look) -> Html:
    """What happened and what to do, in one or two sentences."""
    if view.result is not None:
        return _ending(view.result)
    if look.refused is not None and not look.disabled:
        return _refusal(view, look)
    if view.seat != view.to_move or look.disabled:
        turn = fill(_("{player} to move."), player=player(view.to_move or 0))
        return Html(" ".join(filter(None, [_report(view), turn])))
    if not look.choice.squares and look.choice.verb is None:
        return Html(" ".join(filter(None, [_report(view), _your_turn(view)])))
    return _half_way(view, look)


def _report(view: View) -> Html:
    """What the last step was."""
    if not view.record:
        return Html("")
    step = view.record[-1]
    who = player(step.seat or 0)
    read = result_read(step)
    start, end = (*map(str, step.move.args), "", "")[:2]
    words = {
        "move": _("{player} moved <b>{start}</b> to <b>{end}</b>."),
        "quantum": _("{player} moved <b>{start}</b> to <b>{end}</b> by halves."),
        "jump": _("{player} captured from <b>{start}</b> to <b>{end}</b>: <b>{read}</b>."),
        "offer": _("{player} offers a draw."),
        "decline": _("{player} declines the draw."),
        "stop": _("{player} ends the capture."),
    }.get(step.move.verb, "")
    if step.bits("f") is not None:
        words = (
            _("{player} looked at <b>{end}</b>: <b>{read}</b>, nothing moved.")
            if step.bits("f") == "1"
            else _("{player} looked at <b>{end}</b>: <b>{read}</b>, and moved there.")
        )
    return fill(words, player=who, start=start, end=end, read=read)


def _your_turn(view: View) -> Html:
    now = position(view)
    if now.offered:
        return Html(_("Choose <b>Accept</b> or <b>Decline</b>, then press <b>Play</b>."))
    if now.chain:
        start, end = now.chain
        words = (
            _("Your capture may go on to <b>{end}</b>, or stop.")
            if rules_of(view).option["chain_optional"]
            else _("Your capture goes on: choose <b>{start}</b> and <b>{end}</b>.")
        )
        return fill(words, start=start, end=end)
    if any(m.verb == "jump" for m in view.legal_moves):
        return Html(_("Your turn. A square that can capture must; you may choose another piece."))
    return Html(_("Your turn. Choose a piece, then where it goes."))


def _half_way(view: View, look: Look) -> Html:
    squares, verb = look.choice.squares, look.choice.verb
    if look.move is not None:
        words = _("<b>{move}</b> is chosen: read the odds, then press <b>Play</b>.")
        return fill(words, move=move_phrase(look.move))
    if not squares:
        return Html(_("Now choose a piece."))
    start = int(squares[0])
    jumps = [m for m in view.legal_moves if m.verb == "jump" and m.args[0] == start]
    if jumps and len(squares) == 1:
        victims = [between(start, int(m.args[1])) for m in jumps]
        words = _(
            "<b>{start}</b> can capture {victims}, so it must; choose the landing square,"
            " or another piece."
        )
        return fill(words, start=start, victims=bold(victims))
    if len(squares) == 1:
        return fill(_("<b>{start}</b> is chosen. Now choose where it goes."), start=start)
    if verb is None:
        words = _("<b>{start}</b> to <b>{end}</b>: now choose <b>Classical</b> or <b>Quantum</b>.")
        return fill(words, start=start, end=squares[1])
    return fill(_("<b>{start}</b> is chosen. Now choose where it goes."), start=start)


def _refusal(view: View, look: Look) -> Html:
    """Why the square that was tried cannot be chosen: the rules' own words."""
    tried = look.refused
    if position(view).offered:
        return Html(_("A draw is offered: choose <b>Accept</b> or <b>Decline</b>."))
    if look.choice.squares and look.choice.squares[0] != tried:
        verb = look.choice.verb or "move"
        move = Move(verb, (look.choice.squares[0], tried or 0))
    else:
        now = position(view)
        if tried in SQUARES and now.side(int(tried)) == view.to_move:
            words = _("The piece on <b>{square}</b> cannot move. Choose another piece.")
            return fill(words, square=tried)
        move = Move("move", (tried or 0, tried or 0))
    why = rules_of(view).why_illegal(position(view), move)
    return fill(_("{why}. Choose another square."), why=why[:1].upper() + why[1:])


def _ending(result: Result) -> Html:
    if result.winner is None:
        words = _("<b>Draw:</b> {reason}.")
        return fill(words, reason=_reason(result.reason))
    words = _("<b>{winner} wins:</b> {reason}.")
    return fill(words, winner=player(result.winner), reason=_reason(result.reason))


def _reason(reason: str) -> str:
    return {
        "all pieces are gone": _("all pieces of the other side are gone"),
        "White cannot move": _("White cannot move"),
        "Black cannot move": _("Black cannot move"),
        "40 moves of each side without progress": _("40 moves of each side without progress"),
        "draw agreed": _("agreed"),
        "resignation": _("the other side has resigned"),
    }.get(reason, reason)


# ---- the rules in short --------------------------------------------------------------------------


def rules(game: QuantumCheckers) -> list[Html]:
    """The rules in short, one paragraph each, for the options of this match."""
    capture = {
        "as_published": _(
            "A piece that is hit on one of its squares loses that share; its other squares keep"
            " theirs, so it is partly dead. Found empty, the share goes to its other squares."
            " No quantum operation does both: this is the published rule of the game."
        ),
        "projective": _(
            "A capture is an ordinary measurement: a piece that is hit is gone altogether."
        ),
        "cat": _(
            "The captured square is not looked at: the piece is dead and alive, as much as it"
            " was on that square."
        ),
    }[str(game.option["capture_rule"])]
    return [
        Html(
            _(
                "Men move one step forward, kings one step any way. White moves first. A side"
                " without pieces, or that cannot move, loses."
            )
        ),
        Html(
            _(
                "A <b>classical</b> move (iSWAP) takes along what is on the square. A"
                " <b>quantum</b> move (√iSWAP) moves and stays at once, half and half. Onto its"
                " own half-filled square a piece interferes with itself."
            )
        ),
        Html(
            _(
                "If somebody may be on the target, it is measured: empty, and the move is made;"
                " occupied, and nothing moves. The turn is used either way."
            )
        ),
        Html(
            _(
                "A square that can capture must, but another piece may be chosen. Attacker,"
                " victim and landing square are measured. After a hit the capture goes on in the"
                " same direction."
            )
        ),
        Html(capture),
    ]
