"""Drawings, words and the panel of quantum tic-tac-toe."""

import random
import re
from xml.etree import ElementTree as ET

import pytest

from qgames import Match, Move, draw
from qgames.choice import Choice
from qgames.draw import theme
from qgames.draw.quantum_tictactoe import SCENE
from qgames.draw.scene import Look
from qgames.draw.tictactoe_words import cycle_text, square_value, threats, worth
from qgames.games.quantum_tictactoe import SQUARES, match_from_compact
from qgames.players.quantum_tictactoe import move_values
from qgames.widget import play

ALL = ("board", "hand", "odds", "circuit", "state", "moves")
OPEN_CYCLE = "1:6-7 2:6-7>6 3:1-2 4:2-5 5:3-8 6:5-9 7:1-5"
BOTH_LINES = "1:2-8 2:2-8>2 3:1-7 4:3-7 5:7-9 6:1-7>1"


def parsed(text):
    return ET.fromstring(f"<all>{text}</all>")


def words_of(text):
    return " ".join(" ".join(parsed(text).itertext()).split())


def board(match, seat=None, **look):
    return parsed(SCENE.board(match.view(seat), Look(**look)))


def cells(tree):
    return {int(c.get("data-square")): c for c in tree.iter() if c.get("data-square")}


def with_class(tree, name):
    return [e for e in tree.iter() if name in (e.get("class") or "").split()]


# ---- the board ----------------------------------------------------------------------------------


def test_every_cell_says_what_is_on_it():
    labels = {
        s: c.get("aria-label") for s, c in cells(board(match_from_compact(OPEN_CYCLE))).items()
    }
    assert labels == {
        1: "square 1, spooky x3 and x7, in the open cycle",
        2: "square 2, spooky x3 and o4, in the open cycle",
        3: "square 3, spooky x5",
        4: "square 4, empty",
        5: "square 5, spooky o4, o6 and x7, in the open cycle",
        6: "square 6, O2 for good",
        7: "square 7, X1 for good",
        8: "square 8, spooky x5",
        9: "square 9, spooky o6",
    }


def test_spooky_marks_stand_in_both_squares_with_their_numbers():
    found = {
        s: "".join(c.itertext()) for s, c in cells(board(match_from_compact(OPEN_CYCLE))).items()
    }
    assert found == {
        1: "x3x71",
        2: "x3o42",
        3: "x53",
        4: "4",
        5: "o4o6x75",
        6: "26",
        7: "17",
        8: "x58",
        9: "o69",
    }


def test_threads_join_the_halves_and_the_open_cycle_is_lit():
    tree = board(match_from_compact(OPEN_CYCLE))
    threads = {
        int(e.get("data-thread")): e.get("stroke") for e in tree.iter() if e.get("data-thread")
    }
    lit = "var(--qg-markline)"
    assert {n for n, hue in threads.items() if hue == lit} == {3, 4, 7}
    assert set(threads) == {3, 4, 5, 6, 7}
    assert threads[5] != threads[6], "two components, two hues"


def test_a_doubled_pair_shows_two_threads():
    tree = board(match_from_compact("1:1-2 2:1-2"))
    curves = {e.get("d") for e in tree.iter() if e.get("data-thread")}
    assert len(curves) == 2


@pytest.mark.parametrize(("chosen", "shown"), [((), set()), ((1,), {"0"}), ((5,), {"1"})])
def test_both_boards_of_a_collapse_are_there_as_ghosts(chosen, shown):
    match = match_from_compact(OPEN_CYCLE)
    tree = board(match, 1, choice=Choice(squares=chosen), targets=frozenset({1, 5}))
    ghosts = {g.get("data-result"): g for g in with_class(tree, "qg-would")}
    assert set(ghosts) == {"0", "1"}
    assert {n for n, g in ghosts.items() if "qg-shown" in g.get("class")} == shown
    marks = {n: len(list(g)) for n, g in ghosts.items()}
    assert marks["0"] == 2 + 2 + 2 * 3 + 0  # x on 1 and 2, o on 5 and 9 (ring, two edges), the ring
    would = {c.get("data-would"): s for s, c in cells(tree).items() if c.get("data-would")}
    assert would == {"0": 1, "1": 5}
    rule = '.qg:has([data-would="1"]:is(:hover,:focus-visible)) .qg-would[data-result="1"]'
    assert rule in theme.css()


