"""QLANET against its rule sheet (docs/rules/qlanet.md); headings name the sheet's sections."""

import json
import random
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import chisquare

from qgames import IllegalMoveError, InvalidMoveError, Match, Move, SaveError
from qgames.games.qlanet import CARDS, COSTS, Qlanet
from tests.dense import BELL, Sheet, flat, ket, reduced, same
from tests.secrets import seen, twins

PRACTICE = {"hands": "any"}
BELL_CODE = {"P+": "00", "P-": "10", "S+": "01", "S-": "11"}


def match_of(*lines: str, **options: object) -> Match:
    """A match with this record; the deal may be left out where nothing is drawn."""
    options = options or PRACTICE
    record = lines if lines and lines[0].startswith("deal") else ("deal sealed=00", *lines)
    saved = {"qgames": 1, "game": "qlanet", "options": options, "seed": 7, "record": list(record)}
    return Match.from_json(json.dumps(saved))


def with_pair(a: str, b: str) -> Match:
    """Planets 1 and 2, which start as +, brought to ``a`` and ``b`` by cards."""
    recipe = {"+": (), "-": ("z",), "0": ("h",), "1": ("h", "x")}
    return match_of(*(f"{card} {n}" for n, s in ((1, a), (2, b)) for card in recipe[s]))


def with_bell(name: str) -> Match:
    """Planets 1 and 2 in a Bell state: CX1 from + or - onto 0 or 1 (table 7.3)."""
    match = with_pair("-" if name[1] == "-" else "+", "1" if name[0] == "S" else "0")
    match.play("cx1 1 2")
    return match


def continued(match: Match, *lines: str) -> Match:
    saved = json.loads(match.to_json())
    return Match.from_json(json.dumps(saved | {"record": saved["record"] + list(lines)}))


def pair_is(match: Match, expected: np.ndarray) -> bool:
    rho = match.position.state.density((0, 1))
    return bool(np.abs(rho - np.outer(expected, expected.conj())).max() < 1e-9)


def pair_of(symbols: str) -> np.ndarray:
    """The two-planet vector of ``+0`` or of a Bell name, planet 1 least significant."""
    return flat(BELL[symbols].reshape(2, 2) if symbols in BELL else ket(symbols))


# ---- 2: components and setup ---------------------------------------------------------------------


@pytest.mark.parametrize(("sealed", "symbol"), [("00", "0"), ("10", "1"), ("01", "+"), ("11", "-")])
def test_layout_and_the_unknown_planet(sealed: str, symbol: str) -> None:
    match = match_of(f"deal sealed={sealed}")
    assert same(match.position.state.vector(), flat(ket("++--" + symbol + "--++")))
    assert match.to_move == 0
    assert match.position.totals == (0, 0)
    for seat in (0, 1, None):
        view = match.view(seat)
        assert [view.symbol(p) for p in range(1, 10)] == list("++--?--++")
        assert np.abs(view.belief.density((4,)) - np.eye(2) / 2).max() < 1e-12


@pytest.mark.parametrize("bits", ["0000", "1111", "0110", "1000"])
def test_random_layout_is_balanced(bits: str) -> None:
    match = match_of(f"deal sealed=00 layout={bits}", layout="random", hands="any")
    shown = [match.view(0).symbol(p) for p in range(1, 10)]
    pairs = zip(bits, ((1, 3), (9, 7), (2, 6), (8, 4)), strict=True)
    for bit, (one, other) in pairs:
        assert shown[one - 1] + shown[other - 1] == ("+-" if bit == "0" else "-+")
    assert shown.count("+") == shown.count("-") == 4


def test_costs_are_the_sheets() -> None:
    costs = {"x": 6, "h": 3, "z": 2, "m": 10, "cx0": 3, "cx1": 3, "sw": 3, "bm": 8}
    assert costs == COSTS
    for card, cost in costs.items():
        match = match_of()
        match.play(next(m for m in match.legal_moves if m.verb == card))
        assert match.position.totals == (cost, 0)
    dear = match_of("sw 1 2", hands="any", sw_cost=4)
    assert dear.position.totals == (4, 0)


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_hands_are_dealt_open_and_refilled_in_place(size: int) -> None:
    match = Match("qlanet", seed=3, hand_size=size)
    assert [len(hand) for hand in match.position.hands] == [size, size]
    dice = match.record[0].bits("dice")
    assert dice is not None
    numbers = [int(dice[k : k + 3][::-1], 2) for k in range(0, len(dice), 3)]
    assert [CARDS[n] for n in numbers] == [c for hand in match.position.hands for c in hand]
    assert match.view(1).position.hands == match.position.hands
    before = match.position.hands
    move = match.legal_moves[-1]
    bits = match.play(move).bits("dice")
    assert bits is not None
    expected = list(before[0])
    expected[expected.index(move.verb)] = CARDS[int(bits[::-1], 2)]
    assert match.position.hands == (tuple(expected), before[1])


