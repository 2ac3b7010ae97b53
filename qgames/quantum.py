"""Exact quantum states that move through Qiskit circuits; the only file that talks to Aer.

A :class:`QuantumState` keeps its wires in *clusters*: groups that are entangled (or, in a belief,
correlated), each with its own exact vectors. Wires in a product state stand alone, so 56 wires cost
nothing until they are entangled. A *fragment* is the circuit of one move. Its first quantum register
is the game's wires; every other one is fresh ``|0...0>``, is measured by the end and is gone after it.

Three things can be done with a fragment, and they agree with each other:

* ``run``: Aer decides what is measured, once;
* ``follow``: the same fragment with a given outcome (load, replay, look-ahead);
* ``odds``: the exact probability of each outcome.

A *belief* is a ``QuantumState`` too: what a player must assume when some outcome bits were not theirs to
read. Each of its clusters is a weighted list of vectors, one for each hidden history that is still
possible (equal vectors are merged); the density matrix is their weighted sum. A cluster of the true
state has one vector of weight 1.

Bit order: wire 0 is least significant in vectors, as everywhere in Qiskit; in outcomes, bit 0 of a
register is written first, so ``("p0", "01")`` says bit 0 was 0 and bit 1 was 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qiskit import ClassicalRegister, QuantumCircuit
from qiskit.circuit import CircuitInstruction, Clbit, Gate, IfElseOp, Operation
from qiskit.circuit.library import UnitaryGate
from qiskit.transpiler import generate_preset_pass_manager
from qiskit_aer import AerSimulator

Vector = NDArray[np.complex128]
Outcome = tuple[tuple[str, str], ...]
"""What a fragment measured: ``(register, bits)`` pairs in the order of its classical registers."""

TOLERANCE = 1e-9
LARGEST_CLUSTER = 16
LARGEST_VECTOR = 20
UNREAD = "?"

_PACK = 10  # independent parts share one Aer circuit up to this many qubits: small enough to be free
_FEW_HISTORIES = 16
_WIDE = 8  # wires from which it pays to measure first and link what is left
_SMALL_GATE = 3  # qubits up to which a gate's matrix is cheaper than its translation
_NATIVE = frozenset(
    "id x y z h s sdg t tdg sx rx ry rz p u cx cy cz cp swap ccx cswap rxx ryy rzz rzx"
    " measure reset if_else barrier".split()
)


class ImpossibleOutcomeError(ValueError):
    """The outcome asked for has probability 0, or does not fit the fragment's registers."""


class ClusterTooLargeError(ValueError):
    """The fragment would link more wires than one exact vector can hold."""


@dataclass(frozen=True, eq=False)
class Cluster:
    """Wires that are entangled or correlated, with every vector that may be theirs.

    ``vectors`` has shape (histories, 2**len(wires)), each row normalised with its first non-zero
    amplitude real and positive; ``weights`` has shape (histories,) and sums to 1. ``wires`` ascend,
    and ``wires[0]`` is the least significant.
    """

    wires: tuple[int, ...]
    weights: NDArray[np.float64]
    vectors: Vector

    @property
    def is_pure(self) -> bool:
        """True when a single vector is possible."""
        return len(self.weights) == 1

    def density(self) -> Vector:
        """The density matrix, shape (2**n, 2**n)."""
        return np.einsum("k,ki,kj->ij", self.weights, self.vectors, self.vectors.conj())


