"""The board of The |Qubits> Wars as a circuit, and the dice rule that stands for it at a table.

Before the CNOT zone every line is alone and in one of four states, written ``0 1 + -``. A *board*
is the list of operations in time order; when it changes, :func:`rewire` gives the gates that lead
from the old state to the new one. One shot is the whole circuit from ``|0...0>`` to ``result``
(:func:`shot`). :func:`dice_rule` gives its distribution by dice alone, :func:`exact` by
amplitudes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qiskit import ClassicalRegister, QuantumCircuit

from qgames.games.qubits_wars_cards import BEFORE, LATE, READOUT
from qgames.quantum import QuantumState

TABLE = {
    "x": str.maketrans("01", "10"),
    "z": str.maketrans("+-", "-+"),
    "h": str.maketrans("01+-", "+-01"),
    "id": str.maketrans("", ""),
}
KETS = {
    "0": np.array([1.0, 0.0]),
    "1": np.array([0.0, 1.0]),
    "+": np.array([1.0, 1.0]) / np.sqrt(2),
    "-": np.array([1.0, -1.0]) / np.sqrt(2),
}
FACES = {"0": "1-3", "1": "4-6"}
Noise = tuple[str, int]
"""A kind of noise and its line, in the order in which they act."""


@dataclass(frozen=True)
class Operation:
    """A gate on the board: name, lines (control first), who placed it, and the cards it took."""

    gate: str
    lines: tuple[int, ...]
    seat: int = 0
    cards: tuple[str, ...] = ()


# ---- symbols -----------------------------------------------------------------------------------


def symbols_of(initial: str, operations: Iterable[Operation]) -> str:
    """The symbol of each line after the Simple Zone, by the table of section 4.2."""
    line = list(initial)
    for op in operations:
        if op.gate == "swap":
            a, b = op.lines
            line[a], line[b] = line[b], line[a]
        else:
            line[op.lines[0]] = line[op.lines[0]].translate(TABLE[op.gate])
    return "".join(line)


def symbols_in(state: QuantumState) -> str:
    """The symbol of each wire as its state says: ``0 1 + -``, or ``E`` for an entangled one."""
    return "".join(_symbol_of(state.density((wire,))) for wire in range(state.wires))


def _symbol_of(rho: NDArray[Any]) -> str:
    """The symbol whose state a density matrix is; ``E`` if it is none of them."""
    for symbol, ket in KETS.items():
        if float(np.real(ket @ rho @ ket)) > 1 - 1e-7:
            return symbol
    return "E"


def noisy_symbols(symbols: str, noises: Iterable[Noise]) -> str:
    """The symbols that are recorded: after the noises that act before the CNOT zone."""
    line = list(symbols)
    for kind, q in noises:
        if kind == "bit-flip":
            line[q] = line[q].translate(TABLE["x"])
        elif kind == "phase-flip":
            line[q] = line[q].translate(TABLE["z"])
        elif kind == "relaxation":
            line[q] = "0"
    return "".join(line)


# ---- circuits ----------------------------------------------------------------------------------


def rewire(qc: QuantumCircuit, old: Sequence[Operation], new: Sequence[Operation]) -> None:
    """Lead the wires from one board to another: undo what differs, then do the new part.

    Every gate of the Simple Zone is its own inverse.
    """
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    for op in reversed(old[same:]):
        apply(qc, op)
    for op in new[same:]:
        apply(qc, op)


def apply(qc: QuantumCircuit, op: Operation) -> None:
    """Append one operation, by the gate's own name."""
    getattr(qc, "cx" if op.gate == "cnot" else op.gate)(*op.lines)


def prepare(qc: QuantumCircuit, initial: str) -> None:
    """Initial states from ``|0>``: ``1`` X; ``+`` H; ``-`` X, H."""
    for q, symbol in enumerate(initial):
        if symbol in "1-":
            qc.x(q)
        if symbol in "+-":
            qc.h(q)


def early_noise(qc: QuantumCircuit, noises: Iterable[Noise]) -> None:
    """Noise before the CNOT zone."""
    for kind, q in noises:
        if kind == "bit-flip":
            qc.x(q)
        elif kind == "phase-flip":
            qc.z(q)
        elif kind == "relaxation":
            qc.reset(q)


def late_noise(qc: QuantumCircuit, noises: Iterable[Noise]) -> None:
    """Noise after the CNOT zone; dephasing is a measurement that nobody reads."""
    sealed = iter(next((r for r in qc.cregs if r.name == "sealed"), ()))
    for kind, q in noises:
        if kind == "late-flip":
            qc.x(q)
        elif kind == "dephasing":
            qc.measure(q, next(sealed))
        elif kind == "depolarise":
            qc.reset(q)
            qc.h(q)


def shot(
    qc: QuantumCircuit,
    initial: str,
    operations: Sequence[Operation],
    cnots: Sequence[Operation],
    noises: Sequence[Noise],
) -> None:
    """One run of the whole board on wires that stand in ``|0...0>``, measured into ``result``."""
    hidden = sum(kind == "dephasing" for kind, _ in noises)
    result = ClassicalRegister(len(initial), "result")
    qc.add_register(result)
    if hidden:
        qc.add_register(ClassicalRegister(hidden, "sealed"))
    wires = range(len(initial))
    prepare(qc, initial)
    qc.barrier(wires, label="simple zone")
    for op in operations:
        apply(qc, op)
    qc.barrier(wires, label="noise before")
    early_noise(qc, noises)
    qc.barrier(wires, label="cnot zone")
    for op in cnots:
        apply(qc, op)
    qc.barrier(wires, label="noise after")
    late_noise(qc, noises)
    qc.measure(wires, result)


