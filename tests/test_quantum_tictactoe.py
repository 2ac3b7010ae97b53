"""Quantum tic-tac-toe: the sheet's examples, circuits against numpy, options, messages."""

import json
import random
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qgames import GAMES, IllegalMoveError, InvalidMoveError, Match, Move
from qgames.core import SaveError
from qgames.games.quantum_tictactoe import (
    SQUARES,
    QuantumTicTacToe,
    from_compact,
    match_from_compact,
    to_compact,
)

GAME = QuantumTicTacToe()


def board(text):
    """``1:5 2:3``: square and the number of the mark on it."""
    pairs = dict(map(int, word.split(":")) for word in text.split())
    return tuple(pairs.get(s) for s in SQUARES)


# ---- worked examples 8.1 to 8.12 ----------------------------------------------------------------

EXAMPLES = [
    # name, match, board, winner, points, narrow, lines
    ("8.1 on 1", "1:1-2 2:2-5 3:5-9 4:1-5>1", "1:4 2:1 5:2 9:3", ...),
    ("8.1 on 5", "1:1-2 2:2-5 3:5-9 4:1-5>5", "1:1 2:2 5:4 9:3", ...),
    ("8.2 on 1", "1:1-2 2:1-2>1", "1:2 2:1", ...),
    ("8.2 on 2", "1:1-2 2:1-2>2", "1:1 2:2", ...),
    ("8.3 on 8", "1:1-4 2:6-9 3:4-8 4:1-8>8", "1:1 4:3 8:4", ...),
    ("8.3 on 1", "1:1-4 2:6-9 3:4-8 4:1-8>1", "1:4 4:1 8:3", ...),
    (
        "8.4",
        "1:3-9 2:1-9 3:2-9 4:3-6 5:1-3>1",
        "3:1 9:2 2:3 6:4 1:5",
        (0, (1, 0), False, {(1, 2, 3)}),
    ),
    (
        "8.5",
        "1:2-6 2:2-9 3:1-4 4:7-8 5:6-8 6:6-8>8",
        "2:1 9:2 7:4 6:5 8:6",
        (1, (0, 1), False, {(7, 8, 9)}),
    ),
    (
        "8.6",
        "1:2-8 2:2-8>2 3:1-7 4:3-7 5:7-9 6:1-7>1",
        "1:6 2:2 3:4 7:3 8:1 9:5",
        (0, (1, 0.5), True, {(7, 8, 9), (1, 2, 3)}),
    ),
    (
        "8.7",
        "1:3-4 2:8-9 3:2-4 4:7-8 5:1-3 6:4-9 7:2-8>2",
        "1:5 2:7 3:1 4:3 7:4 8:2 9:6",
        (1, (0.5, 1), True, {(1, 2, 3), (7, 8, 9)}),
    ),
    (
        "8.8",
        "1:3-8 2:3-6 3:3-9 4:1-9 5:2-3 6:4-7 7:1-4 8:4-5 9:4-5>5",
        "1:7 2:5 3:3 4:8 5:9 6:2 7:6 8:1 9:4",
        (0, (1, 0), False, {(1, 2, 3), (2, 5, 8)}),
    ),
    (
        "8.9",
        "1:6-9 2:8-9 3:2-9 4:5-8 5:1-2 6:5-8>8 7:4-7 8:4-7>4 9:3",
        "1:5 2:3 3:9 4:8 5:4 6:1 7:7 8:6 9:2",
        (0, (1, 0), False, {(1, 2, 3)}),
    ),
    (
        "8.10",
        "1:5-6 2:6-8 3:2-9 4:8-9 5:8-9>9 6:1-7 7:1-4 8:4-7>7 9:3",
        "1:6 2:3 3:9 4:7 5:1 6:2 7:8 8:4 9:5",
        (None, (0, 0), False, set()),
    ),
    (
        "8.11",
        "1:3-4 2:2-4 3:5-8 4:6-8 5:2-5 6:2-7 7:3-6>3 8:1-9 9:1-9>9",
        "1:8 2:2 3:7 4:1 5:5 6:4 7:6 8:3 9:9",
        (None, (0, 0), False, set()),
    ),
]


