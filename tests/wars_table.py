"""Tables of The |Qubits> Wars set up as a test wants them: chosen hands, missions and piles.

Nothing is invented: the 80 cards are dealt again, only not at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from qgames import Match
from qgames.games.qubits_wars import QubitsWars, WarsPosition


def seated(
    hands: Mapping[int, str],
    *,
    missions: Mapping[int, int] | None = None,
    deck: str = "",
    fill: str = "id",
    **options: Any,
) -> Match:
    """A match with seat 0 to move; seats not named hold one ``fill``, and ``deck`` is on top."""
    match = Match("qubits_wars", seed=1, **{"seats": 3, "rounds": "quick"} | options)
    table = match.position
    assert isinstance(table, WarsPosition)
    assert isinstance(match.game, QubitsWars)
    left = Counter(match.game.printed)
    dealt = tuple(tuple(hands.get(s, fill).split()) for s in range(match.game.seats))
    left.subtract(card for hand in dealt for card in hand)
    left.subtract(deck.split())
    assert min(left.values()) >= 0, left
    chosen = list((missions or {}).values())
    free = [n for n in range(8) if n not in chosen]
    held = tuple((missions or {}).get(s, None) for s in range(match.game.seats))
    held = tuple(free.pop(0) if n is None else n for n in held)
    set_table(
        match,
        hands=dealt,
        deck=(*deck.split(), *left.elements()),
        missions=held,
        mission_deck=tuple(free),
        first=0,
        active=0,
        to_move=0,
    )
    return match


def set_table(match: Match, **fields: Any) -> None:
    """Change fields of the position the match stands at."""
    node = match._path[-1]
    node.position = replace(node.position, **fields)
    node.legal = None
    node.views.clear()


def spread(match: Match, moves: Iterable[str] | str) -> Match:
    """Play moves one after the other; ``a`` is ``allow`` by everybody who is asked."""
    listed = moves.split(", ") if isinstance(moves, str) else moves
    for move in listed:
        if move == "a":
            while match.position.stack:
                match.play("allow")
        else:
            match.play(move)
    return match


def verbs(match: Match) -> set[str]:
    return {move.verb for move in match.legal_moves}


def texts(match: Match, verb: str) -> list[str]:
    return [str(move) for move in match.legal_moves if move.verb == verb]
