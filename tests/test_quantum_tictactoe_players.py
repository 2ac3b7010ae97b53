"""Counts, values and computer players of quantum tic-tac-toe."""

import random
from collections import Counter
from itertools import combinations

import pytest

from benchmarks.perft_tictactoe import follow, perft
from qgames import Match, Move
from qgames.games.quantum_tictactoe import QuantumTicTacToe, match_from_compact, with_pair
from qgames.games.tictactoe_counts import COMPLETE_MATCHES, Row, counted
from qgames.players import quantum_tictactoe as players
from qgames.players import tictactoe_solver as solver
from qgames.players.general import random_move
from qgames.players.quantum_tictactoe import move_values, state_of
from qgames.players.tictactoe_book import CRITERIA, book, looked_up, packed

GAME = QuantumTicTacToe()
WINNING = {Move("place", (1, 9)), Move("place", (3, 7))}
CLASSES = {2: 186, 3: 2372, 4: 29687}
"""Positions that differ, by number of marks."""


# ---- how many matches there are -----------------------------------------------------------------

PUBLISHED = [
    # running, X alone, O alone, both, drawn: section 7 of the sheet
    Row(36, 0, 0, 0, 0),
    Row(1_332, 0, 0, 0, 0),
    Row(49_896, 0, 0, 0, 0),
    Row(1_855_224, 0, 0, 0, 0),
    Row(65_427_840, 1_160_640, 0, 0, 0),
    Row(2_090_566_800, 50_519_376, 59_592_240, 3_212_784, 0),
]


def test_perft_by_the_rules_is_the_sheet_s():
    assert perft(5) == PUBLISHED[:5]


def test_perft_of_three_placements_without_any_equivalence():
    def plain(position, depth):
        if position.result is not None or (position.placed == depth and not position.pending):
            return 1
        return sum(plain(follow(GAME, position, m), depth) for m in GAME.legal_moves(position))

    assert [plain(GAME.start(), depth) for depth in (1, 2, 3)] == [36, 1_332, 49_896]


def test_counting_gives_the_sheet_s_rows_and_the_published_total():
    rows = counted()
    assert rows[:6] == PUBLISHED
    assert sum(row.finished for row in rows) == COMPLETE_MATCHES == 18_227_289_232_224
    assert rows[8].running == 0
    shares = {6: 113_324_400, 5: 1_160_640}
    assert {n: rows[n - 1].finished for n in shares} == shares


def test_perft_refuses_a_depth_at_which_numbers_count():
    with pytest.raises(ValueError, match=r"^expected a depth up to 6: got 7$"):
        perft(7)


# ---- values against a plain search by the rules -------------------------------------------------


def plain_value(game, position):
    """X's value by trying everything; the mean where nature decides."""
    if position.result is not None:
        return {0: 1, 1: -1, None: 0}[position.result.winner]
    if position.pending and game.by_chance:
        return sum(plain_value(game, p) for p in both(game, position)) / 2
    found = [plain_value(game, follow(game, position, m)) for m in game.legal_moves(position)]
    return max(found) if position.to_move == 0 else min(found)


def both(game, position):
    """The two boards of a pending collapse."""
    wheres = (position.settled(square) for square in position.pending.squares)
    return [game.with_landed(position, {m.number: s for m, s in w.items()}) for w in wheres]


def drawn(game, position, rng):
    """A random move; a collapse by chance falls at random."""
    if position.pending and game.by_chance:
        return rng.choice(both(game, position))
    return follow(game, position, rng.choice(game.legal_moves(position)))


def random_position(rng, marks, game=GAME, most_free=9):
    """A running position with ``marks`` marks in which no cycle waits, by random moves."""
    while True:
        position = game.start()
        while position.result is None and (position.placed < marks or position.pending):
            position = drawn(game, position, rng)
        if position.result is None and len(position.free) <= most_free:
            return position


def seen(game, position):
    """The view of the seat to move, of a position that no match has reached."""
    return game.view(position.to_move, position, ())


@pytest.mark.parametrize("options", [{}, {"criterion": "clear"}, {"collapse": "chance"}], ids=str)
@pytest.mark.parametrize(("marks", "count", "most_free"), [(8, 80, 9), (7, 25, 9), (6, 3, 5)])
def test_values_are_those_of_a_plain_search(options, marks, count, most_free):
    game = QuantumTicTacToe(**options)
    rng = random.Random(marks)
    for _ in range(count):
        position = random_position(rng, marks, game, most_free)
        sign = 1 if position.to_move == 0 else -1
        for move, value in list(move_values(seen(game, position)).items())[::2]:
            plain = sign * plain_value(game, follow(game, position, move))
            assert value == pytest.approx(plain), (position, move)