def test_the_choice_boxes_light_the_ghosts_too():
    match = match_from_compact(OPEN_CYCLE)
    chooser = parsed(SCENE.controls(match.view(1), Look(targets=frozenset({1, 5}))))
    boxes = list(chooser.iter("button"))
    assert [(b.get("data-square"), b.get("data-would")) for b in boxes] == [("1", "0"), ("5", "1")]
    told = words_of(SCENE.controls(match.view(1), Look()))
    assert "x7 on 1 X then needs 3 or 4 . O then needs 3 or 4 ." in told
    assert "x7 on 5 X then needs 3 or 4 . O then needs 3 ." in told
    assert "The same either way: o6 → 9." in told
    watching = parsed(SCENE.controls(match.view(0), Look(disabled=True)))
    assert not list(watching.iter("button"))


def test_lines_of_both_sides_are_enclosed():
    tree = board(match_from_compact(BOTH_LINES))
    hues = [e.get("stroke") for e in tree.iter() if e.get("stroke-width") == "94"]
    assert sorted(hues) == ["var(--qg-s0)", "var(--qg-s1)"]
    won = board(match_from_compact("1:3-9 2:1-9 3:2-9 4:3-6 5:1-3>1"))
    assert len([e for e in won.iter() if e.get("stroke-width") == "94"]) == 1


def test_the_cycle_is_told_in_the_order_in_which_it_runs():
    assert cycle_text(match_from_compact(OPEN_CYCLE).position) == "1–2–5"
    assert cycle_text(match_from_compact("1:1-2 2:1-2").position) == "1–2"
    ring = match_from_compact("1:1-2 2:2-3 3:3-6 4:6-9 5:8-9 6:7-8 7:4-7 8:4-5 9:1-5")
    assert cycle_text(ring.position) == "1–2–3–6–9–8–7–4–5"


def test_threats_are_free_squares_that_finish_a_line():
    landed = match_from_compact("1:1-2 2:1-2>1 3:3-4 4:3-4>3").position.landed
    assert landed[:4] == (2, 1, 4, 3)
    assert threats(landed, 0) == []
    assert threats((1, 3, None, 2, 4, None, None, None, None), 0) == [3]
    assert threats((1, 3, None, 2, 4, None, None, None, None), 1) == [6]


# ---- words --------------------------------------------------------------------------------------

STATUS = [
    ("", 0, {}, "Your turn. Choose two squares for x1 ."),
    ("", 1, {}, "Player X to move."),
    ("1:1-2", 1, {}, "Player X placed x1 on 1 and 2. Your turn. Choose two squares for o2 ."),
    ("1:1-2", 0, {}, "You placed x1 on 1 and 2. Player O to move."),
    (
        "1:1-2",
        1,
        {"choice": Choice(squares=(2,))},
        "Square 2 chosen. Now choose the second square for o2 .",
    ),
    (
        "1:1-2",
        1,
        {"choice": Choice(squares=(2, 3)), "move": Move("place", (2, 3))},
        "Squares 2 and 3 chosen: press Play , or choose others.",
    ),
    (
        "1:1-2",
        1,
        {"choice": Choice(squares=(2, 1)), "move": Move("place", (1, 2))},
        "Squares 1 and 2 chosen: press Play , or choose others. This closes the cycle 1–2 : "
        "Player X chooses how it collapses.",
    ),
    (
        OPEN_CYCLE,
        1,
        {},
        "Player X closed the cycle 1–2–5 . Choose where x7 settles, square 1 or 5 . "
        "Then place move 8.",
    ),
    (OPEN_CYCLE, 0, {}, "You closed the cycle 1–2–5 . Player O to choose where it settles."),
    (
        OPEN_CYCLE,
        1,
        {"choice": Choice(squares=(5,)), "move": Move("collapse", (5,))},
        "Shown on the board: x7 on 5 . Press Play .",
    ),
    (OPEN_CYCLE, 1, {"refused": 3}, "x7 settles on 1 or 5 . Choose one of these."),
    (
        OPEN_CYCLE + ">5",
        1,
        {},
        "You let x7 settle on 5 . Your turn. Choose two squares for o8 .",
    ),
    (OPEN_CYCLE + ">5", 0, {}, "Player O let x7 settle on 5 . Player O to move."),
    (
        OPEN_CYCLE + ">5",
        1,
        {"refused": 9},
        "O6 has settled on square 9 . Choose another square.",
    ),
    (BOTH_LINES, 0, {}, "X wins narrowly , 1 : ½: the other line was finished later."),
    (
        "1:3-9 2:1-9 3:2-9 4:3-6 5:1-3>1",
        1,
        {},
        "X wins with 1–2–3.",
    ),
    (
        "1:3-8 2:3-6 3:3-9 4:1-9 5:2-3 6:4-7 7:1-4 8:4-5 9:4-5>5",
        1,
        {},
        "X wins with 1–2–3 and 2–5–8.",
    ),
    (
        "1:3-4 2:2-4 3:5-8 4:6-8 5:2-5 6:2-7 7:3-6>3 8:1-9 9:1-9>9",
        1,
        {},
        "Draw: nine classical squares, no line.",
    ),
    ("1:1-2 resign", 0, {}, "X wins: Player O has resigned."),
    (
        "1:6-9 2:8-9 3:2-9 4:5-8 5:1-2 6:5-8>8 7:4-7 8:4-7>4",
        0,
        {},
        "You let o8 settle on 4 . Put the last mark on square 3 .",
    ),
]


