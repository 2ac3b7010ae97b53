"""Quantum tic-tac-toe in words: marks and players, the status line, consequences, the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qgames.core import RESIGN, Branch, Move, Result, Step, View
from qgames.draw.scene import Look
from qgames.games.quantum_tictactoe import (
    LINES,
    NAMES,
    SQUARES,
    QuantumTicTacToe,
    TicTacToePosition,
    TicTacToeResult,
    owner,
    with_pair,
)
from qgames.i18n import Html, _, fill, listed


def place(view: View) -> TicTacToePosition:
    """The position in a view."""
    return of(view.position)


def of(position: object) -> TicTacToePosition:
    """A position as this game's own kind of position."""
    assert isinstance(position, TicTacToePosition)
    return position


def rules_of(view: View) -> QuantumTicTacToe:
    """The game with the options of this match."""
    assert isinstance(view.game, QuantumTicTacToe)
    return view.game


def player(seat: int) -> str:
    """``Player X`` makes the odd moves, ``Player O`` the even ones."""
    return _("Player {name}").format(name=NAMES[seat])


def spooky_name(number: int) -> str:
    """``x3``: a mark that is still on two squares."""
    return f"{NAMES[owner(number)].lower()}{number}"


def classical_name(number: int) -> str:
    """``X3``: a mark that has settled."""
    return f"{NAMES[owner(number)]}{number}"


def bold(items: Iterable[object]) -> Html:
    """``1 and 5``, each in bold."""
    return listed([fill("<b>{item}</b>", item=item) for item in items])


def either(items: Sequence[object]) -> Html:
    """``1 or 5``, each in bold."""
    shown = [fill("<b>{item}</b>", item=item) for item in items]
    if len(shown) < 2:
        return Html("".join(shown))
    return fill(_("{first} or {last}"), first=Html(_(", ").join(shown[:-1])), last=Html(shown[-1]))


def move_label(move: Move) -> str:
    """``1–5``, ``> 5``, ``3``."""
    if move.verb == "place":
        return "–".join(map(str, move.args))
    if move.verb == "collapse":
        return f"> {move.args[0]}" if move.args else _("measure")
    if move.verb == "mark":
        return str(move.args[0])
    return _("resign") if move == RESIGN else str(move)


def move_phrase(move: Move) -> str:
    """``a mark on 1 and 5``, ``the collapse on 5``, ``the last mark on 3``."""
    if move.verb == "place":
        return _("a mark on {a} and {b}").format(a=move.args[0], b=move.args[1])
    if move.verb == "collapse" and move.args:
        return _("the collapse on {square}").format(square=move.args[0])
    if move.verb == "collapse":
        return _("the measurement")
    if move.verb == "mark":
        return _("the last mark on {square}").format(square=move.args[0])
    return move_label(move)


def fell_on(step: Step, position: TicTacToePosition) -> int | None:
    """The square on which a step settled the mark that ``position`` had waiting."""
    if step.move.verb != "collapse" or position.pending is None:
        return None
    return position.pending.squares[int(_bit(step, position))]


def _bit(step: Step, position: TicTacToePosition) -> str:
    assert position.pending is not None
    return (step.bits("mark") or "0")[position.tangle.index(position.pending)]


def cycle_text(position: TicTacToePosition) -> str:
    """The squares of the pending cycle in the order in which it runs: ``1–2–5``."""
    assert position.pending is not None
    start, end = position.pending.squares
    path, left = [start], [m for m in position.cycle if m != position.pending]
    while path[-1] != end:
        mark = next(m for m in left if path[-1] in m.squares)
        left.remove(mark)
        path.append(mark.squares[mark.squares[0] == path[-1]])
    return "–".join(map(str, path))


def threats(landed: Sequence[int | None], seat: int) -> list[int]:
    """Free squares that would give ``seat`` a line of classical marks."""
    found = set()
    for line in LINES:
        numbers = [landed[s - 1] for s in line]
        own = [n for n in numbers if n is not None and owner(n) == seat]
        if len(own) == 2 and None in numbers:
            found.add(line[numbers.index(None)])
    return sorted(found)


def worth(value: float) -> str:
    """What a move is worth to the one who plays it, in a word, or as an expectation."""
    known = {1: _("win"), 0: _("draw"), -1: _("loss")}
    return known.get(int(value), "") if value == int(value) else f"{value:+.2f}".replace("-", "−")


def square_value(look: Look, square: int) -> float | None:
    """The best that a move on ``square`` and on those chosen is worth; None without hints."""
    wanted = {square, *look.choice.squares} if len(look.choice.squares) < 2 else {square}
    found = [value for move, value in look.values.items() if wanted <= set(move.args)]
    return max(found, default=None)


# ---- the status line -----------------------------------------------------------------------------


