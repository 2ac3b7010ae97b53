"""The circuit pane is tied to the circuits: each instruction once, on its wires, in order."""

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from qgames import Match, Move
from qgames.core import Game, Position, View
from qgames.draw import circuit_caption, circuit_svg, scene
from qgames.draw.circuit import NEWEST, PITCH, TOP
from qgames.draw.fragments import Op, operations, pieces, placed
from qgames.draw.scene import Look, Scene
from qgames.quantum import QuantumState, without_dice
from tests.matches import played, published

SVG = "{http://www.w3.org/2000/svg}"


def drawn(view: View, show: Scene | None = None, **how: Any) -> ET.Element:
    return ET.fromstring(circuit_svg(view, show or scene("qlanet"), **how))


def steps_of(tree: ET.Element) -> dict[int, ET.Element]:
    return {int(g.attrib["data-step"]): g for g in tree.iter(f"{SVG}g") if "data-step" in g.attrib}


def ops_of(element: ET.Element) -> list[tuple[int, str, tuple[int, ...]]]:
    """(place in qc.data, name, qubits) of each instruction drawn, in document order."""
    return [
        (
            int(g.attrib["data-index"]),
            g.attrib["data-op"],
            tuple(map(int, g.attrib["data-wires"].split())),
        )
        for g in element.iter(f"{SVG}g")
        if "data-op" in g.attrib
    ]


def expected(circuit: QuantumCircuit) -> list[tuple[int, str, tuple[int, ...]]]:
    return [
        (n, item.operation.name, tuple(circuit.find_bit(q).index for q in item.qubits))
        for n, item in enumerate(circuit.data)
    ]


# ---- tied to the circuits -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("seat", [0, 1, None])
def test_each_instruction_is_drawn_once_on_its_wires_in_order(seed: int, seat: int | None) -> None:
    match = played("qlanet", seed, 14, hands="any")
    view = match.view(seat)
    steps = steps_of(drawn(view))
    assert sorted(steps) == list(range(2, len(view.history) + 1))
    for at, group in steps.items():
        moment = view.history[at - 1]
        fragment = without_dice(view.game.fragment(moment.before, moment.step.move))
        assert ops_of(group) == expected(fragment)


def test_one_qubit_gates_stand_on_the_lines_of_their_wires() -> None:
    for at, group in steps_of(drawn(published().view(0))).items():
        for op in group.iter(f"{SVG}g"):
            if op.get("data-op") in ("h", "z", "x", "measure"):
                (wire,) = map(int, op.attrib["data-wires"].split())
                box = op.find(f"{SVG}rect")
                assert box is not None, at
                middle = float(box.attrib["y"]) + float(box.attrib["height"]) / 2
                assert middle == pytest.approx(TOP + PITCH * wire, abs=0.02)


def test_a_two_qubit_gate_joins_control_and_target() -> None:
    match = Match("qlanet", seed=1, hands="any")
    match.play("cx1 8 2")
    (group,) = steps_of(drawn(match.view(0))).values()
    (op,) = (g for g in group.iter(f"{SVG}g") if g.get("data-op") == "cx")
    dot, plus = op.findall(f"{SVG}circle")
    assert float(dot.attrib["cy"]) == TOP + PITCH * 7
    assert dot.attrib["fill"] == "var(--qg-ink)"
    assert float(plus.attrib["cy"]) == TOP + PITCH * 1


def test_instructions_move_to_the_right_and_only_like_gates_share_a_column() -> None:
    qc = QuantumCircuit(3, 1)
    qc.h([0, 1])
    qc.h(0)
    qc.cx(0, 1)
    qc.x(2)
    qc.measure(2, 0)
    assert placed(operations(qc)) == (0, 0, 1, 2, 3, 4)


def test_dice_are_not_drawn() -> None:
    match = Match("qlanet", seed=4)
    match.play(match.legal_moves[0])
    text = circuit_svg(match.view(0), scene("qlanet"))
    assert "dice" not in text
    assert "die" not in text


