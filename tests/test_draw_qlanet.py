"""QLANET's board, hand, odds and words, case by case."""

import random
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from qgames import Match, Move
from qgames.choice import Choice
from qgames.core import View
from qgames.draw import Look, chip, odds_heading, odds_html, play_label, scene
from qgames.draw.known import foreseen, outlook
from tests.matches import practice, published

SHOW = scene("qlanet")
SVG = "{http://www.w3.org/2000/svg}"


def tree(text: str) -> ET.Element:
    return ET.fromstring(f"<all>{text}</all>")


def words(text: str) -> str:
    return " ".join("".join(tree(text).itertext()).split())


def board(view: View, look: Look | None = None) -> ET.Element:
    return tree(SHOW.board(view, look or Look()))


def cells(view: View, look: Look | None = None) -> dict[int, ET.Element]:
    return {
        int(g.attrib["data-square"]): g
        for g in board(view, look).iter(f"{SVG}g")
        if "data-square" in g.attrib
    }


def labels(view: View, look: Look | None = None) -> dict[int, str]:
    return {p: g.attrib["aria-label"] for p, g in cells(view, look).items()}


# ---- the board ----------------------------------------------------------------------------------


def test_the_board_is_a_grid_of_three_rows() -> None:
    svg = board(published().view(0)).find(f"{SVG}svg")
    assert svg is not None
    assert svg.attrib["role"] == "grid"
    rows = [g for g in svg.iter(f"{SVG}g") if g.get("role") == "row"]
    numbers = [[g.attrib["data-square"] for g in r if g.get("role") == "gridcell"] for r in rows]
    assert numbers == [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"]]


def test_one_cell_is_in_the_tab_order() -> None:
    view = published().view(0)

    def stops(look: Look) -> list[int]:
        return [p for p, g in cells(view, look).items() if g.attrib["tabindex"] == "0"]

    assert stops(Look()) == [1]
    assert stops(Look(choice=Choice("cx0", (6, 9)))) == [9]


def test_cells_are_told_in_full() -> None:
    assert labels(published().view(0)) == {
        1: "planet 1, plus",
        2: "planet 2, fixed 1",
        3: "planet 3, minus",
        4: "planet 4, plus",
        5: "planet 5, unknown to you, hidden from Player 1",
        6: "planet 6, entangled with 9, group A, hidden from Player 1",
        7: "planet 7, minus",
        8: "planet 8, plus",
        9: "planet 9, entangled with 6, group A, hidden from Player 1",
    }
    assert labels(published().view(1))[6] == "planet 6, unknown to you, entangled with 9, group A"
    look = Look(choice=Choice("cx0", (6,)), targets=frozenset({5, 9}))
    assert labels(published().view(0), look)[9].endswith("hidden from Player 1; legal target")
    assert labels(published().view(0), look)[6].endswith("hidden from Player 1; chosen")
    assert labels(published().view(0), look)[1] == "planet 1, plus"


def test_the_bell_state_is_named_only_to_whom_it_is_known() -> None:
    names = {
        seat: [t.text for t in board(published().view(seat)).iter(f"{SVG}text")]
        for seat in (0, 1, None)
    }
    assert "S−" in names[0]
    assert "S−" not in names[1]
    assert "S−" not in names[None]


def dotted(cell: ET.Element) -> bool:
    """Whether a cell has the dotted ring of a legal target."""
    return any(
        c.get("stroke-dasharray") == "1 5" and c.get("stroke") == "var(--qg-ink)" for c in cell
    )


def test_targets_are_lit_once_a_card_is_chosen() -> None:
    view = published().view(0)
    targets = frozenset({1, 3, 9})
    with_card = cells(view, Look(choice=Choice("cx0", (6,)), targets=targets))
    assert {p for p, g in with_card.items() if dotted(g)} == targets
    for look in (
        Look(choice=Choice(None, (6,)), targets=targets),
        Look(choice=Choice("cx0", (6,)), targets=targets, disabled=True),
    ):
        assert not any(map(dotted, cells(view, look).values()))


@pytest.mark.parametrize(("verb", "first"), [("cx0", "bg"), ("cx1", "ink")])
def test_roles_of_an_ordered_pair(verb: str, first: str) -> None:
    found = cells(published().view(0), Look(choice=Choice(verb, (9, 6))))
    assert [g.attrib["aria-selected"] for g in found.values()].count("true") == 2
    dots = {
        p: [c.attrib["fill"] for c in g.findall(f"{SVG}circle") if float(c.attrib["r"]) in (4.6, 5)]
        for p, g in found.items()
    }
    assert dots[9] == [f"var(--qg-{first})"]
    assert dots[6] == []
    pluses = [
        p
        for p, g in found.items()
        if any(float(c.attrib["r"]) == 6.6 for c in g.findall(f"{SVG}circle"))
    ]
    assert pluses == [6]


def test_fixed_planets_are_closed_and_say_no_when_tried() -> None:
    view = published().view(0)
    found = cells(view, Look(refused=2))
    assert [p for p, g in found.items() if g.get("aria-disabled")] == [2]
    assert found[2].attrib["class"] == "qg-cell qg-tried"
    tried = cells(view, Look(choice=Choice("cx0", (6,)), refused=6))[6]
    assert any(g.get("class") == "qg-no" for g in tried)


def test_a_disabled_board_is_faint_and_a_finished_one_is_not() -> None:
    view = published().view(0)
    assert all(
        any(g.get("class") == "qg-faint" for g in cell)
        for cell in cells(view, Look(disabled=True)).values()
    )
    won = finished("three in a row").view(0)
    assert "qg-faint" not in SHOW.board(won, Look(disabled=True))


def finished(reason: str) -> Match:
    for seed in range(300):
        rng, match = random.Random(seed), practice(seed)
        while match.to_move is not None:
            moves = [m for m in match.legal_moves if m.verb == "m"]
            match.play(rng.choice(moves))
        assert match.result is not None
        if match.result.reason == reason:
            return match
    raise AssertionError(f"no match ended by {reason}")


def test_the_winning_line_is_enclosed() -> None:
    match = finished("three in a row")
    result = match.result
    assert result is not None
    ring = f'stroke="var(--qg-s{result.winner})" stroke-width="100"'
    assert SHOW.board(match.view(None), Look()).count(ring) == len(result.lines)
    assert ring not in SHOW.board(published().view(0), Look())


def test_five_planets_are_enclosed_one_by_one() -> None:
    match = finished("five planets")
    assert match.result is not None
    ring = f'stroke="var(--qg-s{match.result.winner})" stroke-width="100"'
    assert SHOW.board(match.view(None), Look()).count(ring) == len(match.result.lines) >= 5


def test_a_hovered_outcome_is_drawn_as_a_ghost() -> None:
    view, move = published().view(0), Move("m", (5,))
    branches = outlook(view, move)
    plain = SHOW.board(view, Look(move=move))
    for branch in branches:
        ghost = cells(view, Look(move=move, ghost=branch))
        with_ghost = [
            p
            for p, g in ghost.items()
            if any(e.get("class") == "qg-ghost" for e in g.iter(f"{SVG}g"))
        ]
        assert with_ghost == [5]
        assert SHOW.board(view, Look(move=move, ghost=branch)) != plain


@pytest.mark.parametrize("pair", [(1, 3), (1, 7), (3, 9), (7, 9), (1, 9), (3, 7), (2, 8), (4, 6)])
def test_threads_swing_around_a_disc_in_their_way(pair: tuple[int, int]) -> None:
    a, b = pair
    match = practice(7, f"bm {a} {b}")
    middle = (a + b) // 2
    x, y = 180 + 115.92 * ((middle - 1) % 3 - 1), 180 + 115.92 * ((middle - 1) // 3 - 1)
    strands = [
        e.attrib["d"]
        for e in board(match.view(None)).iter(f"{SVG}path")
        if e.get("stroke") == "var(--qg-ga)" and e.get("stroke-width") == "2.2"
    ]
    assert len(strands) == 2
    for d in strands:
        points = [tuple(map(float, p)) for p in re.findall(r"([\d.]+) ([\d.]+)", d)]
        assert min((px - x) ** 2 + (py - y) ** 2 for px, py in points) > 43**2
        assert all(0 < c < 360 for p in points for c in p)


# ---- the hand -----------------------------------------------------------------------------------


def cards(view: View, look: Look) -> list[tuple[str | bool | None, ...]]:
    """(verb, slot, pressed, disabled) of each card."""
    buttons = tree(SHOW.controls(view, look)).iter("button")
    names = ("data-verb", "data-slot", "aria-pressed")
    return [(*map(b.get, names), b.get("aria-disabled") == "true") for b in buttons]


def test_a_hand_of_cards() -> None:
    match = Match("qlanet", seed=5)
    view = match.view(0)
    hand = match.position.hands[0]
    look = Look(choice=Choice(hand[2]), slot=2)
    assert cards(view, look) == [
        (card, str(n), "true" if n == 2 else "false", False) for n, card in enumerate(hand)
    ]
    pills = [
        words(ET.tostring(span, encoding="unicode"))
        for span in tree(SHOW.controls(view, look)).iter("span")
        if span.get("class") == "qg-pill"
    ]
    costs = match.game.costs
    assert pills == [f"{card.upper()} {costs[card]}" for card in match.position.hands[1]]


def test_a_disabled_hand() -> None:
    view = Match("qlanet", seed=5).view(0)
    assert all(shut for *_rest, shut in cards(view, Look(disabled=True)))
    other = Match("qlanet", seed=5).view(1)
    assert all(shut for *_rest, shut in cards(other, Look()))


def test_a_card_without_a_target_says_so() -> None:
    match = practice(3)
    view = match.view(0)
    last = replace(match.position, fixed=(0, 1, 0, 1, None, 0, 1, 0, 1))
    one_left = match.game.view(0, last, view.history)
    shut = [verb for verb, _s, _p, closed in cards(one_left, Look()) if closed]
    assert shut == ["cx0", "cx1", "sw", "bm"]
    assert words(SHOW.controls(one_left, Look())).count("no target") == 4
    assert words(SHOW.refusal(one_left, "bm")) == (
        "Card BM has no target now. Choose another card."
    )


# ---- odds ---------------------------------------------------------------------------------------


def boxes(match: Match, move: str, seat: int = 0) -> list[str]:
    view = match.view(seat)
    return [
        words(ET.tostring(div, encoding="unicode"))
        for div in tree(odds_html(view, SHOW, Move.parse(move))).iter("div")
        if str(div.get("class")).startswith("qg-oc")
    ]


@pytest.mark.parametrize(
    ("moves", "seat", "move", "told"),
    [
        ((), 0, "m 1", ["50 %1 is fixed 0, yours for good.", "50 %1 is fixed 1, lost for good."]),
        (("bm 6 9",), 1, "m 1",
         ["50 %1 is fixed 0, lost for good.", "50 %1 is fixed 1, yours for good."]),
        ((), 0, "z 4", ["certain4 becomes +."]),
        ((), 0, "x 4", ["certainNothing changes on the board."]),
        ((), 0, "h 4", ["certain4 becomes 1."]),
        (("h 1",), 1, "m 1", ["certain1 is fixed 0, lost for good."]),
        (("h 3",), 1, "cx1 1 3", ["certain1 and 3 are entangled: S+."]),
        ((), 0, "sw 1 3", ["certain1 becomes −. 3 becomes +."]),
        (
            (),
            0,
            "bm 1 2",
            [
                "50 %P+: 1 and 2 are |00⟩ + |11⟩.",
                "50 %S+: 1 and 2 are |01⟩ + |10⟩.",
            ],
        ),
        (("bm 6 9", "z 2", "h 2", "m 2", "z 4"), 0, "z 6", ["certain6 and 9 are now S+."]),
        (
            ("bm 6 9", "z 2", "h 2", "m 2", "z 4"),
            0,
            "cx0 6 9",
            ["certain6 becomes −, no longer entangled. 9 becomes 0, no longer entangled."],
        ),
    ],
)  # fmt: skip
def test_consequences(moves: tuple[str, ...], seat: int, move: str, told: list[str]) -> None:
    assert boxes(practice(7, *moves), move, seat) == told


def test_a_winning_measurement_says_so() -> None:
    match = practice(7, "h 1", "h 2", "h 8", "m 1")
    seat = match.to_move
    assert seat is not None
    for move in ("h 9", "m 2", "h 9", "h 9", "h 9", "h 9"):
        if match.position.fixed[1] is None:
            match.play(move)
    # 1 and 2 are 0!; planet 3 is -, so M on it is a coin toss that may end the match
    while match.to_move != 0:
        match.play("z 7")
    assert boxes(match, "m 3") == [
        "50 %3 is fixed 0, yours for good. You win.",
        "50 %3 is fixed 1, lost for good.",
    ]
    other = practice(7)
    assert "You win" not in "".join(boxes(other, "m 3"))


def test_more_than_four_outcomes_are_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qgames.draw.odds.MOST", 3)
    told = boxes(practice(7), "bm 5 6")
    assert len(told) == 3
    assert told[-1] == "2 more outcomes, 50 %"


def test_four_outcomes_are_shown() -> None:
    assert [t.split(":")[0] for t in boxes(practice(7), "bm 5 6")] == [
        "25 %P+", "25 %S+", "25 %P−", "25 %S−"
    ]  # fmt: skip


def test_the_odds_shown_are_the_odds_of_the_match() -> None:
    for seed in range(3):
        match = practice(seed, "bm 1 5", "cx1 1 2", "h 3")
        seat = match.to_move
        assert seat is not None
        for move in match.legal_moves[::11]:
            shown = [b.chance for b in outlook(match.view(seat), move)]
            assert sorted(shown) == pytest.approx(sorted(match.odds(move).values()))


def test_headings_and_the_play_button() -> None:
    assert odds_heading(SHOW, Move.parse("m 5")) == "If you play M on 5"
    assert play_label(SHOW, Move.parse("cx0 6 9")) == "Play CX0, 6 → 9"
    assert odds_heading(SHOW, Move.parse("bm 6 9")) == "If you play BM on 6, 9"
    assert (odds_heading(SHOW, None), play_label(SHOW, None)) == ("If you play", "Play")


def test_what_the_other_player_will_see() -> None:
    told = words(odds_html(practice(7).view(0), SHOW, Move.parse("bm 6 9")))
    assert "Player 1 will see ? on 6 and 9." in told
    told = words(odds_html(practice(7).view(0), SHOW, Move.parse("cx1 1 2")))
    assert "will see" not in told


@pytest.mark.parametrize(
    ("moves", "seat", "move", "told"),
    [
        (("bm 6 9", "z 2", "h 2", "m 2", "z 4"), 0, "m 5",
         "Cost 10 + 10 = 20. Player 1 has 15, so Player 1 moves next"),
        (("bm 6 9", "z 2", "h 2", "m 2", "z 4"), 0, "cx0 6 9",
         "Cost 10 + 3 = 13. Still below 15, so you move again"),
        (("z 1",), 1, "z 2", "Cost 0 + 2 = 2, a tie: so you move again"),
        ((), 0, "bm 1 2", "Cost 0 + 8 = 8. Player 1 has 0, so Player 1 moves next"),
    ],
)  # fmt: skip
def test_the_cost_says_who_moves_next(
    moves: tuple[str, ...], seat: int, move: str, told: str
) -> None:
    match = practice(7, *moves)
    assert told in words(odds_html(match.view(seat), SHOW, Move.parse(move)))
    before = match.to_move
    match.play(move)
    assert ("so you move again" in told) == (match.to_move == before)


def test_the_cost_line_holds_any_totals() -> None:
    from qgames.draw.qlanet_outlook import _cost_line, _scale

    for totals in [(0, 0), (10, 15), (87, 92), (0, 400), (1999, 3), (33, 33)]:
        for seat in (0, 1):
            for cost in (2, 10):
                after = totals[seat] + cost
                low, step, ticks = _scale(min(totals), max(*totals, after))
                assert low <= min(totals)
                assert max(*totals, after) <= low + step * ticks
                assert ticks <= 5
                tree(_cost_line(totals, seat, cost))


def test_a_foreseen_view_is_the_view_that_comes() -> None:
    """What a thumbnail shows is what the player sees after the move, cards aside."""
    for seed in range(4):
        match = practice(seed, "bm 1 5", "cx1 1 2", "sw 4 5")
        seat = match.to_move
        assert seat is not None
        for text in ("bm 2 3", "m 1", "cx0 5 6", "h 4"):
            view = match.view(seat)
            move = Move.parse(text)
            step = match.play(move)
            seen = step.seen_by(seat).outcome
            (branch,) = [b for b in outlook(view, move) if b.outcome == seen]
            assert foreseen(view, branch, move) == match.view(seat)
            match.undo()


# ---- the status line ----------------------------------------------------------------------------


def status(match: Match, seat: int | None, look: Look | None = None) -> str:
    return words(SHOW.status(match.view(seat), look or Look()))


@pytest.mark.parametrize(
    ("choice", "move", "told"),
    [
        (Choice(None, (5,)), None,
         "Planet 5 chosen. Now choose a card, or a second planet."),
        (Choice(None, (6, 9)), None,
         "Planets 6 → 9 chosen. Now choose a two-planet card."),
        (Choice("m"), None, "Card M chosen. Now choose a planet."),
        (Choice("cx1"), None,
         "Card CX1 chosen. Now choose the control planet, then the target."),
        (Choice("bm"), None, "Card BM chosen. Now choose two planets."),
        (Choice("cx1", (6,)), None,
         "Card CX1, control 6. Now choose the target planet."),
        (Choice("sw", (6,)), None,
         "Card SW, planet 6. Now choose the second planet."),
        (Choice("m", (5,)), "m 5",
         "Planet 5 and card M are chosen: press Play, or choose another card."),
        (Choice("cx0", (6, 9)), "cx0 6 9",
         "Planets 6 → 9 and card CX0 are chosen: press Play, or choose another card."),
        (Choice("bm", (6, 9)), "bm 6 9",
         "Planets 6, 9 and card BM are chosen: press Play, or choose another card."),
    ],
)  # fmt: skip
def test_the_status_of_a_choice(choice: Choice, move: str | None, told: str) -> None:
    look = Look(choice=choice, move=Move.parse(move) if move else None)
    assert status(published(), 0, look) == told


@pytest.mark.parametrize(
    ("moves", "seat", "told"),
    [
        ((), 0, "Your turn. Choose a planet, then a card."),
        ((), 1, "Player 0 to move."),
        (("z 2",), 1, "Player 0 played Z on planet 2. Your turn (0 < 2)."),
        (("z 2",), 0, "You played Z on planet 2. Player 1 to move (0 < 2)."),
        (("z 2", "z 2"), 1,
         "You played Z on planet 2."
         " A tie at 2: who has just moved moves again, so it is your turn."),
        (("bm 6 9",), 1,
         "Player 0 played BM on 6, 9; only Player 0 knows the result. Your turn (0 < 8)."),
        (("bm 6 9",), 0,
         "You played BM on 6, 9: result S−, which only you know. Player 1 to move (0 < 8)."),
        (("bm 6 9",), None,
         "Player 0 played BM on 6, 9; only Player 0 knows the result. Player 1 to move (0 < 8)."),
        (("bm 6 9", "z 2", "h 2", "m 2"), 0,
         "Player 1 measured planet 2: result 1, fixed. Your turn (8 < 15)."),
        (("bm 6 9", "cx1 1 2"), 1,
         "You played CX1 on planets 1 → 2. You move again (3 < 8)."),
        (("bm 6 9", "sw 1 2"), 0,
         "Player 1 exchanged planets 1 and 2. Player 1 to move (3 < 8)."),
    ],
)  # fmt: skip
def test_the_status_reports_the_last_move(
    moves: tuple[str, ...], seat: int | None, told: str
) -> None:
    assert status(practice(7, *moves), seat) == told


def test_the_status_after_a_refusal() -> None:
    assert status(published(), 0, Look(refused=2)) == (
        "Planet 2 is fixed; no card works on it. Choose another planet."
    )
    same = Look(choice=Choice("cx0", (6,)), refused=6)
    assert status(published(), 0, same) == (
        "Card CX0 takes two different planets. Choose another planet."
    )
    assert status(published(), 0, Look(refused=4)) == "Planet 4 cannot be chosen now."


def test_cards_that_cannot_be_taken_are_explained() -> None:
    match = Match("qlanet", seed=5)
    missing = next(c for c in match.game.cards if c not in match.position.hands[0])
    assert words(SHOW.refusal(match.view(0), missing)) == (
        f"There is no card {missing.upper()} in this hand."
    )


def test_endings() -> None:
    won = finished("three in a row")
    assert re.fullmatch(
        r"Player [01] wins: fixed \d, \d, \d in a row\.",
        status(won, 0),
    )
    many = finished("five planets")
    assert re.fullmatch(
        r"Player [01] wins: five planets fixed, \d(, \d){4}\.",
        status(many, 0),
    )
    gone = practice(7)
    gone.play("resign")
    assert status(gone, 1) == ("Player 1 wins: Player 0 has resigned.")


@pytest.mark.parametrize(
    ("moves", "limit", "told"),
    [
        (("z 1", "z 2"), 2,
         "Draw: the turn limit is reached at equal planets and equal cost."),
        (("z 1", "x 2"), 2,
         "Player 0 wins: equal planets and the lower cost at the turn limit."),
        (("h 1", "h 2", "m 1"), 3,
         "Player 0 wins: more planets fixed at the turn limit."),
    ],
)  # fmt: skip
def test_endings_at_the_turn_limit(moves: tuple[str, ...], limit: int, told: str) -> None:
    match = practice(7, *moves, turn_limit=limit)
    assert status(match, 0) == f"{told}"


def test_every_reason_has_an_ending() -> None:
    """Each reason in the rules' source can be told."""
    import inspect

    from qgames.games.qlanet import Qlanet

    reasons = re.findall(r'_won\([^"]*"([a-z ]+)"', inspect.getsource(Qlanet))
    assert len(reasons) == 4
    source = inspect.getsource(__import__("qgames.draw.qlanet_words", fromlist=["x"]))
    assert all(f'"{reason}": _(' in source for reason in (*reasons, "resignation"))


# ---- facts, chips, rules ------------------------------------------------------------------------


def test_hidden_planets_and_their_odds() -> None:
    match = practice(7)
    assert words(SHOW.facts(match.view(0))) == (
        "? 5 is hidden from both players: one of01+−25 % each".replace("01+−", "")
    )
    match.play("sw 5 1")
    assert words(SHOW.facts(match.view(0))).startswith("? 1 is hidden from both players: one of")


def test_a_hidden_planet_that_the_record_has_settled() -> None:
    """By the literal rule a planet may show ? although only one state is left."""
    match = practice(7, "cx1 5 1")  # the target + does not change, and 1 is marked ? all the same
    told = words(SHOW.facts(match.view(0)))
    assert "1 is marked ?, but the record leaves only |+⟩" in told
    deduced = practice(7, "cx1 5 1", marks="deduced")
    assert "marked" not in words(SHOW.facts(deduced.view(0)))


def test_ones_own_bell_codes_are_listed() -> None:
    told = words(SHOW.facts(published().view(0)))
    assert "Your Bell codesmove 1: |01⟩ − |10⟩ on 6, 9Player 1 does not see them" in told
    for seat in (1, None):
        assert "Bell codes" not in SHOW.facts(published().view(seat))


def test_many_bell_codes_fold() -> None:
    match = practice(7)
    for _ in range(5):
        match.play("bm 1 2")
        while match.to_move != 0:
            match.play("m 9" if match.position.fixed[8] is None else "x 4")
    text = SHOW.facts(match.view(0))
    assert "2 earlier codes" in words(text)
    assert words(text).count("move ") == 5


def test_chips_name_score_and_turn() -> None:
    match = published()
    assert words(chip(match.view(0), SHOW, 0, "you")) == "0Player 0you · to move10"
    assert words(chip(match.view(0), SHOW, 1, "CPU greedy")) == "1Player 1CPU greedy15"
    assert "qg-side-s0" in chip(match.view(0), SHOW, 0)
    assert 'class="qg-chip"' in chip(match.view(0), SHOW, 1)


def test_the_rules_name_the_cards_and_costs_of_this_match() -> None:
    told = words(SHOW.rules(practice(1, gates="intermediate", sw_cost=4).view(0)))
    assert "SW 4" in told
    assert "BM" not in told
    assert "BM 8" in words(SHOW.rules(practice(1).view(0)))