@pytest.mark.parametrize(
    ("gates", "cards"),
    [("beginner", CARDS[:4]), ("intermediate", CARDS[:7]), ("advanced", CARDS)],
)
def test_levels_limit_the_cards(gates: str, cards: tuple[str, ...]) -> None:
    match = Match("qlanet", seed=1, gates=gates)
    rng = random.Random(0)
    seen_cards: set[str] = set()
    for _ in range(60):
        if match.to_move is None:
            break
        if match.legal_moves == (Move("draw"),):
            assert None in match.position.hands[0] + match.position.hands[1]
        else:
            seen_cards |= {c for hand in match.position.hands for c in hand if c}
        match.play(rng.choice(match.legal_moves))
    assert seen_cards <= set(cards)
    practice = Match("qlanet", seed=1, gates=gates, hands="any")
    assert {m.verb for m in practice.legal_moves} == set(cards)


def test_a_number_that_names_no_card_is_drawn_again_by_the_same_player() -> None:
    eight_x = "000" * 8
    match = match_of(f"deal sealed=00 dice={eight_x}", gates="beginner")
    match = continued(match, "x 1 dice=111")  # BM is not in play
    assert match.position.hands[0] == (None, "x", "x", "x")
    assert (match.to_move, match.legal_moves) == (0, (Move("draw"),))
    assert match.position.totals == (6, 0)
    match = continued(match, "draw dice=001", "draw dice=010")  # SW, then Z
    assert match.position.hands[0] == ("z", "x", "x", "x")
    assert match.to_move == 1
    assert match.position.turns == 1


# ---- 3: turn structure ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "totals", "to_move"),
    [
        (("z 1",), (2, 0), 1),
        (("z 1", "z 2"), (2, 2), 1),  # a tie: who has just moved moves again
        (("z 1", "z 2", "h 1"), (2, 5), 0),
        (("m 1 fixed=0", "z 2", "z 2", "x 2"), (10, 10), 1),
        (("m 1 fixed=0", "bm 2 3 p1=10", "z 2"), (10, 10), 1),
        (("x 1", "h 2"), (6, 3), 1),
    ],
)
def test_the_smaller_total_moves(
    lines: tuple[str, ...], totals: tuple[int, int], to_move: int
) -> None:
    match = match_of(*lines)
    assert (match.position.totals, match.to_move) == (totals, to_move)


@pytest.mark.parametrize("first", [0, 1])
def test_first_player_option(first: int) -> None:
    assert match_of(first=first, hands="any").to_move == first
    drawn = match_of(f"deal sealed=00 first={first}", first="random", hands="any")
    assert drawn.to_move == first
    assert continued(drawn, "z 1").to_move == 1 - first


def test_nobody_may_pass_but_cards_that_change_nothing_are_legal() -> None:
    match = with_pair("0", "+")
    for idle in ("z 1", "x 2"):
        before = match.position.state
        match.play(idle)
        assert match.position.state == before


# ---- 4: actions; 7.1 to 7.6 ----------------------------------------------------------------------

EVEN = {"P+": 0.25, "P-": 0.25, "S+": 0.25, "S-": 0.25}
HALVES = {
    "00 11": ("P+", "P-"),
    "01 10": ("S+", "S-"),
    "++ --": ("P+", "S+"),
    "+- -+": ("P-", "S-"),
}
TABLE_7_1 = dict.fromkeys("0+ 0- 1+ 1- +0 +1 -0 -1".split(), EVEN) | {
    pair: {one: 0.5, other: 0.5} for pairs, (one, other) in HALVES.items() for pair in pairs.split()
}


@pytest.mark.parametrize("pair", TABLE_7_1)
def test_7_1_bell_measurement_of_product_pairs(pair: str) -> None:
    match = with_pair(*pair)
    register = f"p{match.to_move}"
    expected = {f"{register}={BELL_CODE[name]}": p for name, p in TABLE_7_1[pair].items()}
    assert match.odds("bm 1 2") == pytest.approx(expected)
    for name in TABLE_7_1[pair]:
        assert pair_is(continued(match, f"bm 1 2 {register}={BELL_CODE[name]}"), pair_of(name))
    for name in BELL.keys() - TABLE_7_1[pair].keys():
        with pytest.raises(SaveError, match="has probability 0 for this move"):
            continued(match, f"bm 1 2 {register}={BELL_CODE[name]}")


@pytest.mark.parametrize("partner", "01+-")
def test_7_1_bell_measurement_with_the_unknown_planet(partner: str) -> None:
    match = with_pair(partner, "+")
    expected = {f"p{match.to_move}={code}": 0.25 for code in BELL_CODE.values()}
    assert match.odds("bm 1 5") == pytest.approx(expected)


