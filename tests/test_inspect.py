"""The inspector: every stage against an independent evolution; looking changes nothing; words."""

import json
import random
import re
from itertools import pairwise

import numpy as np
import pytest

import qgames
from qgames import GAMES, IllegalMoveError, Match
from qgames.core import readable
from qgames.draw import inspector as pane
from qgames.inspector import Inspector, Rerun, what_if
from qgames.quantum import QuantumState, wire_registers, without_dice
from qgames.walk import Walk
from tests import sparse
from tests.matches import bell, played
from tests.secrets import twins

SEEDS = range(50)
STEPS = 16
every_game = pytest.mark.parametrize("key", GAMES)


# ---- every stage, against numpy alone ------------------------------------------------------------


def mixed(branches: list[sparse.Branch], qubits: list[int]) -> np.ndarray:
    """The density matrix of some qubits of a mixture, qubits[0] least significant."""
    rho = np.zeros((2 ** len(qubits),) * 2, dtype=complex)
    for branch in branches:
        rests: dict[int, np.ndarray] = {}
        for ket, a in branch.kets.items():
            own = sum((ket >> q & 1) << n for n, q in enumerate(qubits))
            rest = ket & ~sum(1 << q for q in qubits)
            rests.setdefault(rest, np.zeros(2 ** len(qubits), dtype=complex))[own] += a
        rho += sum(np.outer(v, v.conj()) for v in rests.values())
    return rho / np.trace(rho)


def walked(walk: Walk) -> None:
    """The walk of the truth against `tests.sparse`, stage by stage."""
    wires = [q for q in walk.concerned if q < walk.before.wires]
    known = sparse.known_bits(walk.fragment, dict(walk.outcome))
    if not wires:
        thrown(walk, known)
        return
    found = [sparse.Branch(sparse.kets_of(walk.before, wires))]
    for item, stage in zip(walk.fragment.data, walk.stages[1:], strict=True):
        before = sum(branch.weight for branch in found)
        if item.name == "measure":
            check_odds(walk, item, stage, found, before)
        found = sparse.stepped(found, item, walk.fragment, known)
        if stage.state.is_pure:
            (branch,) = found
            mine = sparse.normal(sparse.kets_of(stage.state, walk.concerned))
            assert sparse.same(sparse.normal(branch.kets), mine), (str(walk.step), stage.place)
        else:
            check_mixture(walk, stage, found)
    final = walk.stages[-1].state.narrowed(walk.before.wires)
    assert final == walk.after


def thrown(walk: Walk, known: dict[int, int]) -> None:
    """Dice alone: each is H on a fresh qubit and a measurement, and nothing else is touched."""
    half = np.full((2, 2), 0.5)
    for item, stage in zip(walk.fragment.data, walk.stages[1:], strict=True):
        (qubit,) = (walk.fragment.find_bit(q).index for q in item.qubits)
        if item.name == "measure":
            bit = known[walk.fragment.find_bit(item.clbits[0]).index]
            assert stage.odds == (("0", 0.5), ("1", 0.5))
            assert np.allclose(stage.state.density((qubit,)), np.diag([1 - bit, bit]))
        else:
            assert item.name == "h"
            assert np.allclose(stage.state.density((qubit,)), half)
    assert walk.stages[-1].state.narrowed(walk.before.wires) == walk.before == walk.after


def check_odds(walk, item, stage, found, before) -> None:
    qubit = walk.fragment.find_bit(item.qubits[0]).index
    one = sum(sum(abs(a) ** 2 for a in sparse.projected(b.kets, qubit, 1).values()) for b in found)
    assert dict(stage.odds).get("1", 0.0) == pytest.approx(one / before, abs=1e-9)


def check_mixture(walk, stage, found) -> None:
    """A reset leaves a mixture: compared by the density matrices of pairs."""
    qubits = list(walk.concerned)[:8]
    for a, b in pairwise(qubits):
        assert np.allclose(stage.state.density((a, b)), mixed(found, [a, b]), atol=1e-9)