@pytest.mark.parametrize(("text", "seat", "look", "said"), STATUS)
def test_status(text, seat, look, said):
    view = match_from_compact(text, seed=1).view(seat)
    assert words_of(SCENE.status(view, Look(**look))) == said


def test_status_when_nature_decides():
    match = match_from_compact(OPEN_CYCLE, collapse="chance")
    assert words_of(SCENE.status(match.view(1), Look())) == (
        "Player X closed the cycle 1–2–5 . Press Play to measure where x7 settles, square 1 or 5 ."
    )
    match = match_from_compact(OPEN_CYCLE + ">1", collapse="chance")
    assert words_of(SCENE.status(match.view(0), Look())) == "x7 was found on 1 . Player O to move."
    assert SCENE.result_label(match.view(0), match.view(0).record[-1]) == "1"
    narrow = match_from_compact(BOTH_LINES, goff_points=False)
    assert words_of(SCENE.status(narrow.view(0), Look())) == (
        "X wins : the other line was finished later."
    )
    drawn = match_from_compact(BOTH_LINES, criterion="clear")
    assert words_of(SCENE.status(drawn.view(0), Look())) == ("Draw: each side has a line.")


def test_consequences():
    match = match_from_compact(OPEN_CYCLE)
    view = match.view(1)
    (branch,) = view.outlook(Move("collapse", (1,)))
    assert words_of(SCENE.consequence(view, branch, Move("collapse", (1,)))) == (
        "X takes 1 and 2 . O takes 5 and 9 . X then needs 3 or 4 . O then needs 3 or 4 ."
    )
    start = match_from_compact("1:1-2")
    (branch,) = start.view(1).outlook(Move("place", (1, 2)))
    assert words_of(SCENE.consequence(start.view(1), branch, Move("place", (1, 2)))) == (
        "o2 is on 1 and 2 at once, each with the same chance. "
        "This closes the cycle 1–2 : Player X chooses how it collapses."
    )
    won = match_from_compact("1:3-9 2:1-9 3:2-9 4:3-6 5:1-3")
    (branch,) = won.view(1).outlook(Move("collapse", (1,)))
    assert words_of(SCENE.consequence(won.view(1), branch, Move("collapse", (1,)))).endswith(
        "X wins."
    )


@pytest.mark.parametrize("options", [{}, {"collapse": "chance"}, {"criterion": "clear"}], ids=str)
def test_rules_in_short_tell_the_options_of_the_match(options):
    told = words_of(SCENE.rules(Match("quantum_tictactoe", **options).view(0)))
    assert ("chance decides" in told) == ("collapse" in options)
    assert ("the match is drawn" in told) == ("criterion" in options)
    assert ("1 point against ½" in told) == ("criterion" not in options)


# ---- the state pane -----------------------------------------------------------------------------


def test_the_state_in_squares_is_read_from_the_state():
    told = words_of(SCENE.facts(match_from_compact(OPEN_CYCLE).view(0)))
    assert "x3 o4 o6 x7 2 5 9 1 50 % if x7 is on 1 1 2 9 5 50 % if x7 is on 5" in told
    assert "1 x3 50 % x7 50 %" in told
    assert "9 o6 100 %" in told
    assert "4 empty" in told
    assert "6 O2 for good" in told
    settled = words_of(SCENE.facts(match_from_compact(OPEN_CYCLE + ">5").view(0)))
    assert "Boards that fit" not in settled


def test_wires_are_told_by_their_squares():
    view = match_from_compact(OPEN_CYCLE).view(0)
    texts = [SCENE.wire_text(view, wire) for wire in range(9)]
    assert texts == ["on 7", "on 6", "1 | 2", "2 | 5", "3 | 8", "5 | 9", "1 | 5", "–", "–"]
    sides = [SCENE.fixed(view.position, wire) for wire in range(9)]
    assert sides == [0, 1, None, None, None, None, None, None, None]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("collapse", ["choice", "chance"])