class QuantumState:
    """An immutable state of a game's wires: exact, in clusters, pure or a belief."""

    __slots__ = ("_clusters", "_of_wire", "wires")

    def __init__(self, wires: int, clusters: Iterable[Cluster]) -> None:
        self.wires = wires
        self._clusters = tuple(sorted(clusters, key=lambda c: c.wires))
        self._of_wire = {wire: c for c in self._clusters for wire in c.wires}
        if sorted(self._of_wire) != list(range(wires)):
            raise ValueError(f"clusters must cover wires 0 to {wires - 1} once each")

    @classmethod
    def zeros(cls, wires: int) -> QuantumState:
        """All wires in ``|0>``."""
        one = np.ones(1)
        zero = np.array([[1, 0]], dtype=np.complex128)
        return cls(wires, (Cluster((wire,), one, zero) for wire in range(wires)))

    # ---- reading: nothing here changes anything ----------------------------------------------

    @property
    def clusters(self) -> tuple[tuple[int, ...], ...]:
        """The wires of each cluster, ascending."""
        return tuple(c.wires for c in self._clusters)

    @property
    def is_pure(self) -> bool:
        """True when nothing is hidden: every cluster has a single vector."""
        return all(c.is_pure for c in self._clusters)

    def cluster(self, wire: int) -> Cluster:
        """The cluster that holds ``wire``."""
        return self._of_wire[wire]

    def vector(self, wires: Sequence[int] | None = None) -> Vector:
        """The statevector of all wires, or of a union of whole clusters; ``wires[0]`` least significant.

        Raises ValueError beyond 20 wires, for a belief that has no single vector, and for wires
        that are entangled with others.
        """
        chosen = tuple(range(self.wires)) if wires is None else tuple(wires)
        if len(chosen) > LARGEST_VECTOR:
            raise ValueError(f"a vector of {len(chosen)} wires is too long: at most {LARGEST_VECTOR}")
        touched = self._touched(chosen)
        if sorted(w for c in touched for w in c.wires) != sorted(chosen):
            raise ValueError(f"wires {list(chosen)} are entangled with others: ask for whole clusters")
        if not all(c.is_pure for c in touched):
            raise ValueError("a belief has no single vector: ask for density(wires)")
        order, _, vectors = _joined(touched)
        return _permuted(vectors, order, chosen)[0]

    def density(self, wires: Sequence[int]) -> Vector:
        """The reduced density matrix of ``wires``, ``wires[0]`` least significant."""
        order, weights, vectors = _joined(self._touched(wires))
        rest = [w for w in order if w not in wires]
        batch = _permuted(vectors, order, (*wires, *rest))
        batch = batch.reshape(len(weights), 2 ** len(rest), 2 ** len(wires))
        return np.einsum("k,kri,krj->ij", weights, batch, batch.conj())

    def purity(self, wires: Sequence[int]) -> float:
        """Tr(rho**2) of the reduced density matrix: 1 when pure, 1/2**n when nothing is known."""
        rho = self.density(wires)
        return float(np.real(np.einsum("ij,ji->", rho, rho)))

    def probability(self, wire: int) -> float:
        """The probability of reading 1 on ``wire``."""
        return float(np.real(self.density((wire,))[1, 1]))

    def fits(self, fragment: QuantumCircuit) -> bool:
        """True when running ``fragment`` would link at most 16 wires, whatever it measures first."""
        staged = self._staged(fragment)
        if staged:
            look, rest = staged
            return self.fits(look) and all(
                self.follow(look, read).fits(_resolved(rest, look, read)) for read in self.odds(look)
            )
        try:
            self._linked(fragment)
        except ClusterTooLargeError:
            return False
        return True

    def __eq__(self, other: object) -> bool:
        """Equal up to global phase and 1e-9: same clusters, same density matrices."""
        if not isinstance(other, QuantumState):
            return NotImplemented
        return self.clusters == other.clusters and all(
            _alike(a, b) for a, b in zip(self._clusters, other._clusters, strict=True)
        )

    def __hash__(self) -> int:
        return hash(self.clusters)

    def __repr__(self) -> str:
        kind = "state" if self.is_pure else "belief"
        return f"<QuantumState: {kind} of {self.wires} wires, clusters {list(self.clusters)}>"

    # ---- fragments ---------------------------------------------------------------------------

    def run(self, fragment: QuantumCircuit, seed: int) -> tuple[QuantumState, Outcome]:
        """Run ``fragment`` once on Aer, which decides every measurement; returns state and outcome."""
        if not self.is_pure:
            raise ValueError("a belief cannot be run: only the true state can")
        staged = self._staged(fragment)
        if staged:
            look, rest = staged
            state, read = self.run(look, seed)
            state, more = state.run(_resolved(rest, look, read), _next_seed(seed))
            return state, _both(read, more)
        packs = list(_packed(self._linked(fragment)))
        if not packs:
            return self, _outcome(fragment, {})
        bits: dict[int, int] = {}
        used = {w for pack in packs for _, own in pack for c in own for w in c.wires}
        clusters = [c for c in self._clusters if c.wires[0] not in used]
        circuits = [_aer_circuit(fragment, pack) for pack in packs]
        for pack, (read, vector) in zip(packs, _run_on_aer(circuits, seed), strict=True):
            bits |= {c: read[c] for part, _ in pack for c in part.clbits}
            order = [q for part, own in pack for q in _qubits_of(part, own)]
            for part, own in pack:
                mine = _qubits_of(part, own)
                alone = _contracted(vector, order, mine)
                clusters += _settled(*_without_ancillas(mine, np.ones(1), alone[None], self.wires))
        return QuantumState(self.wires, clusters), _outcome(fragment, bits)

    def follow(self, fragment: QuantumCircuit, outcome: Outcome) -> QuantumState:
        """The state after ``fragment`` when it measured ``outcome``.

        A bit written ``?`` was read by somebody else: its possible values are all kept, and the
        result is a belief. Raises ImpossibleOutcomeError for probability 0 or a wrong length.
        """
        known = _known_bits(fragment, outcome)
        staged = self._staged(fragment)
        if staged and len(known) == fragment.num_clbits:
            look, rest = staged
            return self.follow(look, outcome).follow(_resolved(rest, look, outcome), outcome)
        parts = self._linked(fragment)
        used = {w for _, own in parts for c in own for w in c.wires}
        clusters = [c for c in self._clusters if c.wires[0] not in used]
        for part, own in parts:
            branches = _Branches(part, own).evolve(known)
            if branches.total < TOLERANCE:
                raise ImpossibleOutcomeError(
                    f"outcome {outcome_text(outcome)!r} has probability 0 for this move"
                )
            clusters += _settled(*branches.ending(self.wires))
        return QuantumState(self.wires, clusters)

    def odds(
        self, fragment: QuantumCircuit, registers: Iterable[str] | None = None
    ) -> dict[Outcome, float]:
        """Exact probability of each outcome, likeliest first; only of ``registers`` if they are given."""
        asked = {r.name for r in fragment.cregs} if registers is None else set(registers)
        staged = self._staged(fragment)
        if staged:
            return self._staged_odds(*staged, asked)
        chosen = [r for r in fragment.cregs if r.name in asked]
        wanted = {c for r in chosen for c in _clbit_indices(fragment, r)}
        tables: list[dict[tuple[tuple[int, int], ...], float]] = []
        for part, clusters in self._linked(fragment):
            own = sorted(wanted & part.clbits)
            if own:
                tables.append(_Branches(part, clusters).evolve({}).table(own))
        odds: dict[Outcome, float] = {}
        for rows in product(*(table.items() for table in tables)):
            bits = {c: b for key, _ in rows for c, b in key}
            outcome = _outcome(fragment, bits, chosen)
            odds[outcome] = odds.get(outcome, 0.0) + float(np.prod([p for _, p in rows]))
        return _likeliest_first(odds)

    def _staged_odds(
        self, look: QuantumCircuit, rest: QuantumCircuit, asked: set[str]
    ) -> dict[Outcome, float]:
        odds: dict[Outcome, float] = {}
        for read, chance in self.odds(look).items():
            then = _resolved(rest, look, read)
            later = {_outcome(then, {}): 1.0}
            if "measure" in _names(then):
                later = self.follow(look, read).odds(then)
            for more, likely in later.items():
                outcome = tuple(row for row in _both(read, more) if row[0] in asked)
                odds[outcome] = odds.get(outcome, 0.0) + chance * likely
        return _likeliest_first(odds)

    def _staged(self, fragment: QuantumCircuit) -> tuple[QuantumCircuit, QuantumCircuit] | None:
        """First the measurements that nothing comes before, then the rest, if that spares much linking.

        A measurement can free wires, so the rest may link far fewer than the fragment as a whole.
        """
        sizes = [len(_qubits_of(part, own)) for part, own in self._together(fragment)]
        return _looks_first(fragment) if max(sizes, default=0) > _WIDE else None

    def _touched(self, wires: Iterable[int]) -> list[Cluster]:
        return list({self._of_wire[w].wires: self._of_wire[w] for w in wires}.values())

    def _linked(self, fragment: QuantumCircuit) -> list[tuple[_Part, list[Cluster]]]:
        """The fragment's parts with the clusters they touch; ClusterTooLargeError if a part is too wide."""
        linked = self._together(fragment)
        for _, own in linked:
            size = sum(len(c.wires) for c in own)
            if size > LARGEST_CLUSTER:
                raise ClusterTooLargeError(
                    f"this would link {size} wires: at most {LARGEST_CLUSTER} can be entangled"
                )
        return linked

    def _together(self, fragment: QuantumCircuit) -> list[tuple[_Part, list[Cluster]]]:
        """The fragment's parts with the clusters they touch; a shared cluster makes two parts one."""
        linked: list[tuple[_Part, list[Cluster]]] = []
        for part in _parts(fragment, self.wires):
            own = self._touched(q for q in part.qubits if q < self.wires)
            for other, clusters in [u for u in linked if any(c is d for c in u[1] for d in own)]:
                linked = [u for u in linked if u[0] is not other]
                part = _Part(other.bits | part.bits, other.placed | part.placed, part.circuit)
                own = clusters + [c for c in own if not any(c is d for d in clusters)]
            linked.append((part, own))
        return linked