TABLE_7_2 = {
    "P+": {"cx0 1 2": "+1", "cx1 1 2": "+0", "cx0 2 1": "1+", "cx1 2 1": "0+"},
    "P-": {"cx0 1 2": "-1", "cx1 1 2": "-0", "cx0 2 1": "1-", "cx1 2 1": "0-"},
    "S+": {"cx0 1 2": "+0", "cx1 1 2": "+1", "cx0 2 1": "0+", "cx1 2 1": "1+"},
    "S-": {"cx0 1 2": "-0", "cx1 1 2": "-1", "cx0 2 1": "0-", "cx1 2 1": "1-"},
}


@pytest.mark.parametrize(("bell", "move"), [(b, m) for b in TABLE_7_2 for m in TABLE_7_2[b]])
def test_7_2_cx_untangles_a_bell_pair(bell: str, move: str) -> None:
    match = with_bell(bell)
    assert pair_is(match, pair_of(bell))
    assert match.position.state.clusters[0] == (0, 1)
    match.play(move)
    assert pair_is(match, pair_of(TABLE_7_2[bell][move]))
    assert match.position.state.clusters[:2] == ((0,), (1,))
    assert "".join(match.view(0).symbol(p) for p in (1, 2)) == TABLE_7_2[bell][move]


TABLE_7_3 = {
    "cx1": dict(
        zip(
            (c + t for c in "01+-" for t in "01+-"),
            "00 01 0+ 0- 11 10 1+ 1- P+ S+ ++ -- P- S- -+ +-".split(),
            strict=True,
        )
    ),
    "cx0": dict(
        zip(
            (c + t for c in "01+-" for t in "01+-"),
            "01 00 0+ 0- 10 11 1+ 1- S+ P+ ++ -- S- P- -+ +-".split(),
            strict=True,
        )
    ),
}


@pytest.mark.parametrize(("card", "pair"), [(c, p) for c in TABLE_7_3 for p in TABLE_7_3[c]])
def test_7_3_cx_on_product_pairs(card: str, pair: str) -> None:
    match = with_pair(*pair)
    start = match.position.state
    match.play(f"{card} 1 2")
    assert pair_is(match, pair_of(TABLE_7_3[card][pair]))
    match.play(f"{card} 1 2")  # its own inverse
    assert match.position.state == start


@pytest.mark.parametrize(
    ("bell", "cards", "expected"),
    [
        *(
            (b, (f"x {n}",), e)
            for b, e in zip(BELL, ("S+", "S-", "P+", "P-"), strict=True)
            for n in "12"
        ),
        *(
            (b, (f"z {n}",), e)
            for b, e in zip(BELL, ("P-", "P+", "S-", "S+"), strict=True)
            for n in "12"
        ),
        *((b, ("sw 1 2",), b) for b in BELL),
    ],
)
def test_7_4_one_planet_gates_on_half_a_pair(
    bell: str, cards: tuple[str, ...], expected: str
) -> None:
    match = with_bell(bell)
    for card in cards:
        match.play(card)
    assert pair_is(match, pair_of(expected))
    for card in cards:
        match.play(card)
    assert pair_is(match, pair_of(bell))


def test_6_2_bm_after_h_on_one_half() -> None:
    match = with_bell("P+")
    match.play("h 1")
    assert pair_is(match, np.array([1, 1, 1, -1]) / 2)
    r = f"p{match.to_move}"
    assert match.odds("bm 1 2") == pytest.approx({f"{r}=10": 0.5, f"{r}=01": 0.5})


@pytest.mark.parametrize("name", BELL)
def test_6_1_bm_on_a_bell_pair_changes_nothing(name: str) -> None:
    match = with_bell(name)
    before, register = match.position.state, f"p{match.to_move}"
    assert match.odds("bm 1 2") == pytest.approx({f"{register}={BELL_CODE[name]}": 1.0})
    match.play("bm 1 2")
    assert match.position.state == before


@pytest.mark.parametrize(("name", "left"), [("P+", "0"), ("P-", "0"), ("S+", "1"), ("S-", "1")])
def test_7_5_entanglement_swapping(name: str, left: str) -> None:
    match = continued(with_bell("P+"), "x 8", "h 9")  # planet 9 in 0
    seat = match.to_move
    assert match.odds("bm 2 9") == pytest.approx({f"p{seat}={c}": 0.25 for c in BELL_CODE.values()})
    match = continued(match, f"bm 2 9 p{seat}={BELL_CODE[name]}")
    assert match.view(seat).symbol(1) == left
    assert match.view(1 - seat).symbol(1) == "?"
    assert match.view(None).symbol(1) == "?"
    assert [match.view(1 - seat).symbol(p) for p in (2, 9)] == ["?", "?"]
    assert [match.view(seat).symbol(p) for p in (2, 9)] == ["E", "E"]
    assert match.position.fixed == (None,) * 9
    assert same(match.position.state.vector((0,)), flat(ket(left)))