def test_the_opening_is_shown_as_glyphs_instead_of_gates() -> None:
    match = Match("qlanet", seed=4, hands="any")
    tree = drawn(match.view(0))
    assert steps_of(tree) == {}
    assert ops_of(tree) == []
    assert tree.attrib["aria-label"] == "Circuit: no move yet"


def test_what_a_moment_draws_does_not_depend_on_what_was_drawn_before() -> None:
    """Fragments are kept by history: another seat, other options, another outcome are others."""
    for seed in range(5):
        match = played("qlanet", seed, 9, hands="any")
        for seat in (1, None, 0):
            view = match.view(seat)
            for moment, piece in zip(view.history[1:], pieces(view, 1), strict=True):
                fragment = without_dice(view.game.fragment(moment.before, moment.step.move))
                assert piece.ops == operations(fragment)


# ---- bits ---------------------------------------------------------------------------------------


def texts(element: ET.Element) -> list[str]:
    return ["".join(t.itertext()) for t in element.iter(f"{SVG}text")]


def test_measured_bits_stand_under_their_register() -> None:
    steps = steps_of(drawn(published().view(0)))
    assert texts(steps[2])[:2] == ["1", "BM 6,9"]
    assert texts(steps[2])[-1] == "= S−"
    assert texts(steps[2]).count("1") == 3  # the move's number and both bits of S-
    assert "2 = 1" in texts(steps[5])


def test_bits_of_others_are_question_marks() -> None:
    steps = steps_of(drawn(published().view(1)))
    assert texts(steps[2]).count("?") == 2
    assert not any(t.startswith("=") for t in texts(steps[2]))


def test_registers_are_named_and_always_in_their_place() -> None:
    for match in (Match("qlanet", seed=1), published()):
        assert [t for t in texts(drawn(match.view(0))) if t in ("fixed", "Bell")] == [
            "fixed",
            "Bell",
            "Bell",
        ]
    beginner = Match("qlanet", seed=1, gates="beginner")
    assert "Bell" not in texts(drawn(beginner.view(0)))


# ---- wires --------------------------------------------------------------------------------------


def lines(tree: ET.Element, wire: int) -> list[tuple[str, float, float]]:
    """(token, from, to) of a wire's line."""
    y = TOP + PITCH * wire
    return [
        (re.sub(r"var\(--qg-(\w+)\)", r"\1", e.attrib["stroke"]), x1, x2)
        for e in tree.findall(f"{SVG}line")
        for y1, y2, x1, x2 in [[float(e.attrib[k]) for k in ("y1", "y2", "x1", "x2")]]
        if y1 == y2 and abs(y1 - y) < 2
    ]


def test_a_wire_takes_its_groups_hue_while_entangled() -> None:
    match = Match("qlanet", seed=7, hands="any")
    for move in ("bm 6 9", "m 6"):
        match.play(move)
    tree = drawn(match.view(0))
    assert [hue for hue, _, _ in lines(tree, 8)] == ["wire", "ga", "wire"]
    plain, entangled, after = lines(tree, 8)
    assert plain[2] == entangled[1]
    assert entangled[2] == after[1]
    fixed = match.record[-1].bits("fixed")
    assert [hue for hue, _, _ in lines(tree, 5)] == ["wire", "ga", f"s{fixed}", f"s{fixed}"]


def test_a_wire_that_may_or_may_not_be_entangled_stays_plain() -> None:
    match = Match("qlanet", seed=7, hands="any")
    match.play("cx1 5 3")  # entangles if planet 5 is + or -, which nobody knows
    assert [hue for hue, _, _ in lines(drawn(match.view(0)), 4)] == ["wire"]