@every_game
def test_each_stage_is_what_numpy_says_and_the_last_is_the_match(key: str) -> None:
    for seed in SEEDS:
        match = played(key, seed, STEPS)
        view = match.truth()
        for number in range(len(match.record)):
            walked(Walk(view, number))
        assert view.position == match.position


@every_game
def test_a_seat_walks_through_its_belief(key: str) -> None:
    """Mixed states, stage by stage: pairs of qubits against a mixture of all histories."""
    for seed in range(3):
        match = played(key, seed, 8)
        for seat in range(match.game.seats):
            view = match.view(seat)
            for number in range(len(match.record)):
                walk = Walk(view, number)
                final = walk.stages[-1].state.narrowed(walk.before.wires)
                assert final == walk.after
                if not walk.before.is_pure or all(readable(n, seat) for n, _ in walk.outcome):
                    continue
                wires = [q for q in walk.concerned if q < walk.before.wires]
                known = sparse.known_bits(walk.fragment, dict(walk.outcome))
                found = [sparse.Branch(sparse.kets_of(walk.before, wires))]
                for item, stage in zip(walk.fragment.data, walk.stages[1:], strict=True):
                    found = sparse.stepped(found, item, walk.fragment, known)
                    check_mixture(walk, stage, found)


def test_dice_are_left_out_unless_asked_for_or_all_there_is() -> None:
    match = Match("qlanet", seed=1)
    assert {r.name for r in Walk(match.truth(), 0).fragment.cregs} == {"sealed"}
    whole = Walk(match.truth(), 0, dice=True)
    assert len(whole) == 18 + 2 * 24
    assert whole.stages[-1].state.narrowed(9) == whole.after
    match = Match("qlanet", seed=1, gates="beginner")
    while match.legal_moves[0].verb != "draw":
        match.play(match.legal_moves[0])
    match.play("draw")
    alone = Walk(match.truth())
    assert len(alone) >= 6
    walked(alone)
    assert alone.stages[-1].odds == (("0", 0.5), ("1", 0.5))


def test_a_mixture_that_feed_forward_makes() -> None:
    """Planet 5 for one who may not read its bits: X on half of the histories, then H on half."""
    walk = Walk(bell().view(0), 0)
    five = [stage.state.density((4,)) for stage in walk.stages[-3:]]
    assert np.allclose(five[0], np.diag([1, 0]))
    assert np.allclose(five[1], np.diag([0.5, 0.5]))
    assert [stage.met for stage in walk.stages[-2:]] == [0.5, 0.5]


def test_the_branch_that_happened_and_its_odds() -> None:
    stages = Walk(bell().view(0), 1).stages
    read = [(s.bits, s.odds, s.read) for s in stages if s.odds]
    assert read == [
        ((("p0", 0),), (("1", 1.0),), "1"),
        ((("p0", 1),), (("0", 0.5), ("1", 0.5)), "1"),
    ]
    hidden = [s.read for s in Walk(bell().view(1), 1).stages if s.odds]
    assert hidden == ["?", "?"]


# ---- what a viewer may know ----------------------------------------------------------------------


@every_game
def test_two_histories_that_read_alike_are_inspected_alike(key: str) -> None:
    match = played(key, 5, 7)
    for seat in (*range(match.game.seats), None):
        mine = [str(Inspector(match, n, seat=seat)) for n in range(len(match.record))]
        pages = Inspector(match, seat=seat).page(1 if len(Walk(match.view(seat))) else 0)
        for twin in twins(match, seat, most=3):
            theirs = [str(Inspector(twin, n, seat=seat)) for n in range(len(twin.record))]
            assert theirs == mine
            at = 1 if len(Walk(twin.view(seat))) else 0
            assert Inspector(twin, seat=seat).page(at) == pages


def test_truth_is_only_shown_when_asked_for() -> None:
    match = bell()
    assert "sealed=??" in str(qgames.inspect(match, 0).step)
    assert str(qgames.inspect(match, 0, truth=True).step) == str(match.record[0])
    with pytest.raises(ValueError, match="truth=True shows everything: expected no seat, got 0"):
        qgames.inspect(match, truth=True, seat=0)


