"""Exact states against dense numpy, Aer and brute force; and the traps of Qiskit and Aer."""

import math
import random
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, transpile
from qiskit.circuit.library import StatePreparation, XXPlusYYGate
from qiskit_aer import AerSimulator
from scipy.stats import chisquare

from qgames import quantum
from qgames.quantum import (
    ClusterTooLargeError,
    ImpossibleOutcomeError,
    Outcome,
    QuantumState,
    outcome_text,
    sample,
    wire_registers,
    without_dice,
)
from tests import dense

WIRES = 4
SINGLE = ("h", "x", "y", "z", "s", "sdg", "t", "tdg", "sx")
TURNED = ("rx", "ry", "rz", "p")
DOUBLE = ("cx", "cy", "cz", "swap", "ch", "iswap")


def wires(count: int) -> QuantumRegister:
    return QuantumRegister(count, "wire")


def entries(outcome: Outcome) -> str:
    return outcome_text(outcome)


@st.composite
def fragments(draw: st.DrawFn, measured: bool = True) -> QuantumCircuit:
    """A random fragment on four wires: gates, measurements, resets, feed-forward, an ancilla."""
    bits, spare = ClassicalRegister(3, "out"), QuantumRegister(1, "spare")
    qc = QuantumCircuit(wires(WIRES), spare, bits)
    angle = st.floats(-math.pi, math.pi, allow_nan=False)
    written = 0

    def gate(target: QuantumCircuit) -> None:
        kind = draw(st.integers(0, 3))
        a, b, c = draw(st.permutations(range(WIRES)))[:3]
        if kind == 0:
            getattr(target, draw(st.sampled_from(SINGLE)))(a)
        elif kind == 1:
            getattr(target, draw(st.sampled_from(TURNED)))(draw(angle), a)
        elif kind == 2:
            getattr(target, draw(st.sampled_from(DOUBLE)))(a, b)
        else:
            draw(
                st.sampled_from(
                    [
                        lambda: target.cp(0.7, a, b),
                        lambda: target.ccx(a, b, c),
                        lambda: target.cswap(a, b, c),
                        lambda: target.append(XXPlusYYGate(1.1, 0.3), [a, b]),
                        lambda: target.cx(a, b, ctrl_state=0),
                    ]
                )
            )()

    for _ in range(draw(st.integers(1, 9))):
        kind = draw(st.integers(0, 6)) if measured else 0
        if kind <= 3:
            gate(qc)
        elif kind == 4 and written < 2:
            qc.measure(draw(st.integers(0, WIRES - 1)), written)
            written += 1
        elif kind == 5:
            qc.reset(draw(st.integers(0, WIRES - 1)))
        elif kind == 6 and written:
            with qc.if_test(
                (bits[draw(st.integers(0, written - 1))], draw(st.integers(0, 1)))
            ) as other:
                gate(qc)
            if draw(st.booleans()):
                with other:
                    gate(qc)
    qc.h(spare)
    if draw(st.booleans()):
        qc.cx(spare, draw(st.integers(0, WIRES - 1)))
    qc.measure(spare, 2)
    return qc


def dense_table(
    fragment: QuantumCircuit, state: QuantumState
) -> tuple[dict[str, float], dict[str, np.ndarray]]:
    """Odds, and the wires' normalised density matrix for each outcome, both by dense numpy."""
    start = dense.folded(state.vector())
    odds: dict[str, float] = {}
    rho: dict[str, np.ndarray] = {}
    for bits, after in dense.branches(fragment, start):
        key = dense.text_of(fragment, bits)
        odds[key] = odds.get(key, 0) + float(np.vdot(after, after).real)
        rho[key] = rho.get(key, 0) + dense.reduced(after, range(state.wires))
    return odds, {key: rho[key] / odds[key] for key in odds}


def unitary_part(fragment: QuantumCircuit) -> QuantumCircuit:
    """The gates of a fragment that act on wires alone."""
    qc = QuantumCircuit(fragment.qregs[0])
    for i in fragment.data:
        if (
            i.operation.name not in ("measure", "reset", "if_else")
            and fragment.qregs[1][0] not in i.qubits
        ):
            qc.append(i.operation, [fragment.find_bit(q).index for q in i.qubits])
    return qc