def test_values_of_a_pending_collapse():
    match = match_from_compact("1:3-9 2:1-9 3:2-9 4:3-6 5:1-3")  # on 1 X finishes 1-2-3
    values = move_values(match.view(1))
    assert values[Move("collapse", (1,))] == -1
    for move, value in values.items():
        assert value == -plain_value(GAME, follow(GAME, match.position, move))
    drawn = match_from_compact("1:1-2 2:2-5 3:5-9 4:1-5", collapse="chance")
    assert list(move_values(drawn.view(0))) == [Move("collapse")]


# ---- states -------------------------------------------------------------------------------------


def turned(position, table):
    """A position with its squares renamed."""
    turned_marks = [(m.number, tuple(sorted(table[s] for s in m.squares))) for m in position.spooky]
    landed = [None] * 9
    for square, number in enumerate(position.landed, 1):
        landed[table[square] - 1] = number
    fresh = GAME.start()
    for number, pair in turned_marks:
        fresh = with_pair(GAME.start().__class__(**{**vars(fresh), "placed": number - 1}), pair)
    return fresh.__class__(**{**vars(fresh), "landed": tuple(landed), "placed": position.placed})


@pytest.mark.parametrize("seed", range(20))
def test_keys_do_not_tell_a_turned_or_mirrored_board(seed):
    rng = random.Random(seed)
    position = random_position(rng, rng.randrange(1, 7))
    key = solver.canonical(state_of(position))
    quarter = {3 * r + c + 1: 3 * c + (2 - r) + 1 for r in range(3) for c in range(3)}
    mirror = {3 * r + c + 1: 3 * r + (2 - c) + 1 for r in range(3) for c in range(3)}
    for table in (quarter, mirror):
        assert solver.canonical(state_of(turned(position, table))) == key
    assert solver.canonical(state_of(random_position(rng, 6))) != key or position.placed == 6


def test_marks_of_one_side_slide_along_each_other():
    # 1-2 and 2-3 of X do the same as 1-2 and 1-3, with O's 4-5 and 4-6 the other way round too
    one = match_from_compact("1:1-2 2:4-5 3:2-3 4:5-6").position
    other = match_from_compact("1:1-3 2:4-6 3:1-2 4:4-5").position
    assert solver.canonical(state_of(one)) == solver.canonical(state_of(other))
    mixed = match_from_compact("1:1-2 2:2-3 3:4-5 4:5-6").position
    assert solver.canonical(state_of(one)) != solver.canonical(state_of(mixed))


# ---- the book -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def layers():
    """Every class of positions by number of marks: {key: state}."""
    found = [{solver.canonical(solver.START): solver.START}]
    for marks in range(4):
        layer = {}
        for state in found[-1].values():
            for after in (s for choices in solver.options(state, marks) for s in choices):
                if not solver.ended(after):
                    layer.setdefault(solver.canonical(after), after)
        found.append(layer)
    return found


def test_the_book_holds_every_position_with_up_to_four_marks(layers):
    assert {n: len(layers[n]) for n in CLASSES} == CLASSES
    keys = [key for layer in layers for key in layer]
    assert len(book()) == len(keys) == 32_254
    for criterion in CRITERIA:
        assert {looked_up(key, criterion) for key in keys} == {-1, 0, 1}
    with pytest.raises(KeyError, match="no position of the book has the key 12345"):
        looked_up(12345, "narrow")


@pytest.mark.parametrize("criterion", CRITERIA)
def test_positions_with_four_marks_are_worth_what_the_book_says(layers, criterion):
    """The code that wrote the book, run again on some of its entries."""
    fresh = solver.Solver(criterion)
    for key in random.Random(criterion).sample(sorted(layers[4]), 40):
        assert fresh.search(layers[4][key], 4) == looked_up(key, criterion)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_all_earlier_positions_follow_from_those_with_four_marks(layers, criterion):
    def value(state, marks):
        """The mover's value by the book's next page: the best option, a cycle's second best."""
        found = []
        for choices in solver.options(state, marks):
            worth = sorted(-looked_up(solver.canonical(s), criterion) for s in choices)
            found.append(worth[-2:][0])
        return max(found)

    for marks in range(3):  # no line before the fifth mark
        for key, state in layers[marks].items():
            assert value(state, marks) == looked_up(key, criterion)
    for key in random.Random(criterion).sample(sorted(layers[3]), 300):
        assert value(layers[3][key], 3) == looked_up(key, criterion)


def test_a_book_with_two_positions_under_one_number_is_refused():
    prime = 271_828_182_845_904_533
    with pytest.raises(ValueError, match="expected one number for each position"):
        packed({5: 0, 5 + prime: 1}, {5: 0, 5 + prime: 1})
    with pytest.raises(ValueError, match="expected one number for each position"):
        packed({5: 0}, {6: 0})


