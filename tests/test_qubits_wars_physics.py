"""The board of The |Qubits> Wars is physics: the dice rule is the Born rule, exactly.

The Born side is plain numpy: kets, Kraus operators, squares of amplitudes. Nothing of it comes from
the package.
"""

from __future__ import annotations

from collections import Counter
from functools import reduce
from itertools import permutations, product

import numpy as np
import pytest
from qiskit import QuantumCircuit

from qgames.games import qubits_wars_cards as cards
from qgames.games import qubits_wars_circuit as board
from qgames.games.qubits_wars_circuit import Operation
from qgames.quantum import QuantumState, sample

LINES = 4
SYMBOLS = ["".join(s) for s in product("01+-", repeat=LINES)]
BITS = ["".join(b) for b in product("01", repeat=LINES)]
PAIRS = list(permutations(range(LINES), 2))
PLACEMENTS = [
    (),
    *((p,) for p in PAIRS),
    *((p, q) for p in PAIRS for q in PAIRS if set(p) != set(q)),
]
X, Z, H = np.array([[0, 1], [1, 0]]), np.diag([1, -1]), np.array([[1, 1], [1, -1]]) / np.sqrt(2)
ZERO, ONE = np.array([1, 0]), np.array([0, 1])
KET = {"0": ZERO, "1": ONE, "+": H @ ZERO, "-": H @ ONE}
KRAUS = {
    "none": [np.eye(2)],
    "bit-flip": [X],
    "phase-flip": [Z],
    "relaxation": [np.outer(ZERO, ZERO), np.outer(ZERO, ONE)],
    "late-flip": [X],
    "dephasing": [np.outer(ZERO, ZERO), np.outer(ONE, ONE)],
    "depolarise": [H @ np.outer(ZERO, ZERO), H @ np.outer(ZERO, ONE)],
    "readout-error": [np.eye(2)],
    "stuck-detector": [np.eye(2)],
}
RECORDED = {
    "readout-error": np.array([[0, 1], [1, 0]]),
    "stuck-detector": np.array([[1, 1], [0, 0]]),
}
NOT_EARLY = ("none", *cards.LATE, *cards.READOUT)


def vector(symbols: str) -> np.ndarray:
    """The product state, q0 the first axis."""
    return reduce(np.kron, [KET[s] for s in symbols])


def cnot(vectors: np.ndarray, c: int, t: int) -> np.ndarray:
    """CNOT on a batch of vectors, q0 the most significant bit."""
    index = np.arange(2**LINES)
    flip = (index >> (LINES - 1 - c) & 1) << (LINES - 1 - t)
    return vectors[:, index ^ flip]


def born() -> np.ndarray:
    """Probabilities of all boards without noise: (placement, symbols, bits)."""
    start = np.array([vector(s) for s in SYMBOLS])
    boards = [reduce(lambda v, pair: cnot(v, *pair), placed, start) for placed in PLACEMENTS]
    return np.abs(np.array(boards)) ** 2


def diced() -> np.ndarray:
    """The same table from the package's dice rule."""
    table = np.zeros((len(PLACEMENTS), len(SYMBOLS), len(BITS)))
    for n, placed in enumerate(PLACEMENTS):
        for k, symbols in enumerate(SYMBOLS):
            for bits, chance in board.dice_rule(symbols, placed).items():
                table[n, k, int(bits, 2)] = chance
    return table


def channel(kind: str) -> np.ndarray:
    """P(recorded bit | bit before noise) of one line, from Kraus operators; exact for every state,
    since the effect of each reading is diagonal (which is checked)."""
    effects = []
    for bit in (ZERO, ONE):
        effect = sum(k.conj().T @ np.outer(bit, bit) @ k for k in KRAUS[kind])
        assert np.allclose(effect, np.diag(np.diag(effect)))
        effects.append(np.diag(effect))
    return RECORDED.get(kind, np.eye(2)) @ np.array(effects)


def dice_channel(kinds: tuple[str, ...]) -> np.ndarray:
    """P(recorded | bits after the CNOT zone) from the package's rule for noise on every line."""
    noises = tuple((kind, q) for q, kind in enumerate(kinds) if kind != "none")
    table = np.zeros((16, 16))
    for bits in BITS:
        for recorded, chance in board.dice_rule(bits, (), noises).items():
            table[int(recorded, 2), int(bits, 2)] = chance
    return table


def test_there_are_as_many_boards_as_the_sheet_says() -> None:
    assert len(SYMBOLS) * len(PLACEMENTS) == 34_048