@pytest.mark.parametrize(
    ("text", "landed", "end"), [row[1:] for row in EXAMPLES], ids=[row[0] for row in EXAMPLES]
)
@pytest.mark.parametrize("collapse", ["choice", "chance"])
def test_worked_example(text, landed, end, collapse):
    match = match_from_compact(text, seed=1, collapse=collapse)
    assert match.position.landed == board(landed)
    assert to_compact(match) == to_compact(match.record) == text
    if end is ...:
        assert match.result is None
        assert match.to_move == match.position.placed % 2
        return
    result = match.result
    assert (result.winner, result.points, result.narrow, set(result.lines)) == end
    assert match.to_move is None
    assert match.legal_moves == ()


def test_8_4_the_spooky_mark_of_another_component_stays_in_8_5():
    match = match_from_compact("1:2-6 2:2-9 3:1-4 4:7-8 5:6-8 6:6-8>8")
    assert [(m.number, m.squares) for m in match.position.spooky] == [(3, (1, 4))]
    assert match.position.landed[0] is match.position.landed[3] is None


def test_8_2_after_the_2_cycle_x_moves_on_the_seven_other_squares():
    match = match_from_compact("1:1-2 2:1-2>1")
    assert match.to_move == 0
    assert len(match.legal_moves) == comb(7, 2)
    assert {s for m in match.legal_moves for s in m.args} == {3, 4, 5, 6, 7, 8, 9}


ILLEGAL = [
    ("", "place 4 4", "place takes two different squares; X to move after 0 steps"),
    ("", "place 1", "place takes two squares from 1 to 9; X to move after 0 steps"),
    ("", "place 1 10", "place takes two squares from 1 to 9; X to move after 0 steps"),
    ("", "place 1 a", "place takes two squares from 1 to 9; X to move after 0 steps"),
    ("", "place 1 2 3", "place takes two squares from 1 to 9; X to move after 0 steps"),
    (
        "",
        "m 5",
        "unknown move 'm 5', expected one of place collapse mark; X to move after 0 steps",
    ),
    (
        "",
        "place 1 2 (x)",
        "unknown move 'place 1 2 (x)', expected one of place collapse mark; "
        "X to move after 0 steps",
    ),
    ("1:1-2", "collapse 1", "no cycle waits for a collapse; O to move after 1 step"),
    (
        "1:1-2",
        "mark 3",
        "a plain mark is placed only on the last free square; O to move after 1 step",
    ),
    ("1:1-2 2:1-2>1", "place 1 5", "O2 has settled on square 1; X to move after 3 steps"),
    ("1:1-2 2:1-2>1", "place 2 5", "X1 has settled on square 2; X to move after 3 steps"),
    (
        "1:1-2 2:1-2",
        "place 3 4",
        "O2 closed a cycle, expected 'collapse 1' or 'collapse 2'; X to move after 2 steps",
    ),
    (
        "1:1-2 2:1-2",
        "collapse 3",
        "O2 settles on one of its squares, expected 'collapse 1' or 'collapse 2'; "
        "X to move after 2 steps",
    ),
    (
        "1:1-2 2:1-2",
        "collapse",
        "O2 settles on one of its squares, expected 'collapse 1' or 'collapse 2'; "
        "X to move after 2 steps",
    ),
    (
        "1:6-9 2:8-9 3:2-9 4:5-8 5:1-2 6:5-8>8 7:4-7 8:4-7>4",
        "place 2 3",
        "one square is left, expected 'mark 3'; X to move after 10 steps",
    ),
    (
        "1:6-9 2:8-9 3:2-9 4:5-8 5:1-2 6:5-8>8 7:4-7 8:4-7>4",
        "mark 4",
        "one square is left, expected 'mark 3'; X to move after 10 steps",
    ),
    (
        "1:3-9 2:1-9 3:2-9 4:3-6 5:1-3>1",
        "place 4 5",
        "no move can be played; the match is over after 6 steps",
    ),
]