@pytest.mark.parametrize("planet", [1, 2])
@pytest.mark.parametrize("bit", "01")
@pytest.mark.parametrize("name", BELL)
def test_7_6_m_on_half_a_pair(name: str, bit: str, planet: int) -> None:
    match = with_bell(name)
    assert match.odds(f"m {planet}") == pytest.approx({"fixed=0": 0.5, "fixed=1": 0.5})
    match = continued(match, f"m {planet} fixed={bit}")
    other = str(int(bit) ^ (name[0] == "S"))
    shown = {planet: f"{bit}!", 3 - planet: other}
    for seat in (0, 1, None):
        assert {p: match.view(seat).symbol(p) for p in (1, 2)} == shown
    with pytest.raises(IllegalMoveError, match=f"planet {planet} is fixed"):
        match.play(f"x {planet}")
    match.play(f"h {3 - planet}")  # the partner has collapsed but is not fixed


def test_7_6_m_on_planet_5_on_the_first_turn() -> None:
    for sealed in ("00", "10", "01", "11"):
        match = match_of(f"deal sealed={sealed}")
        assert match.odds("m 5") == pytest.approx({"fixed=0": 0.5, "fixed=1": 0.5})
    assert match_of("deal sealed=10", "m 5 fixed=1").view(1).symbol(5) == "1!"
    with pytest.raises(SaveError, match="outcome 'fixed=0' has probability 0 for this move"):
        match_of("deal sealed=10", "m 5 fixed=0")


def test_the_closing_gates_make_bm_projective_beside_a_third_planet() -> None:
    match = match_of("cx1 8 9", "z 8", "h 9", "cx1 1 2", "cx1 2 8")
    for code in BELL_CODE.values():
        sheet = Sheet(any_card=True)
        for step in match.record:
            sheet.play(str(step))
        try:
            live = continued(match, f"bm 8 9 p{match.to_move}={code}")
        except SaveError:
            with pytest.raises(AssertionError, match="cannot have happened"):
                sheet.play(f"bm 8 9 p{match.to_move}={code}")
        else:
            sheet.play(str(live.record[-1]))
            assert same(live.position.state.vector(), flat(sheet.state))


# ---- 7.7, 7.8 and 5: turn order, victory, end ----------------------------------------------------


def test_7_7_the_published_position() -> None:
    match = match_of("bm 6 9 p0=11", "z 2", "h 2", "m 2 fixed=1", "z 4")
    assert [step.seat for step in match.record] == [None, 0, 1, 1, 1, 0]
    assert match.position.totals == (10, 15)
    assert match.to_move == 0
    assert match.position.fixed == (None, 1, *(None,) * 7)
    view = match.view(0)
    assert [(c.planets, c.bell) for c in view.codes] == [((6, 9), "S-")]
    assert match.view(1).codes == ()
    assert (view.symbol(2), view.symbol(4)) == ("1!", "+")
    start = match_of()
    assert start.odds("bm 6 9")["p0=11"] == pytest.approx(0.5)


LINES = [(1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7)]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("line", LINES)
def test_7_8_three_in_a_row_wins_at_once_for_whoever_moved(
    line: tuple[int, ...], side: int
) -> None:
    deal = f"deal sealed={side}0"
    match = match_of(deal, *(f"m {p} fixed={side}" for p in line))
    assert match.result is not None
    assert match.result.winner == side
    assert match.result.reason == "three in a row"
    assert match.result.points == ((1.0, 0.0) if side == 0 else (0.0, 1.0))
    assert match.result.lines == (line,)
    assert match.to_move is None
    assert match.legal_moves == ()
    assert match.record[-1].seat == 1  # so side 0 has won on the other side's move


def test_7_8_five_planets_win_without_a_line() -> None:
    order = ((1, 0), (2, 1), (7, 0), (3, 1), (4, 1), (5, 1), (9, 1))
    lines = [f"m {p} fixed={bit}" for p, bit in order]
    match = match_of("deal sealed=10", *lines)
    assert match.result is not None
    assert (match.result.winner, match.result.reason) == (1, "five planets")
    assert match_of("deal sealed=10", *lines[:-1]).result is None


def test_7_8_unringed_planets_count_for_nobody() -> None:
    match = match_of("h 1", "h 2", "z 3", "h 3")
    assert [match.view(0).symbol(p) for p in (1, 2, 3)] == ["0", "0", "0"]
    assert match.result is None