def test_the_dice_rule_is_the_born_rule_on_every_board_with_every_noise() -> None:
    """All symbols x CNOT placements x a late or readout noise or none a line: 34,048 x 6**4.

    Boards with the same pair of distributions are multiplied out once.
    """
    amplitudes, dice = born(), diced()
    assert np.abs(amplitudes - dice).max() < 1e-12
    both = np.concatenate([amplitudes, dice], axis=-1).reshape(-1, 32).round(12)
    rows = np.unique(both, axis=0)
    for kinds in product(NOT_EARLY, repeat=LINES):
        physical = reduce(np.kron, [channel(kind) for kind in kinds])
        ruled = dice_channel(kinds)
        assert np.abs(physical - ruled).max() < 1e-12, kinds
        assert np.abs(rows[:, :16] @ physical.T - rows[:, 16:] @ ruled.T).max() < 1e-9, kinds


@pytest.mark.parametrize("kind", ["none", *cards.BEFORE])
@pytest.mark.parametrize("symbol", "01+-")
def test_early_noise_leads_from_symbol_to_symbol(kind: str, symbol: str) -> None:
    """A line before the CNOT zone is alone, so 4 x 4 cases are all there are."""
    noises = () if kind == "none" else ((kind, 0),)
    after = KET[board.noisy_symbols(symbol, noises)]
    rho = sum(np.outer(k @ KET[symbol], (k @ KET[symbol]).conj()) for k in KRAUS[kind])
    assert np.allclose(rho, np.outer(after, after))


def test_early_noise_acts_line_by_line() -> None:
    single = {
        (kind, s): board.noisy_symbols(s, () if kind == "none" else ((kind, 0),))
        for kind in ("none", *cards.BEFORE)
        for s in "01+-"
    }
    for kinds in product(("none", *cards.BEFORE), repeat=LINES):
        noises = [(kind, q) for q, kind in enumerate(kinds) if kind != "none"]
        for symbols in SYMBOLS:
            want = "".join(single[pair] for pair in zip(kinds, symbols, strict=True))
            assert board.noisy_symbols(symbols, noises) == want


@pytest.mark.parametrize(
    ("gate", "row"), [("x", "10+-"), ("z", "01-+"), ("h", "+-01"), ("id", "01+-")]
)
def test_each_gate_is_its_row_of_the_table(gate: str, row: str) -> None:
    matrix = {"x": X, "z": Z, "h": H, "id": np.eye(2)}[gate]
    for before, after in zip("01+-", row, strict=True):
        assert board.symbols_of(before, [Operation(gate, (0,))]) == after
        assert abs(abs(KET[after] @ matrix @ KET[before]) - 1) < 1e-12


@pytest.mark.parametrize(
    ("control", "target", "linked", "after"),
    [
        ("0", "0", False, {"00": 1}),
        ("0", "1", False, {"01": 1}),
        ("1", "0", False, {"11": 1}),
        ("1", "1", False, {"10": 1}),
        ("0", "+", False, {"00": 0.5, "01": 0.5}),
        ("0", "-", False, {"00": 0.5, "01": 0.5}),
        ("1", "+", False, {"10": 0.5, "11": 0.5}),
        ("1", "-", False, {"10": 0.5, "11": 0.5}),
        ("+", "0", True, {"00": 0.5, "11": 0.5}),
        ("-", "0", True, {"00": 0.5, "11": 0.5}),
        ("+", "1", True, {"01": 0.5, "10": 0.5}),
        ("-", "1", True, {"01": 0.5, "10": 0.5}),
        ("+", "+", False, dict.fromkeys(("00", "01", "10", "11"), 0.25)),
        ("-", "+", False, dict.fromkeys(("00", "01", "10", "11"), 0.25)),
        ("+", "-", False, dict.fromkeys(("00", "01", "10", "11"), 0.25)),
        ("-", "-", False, dict.fromkeys(("00", "01", "10", "11"), 0.25)),
    ],
)
def test_the_cnot_table(control: str, target: str, linked: bool, after: dict[str, float]) -> None:
    symbols = control + target
    assert board.dice_rule(symbols, ((0, 1),)) == pytest.approx(after)
    assert board.exact(symbols, (), [Operation("cnot", (0, 1))]) == pytest.approx(after)
    assert board.entangled_lines(symbols, ((0, 1),)) == (
        frozenset({0, 1}) if linked else frozenset()
    )


