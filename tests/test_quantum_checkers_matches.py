"""Random matches of quantum checkers against the book kept by hand, and captures against bare circuits."""

from __future__ import annotations

import random

import numpy as np
import pytest

from qgames.core import Match, Move
from qgames.games.quantum_checkers import HOMES, CheckersPosition, QuantumCheckers
from tests.checkers_book import DEAD, Book

RULES = ("as_published", "projective", "cat")
MATCHES = 300
LIVE = 10
"""Matches of the 300 that Aer decides; in the others the book's own dice do, and the state follows."""
LONGEST = 3000


def random_move(moves: tuple[Move, ...], rng: random.Random) -> Move:
    """Any capture if there is one, else any move: uniform choice shuffles kings about for 600 plies."""
    captures = [m for m in moves if m.verb == "jump"]
    return rng.choice(captures or moves)


def assert_same(position: CheckersPosition, book: Book) -> None:
    """Every probability equals the book's; pieces are conserved and never share a square."""
    seen = dict.fromkeys(book.pieces, 0.0)
    for square, (owner, chance) in enumerate(zip(position.owners, position.chances, strict=True), 1):
        if owner is None:
            assert chance < 1e-9
            assert book.owner(square) is None
        else:
            home = HOMES[owner]
            assert abs(chance - book.chance(square, home)) < 1e-9
            seen[home] += chance
    for home in book.pieces:
        dead = position.dead(HOMES.index(home))
        assert abs(dead - book.chance(DEAD, home)) < 1e-9
        assert abs(seen[home] + dead - 1) < 1e-9
    assert position.kings == book.kings


def assert_linked(position: CheckersPosition) -> None:
    """Each cluster of the state is one piece: its squares and, if it may be dead, its grave."""
    for piece in {o for o in position.owners if o is not None}:
        wires = [s - 1 for s in position.squares(piece)]
        wires += [32 + piece] if position.dead(piece) > 1e-9 else []
        assert position.state.cluster(wires[0]).wires == tuple(wires)


def followed(game: QuantumCheckers, rng: random.Random, book: Book) -> tuple[CheckersPosition, int]:
    """A match whose outcomes are drawn from the book; the state follows them."""
    position, plies = game.start(), 0
    while position.to_move is not None and plies < LONGEST:
        move = random_move(game.legal_moves(position), rng)
        ends = [end for end in book.outcomes(move.verb, *move.args) if end[1] > 1e-9]
        fragment = game.fragment(position, move)
        if fragment.cregs:
            odds = position.state.odds(fragment)
            assert {b: p for ((_, b),), p in odds.items()} == pytest.approx({b: p for b, p, _ in ends}, abs=1e-9)
        bits, _, book = rng.choices(ends, [p for _, p, _ in ends])[0]
        outcome = tuple((r.name, bits) for r in fragment.cregs)
        state = position.state.follow(fragment, outcome)
        position = game.after(position, move, state, dict(outcome))
        assert_same(position, book)
        plies += 1
    assert_linked(position)
    return position, plies


@pytest.mark.parametrize("rule", RULES)
def test_random_matches_end_and_keep_the_books(rule):
    ends = set()
    for seed in range(MATCHES - LIVE):
        interference = seed % 3 > 0
        game = QuantumCheckers(capture_rule=rule, interference=interference)
        position, _ = followed(game, random.Random(seed), Book.start(rule, interference))
        assert position.result is not None
        ends.add(position.result.reason)
    assert "all pieces are gone" in ends


@pytest.mark.parametrize("rule", RULES)
def test_random_matches_on_aer_keep_the_books(rule):
    for seed in range(LIVE):
        match, rng = Match("quantum_checkers", seed=seed, capture_rule=rule), random.Random(seed)
        book = Book.start(rule)
        while match.result is None:
            move = random_move(match.legal_moves, rng)
            step = match.play(move)
            read = "".join(bits for _, bits in step.outcome)
            book = {bits: then for bits, _, then in book.outcomes(move.verb, *move.args)}[read]
            assert_same(match.position, book)
            assert_linked(match.position)
        assert len(match.record) < LONGEST
        assert Match.from_json(match.to_json()).position == match.position