def outcome_text(outcome: Outcome) -> str:
    """``fixed=0 dice=110``: the registers of an outcome as they stand in a record."""
    return " ".join(f"{name}={bits}" for name, bits in outcome)


def wire_registers(fragment: QuantumCircuit) -> tuple[str, ...]:
    """The classical registers whose bits depend on the game's wires; dice are left out."""
    wires = fragment.qregs[0].size if fragment.qregs else 0
    linked = {c for p in _parts(fragment, wires) if min(p.qubits) < wires for c in p.clbits}
    return tuple(r.name for r in fragment.cregs if linked & set(_clbit_indices(fragment, r)))


def without_dice(fragment: QuantumCircuit) -> QuantumCircuit:
    """The fragment with only those linked parts that touch the game's wires."""
    wires = fragment.qregs[0].size
    parts = [p for p in _parts(fragment, wires) if min(p.qubits) < wires]
    qubits = {q for p in parts for q in p.qubits}
    bits = {c for p in parts for c in p.clbits}
    kept = QuantumCircuit(
        fragment.qregs[0],
        *(r for r in fragment.qregs[1:] if any(_index(fragment, q) in qubits for q in r)),
        *(r for r in fragment.cregs if bits & set(_clbit_indices(fragment, r))),
        name=fragment.name,
    )
    for instruction in fragment.data:
        if all(_index(fragment, q) in qubits for q in instruction.qubits):
            kept.append(instruction)
    return kept


def sample(
    circuit: QuantumCircuit, shots: int, seed: int | None = None, memory: bool = False
) -> dict[str, int] | list[str]:
    """Run a whole circuit from ``|0...0>`` on Aer ``shots`` times.

    Returns counts by record text (``"p0=01 fixed=1"``), or with ``memory`` the list of all shots.
    """
    runnable = _runnable(circuit)
    options: dict[str, Any] = {} if seed is None else {"seed_simulator": seed}
    result = _checked(_simulator().run(runnable, shots=shots, memory=memory, **options).result())
    if memory:
        return [
            outcome_text(_outcome(circuit, _bits_of(int(m, 16), circuit.num_clbits)))
            for m in result.data(0)["memory"]
        ]
    return {
        outcome_text(_outcome(circuit, _bits_of(int(key, 16), circuit.num_clbits))): count
        for key, count in result.data(0)["counts"].items()
    }


def toss(count: int, seed: int) -> int:
    """A whole number of ``count`` fair bits, measured on Aer: the seed of a computer player."""
    dice = QuantumCircuit(count, count)
    dice.h(range(count))
    dice.measure(range(count), range(count))
    _, outcome = QuantumState.zeros(count).run(dice, seed)
    return int(outcome[0][1], 2)


# ---- a fragment falls into parts that share no qubit and no feed-forward ------------------------


@dataclass
class _Part:
    """Instructions by their place in the circuit, and every bit that they touch."""

    bits: set[Any]
    placed: dict[int, CircuitInstruction]
    circuit: QuantumCircuit

    @property
    def instructions(self) -> list[CircuitInstruction]:
        return [self.placed[place] for place in sorted(self.placed)]

    @cached_property
    def qubits(self) -> list[int]:
        return sorted(_index(self.circuit, b) for b in self.bits if not isinstance(b, Clbit))

    @cached_property
    def clbits(self) -> set[int]:
        return {_index(self.circuit, b) for b in self.bits if isinstance(b, Clbit)}


