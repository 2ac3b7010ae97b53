"""Whole matches of The |Qubits> Wars: they end, cards are conserved, scores add up, secrets stay secret."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import product

import pytest

from qgames import Match, Move
from qgames.games import qubits_wars_cards as cards
from qgames.games import qubits_wars_circuit as board
from qgames.games.qubits_wars import QubitsWars, WarsPosition, WarsView, secondary_met

SETTINGS = [
    {"players": players, "mode": mode, "rounds": "quick"}
    for players, mode in product((2, 3, 4, 5, 6), cards.MODES)
] + [
    {"players": 2, "mode": "intermediate", "n_qubits": 3, "columns": 2},
    {"players": 3, "mode": "advance", "n_qubits": 5, "rounds": 2, "missions": "chosen"},
    {"players": 2, "mode": "beginner", "cnot_two_identical": True, "disjoint_pairs": True},
    {"players": 4, "mode": "beginner", "initial": "random_basis", "rounds": 2},
    {"players": 2, "mode": "advance", "initial": "zeros", "n_qubits": 3, "rounds": "quick"},
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
    assert isinstance(game, QubitsWars) and isinstance(table, WarsPosition)
    assert game.census(table) == full
    held = [n for n in (*table.missions, *table.mission_deck) if n is not None]
    assert sorted(held) == list(range(cards.MISSIONS_PER_MODE)), "8 missions here, 16 in the box"
    assert all(table.used(q) <= game.option["columns"] for q in range(game.lines))
    assert len({frozenset(pair) for pair in table.cnot_lines}) == len(table.cnots) <= 2
    if table.stage in ("operations", "cnot-only", "reveal"):
        assert table.symbols == board.symbols_of(table.initial, table.operations)


def check_scores(match: Match) -> None:
    game, table = match.game, match.position
    assert isinstance(game, QubitsWars) and isinstance(table, WarsPosition)
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
    assert match.result is not None and list(match.result.points) == sums


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


# ---- what a seat may not know ------------------------------------------------------------------------


class Shadow:
    """A match played along, with the place in the deck that each card came from."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.seats = match.game.seats
        self.hands = [list(range(4 * s, 4 * s + 4)) for s in range(self.seats)]
        self.next = 4 * self.seats
        self.noises: dict[str, int] = {}

    def play(self, move: Move) -> None:
        seat = self.match.to_move
        assert seat is not None
        before = self.match.position
        for card in self.match.game._spent(move) - Counter(["allow", "pass", "stop"]):  # type: ignore[attr-defined]
            if card in before.hands[seat]:
                place = next(n for n in self.hands[seat] if self.kind(n) == card)
                self.hands[seat].remove(place)
        self.match.play(move)
        drawn = len(before.deck) - len(self.match.position.deck)
        self.hands[before.active] += range(self.next, self.next + drawn)
        self.next += drawn

    def kind(self, place: int) -> str:
        return self.order[place]

    @property
    def order(self) -> tuple[str, ...]:
        sealed = self.match.record[0].bits("sealed") or ""
        return dealt_order(self.match, sealed)


def dealt_order(match: Match, sealed: str) -> tuple[str, ...]:
    bits = match.game._deck_bits  # type: ignore[attr-defined]
    return cards.permuted(match.game.printed, cards.number_of(sealed[:bits]))  # type: ignore[attr-defined]


def number_for(printed: tuple, order: tuple) -> int:
    """The number that makes `permuted` give this order: Fisher and Yates read backwards."""
    left, places = list(printed), []
    for card in order:
        place = left.index(card)
        places.append((place, len(left)))
        left[place], left[-1] = left[-1], left[place]
        left.pop()
    number = 0
    for place, size in reversed(places):
        number = number * size + place
    return number


def spelled(number: int, bits: int) -> str:
    return format(number, f"0{bits}b")[::-1]


def other_history(match: Match, shadow: Shadow, seat: int, rng: random.Random) -> Match:
    """A match with another deck order, other hands, missions and face-down noise that `seat` cannot
    tell from this one, loaded from its own record."""
    game, table = match.game, match.position
    assert isinstance(game, QubitsWars) and isinstance(table, WarsPosition)
    hidden = [n for s in range(game.seats) if s != seat for n in shadow.hands[s]]
    hidden += range(shadow.next, len(game.printed))
    order = list(shadow.order)
    lines = [str(step) for step in match.record]
    for q, noise in enumerate(table.noises):
        if noise and seat not in noise.knowers and not noise.revealed:
            swap_noise(order, lines, hidden, q, noise.kind, rng)
    kinds = [order[n] for n in hidden]
    rng.shuffle(kinds)
    for n, kind in zip(hidden, kinds, strict=True):
        order[n] = kind
    missions = other_missions(table, seat, rng)
    bits = game._deck_bits
    sealed = spelled(number_for(game.printed, tuple(order)), bits)
    rest = len(match.record[0].bits("sealed") or "") - bits
    sealed += spelled(number_for(tuple(range(8)), missions), rest)
    lines[0] = " ".join(w if "sealed=" not in w else f"sealed={sealed}" for w in lines[0].split())
    saved = json.loads(match.to_json()) | {"record": lines}
    return Match.from_json(json.dumps(saved))