@every_game
def test_the_truth_is_the_match(key: str) -> None:
    match = played(key, 3, STEPS)
    for at in range(match.fewest_steps, len(match.record) + 1):
        view = match.truth(at)
        assert view.record == match.record[:at]
        assert view.belief.is_pure
    assert match.truth().position == match.position


# ---- looking never changes the match -------------------------------------------------------------


@every_game
def test_inspecting_what_if_and_running_again_change_nothing(key: str) -> None:
    match, twin = played(key, 11, 9), played(key, 11, 9)
    text, position, record = match.to_json(), match.position, match.record
    views = [match.view(seat) for seat in (*range(match.game.seats), None)]
    for number in range(len(record)):
        for whose in ({"seat": 0}, {}, {"truth": True}):
            inspector = Inspector(match, number, **whose)
            str(inspector)
            inspector.page(len(inspector.walk))
    inspector = qgames.inspect(match)
    inspector.drawing("text")
    for move in match.legal_moves[:3]:
        what_if(match, move).boards()
    inspector.rerun(20, seed=1).picture()
    assert (match.to_json(), match.record) == (text, record)
    assert match.position == position
    assert [match.view(seat) for seat in (*range(match.game.seats), None)] == views
    rng = random.Random(4)
    for _ in range(4):
        if match.to_move is not None:
            move = rng.choice(match.legal_moves)
            assert match.play(move) == twin.play(move)
    assert match.position == twin.position


# ---- what if, and again --------------------------------------------------------------------------


@every_game
def test_what_if_lists_every_outcome_with_its_board(key: str) -> None:
    match = played(key, 2, 6)
    assert match.to_move is not None
    first = {move.verb: move for move in match.legal_moves}
    for move in first.values():
        found = what_if(match, move)
        fragment = without_dice(match.fragment(move))
        expected = match.view(match.to_move).belief.odds(fragment, wire_registers(fragment))
        assert sorted(found.odds.values()) == pytest.approx(sorted(expected.values()))
        assert sum(found.odds.values()) == pytest.approx(1)
        assert set(found.boards()) == set(found.positions) == set(found.odds)
        assert all("<svg" in board for board in found.boards().values())
        html = found._repr_html_()
        assert html.count("qg-after-board") == len(found.branches) + html.count(".qg-after-board")


def test_what_if_instead_of_a_step_and_what_the_rules_forbid() -> None:
    match = bell()
    assert qgames.inspect(match, 1, seat=0).what_if("m 5").odds == {"fixed=0": 0.5, "fixed=1": 0.5}
    with pytest.raises(
        IllegalMoveError, match=r"^illegal move 'h 6' after 4 steps: planet 6 is fixed$"
    ):
        what_if(match, "h 6")


def test_running_again_agrees_with_the_exact_odds() -> None:
    match = bell()
    rerun = qgames.inspect(match, truth=True).rerun(4000, seed=5)
    exact = QuantumState.zeros(9).odds(match.circuit())
    assert rerun.happened == "sealed_0=10 p0_1=11 fixed_3=1"
    assert rerun.chance == pytest.approx(
        {" ".join(f"{n}={b}" for n, b in key): p for key, p in exact.items()}[rerun.happened]
    )
    share = rerun.counts[rerun.happened] / 4000
    assert abs(share - rerun.chance) < 4 * np.sqrt(rerun.chance / 4000)
    assert [(a.step, a.read) for a in rerun.again] == [
        (0, "sealed_0=10"),
        (1, "p0_1=11"),
        (3, "fixed_3=1"),
    ]
    assert "happened" in str(rerun)
    assert rerun.happened in rerun.picture()


def test_a_spectator_does_not_learn_secrets_by_running_again() -> None:
    rerun = Rerun(bell(), bell().view(None), 4, 100, seed=1)
    assert rerun.registers == ("fixed_3",)
    assert rerun.happened == "fixed_3=1"
    assert set(rerun.counts) == {"fixed_3=0", "fixed_3=1"}