@lru_cache(maxsize=1)
def _simulator() -> AerSimulator:
    # one thread: 1.5 ms against 24 ms for small circuits, where starting threads costs more than running
    return AerSimulator(method="statevector", max_parallel_threads=1)


@lru_cache(maxsize=1)
def _translator() -> Any:
    # level 0 on purpose: higher levels replace SWAPs by a silent permutation of the statevector
    return generate_preset_pass_manager(0, backend=_simulator())


def _index(circuit: QuantumCircuit, bit: Any) -> int:
    return int(circuit.find_bit(bit).index)


def _clbit_indices(circuit: QuantumCircuit, register: ClassicalRegister) -> list[int]:
    return [_index(circuit, bit) for bit in register]


def _parts(fragment: QuantumCircuit, wires: int) -> list[_Part]:
    """The linked parts of a fragment, in order of their first instruction."""
    if fragment.data and fragment.qregs and fragment.qregs[0].size != wires:
        raise ValueError(
            f"a fragment's first register must be the game's {wires} wires: got {fragment.qregs[0]!r}"
        )
    of_bit: dict[Any, _Part] = {}
    parts: dict[int, _Part] = {}
    for place, instruction in enumerate(fragment.data):
        if instruction.operation.name == "barrier":
            continue
        bits = {*instruction.qubits, *instruction.clbits}
        linked = list({id(of_bit[b]): of_bit[b] for b in bits if b in of_bit}.values())
        part = linked[0] if linked else _Part(set(), {}, fragment)
        parts[id(part)] = part
        for other in linked[1:]:
            part.bits |= other.bits
            part.placed |= other.placed
            of_bit |= dict.fromkeys(other.bits, part)
            del parts[id(other)]
        part.bits |= bits
        part.placed[place] = instruction
        of_bit |= dict.fromkeys(bits, part)
    return sorted(parts.values(), key=lambda part: min(part.placed))


def _outcome(
    fragment: QuantumCircuit,
    bits: Mapping[int, int],
    registers: Sequence[ClassicalRegister] | None = None,
) -> Outcome:
    """Bits by classical index as an outcome; a bit that nothing wrote reads 0."""
    chosen = fragment.cregs if registers is None else registers
    return tuple(
        (r.name, "".join(str(bits.get(c, 0)) for c in _clbit_indices(fragment, r))) for r in chosen
    )


def _known_bits(fragment: QuantumCircuit, outcome: Outcome) -> dict[int, int]:
    """Given outcome bits by classical index; unread ones are absent."""
    names = [r.name for r in fragment.cregs]
    if [name for name, _ in outcome] != names:
        raise ImpossibleOutcomeError(
            f"expected an outcome for registers {names}: got {outcome_text(outcome)!r}"
        )
    known: dict[int, int] = {}
    for register, (name, bits) in zip(fragment.cregs, outcome, strict=True):
        if len(bits) != register.size or set(bits) - set("01" + UNREAD):
            raise ImpossibleOutcomeError(
                f"expected {register.size} bits of 0 and 1 for register {name!r}: got {bits!r}"
            )
        for clbit, bit in zip(_clbit_indices(fragment, register), bits, strict=True):
            if bit != UNREAD:
                known[clbit] = int(bit)
    return known


# ---- a wide fragment in two stages --------------------------------------------------------------


def _looks_first(fragment: QuantumCircuit) -> tuple[QuantumCircuit, QuantumCircuit] | None:
    """The measurements that nothing comes before, and the rest; None if they cannot be told apart."""
    look, rest = (QuantumCircuit(*fragment.qregs, *fragment.cregs) for _ in range(2))
    touched: set[Any] = set()
    for instruction in fragment.data:
        bits = {*instruction.qubits, *instruction.clbits}
        if instruction.operation.name == "measure" and not bits & touched:
            look.append(instruction)
        elif instruction.operation.name != "barrier":
            rest.append(instruction)
            touched |= bits
    read = _read_by(look)
    return (look, rest) if read and rest.data and _separable(rest, read) else None


def _read_by(look: QuantumCircuit) -> set[Clbit]:
    return {c for instruction in look.data for c in instruction.clbits}


def _separable(rest: QuantumCircuit, read: set[Clbit]) -> bool:
    """Whether no bit of ``read`` is written again, and no condition mixes it with other bits."""
    for instruction in rest.data:
        operation = instruction.operation
        if not isinstance(operation, IfElseOp):
            written, tested = set(instruction.clbits), set()
        else:
            tested = set(_tested(operation))
            inside = [i for block in operation.blocks for i in block.data]
            written = {c for i in inside for c in i.clbits}
            bits = {*instruction.qubits, *instruction.clbits}
            if any(set(i.qubits) - bits or isinstance(i.operation, IfElseOp) for i in inside):
                return False  # blocks with bits of their own, or blocks in blocks
        if written & read or (tested & read and tested - read):
            return False
    return True


def _tested(operation: IfElseOp) -> list[Clbit]:
    """The bits of an if_test's condition, least significant first."""
    if not isinstance(operation.condition, tuple):
        raise ValueError("feed-forward must compare a bit or a register with a number")
    target = operation.condition[0]
    return list(target) if isinstance(target, ClassicalRegister) else [target]