# ---- what perfect play makes of the openings ----------------------------------------------------


def test_x_wins_by_opposite_corners_alone():
    values = move_values(Match("quantum_tictactoe").view(0))
    assert len(values) == 36
    assert {move for move, value in values.items() if value == 1} == WINNING
    assert set(values.values()) == {0, 1}


def test_nobody_wins_under_the_clear_criterion():
    values = move_values(Match("quantum_tictactoe", criterion="clear").view(0))
    assert set(values.values()) == {0}


# ---- matches ------------------------------------------------------------------------------------


def played(game, x, o, rng, opening=None):
    """The result of a match between two players, by the rules without Aer."""
    position = game.start() if opening is None else follow(game, game.start(), opening)
    while position.result is None:
        choose = (x, o)[position.to_move]
        move = choose(seen(game, position), rng)
        assert move in game.legal_moves(position)
        by_chance = move.verb == "collapse" and not move.args
        position = rng.choice(both(game, position)) if by_chance else follow(game, position, move)
    return position.result


RIVALS = {"random": random_move, "greedy": players.greedy}


@pytest.mark.parametrize("rival", RIVALS)
def test_perfect_as_x_wins_every_one_of_500_matches(rival):
    rng = random.Random(rival)
    ends = Counter(played(GAME, players.perfect, RIVALS[rival], rng).winner for _ in range(500))
    assert ends == {0: 500}


@pytest.mark.parametrize("rival", RIVALS)
def test_perfect_as_o_does_not_lose_where_the_table_says_draw(rival):
    rng = random.Random(rival)
    openings = {Move("place", pair) for pair in combinations(range(1, 10), 2)} - WINNING
    ends = Counter(
        played(GAME, RIVALS[rival], players.perfect, rng, opening).winner
        for opening in sorted(openings, key=str)
        for _ in range(2)
    )
    assert ends[0] == 0
    assert ends[1] > 0


@pytest.mark.parametrize("opening", [(1, 2), (1, 3), (1, 5), (1, 6), (2, 4), (2, 5), (2, 8)])
def test_perfect_against_itself_draws_the_drawn_openings(opening):
    rng = random.Random(str(opening))
    result = played(GAME, players.perfect, players.perfect, rng, Move("place", opening))
    assert result.winner is None


@pytest.mark.parametrize("seed", range(3))
def test_perfect_against_itself(seed):
    rng = random.Random(seed)
    assert played(GAME, players.perfect, players.perfect, rng).winner == 0
    clear = QuantumTicTacToe(criterion="clear")
    assert played(clear, players.perfect, players.perfect, rng).winner is None


@pytest.mark.parametrize("better", [players.perfect, players.greedy])
def test_players_beat_random_when_nature_decides(better):
    game, rng = QuantumTicTacToe(collapse="chance"), random.Random(8)
    points = Counter()
    for _ in range(60):
        for seat, seats in enumerate([(better, random_move), (random_move, better)]):
            scored = played(game, *seats, rng).points
            points += Counter({"better": scored[seat], "random": scored[1 - seat]})
    assert points["better"] > 1.5 * points["random"]


@pytest.mark.parametrize("options", [{}, {"criterion": "clear"}, {"collapse": "chance"}], ids=str)
def test_players_play_real_matches(options):
    for seed, seats in enumerate([("perfect", "greedy"), ("greedy", "perfect")]):
        match = Match("quantum_tictactoe", seed=seed, **options)
        while match.to_move is not None:
            choose = players.PLAYERS[seats[match.to_move]]
            view, state = match.view(match.to_move), match.rng().getstate()
            moves = [choose(view, seeded(state)) for _ in range(2)]
            assert moves[0] == moves[1]
            match.play(moves[0])
        assert match.result is not None


def seeded(state):
    rng = random.Random()
    rng.setstate(state)
    return rng


def test_greedy_takes_a_line_and_refuses_to_give_one():
    # 8.5 before the collapse: O gets 7-8-9 by settling on 8
    match = match_from_compact("1:2-6 2:2-9 3:1-4 4:7-8 5:6-8 6:6-8")
    assert match.to_move == 0
    move = players.greedy(match.view(0), random.Random(1))
    assert move == Move("collapse", (6,))


def test_a_table_that_has_grown_too_large_is_let_go(monkeypatch):
    monkeypatch.setattr(players, "MOST_REMEMBERED", 3)
    position = random_position(random.Random(2), 5)
    first = move_values(seen(GAME, position))
    engine = players.Analyst(seen(GAME, position)).solver
    assert len(engine.table) == 0
    assert move_values(seen(GAME, position)) == first