def test_running_again_is_refused_where_it_makes_no_sense() -> None:
    match = bell()
    inspector = qgames.inspect(match)
    with pytest.raises(ValueError, match=r"^expected 1 to 1000000 shots: got 0$"):
        inspector.rerun(0)
    with pytest.raises(ValueError, match="re-running needs the match: inspect"):
        Inspector(match.view(0)).rerun()
    match.undo()
    match.play("m 9")
    with pytest.raises(ValueError, match="the match was taken back since it was opened here"):
        inspector.rerun()


# ---- words and drawings --------------------------------------------------------------------------


def test_the_step_in_a_sentence() -> None:
    match = bell()
    said = [qgames.inspect(match, n, seat=0).sentence for n in range(4)]
    assert said[1] == (
        "Bell measurement of planets 6 and 9: they are now |01⟩ − |10⟩; only Player 0 knows."
    )
    assert said[3] == (
        "Measurement of planet 6: it is now |1⟩; planet 5 is now |0⟩, |1⟩, |+⟩ or |−⟩; planet 9"
        " is now |0⟩. Everybody reads fixed=1."
    )
    other = qgames.inspect(match, 1, seat=1).sentence
    assert other == (
        "Bell measurement of planets 6 and 9: they are now |00⟩ − |11⟩ or |01⟩ − |10⟩;"
        " only Player 0 knows."
    )


def test_an_instruction_in_a_sentence() -> None:
    inspector = qgames.inspect(bell(), 1, seat=0)
    assert [inspector.words(n) for n in range(7)] == [
        "Before the first instruction.",
        "X on planet 9 where planet 6 is 1.",
        "H on planet 6.",
        "Planet 6 is measured into p0[0]: 1, which was certain.",
        "Planet 9 is measured into p0[1]: it read 1, a chance of 50 %.",
        "H on planet 6.",
        "X on planet 9 where planet 6 is 1.",
    ]
    deal = qgames.inspect(bell(), 0, truth=True)
    assert deal.words(17) == "If sealed[0] is 1, planet 5 changes: it is, so it is done."
    assert deal.words(18) == "If sealed[1] is 1, planet 5 changes: it is not, so nothing is done."


@every_game
def test_every_step_has_a_sentence_and_a_drawing(key: str) -> None:
    match = played(key, 8, 14)
    for number in range(len(match.record)):
        inspector = qgames.inspect(match, number, truth=True)
        assert inspector.sentence.endswith(".")
        drawing = inspector.drawing("own", len(inspector.walk))
        assert drawing.count("data-op=") == sum(1 for _ in inspector.fragment.data)
        assert drawing.count('data-action="stage"') == len(inspector.fragment.data)
        for at in range(len(inspector.walk) + 1):
            assert inspector.words(at)


