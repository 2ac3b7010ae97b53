"""Exact quantum states that move through Qiskit circuits; the only file that talks to Aer.

A :class:`QuantumState` keeps its wires in *clusters*: groups that are entangled (or, in a belief,
correlated), each with its own exact vectors. Wires in a product state stand alone, so 56 wires cost
nothing until they are entangled. A *fragment* is the circuit of one move. Its first quantum
register is the game's wires; every other one is fresh ``|0...0>``, is measured by the end and is
gone after it.

Four things can be done with a fragment, and they agree with each other:

* ``run``: Aer decides what is measured, once;
* ``follow``: the same fragment with a given outcome (load, replay, look-ahead);
* ``odds``: the exact probability of each outcome;
* ``walk``: ``follow``, with the state after each instruction.

A *belief* is a ``QuantumState`` too: what a player must assume when some outcome bits were not
theirs to read. Each of its clusters is a weighted list of vectors, one for each hidden history that
is still possible (equal vectors are merged); the density matrix is their weighted sum. A cluster of
the true state has one vector of weight 1.

Bit order: wire 0 is least significant in vectors, as everywhere in Qiskit; in outcomes, bit 0 of a
register is written first, so ``("p0", "01")`` says bit 0 was 0 and bit 1 was 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import CircuitInstruction, Clbit, Gate, IfElseOp, Instruction, Operation
from qiskit.circuit.library import UnitaryGate
from qiskit.quantum_info import Operator
from qiskit.transpiler import generate_preset_pass_manager
from qiskit_aer import AerSimulator
from qiskit_aer.library import SaveStatevector

Vector = NDArray[np.complex128]
Outcome = tuple[tuple[str, str], ...]
"""What a fragment measured: ``(register, bits)`` pairs in the order of its classical registers."""

TOLERANCE = 1e-9
LARGEST_CLUSTER = 16
LARGEST_VECTOR = 20
UNREAD = "?"
UNMEASURED = "a fresh qubit must be measured by the end of the fragment"

_PACK = 10  # independent parts share one Aer circuit up to this many qubits: still free
_MANY_DICE = 64  # more are thrown as shots of one circuit: a shuffled deck has 600
_WIDE = 10  # qubits of a part from which it pays to measure first and to link what is left
_SMALL_GATE = 3  # qubits up to which a gate's matrix is cheaper than its translation
_FEW_HISTORIES = 64
_SPARE_HISTORIES = 4
"""Vectors kept for each dimension of a cluster.