@settings(max_examples=60)
@given(fragments(measured=False), fragments(), st.integers(0, 2**32 - 1))
def test_run_follow_odds_and_dense_agree(
    before: QuantumCircuit, fragment: QuantumCircuit, seed: int
) -> None:
    start = QuantumState.zeros(WIRES).follow(unitary_part(before), ())
    odds, rho = dense_table(fragment, start)
    table = {entries(o): p for o, p in start.odds(fragment).items()}
    for key in odds.keys() | table.keys():
        assert table.get(key, 0) == pytest.approx(odds.get(key, 0), abs=1e-9)
    assert sum(table.values()) == pytest.approx(1)
    instructions = [(i.operation.name, i.qubits, i.clbits) for i in fragment.data]
    after, outcome = start.run(fragment, seed)
    assert [(i.operation.name, i.qubits, i.clbits) for i in fragment.data] == instructions
    assert odds[entries(outcome)] > 1e-9
    replayed = start.follow(fragment, outcome)
    if any(i.operation.name == "reset" for i in fragment.data):
        assert np.trace(after.density(range(WIRES))).real == pytest.approx(1)
    else:
        assert after == replayed
        assert np.abs(after.density(range(WIRES)) - rho[entries(outcome)]).max() < 1e-9
    for bits in odds:
        name, _, value = bits.partition("=")
        if odds[bits] > 1e-6:
            state = start.follow(fragment, ((name, value),))
            assert np.abs(state.density(range(WIRES)) - rho[bits]).max() < 1e-8


@settings(max_examples=40)
@given(fragments(), st.lists(st.booleans(), min_size=3, max_size=3))
def test_belief_is_the_dense_mixture(fragment: QuantumCircuit, read: list[bool]) -> None:
    """Unread bits are summed over; the bits that were read are conditioned on."""
    start = QuantumState.zeros(WIRES)
    odds, rho = dense_table(fragment, start)
    truth = max(odds, key=lambda key: odds[key])
    bits = truth.partition("=")[2]
    seen = "".join(b if known else "?" for b, known in zip(bits, read, strict=True))
    alike = [
        key
        for key in odds
        if all(s in ("?", b) for s, b in zip(seen, key.partition("=")[2], strict=True))
    ]
    mixture = sum(odds[key] * rho[key] for key in alike) / sum(odds[key] for key in alike)
    belief = start.follow(fragment, (("out", seen),))
    assert np.abs(belief.density(range(WIRES)) - mixture).max() < 1e-8
    for pair in ((0, 1), (3, 1), (2,)):
        rest = [w for w in range(WIRES) if w not in pair]
        tensor = mixture.reshape((2,) * (2 * WIRES))
        axes = [WIRES - 1 - w for w in reversed(pair)] + [WIRES - 1 - w for w in rest]
        tensor = tensor.transpose(*axes, *(a + WIRES for a in axes))
        table = tensor.reshape(2 ** len(pair), 2 ** len(rest), 2 ** len(pair), 2 ** len(rest))
        assert np.abs(belief.density(pair) - np.einsum("iaja->ij", table)).max() < 1e-8
        assert belief.purity(pair) == pytest.approx(
            float(np.einsum("iaja,jbib->", table, table).real), abs=1e-8
        )
    later = QuantumCircuit(wires(WIRES), ClassicalRegister(2, "again"))
    later.h(0)
    later.cx(0, 2)
    later.measure([0, 3], [0, 1])
    expected: dict[str, float] = {}
    for key in alike:
        weight = odds[key] / sum(odds[k] for k in alike)
        values, vectors = np.linalg.eigh(rho[key])
        for value, vector in zip(values, vectors.T, strict=True):
            if value > 1e-12:
                for text, p in dense.odds(later, dense.folded(vector)).items():
                    expected[text] = expected.get(text, 0) + weight * value * p
    found = {entries(o): p for o, p in belief.odds(later).items()}
    for text in expected.keys() | found.keys():
        assert found.get(text, 0) == pytest.approx(expected.get(text, 0), abs=1e-8)


# ---- clusters ------------------------------------------------------------------------------------


def graph_state(count: int, edges: list[tuple[int, int]]) -> QuantumCircuit:
    qc = QuantumCircuit(wires(count))
    qc.h(range(count))
    for a, b in edges:
        qc.cz(a, b)
    return qc


RING = [(n, (n + 1) % 5) for n in range(5)]


