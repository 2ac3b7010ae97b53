"""Computer players of The |Qubits> Wars; both reckon with the exact odds of what their seat knows.

``greedy`` plays what serves its own mission best right now. ``spoiler`` also takes away from the
missions that the others are likely to hold: it starts from all cards that it has not seen, and
each gate a rival places makes the missions which that gate serves likelier.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import exp
from random import Random

from qgames.core import Move, View
from qgames.games.qubits_wars import (
    LONE,
    PLACEMENTS,
    Prospect,
    QubitsWars,
    WarsPosition,
    WarsView,
    nearness,
)
from qgames.games.qubits_wars_cards import GATES, INSTANTS, Mission
from qgames.games.qubits_wars_circuit import TABLE, ordered
from qgames.players.general import SAME, Player, best, choices

Weights = Sequence[tuple[Mission, float]]
"""Missions with how much a point of each counts: one's own 1, a rival's below 0."""

SPITE = 0.6
"""How much of a point of its own a point of all rivals together is worth to the spoiler."""
NEAR = 0.1
"""What a pattern matched bit by bit counts, against a main mission fulfilled: it breaks ties."""
TRUST = 0.8
"""How strongly a point that a gate brings a mission speaks for its player holding that mission."""
PATIENCE = 12
"""Turns a player on average after which nobody waits for a better card."""
KEPT = {"x": 4, "h": 4, "control": 3, "target": 3, "z": 2, "swap": 2, **dict.fromkeys(INSTANTS, 3)}
"""What a card in hand is worth keeping; others count 1, Identity and Dephasing 0."""


def greedy(view: View, rng: Random) -> Move:
    """The move that leaves the viewer's own mission with the highest expected points."""
    return _chosen(view, rng, _own(view))


def spoiler(view: View, rng: Random) -> Move:
    """Like greedy, but what a move leaves to likely missions of the others counts against it."""
    return _chosen(view, rng, [*_own(view), *_rivals(view)])


PLAYERS: Mapping[str, Player] = {"greedy": greedy, "spoiler": spoiler}
"""The players of this game by name, weakest first."""


def _chosen(view: View, rng: Random, weights: Weights) -> Move:
    """The best play; without a gain, a better hand; without hope of that, pass."""
    moves = choices(view)
    if len(moves) == 1:
        return moves[0]
    game, table = _game(view), _table(view)
    if table.stage == "choose":
        return rng.choice(moves)
    board = Prospect.of(table)
    now = _value(game, board, weights)
    values = {m: _value(game, after(game, table, board, m), weights) for m in moves if _acts(m)}
    if values and max(values.values()) > now + _threshold(game, table):
        return best(values, rng)
    return _waiting(view, rng, now, weights)


def _acts(move: Move) -> bool:
    return move.verb not in ("change", "pass", "allow", "stop")


def _threshold(game: QubitsWars, table: WarsPosition) -> float:
    """An Instant is kept for what is worth a tenth of the main mission; other cards for nothing."""
    return 0.3 * game.shots if table.stack else SAME


def _waiting(view: View, rng: Random, now: float, weights: Weights) -> Move:
    """No play gains anything: let things be, or look for better cards."""
    game, table = _game(view), _table(view)
    by_verb = {m.verb: m for m in view.legal_moves}
    for verb in ("allow", "stop", "supply", "double"):
        if verb in by_verb and (verb != "double" or _gates(table, view) > 1):
            return by_verb[verb]
    if "new-orders" in by_verb and now < _usual(game, table):
        return by_verb["new-orders"]
    content = now > 0.99 * (1 + NEAR) * _best_possible(game, weights)
    if content or table.turns >= PATIENCE * game.seats:
        return by_verb["pass"]
    changes = {m: -float(_kept(str(m.args[0]))) for m in view.legal_moves if m.verb == "change"}
    return best(changes, rng) if changes else by_verb["pass"]


def _kept(card: str) -> int:
    return KEPT.get(card, 0 if card in ("id", "dephasing") else 1)


def _gates(table: WarsPosition, view: View) -> int:
    return sum(card in GATES for card in table.hands[view.seat or 0])


def _usual(game: QubitsWars, table: WarsPosition) -> float:
    """What the mission cards of this mode are worth on this board on average."""
    prospect = Prospect.of(table)
    return sum(game.worth(prospect, m) for m in table.mission_cards) / len(table.mission_cards)