Under Clifford gates hidden outcomes change only signs of a stabiliser state, so that each hidden
start basis has at most 2**n different vectors: QLANET, with two, never reaches this.
"""
_NATIVE = frozenset(
    {"id", "x", "y", "z", "h", "s", "sdg", "t", "tdg", "sx", "rx", "ry", "rz", "p", "u"}
    | {"cx", "cy", "cz", "cp", "swap", "ccx", "cswap", "rxx", "ryy", "rzz", "rzx"}
    | {"measure", "reset", "barrier", "unitary", "set_statevector", "save_statevector"}
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
        return _sum_of_projectors(self.weights, self.vectors[:, None])

    def equals(self, other: Cluster) -> bool:
        """The same wires in the same state, up to global phase and 1e-9."""
        return self.wires == other.wires and _alike(self, other)


@dataclass(frozen=True)
class Stage:
    """What holds right after one instruction of a fragment, given what was measured until then."""

    place: int
    """The instruction's place in ``fragment.data``; -1 before the first one."""
    state: QuantumState
    """All qubits of the fragment: the game's wires, then the fresh ones, measured or not."""
    bits: tuple[tuple[str, int], ...] = ()
    """(register, bit) pairs that the instruction may write."""
    odds: tuple[tuple[str, float], ...] = ()
    """Each reading of ``bits`` with its probability before the instruction, likeliest first."""
    read: str = ""
    """The reading that happened; ``?`` where it was not to be read."""
    met: float | None = None
    """The probability that the condition of feed-forward held; None for other instructions."""


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
        zero.flags.writeable = False
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
        """The statevector of all wires, or of a union of whole clusters.

        ``wires[0]`` is least significant.
        Raises ValueError beyond 20 wires, for a belief that has no single vector, and for wires
        that are entangled with others.
        """
        chosen = tuple(range(self.wires)) if wires is None else tuple(wires)
        if len(chosen) > LARGEST_VECTOR:
            raise ValueError(
                f"a vector of {len(chosen)} wires is too long: at most {LARGEST_VECTOR}"
            )
        touched = self._touched(chosen)
        if sorted(w for c in touched for w in c.wires) != sorted(chosen):
            raise ValueError(
                f"wires {list(chosen)} are entangled with others: ask for whole clusters"
            )
        if not all(c.is_pure for c in touched):
            raise ValueError("a belief has no single vector: ask for density(wires)")
        order, _, vectors = _joined(touched)
        vector: Vector = _permuted(vectors, order, chosen)[0]
        return vector

    def density(self, wires: Sequence[int]) -> Vector:
        """The reduced density matrix of ``wires``, ``wires[0]`` least significant."""
        order, weights, vectors = _joined(self._touched(wires))
        rest = [w for w in order if w not in wires]
        batch = _permuted(vectors, order, (*wires, *rest))
        batch = batch.reshape(len(weights), 2 ** len(rest), 2 ** len(wires))
        return _sum_of_projectors(weights, batch)

    def purity(self, wires: Sequence[int]) -> float:
        """Tr(rho**2) of the reduced density matrix: 1 when pure, 1/2**n when nothing is known."""
        rho = self.density(wires)
        return float(np.real(np.einsum("ij,ji->", rho, rho)))

    def probability(self, wire: int) -> float:
        """The probability of reading 1 on ``wire``."""
        return float(np.real(self.density((wire,))[1, 1]))

    def fits(self, fragment: QuantumCircuit) -> bool:
        """True when running ``fragment`` would never link more than 16 wires."""
        try:
            _, stages = self._planned(fragment)
            if stages:
                return self.fits(stages.look) and all(
                    self.follow(stages.look, read).fits(stages.then(read))
                    for read in self.odds(stages.look)
                )
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
        """Run ``fragment`` once on Aer, which decides every measurement: state and outcome."""
        if not self.is_pure:
            raise ValueError("a belief cannot be run: only the true state can")
        parts, stages = self._planned(fragment)
        if stages:
            state, first = self.run(stages.look, seed)
            state, then = state.run(stages.then(first), _next_seed(seed))
            return state, _both(first, then)
        parts, dice = _apart(parts)
        packs = list(_packed(parts))
        bits = _thrown(dice, seed)
        if not packs:
            return self, _outcome(fragment, bits)
        clusters = self._untouched(linked for pack in packs for linked in pack)
        circuits = [_aer_circuit(fragment, pack) for pack in packs]
        for pack, (read, vector) in zip(packs, _run_on_aer(circuits, seed), strict=True):
            bits |= {c: read >> c & 1 for linked in pack for c in linked.part.clbits}
            for linked, alone in _factors(pack, vector):
                ending = _without_ancillas(linked.order, np.ones(1), alone, self.wires)
                clusters += linked.settled(*ending)
        return QuantumState(self.wires, clusters), _outcome(fragment, bits)

    def follow(self, fragment: QuantumCircuit, outcome: Outcome) -> QuantumState:
        """The state after ``fragment`` when it measured ``outcome``.

        A bit written ``?`` was read by somebody else: its possible values are all kept, and the
        result is a belief. Raises ImpossibleOutcomeError for probability 0 or a wrong length.
        """
        known = _known_bits(fragment, outcome)
        parts, stages = self._planned(fragment, len(known) == fragment.num_clbits)
        if stages:
            read, more = stages.split(outcome)
            return self.follow(stages.look, read).follow(stages.then(read), more)
        clusters = self._untouched(parts)
        unwritten = {clbit for clbit, bit in known.items() if bit}
        for linked in parts:
            unwritten -= linked.part.clbits
            if linked.is_die:
                continue  # either bit is possible, and no wire knows of it
            branches = _Branches(linked, fragment).evolve(known)
            if branches.total < TOLERANCE:
                raise ImpossibleOutcomeError(_never(outcome))
            clusters += linked.settled(*branches.ending(self.wires))
        if unwritten:  # a bit that nothing writes reads 0
            raise ImpossibleOutcomeError(_never(outcome))
        return QuantumState(self.wires, clusters)

    def walk(self, fragment: QuantumCircuit, outcome: Outcome) -> tuple[Stage, ...]:
        """The state before ``fragment`` and after each of its instructions, barriers too.

        Like :meth:`follow`, but fresh qubits stay in the state, and each stage is conditioned on
        what was measured until then. The last one, its fresh qubits dropped, is ``follow``'s.
        """
        known = _known_bits(fragment, outcome)
        writers = [c for item in fragment.data for c in _measured(*_placed_bits(fragment, item))]
        if len(known) == fragment.num_clbits and len(set(writers)) == len(writers):
            return self._walk_read(fragment, outcome, known)
        parts = self._linked(fragment)
        walks = [_Walk(_Branches(linked, fragment), linked, self.wires) for linked in parts]
        whose = {placed.place: (walk, placed) for walk in walks for placed in walk.placed}
        rest = self._untouched(parts) + _zeros(set(range(self.wires, fragment.num_qubits)), parts)
        stages = []
        stage = Stage(-1, _together(fragment.num_qubits, rest, walks))
        stages.append(stage)
        for place in range(len(fragment.data)):
            if place in whose:
                walk, placed = whose[place]
                stage = walk.stage(placed, known, outcome)
                state = _together(fragment.num_qubits, rest, walks)
                stages.append(replace(stage, state=state))
            else:
                stages.append(Stage(place, stages[-1].state))
        written = {c for walk in walks for c in walk.last_writer}
        if any(bit and clbit not in written for clbit, bit in known.items()):
            raise ImpossibleOutcomeError(_never(outcome))
        return tuple(stages)

    def _walk_read(
        self, fragment: QuantumCircuit, outcome: Outcome, known: Mapping[int, int]
    ) -> tuple[Stage, ...]:
        """A walk on which every bit is known: one instruction links no more than it touches."""
        state = QuantumState(
            fragment.num_qubits,
            [*self._clusters, *_zeros(set(range(self.wires, fragment.num_qubits)), ())],
        )
        stages = [Stage(-1, state)]
        written: set[int] = set()
        for place, item in enumerate(fragment.data):
            bits = _measured(*_placed_bits(fragment, item))
            alone = _alone(fragment, item, known, bits)
            read = "".join(str(known[c]) for c in bits)
            taken = (("read", read),) if bits else ()
            odds = {text: p for ((_, text),), p in state.odds(alone).items()} if bits else {}
            try:
                state = state.follow(alone, taken)
            except ImpossibleOutcomeError:
                raise ImpossibleOutcomeError(_never(outcome)) from None
            named = tuple(_bit_name(fragment, c) for c in bits)
            met = _met(fragment, item.operation, known)
            rounded = tuple((text, round(p, 12)) for text, p in odds.items())
            stages.append(Stage(place, state, named, rounded, read, met))
            written.update(bits)
        if any(bit and clbit not in written for clbit, bit in known.items()):
            raise ImpossibleOutcomeError(_never(outcome))
        return tuple(stages)

    def narrowed(self, wires: int) -> QuantumState:
        """The state of the first ``wires`` alone, when all others have been measured."""
        touched = self._touched(range(wires, self.wires))
        clusters = [c for c in self._clusters if not any(c is t for t in touched)]
        for cluster in touched:
            if cluster.wires[0] < wires:
                kept = _without_ancillas(cluster.wires, cluster.weights, cluster.vectors, wires)
                clusters += _settled(*kept)
        return QuantumState(wires, clusters)

    def odds(
        self, fragment: QuantumCircuit, registers: Iterable[str] | None = None
    ) -> dict[Outcome, float]:
        """Exact probability of each outcome, likeliest first; of ``registers`` only, if given."""
        asked = {r.name for r in fragment.cregs} if registers is None else set(registers)
        parts, stages = self._planned(fragment)
        if stages:
            return self._staged_odds(stages, asked)
        chosen = [r for r in fragment.cregs if r.name in asked]
        wanted = {c for r in chosen for c in _clbit_indices(fragment, r)}
        tables: list[dict[tuple[tuple[int, int], ...], float]] = []
        for linked in parts:
            own = sorted(wanted & linked.part.clbits)
            if own:
                tables.append(_Branches(linked, fragment).evolve({}).table(own))
        odds: dict[Outcome, float] = {}
        for rows in product(*(table.items() for table in tables)):
            bits = {c: b for key, _ in rows for c, b in key}
            outcome = _outcome(fragment, bits, chosen)
            odds[outcome] = odds.get(outcome, 0.0) + float(np.prod([p for _, p in rows]))
        return _likeliest_first(odds)

    def _staged_odds(self, stages: _Stages, asked: set[str]) -> dict[Outcome, float]:
        odds: dict[Outcome, float] = {}
        for read, chance in self.odds(stages.look).items():
            then = stages.then(read)
            later = {_outcome(then, {}): 1.0}  # nothing is left to measure
            if any(i.clbits for i in then.data):
                later = self.follow(stages.look, read).odds(then)
            for more, likely in later.items():
                outcome = tuple(row for row in _both(read, more) if row[0] in asked)
                odds[outcome] = odds.get(outcome, 0.0) + chance * likely
        return _likeliest_first(odds)

    def _planned(
        self, fragment: QuantumCircuit, in_stages: bool = True
    ) -> tuple[list[_Linked], _Stages | None]:
        """The fragment's parts, or where a part is wide the fragment in two stages, if it has them.

        A measurement frees wires, so what comes after it may link far fewer than the whole.
        """
        parts = self._linked(fragment)
        if in_stages and max((len(linked.order) for linked in parts), default=0) > _WIDE:
            stages = _looks_first(fragment)
            if stages:
                return [], stages
        for linked in parts:
            _check_size(linked.clusters)
        return parts, None

    def _touched(self, wires: Iterable[int]) -> list[Cluster]:
        return list({self._of_wire[w].wires: self._of_wire[w] for w in wires}.values())

    def _untouched(self, parts: Iterable[_Linked]) -> list[Cluster]:
        touched = {c.wires for linked in parts for c in linked.clusters}
        return [c for c in self._clusters if c.wires not in touched]

    def _linked(self, fragment: QuantumCircuit) -> list[_Linked]:
        """The fragment's parts with the clusters they touch; a shared cluster joins two parts."""
        of_cluster: dict[tuple[int, ...], tuple[_Part, list[Cluster]]] = {}
        found: dict[int, tuple[_Part, list[Cluster]]] = {}
        for part in _parts(fragment, self.wires):
            own = self._touched(q for q in part.qubits if q < self.wires)
            for cluster in own.copy():
                other, clusters = of_cluster.get(cluster.wires, (part, own))
                if other is not part and id(other) in found:
                    del found[id(other)]
                    part.absorb(other)
                    own += [c for c in clusters if not any(c is d for d in own)]
            found[id(part)] = (part, own)
            of_cluster |= dict.fromkeys([c.wires for c in own], (part, own))
        return [_Linked(part, own, _order(part, own)) for part, own in found.values()]