def status(view: View, look: Look) -> Html:
    """What happened and what to do, in one or two sentences."""
    if view.result is not None:
        return ending(view.result)
    if look.refused is not None and not look.disabled:
        return _refusal(view, look)
    if view.seat != view.to_move or look.disabled:
        return _joined(_report(view), _turn(view))
    if look.choice.squares or (look.move is not None and look.move.args):
        return _half_way(view, look)
    return _joined(_report(view), _to_do(view))


def _joined(*sentences: Html) -> Html:
    return Html(" ".join(filter(None, sentences)))


def _report(view: View) -> Html:
    """What the last step was."""
    if not view.history:
        return Html("")
    moment = view.history[-1]
    step, before, now = moment.step, of(moment.before), place(view)
    who = player(step.seat or 0)
    mine = step.seat == view.seat
    if step.move.verb == "place" and now.pending is not None:
        words = (
            _("You closed the cycle <b>{cycle}</b>.")
            if mine
            else _("{player} closed the cycle <b>{cycle}</b>.")
        )
        return fill(words, player=who, cycle=cycle_text(now))
    if step.move.verb == "place":
        words = (
            _("You placed <b>{mark}</b> on {a} and {b}.")
            if mine
            else _("{player} placed <b>{mark}</b> on {a} and {b}.")
        )
        a, b = step.move.args
        return fill(words, player=who, mark=spooky_name(now.placed), a=a, b=b)
    if before.pending is None:
        return Html("")
    mark, square = spooky_name(before.pending.number), fell_on(step, before)
    if not step.move.args:
        return fill(_("<b>{mark}</b> was found on <b>{square}</b>."), mark=mark, square=square)
    words = (
        _("You let <b>{mark}</b> settle on <b>{square}</b>.")
        if mine
        else _("{player} let <b>{mark}</b> settle on <b>{square}</b>.")
    )
    return fill(words, player=who, mark=mark, square=square)


def _turn(view: View) -> Html:
    """Whose turn it is, when it is not the viewer's to choose."""
    if view.to_move is None:
        return Html("")
    if place(view).pending is None:
        words = _("Your turn.") if view.to_move == view.seat else _("{player} to move.")
    elif rules_of(view).by_chance:
        words = _("{player} to measure.")
    else:
        words = _("{player} to choose where it settles.")
    return fill(words, player=player(view.to_move))


def _to_do(view: View) -> Html:
    """What the viewer, whose turn it is, may do now."""
    position = place(view)
    after = position.placed + 1
    if position.pending is not None:
        mark = spooky_name(position.pending.number)
        if rules_of(view).by_chance:
            return fill(
                _("Press <b>Play</b> to measure where <b>{mark}</b> settles, square {squares}."),
                mark=mark,
                squares=either(position.pending.squares),
            )
        words = _("Choose where <b>{mark}</b> settles, square {squares}. Then place move {next}.")
        if after > 9:
            words = _("Choose where <b>{mark}</b> settles, square {squares}.")
        return fill(words, mark=mark, squares=either(position.pending.squares), next=after)
    if len(position.free) == 1:
        return fill(_("Put the last mark on square <b>{square}</b>."), square=position.free[0])
    return fill(_("Your turn. Choose two squares for <b>{mark}</b>."), mark=spooky_name(after))


def _half_way(view: View, look: Look) -> Html:
    """What is chosen, what it does, and what is still to choose."""
    position, move = place(view), look.move
    if move is None:
        words = _("Square <b>{square}</b> chosen. Now choose the second square for <b>{mark}</b>.")
        mark = spooky_name(position.placed + 1)
        return fill(words, square=look.choice.squares[0], mark=mark)
    if move.verb == "collapse":
        assert position.pending is not None
        words = _("Shown on the board: <b>{mark}</b> on <b>{square}</b>. Press <b>Play</b>.")
        mark = spooky_name(position.pending.number)
        return fill(words, mark=mark, square=move.args[0])
    if move.verb == "mark":
        return fill(_("Square <b>{square}</b> chosen: press <b>Play</b>."), square=move.args[0])
    words = _("Squares <b>{a}</b> and <b>{b}</b> chosen: press <b>Play</b>, or choose others.")
    chosen = fill(words, a=move.args[0], b=move.args[1])
    return _joined(chosen, closing(view, move))


def closing(view: View, move: Move) -> Html:
    """That a pair would close a cycle, and who then chooses; empty if it closes none."""
    a, b = (int(square) for square in move.args)
    after = with_pair(place(view), (a, b))
    if after.pending is None or after.to_move is None:
        return Html("")
    if rules_of(view).by_chance:
        return fill(_("This closes the cycle <b>{cycle}</b>."), cycle=cycle_text(after))
    return fill(
        _("This closes the cycle <b>{cycle}</b>: {player} chooses how it collapses."),
        cycle=cycle_text(after),
        player=player(after.to_move),
    )