def read_out(bits: str, noises: Iterable[Noise]) -> str:
    """The bits as they are recorded: noise after measurement inverts or sticks them."""
    line = list(bits)
    for kind, q in noises:
        if kind == "readout-error":
            line[q] = "01"[line[q] == "0"]
        elif kind == "stuck-detector":
            line[q] = "0"
    return "".join(line)


# ---- the dice rule and the Born rule -------------------------------------------------------------


@dataclass(frozen=True)
class DiceRow:
    """One way a shot can come about at a table, from the dice to what is recorded."""

    dice: tuple[tuple[int, str], ...]
    """(line, bit) of each superposed line; a die of 1-3 is 0, of 4-6 is 1."""
    bits: str
    after_cnot: str
    late_dice: tuple[tuple[int, str], ...]
    """(line, bit) of each line that a late noise replaces by a die."""
    measured: str
    recorded: str
    chance: float


def dice_rows(
    symbols: str, cnots: Sequence[tuple[int, int]], noises: Sequence[Noise] = ()
) -> Iterator[DiceRow]:
    """Every fall of the dice from the recorded symbols on (section 4.3)."""
    open_lines = [q for q, s in enumerate(symbols) if s in "+-"]
    thrown = [q for kind, q in noises if kind == "depolarise"]
    chance = 0.5 ** (len(open_lines) + len(thrown))
    for dice in product("01", repeat=len(open_lines)):
        fallen = dict(zip(open_lines, dice, strict=True))
        bits = "".join(fallen.get(q, s) for q, s in enumerate(symbols))
        after = _after_cnots(bits, cnots)
        for late in product("01", repeat=len(thrown)):
            replaced = dict(zip(thrown, late, strict=True))
            measured = _after_late(after, noises, replaced)
            yield DiceRow(
                tuple(fallen.items()),
                bits,
                after,
                tuple(replaced.items()),
                measured,
                read_out(measured, noises),
                chance,
            )


def _after_cnots(bits: str, cnots: Iterable[tuple[int, int]]) -> str:
    line = list(bits)
    for c, t in cnots:
        if line[c] == "1":
            line[t] = "01"[line[t] == "0"]
    return "".join(line)


def _after_late(bits: str, noises: Iterable[Noise], replaced: dict[int, str]) -> str:
    line = list(bits)
    for kind, q in noises:
        if kind == "late-flip":
            line[q] = "01"[line[q] == "0"]
        elif kind == "depolarise":
            line[q] = replaced[q]
    return "".join(line)


@lru_cache(maxsize=200_000)
def dice_rule(
    symbols: str, cnots: tuple[tuple[int, int], ...], noises: tuple[Noise, ...] = ()
) -> dict[str, float]:
    """Probability of each recorded result by the dice rule; early ``noises`` count too."""
    table: dict[str, float] = {}
    for row in dice_rows(noisy_symbols(symbols, noises), cnots, noises):
        table[row.recorded] = table.get(row.recorded, 0.0) + row.chance
    return dict(sorted(table.items()))


@lru_cache(maxsize=20_000)
def symbols_after(symbols: str, cnots: tuple[tuple[int, int], ...]) -> str:
    """The symbol of each line after the CNOT zone, ``E`` where it is entangled; from amplitudes."""
    vector = np.ones(1)
    for symbol in symbols:
        vector = np.kron(KETS[symbol], vector)
    index = np.arange(len(vector))
    for c, t in cnots:
        vector = vector[index ^ ((index >> c & 1) << t)]
    return "".join(_symbol_of(_reduced(vector, q)) for q in range(len(symbols)))


def entangled_lines(symbols: str, cnots: tuple[tuple[int, int], ...]) -> frozenset[int]:
    """The lines whose reduced state is mixed after the CNOT zone."""
    return frozenset(q for q, s in enumerate(symbols_after(symbols, cnots)) if s == "E")


def _reduced(vector: NDArray[np.float64], q: int) -> NDArray[np.float64]:
    split = vector.reshape(-1, 2, 2**q)
    return np.asarray(np.einsum("hal,hbl->ab", split, split))


def exact(
    initial: str,
    operations: Sequence[Operation],
    cnots: Sequence[Operation],
    noises: Sequence[Noise] = (),
) -> dict[str, float]:
    """Probability of each recorded result from the amplitudes of the whole circuit."""
    qc = QuantumCircuit(len(initial))
    shot(qc, initial, operations, cnots, noises)
    table: dict[str, float] = {}
    for outcome, chance in QuantumState.zeros(len(initial)).odds(qc, ["result"]).items():
        recorded = read_out(dict(outcome)["result"], noises)
        table[recorded] = table.get(recorded, 0.0) + chance
    return dict(sorted(table.items()))


def ordered(noises: Iterable[Noise]) -> tuple[Noise, ...]:
    """Noises in the order in which they act: by time group, inside a group by placement."""
    groups = (BEFORE, LATE, READOUT)
    return tuple(sorted(noises, key=lambda n: next(k for k, g in enumerate(groups) if n[0] in g)))