def swap_noise(
    order: list[str], lines: list[str], hidden: list[int], q: int, kind: str, rng: random.Random
) -> None:
    """The face-down noise above line q is of another kind, which lay hidden until now.

    Lines of the record are searched backwards: the last noise put on any line by that name.
    """
    spare = [n for n in hidden if order[n] in cards.NOISES and order[n] != kind]
    place = next(
        (k for k in range(len(lines) - 1, -1, -1) if lines[k] == f"noise q{q} ({kind})"), None
    )
    played = [n for n in range(len(order)) if order[n] == kind and n not in hidden]
    if not spare or place is None or len(played) != 1:
        return
    chosen = rng.choice(spare)
    order[played[0]], order[chosen] = order[chosen], kind
    lines[place] = f"noise q{q} ({order[played[0]]})"


def other_missions(table: WarsPosition, seat: int, rng: random.Random) -> tuple[int, ...]:
    """The dealt order of missions with all those shuffled that `seat` has not seen."""
    dealt = [n for n in (*table.missions, *table.mission_deck) if n is not None]
    known = {s for s in range(len(table.missions)) if s == seat or (seat, s) in table.scouted}
    free = [n for n in range(len(dealt)) if n not in known]
    kinds = [dealt[n] for n in free]
    rng.shuffle(kinds)
    for n, kind in zip(free, kinds, strict=True):
        dealt[n] = kind
    return tuple(dealt)


def assert_same_for(seat: int | None, one: Match, other: Match) -> None:
    assert len(one.record) == len(other.record)
    a, b = one.view(seat), other.view(seat)
    assert a == b
    assert a.legal_moves == b.legal_moves
    assert isinstance(a, WarsView) and isinstance(b, WarsView)
    assert [m.before for m in a.history] == [m.before for m in b.history]
    assert [str(s) for s in a.record] == [str(s) for s in b.record]
    assert a.distribution() == b.distribution()
    assert one.to_move == other.to_move
    if seat is not None and one.to_move == seat:
        for move in one.legal_moves:
            assert one.odds(move) == other.odds(move)
            assert one.fragment(move) == other.fragment(move)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_view_depends_on_nothing_its_seat_may_not_know(players: int) -> None:
    """Two matches that differ in hidden cards, missions and noise give equal views at every step."""
    changed = 0
    for number in range(6):
        rng = random.Random(100 * players + number)
        match = Match("qubits_wars", seed=number, players=players, rounds="quick")
        shadow = Shadow(match)
        new_orders = False
        for _ in range(rng.randrange(10, 60)):
            if match.position.stage != "operations" or "reshuffle" in map(str, match.legal_moves):
                break
            move = weighted(rng, match)
            new_orders = new_orders or move.verb == "new-orders"
            if new_orders:
                break
            shadow.play(move)
        for seat in range(players):
            other = other_history(match, shadow, seat, rng)
            changed += other.position.hands != match.position.hands
            for back in range(len(match.record)):
                if back:
                    match_at, other_at = match.view(seat, back), other.view(seat, back)
                    assert match_at == other_at
            assert_same_for(seat, match, other)
            hidden_from_all = all(
                n is None or n.kind == m.kind
                for n, m in zip(match.position.noises, other.position.noises, strict=True)
                if m is not None
            )
            if hidden_from_all:
                assert match.view(None).position == other.view(None).position
    assert changed >= 4 * players, "the other histories must differ, or this shows nothing"


def test_no_secret_word_stands_in_a_view() -> None:
    """Everything a view holds, written out: no other hand, no deck order, no mission, no noise kind."""
    match = Match("qubits_wars", seed=8, players=3, rounds="quick")
    rng = random.Random(3)
    while match.position.stage == "operations":
        match.play(weighted(rng, match))
        table = match.position
        for seat in (0, 1, 2, None):
            seen = match.view(seat).position
            assert isinstance(seen, WarsPosition)
            assert set(seen.deck) <= {"?"} and not any(n is not None for n in seen.mission_deck)
            for s, hand in enumerate(seen.hands):
                assert hand == table.hands[s] if s == seat else set(hand) <= {"?"}
            for q, noise in enumerate(seen.noises):
                if noise and seat not in noise.knowers:
                    assert noise.kind == "?" and table.noises[q] is not None


def test_the_rules_ask_the_view_and_the_truth_alike() -> None:
    match = Match("qubits_wars", seed=21, players=3, rounds="quick", mode="intermediate")
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
    match = Match("qubits_wars", seed=13, players=4, rounds=2, mode="advance")
    rng = random.Random(1)
    while match.to_move is not None:
        match.play(weighted(rng, match))
    again = Match.from_json(match.to_json())
    assert again.position == match.position and again.record == match.record
    assert again.result == match.result


def test_undo_then_the_same_move_gives_the_same_outcome() -> None:
    match = Match("qubits_wars", seed=2, players=2, rounds="quick", mode="intermediate")
    rng = random.Random(1)
    while match.to_move is not None:
        move = weighted(rng, match)
        step, after = match.play(move), match.position
        assert match.undo() == step
        assert match.play(move) == step
        assert match.position == after