@pytest.mark.parametrize(("text", "move", "why"), ILLEGAL)
def test_8_12_an_illegal_move_says_why_and_changes_nothing(text, move, why):
    match = match_from_compact(text, seed=1)
    before = match.to_json(), match.position
    with pytest.raises(IllegalMoveError) as error:
        match.play(move)
    assert str(error.value) == f"illegal move {str(Move.parse(move))!r}: {why}"
    assert (match.to_json(), match.position) == before


def test_squares_of_a_pair_ascend():
    match = Match("quantum_tictactoe", seed=1)
    assert str(match.play("place 9 2")) == "place 2 9"
    with pytest.raises(IllegalMoveError) as error:
        match.play("place 3 3")
    assert "illegal move 'place 3 3': place takes two different squares" in str(error.value)


# ---- circuits -----------------------------------------------------------------------------------


def gates(circuit):
    """``h 3``, ``cx 3 0``: names and wires in order."""
    return [
        " ".join([i.operation.name, *(str(circuit.find_bit(q).index) for q in i.qubits)])
        for i in circuit.data
    ]


def test_circuits_of_example_8_1_are_the_sheet_s():
    match = match_from_compact("1:1-2 2:2-5 3:5-9", seed=1)
    assert gates(Match("quantum_tictactoe").fragment("place 1 2")) == ["h 0"]
    closing = match.fragment("place 1 5")
    assert gates(closing) == ["h 3", "h 0", "cx 3 0", "x 0", "h 1", "cx 3 1", "x 1", "h 2", "x 2"]
    match.play("place 1 5")
    state = match.position.state.vector((3, 2, 1, 0))  # |q1 q2 q3 q4>, q4 least significant
    expected = np.zeros(16)
    expected[[0b1110, 0b0011]] = 1 / np.sqrt(2)
    assert np.allclose(state, expected, atol=1e-9)
    collapse = match.fragment("collapse 5")
    assert [r.name for r in collapse.cregs] == ["cyc", "mark"]
    first, branch, *measures = collapse.data
    assert first.operation.name == "measure"
    assert (first.qubits[0], first.clbits[0]) == (collapse.qubits[3], collapse.cregs[0][0])
    assert branch.operation.condition == (collapse.cregs[0][0], 0)
    body = branch.operation.blocks[0]
    flipped = {branch.qubits[body.find_bit(i.qubits[0]).index] for i in body.data}
    assert {i.operation.name for i in body.data} == {"x"}
    assert flipped == {collapse.qubits[w] for w in (3, 0, 1)}
    assert [i.qubits[0] for i in measures] == collapse.qubits[:4]
    assert [i.clbits[0] for i in measures] == list(collapse.cregs[1])
    assert match.fragment("collapse 1").data[1].operation.condition == (collapse.cregs[0][0], 1)


def test_the_plain_ninth_mark_has_no_gate():
    match = match_from_compact("1:6-9 2:8-9 3:2-9 4:5-8 5:1-2 6:5-8>8 7:4-7 8:4-7>4")
    assert gates(match.fragment("mark 3")) == []
    step = match.play("mark 3")
    assert str(step) == "mark 3"
    assert match.position.state.probability(8) == 0


def random_cycle(rng, collapse="choice"):
    """A match played at random up to a pending cycle; longer cycles and tails are not rare."""
    while True:
        match = Match("quantum_tictactoe", seed=rng.randrange(2**32), collapse=collapse)
        patience = rng.random()  # with little of it cycles come early and have few tails
        while match.result is None and not match.position.pending:
            keep = rng.random() < patience
            moves = [m for m in match.legal_moves if not (keep and closes(match.position, m))]
            match.play(rng.choice(moves or match.legal_moves))
            if match.position.pending and match.position.placed < 9 and rng.random() < 0.2:
                match.play(rng.choice(match.legal_moves))
        if match.position.pending:
            return match