def _resolved(rest: QuantumCircuit, look: QuantumCircuit, outcome: Outcome) -> QuantumCircuit:
    """``rest`` with each condition on bits that ``look`` has read replaced by the block it chose."""
    known, read = _known_bits(look, outcome), _read_by(look)
    plain = rest.copy_empty_like()
    for instruction in rest.data:
        operation = instruction.operation
        if not isinstance(operation, IfElseOp) or not set(_tested(operation)) <= read:
            plain.append(instruction)
            continue
        bits = [known[_index(look, c)] for c in _tested(operation)]
        met = sum(bit << n for n, bit in enumerate(bits)) == operation.condition[1]
        for block in operation.blocks[0 if met else 1 :][:1]:  # an else block may be missing
            for inner in block.data:
                plain.append(inner)
    return plain


def _both(first: Outcome, then: Outcome) -> Outcome:
    """Outcomes of two stages as one; a bit that a stage does not write reads 0 there."""
    return tuple(
        (name, "".join(map(max, a, b))) for (name, a), (_, b) in zip(first, then, strict=True)
    )


def _likeliest_first(odds: Mapping[Outcome, float]) -> dict[Outcome, float]:
    return dict(sorted(odds.items(), key=lambda row: (-round(row[1], 9), row[0])))


def _next_seed(seed: int) -> int:
    return int(np.random.SeedSequence((seed, 1)).generate_state(1, np.uint32)[0])


# ---- Aer ---------------------------------------------------------------------------------------


def _qubits_of(part: _Part, own: Sequence[Cluster]) -> list[int]:
    """Every qubit that a part's vector holds: its clusters' wires, then its ancillas."""
    wires = [w for c in own for w in c.wires]
    return wires + [q for q in part.qubits if q not in wires]


def _packed(
    parts: Sequence[tuple[_Part, list[Cluster]]],
) -> Iterator[list[tuple[_Part, list[Cluster]]]]:
    """Group independent parts into few Aer circuits."""
    pack: list[tuple[_Part, list[Cluster]]] = []
    filled = 0
    for part, own in parts:
        size = len(_qubits_of(part, own))
        if pack and filled + size > _PACK:
            yield pack
            pack, filled = [], 0
        pack.append((part, own))
        filled += size
    if pack:
        yield pack


def _aer_circuit(
    fragment: QuantumCircuit, pack: Sequence[tuple[_Part, list[Cluster]]]
) -> QuantumCircuit:
    """One circuit for a pack: its exact vector set, its instructions, the vector saved at the end."""
    order = [q for part, own in pack for q in _qubits_of(part, own)]
    circuit = QuantumCircuit([fragment.qubits[q] for q in order], *fragment.cregs)
    start = np.ones(1, dtype=np.complex128)
    for part, own in pack:
        _, _, vectors = _joined(own)
        start = np.kron(vectors[0], start)
        start = np.concatenate(
            [start, np.zeros(len(start) * (2 ** _ancillas(part, own) - 1), dtype=np.complex128)]
        )
    circuit.set_statevector(start)
    for part, _ in pack:
        for instruction in part.instructions:
            circuit.append(instruction)
    circuit = _runnable(circuit)
    circuit.save_statevector()
    return circuit


def _ancillas(part: _Part, own: Sequence[Cluster]) -> int:
    return len(_qubits_of(part, own)) - sum(len(c.wires) for c in own)


def _runnable(circuit: QuantumCircuit) -> QuantumCircuit:
    """Translate only when Aer would refuse a gate: h x z cx swap measure if_test need no pass at all."""
    names = set(_names(circuit))
    if names <= _NATIVE | {"set_statevector", "save_statevector"}:
        return circuit.copy() if "set_statevector" not in names else circuit
    lowered = _lowered(circuit)
    if set(_names(lowered)) <= _NATIVE | {"set_statevector", "save_statevector", "unitary"}:
        return lowered
    return _translator().run(circuit)


def _lowered(circuit: QuantumCircuit) -> QuantumCircuit:
    """The circuit with each small gate that Aer does not know (iswap, xx_plus_yy, ch) as its matrix.

    Twice as fast as a pass manager, and exact. The fragments themselves keep their named gates.
    """
    lowered = circuit.copy_empty_like()
    for instruction in circuit.data:
        operation = instruction.operation
        if isinstance(operation, IfElseOp):
            blocks = [_lowered(block) for block in operation.blocks]
            operation = IfElseOp(operation.condition, *blocks)
        elif isinstance(operation, Gate) and operation.name not in _NATIVE | {"unitary"}:
            if operation.num_qubits <= _SMALL_GATE:
                operation = UnitaryGate(operation.to_matrix(), check_input=False)
        lowered.append(operation, instruction.qubits, instruction.clbits)
    return lowered


def _names(circuit: QuantumCircuit) -> Iterator[str]:
    for instruction in circuit.data:
        yield instruction.operation.name
        for block in getattr(instruction.operation, "blocks", ()):
            yield from _names(block)


def _run_on_aer(
    circuits: list[QuantumCircuit], seed: int
) -> Iterator[tuple[dict[int, int], Vector]]:
    """Outcome bits and final vector of each circuit, all in one job of one shot."""
    result = _checked(_simulator().run(circuits, shots=1, seed_simulator=seed).result())
    for n, circuit in enumerate(circuits):
        data = result.data(n)
        read = int(next(iter(data["counts"])), 16) if circuit.num_clbits and "counts" in data else 0
        vector = np.asarray(data["statevector"], dtype=np.complex128)
        yield _bits_of(read, circuit.num_clbits), vector


def _checked(result: Any) -> Any:
    # a failed experiment comes back without an exception
    if not result.success:
        raise RuntimeError(f"Aer could not run the circuit: {result.status}")
    return result


def _bits_of(number: int, count: int) -> dict[int, int]:
    return {n: number >> n & 1 for n in range(count)}


# ---- the same circuits in numpy: all branches at once -------------------------------------------