@pytest.mark.parametrize(
    ("lines", "winner", "reason"),
    [
        (("m 1 fixed=0", "z 2", "z 2"), 0, "more planets at the turn limit"),
        (("m 1 fixed=1", "z 2", "z 2"), 1, "more planets at the turn limit"),
        (("z 1", "h 2", "h 2"), 1, "lower cost at the turn limit"),
        (("h 1", "z 2", "z 2"), 0, "lower cost at the turn limit"),
        (("x 1", "h 2", "h 2"), None, "turn limit"),
    ],
)
def test_turn_limit(lines: tuple[str, ...], winner: int | None, reason: str) -> None:
    match = match_of(*lines, hands="any", turn_limit=3)
    assert match.result is not None
    assert (match.result.winner, match.result.reason) == (winner, reason)
    assert match.to_move is None
    if winner is None:
        assert match.result.points == (0.5, 0.5)


def fullest() -> Match:
    """Eight planets fixed without a line, both hands of two-planet cards only."""
    bits = {1: 0, 2: 1, 3: 0, 4: 0, 5: 1, 6: 1, 7: 1, 8: 0}
    lines = [f"m {p} fixed={bit} dice=111" for p, bit in bits.items()]
    return match_of(f"deal sealed=10 dice={'110' * 8}", *lines, hand_size=4)


def test_6_1_no_legal_card_redraws_the_hand_for_nothing() -> None:
    match = fullest()
    assert match.position.hands == (("bm",) * 4, ("bm",) * 4)
    assert (match.to_move, match.legal_moves) == (0, (Move("redraw"),))
    totals = match.position.totals
    again = continued(match, "redraw dice=111111111111")
    assert (again.to_move, again.legal_moves) == (0, (Move("redraw"),))
    drawn = continued(match, "redraw dice=000100111110")
    assert drawn.position.hands[0] == ("x", "h", "bm", "m")
    assert (drawn.position.totals, drawn.position.turns) == (totals, match.position.turns)
    assert [str(m) for m in drawn.legal_moves] == ["x 9", "h 9", "m 9"]
    drawn.play("m 9")
    assert drawn.result is not None
    assert drawn.result.winner in (0, 1)  # nine is odd


# ---- knowledge: marks, codes, beliefs ------------------------------------------------------------


@pytest.mark.parametrize("marks", ["literal", "deduced"])
def test_bm_hides_the_pair_from_the_opponent(marks: str) -> None:
    match = match_of("bm 6 9 p0=11", hands="any", marks=marks)
    owner, opponent = match.view(0), match.view(1)
    assert [owner.symbol(p) for p in (5, 6, 9)] == ["?", "E", "E"]
    assert [opponent.symbol(p) for p in (5, 6, 9)] == ["?", "?", "?"]
    assert (owner.marks[0], owner.marks[1]) == ({5}, {5, 6, 9})
    assert owner.belief.purity((5, 8)) == pytest.approx(1)
    assert opponent.belief.purity((5, 8)) == pytest.approx(0.5)
    assert match.view(None).belief.purity((5, 8)) == pytest.approx(0.5)
    assert [(c.step, c.planets, c.bell) for c in owner.codes] == [(1, (6, 9), "S-")]
    assert opponent.codes == match.view(None).codes == ()


@pytest.mark.parametrize("code", BELL_CODE.values())
def test_belief_is_the_mixture_of_what_may_have_been_read(code: str) -> None:
    match = match_of(f"bm 1 4 p0={code}") if code in ("10", "11") else match_of(f"bm 1 2 p0={code}")
    pair = (0, 3) if code in ("10", "11") else (0, 1)
    names = ("P-", "S-") if code in ("10", "11") else ("P+", "S+")
    mixture = sum(np.outer(pair_of(n), pair_of(n)) for n in names) / 2
    assert np.abs(match.view(1).belief.density(pair) - mixture).max() < 1e-12


@pytest.mark.parametrize(
    ("lines", "marks"),
    [
        ((), ({5}, {5})),
        (("x 5", "h 5", "z 5"), ({5}, {5})),  # X, H, Z leave the marks
        (("cx1 5 1",), ({1, 5}, {1, 5})),  # CX spreads them
        (("cx0 1 5",), ({1, 5}, {1, 5})),
        (("cx1 1 2",), ({5}, {5})),
        (("sw 5 9",), ({9}, {9})),  # SW moves them
        (("sw 1 9",), ({5}, {5})),
        (("m 5 fixed=0",), (set(), set())),  # M is public
        (("bm 1 2 p0=00",), ({5}, {1, 2, 5})),
        (("bm 1 5 p0=00",), (set(), {1, 5})),
        (("bm 1 2 p0=00", "sw 2 8"), ({5}, {1, 5, 8})),
        (("bm 1 2 p0=00", "m 1 fixed=0"), ({5}, {2, 5})),  # partners keep their marks
        (("bm 1 2 p0=00", "bm 1 2 p1=00"), ({1, 2, 5}, {5})),
        (("h 9", "cx1 8 9", "bm 1 8 p1=00"), ({1, 5, 8, 9}, {5})),  # over the group of 8
        (("cx1 5 1", "bm 1 2 p1=00"), ({1, 2, 5}, {5})),
    ],
)
def test_4_1_literal_marks(lines: tuple[str, ...], marks: tuple[set[int], set[int]]) -> None:
    match = match_of(*lines)
    for seat in (0, 1, None):
        assert match.view(seat).marks == marks