def _best_possible(game: QubitsWars, weights: Weights) -> float:
    """A certain main mission of one's own."""
    return sum(weight for _, weight in weights if weight == 1) * game.main_points * game.shots


# ---- boards to come ------------------------------------------------------------------------------


def after(game: QubitsWars, table: WarsPosition, prospect: Prospect, move: Move) -> Prospect:
    """The board once ``move`` stands and nobody has answered it; ``prospect`` is the board now."""
    if table.stack or move.verb in ("relocate", "erase", "exchange", "shield"):
        return Prospect.of(_answered_by_nobody(game, table, move))
    if move.verb == "noise":
        line = int(str(move.args[0])[1:])
        noises = ordered((*prospect.noises, (move.secret[0], line)))
        return replace(prospect, noises=noises)
    lines = [int(str(a)[1:]) for a in move.args] if move.verb in (*PLACEMENTS, *LONE) else []
    if move.verb == "cnot" or move.verb in LONE:
        return replace(prospect, cnots=(*prospect.cnots, (lines[0], lines[1])))
    if move.verb in GATES:
        symbols = list(prospect.symbols)
        if move.verb == "swap":
            a, b = lines
            symbols[a], symbols[b] = symbols[b], symbols[a]
        else:
            symbols[lines[0]] = symbols[lines[0]].translate(TABLE[move.verb])
        swap = prospect.swap or move.verb == "swap"
        return replace(prospect, symbols="".join(symbols), swap=swap)
    return prospect


def _answered_by_nobody(game: QubitsWars, table: WarsPosition, move: Move) -> WarsPosition:
    """The table after ``move`` when every window that is open then closes in silence."""
    table = game.moved(table, move, {})
    while table.stack:
        table = game.moved(table, Move("allow"), {})
    return table


def _value(game: QubitsWars, prospect: Prospect, weights: Weights) -> float:
    """Expected points, and a little for every bit that comes nearer: it takes two X to make 11."""
    near = NEAR * game.main_points * game.shots
    return sum(
        weight * (game.worth(prospect, mission) + near * nearness(prospect, mission))
        for mission, weight in weights
    )


# ---- whose mission counts how much ---------------------------------------------------------------


def _own(view: View) -> list[tuple[Mission, float]]:
    mission = _view(view).mission
    return [(mission, 1.0)] if mission is not None else []


def _rivals(view: View) -> list[tuple[Mission, float]]:
    """Each rival's likely missions, all rivals together as heavy as ``SPITE``."""
    game, wars = _game(view), _view(view)
    rivals = [seat for seat in range(game.seats) if seat != view.seat]
    share = -SPITE / len(rivals)
    return [
        (mission, share * chance)
        for seat in rivals
        for mission, chance in likely_missions(wars, seat).items()
    ]


def likely_missions(view: WarsView, seat: int) -> dict[Mission, float]:
    """How likely each mission is to be that of ``seat``, from what the viewer has seen."""
    known = view.mission_of(seat)
    if known is not None:
        return {known: 1.0}
    game, table = _game(view), _table(view)
    seen = [view.mission_of(s) for s in range(game.seats)]
    gains = dict.fromkeys((m for m in table.mission_cards if m not in seen), 0.0)
    for before, now in _placements(view, seat):
        for mission in gains:
            gains[mission] += game.worth(now, mission) - game.worth(before, mission)
    scale = TRUST * 3 / (game.main_points * game.shots)
    weights = {mission: exp(scale * gain) for mission, gain in gains.items()}
    total = sum(weights.values())
    return {mission: weight / total for mission, weight in weights.items()}


def _placements(view: WarsView, seat: int) -> Iterable[tuple[Prospect, Prospect]]:
    """The boards before and after each gate that ``seat`` has placed this round."""
    positions = [*(moment.before for moment in view.history), view.position]
    now = _table(view).round
    for moment, following in zip(view.history, positions[1:], strict=True):
        step = moment.step
        if step.seat == seat and (step.move.verb in PLACEMENTS or step.move.verb in LONE):
            assert isinstance(moment.before, WarsPosition)
            assert isinstance(following, WarsPosition)
            if moment.before.round == now:
                yield Prospect.of(moment.before), Prospect.of(following)


def _view(view: View) -> WarsView:
    assert isinstance(view, WarsView)
    return view


def _game(view: View) -> QubitsWars:
    assert isinstance(view.game, QubitsWars)
    return view.game


def _table(view: View) -> WarsPosition:
    assert isinstance(view.position, WarsPosition)
    return view.position
