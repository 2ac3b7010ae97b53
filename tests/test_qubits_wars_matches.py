"""Whole matches of The |Qubits> Wars: they end, cards and scores add up, secrets stay secret."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from qgames import Match, Move
from qgames.__main__ import main
from qgames.games import qubits_wars_cards as cards
from qgames.games import qubits_wars_circuit as board
from qgames.games.qubits_wars import QubitsWars, WarsPosition, WarsView, secondary_met
from qgames.players import player
from qgames.players.qubits_wars_balance import ROWS
from tests.secrets import seen
from tests.wars_twins import twins

SETTINGS = [
    {"seats": players, "mode": mode, "rounds": "quick"}
    for players, mode in product((2, 3, 4, 5, 6), cards.MODES)
] + [
    {"seats": 2, "mode": "intermediate", "n_qubits": 3, "columns": 2},
    {"seats": 3, "mode": "advance", "n_qubits": 5, "rounds": 2, "missions": "chosen"},
    {"seats": 2, "mode": "beginner", "cnot_two_identical": True, "disjoint_pairs": True},
    {"seats": 4, "mode": "beginner", "initial": "random_basis", "rounds": 2},
    {"seats": 2, "mode": "advance", "initial": "zeros", "n_qubits": 3, "rounds": "quick"},
]
MATCHES = 300


def weighted(rng: random.Random, match: Match) -> Move:
    """Any legal move, with cards that do something likelier than changing and passing."""
    moves = match.legal_moves
    if rng.random() < 0.75:
        moves = tuple(m for m in moves if m.verb not in ("change", "pass", "allow")) or moves
    return rng.choice(moves)


def check_table(match: Match, full: Counter[str]) -> None:
    game, table = match.game, match.position
    assert isinstance(game, QubitsWars)
    assert isinstance(table, WarsPosition)
    assert game.census(table) == full
    held = [n for n in (*table.missions, *table.mission_deck) if n is not None]
    assert sorted(held) == list(range(cards.MISSIONS_PER_MODE)), "8 missions here, 16 in the box"
    assert all(table.used(q) <= game.option["columns"] for q in range(game.lines))
    assert len({frozenset(pair) for pair in table.cnot_lines}) == len(table.cnots) <= 2
    played = match.record[-1].move.verb not in ("pass", "change")
    if played and table.stage in ("operations", "cnot-only", "reveal"):
        assert table.symbols == board.symbols_of(table.initial, table.operations)


def check_scores(match: Match) -> None:
    game, table = match.game, match.position
    assert isinstance(game, QubitsWars)
    assert isinstance(table, WarsPosition)
    assert len(table.sheets) == game.rounds == table.round
    for sheet in table.sheets:
        placed = sorted((n.order, n.kind, q) for q, n in enumerate(sheet.noises) if n)
        noises = board.ordered((kind, q) for _, kind, q in placed)
        before = board.symbols_of(sheet.initial, sheet.operations)
        assert sheet.recorded == board.noisy_symbols(before, noises)
        lines = tuple((op.lines[0], op.lines[1]) for op in sheet.cnots)
        possible = board.dice_rule(before, lines, noises)
        assert len(sheet.shots) == game.shots
        assert all(shot.recorded in possible for shot in sheet.shots)
        linked = board.entangled_lines(sheet.recorded, lines)
        for row in sheet.rows:
            assert row.hits == sum(row.mission.fits(s.recorded) for s in sheet.shots)
            each, extra = (3, 1) if game.mode == "beginner" else (2, 4)
            swap = "swap" in [op.gate for op in sheet.operations]
            met = secondary_met(row.mission, sheet.recorded, linked, swap, len(lines))
            assert (row.main, row.secondary) == (each * row.hits, extra * met)
    sums = [sum(sheet.rows[s].points for sheet in table.sheets) for s in range(game.seats)]
    assert list(table.totals) == sums
    assert match.result is not None
    assert list(match.result.points) == sums


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_random_matches_end_with_all_cards_there_and_scores_that_add_up(setting: int) -> None:
    """300 matches in all, spread over player counts, modes and options."""
    game = QubitsWars(**SETTINGS[setting])
    full = Counter(game.printed)
    for number in range(setting, MATCHES, len(SETTINGS)):
        rng = random.Random(number)
        match = Match(game, seed=number)
        while match.to_move is not None:
            check_table(match, full)
            match.play(weighted(rng, match))
            assert len(match.record) < 3000
        check_table(match, full)
        check_scores(match)


# ---- what a seat may not know --------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_view_depends_on_nothing_its_seat_may_not_know(players: int) -> None:
    """Matches that differ in hidden cards, missions and noise look the same to the seat, always."""
    differ: Counter[str] = Counter()
    for number in range(5):
        rng = random.Random(100 * players + number)
        match = Match("qubits_wars", seed=number, seats=players, rounds="quick")
        for _ in range(rng.randrange(10, 50)):
            if match.position.stage != "operations" or not match.position.deck:
                break
            match.play(weighted(rng, match))
        for seat in (*range(players), None):
            for twin in twins(match, seat, most=1, seed=number):
                for name in ("hands", "deck", "missions", "noises"):
                    differ[name] += getattr(twin.position, name) != getattr(match.position, name)
                for step in range(1, len(match.record)):
                    assert twin.view(seat, step) == match.view(seat, step)
                mine, theirs = seen(match, seat), seen(twin, seat)
                for what, value in mine.items():
                    assert theirs[what] == value, what
                for move in match.legal_moves if seat == match.to_move else ():
                    assert twin.fragment(move) == match.fragment(move)
                one, other = match.view(seat), twin.view(seat)
                assert isinstance(one, WarsView)
                assert isinstance(other, WarsView)
                assert one.distribution() == other.distribution()
    assert min(differ[name] for name in ("hands", "deck", "missions", "noises")) > 3, differ


@pytest.mark.parametrize("name", ["greedy", "spoiler", "random"])
def test_a_computer_player_does_not_peek(name: str) -> None:
    for number in range(4):
        rng = random.Random(number)
        match = Match("qubits_wars", seed=number, seats=3, mode="intermediate")
        while len(match.record) < 30 or len(match.legal_moves) == 1:
            match.play(weighted(rng, match))
        seat = match.to_move
        play = player(name, "qubits_wars")
        move = play(match.view(seat), random.Random(9))
        for twin in twins(match, seat, most=3, seed=number):
            assert play(twin.view(seat), random.Random(9)) == move


def test_no_secret_word_stands_in_a_view() -> None:
    """What a view holds: no other hand, no deck order, no mission, no noise kind."""
    match = Match("qubits_wars", seed=8, seats=3, rounds="quick")
    rng = random.Random(3)
    while match.position.stage == "operations":
        match.play(weighted(rng, match))
        table = match.position
        for seat in (0, 1, 2, None):
            seen = match.view(seat).position
            assert isinstance(seen, WarsPosition)
            assert set(seen.deck) <= {"?"}
            assert not any(n is not None for n in seen.mission_deck)
            for s, hand in enumerate(seen.hands):
                assert hand == table.hands[s] if s == seat else set(hand) <= {"?"}
            for q, noise in enumerate(seen.noises):
                if noise and seat not in noise.knowers:
                    assert noise.kind == "?"
                    assert table.noises[q] is not None


def test_the_rules_ask_the_view_and_the_truth_alike() -> None:
    match = Match("qubits_wars", seed=21, seats=3, rounds="quick", mode="intermediate")
    rng = random.Random(5)
    while match.to_move is not None:
        view = match.view(match.to_move)
        assert view.legal_moves == match.legal_moves
        for move in view.legal_moves[::7]:
            assert match.game.fragment(view.position, move) == match.fragment(move)
            branches = view.outlook(move)
            assert sum(b.chance for b in branches) == pytest.approx(1)
        match.play(weighted(rng, match))


def test_a_saved_match_loads_as_it_was() -> None:
    match = Match("qubits_wars", seed=13, seats=4, rounds=2, mode="advance")
    rng = random.Random(1)
    while match.to_move is not None:
        match.play(weighted(rng, match))
    again = Match.from_json(match.to_json())
    assert again.position == match.position
    assert again.record == match.record
    assert again.result == match.result


def test_undo_then_the_same_move_gives_the_same_outcome() -> None:
    match = Match("qubits_wars", seed=2, seats=2, rounds="quick", mode="intermediate")
    rng = random.Random(1)
    while match.to_move is not None:
        move = weighted(rng, match)
        step, after = match.play(move), match.position
        assert match.undo() == step
        assert match.play(move) == step
        assert match.position == after


def test_very_many_dice_are_fair_and_each_its_own() -> None:
    """A shuffle's dice are thrown as shots of one circuit, beside what else the fragment does."""
    game = QubitsWars(seats=2, mode="advance")
    fragment = game.fragment(game.start(), Move("deal"))
    _, outcome = game.start().state.run(fragment, 5)
    sealed = dict(outcome)["sealed"]
    assert len(sealed) == fragment.cregs[-1].size
    assert abs(sealed.count("1") - len(sealed) / 2) < 5 * len(sealed) ** 0.5 / 2
    _, other = game.start().state.run(fragment, 6)
    same = sum(a == b for a, b in zip(sealed, dict(other)["sealed"], strict=True))
    assert abs(same - len(sealed) / 2) < 5 * len(sealed) ** 0.5 / 2
    state = game.start().state.follow(fragment, outcome)
    symbols = {"00": "0", "10": "1", "01": "+", "11": "-"}
    bits = dict(outcome)["initial"]
    assert board.symbols_in(state) == "".join(symbols[bits[n : n + 2]] for n in range(0, 8, 2))


def test_the_arena_prints_a_row_for_each_setting_of_the_sheet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["arena", "--game", "qubits_wars", "--matches", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "The |Qubits⟩ Wars: 2 matches a row, first player first, seed 0"
    assert [line.split()[:3] for line in lines[1:-1]] == [
        [str(seats), "players", mode] for seats, mode in ROWS
    ]
    assert lines[-1].startswith("at one table, 2 games: random")