def test_deduced_marks_see_what_the_literal_rule_does_not() -> None:
    lines = ("deal sealed=01", "cx1 5 1")  # + takes no part: 5 is 0, 1, + or -, planet 1 stays +
    assert match_of(*lines, marks="literal", hands="any").view(0).symbol(1) == "?"
    assert match_of(*lines, marks="deduced", hands="any").view(0).symbol(1) == "+"


def test_question_mark_is_not_superposition() -> None:
    """H cannot make a hidden 0 or 1 certain."""
    match = match_of()
    match.play("h 5")
    assert match.odds("m 5") == pytest.approx({"fixed=0": 0.5, "fixed=1": 0.5})
    match.play("h 1")
    assert match.odds("m 1") == pytest.approx({"fixed=0": 1.0})


# ---- secrecy -------------------------------------------------------------------------------------

BELL_HEAVY = ("bm", "cx1", "cx0", "h", "m", "sw")


def secretive(seed: int, steps: int, **options: object) -> Match:
    """A random match with many Bell measurements."""
    match, rng = Match("qlanet", seed=seed, **options), random.Random(seed)
    for _ in range(steps):
        verbs = [v for v in BELL_HEAVY if any(m.verb == v for m in match.legal_moves)]
        if match.to_move is None:
            break
        verb = rng.choice(verbs[:2] if verbs and rng.random() < 0.6 else verbs or [""])
        match.play(
            rng.choice([m for m in match.legal_moves if m.verb == verb] or match.legal_moves)
        )
    return match


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize(
    ("seed", "options"),
    [
        (1, {"hands": "any"}),
        (2, {"hands": "any", "marks": "deduced"}),
        (3, {}),
        (4, {"hand_size": 6, "layout": "random", "first": "random"}),
    ],
)
def test_matches_that_differ_in_secrets_look_the_same(
    seed: int, options: dict[str, object], seat: int | None
) -> None:
    match = secretive(seed, 7, **options)
    others = list(twins(match, seat, most=5, seed=seed))
    assert others
    assert any(twin.position.state != match.position.state for twin in others)
    mine = seen(match, seat)
    for twin in others:
        theirs = seen(twin, seat)
        for what in mine:
            assert theirs[what] == mine[what], what
        views = match.view(seat), twin.view(seat)
        for planet in range(1, 10):
            assert views[0].symbol(planet) == views[1].symbol(planet)
        assert [str(m) for m in twin.legal_moves] == [str(m) for m in match.legal_moves]


def test_the_owner_does_see_a_difference() -> None:
    """The comparison above can fail: to the owner, two codes are two views."""
    one, other = match_of("bm 6 9 p0=11"), match_of("bm 6 9 p0=10")
    assert one.view(0) != other.view(0)
    assert one.view(1) == other.view(1)
    assert seen(one, 0)["record"] != seen(other, 0)["record"]


# ---- random matches against the sheet ------------------------------------------------------------

OPTIONS = (
    {},
    {"hands": "any"},
    {"gates": "beginner"},
    {"gates": "intermediate", "sw_cost": 4},
    {"layout": "random", "first": "random", "hand_size": 6},
    {"hand_size": 3, "first": 1, "marks": "deduced"},
    {"hands": "any", "layout": "random", "first": 1},
    {"hand_size": 5, "sw_cost": 4, "gates": "advanced"},
)


def sheet_for(game: Qlanet) -> Sheet:
    option = game.option
    return Sheet(
        sw_cost=option["sw_cost"],
        cards=game.cards,
        hand_size=option["hand_size"],
        any_card=game.any_card,
        random_layout=option["layout"] == "random",
        first=option["first"],
        limit=option["turn_limit"],
    )