def test_qiskits_drawings_leave_no_figure_open() -> None:
    from matplotlib import pyplot as plt

    inspector = qgames.inspect(bell(), 1)
    before = plt.get_fignums()
    assert "<svg" in inspector.drawing("mpl")
    assert plt.get_fignums() == before
    assert "planet_5" in inspector.drawing("text")
    with pytest.raises(ValueError, match="unknown drawing 'latex': expected one of own, mpl, text"):
        inspector.drawing("latex")


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (4, "expected a step from 0 to 3, or from -4 to -1: got 4"),
        (-5, "expected a step from 0 to 3, or from -4 to -1: got -5"),
        ("1", "expected a step from 0 to 3, or from -4 to -1: got '1'"),
    ],
)
def test_a_step_that_is_not_there(bad: object, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{why}$"):
        qgames.inspect(bell(), bad)


def test_other_refusals() -> None:
    with pytest.raises(ValueError, match=r"^expected a match or a view to inspect: got 'qlanet'$"):
        qgames.inspect("qlanet")
    with pytest.raises(ValueError, match=r"^expected a stage from 0 to 6: got 7$"):
        qgames.inspect(bell(), 1).words(7)


# ---- the pane ------------------------------------------------------------------------------------


def test_the_panels_pane_opens_walks_and_closes() -> None:
    from qgames.widget import play

    w = play("qlanet", "practice", seed=7, hands="any")
    w.play("bm 6 9")
    assert w.inspect == ""
    w.receive({"on": "click", "action": "view", "value": "0"})
    w.receive({"on": "click", "action": "inspect"})
    assert "Inside move 1: BM on 6, 9" in w.inspect
    assert "After 6 of 6" in w.inspect
    assert stages(w.inspect) == (6, [0, 1, 2, 3, 4, 5, 6])
    assert "which was certain" in w.inspect
    w.receive({"on": "input", "action": "stage", "value": "3"})
    w.receive({"on": "click", "action": "qiskit", "value": "text"})
    assert stages(w.inspect) == (3, [0, 1, 2, 3, 4, 5, 6])
    assert "planet_5" in w.inspect
    w.receive({"on": "click", "step": "1"})
    assert "Inside the opening" in w.inspect
    w.receive({"on": "click", "action": "inspect"})
    assert w.inspect == ""
    w.receive({"on": "input", "action": "stage", "value": "3"})
    assert w.inspect == ""


def stages(inspect: str) -> tuple[int, list[int]]:
    """The stage that a pane shows, and all that it holds."""
    held = re.findall(r'<section data-at="(\d+)"( hidden)?', inspect)
    (shown,) = [number for number, hidden in held if not hidden]
    for tag in ("p", "rect"):  # the words, and the marks on the circuit: none before the first
        own = re.findall(rf'<{tag} [^>]*data-at="(\d+)"( hidden)?', inspect)
        assert [n for n, hidden in own if not hidden] == [shown] or (tag, shown) == ("rect", "0")
    return int(shown), [int(number) for number, _hidden in held]


def test_a_slider_step_needs_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """What keeps a step within 50 ms: the browser has the stages near by, nothing is drawn."""
    from qgames.widget import play

    w = play("qlanet", "practice", seed=7, hands="any")
    w.play("bm 6 9")
    w.receive({"on": "click", "action": "inspect"})
    monkeypatch.setattr(w, "paint", lambda: pytest.fail("the whole panel was drawn again"))
    monkeypatch.setattr(QuantumState, "walk", lambda *_: pytest.fail("evolved again"))
    changed: list[str] = []
    w.observe(lambda change: changed.append(change["name"]))
    for value in range(7):
        w.receive({"on": "input", "action": "stage", "value": str(value)})
        assert w.inside.stage == value
    assert not changed
    w.receive({"on": "input", "action": "stage", "value": "half"})
    assert w.inside.stage == 6


def test_a_long_walk_is_sent_in_parts() -> None:
    """A stage far away is drawn when the slider gets there, again with those near it."""
    from qgames.widget.inspector import NEAR, InspectorWidget

    walk = Walk(Match("qlanet", seed=7).view(None), 0, dice=True)
    end = len(walk)
    assert end > 2 * NEAR + 2
    w = InspectorWidget(walk)
    assert stages(w.inspect) == (end, list(range(end - NEAR, end + 1)))
    for away in (NEAR, NEAR + 1):
        w.receive({"on": "input", "action": "stage", "value": str(end - away)})
    middle = end - NEAR - 1
    assert stages(w.inspect) == (middle, list(range(middle - NEAR, end)))
    w.receive({"on": "input", "action": "stage", "value": "0"})
    assert stages(w.inspect) == (0, list(range(NEAR + 1)))
    w.receive({"on": "input", "action": "stage", "value": "9999"})
    assert stages(w.inspect) == (end, list(range(end - NEAR, end + 1)))


def test_a_cell_of_its_own() -> None:
    from qgames.widget.inspector import InspectorWidget

    w = InspectorWidget(Walk(bell().view(0), 1))
    w.receive({"on": "input", "action": "stage", "value": "4"})
    w.receive({"on": "click", "action": "qiskit", "value": "text"})
    assert stages(w.inspect)[0] == 4
    w.receive({"on": "click", "action": "step", "value": "3"})
    assert "Inside move 3: M on 6" in w.inspect
    w.receive({"on": "click", "action": "step", "value": "99"})
    assert "Inside move 3: M on 6" in w.inspect
    bundle = qgames.inspect(bell(), 1)._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "Bell measurement" in data["text/html"]


def test_the_saved_match_is_what_it_was() -> None:
    match = bell()
    qgames.inspect(match, truth=True).rerun(10, seed=1)
    assert json.loads(match.to_json())["record"] == [str(step) for step in match.record]
    assert pane.plain("<b>a</b> &lt; b") == "a < b"


# ---- what somebody who tries everything met ------------------------------------------------------


def test_kets_are_told_in_the_order_of_the_squares_named() -> None:
    """|01> + i|10> is about 17 and 21, in that order, though the move goes from 21 to 17."""
    match = Match("quantum_checkers", seed=1)
    match.play("quantum 21 17")
    assert qgames.inspect(match).sentence == (
        "Quantum 21 → 17: squares 17 and 21 are now (|01⟩ + i |10⟩)/√2."
    )
    vector = match.position.state.cluster(16).vectors[0]
    assert match.position.state.cluster(16).wires == (16, 20)
    assert abs(vector[2]) == pytest.approx(abs(vector[1]))
    assert vector[1] / vector[2] == pytest.approx(1j)  # bit 0 is square 17: |10> over |01>


def test_talk_and_sealed_parts_have_words_of_their_own() -> None:
    match = Match("quantum_checkers", seed=1)
    match.play("offer")
    assert qgames.inspect(match).sentence == "A draw is offered: no qubit is touched."
    dealt = Match("qlanet", seed=2, layout="random")
    said = qgames.inspect(dealt).sentence
    assert "One part of the result is sealed: nobody may read it. Everybody reads layout=" in said


def test_what_if_of_moves_that_are_not_on_the_list() -> None:
    match = Match("quantum_checkers", seed=1)
    assert what_if(match, "offer").odds == {"": 1.0}
    over = Match("qlanet", seed=1)
    over.play("resign")
    for source, move, why in (
        (match, "resign", "after 0 steps: it ends the match and runs no circuit"),
        (over, "h 1", "after 2 steps: the match is over"),
        (over.view(0, 0), "h 1", "after 0 steps: the opening is still to be played"),
        (over.view(0, 1), "m 5 5", "after 1 step: "),
    ):
        with pytest.raises(IllegalMoveError, match=why):
            what_if(source, move)
    with pytest.raises(ValueError, match=r"^expected a match or a view: got None$"):
        what_if(None, "h 5")


@pytest.mark.parametrize("seed", [-1, 1.5, "a", True])
def test_seeds_of_a_rerun_are_whole_numbers(seed: object) -> None:
    why = f"^expected a seed that is a whole number from 0 up: got {seed!r}$"
    with pytest.raises(ValueError, match=why):
        qgames.inspect(bell()).rerun(5, seed=seed)
    one, two = (qgames.inspect(bell()).rerun(50, seed=2**70).counts for _ in range(2))
    assert one == two


def test_a_rerun_of_one_and_a_rerun_without_measurements() -> None:
    assert str(qgames.inspect(bell()).rerun(1, seed=1)).startswith("1 run: ")
    match = Match("quantum_checkers", seed=1)
    match.play("quantum 21 17")
    assert str(qgames.inspect(match).rerun(9)) == (
        "9 runs: nothing was measured that the viewer may read."
    )


def test_an_empty_record_and_the_dice_of_a_neighbour() -> None:
    from qgames.widget.inspector import InspectorWidget

    why = r"^expected a match with a step to look into: its record is empty$"
    with pytest.raises(ValueError, match=why):
        qgames.inspect(Match("quantum_checkers", seed=1))
    match = played("qlanet", 3, 6)
    w = InspectorWidget(Walk(match.view(None), 3, dice=True))
    w.go(2)
    w.go(3)
    assert len(w.inside.walk) == len(Walk(match.view(None), 3, dice=True))