def _check_size(clusters: Sequence[Cluster]) -> None:
    size = sum(len(c.wires) for c in clusters)
    if size > LARGEST_CLUSTER:
        raise ClusterTooLargeError(
            f"this would link {size} wires: at most {LARGEST_CLUSTER} can be entangled"
        )


def _likeliest_first(odds: Mapping[Outcome, float]) -> dict[Outcome, float]:
    return dict(sorted(odds.items(), key=lambda row: (-round(row[1], 9), row[0])))


def _order(part: _Part, own: Sequence[Cluster]) -> list[int]:
    wires = [w for c in own for w in c.wires]
    return wires + sorted(part.qubits.difference(wires))


def outcome_text(outcome: Outcome) -> str:
    """``fixed=0 dice=110``: the registers of an outcome as they stand in a record."""
    return " ".join(f"{name}={bits}" for name, bits in outcome)


def _never(outcome: Outcome) -> str:
    return f"outcome {_short(outcome_text(outcome))!r} has probability 0 for this move"


def _short(text: str) -> str:
    return text if len(text) <= 200 else text[:197] + "..."


def check_complete(circuit: QuantumCircuit) -> None:
    """ValueError unless all bits stand in registers and all parameters have values."""
    in_registers = {bit for register in (*circuit.qregs, *circuit.cregs) for bit in register}
    if not in_registers.issuperset((*circuit.qubits, *circuit.clbits)):
        raise ValueError("expected a circuit whose qubits and bits all stand in registers")
    if circuit.parameters:
        names = ", ".join(sorted(parameter.name for parameter in circuit.parameters))
        raise ValueError(f"expected a circuit whose parameters have values: {names} have none")


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
    runnable = _runnable(_measured_part(circuit))
    options: dict[str, Any] = {} if seed is None else {"seed_simulator": seed}
    simulator = _simulator(_method(runnable))
    result = _checked(simulator.run(runnable, shots=shots, memory=memory, **options).result())
    if "counts" not in result.data(0):  # nothing is measured: every bit reads 0
        text = outcome_text(_outcome(circuit, {}))
        return [text] * shots if memory else {text: shots}
    if memory:
        return [
            outcome_text(_outcome(circuit, _bits_of(int(m, 16), circuit.num_clbits)))
            for m in result.data(0)["memory"]
        ]
    return {
        outcome_text(_outcome(circuit, _bits_of(int(key, 16), circuit.num_clbits))): count
        for key, count in result.data(0)["counts"].items()
    }


def _measured_part(circuit: QuantumCircuit) -> QuantumCircuit:
    """A circuit with feed-forward, without the instructions that no measurement depends on.

    Aer cuts these too, but fails ("ERROR: Failed to load circuits: unordered_map::at", Aer 0.18)
    when a jump of feed-forward is about qubits that are gone then.
    """
    if not any(instruction.name == "if_else" for instruction in circuit.data):
        return circuit
    needed: set[Any] = set()
    kept: list[CircuitInstruction] = []
    for instruction in reversed(circuit.data):
        if instruction.name == "barrier":
            continue
        if _measures(instruction.operation) or needed.intersection(instruction.qubits):
            needed.update(instruction.qubits)
            kept.append(instruction)
    part = circuit.copy_empty_like()
    for instruction in reversed(kept):
        part.append(instruction)
    return part


def _measures(operation: Operation) -> bool:
    """Whether an operation measures, itself or in a block of feed-forward."""
    blocks = operation.blocks if isinstance(operation, IfElseOp) else ()
    return operation.name == "measure" or any(
        _measures(inner.operation) for block in blocks for inner in block.data
    )


def toss(count: int, seed: int) -> int:
    """A whole number of ``count`` fair bits, measured on Aer: the seed of a computer player."""
    dice = QuantumCircuit(count, count)
    dice.h(range(count))
    dice.measure(range(count), range(count))
    _, outcome = QuantumState.zeros(count).run(dice, seed)
    return int(outcome[0][1], 2)


# ---- a fragment falls into parts that share no qubit and no feed-forward ------------------------


class _Placed(NamedTuple):
    """An instruction at its place in the circuit, with the indices of the bits it touches."""

    place: int
    instruction: CircuitInstruction
    qubits: tuple[int, ...]
    clbits: tuple[int, ...]


@dataclass
class _Part:
    """Instructions that are linked, by their place, and all bits that they touch."""

    placed: list[_Placed]
    qubits: set[int]
    clbits: set[int]

    def absorb(self, other: _Part) -> None:
        """Take over all of ``other``."""
        self.placed += other.placed
        self.qubits |= other.qubits
        self.clbits |= other.clbits

    @property
    def in_order(self) -> list[_Placed]:
        """The instructions in the order of the circuit; their places are all different."""
        return sorted(self.placed)