@pytest.mark.parametrize(
    ("count", "build", "groups"),
    [
        (5, lambda: graph_state(5, RING), [(0, 1, 2, 3, 4)]),  # no two wires are correlated
        (6, lambda: graph_state(6, RING), [(0, 1, 2, 3, 4), (5,)]),
        (6, lambda: graph_state(6, [(0, 3), (1, 4), (4, 2)]), [(0, 3), (1, 2, 4), (5,)]),
        (6, lambda: graph_state(6, [(0, 5), (1, 4), (2, 3)]), [(0, 5), (1, 4), (2, 3)]),
        (6, lambda: graph_state(6, [(0, 1), (1, 2), (3, 4), (4, 5)]), [(0, 1, 2), (3, 4, 5)]),
        (2, lambda: graph_state(2, [(0, 1)]), [(0, 1)]),  # CZ on |++> is maximally entangled
        (2, lambda: graph_state(2, [(0, 1), (0, 1)]), [(0,), (1,)]),
    ],
)
def test_clusters_of_graph_states(
    count: int, build: Callable[[], QuantumCircuit], groups: list[tuple[int, ...]]
) -> None:
    qc = build()
    zero = QuantumState.zeros(count)
    for state in (zero.follow(qc, ()), zero.run(qc, 1)[0]):
        assert list(state.clusters) == groups
        assert dense.same(state.vector(), dense.flat(dense.branches(qc)[0][1]))
    for group in groups:
        if len(group) > 1:
            assert zero.follow(qc, ()).purity(group[:1]) == pytest.approx(0.5)


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.integers(2, 6))
def test_clusters_are_the_finest_product(seed: int, count: int) -> None:
    """Random gates inside random blocks, against a search through every cut."""
    rng = random.Random(seed)
    qc = QuantumCircuit(wires(count))
    blocks = [[w for w in range(count) if w % 3 == b] for b in range(3)]
    if rng.random() < 0.5:
        blocks = [list(range(count))]
    for block in blocks:
        for _ in range(3 * len(block)):
            a, b = rng.choice(block), rng.choice(block)
            if a == b:
                getattr(qc, rng.choice(["h", "t", "s"]))(a)
            else:
                getattr(qc, rng.choice(["cx", "cz", "swap"]))(a, b)
    state = QuantumState.zeros(count).follow(qc, ())
    assert list(state.clusters) == dense.finest(dense.flat(dense.branches(qc)[0][1]))
    for wire in range(count):
        assert wire in state.cluster(wire).wires


def test_uncomputed_wires_split_off_again() -> None:
    qc = QuantumCircuit(wires(4))
    qc.h(0)
    qc.cx(0, [1, 2, 3])
    ghz = QuantumState.zeros(4).follow(qc, ())
    assert ghz.clusters == ((0, 1, 2, 3),)
    assert ghz.follow(qc.inverse(), ()) == QuantumState.zeros(4)
    one = QuantumCircuit(wires(4), ClassicalRegister(1, "c"))
    one.measure(2, 0)
    for bit in "01":
        assert ghz.follow(one, (("c", bit),)).clusters == ((0,), (1,), (2,), (3,))


def test_56_wires_cost_nothing_until_they_are_entangled() -> None:
    state = QuantumState.zeros(56)
    qc = QuantumCircuit(wires(56), QuantumRegister(64, "die"), ClassicalRegister(64, "dice"))
    qc.h(qc.qregs[0])
    qc.cx(3, 50)
    qc.iswap(7, 9)
    qc.h(qc.qregs[1])
    qc.measure(qc.qregs[1], range(64))
    after, outcome = state.run(qc, 5)
    assert dict(outcome).keys() == {"dice"}
    assert len(outcome[0][1]) == 64
    assert set(outcome[0][1]) == {"0", "1"}
    assert max(map(len, after.clusters)) == 2
    assert after == state.follow(qc, outcome)
    assert after.probability(50) == pytest.approx(0.5)
    with pytest.raises(ValueError, match=r"^a vector of 56 wires is too long: at most 20$"):
        after.vector()
    assert after.vector((9, 7)).shape == (4,)


@pytest.mark.parametrize(("count", "fits"), [(16, True), (17, False)])
def test_the_largest_cluster(count: int, fits: bool) -> None:
    qc = QuantumCircuit(wires(20))
    qc.h(0)
    for n in range(1, count):
        qc.cx(0, n)
    state = QuantumState.zeros(20)
    assert state.fits(qc) is fits
    if fits:
        ghz = state.run(qc, 1)[0]
        assert ghz.clusters[0] == tuple(range(16))
        assert abs(ghz.vector(range(16))[[0, -1]]) == pytest.approx([0.5**0.5] * 2)
    else:
        for ask in (lambda: state.run(qc, 1), lambda: state.follow(qc, ()), lambda: state.odds(qc)):
            with pytest.raises(ClusterTooLargeError) as caught:
                ask()
            message = "this would link 17 wires: at most 16 can be entangled"
            assert str(caught.value) == message