@pytest.mark.parametrize(("control", "kicked"), [("+", "-"), ("-", "+")])
def test_phase_kick_back_turns_the_control_over(control: str, kicked: str) -> None:
    qc = QuantumCircuit(2)
    board.prepare(qc, control + "-")
    board.apply(qc, Operation("cnot", (0, 1)))
    assert board.symbols_in(QuantumState.zeros(2).follow(qc, ())) == kicked + "-"


def random_board(rng: np.random.Generator) -> tuple[str, list[Operation], list[Operation], tuple]:
    """Initial states, up to eight gates, up to two CNOTs and a noise on about half of the lines."""
    operations = []
    for gate in rng.choice(["x", "z", "h", "id", "swap"], size=rng.integers(0, 9)):
        lines = rng.permutation(LINES)[: 2 if gate == "swap" else 1]
        operations.append(Operation(str(gate), tuple(int(q) for q in lines)))
    placed = PLACEMENTS[rng.integers(len(PLACEMENTS))]
    kinds = rng.choice([*cards.NOISES, *["none"] * 8], size=LINES)
    noises = board.ordered((str(k), q) for q, k in enumerate(kinds) if k != "none")
    initial = SYMBOLS[rng.integers(len(SYMBOLS))]
    return initial, operations, [Operation("cnot", p) for p in placed], noises


def test_the_whole_circuit_has_the_distribution_of_the_dice_rule() -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        initial, operations, cnots, noises = random_board(rng)
        symbols = board.symbols_of(initial, operations)
        lines = tuple((op.lines[0], op.lines[1]) for op in cnots)
        ruled = board.dice_rule(symbols, lines, noises)
        assert board.exact(initial, operations, cnots, noises) == pytest.approx(ruled)


def test_aer_from_scratch_agrees_with_the_dice_rule() -> None:
    """4000 shots of 25 random noisy boards; the statistic of all boards together is chi-square."""
    chi2 = pytest.importorskip("scipy.stats").chi2
    rng = np.random.default_rng(11)
    total, freedom = 0.0, 0
    for n in range(25):
        initial, operations, cnots, noises = random_board(rng)
        qc = QuantumCircuit(LINES)
        board.shot(qc, initial, operations, cnots, noises)
        counts: Counter[str] = Counter()
        for text, count in sample(qc, 4000, seed=1000 + 37 * n).items():
            read = next(w for w in text.split() if w.startswith("result=")).removeprefix("result=")
            counts[board.read_out(read, noises)] += count
        lines = tuple((op.lines[0], op.lines[1]) for op in cnots)
        ruled = board.dice_rule(board.symbols_of(initial, operations), lines, noises)
        assert set(counts) <= set(ruled)
        total += sum((counts[b] - 4000 * p) ** 2 / (4000 * p) for b, p in ruled.items())
        freedom += len(ruled) - 1
    assert chi2.sf(total, freedom) > 1e-4


def test_symbols_are_read_from_the_state_and_never_from_probabilities() -> None:
    rng = np.random.default_rng(2)
    for _ in range(80):
        initial, operations, _, _ = random_board(rng)
        qc = QuantumCircuit(LINES)
        board.prepare(qc, initial)
        board.rewire(qc, (), operations)
        state = QuantumState.zeros(LINES).follow(qc, ())
        assert board.symbols_in(state) == board.symbols_of(initial, operations)
    bell = QuantumCircuit(2)
    bell.h(0)
    bell.cx(0, 1)
    assert board.symbols_in(QuantumState.zeros(2).follow(bell, ())) == "EE"


def test_rewiring_leads_from_any_board_to_any_other() -> None:
    rng = np.random.default_rng(3)
    for _ in range(80):
        initial, old, _, _ = random_board(rng)
        new = random_board(rng)[1]
        if rng.random() < 0.5:
            new = old[: len(old) // 2] + new
        qc = QuantumCircuit(LINES)
        board.prepare(qc, initial)
        board.rewire(qc, (), old)
        board.rewire(qc, old, new)
        state = QuantumState.zeros(LINES).follow(qc, ())
        assert board.symbols_in(state) == board.symbols_of(initial, new)


def test_rewiring_leaves_what_is_common_alone() -> None:
    x, h, z = Operation("x", (0,)), Operation("h", (1,)), Operation("z", (1,))
    qc = QuantumCircuit(2)
    board.rewire(qc, [x, h, z], [x, z])
    assert [i.operation.name for i in qc.data] == ["z", "h", "z"]