def test_drawings_of_random_matches_are_well_formed(seed, collapse):
    rng, match = random.Random(seed), Match("quantum_tictactoe", seed=seed, collapse=collapse)
    while match.to_move is not None:
        move = rng.choice(match.legal_moves)
        for seat in (match.to_move, None):
            preview = move if seat is not None else None
            tree = parsed(draw.picture(match, seat, panes=ALL, preview=preview))
            assert set(cells(with_class(tree, "qg-board")[0])) == set(SQUARES)
        match.play(move)
    text = draw.picture(match, 0, panes=ALL)
    assert not re.search(r'\bid="', text)
    sizes = [float(s) for s in re.findall(r'font-size="([\d.]+)"', text)]
    assert min(sizes) >= 12


# ---- the panel ----------------------------------------------------------------------------------


def clicks(widget, *squares):
    """Choose squares, then press Play."""
    for square in squares:
        widget.receive({"on": "click", "square": str(square)})
    widget.receive({"on": "click", "action": "play"})
    assert not widget.error


def test_a_match_with_both_lines_by_clicks():
    w = play("quantum_tictactoe", "practice", seed=1)
    clicks(w, 8, 2)
    clicks(w, 2, 8)
    assert "O2 closed" not in w.bar
    assert w.match.position.pending is not None
    clicks(w, 2)
    for pair in ((1, 7), (3, 7), (7, 9), (1, 7)):
        clicks(w, *pair)
    clicks(w, 1)
    assert w.match.result.points == (1.0, 0.5)
    assert "wins narrowly" in w.bar
    assert w.board.count('stroke-width="94"') == 2
    assert "½" in w.bar


def test_a_square_that_has_settled_is_refused_with_its_reason():
    w = play("quantum_tictactoe", "practice", seed=1)
    for squares in ((1, 2), (1, 2), (1,)):
        clicks(w, *squares)
    w.receive({"on": "click", "square": "2"})
    assert "<b>X1</b> has settled on square <b>2</b>. Choose another square." in w.bar
    assert len(w.match.record) == 3


def test_a_measurement_by_chance_is_one_press_of_play():
    w = play("quantum_tictactoe", "practice", seed=1, collapse="chance")
    clicks(w, 1, 2)
    clicks(w, 1, 2)
    assert "50 %" in w.odds
    w.receive({"on": "click", "action": "play"})
    assert w.match.position.landed[0] is not None


@pytest.mark.parametrize("opponent", ["greedy", "perfect"])
def test_the_panel_plays_against_each_computer(opponent):
    w = play("quantum_tictactoe", opponent, seed=2)
    rng = random.Random(2)
    while w.match.to_move is not None:
        w.play(rng.choice(w.match.legal_moves))
    assert w.match.result is not None


# ---- hints --------------------------------------------------------------------------------------


def test_hints_are_shown_when_asked_for_and_go_again():
    w = play(match_from_compact(OPEN_CYCLE), "practice", seat=1)
    assert 'data-action="hints"' in w.hand
    assert "worth" not in w.board
    w.receive({"on": "click", "action": "hints"})
    values = move_values(w.match.view(1))
    told = {1: "win", 0: "draw", -1: "loss"}
    labels = {s: c.get("aria-label") for s, c in cells(parsed(w.board)).items()}
    for move, value in values.items():
        assert labels[move.args[0]].endswith(f"; worth: {told[value]}")
        assert f"x7 on {move.args[0]} {told[value]}" in words_of(w.hand)
    w.receive({"on": "click", "action": "hints"})
    assert "worth" not in w.board


def test_a_square_is_worth_its_best_pair_and_then_the_pair():
    match = Match("quantum_tictactoe", seed=1)
    values = {Move("place", (1, 9)): 1, Move("place", (1, 2)): 0, Move("place", (2, 9)): -1}
    assert [square_value(Look(values=values), s) for s in (1, 2, 9, 5)] == [1, 0, 1, None]
    chosen = Look(choice=Choice(squares=(1,)), values=values)
    assert [square_value(chosen, s) for s in (2, 9)] == [0, 1]
    board_ = parsed(SCENE.board(match.view(0), chosen))
    assert cells(board_)[9].get("aria-label") == "square 9, empty; worth: win"


@pytest.mark.parametrize(
    ("value", "word"), [(1, "win"), (0.0, "draw"), (-1, "loss"), (0.25, "+0.25"), (-0.5, "−0.50")]
)
def test_values_in_words(value, word):
    assert worth(value) == word


def test_other_games_have_no_hints():
    w = play("qlanet", "practice", seed=1)
    assert "hints" not in w.hand
    w.receive({"on": "click", "action": "hints"})
    assert not w.hints
