"""A half-made choice: squares and verb in either order, asked of the view's legal moves alone."""

import random

import pytest

from qgames import Match, Move
from qgames.choice import Choice


def view_of(**options: object):
    match = Match("qlanet", seed=1, **(options or {"hands": "any"}))
    return match.view(match.to_move)


def picked(choice: Choice | None, view, *squares: int) -> Choice:
    for square in squares:
        assert choice is not None
        choice = choice.pick(view, square)
    assert choice is not None
    return choice


@pytest.mark.parametrize("move", ["h 5", "m 1", "cx0 6 2", "cx1 2 6", "sw 2 6", "bm 4 9"])
def test_card_first_and_planets_first_give_the_same_move(move: str) -> None:
    view, wanted = view_of(), Move.parse(move)
    card_first = picked(Choice().take(view, wanted.verb), view, *wanted.args)
    planets_first = picked(Choice(), view, *wanted.args).take(view, wanted.verb)
    assert planets_first is not None
    assert card_first.move(view) == planets_first.move(view) == wanted


def test_unordered_planets_may_be_picked_in_either_order() -> None:
    view = view_of()
    for squares in ((6, 9), (9, 6)):
        choice = picked(Choice().take(view, "bm"), view, *squares)
        assert choice.move(view) == Move("bm", (6, 9))
    assert picked(Choice().take(view, "cx1"), view, 9, 6).move(view) == Move("cx1", (9, 6))


def test_targets_are_what_may_come_next() -> None:
    view = view_of()
    assert Choice().targets(view) == set(range(1, 10))
    one = picked(Choice().take(view, "cx0"), view, 3)
    assert one.targets(view) == set(range(1, 10)) - {3}
    two = picked(one, view, 4)
    assert two.targets(view) == set()
    assert picked(Choice().take(view, "m"), view, 3).targets(view) == set()


def test_verbs_that_fit_the_squares() -> None:
    view = view_of()
    assert {v for v, _ in picked(Choice(), view, 1, 2).verbs(view)} == {"cx0", "cx1", "sw", "bm"}
    assert len(Choice().verbs(view)) == 8


def test_no_move_before_it_is_unique() -> None:
    view = view_of()
    assert Choice().move(view) is None
    assert Choice("m").move(view) is None
    assert picked(Choice(), view, 5).move(view) is None  # x, h, z, m or half of a pair
    assert picked(Choice("bm"), view, 5).move(view) is None


def test_picking_again_takes_back() -> None:
    view = view_of()
    one = picked(Choice("bm"), view, 6)
    assert one.pick(view, 6) == Choice("bm")
    assert one.take(view, "bm") == Choice(None, (6,))
    assert picked(one, view, 9).back() == one
    assert one.back() == Choice("bm")
    assert Choice("bm").back() == Choice()
    assert Choice().back() == Choice()


def test_a_square_that_fits_nothing_starts_anew_or_is_refused() -> None:
    view = view_of()
    full = picked(Choice("m"), view, 5)
    assert full.pick(view, 7) == Choice("m", (7,))
    match = Match("qlanet", seed=1, hands="any")
    match.play("m 5")
    fixed = match.view(match.to_move)
    assert Choice("h").pick(fixed, 5) is None
    assert Choice().pick(fixed, 5) is None
    assert Choice().pick(fixed, 77) is None


def test_a_card_that_does_not_fit_lets_squares_go() -> None:
    view = view_of()
    pair = picked(Choice(), view, 2, 3)
    assert pair.take(view, "m") == Choice("m", (2,))
    assert pair.take(view, "sw") == Choice("sw", (2, 3))
    assert pair.take(view, "nothing") is None


def test_nothing_can_be_chosen_on_somebody_elses_turn() -> None:
    match = Match("qlanet", seed=1, hands="any")
    for seat in (1, None):
        view = match.view(seat)
        assert Choice().candidates(view) == ()
        assert Choice().targets(view) == frozenset()
        assert Choice().pick(view, 1) is None
        assert Choice().take(view, "h") is None


@pytest.mark.parametrize("seed", range(4))
def test_every_legal_move_can_be_made_by_picking(seed: int) -> None:
    match, rng = Match("qlanet", seed=seed), random.Random(seed)
    for _ in range(15):
        if match.to_move is None:
            break
        view = match.view(match.to_move)
        for move in view.legal_moves:
            taken = Choice().take(view, move.verb, move.secret)
            choice = picked(taken, view, *move.args) if move.args else taken
            assert choice is not None
            assert choice.move(view) == move
        match.play(rng.choice(match.legal_moves))