@pytest.mark.parametrize("batch", range(8))
def test_random_matches_live_replayed_and_dense_agree(batch: int) -> None:
    """25 matches each, 200 in all: live state, replayed state and the sheet's projectors."""
    for seed in range(batch, 200, 8):
        limit = (8, 14, 20, 40)[seed // 8 % 4]
        match = Match("qlanet", seed=seed, turn_limit=limit, **OPTIONS[batch])
        assert isinstance(match.game, Qlanet)
        sheet, rng = sheet_for(match.game), random.Random(seed)
        sheet.play(str(match.record[0]))
        while match.to_move is not None:
            step = match.play(rng.choice(match.legal_moves))
            assert sheet.play(str(step)) > 1e-9
            assert same(match.position.state.vector(), flat(sheet.state))
            assert list(match.position.totals) == sheet.totals
            assert match.to_move == sheet.to_move
        assert sheet.over
        assert match.result is not None
        assert match.result.winner == sheet.winner
        assert {
            n + 1: b for n, b in enumerate(match.position.fixed) if b is not None
        } == sheet.fixed
        assert [list(hand) for hand in match.position.hands] == sheet.hands
        replayed = Match.from_json(match.to_json())
        assert replayed.position == match.position
        assert same(replayed.position.state.vector(), flat(sheet.state))


def test_invariants_of_every_state_of_this_game() -> None:
    """Real amplitudes, odds 0, 1/2 or 1, lone planets always one of 0 1 + -."""
    for seed in range(6):
        match, rng = Match("qlanet", seed=seed, hands="any"), random.Random(seed)
        for _ in range(25):
            if match.to_move is None:
                break
            match.play(rng.choice([m for m in match.legal_moves if m.verb != "m"]))
            state = match.position.state
            assert np.abs(state.vector().imag).max() < 1e-9
            for wire in range(9):
                assert min(abs(state.probability(wire) - p) for p in (0, 0.5, 1)) < 1e-9
            for (wire,) in (c for c in state.clusters if len(c) == 1):
                assert any(same(state.vector((wire,)), flat(ket(s))) for s in "01+-")


# ---- chance --------------------------------------------------------------------------------------


def test_all_eight_cards_are_drawn_alike() -> None:
    counts = dict.fromkeys(CARDS, 0)
    pairs = dict.fromkeys(product(CARDS, repeat=2), 0)
    for seed in range(340):
        hands = Match("qlanet", seed=seed, hand_size=6).position.hands
        drawn = [str(card) for hand in hands for card in hand]
        for card in drawn:
            counts[card] += 1
        for pair in zip(drawn[::2], drawn[1::2], strict=True):
            pairs[pair] += 1
    assert sum(counts.values()) >= 4000
    assert chisquare(list(counts.values())).pvalue > 1e-3
    assert chisquare(list(pairs.values())).pvalue > 1e-3  # neighbours are independent too


def test_m_on_plus_is_fair_and_forgets_the_last_seed() -> None:
    match = Match("qlanet", seed=0, hands="any")
    bits = []
    for match.seed in range(2000):  # the same planet in +, measured under each seed
        bits.append(int(match.play("m 1").bits("fixed") or "?"))
        match.undo()
    ones = sum(bits)
    assert chisquare([ones, 2000 - ones]).pvalue > 1e-3
    for lag in (1, 2, 3, 8):
        table = np.zeros((2, 2))
        np.add.at(table, (bits[:-lag], bits[lag:]), 1)
        equal = int(np.trace(table))
        assert chisquare([equal, len(bits) - lag - equal]).pvalue > 1e-3


# ---- refusals, word for word ---------------------------------------------------------------------


def refuses(match: Match, move: object, kind: type[Exception], message: str) -> None:
    before = (match.to_json(), match.position, match.legal_moves)
    for ask in (match.play, match.odds, match.fragment):
        with pytest.raises(kind) as caught:
            ask(move)
        assert str(caught.value) == message
    assert (match.to_json(), match.position, match.legal_moves) == before


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("m 1", "planet 1 is fixed"),
        ("cx0 1 2", "planet 1 is fixed"),
        ("cx1 2 1", "planet 1 is fixed"),
        ("sw 1 2", "planet 1 is fixed"),
        ("bm 2 1", "planet 1 is fixed"),
        ("q 5", "unknown card 'q', expected one of x h z m cx0 cx1 sw bm"),
        ("cx 2 3", "unknown card 'cx', expected one of x h z m cx0 cx1 sw bm"),
        ("bm 6 6", "bm takes two different planets"),
        ("cx1 6 6", "cx1 takes two different planets"),
        ("m 0", "m takes 1 planet from 1 to 9"),
        ("m 10", "m takes 1 planet from 1 to 9"),
        ("m 05", "m takes 1 planet from 1 to 9"),
        ("m q0", "m takes 1 planet from 1 to 9"),
        ("m", "m takes 1 planet from 1 to 9"),
        ("m 2 3", "m takes 1 planet from 1 to 9"),
        ("sw 2", "sw takes 2 planets from 1 to 9"),
        ("sw 2 3 4", "sw takes 2 planets from 1 to 9"),
        ("draw", "it is played only when nothing else can be"),
        ("redraw", "it is played only when nothing else can be"),
        ("deal", "it is played only when nothing else can be"),
        ("h 2 (bit-flip)", "h has no secret argument"),
    ],
)
def test_illegal_moves_say_why(move: str, why: str) -> None:
    match = match_of("m 1 fixed=0")
    spelled = {"bm 2 1": "bm 1 2"}.get(move, move)
    message = f"illegal move {spelled!r}: {why}; player 1 to move after 2 steps"
    refuses(match, move, IllegalMoveError, message)