class _Branches:
    """The vectors of one linked part, a row for each hidden history and unread outcome."""

    def __init__(self, part: _Part, own: Sequence[Cluster]) -> None:
        self.part = part
        self.order = _qubits_of(part, own)
        self.place = {q: n for n, q in enumerate(self.order)}
        _, self.weights, vectors = _joined(own)
        self.vectors = np.zeros((len(self.weights), 2 ** len(self.order)), dtype=np.complex128)
        self.vectors[:, : vectors.shape[1]] = vectors
        self.column = {c: n for n, c in enumerate(sorted(part.clbits))}
        self.bits = np.zeros((len(self.weights), len(self.column)), dtype=np.int8)

    @property
    def total(self) -> float:
        return float(self.weights.sum())

    def evolve(self, known: Mapping[int, int]) -> _Branches:
        """Apply the part's instructions; measurements keep the known bits and branch on others."""
        for instruction in self.part.instructions:
            qubits = [self.place[_index(self.part.circuit, q)] for q in instruction.qubits]
            clbits = [_index(self.part.circuit, c) for c in instruction.clbits]
            self._apply(instruction.operation, qubits, clbits, known)
        return self

    def table(self, clbits: Sequence[int]) -> dict[tuple[tuple[int, int], ...], float]:
        """The probability of each reading of ``clbits``."""
        columns = [self.column[c] for c in clbits]
        table: dict[tuple[tuple[int, int], ...], float] = {}
        for row, weight in zip(self.bits[:, columns], self.weights, strict=True):
            key = tuple(zip(clbits, (int(b) for b in row), strict=True))
            table[key] = table.get(key, 0.0) + float(weight)
        return table

    def ending(self, wires: int) -> tuple[list[int], NDArray[np.float64], Vector]:
        """Wires, weights and vectors after the ancillas are dropped."""
        return _without_ancillas(self.order, self.weights / self.total, self.vectors, wires)

    def _apply(
        self,
        operation: Operation,
        qubits: list[int],
        clbits: list[int],
        known: Mapping[int, int],
    ) -> None:
        if operation.name == "measure":
            self._measure(qubits[0], clbits[0], known.get(clbits[0]))
        elif operation.name == "reset":
            self._reset(qubits[0])
        elif isinstance(operation, IfElseOp):
            self._if_else(operation, qubits, clbits, known)
        elif operation.name != "barrier":
            self.vectors = _gate(self.vectors, _matrix(operation), qubits)

    def _measure(self, place: int, clbit: int, known: int | None) -> None:
        column = self.column[clbit]
        self._branch(place, (0, 1) if known is None else (known,), column)

    def _reset(self, place: int) -> None:
        """Measure into no bit, then flip what was found in 1."""
        self._branch(place, (0, 1), None)

    def _branch(self, place: int, found: Sequence[int], column: int | None) -> None:
        """Project on each value found; record it in ``column``, or without one put the qubit in 0."""
        split = self.vectors.reshape(len(self.weights), -1, 2, 2**place)
        branches = []
        for bit in found:
            kept = np.zeros_like(split)
            kept[:, :, 0 if column is None else bit] = split[:, :, bit]
            kept = kept.reshape(self.vectors.shape)
            chance = np.einsum("ki,ki->k", kept, kept.conj()).real
            rows = chance > TOLERANCE
            branch = self._rows(rows)
            branch.weights = branch.weights * chance[rows]
            branch.vectors = kept[rows] / np.sqrt(chance[rows])[:, None]
            if column is not None:
                branch.bits[:, column] = bit
            branches.append(branch)
        self._take(branches)

    def _rows(self, rows: NDArray[np.bool_]) -> _Branches:
        some = copy(self)
        some.weights, some.vectors, some.bits = self.weights[rows], self.vectors[rows], self.bits[rows]
        return some

    def _take(self, branches: Sequence[_Branches]) -> None:
        self.weights = np.concatenate([b.weights for b in branches])
        self.vectors = np.concatenate([b.vectors for b in branches])
        self.bits = np.concatenate([b.bits for b in branches])

    def _if_else(
        self, operation: IfElseOp, qubits: list[int], clbits: list[int], known: Mapping[int, int]
    ) -> None:
        """Rows that meet the condition go through the first block, the others through the second."""
        tested, value = _tested(operation), operation.condition[1]
        wanted = [value >> n & 1 for n in range(len(tested))]
        columns = [self.column[_index(self.part.circuit, c)] for c in tested]
        met = np.all(self.bits[:, columns] == wanted, axis=1)
        sides = [self._rows(met), self._rows(~met)]
        for side, body in zip(sides, operation.blocks, strict=False):  # an else block may be missing
            for inner in body.data if len(side.weights) else ():
                side._apply(
                    inner.operation,
                    [qubits[_index(body, q)] for q in inner.qubits],
                    [clbits[_index(body, c)] for c in inner.clbits],
                    known,
                )
        self._take(sides)


def _matrix(operation: Operation) -> Vector:
    return _cached_matrix(operation.name, tuple(operation.params), operation)


_MATRICES: dict[tuple[str, tuple[Any, ...]], Vector] = {}


def _cached_matrix(name: str, params: tuple[Any, ...], operation: Operation) -> Vector:
    """Standard gates by name and parameters; a controlled gate on 0 has its own name (``cx_o0``)."""
    if name not in _NATIVE or params:
        return np.asarray(operation.to_matrix(), dtype=np.complex128)
    key = (f"{name}/{getattr(operation, 'ctrl_state', '')}", params)
    if key not in _MATRICES:
        _MATRICES[key] = np.asarray(operation.to_matrix(), dtype=np.complex128)
    return _MATRICES[key]


