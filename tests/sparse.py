"""An independent evolution of circuits on few kets: dictionaries from basis state to amplitude.

Nothing of qgames and nothing of Aer: gates are the matrices typed into `tests.dense`. It takes
circuits of a hundred qubits as long as few kets are there, and follows a given outcome, all
branches where a bit is not given (``?``). A mixture is a list of branches, and the square of a
branch is its weight.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.dense import GATES as TYPED_IN

Kets = dict[int, complex]
TINY = 1e-14


def turned(theta: float, phi: float, lam: float) -> np.ndarray:
    """The general one-qubit gate of OpenQASM: an ``id`` comes back as ``U(0, 0, 0)``."""
    c, s = np.cos(theta / 2), np.sin(theta / 2)
    up, down = s * np.exp(1j * phi), -s * np.exp(1j * lam)
    return np.array([[c, down], [up, c * np.exp(1j * (phi + lam))]])


GATES = TYPED_IN | {"u": turned}


@dataclass
class Branch:
    """What has been read so far, by classical bit, and the kets, not normalised."""

    kets: Kets
    bits: dict[int, int] = field(default_factory=dict)

    @property
    def weight(self) -> float:
        return sum(abs(a) ** 2 for a in self.kets.values())


def applied(kets: Kets, matrix: np.ndarray, qubits: list[int]) -> Kets:
    """A gate whose first operand is the most significant index of its matrix."""
    out: Kets = {}
    count = len(qubits)
    for ket, amplitude in kets.items():
        index = sum((ket >> q & 1) << (count - 1 - n) for n, q in enumerate(qubits))
        rest = ket
        for q in qubits:
            rest &= ~(1 << q)
        for row in range(2**count):
            factor = matrix[row, index]
            if abs(factor) > TINY:
                new = rest
                for n, q in enumerate(qubits):
                    new |= (row >> (count - 1 - n) & 1) << q
                out[new] = out.get(new, 0) + factor * amplitude
    return {ket: a for ket, a in out.items() if abs(a) > TINY}


def projected(kets: Kets, qubit: int, bit: int) -> Kets:
    return {ket: a for ket, a in kets.items() if ket >> qubit & 1 == bit}


def stepped(
    found: Iterable[Branch], item: Any, circuit: Any, known: Mapping[int, int]
) -> list[Branch]:
    """All branches after one instruction; ``known`` are bits by their index in the circuit."""
    qubits = [circuit.find_bit(q).index for q in item.qubits]
    clbits = [circuit.find_bit(c).index for c in item.clbits]
    return _stepped(list(found), item.operation, qubits, clbits, circuit, known)


def _stepped(
    found: list[Branch],
    operation: Any,
    qubits: list[int],
    clbits: list[int],
    circuit: Any,
    known: Mapping[int, int],
) -> list[Branch]:
    out: list[Branch] = []
    for branch in found:
        if operation.name == "barrier":
            out.append(branch)
        elif operation.name == "measure":
            for bit in (0, 1):
                if known.get(clbits[0], bit) == bit:
                    kets = projected(branch.kets, qubits[0], bit)
                    out.append(Branch(kets, branch.bits | {clbits[0]: bit}))
        elif operation.name == "reset":
            out.append(Branch(projected(branch.kets, qubits[0], 0), branch.bits))
            one = projected(branch.kets, qubits[0], 1)
            out.append(Branch(applied(one, GATES["x"](), qubits), branch.bits))
        elif operation.name == "if_else":
            out += _conditional(branch, operation, qubits, clbits, circuit, known)
        else:
            matrix = GATES[operation.name](*map(float, operation.params))
            out.append(Branch(applied(branch.kets, matrix, qubits), branch.bits))
    return [branch for branch in out if branch.weight > TINY]


def _conditional(
    branch: Branch,
    operation: Any,
    qubits: list[int],
    clbits: list[int],
    circuit: Any,
    known: Mapping[int, int],
) -> list[Branch]:
    target, value = operation.condition
    tested = list(target) if hasattr(target, "__len__") else [target]
    now = sum(branch.bits.get(circuit.find_bit(c).index, 0) << k for k, c in enumerate(tested))
    met = now == int(value)
    inner = [branch]
    for block, wanted in zip(operation.blocks, (True, False), strict=False):
        if wanted == met:
            for item in block.data:
                own = [qubits[block.find_bit(q).index] for q in item.qubits]
                read = [clbits[block.find_bit(c).index] for c in item.clbits]
                inner = _stepped(inner, item.operation, own, read, circuit, known)
    return inner


def known_bits(circuit: Any, outcome: Mapping[str, str]) -> dict[int, int]:
    """Bits of an outcome by their index in the circuit; ``?`` is not known."""
    return {
        circuit.find_bit(register[n]).index: int(bit)
        for register in circuit.cregs
        for n, bit in enumerate(outcome.get(register.name, ""))
        if bit != "?"
    }


def evolved(circuit: Any, outcome: Mapping[str, str], start: Kets | None = None) -> list[Branch]:
    """All branches of a whole circuit that read ``outcome``."""
    known = known_bits(circuit, outcome)
    found = [Branch(start or {0: 1.0})]
    for item in circuit.data:
        found = stepped(found, item, circuit, known)
    return found


def normal(kets: Kets, qubits: int | None = None) -> Kets:
    """Normalised, the lowest ket real and positive; of the first ``qubits``, the rest measured."""
    if qubits is not None:
        rests = {ket >> qubits for ket in kets}
        assert len(rests) == 1, "a fresh qubit was not measured"
        kets = {ket & (2**qubits - 1): a for ket, a in kets.items()}
    kets = {ket: a for ket, a in kets.items() if abs(a) > 1e-8}
    size = np.sqrt(sum(abs(a) ** 2 for a in kets.values()))
    lead = kets[min(kets)]
    return {ket: complex(a / size * abs(lead) / lead) for ket, a in sorted(kets.items())}


def same(a: Kets, b: Kets, within: float = 1e-9) -> bool:
    return all(abs(a.get(ket, 0) - b.get(ket, 0)) < within for ket in a.keys() | b.keys())


def kets_of(state: Any, wires: Iterable[int] | None = None) -> Kets:
    """The kets of a pure `QuantumState` (or of its clusters that hold ``wires``)."""
    kets: Kets = {0: 1.0}
    chosen = range(state.wires) if wires is None else wires
    for own in sorted({state.cluster(w).wires for w in chosen}):
        (vector,) = state.cluster(own[0]).vectors
        factor = {
            sum((index >> n & 1) << w for n, w in enumerate(own)): complex(a)
            for index, a in enumerate(vector)
            if abs(a) > TINY
        }
        kets = {k | j: a * b for k, a in kets.items() for j, b in factor.items()}
    return kets