def closes(position, move):
    """Whether a pair joins squares that hang together already, by colouring the squares."""
    colour = {s: s for s in SQUARES}
    for mark in position.spooky:
        a, b = (colour[s] for s in mark.squares)
        colour = {s: a if c == b else c for s, c in colour.items()}
    return move.verb == "place" and colour[move.args[0]] == colour[move.args[1]]


def boards_that_fit(marks):
    """Every way to put each mark on one of its squares, no two on one: by trying them all."""
    return [
        choice for choice in product(*(m.squares for m in marks)) if len(set(choice)) == len(choice)
    ]


def component_by_hand(position):
    colour = {s: s for s in SQUARES}
    for mark in position.spooky:
        a, b = (colour[s] for s in mark.squares)
        colour = {s: a if c == b else c for s, c in colour.items()}
    home = colour[position.pending.squares[0]]
    return [m for m in position.spooky if colour[m.squares[0]] == home]


def kind_of(fits):
    cycle = sum(a != b for a, b in zip(*fits, strict=True))
    return min(cycle, 3), cycle < len(fits[0])


def test_300_random_cycles_have_two_boards_before_and_one_after_the_choice():
    rng = random.Random(2006)
    kinds = {}
    for _ in range(300):
        match = random_cycle(rng)
        position = match.position
        marks = component_by_hand(position)
        fits = boards_that_fit(marks)
        assert len(fits) == 2
        kinds[kind_of(fits)] = kinds.get(kind_of(fits), 0) + 1
        vector = position.state.vector([m.number - 1 for m in marks])
        expected = np.zeros(2 ** len(marks))
        for choice in fits:
            expected[index_of(marks, choice)] = 1 / np.sqrt(2)
        # the projection of |+...+> on "one mark a square", phase included
        assert np.allclose(vector, expected, atol=1e-9)
        assert sorted(np.abs(vector[expected > 0]) ** 2) == pytest.approx([0.5, 0.5], abs=1e-9)
        for square in position.pending.squares:
            (chosen,) = (c for c in fits if c[marks.index(position.pending)] == square)
            odds = match.odds(f"collapse {square}")
            assert {text.split()[1] for text in odds} == {f"mark={bits_of(marks, chosen)}"}
            assert list(odds.values()) == pytest.approx([0.5, 0.5], abs=1e-9)
            step = match.play(f"collapse {square}")
            assert step.bits("mark") == bits_of(marks, chosen)
            after = match.position.state.vector([m.number - 1 for m in marks])
            assert abs(after[index_of(marks, chosen)]) ** 2 == pytest.approx(1, abs=1e-9)
            for mark, where in zip(marks, chosen, strict=True):
                assert match.position.landed[where - 1] == mark.number
            match.undo()
    assert set(kinds) == {(2, False), (2, True), (3, False), (3, True)}
    assert min(kinds.values()) >= 10, kinds


def index_of(marks, choice):
    return sum(m.squares.index(s) << n for n, (m, s) in enumerate(zip(marks, choice, strict=True)))


def bits_of(marks, choice):
    return "".join(str(m.squares.index(s)) for m, s in zip(marks, choice, strict=True))


def test_chance_draws_both_boards_evenly():
    rng = random.Random(5)
    drawn = {"0": 0, "1": 0}
    for _ in range(200):
        match = random_cycle(rng, "chance")
        position = match.position
        marks = component_by_hand(position)
        fits = {bits_of(marks, c) for c in boards_that_fit(marks)}
        assert match.legal_moves == (Move("collapse"),)
        odds = match.odds("collapse")
        assert {text.split()[1][5:] for text in odds} == fits
        assert list(odds.values()) == pytest.approx([0.5, 0.5], abs=1e-9)
        step = match.play("collapse")
        assert step.bits("mark") in fits
        newest = step.bits("mark")[marks.index(position.pending)]
        assert step.bits("cyc") == newest
        drawn[newest] += 1
    assert 70 <= drawn["0"] <= 130