def _refusal(view: View, look: Look) -> Html:
    """Why the square that was tried cannot be chosen."""
    tried, position = look.refused, place(view)
    number = position.landed[int(tried) - 1] if tried in SQUARES else None
    if position.pending is not None:
        words = _("<b>{mark}</b> settles on {squares}. Choose one of these.")
        squares = either(position.pending.squares)
        return fill(words, mark=spooky_name(position.pending.number), squares=squares)
    if number is not None:
        words = _("<b>{mark}</b> has settled on square <b>{square}</b>. Choose another square.")
        return fill(words, mark=classical_name(number), square=tried)
    return fill(_("Square <b>{square}</b> cannot be chosen now."), square=tried)


def ending(result: Result) -> Html:
    """Who won and why; a draw says so."""
    if result.winner is None:
        return Html(
            _("<b>Draw:</b> each side has a line.")
            if result.reason == "a line each"
            else _("<b>Draw:</b> nine classical squares, no line.")
        )
    name = NAMES[result.winner]
    if isinstance(result, TicTacToeResult) and result.narrow:
        words = _("<b>{name} wins narrowly</b>, {points}: the other line was finished later.")
        if 0.5 in result.points:
            return fill(words, name=name, points=points_text(result))
        return fill(_("<b>{name} wins</b>: the other line was finished later."), name=name)
    if result.reason == "resignation":
        words = _("<b>{name} wins:</b> {loser} has resigned.")
        return fill(words, name=name, loser=player(1 - result.winner))
    lines = listed(["–".join(map(str, line)) for line in result.lines])
    return fill(
        _("<b>{name} wins</b> with {lines}."),
        name=name,
        lines=lines,
    )


def points_text(result: Result) -> str:
    """The points, X first: ``1 : ½``."""
    return " : ".join(point_text(p) for p in result.points)


def point_text(points: float) -> str:
    """One, a half or no point."""
    return "½" if points == 0.5 else str(int(points))


# ---- what a move leads to ------------------------------------------------------------------------


def consequence(view: View, branch: Branch, move: Move) -> Html:
    """What the board looks like then: where marks settle, lines, and what each side needs."""
    before, after = place(view), of(branch.position)
    if move.verb == "place":
        return _after_pair(view, move)
    settled = _joined(*(_taken(before, after, seat) for seat in (0, 1)))
    return _joined(settled, prospects(after))


def _after_pair(view: View, move: Move) -> Html:
    a, b = (int(square) for square in move.args)
    mark = spooky_name(place(view).placed + 1)
    words = _("<b>{mark}</b> is on {a} and {b} at once, each with the same chance.")
    told = fill(words, mark=mark, a=a, b=b)
    closed = closing(view, move)
    return _joined(told, closed or Html(_("No cycle yet.")))


def _taken(before: TicTacToePosition, after: TicTacToePosition, seat: int) -> Html:
    """The squares that a side has got."""
    squares = [
        s
        for s, old, new in zip(SQUARES, before.landed, after.landed, strict=True)
        if old is None and new is not None and owner(new) == seat
    ]
    if not squares:
        return Html("")
    return fill(_("{name} takes {squares}."), name=NAMES[seat], squares=bold(squares))


def prospects(position: TicTacToePosition) -> Html:
    """The result if the match is over, else which squares each side needs for a line."""
    result = position.result
    if result is not None and result.winner is None:
        return fill("<b>{words}</b>", words=_("A draw."))
    if result is not None:
        return fill(_("<b>{name} wins.</b>"), name=NAMES[result.winner or 0])
    needs = [(seat, threats(position.landed, seat)) for seat in (0, 1)]
    told = [
        fill(_("{name} then needs {squares}."), name=NAMES[seat], squares=either(squares))
        for seat, squares in needs
        if squares
    ]
    return _joined(*told) or Html(_("No line yet."))


# ---- the rules in short --------------------------------------------------------------------------


def rules(game: QuantumTicTacToe) -> list[Html]:
    """The rules in short, one paragraph each, with the options of this match."""
    chooser = (
        _("Then the player to move measures, and chance decides between the only two boards.")
        if game.by_chance
        else _(
            "Then the other player chooses on which of its two squares the newest mark settles."
            " Every mark that hangs on the cycle follows."
        )
    )
    both = (
        _("If both sides get a line in the same collapse, the match is drawn.")
        if game.option["criterion"] == "clear"
        else _(
            "If both sides get a line in the same collapse, the line whose newest mark is older"
            " wins narrowly."
        )
    )
    half = _("A narrow win is worth 1 point against ½.")
    points = half if game.option["goff_points"] and game.option["criterion"] == "narrow" else ""
    return [
        Html(
            _(
                "X makes the odd moves, O the even ones. A move puts one <b>spooky</b> mark on two"
                " different squares: it is on both until it settles on one."
            )
        ),
        Html(_("Marks that share a square hang together. When they form a cycle, it collapses.")),
        Html(chooser),
        Html(
            _(
                "A settled mark is <b>classical</b>, and its square takes no further mark. Three"
                " classical marks in a row win. The last free square takes a plain mark."
            )
        ),
        Html(f"{both} {points}".strip()),
    ]