# ---- reading -------------------------------------------------------------------------------------


def pair(name: str) -> QuantumState:
    qc = QuantumCircuit(wires(3))
    qc.h(0)
    qc.cx(0, 2)
    if name == "phased":
        qc.p(0.3, 2)
    return QuantumState.zeros(3).follow(qc, ())


def test_vector_order_and_refusals() -> None:
    qc = QuantumCircuit(wires(3))
    qc.x(0)
    qc.h(2)
    state = QuantumState.zeros(3).follow(qc, ())
    half = 0.5**0.5
    assert state.vector() == pytest.approx([0, half, 0, 0, 0, half, 0, 0])
    assert state.vector((2, 0)) == pytest.approx([0, 0, half, half])
    assert state.vector((0, 2)) == pytest.approx([0, half, 0, half])
    with pytest.raises(ValueError, match=r"^wires \[0\] are entangled with others: ask for whole"):
        pair("plain").vector((0,))
    coin = QuantumCircuit(wires(3), ClassicalRegister(1, "p0"))
    coin.h(0)
    coin.measure(0, 0)
    belief = state.follow(coin, (("p0", "?"),))
    with pytest.raises(ValueError, match=r"^a belief has no single vector: ask for density"):
        belief.vector((0,))
    assert belief.vector((2,)) == pytest.approx([half, half])
    with pytest.raises(ValueError, match=r"^a belief cannot be run: only the true state can$"):
        belief.run(coin, 1)


def test_equality_means_1e_9_and_ignores_a_global_phase() -> None:
    qc = QuantumCircuit(wires(3))
    qc.ry(0.4, 1)
    state = pair("plain").follow(qc, ())
    turned, phased = QuantumCircuit(wires(3)), QuantumCircuit(wires(3))
    turned.ry(1e-6, 1)
    phased.rz(1e-6, 2)
    for change in (turned, phased):
        assert state.follow(change, ()) != state
    minus = QuantumCircuit(wires(3))
    for gate in ("z", "x", "z", "x"):  # -1 altogether
        getattr(minus, gate)(1)
    assert state.follow(minus, ()) == state
    assert pair("plain") != pair("phased")
    assert state != "a state"


def test_reading_changes_nothing() -> None:
    state = pair("phased")
    vector = state.vector().copy()
    look = QuantumCircuit(wires(3), ClassicalRegister(1, "c"))
    look.measure(0, 0)
    for _ in range(3):
        state.odds(look), state.density((0, 1)), state.probability(2), state.purity((1,))
        state.run(look, 3), state.follow(look, (("c", "1"),)), repr(state), state.fits(look)
    state.vector()[0] = 7
    assert (state.vector() == vector).all()
    assert look.count_ops() == {"measure": 1}


# ---- outcomes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        ((("a", "0"), ("b", "11")), "outcome 'a=0 b=11' has probability 0 for this move"),
        ((("a", "1"), ("b", "00")), "outcome 'a=1 b=00' has probability 0 for this move"),
        ((("a", "0"), ("b", "0")), "expected 2 bits of 0 and 1 for register 'b': got '0'"),
        ((("a", "0"), ("b", "000")), "expected 2 bits of 0 and 1 for register 'b': got '000'"),
        ((("a", ""), ("b", "00")), "expected 1 bits of 0 and 1 for register 'a': got ''"),
        ((("a", "2"), ("b", "00")), "expected 1 bits of 0 and 1 for register 'a': got '2'"),
        ((("a", "0"),), "expected an outcome for registers ['a', 'b']: got 'a=0'"),
        ((), "expected an outcome for registers ['a', 'b']: got ''"),
        (
            (("b", "00"), ("a", "0")),
            "expected an outcome for registers ['a', 'b']: got 'b=00 a=0'",
        ),
    ],
)
def test_impossible_outcomes(outcome: Outcome, message: str) -> None:
    qc = QuantumCircuit(wires(3), ClassicalRegister(1, "a"), ClassicalRegister(2, "b"))
    qc.measure(0, 0)
    qc.measure([0, 2], [1, 2])
    with pytest.raises(ImpossibleOutcomeError) as caught:
        pair("plain").follow(qc, outcome)
    assert str(caught.value) == message