def test_groups_keep_their_letters() -> None:
    match = Match("qlanet", seed=7, hands="any")
    for move in ("bm 8 9", "bm 1 2", "sw 3 9"):
        match.play(move)
    assert [hue for hue, _, _ in lines(drawn(match.view(None)), 7)] == ["wire", "ga"]
    assert [hue for hue, _, _ in lines(drawn(match.view(None)), 0)] == ["wire", "gb"]
    assert [hue for hue, _, _ in lines(drawn(match.view(None)), 2)] == ["wire", "ga"]


# ---- brackets -----------------------------------------------------------------------------------


def test_the_last_move_stands_out_and_the_preview_is_dashed() -> None:
    match = published()
    tree = drawn(match.view(0), preview=Move("m", (5,)))
    bold = [t for t in tree.iter(f"{SVG}text") if t.text == "Z 4"]
    assert [t.attrib["font-weight"] for t in bold] == ["650"]
    bands = [r for r in tree.findall(f"{SVG}rect") if r.attrib["fill"] == "var(--qg-s0t)"]
    assert len(bands) == 1
    (preview,) = (g for g in tree.iter(f"{SVG}g") if g.get("class") == "qg-preview")
    assert ops_of(preview) == [(0, "measure", (4,))]
    assert {"preview", "M 5", "5 = ?"} <= set(texts(preview))
    assert "data-step" not in preview.attrib
    assert "stroke-dasharray" in ET.tostring(preview, encoding="unicode")


def test_a_preview_changes_no_other_part_of_the_drawing() -> None:
    view = published().view(0)
    plain, with_preview = steps_of(drawn(view)), steps_of(drawn(view, preview=Move("h", (1,))))
    assert {n: ops_of(g) for n, g in plain.items()} == {
        n: ops_of(g) for n, g in with_preview.items()
    }


def test_older_moves_fold_into_one_column() -> None:
    match = played("qlanet", 11, 32, hands="any", gates="intermediate")
    count = len(match.record)
    assert count > NEWEST + 3
    tree = drawn(match.view(0))
    assert sorted(steps_of(tree)) == list(range(count - NEWEST + 1, count + 1))
    assert f"1–{count - NEWEST - 1}" in texts(tree)
    everything = drawn(match.view(0), newest=10_000)
    assert sorted(steps_of(everything)) == list(range(2, count + 1))


def test_one_old_move_is_not_folded() -> None:
    match = Match("qlanet", seed=2, hands="any")
    for _ in range(NEWEST + 1):
        match.play("z 1")
    assert len(steps_of(drawn(match.view(0)))) == NEWEST + 1


def test_the_caption_counts_moves() -> None:
    show = scene("qlanet")
    match = Match("qlanet", seed=7, hands="any")
    assert circuit_caption(match.view(0), show) == "9 planets · no move yet"
    match.play("z 4")
    assert circuit_caption(match.view(0), show) == "9 planets · 1 move · last: Z on 4"
    match.play("cx0 1 2")
    assert circuit_caption(match.view(0), show) == "9 planets · 2 moves · last: CX0, 1 → 2"


def test_a_resignation_is_a_move_without_gates() -> None:
    match = published()
    match.play("resign")
    steps = steps_of(drawn(match.view(0)))
    assert ops_of(steps[7]) == []
    assert "resign" in texts(steps[7])


def test_the_moves_are_told_in_words() -> None:
    assert drawn(published().view(0)).attrib["aria-label"] == (
        "Circuit: 1 BM 6,9: S−; 2 Z 2; 3 H 2; 4 M 2: 1; 5 Z 4"
    )


# ---- any circuit --------------------------------------------------------------------------------


