"""What quantum checkers shows: the board, words, odds and the state, from a view alone."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html import unescape

import pytest

from qgames import draw
from qgames.choice import Choice
from qgames.core import Match, Move
from qgames.draw.scene import Look
from qgames.games.quantum_checkers import HOMES
from tests.checkers_book import DEAD
from tests.test_quantum_checkers import HALF, ROOT, match_from

SCENE = draw.scene("quantum_checkers")
SPREAD = {
    22: {22: ROOT, 17: 1j * HALF, 13: -HALF},
    31: {31: 1},
    1: {18: ROOT, DEAD: ROOT},
    2: {2: 1},
}


def plain(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", html))


def cells(svg: str) -> dict[int, str]:
    """The label of each square."""
    root = ET.fromstring(svg)
    found = [n for n in root.iter() if n.get("role") == "gridcell"]
    return {int(n.get("data-square") or 0): n.get("aria-label") or "" for n in found}


def test_squares_say_what_may_be_on_them():
    match = match_from(SPREAD, {13, 31})
    told = cells(SCENE.board(match.view(0), Look()))
    assert list(told) == list(range(1, 33))
    assert told[22] == "square 22, White man, 50 %, group A, also on 13 and 17"
    assert told[13] == "square 13, White king, 25 %, group A, also on 17 and 22"
    assert told[18] == "square 18, Black man, 50 %, group B, dead 50 %"
    assert told[31] == "square 31, White king"
    assert told[5] == "square 5, empty"


def test_pieces_carry_their_chance_and_threads_join_them():
    match = match_from(SPREAD, {13, 31})
    drawn = SCENE.board(match.view(0), Look())
    numbers = re.findall(r'font-weight="700" fill="var\(--qg-(wt|bt)\)"[^>]*>([^<]*)<', drawn)
    assert sorted(numbers) == [("bt", "50"), ("wt", "25"), ("wt", "25"), ("wt", "50")]
    strands = re.findall(r'stroke="var\(--qg-g[abcd]\)" stroke-width="2.2"', drawn)
    assert len(strands) == 2 * 2  # two threads of two strands; the half-dead piece has none


def test_the_board_is_turned_for_black():
    match = Match("quantum_checkers")
    place = {}
    for seat in (0, 1, None):
        root = ET.fromstring(SCENE.board(match.view(seat), Look()))
        cell = next(n for n in root.iter() if n.get("data-square") == "1")
        halo = next(n for n in cell.iter() if n.get("class") == "qg-halo")
        place[seat] = float(halo.get("cy") or 0)
        assert next(iter(cells(SCENE.board(match.view(seat), Look())))) == (32 if seat == 1 else 1)
    assert place[0] == place[None] < 50
    assert place[1] > 370


def test_a_choice_lights_its_targets_and_a_capture_its_way():
    match = match_from({22: {22: 1}, 1: {18: 1}, 2: {2: 1}})
    move = Move("jump", (22, 15))
    look = Look(choice=Choice(None, (22,)), targets=frozenset({15}))
    told = cells(SCENE.board(match.view(0), look))
    assert told[22].endswith("; chosen")
    assert told[15] == "square 15, empty; legal target"
    assert "qg-way" not in SCENE.board(match.view(0), look)
    whole = replace(look, choice=Choice(None, (22, 15)), move=move)
    assert "qg-way" in SCENE.board(match.view(0), whole)


def test_status_lines():
    match = match_from({22: {22: 1}, 31: {31: 1}, 1: {18: 1}, 2: {2: 1}})
    view = match.view(0)

    def said(**look) -> str:
        return plain(SCENE.status(view, Look(**look)))

    assert said() == "Your turn. A square that can capture must; you may choose another piece."
    assert said(choice=Choice(None, (22,))) == (
        "22 can capture 18, so it must; choose the landing square, or another piece."
    )
    assert said(choice=Choice(None, (31,))) == "31 is chosen. Now choose where it goes."
    assert said(choice=Choice(None, (31, 26))) == "31 to 26: now choose Classical or Quantum."
    whole = Look(choice=Choice("quantum", (31, 26)), move=Move("quantum", (31, 26)))
    assert plain(SCENE.status(view, whole)) == (
        "quantum 31 → 26 is chosen: read the odds, then press Play."
    )
    assert said(choice=Choice(None, (31,)), refused=5) == (
        "A man on square 31 moves to 26 or 27. Choose another square."
    )
    assert said(refused=5) == "Square 5 is empty. Choose another square."
    assert said(refused=2) == "The piece on square 2 is not White's. Choose another square."


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (
            "as_published",
            {
                "110": "Hit: jump to 15, Black's piece loses 50 %.",
                "100": "Miss: nobody is on 18. Black's piece is surely on 11.",
            },
        ),
        (
            "projective",
            {
                "110": "Hit: jump to 15, Black's piece is captured.",
                "100": "Miss: nobody is on 18. Black's piece is surely on 11.",
            },
        ),
        ("cat", {"10": "Jump to 15; Black's piece is 50 % more dead."}),
    ],
)
def test_consequences_of_a_capture(rule, words):
    match = match_from(
        {22: {22: 1}, 1: {18: ROOT, 11: ROOT}, 2: {12: 1}, 3: {9: 1}}, capture_rule=rule
    )
    view, move = match.view(0), Move("jump", (22, 15))
    told = {b.outcome[0][1]: plain(SCENE.consequence(view, b, move)) for b in view.outlook(move)}
    chained = " The capture goes on."
    assert {bits: line.removesuffix(chained) for bits, line in told.items()} == words
    assert all(draw.scene("quantum_checkers").thumbnail(view, b, move) for b in view.outlook(move))


def test_consequences_of_steps():
    pieces = {22: {22: 1}, 23: {21: ROOT, 17: ROOT}, 1: {2: 1}}
    view = match_from(pieces).view(0)

    def told(text: str) -> list[str]:
        move = Move.parse(text)
        return [plain(SCENE.consequence(view, b, move)) for b in view.outlook(move)]

    assert told("move 22 18") == ["the man moves to 18."]
    assert told("quantum 22 18") == ["the man both stays and moves: 22 50 % and 18 50 %."]
    assert told("move 17 14") == ["50 % of the man goes to 14."]
    assert sorted(told("move 22 17")) == [
        "17 is empty: the man moves to 17. White's piece is surely on 21.",
        "17 is occupied: nothing moves.",
    ]
    assert plain(SCENE.aftermath(view, Move.parse("move 22 17"))) == (
        "Measured: square 17. The turn is used either way."
    )


def test_the_state_pane_names_squares_not_bits():
    match = match_from(SPREAD, {13, 31})
    told = plain(draw.state_html(match.view(0), SCENE))
    for ket in ("|22⟩", "|17⟩", "|13K⟩", "|18⟩", "|†⟩"):
        assert ket in told
    assert "|22⟩+1/√2" in told
    assert "|17⟩+i/2" in told
    assert "|13K⟩−1/2" in told
    assert "White man on 17 and 22, king on 13" in told
    assert "Black man on 18, partly dead" in told
    assert "White 1: 31K" in told
    assert "0.50" not in told.split("Certain pieces")[0]
    assert "1.50" in told  # half a piece and a whole one


def test_controls_follow_the_turn():
    match = Match("quantum_checkers", chain_optional=True)
    drawn = SCENE.controls(match.view(0), Look())
    assert re.findall(r'data-verb="(\w+)"', drawn) == ["move", "quantum", "jump", "stop"]
    assert re.findall(r'data-verb="(\w+)"[^>]* disabled', drawn) == ["jump", "stop"]
    assert 'data-action="say" data-value="offer">' in drawn
    match.play("offer")
    drawn = SCENE.controls(match.view(1), Look())
    assert re.findall(r'data-verb="(\w+)"', drawn) == ["accept", "decline"]
    assert 'data-value="offer" disabled>' in drawn
    assert "offer" not in SCENE.controls(match.view(0), Look(disabled=True))


def test_labels_of_moves():
    labels = [
        SCENE.move_label(Move.parse(t)) for t in ("move 22 17", "quantum 22 17", "jump 22 15")
    ]
    assert labels == ["22–17", "22~17", "22×15"]
    phrases = [SCENE.move_phrase(Move.parse(t)) for t in ("quantum 22 17", "jump 22 15", "offer")]
    assert phrases == ["quantum 22 → 17", "capture 22 × 18 → 15", "draw?"]


def test_endings():
    match = match_from({22: {22: 1}, 1: {18: 1}})
    match.play("jump 22 15")
    assert plain(SCENE.status(match.view(0), Look())) == (
        "White wins: all pieces of the other side are gone."
    )
    assert SCENE.score(match.view(0), 1) == "0.0"
    assert HOMES.index(22) == 13


def test_exchange_gates_are_drawn_as_two_boxes():
    match = Match("quantum_checkers", seed=1)
    match.play("quantum 22 18")
    drawn = draw.circuit_svg(match.view(0), SCENE)
    gate = re.search(r'<g data-op="xx_plus_yy".*?</g>', drawn)
    assert gate is not None
    assert gate[0].count("√i") == 2
    assert "data-op" not in draw.circuit_svg(Match("quantum_checkers").view(0), SCENE)