def test_bits_that_nothing_writes_read_0() -> None:
    qc = QuantumCircuit(wires(3), ClassicalRegister(2, "a"))
    qc.h(0)
    qc.measure(0, 0)
    state = QuantumState.zeros(3)
    assert {entries(o) for o in state.odds(qc)} == {"a=00", "a=10"}
    assert state.follow(qc, (("a", "10"),)).probability(0) == pytest.approx(1)
    with pytest.raises(ImpossibleOutcomeError, match=r"^outcome 'a=01' has probability 0"):
        state.follow(qc, (("a", "01"),))


def test_a_measurement_inside_feed_forward_may_not_take_place() -> None:
    qc = QuantumCircuit(wires(2), ClassicalRegister(2, "a"))
    qc.h([0, 1])
    qc.measure(0, 0)
    with qc.if_test((qc.clbits[0], 1)):
        qc.measure(1, 1)
    state = QuantumState.zeros(2)
    odds = {entries(o): p for o, p in state.odds(qc).items()}
    assert odds == pytest.approx({"a=00": 0.5, "a=10": 0.25, "a=11": 0.25})
    assert odds == pytest.approx(dense.odds(qc))
    assert state.follow(qc, (("a", "00"),)).probability(1) == pytest.approx(0.5)
    with pytest.raises(ImpossibleOutcomeError):
        state.follow(qc, (("a", "01"),))


def test_a_bit_written_twice_keeps_its_last_value() -> None:
    qc = QuantumCircuit(wires(2), ClassicalRegister(1, "a"))
    qc.h([0, 1])
    qc.measure(0, 0)
    qc.measure(1, 0)
    state = QuantumState.zeros(2).follow(qc, (("a", "1"),))
    assert [state.probability(w) for w in (0, 1)] == pytest.approx([0.5, 1])
    seen = {QuantumState.zeros(2).run(qc, seed)[0].probability(0) > 0.5 for seed in range(12)}
    assert seen == {False, True}


def test_a_fresh_qubit_must_be_measured() -> None:
    qc = QuantumCircuit(wires(2), QuantumRegister(1, "spare"))
    qc.h(2)
    state = QuantumState.zeros(2)
    message = "^a fresh qubit must be measured by the end of the fragment$"
    for link in (False, True):
        if link:
            qc.cx(2, 0)
        with pytest.raises(ValueError, match=message):
            state.run(qc, 1)
        with pytest.raises(ValueError, match=message):
            state.follow(qc, ())


def test_a_fragment_on_other_wires_is_refused() -> None:
    qc = QuantumCircuit(wires(3))
    qc.h(0)
    message = r"^a fragment's first register must be the game's 2 wires: got QuantumRegister\(3,"
    with pytest.raises(ValueError, match=message):
        QuantumState.zeros(2).run(qc, 1)


def test_feed_forward_on_a_whole_register() -> None:
    two = ClassicalRegister(2, "two")
    qc = QuantumCircuit(wires(3), two)
    qc.h([0, 1])
    qc.measure([0, 1], two)
    with qc.if_test((two, 2)) as otherwise:
        qc.x(2)
    with otherwise:
        qc.h(2)
    state = QuantumState.zeros(3)
    for bits, chance in (("00", 0.5), ("10", 0.5), ("01", 1.0), ("11", 0.5)):
        assert state.follow(qc, (("two", bits),)).probability(2) == pytest.approx(chance)
    for seed in range(12):
        after, outcome = state.run(qc, seed)
        assert after == state.follow(qc, outcome)


# ---- chance --------------------------------------------------------------------------------------


def test_run_follows_the_exact_odds() -> None:
    qc = QuantumCircuit(wires(2), ClassicalRegister(2, "c"))
    qc.ry(1.1, 0)
    qc.cx(0, 1)
    qc.ry(0.6, 1)
    qc.measure([0, 1], [0, 1])
    state = QuantumState.zeros(2)
    odds = {entries(o): p for o, p in state.odds(qc).items()}
    counts = dict.fromkeys(odds, 0)
    for seed in range(600):
        counts[entries(state.run(qc, seed)[1])] += 1
    expected = [600 * odds[key] for key in counts]
    assert chisquare(list(counts.values()), expected).pvalue > 1e-3
    shots = sample(qc, 4000, seed=3)
    assert isinstance(shots, dict)
    assert chisquare([shots[k] for k in odds], [4000 * odds[k] for k in odds]).pvalue > 1e-3


