"""Pairs of matches that differ only in what one seat cannot know.

`twins(match, seat)` yields matches whose record reads the same to ``seat`` (or to a spectator,
None): same public moves, same bits in every register that it may read, other bits or other secret
arguments where it may not. Whatever is made for that seat must come out equal for all of them::

    for twin in twins(match, seat=1):
        assert twin.view(1) == match.view(1)

It works for every game. Who may read a register stands here once more, in `READERS`, so that no
mistake of the code under test is shared.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, product
from random import Random

from qgames import Match, SaveError, Step
from tests import wars_twins

EVERYBODY = frozenset({None, *range(8)})
NOBODY: frozenset[int | None] = frozenset()
READERS: dict[str, dict[str, frozenset[int | None]]] = {
    # 5: "`fixed` (everybody reads it), `p0`, `p1` (read only by the seat that played it), `sealed`
    # (read by no player and no display), `dice`"; hands are face up, a random layout is open, and
    # so is who begins
    "qlanet": {
        **dict.fromkeys(("fixed", "dice", "layout", "first"), EVERYBODY),
        "p0": frozenset({0}),
        "p1": frozenset({1}),
        "sealed": NOBODY,
    },
    "quantum_tictactoe": dict.fromkeys(("cyc", "mark"), EVERYBODY),
    "quantum_checkers": dict.fromkeys(("f", "cap"), EVERYBODY),
    # the deck, the missions and what dephasing measures are face down; the rest is on the board
    "qubits_wars": {
        **dict.fromkeys(("first", "initial", "patterns", "result"), EVERYBODY),
        "sealed": NOBODY,
    },
}
"""Who may read which register, from the rule sheets and not from the code under test. A register
that is not listed is a KeyError: whoever adds one says here who may read it."""

OWN: dict[str, Callable[[Match, int | None, int, int], Iterator[Match]]] = {
    "qubits_wars": wars_twins.twins
}
"""Games whose sealed bits deal open things too (a seat's own hand) make their own pairs."""


def may_read(key: str, register: str, seat: int | None) -> bool:
    """Whether a seat, or a spectator, may read a register of a game, by the game's rule sheet."""
    return seat in READERS[key][register]


def twins(match: Match, seat: int | None, most: int = 8, seed: int = 0) -> Iterator[Match]:
    """Up to ``most`` other matches that ``seat`` cannot tell from this one, in a mixed order."""
    if match.game.key in OWN:
        yield from OWN[match.game.key](match, seat, most, seed)
        return
    own = [str(step) for step in match.record]
    saved = json.loads(match.to_json())
    empty = Match.from_json(json.dumps(saved | {"record": own[: match.fewest_steps]}))
    openings: list[tuple[str, ...]] = [()]
    if match.fewest_steps:
        openings = [(line,) for line in _lines(empty, match.record[0], seat)]
    rng = Random(seed)
    rng.shuffle(openings)
    found = (
        twin
        for opening in openings
        for twin in _grown(saved, list(opening), match.record, seat, rng)
        if [str(step) for step in twin.record] != own
    )
    yield from islice(found, most)


def _grown(
    saved: dict[str, object],
    lines: list[str],
    record: tuple[Step, ...],
    seat: int | None,
    rng: Random,
) -> Iterator[Match]:
    """All ways to carry on from ``lines`` that read like ``record`` to ``seat``."""
    try:
        match = Match.from_json(json.dumps(saved | {"record": lines}))
    except SaveError:
        return  # these bits cannot have been read
    if len(lines) == len(record):
        yield match
        return
    choices = list(_lines(match, record[len(lines)], seat))
    rng.shuffle(choices)
    for line in choices:
        yield from _grown(saved, [*lines, line], record, seat, rng)


def _lines(match: Match, step: Step, seat: int | None) -> Iterator[str]:
    """The step, with each secret argument and each value of the bits hidden from ``seat``."""
    moves = [step.move]
    if step.move.secret and step.seat != seat:
        moves = [m for m in match.legal_moves if m.masked() == step.move.masked()]
    hidden = [
        [(name, "".join(bits)) for bits in product("01", repeat=len(own))]
        if not may_read(match.game.key, name, seat)
        else [(name, own)]
        for name, own in step.outcome
    ]
    for move in moves:
        for outcome in product(*hidden):
            yield str(replace(step, move=move, outcome=outcome))


def seen(match: Match, seat: int | None) -> dict[str, object]:
    """All that the rules hand to ``seat``, as values that can be compared."""
    view = match.view(seat)
    mine = seat is not None and match.to_move == seat
    return {
        "view": view,
        "record": [str(step) for step in view.record],
        "legal": view.legal_moves,
        "odds": {str(m): match.odds(m) for m in view.legal_moves} if mine else {},
        "outlook": {
            str(m): [(b.outcome, b.chance, b.position) for b in view.outlook(m)]
            for m in view.legal_moves[::7]
        },
        "history": [(m.before, m.step, m.public, m.public_after) for m in view.history],
        "fields": {k: getattr(view, k) for k in ("to_move", "result", "belief")},
    }
