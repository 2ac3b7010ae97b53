"""Computer players of quantum checkers: exact look-ahead, sound choices, and who beats whom."""

from __future__ import annotations

import random

import pytest

from qgames.arena import compete
from qgames.core import Match, Move
from qgames.games.quantum_checkers import HOMES, QuantumCheckers
from qgames.players import player, players_of
from qgames.players.quantum_checkers import Search, ends, greedy, lots, material, search
from tests.checkers_book import DEAD
from tests.test_quantum_checkers import ROOT, match_from

RULES = ("as_published", "projective", "cat")


def seen(position):
    """What a position says, amplitudes up to one phase a piece."""
    chances = [round(abs(a) ** 2, 7) for a in position.amplitudes]
    return position.owners, position.kings, position.to_move, position.chain, chances


@pytest.mark.parametrize("rule", RULES)
def test_the_look_ahead_is_the_rules_own_outlook(rule):
    """Chances and positions of every outcome equal those of the fragments, all match long."""
    rng, forced = random.Random(rule), set()
    for seed in range(3):
        match = Match("quantum_checkers", seed=seed, capture_rule=rule, chain_optional=True)
        game = match.game
        assert isinstance(game, QuantumCheckers)
        while match.result is None and len(match.record) < 60:
            view = match.view(match.to_move)
            first = {m.verb: m for m in match.legal_moves}
            for move in first.values():
                forced.add((move.verb, game.is_forced(view.position, move)))
                ours = list(ends(game, view.position, move))
                positions = [p for _, p in lots(game, view.position, move)]
                by_bits = {
                    tuple(e.outcome.items()): (e, p) for e, p in zip(ours, positions, strict=True)
                }
                branches = view.outlook(move)
                assert {b.outcome for b in branches} == by_bits.keys()
                for branch in branches:
                    end, then = by_bits[branch.outcome]
                    assert end.chance == pytest.approx(branch.chance, abs=1e-9)
                    assert seen(then) == seen(branch.position)
                    assert then.result == branch.position.result
            match.play(rng.choice([*first.values()]))
    assert {("jump", False), ("move", True), ("quantum", True)} <= forced


def test_interference_is_foreseen_with_its_phases():
    match = match_from({22: {17: 1j * ROOT, 14: -ROOT}, 1: {1: 1}}, {14, 17})
    view = match.view(0)
    ((_, then),) = lots(match.game, view.position, Move("quantum", (17, 14)))
    assert then.chance(14) == pytest.approx(1)
    assert then.piece(17) is None


def test_material_counts_existence():
    match = match_from({22: {22: ROOT, DEAD: ROOT}, 23: {31: 1}, 1: {1: 1}}, {31})
    assert material(match.position, 0) == pytest.approx(0.5 + 1.6 - 1)
    assert material(match.position, 1) == pytest.approx(-(0.5 + 1.6 - 1))


def test_greedy_takes_what_it_can():
    match = match_from({22: {22: 1}, 31: {31: 1}, 1: {18: 1}, 2: {1: 1}})
    assert greedy(match.view(0), random.Random(1)) == Move("jump", (22, 15))


def test_search_does_not_walk_into_a_capture():
    # 22-17 would be taken by 13 over 17 to 22; 22-18 is safe
    match = match_from({22: {22: 1}, 1: {13: 1}})
    for seed in range(5):
        move = search(match.view(0), random.Random(seed))
        assert move.args[1] != 17 or move.verb == "quantum"
    look = Search(match.game, 0)
    values = look.values(match.position, match.legal_moves)
    assert values[Move("move", (22, 18))] > values[Move("move", (22, 17))] + 50


def test_offers_are_answered_by_worth():
    ahead = match_from({22: {22: 1}, 23: {31: 1}, 1: {3: 1}}, to_move=1)
    ahead.play("offer")
    assert search(ahead.view(0), random.Random(0)) == Move("decline")
    assert greedy(ahead.view(0), random.Random(0)) == Move("decline")
    behind = match_from({22: {22: 1}, 23: {31: 1}, 1: {3: 1}}, to_move=0)
    behind.play("offer")
    assert search(behind.view(1), random.Random(0)) == Move("accept")
    assert greedy(behind.view(1), random.Random(0)) == Move("accept")


def test_the_players_are_registered():
    assert list(players_of("quantum_checkers")) == ["random", "greedy", "search"]
    assert player("search", "quantum_checkers") is search
    assert HOMES[0] == 1


@pytest.mark.parametrize(
    ("strong", "weak", "least"), [("greedy", "random", 0.9), ("search", "greedy", 0.6)]
)
def test_the_stronger_player_wins(strong, weak, least):
    """`python -m qgames arena` plays a hundred; four are enough to notice a broken player."""
    score = compete("quantum_checkers", (strong, weak), 4, seed=1)
    assert score.matches == 4
    assert score.share >= least