def test_the_same_seed_gives_the_same_outcome_and_seeds_matter() -> None:
    qc = QuantumCircuit(wires(8), ClassicalRegister(8, "c"))
    qc.h(range(8))
    qc.measure(range(8), range(8))
    state = QuantumState.zeros(8)
    outcomes = [state.run(qc, seed)[1] for seed in range(8)]
    assert outcomes == [state.run(qc, seed)[1] for seed in range(8)]
    assert len(set(outcomes)) > 4


# ---- traps of Qiskit and Aer ---------------------------------------------------------------------


def swapped() -> QuantumCircuit:
    qc = QuantumCircuit(wires(3))
    qc.x(0)
    qc.swap(0, 2)
    return qc


def test_the_default_transpiler_permutes_silently_and_ours_does_not() -> None:
    backend = AerSimulator(method="statevector")
    qc = swapped()
    elided = transpile(qc, backend)
    assert "swap" not in elided.count_ops()  # the trap is still there: its SWAP is gone
    elided.save_statevector()
    found = np.asarray(backend.run(elided).result().get_statevector())
    expected = dense.flat(dense.branches(qc)[0][1])
    assert not dense.same(found, expected)
    assert dense.same(QuantumState.zeros(3).run(qc, 1)[0].vector(), expected)
    translated = QuantumCircuit(wires(3))
    translated.compose(qc, inplace=True)
    translated.iswap(0, 1)  # makes our own path translate, SWAP and all
    after = QuantumState.zeros(3).run(translated, 1)[0]
    assert dense.same(after.vector(), dense.flat(dense.branches(translated)[0][1]))


@pytest.mark.parametrize(
    ("name", "add"),
    [
        ("iswap", lambda qc: qc.iswap(0, 1)),
        ("xx_plus_yy", lambda qc: qc.append(XXPlusYYGate(0.9, 0.4), [0, 1])),
        ("ch", lambda qc: qc.ch(0, 1)),
        ("state_preparation", lambda qc: qc.append(StatePreparation([0.6, 0.8]), [2])),
    ],
)
@pytest.mark.parametrize("inside", [False, True])
def test_gates_that_aer_refuses_untranslated(
    name: str, add: Callable[[QuantumCircuit], object], inside: bool
) -> None:
    qc = QuantumCircuit(wires(3), ClassicalRegister(1, "c"))
    qc.ry(0.8, 0)
    qc.x(1)
    qc.measure(1, 0)
    if inside:
        with qc.if_test((qc.clbits[0], 1)):
            add(qc)
    else:
        add(qc)
    raw = AerSimulator(method="statevector")
    refused = False
    try:
        refused = not raw.run(qc, shots=1).result().success
    except Exception:
        refused = True
    assert refused or name == "ch", f"Aer has learnt {name}: the translation may go"
    after, outcome = QuantumState.zeros(3).run(qc, 1)
    assert entries(outcome) == "c=1"
    assert after == QuantumState.zeros(3).follow(qc, outcome)
    assert qc.count_ops()["measure"] == 1


def test_a_failed_experiment_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Aer answers without an exception when a circuit fails; a bare run shows that."""
    bad = QuantumCircuit(1)
    bad.h(0)
    bad.save_statevector()
    bad.save_statevector()  # the same label twice
    result = AerSimulator(method="statevector").run(bad).result()
    assert not result.success
    monkeypatch.setattr(quantum, "_runnable", lambda _: bad)
    with pytest.raises(RuntimeError, match=r"^Aer could not run the circuit: "):
        QuantumState.zeros(3).run(swapped(), 1)


def test_kept_circuits_are_left_alone() -> None:
    """No save_statevector, set_statevector or measurement is ever added to a caller's circuit."""
    qc = QuantumCircuit(wires(2), QuantumRegister(1, "die"), ClassicalRegister(1, "c"))
    qc.iswap(0, 1)
    qc.h(2)
    qc.measure(2, 0)
    before = qc.copy()
    state = QuantumState.zeros(2)
    state.run(qc, 1)
    state.odds(qc)
    state.follow(qc, (("c", "0"),))
    sample(qc, 10, seed=1)
    sample(qc, 10, seed=1, memory=True)
    without_dice(qc)
    assert qc == before
    assert qc.count_ops() == {"iswap": 1, "h": 1, "measure": 1}