class _Linked(NamedTuple):
    """A part of a fragment, the clusters whose wires it touches, and the qubits of its vector.

    ``order`` has the clusters' wires first, then the fresh qubits; without clusters it is dice.
    """

    part: _Part
    clusters: list[Cluster]
    order: list[int]

    @property
    def is_die(self) -> bool:
        """A fresh qubit with H and a measurement and nothing else."""
        names = [placed.instruction.name for placed in self.part.placed]
        return not self.clusters and names == ["h", "measure"]

    def settled(
        self, order: list[int], weights: NDArray[np.float64], vectors: Vector
    ) -> list[Cluster]:
        """The clusters that the part leaves; gates on one wire alone entangle and split nothing."""
        if len(self.part.qubits) == 1 and len(self.clusters) == 1 and not self.part.clbits:
            names = {placed.instruction.name for placed in self.part.placed}
            if "reset" not in names:
                return [_cluster(order, weights, vectors)]
        return _settled(order, weights, vectors)


@lru_cache(maxsize=2)
def _simulator(method: str = "statevector") -> AerSimulator:
    # one thread: 1.5 ms against 24 ms for small circuits, where starting threads costs most
    return AerSimulator(method=method, max_parallel_threads=1)


@lru_cache(maxsize=4)
def noisy_simulator(device: Any) -> Any:
    """Aer with the noise of a device: its gates, its readout, its map of qubits.

    ``device`` is a Qiskit ``BackendV2``, such as a snapshot of a real device. Nothing is loaded
    from anywhere. Takes seconds, so it is kept for the devices asked for last.
    """
    return AerSimulator.from_backend(device, max_parallel_threads=1)


def _method(circuit: QuantumCircuit) -> str:
    """How Aer runs a whole circuit: many wires that are little entangled need no vector of 2**n."""
    used = {q for item in circuit.data if item.name != "barrier" for q in item.qubits}
    return "statevector" if len(used) <= LARGEST_VECTOR else "matrix_product_state"


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
            f"a fragment's first register must be the game's {wires} wires:"
            f" got {fragment.qregs[0]!r}"
        )
    numbers = {bit: n for n, bit in enumerate((*fragment.qubits, *fragment.clbits))}
    first_clbit = fragment.num_qubits
    links = list(range(len(numbers)))  # each bit points towards the one that names its part
    placed = []
    for place, instruction in enumerate(fragment.data):
        if instruction.name != "barrier":
            qubits = tuple([numbers[q] for q in instruction.qubits])
            clbits = tuple([numbers[c] for c in instruction.clbits])
            name = _end(links, qubits[0])
            for bit in (*qubits[1:], *clbits):
                links[_end(links, bit)] = name
            own = tuple([c - first_clbit for c in clbits])
            placed.append(_Placed(place, instruction, qubits, own))
    parts: dict[int, _Part] = {}
    for one in placed:
        name = _end(links, one.qubits[0])
        if name not in parts:
            parts[name] = _Part([], set(), set())
        part = parts[name]
        part.placed.append(one)
        part.qubits.update(one.qubits)
        part.clbits.update(one.clbits)
    return list(parts.values())


def _end(links: list[int], bit: int) -> int:
    while links[bit] != bit:
        bit = links[bit]
    return bit


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
            f"expected an outcome for registers {names}: got {_short(outcome_text(outcome))!r}"
        )
    known: dict[int, int] = {}
    for register, (name, bits) in zip(fragment.cregs, outcome, strict=True):
        if len(bits) != register.size or set(bits) - set("01" + UNREAD):
            raise ImpossibleOutcomeError(
                f"expected {register.size} bits of 0 and 1 for register {name!r}:"
                f" got {_short(bits)!r}"
            )
        for clbit, bit in zip(_clbit_indices(fragment, register), bits, strict=True):
            if bit != UNREAD:
                known[clbit] = int(bit)
    return known


# ---- a wide fragment in two stages --------------------------------------------------------------


class _Stages(NamedTuple):
    """A fragment cut in two: the measurements that nothing comes before, and the rest.

    Both circuits have the fragment's registers; a bit that a stage does not write reads 0 there.
    """

    look: QuantumCircuit
    rest: QuantumCircuit
    read: frozenset[Clbit]
    """The bits that the first stage writes."""

    def split(self, outcome: Outcome) -> tuple[Outcome, Outcome]:
        """An outcome of the whole as one of each stage."""
        known = _known_bits(self.look, outcome)
        first = {n for n, clbit in enumerate(self.look.clbits) if clbit in self.read}
        return (
            _outcome(self.look, {n: bit for n, bit in known.items() if n in first}),
            _outcome(self.rest, {n: bit for n, bit in known.items() if n not in first}),
        )

    def then(self, read: Outcome) -> QuantumCircuit:
        """The rest, with each condition on what was ``read`` replaced by the block it chose."""
        known = _known_bits(self.look, read)
        plain = self.rest.copy_empty_like()
        for instruction in self.rest.data:
            operation = instruction.operation
            if not isinstance(operation, IfElseOp) or not self.read.issuperset(_tested(operation)):
                plain.append(instruction)
                continue
            bits = [known[_index(self.look, c)] for c in _tested(operation)]
            met = sum(bit << n for n, bit in enumerate(bits)) == operation.condition[1]
            for block in operation.blocks[0 if met else 1 :][:1]:  # an else block may be missing
                for inner in block.data:
                    plain.append(inner)
        return plain


def _looks_first(fragment: QuantumCircuit) -> _Stages | None:
    """The two stages of a fragment, or None if they cannot be told apart."""
    look, rest = (QuantumCircuit(*fragment.qregs, *fragment.cregs) for _ in range(2))
    touched: set[Any] = set()
    for instruction in fragment.data:
        bits = {*instruction.qubits, *instruction.clbits}
        if instruction.name == "measure" and not bits & touched:
            look.append(instruction)
        elif instruction.name != "barrier":
            rest.append(instruction)
            touched |= bits
    read = frozenset(c for instruction in look.data for c in instruction.clbits)
    return _Stages(look, rest, read) if read and rest.data and _separable(rest, read) else None


def _separable(rest: QuantumCircuit, read: frozenset[Clbit]) -> bool:
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
            if any(set(i.qubits) - bits or i.name == "if_else" for i in inside):
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


def _both(first: Outcome, then: Outcome) -> Outcome:
    """Outcomes of two stages as one."""
    return tuple(
        (name, "".join(map(max, a, b))) for (name, a), (_, b) in zip(first, then, strict=True)
    )