def test_a_card_that_is_not_in_hand() -> None:
    match = match_of(f"deal sealed=00 dice={'000' * 8}", hand_size=4)
    message = "illegal move 'm 1': the hand has no m, only x x x x; player 0 to move after 1 step"
    refuses(match, "m 1", IllegalMoveError, message)


def test_a_move_while_a_card_is_still_to_be_drawn() -> None:
    match = match_of(f"deal sealed=00 dice={'000' * 8}", "x 1 dice=111", gates="beginner")
    why = "a card is still to be drawn, expected 'draw'"
    message = f"illegal move 'x 1': {why}; player 0 to move after 2 steps"
    refuses(match, "x 1", IllegalMoveError, message)


def test_a_move_after_the_end() -> None:
    match = match_of("m 1 fixed=0", "m 2 fixed=0", "m 3 fixed=0")
    message = "illegal move 'x 5': no move can be played; the match is over after 4 steps"
    refuses(match, "x 5", IllegalMoveError, message)
    message = "illegal move 'resign': no move can be played; the match is over after 4 steps"
    refuses(match, "resign", IllegalMoveError, message)


@pytest.mark.parametrize(
    "text", ["", "5 m", "m 5;", "m 5 (", "h 5 ()", "h\x005", "Ｈ 5", "h " * 120]
)
def test_text_that_is_no_move(text: str) -> None:
    shown = text if len(text) <= 40 else text[:37] + "..."
    message = f"invalid move {shown!r}: expected a verb and its arguments, such as 'h 5'"
    refuses(match_of(), text, InvalidMoveError, message)


@pytest.mark.parametrize("thing", [5, None, ("h", 5), b"h 5", 5.0])
def test_things_that_are_no_text(thing: object) -> None:
    message = f"expected a move as text, such as 'h 5': got {thing!r}"
    refuses(match_of(), thing, InvalidMoveError, message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"hand": 5},
            "unknown option 'hand' for qlanet: expected one of "
            "sw_cost, layout, first, gates, hands, hand_size, marks, turn_limit",
        ),
        ({"hand_size": 7}, "option hand_size of qlanet is one of 3, 4, 5, 6: got 7"),
        ({"hand_size": "4"}, "option hand_size of qlanet is one of 3, 4, 5, 6: got '4'"),
        ({"hand_size": 4.0}, "option hand_size of qlanet is one of 3, 4, 5, 6: got 4.0"),
        ({"hand_size": [4]}, "option hand_size of qlanet is one of 3, 4, 5, 6: got [4]"),
        (
            {"hand_size": np.arange(2)},
            "option hand_size of qlanet is one of 3, 4, 5, 6: got array([0, 1])",
        ),
        ({"first": True}, "option first of qlanet is one of 0, 1, 'random': got True"),
        ({"sw_cost": 5}, "option sw_cost of qlanet is one of 3, 4: got 5"),
        ({"layout": None}, "option layout of qlanet is one of 'fixed', 'random': got None"),
        ({"turn_limit": 0}, "option turn_limit of qlanet is one of the numbers 1 to 1000: got 0"),
        (
            {"gates": "expert"},
            "option gates of qlanet is one of 'beginner', 'intermediate', 'advanced': got 'expert'",
        ),
    ],
)
def test_bad_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match="option") as caught:
        Match("qlanet", **options)
    assert str(caught.value) == message


def test_unordered_planets_have_one_spelling() -> None:
    for a, b in combinations(range(1, 10), 2):
        match = match_of()
        assert str(match.play(f"bm {b} {a}").move) == f"bm {a} {b}"
        match = match_of()
        assert str(match.play(f"SW  {b}  {a}").move) == f"sw {a} {b}"
    match = match_of()
    assert str(match.play(Move("cx1", (2, 1))).move) == "cx1 2 1"
    assert str(match.play(Move("h", (5.0,))).move) == "h 5"  # type: ignore[arg-type]


def test_reduced_states_of_the_sheet_agree() -> None:
    """Planet by planet, the belief of the owner is the truth and its symbols follow from it."""
    match = secretive(11, 9, hands="any")
    sheet = Sheet(any_card=True)
    for step in match.record:
        sheet.play(str(step))
    for wire in range(9):
        rho = match.position.state.density((wire,))
        assert np.abs(rho - reduced(sheet.state, (wire,))).max() < 1e-9