def _gate(vectors: Vector, matrix: Vector, places: Sequence[int]) -> Vector:
    """Apply a gate to every row; ``places[0]`` is the gate's least significant qubit."""
    rows, size = vectors.shape
    if len(places) == 1:
        return np.matmul(matrix, vectors.reshape(rows, -1, 2, 2 ** places[0])).reshape(rows, size)
    count = size.bit_length() - 1
    axes = [count - p for p in reversed(places)]  # axis 0 is the row, axis 1 the highest place
    moved = np.moveaxis(
        vectors.reshape(rows, *(2,) * count), axes, range(1, len(axes) + 1)
    )
    done = np.matmul(matrix, moved.reshape(rows, 2 ** len(places), -1)).reshape(moved.shape)
    return np.moveaxis(done, range(1, len(axes) + 1), axes).reshape(rows, size)


# ---- joining clusters, and splitting what has become a product ----------------------------------


def _joined(
    clusters: Sequence[Cluster],
) -> tuple[list[int], NDArray[np.float64], Vector]:
    """The product of clusters: wires in their order, weights and vectors of all combinations."""
    weights = np.ones(1)
    vectors = np.ones((1, 1), dtype=np.complex128)
    for c in clusters:
        weights = np.outer(weights, c.weights).ravel()
        vectors = np.einsum("ia,jb->ijba", vectors, c.vectors).reshape(len(weights), -1)
    return [w for c in clusters for w in c.wires], weights, vectors


def _permuted(vectors: Vector, order: Sequence[int], wanted: Sequence[int]) -> Vector:
    """Rows with their wires re-ordered from ``order`` to ``wanted`` (both least significant first)."""
    if list(order) == list(wanted):
        return vectors
    count = len(order)
    axes = [count - list(order).index(w) for w in reversed(wanted)]
    batch = vectors.reshape(len(vectors), *(2,) * count)
    return batch.transpose(0, *axes).reshape(len(vectors), -1)


def _contracted(vector: Vector, order: Sequence[int], mine: Sequence[int]) -> Vector:
    """The factor of ``mine`` in a vector that is a product of parts."""
    if len(order) == len(mine):
        return vector
    rest = [q for q in order if q not in mine]
    table = _permuted(vector[None], order, [*mine, *rest])[0].reshape(-1, 2 ** len(mine))
    row = table[np.argmax(np.einsum("ri,ri->r", table, table.conj()).real)]
    return row / np.linalg.norm(row)


def _without_ancillas(
    order: Sequence[int], weights: NDArray[np.float64], vectors: Vector, wires: int
) -> tuple[list[int], NDArray[np.float64], Vector]:
    """Drop the fresh qubits, each of which has been measured and stands in 0 or 1."""
    kept = list(order)
    for qubit in [q for q in order if q >= wires]:
        place = kept.index(qubit)
        split = vectors.reshape(len(vectors), -1, 2, 2**place)
        chance = np.einsum("khbl,khbl->kb", split, split.conj()).real
        if (chance.min(axis=1) > TOLERANCE).any():
            raise ValueError("a fresh qubit must be measured by the end of the fragment")
        value = chance.argmax(axis=1)
        vectors = split[np.arange(len(vectors)), :, value].reshape(len(vectors), -1)
        kept.remove(qubit)
    norms = np.linalg.norm(vectors, axis=1)
    return kept, weights, vectors / norms[:, None]


def _settled(
    order: Sequence[int], weights: NDArray[np.float64], vectors: Vector
) -> list[Cluster]:
    """Split a product into its clusters and merge histories that have become equal."""
    blocks = _blocks(vectors, list(order))
    if len(weights) == 1:
        return [_cluster(wires, weights, factor) for wires, factor in blocks]
    labelled = [(wires, *_distinct(factor)) for wires, factor in blocks]
    return [
        _grouped(group, weights)
        for group in _independent([b for b in labelled if len(b[2]) > 1], weights)
    ] + [_cluster(wires, np.ones(1), rows) for wires, _, rows in labelled if len(rows) == 1]


def _cluster(wires: Sequence[int], weights: NDArray[np.float64], vectors: Vector) -> Cluster:
    ordered = tuple(sorted(wires))
    return Cluster(ordered, weights, _phased(_permuted(vectors, wires, ordered)))


def _phased(vectors: Vector) -> Vector:
    """Rows with the first non-zero amplitude real and positive; a global phase means nothing."""
    first = np.argmax(np.abs(vectors) > 1e-7, axis=1)
    lead = vectors[np.arange(len(vectors)), first]
    return vectors * (lead.conj() / np.abs(lead))[:, None]


def _blocks(vectors: Vector, order: list[int]) -> list[tuple[list[int], Vector]]:
    """The finest grouping of wires such that every row is a product of its groups' factors."""
    blocks: list[tuple[list[int], Vector]] = []
    for wire in list(order):
        if len(order) == 1:
            break
        found = _factor(vectors, order, [wire])
        if found is not None:
            blocks.append(([wire], found[0]))
            vectors, order = found[1], [w for w in order if w != wire]
    while order:
        group = _linked_group(vectors, order)
        found = _factor(vectors, order, group) if len(group) < len(order) else None
        if found is None:
            blocks.append((order, vectors))
            break
        blocks.append((group, found[0]))
        vectors, order = found[1], [w for w in order if w not in group]
    return blocks


