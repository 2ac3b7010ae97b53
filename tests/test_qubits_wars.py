"""The rules of The |Qubits> Wars, card by card, and the worked examples of its sheet."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from qgames import IllegalMoveError, Match, Move
from qgames.games import qubits_wars_cards as cards
from qgames.games import qubits_wars_circuit as board
from qgames.games.qubits_wars import Discarded, QubitsWars, Shot, secondary_met
from qgames.games.qubits_wars_cards import Mission
from qgames.games.qubits_wars_circuit import Operation
from tests.wars_table import seated, set_table, spread, texts, verbs

EXAMPLE = [Operation("h", (0,)), Operation("x", (1,)), Operation("h", (2,)), Operation("z", (2,))]
C03, C31 = Operation("cnot", (0, 3)), Operation("cnot", (3, 1))


def quarter(*bits: str) -> dict[str, float]:
    return dict.fromkeys(bits, 1 / len(bits))


# ---- worked examples -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cnots", "noise", "want"),
    [
        pytest.param([C03], (), quarter("0100", "0110", "1101", "1111"), id="1"),
        pytest.param([C03, C31], (), quarter("0100", "0110", "1001", "1011"), id="2"),
        pytest.param([C03], [("bit-flip", 0)], quarter("0100", "0110", "1101", "1111"), id="4 bit"),
        pytest.param(
            [C03], [("phase-flip", 0)], quarter("0100", "0110", "1101", "1111"), id="4 ph"
        ),
        pytest.param([C03], [("relaxation", 0)], quarter("0100", "0110"), id="4 relaxation"),
        pytest.param(
            [C03], [("late-flip", 0)], quarter("1100", "1110", "0101", "0111"), id="4 late"
        ),
        pytest.param(
            [C03], [("readout-error", 3)], quarter("0101", "0111", "1100", "1110"), id="4 readout"
        ),
        pytest.param(
            [C03], [("stuck-detector", 3)], quarter("0100", "0110", "1100", "1110"), id="4 stuck"
        ),
        pytest.param(
            [C03], [("dephasing", 0)], quarter("0100", "0110", "1101", "1111"), id="dephasing"
        ),
        pytest.param(
            [C03],
            [("depolarise", 0)],
            quarter("0100", "0110", "0101", "0111", "1100", "1110", "1101", "1111"),
            id="depolarise",
        ),
        pytest.param(
            [C03], [("bit-flip", 1)], quarter("0000", "0010", "1001", "1011"), id="bit flip q1"
        ),
    ],
)
def test_examples_1_2_and_4_by_amplitudes_and_by_dice(
    cnots: list[Operation], noise: list[tuple[str, int]], want: dict[str, float]
) -> None:
    assert board.symbols_of("0000", EXAMPLE) == "+1-0"
    assert board.exact("0000", EXAMPLE, cnots, noise) == pytest.approx(want)
    lines = tuple((op.lines[0], op.lines[1]) for op in cnots)
    assert board.dice_rule("+1-0", lines, tuple(noise)) == pytest.approx(want)


def test_example_2_missions() -> None:
    table = board.exact("0000", EXAMPLE, [C03, C31])
    assert sum(p for bits, p in table.items() if Mission("10**", 1).fits(bits)) == pytest.approx(
        0.5
    )
    assert not any(Mission("0**1", 1).fits(bits) for bits in table)


def test_example_3_a_minus_target_is_not_entangled() -> None:
    assert board.entangled_lines("+-", ((0, 1),)) == frozenset()
    assert board.dice_rule("+-", ((0, 1),)) == pytest.approx(quarter("00", "01", "10", "11"))


def test_example_5_one_fall_of_the_dice() -> None:
    (row,) = [r for r in board.dice_rows("+1-0", ((0, 3),)) if r.dice == ((0, "1"), (2, "0"))]
    assert (row.bits, row.after_cnot, row.recorded, row.chance) == ("1100", "1101", "1101", 0.25)
    assert (board.FACES["1"], board.FACES["0"]) == ("4-6", "1-3")


@pytest.mark.parametrize(
    ("mode", "shots", "number", "symbols", "main", "secondary"),
    [
        ("intermediate", ["0010"] * 3 + ["0011"] + ["1000"] * 4, 0, "+-00", 8, 4),
        ("intermediate", ["0010"] * 3 + ["0011"] + ["1000"] * 4, 0, "0000", 8, 0),
        ("beginner", ["1001"], 1, "+000", 3, 0),
        ("beginner", ["1001"], 1, "1000", 3, 1),
        ("beginner", ["0001"], 1, "0000", 0, 1),
        ("advance", ["0011"] * 8, 0, "++00", 16, 4),
    ],
)
def test_example_6_scores(
    mode: str, shots: list[str], number: int, symbols: str, main: int, secondary: int
) -> None:
    match = seated({}, mode=mode, missions={0: number})
    recorded = tuple(Shot(bits, bits) for bits in shots)
    set_table(match, stage="score", shots=recorded, recorded=symbols)
    match.play("score")
    row = match.position.rows[0]
    assert (row.main, row.secondary, row.points) == (main, secondary, main + secondary)
    assert match.position.totals[0] == main + secondary


def filled(columns: int = 4, free: int = 1) -> tuple[Operation, ...]:
    """A Simple Zone with identities on all slots but some of the last line."""
    slots = [q for q in range(4) for _ in range(columns)]
    return tuple(Operation("id", (q,), 0, ()) for q in slots[: len(slots) - free])


def test_example_7_the_zone_fills_and_a_circle_of_passes_ends_phase_two() -> None:
    match = seated({0: "x", 1: "target id", 2: "id"}, deck="h")
    set_table(match, operations=filled(), cnots=(Operation("cnot", (0, 1)),))
    spread(match, "x q3, a")
    assert match.position.stage == "cnot-only"
    assert match.position.hands[0] == ("h",)  # A still draws
    for seat in (1, 2, 0):
        assert match.to_move == seat
        assert verbs(match) == {"pass"}
        match.play("pass")
    assert match.position.stage == "record"
    assert match.position.hands[0] == ("h",)  # and nobody after the zone is full


def test_example_7_a_second_cnot_ends_phase_two_at_once() -> None:
    match = seated({0: "x", 1: "control target id"}, deck="h")
    set_table(match, operations=filled(), cnots=(Operation("cnot", (0, 1)),))
    spread(match, "x q3, a, cnot q2 q1, a")
    assert match.position.stage == "record"
    assert match.position.hands[1] == ("id",)


def test_both_cnots_there_when_the_zone_fills_ends_phase_two_at_once() -> None:
    match = seated({0: "x"}, deck="h")
    set_table(match, operations=filled(), cnots=(C03, C31))
    spread(match, "x q3, a")
    assert match.position.stage == "record"


def test_the_player_who_filled_the_zone_has_a_turn_again() -> None:
    match = seated({0: "x control target"}, deck="h")
    set_table(match, operations=filled())
    spread(match, "x q3, a, pass, pass, cnot q0 q1, a, pass, pass, pass")
    assert match.position.stage == "record"


def test_a_cancelled_last_gate_leaves_the_zone_open() -> None:
    match = seated({0: "x", 1: "cancel"}, deck="h")
    set_table(match, operations=filled())
    spread(match, "x q3, cancel, a")
    assert match.position.stage == "operations"
    assert match.position.operations == filled()
    assert match.position.hands[0] == ("h",)


def test_a_full_circle_of_passes_ends_phase_two_before_the_zone_is_full() -> None:
    match = spread(seated({}), "pass, pass, change id, pass, pass")
    assert match.position.stage == "operations"
    match.play("pass")
    assert match.position.stage == "record"


# ---- cards and components ------------------------------------------------------------------------


def test_the_deck_has_80_cards_as_listed() -> None:
    count = Counter(cards.deck())
    assert sum(count.values()) == len(cards.deck()) == 80
    groups = (cards.GATES | cards.HALVES, cards.NOISES, cards.STRATEGIES, cards.INSTANTS)
    assert [sum(group.values()) for group in groups] == [52, 10, 10, 8]
    assert [count[c] for c in ("x", "h", "z", "id", "swap", "control", "target")] == [
        *(10, 12, 8, 6, 4, 6, 6)
    ]
    identical = Counter(cards.deck(identical=True))
    assert identical["cnot"] == 12
    assert sum(identical.values()) == 80


@pytest.mark.parametrize(("mode", "fixed"), [("beginner", 2), ("intermediate", 3), ("advance", 4)])
@pytest.mark.parametrize("lines", [3, 4, 5])
def test_eight_missions_a_mode_with_the_eight_secondary_missions(
    mode: str, fixed: int, lines: int
) -> None:
    fixed = lines if mode == "advance" else fixed
    for number in (0, 10**20 + 7):
        found = cards.missions(mode, lines, number)
        assert [m.secondary for m in found] == list(range(1, 9))
        for mission in found:
            set_bits = mission.pattern.replace("*", "")
            assert len(mission.pattern) == lines
            assert len(set_bits) == fixed
            assert set_bits.count("1") in (fixed // 2, (fixed + 1) // 2)


def test_24_missions_and_their_copies() -> None:
    every = [m for mode in cards.MODES for m in cards.missions(mode, 4)]
    assert len(every) == 24
    assert Counter(m.pattern for m in cards.missions("advance", 4))["0101"] == 2
    ones = [m.pattern.count("1") for m in cards.missions("intermediate", 4)]
    assert (ones.count(1), ones.count(2)) == (4, 4)


def test_with_five_lines_eight_patterns_are_drawn() -> None:
    drawn = {cards.missions("intermediate", 5, n) for n in range(20)}
    assert len(drawn) > 10
    assert all(len({m.pattern for m in eight}) == 8 for eight in drawn)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_every_shuffle_is_as_likely(count: int) -> None:
    orders = Counter(cards.permuted("abcde", n, count) for n in range(120))
    assert len(set(orders.values())) == 1
    assert sum(orders.values()) == 120
    assert len(orders) == {2: 20, 3: 60, 5: 120}[count]


def test_a_shuffle_takes_bits_enough_to_be_fair_within_two_to_the_minus_64() -> None:
    import math

    assert 2 ** cards.shuffle_bits(80) >= math.factorial(80) * 2**64
    assert 2 ** cards.bits_for(3) >= 3 * 2**64


def test_the_deal() -> None:
    match = Match("qubits_wars", seed=4, seats=5)
    table = match.position
    assert [len(hand) for hand in table.hands] == [4] * 5
    assert len(table.deck) == 60
    assert len(set(table.missions)) == 5
    assert len(table.mission_deck) == 3
    assert table.initial == "0000"
    assert table.symbols == "0000"
    assert table.to_move == table.first


def test_first_players_and_initial_states_come_in_all_kinds() -> None:
    firsts, symbols = set(), Counter()
    for seed in range(24):
        match = Match("qubits_wars", seed=seed, mode="advance", seats=2)
        firsts.add(match.position.first)
        symbols.update(match.position.initial)
        assert match.position.symbols == match.position.initial
    assert firsts == {0, 1}
    assert set(symbols) == set("01+-")


# ---- gates ---------------------------------------------------------------------------------------


def test_a_gate_runs_on_the_wires_at_once_and_its_card_is_replaced() -> None:
    match = seated({0: "h x"}, deck="z")
    match.play("h q2")
    assert match.position.symbols == "00+0"
    assert [i.operation.name for i in match.circuit().data][-1] == "h"
    spread(match, "a")
    assert match.position.hands[0] == ("x", "z")
    assert match.to_move == 1


def test_slots_fill_up_and_swap_takes_two() -> None:
    match = seated({0: "swap x", 1: "x", 2: "x"}, columns=2)
    spread(match, "swap q0 q1, a, x q0, a")
    assert "x q0" not in texts(match, "x")
    with pytest.raises(IllegalMoveError, match=r"^illegal move 'x q0': line q0 has no free slot; "):
        match.play("x q0")
    assert match.position.symbols == "1000"


def test_swap_has_one_spelling() -> None:
    match = seated({0: "swap x"})
    assert str(match.play("swap q3 q0").move) == "swap q0 q3"


def test_cnot_takes_two_cards_and_draws_one() -> None:
    match = seated({0: "control target x h"}, deck="z z")
    match.play("cnot q0 q3")
    assert match.position.symbols == "0000"  # CNOTs act after the whole Simple Zone
    spread(match, "a")
    assert match.position.hands[0] == ("x", "h", "z")


def test_a_cnot_pair_is_used_once_in_either_direction_and_there_are_two() -> None:
    pair = "control target"
    match = seated({0: pair, 1: pair, 2: pair})
    spread(match, "cnot q0 q3, a")
    assert len(texts(match, "cnot")) == 10
    message = (
        "illegal move 'cnot q3 q0': the pair q3 q0 has been operated already; "
        "player 1 to move after 4 steps"
    )
    with pytest.raises(IllegalMoveError) as error:
        match.play("cnot q3 q0")
    assert str(error.value) == message
    spread(match, "cnot q3 q1, a")
    with pytest.raises(IllegalMoveError, match="the CNOT zone is full: at most 2 CNOTs on a board"):
        match.play("cnot q1 q2")


def test_disjoint_pairs() -> None:
    pair = "control target"
    match = spread(seated({0: pair, 1: pair}, disjoint_pairs=True), "cnot q0 q3, a")
    assert texts(match, "cnot") == ["cnot q1 q2", "cnot q2 q1"]
    with pytest.raises(IllegalMoveError, match="the two CNOTs may not share a line"):
        match.play("cnot q1 q3")


def test_identical_cnot_cards() -> None:
    match = seated({0: "cnot cnot x", 1: "cnot lone"}, cnot_two_identical=True)
    spread(match, "cnot q0 q3, a, lone q1 q2, a")
    assert match.position.cnot_lines == ((0, 3), (1, 2))
    assert [op.cards for op in match.position.cnots] == [("cnot", "cnot"), ("lone", "cnot")]


# ---- turns ---------------------------------------------------------------------------------------


def test_change_discards_face_up_and_draws() -> None:
    match = spread(seated({0: "x bit-flip"}, deck="h"), "change bit-flip")
    assert match.position.hands[0] == ("x", "h")
    assert match.position.discards == (Discarded("bit-flip"),)
    assert match.to_move == 1


def test_an_empty_hand_can_only_pass_and_is_not_asked() -> None:
    match = seated({0: "x", 1: "", 2: "id"})
    match.play("x q0")
    assert match.position.stack[-1].waiting == (2,)
    spread(match, "a")
    assert list(map(str, match.legal_moves)) == ["pass"]


def test_everybody_with_a_card_is_asked_the_active_player_last() -> None:
    match = seated({0: "x id", 1: "id", 2: "h", 3: "z"}, seats=4)
    match.play("x q0")
    asked = []
    while match.position.stack:
        asked.append(match.to_move)
        match.play("allow")
    assert asked == [1, 2, 3, 0]


def test_the_discards_are_shuffled_when_the_draw_pile_is_empty() -> None:
    match = seated({0: "x", 1: "h"})
    pile = match.position.deck
    set_table(match, deck=(), discards=tuple(map(Discarded, pile)))
    spread(match, "x q0, a")
    assert list(map(str, match.legal_moves)) == ["reshuffle"]
    with pytest.raises(IllegalMoveError, match="the round goes on with 'reshuffle'"):
        match.play("pass")
    step = match.play("reshuffle")
    assert len(step.bits("sealed") or "") == cards.shuffle_bits(len(pile))
    assert match.position.discards == ()
    assert len(match.position.deck) == len(pile) - 1
    assert Counter(match.position.deck + match.position.hands[0]) == Counter(pile)
    assert match.position.deck != pile[1:]
    assert match.to_move == 1


def test_with_no_card_left_anywhere_nothing_is_drawn() -> None:
    match = seated({0: "x", 1: "h"})
    set_table(match, deck=())
    spread(match, "x q0, a")
    assert match.position.hands[0] == ()
    assert match.to_move == 1


# ---- strategies ----------------------------------------------------------------------------------


def test_supply_draws_two_extra_cards() -> None:
    match = spread(seated({0: "supply"}, deck="x z h"), "supply, a")
    assert match.position.hands[0] == ("x", "z", "h")


def test_double_step_is_up_to_two_placements_then_one_card() -> None:
    match = spread(seated({0: "double x h control target"}, deck="z"), "double, a")
    assert verbs(match) == {"x", "h", "cnot", "stop"}
    spread(match, "cnot q0 q1, a, x q0, a")
    assert match.position.hands[0] == ("h", "z")
    assert match.to_move == 1


def test_double_step_may_stop_and_takes_only_gates() -> None:
    match = spread(seated({0: "double x bit-flip"}, deck="z"), "double, a, x q0, a")
    with pytest.raises(IllegalMoveError, match="Double step goes on, expected a gate or 'stop'"):
        match.play("noise q0 (bit-flip)")
    spread(match, "stop")
    assert match.position.hands[0] == ("bit-flip", "z")
    assert match.to_move == 1


def test_double_step_that_fills_the_zone_may_still_place_a_cnot_and_draws() -> None:
    match = seated({0: "double x x control target", 1: "h"}, deck="z")
    set_table(match, operations=filled())
    spread(match, "double, a, x q3, a")
    assert verbs(match) == {"cnot", "stop"}
    with pytest.raises(IllegalMoveError, match="the Simple Zone is full: only CNOT or stop"):
        match.play("x q0")
    spread(match, "cnot q0 q1, a")
    assert match.position.hands[0] == ("x", "z")
    assert verbs(match) == {"pass"}


def test_relocate_takes_a_gate_to_the_end_of_the_list() -> None:
    match = seated({0: "h", 1: "x", 2: "relocate"})
    spread(match, "h q1, a, x q1, a")
    assert match.position.symbols == "0+00"
    match.play("relocate q1.1 q3")
    assert match.position.symbols == "010+"
    assert [op.gate for op in match.position.operations] == ["x", "h"]
    spread(match, "a")
    assert [d.card for d in match.position.discards] == ["relocate"]


def test_relocate_needs_a_single_qubit_gate_and_a_free_slot() -> None:
    match = seated({0: "swap", 1: "x", 2: "relocate"}, columns=2)
    set_table(match, operations=(Operation("id", (3,), 0), Operation("id", (3,), 0)))
    spread(match, "swap q0 q1, a, x q0, a")
    assert "relocate q0.1 q2" not in texts(match, "relocate")
    assert "relocate q0.2 q3" not in texts(match, "relocate")
    assert "relocate q0.2 q0" in texts(match, "relocate")
    refused = "q0.1 holds no single-qubit gate, or the other line has no free slot"
    with pytest.raises(IllegalMoveError, match=refused):
        match.play("relocate q0.1 q2")


def test_erase_removes_the_latest_operation_that_touches_a_line() -> None:
    match = seated({0: "x", 1: "swap", 2: "erase"})
    spread(match, "x q0, a, swap q0 q1, a")
    assert match.position.symbols == "0100"
    with pytest.raises(IllegalMoveError, match="no operation touches q3"):
        match.play("erase q3")
    match.play("erase q1")
    assert match.position.symbols == "1000"
    assert match.position.used(1) == 0
    spread(match, "a")
    assert sorted(d.card for d in match.position.discards) == ["erase", "swap"]


def test_erase_of_an_early_swap_recomputes_what_came_later() -> None:
    match = seated({0: "swap", 1: "x", 2: "erase"})
    spread(match, "swap q0 q1, a, x q0, a, erase q1")
    assert match.position.symbols == "1000"
    assert [op.gate for op in match.position.operations] == ["x"]


def test_exchange_lines_moves_gates_but_not_initial_states() -> None:
    match = seated({0: "h", 1: "x", 2: "exchange"}, initial="zeros")
    spread(match, "h q0, a, x q3, a, exchange q3 q0")
    assert match.position.symbols == "100+"
    assert str(match.record[-1].move) == "exchange q0 q3"
    spread(match, "a")
    assert match.position.symbols == "100+"


def test_exchange_lines_without_operations_is_refused() -> None:
    match = spread(seated({0: "x", 1: "exchange"}), "x q0, a")
    with pytest.raises(IllegalMoveError, match="neither line carries an operation"):
        match.play("exchange q1 q2")


def test_new_orders_draws_another_mission() -> None:
    match = seated({0: "new-orders"}, missions={0: 2})
    top = match.position.mission_deck[0]
    spread(match, "new-orders, a")
    assert match.position.missions[0] == top
    assert match.position.mission_deck[-1] == 2
    assert match.position.discards == (Discarded("new-orders"),)


def test_scout_shows_a_mission_until_it_is_exchanged() -> None:
    match = seated({0: "scout", 1: "new-orders"}, missions={0: 0, 1: 5, 2: 6})
    spread(match, "scout p1, a")
    assert match.view(0).position.missions == (0, 5, None)
    assert match.view(2).position.missions == (None, None, 6)
    spread(match, "new-orders, a")
    assert match.view(0).position.missions == (0, None, None)


def test_scout_shows_a_face_down_noise_to_the_scout_alone() -> None:
    match = spread(seated({0: "late-flip", 1: "scout"}), "noise q2 (late-flip), a, scout q2, a")
    kinds = [match.view(seat).position.noises[2].kind for seat in (0, 1, 2, None)]
    assert kinds == ["late-flip", "late-flip", "?", "?"]


def test_scout_does_not_look_at_ones_own() -> None:
    match = seated({0: "scout"})
    with pytest.raises(
        IllegalMoveError, match="it looks at another player's mission or at another's"
    ):
        match.play("scout p0")


@pytest.mark.parametrize(("verb", "half"), [("lone-control", "control"), ("lone-target", "target")])
def test_lone_control_stands_for_the_missing_half(verb: str, half: str) -> None:
    match = seated({0: f"lone {half} x"}, deck="z")
    assert verbs(match) >= {verb}
    assert not verbs(match) & {"cnot"}
    spread(match, f"{verb} q2 q1, a")
    assert match.position.cnot_lines == ((2, 1),)
    assert match.position.hands[0] == ("x", "z")


def test_lone_control_needs_one_half() -> None:
    match = seated({0: "lone x"})
    with pytest.raises(IllegalMoveError, match="the hand has no control, only lone x"):
        match.play("lone-control q0 q1")


def test_in_the_cnot_only_stage_lone_control_counts_as_a_cnot() -> None:
    match = seated({0: "x", 1: "lone target cancel supply", 2: "cancel"}, deck="h")
    set_table(match, operations=filled())
    spread(match, "x q3, a")
    assert verbs(match) == {"lone-target", "pass"}
    for move in ("supply", "change x", "shield q0"):
        with pytest.raises(IllegalMoveError, match="the Simple Zone is full: only CNOT or pass"):
            match.play(move)
    spread(match, "lone-target q0 q1")
    assert verbs(match) == {"allow", "cancel"}
    spread(match, "cancel, a")
    assert match.position.cnots == ()
    assert match.position.hands[1] == ("cancel", "supply")


# ---- noise ---------------------------------------------------------------------------------------


def test_noise_lies_face_down_one_a_line() -> None:
    match = seated({0: "late-flip", 1: "bit-flip x", 2: "id"})
    step = match.play("noise q1 (late-flip)")
    assert str(step.seen_by(1)) == "noise q1 (?)"
    assert match.view(1).position.noises[1].kind == "?"
    assert match.view(0).position.noises[1].kind == "late-flip"
    assert match.position.symbols == "0000"
    spread(match, "a")
    with pytest.raises(IllegalMoveError, match="the noise place of q1 is taken"):
        match.play("noise q1 (bit-flip)")


def test_a_noise_is_named_in_brackets_and_must_be_in_hand() -> None:
    match = seated({0: "late-flip"})
    named = (
        "noise names one of bit-flip phase-flip relaxation late-flip dephasing depolarise "
        "readout-error stuck-detector in brackets"
    )
    with pytest.raises(IllegalMoveError) as error:
        match.play("noise q1")
    assert named in str(error.value)
    with pytest.raises(IllegalMoveError, match="the hand has no bit-flip, only late-flip"):
        match.play("noise q1 (bit-flip)")


# ---- instants and the window ---------------------------------------------------------------------


def test_cancel_takes_a_gate_back_and_neither_card_is_replaced_out_of_turn() -> None:
    match = seated({0: "h", 1: "cancel id"}, deck="z x")
    spread(match, "h q0, cancel")
    assert match.position.symbols == "+000"  # until the Cancel itself stands
    spread(match, "a")
    assert match.position.symbols == "0000"
    assert [d.card for d in match.position.discards] == ["cancel", "h"]
    assert match.position.hands[:2] == (("z",), ("id",))


def test_cancel_cancels_a_cancel() -> None:
    match = seated({0: "h cancel", 1: "cancel"}, deck="z")
    spread(match, "h q0, cancel, allow, cancel, a")
    assert match.position.symbols == "+000"
    assert match.position.hands[0] == ("z",)
    assert [d.card for d in match.position.discards] == ["cancel", "cancel"]


def test_after_a_cancelled_cancel_the_others_may_still_answer_the_card() -> None:
    match = seated({0: "h id", 1: "cancel id", 2: "cancel cancel"})
    spread(match, "h q0, cancel, allow, cancel, allow, allow, allow")  # 2 cancels 1's Cancel
    assert match.to_move == 2
    spread(match, "cancel, a")
    assert match.position.symbols == "0000"


@pytest.mark.parametrize(
    ("hand", "moves", "back"),
    [
        ("supply", "supply", "supply"),
        ("double", "double", "double"),
        ("new-orders", "new-orders", "new-orders"),
        ("scout", "scout p1", "scout"),
        ("relocate", "relocate q0.1 q3", "relocate"),
        ("erase", "erase q0", "erase"),
        ("exchange", "exchange q0 q1", "exchange"),
        ("control target", "cnot q0 q1", "control target"),
        ("lone target", "lone-target q0 q1", "lone target"),
        ("swap", "swap q0 q1", "swap"),
    ],
)
def test_a_cancelled_card_leaves_the_table_as_it_was(hand: str, moves: str, back: str) -> None:
    match = seated({0: hand, 1: "cancel"}, deck="z z z")
    set_table(match, operations=(Operation("x", (0,), 2, ()),))
    before = match.position
    spread(match, f"{moves}, cancel, a")
    after = match.position
    same = ("operations", "cnots", "missions", "mission_deck", "scouted", "noises", "placements")
    assert all(getattr(before, name) == getattr(after, name) for name in same)
    assert after.hands == (("z",), (), ("id",))
    assert [d.card for d in after.discards] == ["cancel", *back.split()]


def test_a_cancelled_noise_is_discarded_unseen() -> None:
    match = spread(seated({0: "bit-flip", 1: "cancel"}), "noise q1 (bit-flip), cancel, a")
    assert match.position.noises == (None,) * 4
    seen = [[d.card for d in match.view(seat).position.discards] for seat in (0, 1)]
    assert seen == [["cancel", "bit-flip"], ["cancel", "?"]]


def test_redirect_takes_a_gate_elsewhere() -> None:
    match = spread(seated({0: "x", 1: "redirect"}), "x q0")
    assert texts(match, "redirect") == ["redirect q1", "redirect q2", "redirect q3"]
    spread(match, "redirect q2, a")
    assert match.position.symbols == "0010"
    assert match.position.operations == (Operation("x", (2,), 0, ("x",)),)


def test_redirect_of_two_lines_and_of_a_noise() -> None:
    match = seated({0: "swap", 1: "redirect", 2: "id"})
    spread(match, "swap q0 q1")
    assert "redirect q0 q1" not in texts(match, "redirect")
    spread(match, "redirect q2 q3, a")
    assert match.position.operations[0].lines == (2, 3)
    match = spread(seated({0: "bit-flip", 1: "redirect"}), "noise q0 (bit-flip), redirect q3, a")
    assert [n is None for n in match.position.noises] == [True, True, True, False]
    assert match.view(1).position.noises[3].kind == "?"


def test_redirect_of_a_cnot_goes_to_another_pair() -> None:
    match = spread(seated({0: "control target", 1: "redirect"}), "cnot q0 q1")
    assert "redirect q1 q0" not in texts(match, "redirect")
    spread(match, "redirect q3 q1, a")
    assert match.position.cnot_lines == ((3, 1),)


def test_redirect_answers_only_a_gate_or_a_noise() -> None:
    match = spread(seated({0: "supply", 1: "redirect"}), "supply")
    assert verbs(match) == {"allow"}
    refused = "it takes a gate or noise just played to other lines where it is legal"
    with pytest.raises(IllegalMoveError, match=refused):
        match.play("redirect q2")


def test_reverse_exchanges_control_and_target() -> None:
    match = spread(seated({0: "control target", 1: "reverse"}), "cnot q0 q3, reverse, a")
    assert match.position.cnot_lines == ((3, 0),)
    match = spread(seated({0: "x", 1: "reverse"}), "x q0")
    with pytest.raises(IllegalMoveError, match="the card just played is no CNOT"):
        match.play("reverse")


def test_shield_is_a_turns_card_too_and_discards_unseen() -> None:
    match = seated({0: "bit-flip", 1: "shield"}, deck="x z")
    spread(match, "noise q0 (bit-flip), a, shield q0, a")
    assert match.position.noises == (None,) * 4
    assert match.position.hands[1] == ("z",)
    assert match.view(2).position.discards[-1].card == "?"
    assert match.view(1).position.discards[-1].card == "?"
    assert match.view(0).position.discards[-1].card == "bit-flip"


def test_shield_against_the_noise_just_played() -> None:
    match = spread(seated({0: "bit-flip", 1: "shield"}), "noise q0 (bit-flip), shield q0, a")
    assert match.position.noises == (None,) * 4
    assert match.to_move == 1


def test_shield_needs_a_noise() -> None:
    with pytest.raises(IllegalMoveError, match="no face-down noise lies above q2"):
        seated({0: "shield"}).play("shield q2")


def test_instants_wait_for_a_card_to_answer() -> None:
    match = seated({0: "cancel redirect reverse"})
    assert verbs(match) == {"change", "pass"}
    for move in ("cancel", "redirect q1", "reverse", "allow"):
        with pytest.raises(IllegalMoveError, match="no card waits for an answer"):
            match.play(move)


def test_only_instants_answer() -> None:
    match = spread(seated({0: "x", 1: "h cancel"}), "x q0")
    waits = "a card waits for answers, expected an Instant or 'allow'"
    with pytest.raises(IllegalMoveError, match=waits):
        match.play("h q0")


# ---- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("x q4", "x takes one line, lines q0 to q3"),
        ("x 0", "x takes one line, lines q0 to q3"),
        ("swap q1 q1", "swap takes two different lines, lines q0 to q3"),
        ("cnot q1", "cnot takes two different lines, lines q0 to q3"),
        ("x q0 (h)", "x has no secret argument"),
        ("relocate q0 q1", "relocate takes a slot such as q1.2 and a line, lines q0 to q3"),
        ("scout p7", "scout takes one line, lines q0 to q3"),
        ("measure", "it is played only when nothing else can be"),
        ("deal", "it is played only when nothing else can be"),
        ("choose (3)", "missions are not chosen now"),
        ("stop", "no Double step is under way"),
        ("z q0", "the hand has no z, only h x"),
        ("cnot q0 q1", "the hand has no control and no target, only h x"),
        ("change z", "the hand has no z, only h x"),
    ],
)
def test_refusals(move: str, why: str) -> None:
    match = seated({0: "x h"})
    if move == "scout p7":
        why = "scout takes a seat such as p1 or a line, lines q0 to q3"
    before = match.position
    with pytest.raises(IllegalMoveError) as error:
        match.play(move)
    assert str(error.value) == f"illegal move {move!r}: {why}; player 0 to move after 1 step"
    assert match.position is before


def test_an_unknown_verb_is_told_the_verbs() -> None:
    with pytest.raises(
        IllegalMoveError, match="unknown verb 'teleport', expected one of allow cancel"
    ):
        seated({0: "x"}).play("teleport q0")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seats": 7}, "option seats of qubits_wars is one of 2, 3, 4, 5, 6: got 7"),
        ({"mode": "easy"}, "is one of 'beginner', 'intermediate', 'advance': got 'easy'"),
        ({"colums": 4}, "unknown option 'colums' for qubits_wars: expected one of seats, mode"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Match("qubits_wars", **options)


# ---- Phase III -----------------------------------------------------------------------------------


def to_the_end(match: Match) -> list[str]:
    played = []
    while match.to_move is not None and match.position.stage != "operations":
        assert len(match.legal_moves) == 1
        played.append(str(match.play(match.legal_moves[0]).move))
    return played


def test_phase_three_goes_in_the_order_of_the_sheet() -> None:
    match = seated({0: "late-flip", 1: "bit-flip", 2: "h"})
    spread(match, "noise q2 (late-flip), a, noise q0 (bit-flip), a, h q1, a, pass, pass, pass")
    assert match.view(2).position.noises[0].kind == "?"
    match.play("reveal")  # the first one placed
    assert match.view(2).position.noises[2].kind == "late-flip"
    assert match.view(2).position.noises[0].kind == "?"
    assert to_the_end(match) == ["reveal", "record", "missions", "cnot-zone", "measure", "score"]
    assert match.position.recorded == "1+00"  # with the early noise, without the late one
    read = match.position.shots[0].read
    assert read in ("1010", "1110")
    assert match.result is not None
    assert match.result.points == tuple(float(row.points) for row in match.position.rows)


def test_missions_are_open_after_they_are_revealed_and_not_before() -> None:
    match = spread(seated({}, missions={0: 3, 1: 4, 2: 5}), "pass, pass, pass, record")
    assert match.view(1).position.missions == (None, 4, None)
    match.play("missions")
    assert match.view(1).position.missions == match.view(None).position.missions == (3, 4, 5)


def test_the_cnot_zone_entangles_on_the_wires_and_a_shot_has_its_odds() -> None:
    match = seated({0: "h", 1: "control target", 2: "id"})
    spread(match, "h q0, a, cnot q0 q3, a, pass, pass, pass, record, missions, cnot-zone")
    assert match.position.linked == {0, 3}
    assert match.position.symbols == "E00E"
    assert match.odds("measure") == pytest.approx({"result=0000": 0.5, "result=1001": 0.5})
    assert match.view(None).belief.clusters == ((0, 3), (1,), (2,))


def test_dephasing_is_measured_and_never_read() -> None:
    match = seated({0: "dephasing", 1: "h"})
    spread(match, "noise q0 (dephasing), a, h q0, a, pass, pass, pass")
    to_the_end(match)
    step = next(s for s in match.record if s.move.verb == "measure")
    assert [name for name, _ in step.outcome] == ["result", "sealed"]
    assert step.bits("sealed") == (step.bits("result") or "")[0]
    assert step.seen_by(0).bits("sealed") == "?"


def test_eight_shots_are_taken_anew_each_time() -> None:
    match = seated({0: "h", 1: "control target"}, mode="intermediate")
    spread(match, "h q0, a, cnot q0 q3, a, pass, pass, pass")
    assert to_the_end(match).count("measure") == 8
    shots = [shot.recorded for shot in match.position.shots]
    assert set(shots) == {"0000", "1001"}


@pytest.mark.parametrize(
    ("number", "symbols", "linked", "swap", "cnots", "met"),
    [
        (1, "+-00", "", False, 0, True),
        (1, "+000", "", False, 0, False),
        (2, "0110", "", False, 0, True),
        (2, "011+", "", False, 0, False),
        (3, "-+00", "", False, 0, True),
        (3, "--00", "", False, 0, False),
        (4, "-01-", "", False, 0, True),
        (4, "-01+", "", False, 0, False),
        (5, "+000", "03", False, 1, True),
        (5, "+000", "", False, 0, False),
        (6, "+000", "", False, 0, True),
        (6, "+000", "03", False, 1, False),
        (7, "0000", "", True, 0, True),
        (7, "0000", "", False, 0, False),
        (8, "0000", "", False, 2, True),
        (8, "0000", "", False, 1, False),
    ],
)
def test_secondary_missions(
    number: int, symbols: str, linked: str, swap: bool, cnots: int, met: bool
) -> None:
    mission = Mission("****", number)
    assert secondary_met(mission, symbols, frozenset(map(int, linked)), swap, cnots) is met


def test_rounds_rotate_the_first_player_and_deal_everything_afresh() -> None:
    match = seated({}, seats=2, rounds="players")
    spread(match, "pass, pass, record, missions, cnot-zone, measure, score")
    assert match.position.stage == "next-round"
    assert match.to_move == 0
    match.play("next-round")
    table = match.position
    assert (table.round, table.first, table.to_move) == (2, 1, 1)
    assert [len(hand) for hand in table.hands] == [4, 4]
    assert len(table.deck) == 72
    assert table.noises == (None,) * 4
    assert table.operations == ()
    assert table.symbols == "0000"
    assert len(table.sheets) == 1
    spread(match, "pass, pass, record, missions, cnot-zone, measure, score")
    assert match.result is not None
    assert len(match.position.sheets) == 2
    totals = tuple(sum(sheet.rows[s].points for sheet in match.position.sheets) for s in (0, 1))
    assert match.position.totals == totals


@pytest.mark.parametrize(
    ("totals", "mains", "winner", "reason"),
    [
        ((3, 4, 1), (3, 3, 0), 1, "highest total"),
        ((4, 4, 1), (3, 4, 0), 1, "more main-mission points"),
        ((4, 4, 1), (3, 3, 0), None, "shared victory"),
    ],
)
def test_ties(totals: Any, mains: Any, winner: int | None, reason: str) -> None:
    match = seated({}, missions={0: 1, 1: 4, 2: 0})
    # nobody's mission fits, and the secondary missions 2, 5 and 1 give nothing on "+000"
    set_table(
        match,
        totals=totals,
        mains=mains,
        stage="score",
        shots=(Shot("0000", "0000"),),
        recorded="+000",
    )
    match.play("score")
    assert match.result is not None
    assert (match.result.winner, match.result.reason) == (winner, reason)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_who_resigns_gives_the_win_to_the_best_of_the_others(order: tuple[int, int]) -> None:
    match = seated({})
    totals = (5, *(order))
    set_table(match, totals=totals)
    match.play("resign")
    assert match.result is not None
    assert match.result.winner == 1 + order.index(1)
    assert match.result.points == (0.0, float(order[0]), float(order[1]))


def test_missions_may_be_chosen_from_those_that_are_left() -> None:
    match = Match("qubits_wars", seed=5, seats=3, missions="chosen", rounds="quick")
    first = match.to_move
    assert first is not None
    assert [str(m) for m in match.legal_moves] == [f"choose ({n})" for n in range(1, 9)]
    match.play("choose (3)")
    assert match.view(first).position.missions[first] == 2
    second = match.to_move
    assert second is not None
    assert second == (first + 1) % 3
    assert match.view(second).position.missions[first] is None
    assert str(match.view(second).record[-1].move) == "choose (?)"
    with pytest.raises(IllegalMoveError, match="that mission card has been taken"):
        match.play("choose (3)")
    with pytest.raises(IllegalMoveError, match="a mission card is to be chosen first"):
        match.play("pass")
    match.play("choose (4)")
    match.play("choose (1)")
    assert match.position.stage == "operations"
    assert match.to_move == first
    assert len(match.position.mission_deck) == 5


def test_every_card_of_the_deck_has_a_move() -> None:
    played = {*cards.GATES, *cards.HALVES, *cards.NOISES, *cards.STRATEGIES, *cards.INSTANTS}
    assert played == set(cards.deck())
    game = QubitsWars()
    assert game.normal(Move("swap", ("q3", "q0"))) == Move("swap", ("q0", "q3"))
    assert game.normal(Move("cnot", ("q3", "q0"))) == Move("cnot", ("q3", "q0"))