def test_the_drawn_bit_of_a_choice_is_fair_and_decides_nothing():
    drawn = {"0": 0, "1": 0}
    for seed in range(200):
        match = match_from_compact("1:1-2 2:2-5 3:5-9 4:1-5>5", seed=seed)
        step = match.record[-1]
        drawn[step.bits("cyc")] += 1
        assert step.bits("mark") == "0011"
        assert match.position.landed == board("1:1 2:2 5:4 9:3")
    assert 70 <= drawn["0"] <= 130


def test_a_chosen_collapse_has_one_outcome_in_the_outlook_and_chance_two():
    match = match_from_compact("1:1-2 2:2-5 3:5-9 4:1-5")
    (branch,) = match.view(0).outlook(Move("collapse", (5,)))
    assert branch.chance == pytest.approx(1)
    assert branch.outcome == (("mark", "0011"),)
    assert branch.position.landed == board("1:1 2:2 5:4 9:3")
    (branch,) = match.view(0).outlook(Move("collapse", (1,)))
    assert branch.position.landed == board("1:4 2:1 5:2 9:3")
    drawn = match_from_compact("1:1-2 2:2-5 3:5-9 4:1-5", collapse="chance")
    branches = drawn.view(None).outlook(Move("collapse"))
    assert [b.chance for b in branches] == pytest.approx([0.5, 0.5])
    assert {b.outcome for b in branches} == {
        (("cyc", "0"), ("mark", "1110")),
        (("cyc", "1"), ("mark", "0011")),
    }


# ---- scoring ------------------------------------------------------------------------------------

X_NARROW, O_NARROW = EXAMPLES[8][1], EXAMPLES[9][1]
X_CLEAR, DRAW = EXAMPLES[6][1], EXAMPLES[13][1]
SCORES = [
    (X_NARROW, {}, (0, (1, 0.5), True, "earlier line")),
    (O_NARROW, {}, (1, (0.5, 1), True, "earlier line")),
    (X_NARROW, {"goff_points": False}, (0, (1, 0), True, "earlier line")),
    (O_NARROW, {"goff_points": False}, (1, (0, 1), True, "earlier line")),
    (X_NARROW, {"criterion": "clear"}, (None, (0, 0), False, "a line each")),
    (O_NARROW, {"criterion": "clear", "goff_points": False}, (None, (0, 0), False, "a line each")),
    (X_CLEAR, {"criterion": "clear"}, (0, (1, 0), False, "three in a row")),
    (X_CLEAR, {"goff_points": False}, (0, (1, 0), False, "three in a row")),
    (DRAW, {"criterion": "clear"}, (None, (0, 0), False, "no line")),
]


@pytest.mark.parametrize(("text", "options", "end"), SCORES)
def test_scoring_options(text, options, end):
    result = match_from_compact(text, **options).result
    assert (result.winner, result.points, result.narrow, result.reason) == end


def symmetries():
    """The eight of the board, as tables from square to square."""
    rows = np.arange(1, 10).reshape(3, 3)
    turned = [np.rot90(rows, k) for k in range(4)]
    return [
        dict(zip(SQUARES, map(int, t.ravel()), strict=True))
        for t in (*turned, *map(np.transpose, turned))
    ]


@pytest.mark.parametrize("text", [row[1] for row in EXAMPLES if row[3] is not ...])
def test_the_result_does_not_depend_on_the_order_of_lines(text):
    known = match_from_compact(text).result
    landed = match_from_compact(text).position.landed
    for table in symmetries():
        turned = tuple(landed[table[s] - 1] for s in SQUARES)
        result = GAME.judge(turned)
        assert (result.winner, result.points, result.narrow) == (
            known.winner,
            known.points,
            known.narrow,
        )