class Bench(Game):
    """A game whose one move is a circuit with everything in it."""

    key = "bench"
    title = "Bench"
    wires = QuantumRegister(4, "q")
    wire_labels = ("a", "b", "c", "d")

    def start(self) -> Position:
        return Position(QuantumState.zeros(4), to_move=0)

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        return (Move("go"),) if position.to_move is not None else ()

    def fragment(self, position: Position, move: Move) -> QuantumCircuit:
        bit, both = ClassicalRegister(1, "flag"), ClassicalRegister(2, "pair")
        qc = self.circuit(QuantumRegister(1, "spare"), bit, both)
        qc.h(0)
        qc.sdg(1)
        qc.ry(0.25, 1)
        qc.cz(0, 1)
        qc.ccx(0, 1, 2)
        qc.cx(0, 3, ctrl_state=0)
        qc.cswap(0, 1, 2)
        qc.iswap(2, 3)
        qc.cx(3, 4)
        qc.measure(4, bit[0])
        qc.reset(3)
        with qc.if_test((bit[0], 1)) as otherwise:
            qc.x(0)
            qc.cx(0, 1)
        with otherwise:
            qc.z(1)
        qc.measure([0, 1], both)
        with qc.if_test((both, 2)):
            qc.h(2)
        return qc

    def after(self, position: Position, move: Move, state: QuantumState, outcome: Any) -> Position:
        return Position(state)


class BenchScene(Scene):
    def board(self, view: View, look: Look) -> str:
        return ""

    def controls(self, view: View, look: Look) -> str:
        return ""

    def thumbnail(self, view: View, branch: Any, move: Move) -> str:
        return ""

    def consequence(self, view: View, branch: Any, move: Move) -> str:
        return ""

    def move_label(self, move: Move) -> str:
        return move.verb

    def status(self, view: View, look: Look) -> str:
        return ""

    def wire_glyph(self, view: View, wire: int, x: float, y: float, r: float) -> str:
        return ""


@pytest.fixture(scope="module")
def bench() -> Match:
    match = Match(Bench(), seed=3)
    match.play("go")
    return match


def walk(ops: tuple[Op, ...]) -> Iterator[Op]:
    for op in ops:
        yield op
        for block in op.blocks:
            yield from walk(block)


def test_any_circuit_can_be_drawn(bench: Match) -> None:
    group = steps_of(drawn(bench.view(0), BenchScene()))[1]
    fragment = bench.game.fragment(bench.game.start(), Move("go"))
    assert ops_of(group) == expected(fragment)
    shown = texts(group)
    for label in ("H", "S†", "RY 0.25", "iSW", "|0⟩", "if 1", "else", "if 2"):
        assert label in shown, label


def test_feed_forward_draws_what_both_branches_do(bench: Match) -> None:
    ops = operations(bench.game.fragment(bench.game.start(), Move("go")))
    first, second = (op for op in ops if op.blocks)
    assert [[inner.name for inner in block] for block in first.blocks] == [["x", "cx"], ["z"]]
    assert first.blocks[0][1].qubits == (0, 1)
    assert first.bits == (("flag", 0),)
    assert (second.test, second.bits) == ("2", (("pair", 0), ("pair", 1)))
    assert len(list(walk(ops))) == len(ops) + 4


def test_a_control_on_0_is_open(bench: Match) -> None:
    group = steps_of(drawn(bench.view(0), BenchScene()))[1]
    (op,) = (g for g in group.iter(f"{SVG}g") if g.get("data-op") == "cx_o0")
    dot = op.find(f"{SVG}circle")
    assert dot is not None
    assert dot.attrib["fill"] == "var(--qg-bg)"


def test_fresh_qubits_have_a_line_of_their_own_only_within_their_move(bench: Match) -> None:
    tree = drawn(bench.view(0), BenchScene())
    assert "spare" in texts(tree)
    (wire,) = (e for e in tree.findall(f"{SVG}line") if e.get("stroke-width") == "1.2")
    assert float(wire.attrib["x2"]) - float(wire.attrib["x1"]) < float(tree.attrib["width"]) - 60


def test_registers_without_a_name_of_their_own_are_called_by_it(bench: Match) -> None:
    assert {"flag", "pair"} <= set(texts(drawn(bench.view(0), BenchScene())))
