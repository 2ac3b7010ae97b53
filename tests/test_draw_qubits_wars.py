"""Drawings of The |Qubits> Wars: well formed, nothing secret in them, every card has its way in."""

import random
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from qgames import Match, Move
from qgames.choice import Choice
from qgames.draw import Look, chip, odds_html, picture, scene
from qgames.draw.qubits_wars_sheet import histogram, score_sheet
from qgames.games import qubits_wars_cards as cards
from qgames.widget.panel import play
from tests.wars_table import seated, spread
from tests.wars_twins import twins

SHOW = scene("qubits_wars")
ALL = ("board", "hand", "odds", "state", "moves")


def parsed(text: str) -> ET.Element:
    return ET.fromstring(f"<all>{text}</all>")


def random_match(seed: int, **options: object) -> Match:
    rng, match = random.Random(seed), Match("qubits_wars", seed=seed, **options)
    while match.to_move is not None and len(match.record) < 400:
        moves = [m for m in match.legal_moves if m.verb not in ("pass", "change")]
        match.play(rng.choice(moves or match.legal_moves))
    return match


@pytest.mark.parametrize(
    "options",
    [
        {"seats": 3, "rounds": "quick"},
        {"seats": 2, "rounds": "quick", "mode": "intermediate", "n_qubits": 3, "columns": 6},
        {"seats": 6, "rounds": "quick", "mode": "advance", "n_qubits": 5, "missions": "chosen"},
    ],
)
def test_drawings_of_random_matches_are_well_formed(options: dict[str, object]) -> None:
    match = random_match(3, **options)
    assert match.result is not None
    for at in range(1, len(match.record) + 1, 11):
        for seat in (0, match.game.seats - 1, None):
            view = match.view(seat, at)
            parsed(picture(view, panes=ALL))
            for move in view.legal_moves[::9]:
                parsed(odds_html(view, SHOW, move))
                parsed(SHOW.board(view, Look(move=move)))


@pytest.mark.parametrize("seed", range(3))
def test_drawings_tell_no_secret(seed: int) -> None:
    match, rng = Match("qubits_wars", seed=seed, seats=3), random.Random(seed)
    while len(match.record) < 25:
        moves = [m for m in match.legal_moves if m.verb not in ("pass", "change")]
        match.play(rng.choice(moves or match.legal_moves))
    for seat in (0, 1, 2, None):
        for twin in twins(match, seat, most=2, seed=seed):
            assert picture(twin, seat, panes=ALL) == picture(match, seat, panes=ALL)


def test_every_card_has_a_name_words_and_a_kind() -> None:
    for card in {*cards.deck(), *cards.deck(identical=True)}:
        match = seated({0: card}, cnot_two_identical=card == "cnot")
        assert 'data-slot="0"' in SHOW.controls(match.view(0), Look())


@pytest.mark.parametrize(
    ("hand", "clicks", "move"),
    [
        ("h", ["verb:h", "square:q2"], "h q2"),
        ("control target", ["verb:cnot", "square:q3", "square:q0"], "cnot q3 q0"),
        ("late-flip", ["verb:noise:late-flip", "square:q1"], "noise q1 (late-flip)"),
        ("relocate", ["verb:relocate", "square:q0.1", "square:q3"], "relocate q0.1 q3"),
        ("scout", ["verb:scout", "square:p1"], "scout p1"),
        ("x", ["verb:change", "square:x"], "change x"),
        ("lone target", ["verb:lone-target", "square:q0", "square:q1"], "lone-target q0 q1"),
        ("id", ["verb:pass"], "pass"),
    ],
)
def test_a_move_by_clicks(hand: str, clicks: list[str], move: str) -> None:
    """Each thing that is clicked stands in the drawing with that very mark."""
    match = seated({0: "x", 1: "id", 2: "z"}, deck="")
    spread(match, "x q0, a, pass, pass")
    match = spread(seated({0: f"h {hand}", 1: "id"}), "h q0, a, pass, pass")
    view, choice = match.view(0), Choice()
    for click in clicks:
        kind, name, *secret = click.split(":")
        look = Look(choice, targets=choice.targets(view))
        drawn = SHOW.controls(view, look) + SHOW.board(view, look)
        assert f'data-{kind}="{name}"' in drawn, click
        found = (
            choice.take(view, name, tuple(secret)) if kind == "verb" else choice.pick(view, name)
        )
        assert found is not None
        choice = found
    assert choice.move(view) == Move.parse(move)


def test_a_quick_game_in_the_panel_with_a_cancelled_card_and_a_noise() -> None:
    who = ["person", "greedy", "spoiler"]
    panel = play("qubits_wars", players=who, seats=3, seed=25, rounds="quick")
    panel.receive({"on": "click", "verb": "noise", "secret": "readout-error", "slot": "3"})
    panel.receive({"on": "click", "square": "q1"})
    panel.receive({"on": "click", "action": "play"})
    cancelled = False
    for _ in range(60):
        verbs = {m.verb for m in panel.view.legal_moves}
        if panel.match.result is not None:
            break
        if panel.move is None:
            stack = panel.match.position.stack
            mine = not stack or stack[-1].seat == 0
            use = "allow" if "allow" in verbs else "pass"
            use = "cancel" if "cancel" in verbs and not mine else use
            cancelled = cancelled or use == "cancel"
            panel.receive({"on": "click", "verb": use})
        panel.receive({"on": "click", "action": "play"})
        assert not panel.error
    assert cancelled
    assert panel.match.result is not None
    assert "Readout error" in panel.state
    assert "Why this result?" in panel.state


def test_a_histogram_has_a_box_a_shot_and_names_who_is_hit() -> None:
    text = histogram({"00": 0.5, "11": 0.5}, Counter({"00": 3, "11": 5}), 8, {1: "1*"})
    assert parsed(text) is not None
    assert text.count("<rect") == 16
    assert "00: 3, 50 %" in text
    assert "11: 5, 50 %" in text


def test_the_score_sheet_shows_both_sides() -> None:
    match = random_match(5, seats=2, rounds="quick", mode="intermediate")
    sheet = score_sheet(match.view(None))
    parsed(sheet)
    assert "circuit record" in sheet
    assert "Back: histogram of 8 shots" in sheet


def test_the_rules_say_whose_design_the_cards_are() -> None:
    words = SHOW.rules(Match("qubits_wars", seed=1).view(0))
    assert "does not list its cards" in words
    assert "our own design" in words


def test_players_have_no_hue_of_a_basis_state() -> None:
    """Blue and orange mean 0 and 1 there; six seats are six shapes."""
    match = Match("qubits_wars", seats=6, seed=1)
    assert {SHOW.seat_hue(seat) for seat in range(6)}.isdisjoint({"s0", "s1"})
    assert len({SHOW.seat_mark(5, 5, 4, seat) for seat in range(6)}) == 6
    chips = "".join(chip(match.view(0), SHOW, seat) for seat in range(6))
    assert "--qg-s0" not in chips
    assert "--qg-s1" not in chips
    assert f"qg-side-{SHOW.seat_hue(match.to_move)}" in chips