def _factor(
    vectors: Vector, order: Sequence[int], group: Sequence[int]
) -> tuple[Vector, Vector] | None:
    """Factors of ``group`` and of the rest if every row is their product, else None."""
    rest = [w for w in order if w not in group]
    table = _permuted(vectors, order, [*group, *rest])
    table = table.reshape(len(vectors), 2 ** len(rest), 2 ** len(group))
    best = np.argmax(np.einsum("kri,kri->kr", table, table.conj()).real, axis=1)
    mine = table[np.arange(len(table)), best]
    mine = mine / np.linalg.norm(mine, axis=1)[:, None]
    others = np.einsum("kri,ki->kr", table, mine.conj())
    left = table - others[:, :, None] * mine[:, None, :]
    if np.abs(left).max() > TOLERANCE:
        return None
    return mine, others / np.linalg.norm(others, axis=1)[:, None]


def _linked_group(vectors: Vector, order: list[int]) -> list[int]:
    """The wires entangled with the first one; every wire here is entangled with some other.

    Two wires belong together exactly when, for a generic product state of all the others, what
    remains of the two is entangled (Popescu and Rohrlich 1992), so fixed generic vectors decide.
    """
    if len(order) < 4:
        return order  # a group needs two wires, so fewer than four cannot fall apart
    group, fresh = [order[0]], [order[0]]
    while fresh:
        one = fresh.pop()
        found = [w for w in order if w not in group and _entangled(vectors, order, (one, w))]
        group += found
        fresh += found
    return [w for w in order if w in group]


def _entangled(vectors: Vector, order: Sequence[int], pair: tuple[int, int]) -> bool:
    """True when a generic product state of the other wires leaves ``pair`` entangled in some row."""
    batch, left = vectors, list(order)
    for wire in [w for w in order if w not in pair]:
        split = batch.reshape(len(batch), -1, 2, 2 ** left.index(wire))
        probe = _probe(wire)
        batch = (split[:, :, 0] * probe[0] + split[:, :, 1] * probe[1]).reshape(len(batch), -1)
        left.remove(wire)
    size = np.einsum("ki,ki->k", batch, batch.conj()).real
    loop = np.abs(batch[:, 0] * batch[:, 3] - batch[:, 1] * batch[:, 2])
    return bool((loop > 1e-7 * np.maximum(size, 1e-12)).any())


@lru_cache(maxsize=64)
def _probe(place: int) -> tuple[complex, complex]:
    angle, phase = 0.7 + 0.31 * place, 0.4 + 1.7 * place
    return complex(np.cos(angle)), complex(np.sin(angle) * np.exp(1j * phase))


def _distinct(vectors: Vector) -> tuple[NDArray[np.intp], Vector]:
    """A label for each row, and the distinct rows (equal up to phase and 1e-7), in first-seen order."""
    rows = _phased(vectors)
    keys = [row.tobytes() for row in np.round(rows, 7) + 0.0]
    seen: dict[bytes, int] = {}
    labels = np.array([seen.setdefault(key, len(seen)) for key in keys], dtype=np.intp)
    firsts = [keys.index(key) for key in seen]
    return labels, rows[firsts]


_Labelled = tuple[list[int], NDArray[np.intp], Vector]


def _independent(
    blocks: list[_Labelled], weights: NDArray[np.float64]
) -> Iterator[list[_Labelled]]:
    """Group blocks whose hidden histories depend on each other; smallest groups first."""
    left = blocks
    size = 1
    while left:
        if size > len(left) // 2:
            yield left
            return
        for group in combinations(left, size):
            rest = [b for b in left if not any(b is g for g in group)]
            if _unrelated(group, rest, weights):
                yield list(group)
                left = rest
                break
        else:
            size += 1


def _unrelated(
    group: Sequence[_Labelled], rest: Sequence[_Labelled], weights: NDArray[np.float64]
) -> bool:
    mine, _ = _joint(group)
    theirs, _ = _joint(rest)
    table = np.zeros((mine.max() + 1, theirs.max() + 1))
    np.add.at(table, (mine, theirs), weights)
    return bool(np.allclose(table, np.outer(table.sum(1), table.sum(0)), atol=TOLERANCE, rtol=0))


def _joint(blocks: Sequence[_Labelled]) -> tuple[NDArray[np.intp], list[int]]:
    """One label for each combination of the blocks' labels, and a row that shows each."""
    seen: dict[tuple[int, ...], int] = {}
    rows: list[int] = []
    labels = []
    for n, key in enumerate(zip(*(b[1].tolist() for b in blocks), strict=True)):
        if key not in seen:
            seen[key] = len(seen)
            rows.append(n)
        labels.append(seen[key])
    return np.array(labels, dtype=np.intp), rows


def _grouped(group: list[_Labelled], weights: NDArray[np.float64]) -> Cluster:
    labels, rows = _joint(group)
    summed = np.bincount(labels, weights)
    vectors = np.ones((len(rows), 1), dtype=np.complex128)
    for _, own, factors in group:
        vectors = np.einsum("ka,kb->kba", vectors, factors[own[rows]]).reshape(len(rows), -1)
    return _thinned(_cluster([w for wires, _, _ in group for w in wires], summed, vectors))


def _thinned(cluster: Cluster) -> Cluster:
    """Replace very many histories by as many as the density matrix has eigenvectors."""
    size = 2 ** len(cluster.wires)
    if len(cluster.weights) <= max(_FEW_HISTORIES, size):
        return cluster
    values, columns = np.linalg.eigh(cluster.density())
    kept = values > TOLERANCE
    weights = values[kept] / values[kept].sum()
    return Cluster(cluster.wires, weights, _phased(columns.T[kept]))


def _alike(a: Cluster, b: Cluster) -> bool:
    if a.is_pure and b.is_pure:
        return bool(abs(np.vdot(a.vectors[0], b.vectors[0])) > 1 - TOLERANCE)
    return bool(np.allclose(a.density(), b.density(), atol=TOLERANCE, rtol=0))