def test_aer_runs_on_one_thread_with_an_exact_method() -> None:
    options = quantum._simulator().options
    assert options.max_parallel_threads == 1
    assert options.method == "statevector"


def test_dice_are_told_from_wires() -> None:
    qc = QuantumCircuit(
        wires(2),
        QuantumRegister(2, "die"),
        QuantumRegister(1, "spare"),
        ClassicalRegister(2, "dice"),
        ClassicalRegister(1, "sealed"),
        ClassicalRegister(1, "fixed"),
    )
    qc.h([2, 3, 4])
    qc.measure([2, 3], [0, 1])
    qc.measure(4, 2)
    with qc.if_test((qc.clbits[2], 1)):
        qc.x(0)
    qc.measure(1, 3)
    assert wire_registers(qc) == ("sealed", "fixed")
    kept = without_dice(qc)
    assert [r.name for r in kept.qregs] == ["wire", "spare"]
    assert [r.name for r in kept.cregs] == ["sealed", "fixed"]
    assert kept.count_ops() == {"h": 1, "measure": 2, "if_else": 1}
    odds = QuantumState.zeros(2).odds(qc, ("sealed", "fixed"))
    assert {entries(o): p for o, p in odds.items()} == pytest.approx(
        {"sealed=0 fixed=0": 0.5, "sealed=1 fixed=0": 0.5}
    )


def test_memory_keeps_every_shot() -> None:
    qc = QuantumCircuit(wires(2), ClassicalRegister(1, "a"), ClassicalRegister(2, "b"))
    qc.x(1)
    qc.measure(0, 0)
    qc.measure([0, 1], [1, 2])
    assert sample(qc, 3, seed=1, memory=True) == ["a=0 b=01"] * 3
    assert sample(qc, 3, seed=1) == {"a=0 b=01": 3}


def test_every_order_of_two_measurements_gives_one_joint_table() -> None:
    state = pair("phased")
    tables = []
    for order in ((0, 2), (2, 0)):
        qc = QuantumCircuit(wires(3), ClassicalRegister(2, "c"))
        for wire in order:
            qc.measure(wire, order.index(wire))
        tables.append({bits: p for ((_, bits),), p in state.odds(qc).items()})
    assert tables[0] == pytest.approx(tables[1])
    assert list(tables[0]) == ["00", "11"]


def test_thinned_beliefs_keep_their_density() -> None:
    """Very many hidden histories on few wires become as many as the matrix has eigenvectors."""
    state = QuantumState.zeros(2)
    weights: list[tuple[float, np.ndarray]] = [(1.0, state.density((0, 1)))]
    for n in range(8):
        qc = QuantumCircuit(wires(2), QuantumRegister(1, "die"), ClassicalRegister(1, "sealed"))
        qc.h(2)
        qc.measure(2, 0)
        with qc.if_test((qc.clbits[0], 1)):
            qc.ry(0.3 + n, 0)
            qc.cx(0, 1)
        state = state.follow(qc, (("sealed", "?"),))
        turn = dense.applied(np.eye(4).reshape(2, 2, 4), dense.GATES["ry"](0.3 + n), [0])
        both = dense.applied(turn, dense.GATES["cx"](), [0, 1])
        unitary = both.transpose(1, 0, 2).reshape(4, 4)[:, [0, 2, 1, 3]]
        weights = [(w / 2, m) for w, r in weights for m in (r, unitary @ r @ unitary.conj().T)]
    expected = sum(w * m for w, m in weights)
    assert np.abs(state.density((0, 1)) - expected).max() < 1e-9
    assert all(len(state.cluster(w).weights) <= 64 for w in (0, 1))


def test_all_bits_unread_is_everything_at_once() -> None:
    qc = QuantumCircuit(wires(3), ClassicalRegister(3, "sealed"))
    qc.h(range(3))
    qc.measure(range(3), range(3))
    belief = QuantumState.zeros(3).follow(qc, (("sealed", "???"),))
    assert belief.clusters == ((0,), (1,), (2,))  # independent coins stay independent
    for bits in product("01", repeat=3):
        known = QuantumState.zeros(3).follow(qc, (("sealed", "".join(bits)),))
        assert [round(known.probability(w)) for w in range(3)] == [int(b) for b in bits]
    assert belief.purity((0, 1, 2)) == pytest.approx(1 / 8)