def _next_seed(seed: int) -> int:
    return int(np.random.SeedSequence((seed, 1)).generate_state(1, np.uint32)[0])


# ---- Aer ---------------------------------------------------------------------------------------


def _apart(parts: Sequence[_Linked]) -> tuple[list[_Linked], list[_Linked]]:
    """Very many dice (a shuffled deck) are set apart; a few ride along with the other parts."""
    dice = [linked for linked in parts if linked.is_die]
    if len(dice) <= _MANY_DICE:
        return list(parts), []
    return [linked for linked in parts if not linked.is_die], dice


def _thrown(dice: Sequence[_Linked], seed: int) -> dict[int, int]:
    """Throw many dice on Aer: ten qubits, H, measured, in as many shots as it takes."""
    if not dice:
        return {}
    circuit = QuantumCircuit(_PACK, _PACK)
    circuit.h(range(_PACK))
    circuit.measure(range(_PACK), range(_PACK))
    shots = -(-len(dice) // _PACK)
    # a seed of their own: the other parts run under ``seed`` itself
    own = int(np.random.SeedSequence((seed, shots)).generate_state(1, np.uint32)[0])
    run = _simulator().run(circuit, shots=shots, memory=True, seed_simulator=own)
    memory = _checked(run.result()).data(0)["memory"]
    bits = [int(shot, 16) >> n & 1 for shot in memory for n in range(_PACK)]
    clbits = [clbit for linked in dice for clbit in linked.part.clbits]
    return dict(zip(clbits, bits[: len(clbits)], strict=True))


def _packed(parts: Sequence[_Linked]) -> Iterator[list[_Linked]]:
    """Group independent parts into few Aer circuits."""
    pack: list[_Linked] = []
    filled = 0
    for linked in parts:
        if pack and filled + len(linked.order) > _PACK:
            yield pack
            pack, filled = [], 0
        pack.append(linked)
        filled += len(linked.order)
    if pack:
        yield pack


def _aer_circuit(fragment: QuantumCircuit, pack: Sequence[_Linked]) -> QuantumCircuit:
    """One circuit for a pack: its exact vector set, its instructions, the vector saved at the end.

    Parts that touch wires come first, so that their vectors are the low places of the whole.
    """
    ordered = sorted(pack, key=lambda linked: not linked.clusters)
    qubits = [fragment.qubits[q] for linked in ordered for q in linked.order]
    # plain instructions, since set_statevector() of a circuit checks again that the norm is 1
    setting = Instruction("set_statevector", len(qubits), 0, [_start(pack, len(qubits))])
    moves = [placed.instruction for linked in pack for placed in linked.part.in_order]
    circuit = QuantumCircuit(qubits, *fragment.cregs)
    for instruction in (
        CircuitInstruction(setting, qubits),
        *moves,
        CircuitInstruction(_saving(len(qubits)), qubits),
    ):
        circuit._append(instruction)  # these were checked when the fragment was built
    return _runnable(circuit)


@lru_cache(maxsize=32)
def _saving(qubits: int) -> Instruction:
    return SaveStatevector(qubits)


def _start(pack: Sequence[_Linked], qubits: int) -> Vector:
    """The vector that a pack starts from; fresh qubits are in 0."""
    start = np.ones(1, dtype=np.complex128)
    for _, clusters, order in pack:
        if clusters:
            size = len(start) << len(order)
            for cluster in clusters:
                start = np.multiply.outer(cluster.vectors[0], start).ravel()
            start = _padded(start, size)
    return _padded(start, 2**qubits)


def _padded(vector: Vector, size: int) -> Vector:
    if len(vector) == size:
        return vector
    padded = np.zeros(size, dtype=np.complex128)
    padded[: len(vector)] = vector
    return padded


def _factors(pack: Sequence[_Linked], vector: Vector) -> Iterator[tuple[_Linked, Vector]]:
    """Each part that touches wires with its own vector, as one row, from the vector of the whole.

    Parts are independent, so the vector is their product; what is left at the end are dice.
    """
    for linked in pack:
        if linked.clusters:
            table = vector.reshape(-1, 2 ** len(linked.order))
            row = table[np.argmax(np.einsum("ri,ri->r", table, table.conj()).real)]
            row = row / np.sqrt(np.vdot(row, row).real)
            vector = table @ row.conj()
            yield linked, row[None]
    if np.abs(vector).max() < 1 - TOLERANCE:
        raise ValueError(UNMEASURED)


def _runnable(circuit: QuantumCircuit) -> QuantumCircuit:
    """Translate only when Aer would refuse a gate: h x z cx swap measure if_test need no pass."""
    if _native(circuit):
        return circuit
    lowered = _lowered(circuit)
    return lowered if _native(lowered) else _translator().run(circuit)


def _lowered(circuit: QuantumCircuit) -> QuantumCircuit:
    """The circuit with each small gate that Aer refuses (iswap, xx_plus_yy, ch) as its matrix.

    Exact, and twice as fast as a pass manager; the fragments themselves keep their named gates.
    """
    lowered = circuit.copy_empty_like()
    for instruction in circuit.data:
        operation = instruction.operation
        if isinstance(operation, IfElseOp):
            operation = IfElseOp(operation.condition, *map(_lowered, operation.blocks))
        elif (
            isinstance(operation, Gate)
            and operation.name not in _NATIVE
            and operation.num_qubits <= _SMALL_GATE
        ):
            operation = UnitaryGate(_matrix(operation), check_input=False)
        lowered._append(instruction.replace(operation=operation))
    return lowered


def _native(circuit: QuantumCircuit) -> bool:
    """Whether Aer takes every instruction, also those inside feed-forward, as it stands."""
    return all(
        all(_native(block) for block in instruction.operation.blocks)
        if instruction.name == "if_else"
        else instruction.name in _NATIVE
        for instruction in circuit.data
    )


def _run_on_aer(circuits: list[QuantumCircuit], seed: int) -> Iterator[tuple[int, Vector]]:
    """Outcome bits (as one number) and final vector of each circuit, all in one job of one shot."""
    result = _checked(_simulator().run(circuits, shots=1, seed_simulator=seed).result())
    for n, circuit in enumerate(circuits):
        data = result.data(n)
        read = int(next(iter(data["counts"])), 16) if circuit.num_clbits and "counts" in data else 0
        vector = np.asarray(data["statevector"], dtype=np.complex128)
        yield read, vector


def _checked(result: Any) -> Any:
    # a failed experiment comes back without an exception
    if not result.success:
        raise RuntimeError(f"Aer could not run the circuit: {result.status}")
    return result


def _bits_of(number: int, count: int) -> dict[int, int]:
    return {n: number >> n & 1 for n in range(count)}


# ---- the same circuits in numpy: all branches at once -------------------------------------------


_Rows = tuple[NDArray[np.float64], Vector, NDArray[np.int8]]
"""Weights, vectors and outcome bits of the branches that are still possible."""


def _stacked(arrays: list[NDArray[Any]]) -> NDArray[Any]:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


class _Branches:
    """The vectors of one linked part, a row for each hidden history and unread outcome."""

    def __init__(self, linked: _Linked, fragment: QuantumCircuit) -> None:
        self.part, own, self.order = linked
        self.fragment = fragment
        self.place = {q: n for n, q in enumerate(self.order)}
        _, self.weights, vectors = _joined(own)
        self.vectors = np.zeros((len(self.weights), 2 ** len(self.order)), dtype=np.complex128)
        self.vectors[:, : vectors.shape[1]] = vectors
        self.column = {c: n for n, c in enumerate(sorted(self.part.clbits))}
        self.bits = np.zeros((len(self.weights), len(self.column)), dtype=np.int8)
        written = [c for placed in self.part.placed for c in _written(placed)]
        self.written_once = {clbit for clbit in written if written.count(clbit) == 1}

    @property
    def total(self) -> float:
        return float(self.weights.sum())

    def evolve(self, known: Mapping[int, int]) -> _Branches:
        """Apply the part's instructions; measurements keep the known bits and branch on others."""
        for _, instruction, qubits, clbits in self.part.in_order:
            places = [self.place[q] for q in qubits]
            self.step(instruction.operation, places, clbits, known)
        self.keep({c: known[c] for c in self.column.keys() & known.keys()})
        return self

    def keep(self, bits: Mapping[int, int]) -> None:
        """Drop the rows that read otherwise: not measured at all, or written over."""
        for clbit, bit in bits.items():
            met = self.bits[:, self.column[clbit]] == bit
            if not met.all():
                self._take([self._rows(met).rows])

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

    def step(
        self,
        operation: Operation,
        qubits: list[int],
        clbits: Sequence[int],
        known: Mapping[int, int],
    ) -> None:
        """Apply one instruction; a measurement keeps the known bits and branches on others."""
        if not len(self.weights):
            return  # no branch is left: the outcome is impossible
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
        certain = known is not None and clbit in self.written_once
        self._branch(place, (known,) if certain and known is not None else (0, 1), column)

    def _reset(self, place: int) -> None:
        """Measure into no bit, then flip what was found in 1."""
        self._branch(place, (0, 1), None)

    def _branch(self, place: int, found: Sequence[int], column: int | None) -> None:
        """Project on each value found; note it in ``column``, or without one set the qubit to 0."""
        split = self.vectors.reshape(len(self.weights), -1, 2, 2**place)
        half = np.einsum("khbl,khbl->kb", split, split.conj()).real
        taken: list[_Rows] = []
        for bit in found:
            rows = np.flatnonzero(half[:, bit] > TOLERANCE)
            chance = half[rows, bit]
            kept = np.zeros((len(rows), *split.shape[1:]), dtype=np.complex128)
            kept[:, :, 0 if column is None else bit] = split[rows, :, bit]
            bits = self.bits[rows]
            if column is not None:
                bits[:, column] = bit
            vectors = kept.reshape(len(rows), -1) if len(rows) else self.vectors[:0]
            taken.append((self.weights[rows] * chance, vectors / np.sqrt(chance)[:, None], bits))
        self._take(taken)

    def _rows(self, rows: NDArray[np.bool_]) -> _Branches:
        some = copy(self)
        some.weights, some.vectors, some.bits = (
            self.weights[rows],
            self.vectors[rows],
            self.bits[rows],
        )
        return some

    @property
    def rows(self) -> _Rows:
        return self.weights, self.vectors, self.bits

    def _take(self, branches: Sequence[_Rows]) -> None:
        self.weights = _stacked([weights for weights, _, _ in branches])
        self.vectors = _stacked([vectors for _, vectors, _ in branches])
        self.bits = _stacked([bits for _, _, bits in branches])

    def meeting(self, operation: IfElseOp) -> NDArray[np.bool_]:
        """The rows whose bits meet the condition of feed-forward."""
        tested, value = _tested(operation), operation.condition[1]
        wanted = [value >> n & 1 for n in range(len(tested))]
        columns = [self.column[_index(self.fragment, c)] for c in tested]
        met: NDArray[np.bool_] = np.all(self.bits[:, columns] == wanted, axis=1)
        return met

    def _if_else(
        self,
        operation: IfElseOp,
        qubits: list[int],
        clbits: Sequence[int],
        known: Mapping[int, int],
    ) -> None:
        """Rows that meet the condition take the first block, the others the second."""
        met = self.meeting(operation)
        sides = [self._rows(met), self._rows(~met)]
        for side, body in zip(
            sides, operation.blocks, strict=False
        ):  # an else block may be missing
            for inner in body.data:
                side.step(
                    inner.operation,
                    [qubits[_index(body, q)] for q in inner.qubits],
                    [clbits[_index(body, c)] for c in inner.clbits],
                    known,
                )
        self._take([side.rows for side in sides])


class _Walk:
    """One linked part of a fragment on its way, instruction by instruction."""

    def __init__(self, branches: _Branches, linked: _Linked, wires: int) -> None:
        self.branches = branches
        self.placed = linked.part.in_order
        fresh = [q for q in linked.order if q >= wires]
        self.clusters = [*linked.clusters, *_zeros(set(fresh), ())]
        self.last_writer = {
            c: p.place for p in self.placed for c in _measured(p.instruction.operation, p.clbits)
        }

    def stage(self, placed: _Placed, known: Mapping[int, int], outcome: Outcome) -> Stage:
        """Apply one instruction; the stage still lacks its state."""
        branches, operation = self.branches, placed.instruction.operation
        places = [branches.place[q] for q in placed.qubits]
        written = _measured(operation, placed.clbits)
        odds = self._odds(operation, places, placed.clbits, written) if written else ()
        met = self._met(operation) if isinstance(operation, IfElseOp) else None
        branches.step(operation, places, placed.clbits, known)
        branches.keep({c: known[c] for c in self._settled_at(placed.place, written) if c in known})
        if branches.total < TOLERANCE:
            raise ImpossibleOutcomeError(_never(outcome))
        weights = branches.weights / branches.total
        self.clusters = _settled(branches.order, weights, branches.vectors)
        read = "".join(str(known.get(c, UNREAD)) for c in written)
        named = tuple(_bit_name(branches.fragment, c) for c in written)
        return Stage(placed.place, _NOTHING, named, odds, read, met)

    def _settled_at(self, place: int, written: Sequence[int]) -> list[int]:
        """Bits that nothing writes again: only these are what the outcome says."""
        return [c for c in written if self.last_writer[c] == place]

    def _odds(
        self,
        operation: Operation,
        places: list[int],
        clbits: Sequence[int],
        written: Sequence[int],
    ) -> tuple[tuple[str, float], ...]:
        open_ended = copy(self.branches)
        open_ended.step(operation, places, clbits, {})
        table = {
            "".join(str(bit) for _, bit in key): round(chance / self.branches.total, 12)
            for key, chance in open_ended.table(written).items()
        }
        return tuple(sorted(table.items(), key=lambda row: (-row[1], row[0])))

    def _met(self, operation: IfElseOp) -> float:
        weights = self.branches.weights
        return round(float(weights[self.branches.meeting(operation)].sum() / weights.sum()), 12)


def _placed_bits(fragment: QuantumCircuit, item: CircuitInstruction) -> tuple[Operation, list[int]]:
    return item.operation, [_index(fragment, c) for c in item.clbits]


def _alone(
    fragment: QuantumCircuit,
    item: CircuitInstruction,
    known: Mapping[int, int],
    bits: Sequence[int],
) -> QuantumCircuit:
    """One instruction as a circuit of its own, feed-forward decided by bits that are known."""
    circuit = QuantumCircuit(QuantumRegister(fragment.num_qubits))
    if bits:
        circuit.add_register(ClassicalRegister(len(bits), "read"))
    qubits = [_index(fragment, q) for q in item.qubits]
    clbits = [_index(fragment, c) for c in item.clbits]
    for operation, places, into in _decided(fragment, item.operation, qubits, clbits, known):
        circuit.append(operation, places, [bits.index(c) for c in into])
    return circuit


def _decided(
    fragment: QuantumCircuit,
    operation: Operation,
    qubits: list[int],
    clbits: list[int],
    known: Mapping[int, int],
) -> Iterator[tuple[Operation, list[int], list[int]]]:
    """The plain instructions that an operation comes to, with their qubits and bits."""
    if not isinstance(operation, IfElseOp):
        if operation.name != "barrier":
            yield operation, qubits, clbits
        return
    blocks = operation.blocks if _met(fragment, operation, known) else operation.blocks[1:]
    for block in blocks[:1]:
        for inner in block.data:
            own = [qubits[_index(block, q)] for q in inner.qubits]
            bits = [clbits[_index(block, c)] for c in inner.clbits]
            yield from _decided(fragment, inner.operation, own, bits, known)


def _met(fragment: QuantumCircuit, operation: Operation, known: Mapping[int, int]) -> float | None:
    """Whether the condition of feed-forward holds, 1 or 0; None for other instructions."""
    if not isinstance(operation, IfElseOp):
        return None
    read = sum(known[_index(fragment, c)] << n for n, c in enumerate(_tested(operation)))
    return float(read == int(operation.condition[1]))


def _zeros(qubits: set[int], parts: Iterable[_Linked]) -> list[Cluster]:
    """Fresh qubits that no part touches, each alone in 0."""
    left = qubits.difference(q for linked in parts for q in linked.part.qubits)
    zero = np.array([[1, 0]], dtype=np.complex128)
    return [Cluster((q,), np.ones(1), zero) for q in sorted(left)]


def _together(qubits: int, rest: Sequence[Cluster], walks: Sequence[_Walk]) -> QuantumState:
    return QuantumState(qubits, [*rest, *(c for walk in walks for c in walk.clusters)])


_NOTHING = QuantumState(0, ())


def _measured(operation: Operation, clbits: Sequence[int]) -> tuple[int, ...]:
    """The classical bits that an operation may measure into, itself or by feed-forward."""
    if operation.name == "measure":
        return (clbits[0],)
    if not isinstance(operation, IfElseOp):
        return ()
    found: list[int] = []
    for block in operation.blocks:
        for inner in block.data:
            own = [clbits[_index(block, c)] for c in inner.clbits]
            found += _measured(inner.operation, own)
    return tuple(dict.fromkeys(found))


def _bit_name(fragment: QuantumCircuit, clbit: int) -> tuple[str, int]:
    register, place = fragment.find_bit(fragment.clbits[clbit]).registers[0]
    return str(register.name), int(place)


def _written(placed: _Placed) -> Sequence[int]:
    """Classical bits that an instruction writes; feed-forward may write all that it holds."""
    return placed.clbits if placed.instruction.name in ("measure", "if_else") else ()


def _matrix(operation: Operation) -> Vector:
    return _cached_matrix(operation.name, tuple(operation.params), operation)


_MATRICES: dict[tuple[str, tuple[Any, ...]], Vector] = {}


def _cached_matrix(name: str, params: tuple[Any, ...], operation: Operation) -> Vector:
    """Standard gates by name and parameters; a gate controlled on 0 has its own (``cx_o0``)."""
    if name not in _NATIVE or params:
        return np.asarray(Operator(operation).data, dtype=np.complex128)
    key = (f"{name}/{getattr(operation, 'ctrl_state', '')}", params)
    if key not in _MATRICES:
        _MATRICES[key] = np.asarray(operation.to_matrix(), dtype=np.complex128)
    return _MATRICES[key]


def _gate(vectors: Vector, matrix: Vector, places: Sequence[int]) -> Vector:
    """Apply a gate to every row; ``places[0]`` is the gate's least significant qubit."""
    rows, size = vectors.shape
    if len(places) == 1:
        turned: Vector = np.matmul(matrix, vectors.reshape(rows, -1, 2, 2 ** places[0]))
        return turned.reshape(rows, size)
    count = size.bit_length() - 1
    there, back = _axes(count, tuple(places))
    moved = vectors.reshape(rows, *(2,) * count).transpose(there)
    done: Vector = np.matmul(matrix, moved.reshape(rows, 2 ** len(places), -1))
    return done.reshape(moved.shape).transpose(back).reshape(rows, size)


@lru_cache(maxsize=512)
def _axes(count: int, places: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """The transposition that brings a gate's qubits to the front after the row, and its inverse."""
    front = [count - p for p in reversed(places)]  # axis 0 is the row, axis 1 the highest place
    there = [0, *front, *(axis for axis in range(1, count + 1) if axis not in front)]
    return there, [there.index(axis) for axis in range(count + 1)]


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


def _sum_of_projectors(weights: NDArray[np.float64], batch: Vector) -> Vector:
    """The density matrix of weighted vectors, shape (histories, rest, kept), without the rest."""
    density: Vector = np.einsum("k,kri,krj->ij", weights, batch, batch.conj())
    return density


def _permuted(vectors: Vector, order: Sequence[int], wanted: Sequence[int]) -> Vector:
    """Rows with their wires re-ordered from ``order`` to ``wanted``, least significant first."""
    if list(order) == list(wanted):
        return vectors
    count = len(order)
    axes = [count - list(order).index(w) for w in reversed(wanted)]
    batch = vectors.reshape(len(vectors), *(2,) * count)
    return batch.transpose(0, *axes).reshape(len(vectors), -1)


def _without_ancillas(
    order: Sequence[int], weights: NDArray[np.float64], vectors: Vector, wires: int
) -> tuple[list[int], NDArray[np.float64], Vector]:
    """Drop the fresh qubits, each of which has been measured and stands in 0 or 1.

    They are the last of ``order``, so each of their readings is a row of the folded vector.
    """
    kept = [q for q in order if q < wires]
    if len(kept) == len(order):
        return kept, weights, vectors
    folded = vectors.reshape(len(vectors), -1, 2 ** len(kept))
    chance = np.einsum("kri,kri->kr", folded, folded.conj()).real
    read = chance.argmax(axis=1)
    rows = np.arange(len(vectors))
    if (chance.sum(axis=1) - chance[rows, read] > TOLERANCE).any():
        raise ValueError(UNMEASURED)
    return kept, weights, _normed(folded[rows, read])


def _settled(order: Sequence[int], weights: NDArray[np.float64], vectors: Vector) -> list[Cluster]:
    """Split a product into its clusters and merge histories that have become equal."""
    if len(weights) == len(order) == 1:
        return [_cluster(order, weights, vectors)]
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
    own = _phased(_permuted(vectors, wires, ordered))
    own.flags.writeable = False  # states are values: nobody who reads one can change it
    return Cluster(ordered, weights, own)


def _phased(vectors: Vector) -> Vector:
    """Rows with the first non-zero amplitude real and positive; a global phase means nothing."""
    first = np.argmax(np.abs(vectors) > 1e-7, axis=1)
    lead = vectors[np.arange(len(vectors)), first]
    phased: Vector = vectors * (lead.conj() / np.abs(lead))[:, None]
    return phased


def _blocks(vectors: Vector, order: list[int]) -> list[tuple[list[int], Vector]]:
    """The finest grouping of wires such that every row is a product of its groups' factors."""
    blocks: list[tuple[list[int], Vector]] = []
    for wire in list(order):
        if len(order) == 1:
            break
        if _surely_entangled(vectors, order.index(wire)):
            if len(order) == 2:
                return [*blocks, (order, vectors)]
            continue
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


def _surely_entangled(vectors: Vector, place: int) -> bool:
    """True when the reduced state of a qubit is clearly mixed in some row: a quick first look."""
    split = vectors.reshape(len(vectors), -1, 2, 2**place)
    rho = np.einsum("khal,khbl->kab", split, split.conj())
    determinant = (rho[:, 0, 0] * rho[:, 1, 1] - rho[:, 0, 1] * rho[:, 1, 0]).real
    return bool(determinant.max() > 1e-9)


def _factor(
    vectors: Vector, order: Sequence[int], group: Sequence[int]
) -> tuple[Vector, Vector] | None:
    """Factors of ``group`` and of the rest if every row is their product, else None."""
    rest = [w for w in order if w not in group]
    table = _permuted(vectors, order, [*group, *rest])
    table = table.reshape(len(vectors), 2 ** len(rest), 2 ** len(group))
    best = np.argmax(np.einsum("kri,kri->kr", table, table.conj()).real, axis=1)
    mine = _normed(table[np.arange(len(table)), best])
    others = np.einsum("kri,ki->kr", table, mine.conj())
    left = table - others[:, :, None] * mine[:, None, :]
    if np.abs(left).max() > TOLERANCE:
        return None
    return mine, _normed(others)


def _normed(rows: Vector) -> Vector:
    """Rows scaled to length 1."""
    normed: Vector = rows / np.sqrt(np.einsum("ki,ki->k", rows, rows.conj()).real)[:, None]
    return normed


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
    """True when a generic product state of the others leaves ``pair`` entangled in some row."""
    rest = [w for w in order if w not in pair]
    table = _permuted(vectors, order, (*pair, *rest)).reshape(len(vectors), -1, 4)
    batch = np.matmul(_probe(len(rest)), table)
    size = np.einsum("ki,ki->k", batch, batch.conj()).real
    loop = np.abs(batch[:, 0] * batch[:, 3] - batch[:, 1] * batch[:, 2])
    return bool((loop > 1e-7 * np.maximum(size, 1e-12)).any())


@lru_cache(maxsize=LARGEST_CLUSTER)
def _probe(wires: int) -> Vector:
    """A fixed product vector without any symmetry, so that nothing cancels by chance."""
    probe = np.ones(1, dtype=np.complex128)
    for n in range(wires):
        angle, phase = 0.7 + 0.31 * n, 0.4 + 1.7 * n
        one = np.array([np.cos(angle), np.sin(angle) * np.exp(1j * phase)])
        probe = np.multiply.outer(one, probe).ravel()
    return probe


def _distinct(vectors: Vector) -> tuple[NDArray[np.intp], Vector]:
    """A label for each row, and the distinct rows (up to phase and 1e-7), in first-seen order."""
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
    summed = np.zeros(len(rows))
    np.add.at(summed, labels, weights)
    vectors = np.ones((len(rows), 1), dtype=np.complex128)
    for _, own, factors in group:
        vectors = np.einsum("ka,kb->kba", vectors, factors[own[rows]]).reshape(len(rows), -1)
    return _thinned(_cluster([w for wires, _, _ in group for w in wires], summed, vectors))


def _thinned(cluster: Cluster) -> Cluster:
    """Replace very many histories by as many as the density matrix has eigenvectors."""
    size = 2 ** len(cluster.wires)
    if len(cluster.weights) <= max(_FEW_HISTORIES, _SPARE_HISTORIES * size):
        return cluster
    values, columns = np.linalg.eigh(cluster.density())
    kept = values > TOLERANCE
    weights = values[kept] / values[kept].sum()
    return Cluster(cluster.wires, weights, _phased(columns.T[kept]))


def _alike(a: Cluster, b: Cluster) -> bool:
    if a.is_pure and b.is_pure:
        overlap = np.vdot(a.vectors[0], b.vectors[0])
        if abs(overlap) < 0.5:
            return False
        turned = a.vectors[0] * (overlap / abs(overlap))
        return bool(np.abs(turned - b.vectors[0]).max() < TOLERANCE)
    return bool(np.allclose(a.density(), b.density(), atol=TOLERANCE, rtol=0))