def test_several_lines_of_one_side_count_by_their_oldest():
    # X has 1-2-3 (newest 9) and 1-5-9 (newest 7), O nothing; then O 7-8 and 4 make no line
    both = GAME.judge(board("1:1 2:3 3:9 5:5 9:7 4:2 6:4 7:6 8:8"))
    assert (both.winner, both.points, set(both.lines)) == (0, (1, 0), {(1, 2, 3), (1, 5, 9)})


# ---- compact form -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1-2", "expected a turn such as '1:1-2>1': got '1-2'"),
        ("1:1-2 3:1-2", "expected move 2 next: got '3:1-2'"),
        ("1:1-2 2:1-2>", "expected a turn such as '2:1-2>1': got '2:1-2>'"),
        ("1:0-2", "expected a turn such as '1:1-2>1': got '1:0-2'"),
        ("1:3>3", "expected a turn such as '1:1-2>1': got '1:3>3'"),
        ("resign 1:1-2", "expected a turn such as '1:1-2>1': got 'resign'"),
        (12, "expected a match as text, such as '1:1-2 2:1-2>1': got 12"),
    ],
)
def test_compact_text_that_is_none(text, message):
    with pytest.raises(InvalidMoveError) as error:
        from_compact(text)
    assert str(error.value) == message


def test_compact_text_of_illegal_moves_is_refused_by_the_match():
    with pytest.raises(IllegalMoveError) as error:
        match_from_compact("1:1-2 2:3-4>3")
    assert str(error.value) == (
        "illegal move 'collapse 3': no cycle waits for a collapse; X to move after 2 steps"
    )
    with pytest.raises(IllegalMoveError) as error:
        match_from_compact("1:1-2 2:1-2>3", collapse="chance")
    assert str(error.value) == (
        "illegal move 'collapse 3': nature decides where O2 settles, expected 'collapse'; "
        "X to move after 2 steps"
    )


def test_compact_form_takes_squares_in_any_order_and_prints_one():
    match = match_from_compact("1:2-1  2:5-2 3:9-5\n4:5-1>1")
    assert to_compact(match) == "1:1-2 2:2-5 3:5-9 4:1-5>1"
    assert from_compact("") == ()
    assert to_compact(()) == ""


def test_resigning_stands_in_the_compact_form():
    match = match_from_compact("1:1-2 2:3-4 resign")
    assert (match.result.winner, match.result.points) == (1, (0.0, 1.0))
    assert to_compact(match) == "1:1-2 2:3-4 resign"


# ---- invariants ---------------------------------------------------------------------------------


@given(st.randoms(use_true_random=False), st.sampled_from(["choice", "chance"]))
def test_a_random_match_keeps_its_marks(rng, collapse):
    match = Match("quantum_tictactoe", seed=rng.randrange(2**32), collapse=collapse)
    while match.result is None:
        assert (
            len(match.position.spooky) + sum(n is not None for n in match.position.landed)
            == match.position.placed
        )
        mover = (match.position.placed) % 2
        assert match.to_move == mover
        match.play(rng.choice(match.legal_moves))
    assert match.position.placed <= 9
    assert len(match.record) <= 9 + 4
    text = to_compact(match)
    again = match_from_compact(text, seed=3, collapse=collapse)
    assert again.position.landed == match.position.landed
    assert again.result == match.result
    assert to_compact(again) == text
    loaded = Match.from_json(match.to_json())
    assert (loaded.record, loaded.position) == (match.record, match.position)


def test_a_forged_save_is_refused():
    match = match_from_compact("1:1-2 2:1-2>1", seed=1)
    saved = json.loads(match.to_json())
    for line in ("collapse 1 cyc=0 mark=00", "collapse 1 cyc=0 mark=1", "collapse 1 mark=10"):
        with pytest.raises(SaveError):
            Match.from_json(json.dumps(saved | {"record": [*saved["record"][:2], line]}))


def test_options_are_named_when_wrong():
    with pytest.raises(ValueError, match="option collapse of quantum_tictactoe is one of"):
        Match("quantum_tictactoe", collapse="opponent")
    assert GAMES["quantum_tictactoe"] is QuantumTicTacToe
