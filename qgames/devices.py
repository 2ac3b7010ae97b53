"""A match or a circuit on a device: Aer, Aer with a device's noise, or a device of one's own.

``run(match)`` is Aer without noise. ``run(match, "fake_montreal")`` imitates the noise of a device
from a snapshot that qiskit-ibm-runtime brings along (``qgames[hardware]``). ``run(match, backend)``
takes any Qiskit ``BackendV2`` or ``SamplerV2``: with a real one, your own account and queue are
used, and nothing else here ever asks for an account or the network.

What is compared are shares of outcomes: the ideal ones, exact where that is feasible, against those
that the device read. The distance is the total variation distance, from 0 (the same) to 1.
"""

from __future__ import annotations

import copy
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, floor, lgamma, log, pi, sqrt
from typing import Any

import numpy as np
from qiskit import ClassicalRegister, QuantumCircuit
from qiskit.circuit import CircuitError, ControlFlowOp, Gate, IfElseOp
from qiskit.exceptions import QiskitError
from qiskit.primitives import BaseSamplerV2
from qiskit.providers import BackendV2
from qiskit.transpiler import generate_preset_pass_manager

from qgames import draw
from qgames.core import Match, checked_seed
from qgames.draw.histogram import histogram_svg
from qgames.i18n import Html, _, fill, html, ngettext, percent
from qgames.quantum import (
    UNREAD,
    ClusterTooLargeError,
    Outcome,
    QuantumState,
    check_complete,
    noisy_simulator,
    outcome_text,
    sample,
)

MOST_SHOTS = 1_000_000
COMPARED = 8
"""Bits that are compared if no registers are asked for: shots cannot tell more outcomes apart."""
BATCHES = 5
FEASIBLE = 12
"""Measurements of a single circuit up to which its exact distribution is worked out."""
Progress = Callable[[float, str], None]


class DeviceError(ValueError):
    """The device cannot run the circuit, or there is nothing to run."""


@dataclass(frozen=True)
class Report:
    """What a device read, beside the ideal."""

    device: str
    shots: int
    counts: Mapping[str, int]
    """Shots by outcome (``fixed_4=1``), of the registers that are compared."""
    ideal: Mapping[str, float]
    """The share that each outcome has without noise."""
    exact: bool
    """Whether ``ideal`` is exact; else it was sampled on Aer."""
    distance: float
    """Total variation distance between the shares read and the ideal ones."""
    sampling_error: float
    """A perfect device's distance stays below this, three standard deviations included."""
    depth: int
    two_qubit_gates: int
    """Of the circuit as the device runs it."""
    written_depth: int
    written_two_qubit_gates: int
    """Of the circuit as it was written."""
    seconds: float
    notes: tuple[str, ...]
    circuit: QuantumCircuit
    """The circuit as the device ran it."""

    def picture(self) -> Html:
        """The histogram, ideal above device."""
        read = {outcome: count / self.shots for outcome, count in self.counts.items()}
        return histogram_svg({_("ideal"): self.ideal, self.device: read})

    def __str__(self) -> str:
        return "\n".join((self._sentence(), *self.notes))

    def _sentence(self) -> str:
        return ngettext(
            "{device}, {shots} shot: distance {distance} from the ideal (a perfect device stays"
            " below {error}); depth {depth} (written: {written_depth}), two-qubit gates {gates}"
            " (written: {written_gates}).",
            "{device}, {shots} shots: distance {distance} from the ideal (a perfect device stays"
            " below {error}); depth {depth} (written: {written_depth}), two-qubit gates {gates}"
            " (written: {written_gates}).",
            self.shots,
        ).format(
            device=self.device,
            shots=self.shots,
            distance=f"{self.distance:.3f}",
            error=f"{self.sampling_error:.3f}",
            depth=self.depth,
            written_depth=self.written_depth,
            gates=self.two_qubit_gates,
            written_gates=self.written_two_qubit_gates,
        )

    def _repr_html_(self) -> str:
        said = "".join(
            fill("<p>{words}</p>", words=words) for words in (self._sentence(), *self.notes)
        )
        return (
            f"<style>{draw.theme.css()}</style><section class='qg qg-static'><div class='qg-pane'>"
            f"<h3>{html(_('On a device'))}</h3>{said}{self.picture()}</div></section>"
        )


def run(
    source: Match | QuantumCircuit,
    backend: BackendV2 | BaseSamplerV2 | str | None = None,
    shots: int = 1000,
    *,
    registers: Sequence[str] | None = None,
    seed: int | None = None,
    level: int = 2,
    progress: bool | Progress = True,
) -> Report:
    """Run a match's circuit (dice left out), or any circuit, and compare with the ideal.

    ``backend`` None is Aer without noise; a name such as ``"fake_montreal"`` a snapshot. Compared
    are ``registers``, or as many of the last ones as make 8 bits. ``level`` is Qiskit's optimising
    level, ``progress`` a bar, or a function of the share done and words. Raises DeviceError.
    """
    circuit = _checked_circuit(source)
    if not _whole(shots) or not 1 <= shots <= MOST_SHOTS:
        raise DeviceError(f"expected 1 to {MOST_SHOTS} shots: got {shots!r}")
    chosen, notes = _compared(circuit, registers)
    seed = _seed(seed)
    told = _teller(progress)
    begin = time.perf_counter()
    device = _device(backend, level, seed)
    told(0.0, _("transpiling for {device}").format(device=device.name))
    ready, more = device.prepared(circuit, told)
    counts = _summed(device.counts(ready, shots, told), chosen)
    told(0.95, _("comparing with the ideal"))
    ideal, exact = ideal_shares(circuit, chosen, shots, seed)
    told(1.0, _("done"))
    if not exact:
        notes = [*notes, _("The ideal was sampled on Aer: it is too large to be exact.")]
    return Report(
        device=device.name,
        shots=sum(counts.values()),
        counts=counts,
        ideal=ideal,
        exact=exact,
        distance=distance(counts, ideal),
        sampling_error=sampling_error(ideal, shots if exact else shots * 10 / 11),
        depth=depth(ready),
        two_qubit_gates=two_qubit_gates(ready),
        written_depth=depth(circuit),
        written_two_qubit_gates=two_qubit_gates(circuit),
        seconds=time.perf_counter() - begin,
        notes=(*notes, *more),
        circuit=ready,
    )


# ---- what is run --------------------------------------------------------------------------------


def _checked_circuit(source: Match | QuantumCircuit) -> QuantumCircuit:
    if not isinstance(source, Match | QuantumCircuit):
        raise DeviceError(f"expected a match or a circuit to run: got {source!r}")
    circuit = source.circuit() if isinstance(source, Match) else source
    if not measurements(circuit):
        raise DeviceError("nothing is measured in this circuit: there is nothing to compare")
    try:
        check_complete(circuit)
    except ValueError as error:
        raise DeviceError(str(error)) from None
    for register in circuit.cregs:
        if not re.fullmatch(r"[^\s=]+", register.name):
            raise DeviceError(
                f"expected registers whose names are one word without '=': got {register.name!r}"
            )
    return circuit


def _seed(seed: int | None) -> int | None:
    try:
        return None if seed is None else checked_seed(seed) % 2**63
    except ValueError as error:
        raise DeviceError(str(error)) from None


def measurements(circuit: QuantumCircuit) -> int:
    """How many measurements a circuit has, those inside feed-forward included."""
    return sum(
        sum(measurements(block) for block in item.operation.blocks)
        if isinstance(item.operation, ControlFlowOp)
        else item.name == "measure"
        for item in circuit.data
    )


def feeds_forward(circuit: QuantumCircuit) -> bool:
    """Whether what is measured decides what is done next."""
    return any(isinstance(item.operation, ControlFlowOp) for item in circuit.data)


def depth(circuit: QuantumCircuit) -> int:
    """How many layers of instructions there are; barriers are none."""
    return int(circuit.depth(lambda item: item.operation.name != "barrier"))


def two_qubit_gates(circuit: QuantumCircuit) -> int:
    """How many gates act on two qubits, those inside feed-forward included."""
    return sum(
        sum(two_qubit_gates(block) for block in item.operation.blocks)
        if isinstance(item.operation, IfElseOp)
        else len(item.qubits) == 2 and item.name != "barrier"
        for item in circuit.data
    )


def _compared(
    circuit: QuantumCircuit, registers: Sequence[str] | None
) -> tuple[tuple[str, ...], list[str]]:
    """The registers to compare, and a note if some are left out."""
    sizes = {register.name: register.size for register in circuit.cregs}
    if registers is not None:
        asked: object = [registers] if isinstance(registers, str) else registers
        if not isinstance(asked, list | tuple) or not asked:
            raise DeviceError(f"expected a list of registers to compare: got {registers!r}")
        wanted = list(asked)
        for name in wanted:
            if name not in sizes:
                raise DeviceError(f"unknown register {name!r}: expected some of {', '.join(sizes)}")
        return tuple(name for name in sizes if name in wanted), []
    chosen: list[str] = []
    for name in reversed(sizes):
        if sum(sizes[n] for n in chosen) + sizes[name] > COMPARED and chosen:
            break
        chosen.insert(0, name)
    if len(chosen) == len(sizes):
        return tuple(chosen), []
    note = ngettext(
        "Compared is {count} register, the last of {all}: {names}.",
        "Compared are {count} registers, the last of {all}: {names}.",
        len(chosen),
    )
    return tuple(chosen), [note.format(count=len(chosen), all=len(sizes), names=", ".join(chosen))]


def _summed(counts: Mapping[str, int], registers: Sequence[str]) -> dict[str, int]:
    summed: dict[str, int] = {}
    for text, count in counts.items():
        own = " ".join(w for w in text.split() if w.partition("=")[0] in registers)
        summed[own] = summed.get(own, 0) + count
    return dict(sorted(summed.items(), key=lambda row: (-row[1], row[0])))


# ---- the ideal ----------------------------------------------------------------------------------


def distance(counts: Mapping[str, int], ideal: Mapping[str, float]) -> float:
    """The total variation distance between the shares of ``counts`` and ``ideal``."""
    shots = sum(counts.values())
    outcomes = counts.keys() | ideal.keys()
    return sum(abs(counts.get(o, 0) / shots - ideal.get(o, 0.0)) for o in outcomes) / 2


def sampling_error(ideal: Mapping[str, float], shots: float) -> float:
    """What chance alone does to the distance of ``shots`` perfect shots: mean and three deviations.

    The mean is exact (De Moivre's absolute deviation of a binomial); the variance is at most
    (1 - sum of p squared) / (2 shots), by Efron and Stein.
    """
    mean = sum(_deviation(p, shots) for p in ideal.values()) / 2
    spread = sqrt(max(0.0, 1 - sum(p * p for p in ideal.values())) / (2 * shots))
    return min(mean + 3 * spread, 1.0)  # no distance is larger


def _deviation(p: float, shots: float) -> float:
    """The mean distance between an outcome's share in ``shots`` shots and its probability."""
    if p <= 0 or p >= 1:
        return 0.0
    n = round(shots)
    if n > 10_000:
        return sqrt(2 * p * (1 - p) / (pi * n))
    m = floor(n * p)
    ways = lgamma(n + 1) - lgamma(m + 2) - lgamma(n - m)
    return 2 * (m + 1) / n * exp(ways + (m + 1) * log(p) + (n - m) * log(1 - p))


def ideal_shares(
    circuit: QuantumCircuit, registers: Sequence[str], shots: int, seed: int | None = None
) -> tuple[dict[str, float], bool]:
    """The shares of outcomes without noise, and whether they are exact (else: sampled on Aer).

    DeviceError where Aer cannot run the circuit either.
    """
    many = min(10 * shots, MOST_SHOTS)
    try:
        shares = exact_shares(circuit, registers)
        if shares is not None:
            return shares, True
        found = sample(circuit, many, seed)
    except (CircuitError, QiskitError, RuntimeError) as error:
        raise DeviceError(_refused(_("Aer without noise"), circuit, error)) from error
    assert isinstance(found, dict)
    return {o: n / many for o, n in _summed(found, registers).items()}, False


def exact_shares(circuit: QuantumCircuit, registers: Sequence[str]) -> dict[str, float] | None:
    """The exact distribution of some registers; None where that is not feasible.

    A match falls into its fragments at the barriers; registers that are not asked for are summed
    over at once, so that only those asked for branch.
    """
    if not all(map(_followed, circuit.data)):
        return None
    fragments = list(_fragments(circuit))
    if len(fragments) == 1 and measurements(circuit) > FEASIBLE:
        return None
    wires = circuit.qregs[0].size
    branches: dict[Outcome, tuple[float, QuantumState]] = {(): (1.0, QuantumState.zeros(wires))}
    try:
        for fragment in fragments:
            branches = _branched(branches, fragment, registers)
    except ClusterTooLargeError:
        return None
    return {outcome_text(outcome): chance for outcome, (chance, _state) in branches.items()}


def _followed(item: Any) -> bool:
    """Whether an instruction can be followed exactly: gates, resets, measurements, if_test."""
    operation = item.operation
    if isinstance(operation, IfElseOp):
        simple = isinstance(operation.condition, tuple)
        return simple and all(map(_followed, (i for b in operation.blocks for i in b.data)))
    return isinstance(operation, Gate) or item.name in ("measure", "reset", "barrier")


def _branched(
    branches: Mapping[Outcome, tuple[float, QuantumState]],
    fragment: QuantumCircuit,
    registers: Sequence[str],
) -> dict[Outcome, tuple[float, QuantumState]]:
    grown: dict[Outcome, tuple[float, QuantumState]] = {}
    asked = [register.name for register in fragment.cregs if register.name in registers]
    for before, (chance, state) in branches.items():
        odds = state.odds(fragment, asked) if asked else {(): 1.0}
        for read, share in odds.items():
            known = dict(read)
            whole = tuple((r.name, known.get(r.name, UNREAD * r.size)) for r in fragment.cregs)
            grown[before + read] = (chance * share, state.follow(fragment, whole))
    return grown


def _fragments(circuit: QuantumCircuit) -> Iterator[QuantumCircuit]:
    """The circuit cut at barriers over all wires if every piece stands alone, else in one piece.

    No two pieces may share a classical register, or a qubit that is no wire.
    """
    wires = circuit.qregs[0]
    pieces: list[list[Any]] = [[]]
    for item in circuit.data:
        if item.name == "barrier" and set(wires) <= set(item.qubits):
            pieces.append([])
        else:
            pieces[-1].append(item)
    pieces = [piece for piece in pieces if piece]
    registers = {
        bit: {r for r, _place in circuit.find_bit(bit).registers} or {bit} for bit in circuit.clbits
    }
    written = [{r for i in piece for c in i.clbits for r in registers[c]} for piece in pieces]
    fresh = [{q for i in piece for q in i.qubits}.difference(wires) for piece in pieces]
    for touched in (written, fresh):
        if sum(map(len, touched)) > len(set().union(*touched)):
            pieces = [[item for piece in pieces for item in piece]]
            break
    for piece in pieces:
        yield _piece(circuit, piece)


def _piece(circuit: QuantumCircuit, items: Sequence[Any]) -> QuantumCircuit:
    qubits = {q for item in items for q in item.qubits}
    clbits = {c for item in items for c in item.clbits}
    fragment = QuantumCircuit(
        circuit.qregs[0],
        *(r for r in circuit.qregs[1:] if qubits & set(r)),
        *(r for r in circuit.cregs if clbits & set(r)),
    )
    for item in items:
        fragment.append(item)
    return fragment


# ---- devices ------------------------------------------------------------------------------------


class _Device:
    """Something that runs circuits: Aer without noise here, others in the classes below."""

    name = "Aer"

    def __init__(self, level: int = 2, seed: int | None = None) -> None:
        self.level = level
        fresh = np.random.SeedSequence().generate_state(1)[0]
        self.seed = int(fresh) if seed is None else seed

    def prepared(self, circuit: QuantumCircuit, told: Progress) -> tuple[QuantumCircuit, list[str]]:
        """The circuit as the device runs it, and what had to be changed, in sentences."""
        return circuit, []

    def counts(self, circuit: QuantumCircuit, shots: int, told: Progress) -> dict[str, int]:
        """Shots by outcome, run in a few batches so that the bar moves."""
        total: dict[str, int] = {}
        batches = np.array_split(np.arange(shots), min(BATCHES, shots))
        for n, batch in enumerate(batches):
            words = _("{done} of {shots} shots on {device}")
            told(
                0.3 + 0.6 * n / len(batches),
                words.format(done=int(batch[0]), shots=shots, device=self.name),
            )
            seed = int(np.random.SeedSequence((self.seed, n)).generate_state(1)[0])
            for text, count in self.batch(circuit, len(batch), seed).items():
                total[text] = total.get(text, 0) + count
        return total

    def batch(self, circuit: QuantumCircuit, shots: int, seed: int) -> dict[str, int]:
        """One batch of shots."""
        found = sample(circuit, shots, seed)
        assert isinstance(found, dict)
        return found


class _Backend(_Device):
    """A ``BackendV2``; a snapshot of a device is imitated by Aer."""

    def __init__(self, backend: BackendV2, level: int, seed: int | None) -> None:
        super().__init__(level, seed)
        self.backend = backend
        self.name = str(backend.name)
        self.target = backend.target
        self.simulated = _module(backend).startswith(SNAPSHOTS)

    def prepared(self, circuit: QuantumCircuit, told: Progress) -> tuple[QuantumCircuit, list[str]]:
        """Transpiled, with feed-forward kept where the device can."""
        if self.target.num_qubits is not None and circuit.num_qubits > self.target.num_qubits:
            raise DeviceError(
                f"{self.name} has {self.target.num_qubits} qubits: this circuit needs"
                f" {circuit.num_qubits}"
            )
        target, notes = self.target, []
        if feeds_forward(circuit) and "if_else" not in target.operation_names:
            if self.simulated:
                target = copy.deepcopy(target)
                target.add_instruction(IfElseOp, name="if_else")
                words = _("{device} has no feed-forward of its own: Aer, with its noise, does it.")
            else:
                circuit = without_feed_forward(circuit, self.name)
                words = _(
                    "{device} has no feed-forward: controlled gates, with the same odds,"
                    " replace it."
                )
            notes.append(words.format(device=self.name))
        manager = generate_preset_pass_manager(
            self.level, target=target, seed_transpiler=self.seed % 2**31
        )

        def passed(**known: Any) -> None:
            """Tell how far the transpiler is: nobody knows how many passes there will be."""
            words = _("transpiling for {device}: {name}")
            share = 0.3 * (1 - 0.97 ** known["count"])
            told(share, words.format(device=self.name, name=type(known["pass_"]).__name__))

        return manager.run(circuit, callback=passed), notes

    def batch(self, circuit: QuantumCircuit, shots: int, seed: int) -> dict[str, int]:
        """A job of the backend, or of Aer with its noise."""
        options: dict[str, Any] = {}
        runner = self.backend
        if self.simulated:
            runner = noisy_simulator(self.backend)
        if _module(runner).startswith("qiskit_aer"):
            options = {"seed_simulator": seed}
        try:
            result = runner.run(circuit, shots=shots, **options).result()
        except Exception as error:
            raise DeviceError(_refused(self.name, circuit, error)) from error
        if not result.success:
            raise DeviceError(_refused(self.name, circuit, getattr(result, "status", "failed")))
        return {_text(circuit, key): n for key, n in result.get_counts().items()}


class _Sampler(_Device):
    """A ``SamplerV2``, transpiled for its backend where it has one."""

    def __init__(self, sampler: BaseSamplerV2, level: int, seed: int | None) -> None:
        super().__init__(level, seed)
        self.sampler = sampler
        backend = _backend_of(sampler)
        self.under = None if backend is None else _Backend(backend, level, seed)
        self.name = type(sampler).__name__ if self.under is None else self.under.name
        if self.under is not None:
            self.under.simulated = False

    def prepared(self, circuit: QuantumCircuit, told: Progress) -> tuple[QuantumCircuit, list[str]]:
        """Transpiled for the sampler's backend."""
        return (circuit, []) if self.under is None else self.under.prepared(circuit, told)

    def counts(self, circuit: QuantumCircuit, shots: int, told: Progress) -> dict[str, int]:
        """All shots in one job: a real device has a queue."""
        told(0.3, _("{shots} shots on {device}").format(shots=shots, device=self.name))
        try:
            data = self.sampler.run([circuit], shots=shots).result()[0].data
        except Exception as error:
            raise DeviceError(_refused(self.name, circuit, error)) from error
        columns = [data[register.name].get_bitstrings() for register in circuit.cregs]
        total: dict[str, int] = {}
        for row in zip(*columns, strict=True):
            pairs = zip(circuit.cregs, row, strict=True)
            text = outcome_text(tuple((r.name, bits[::-1]) for r, bits in pairs))
            total[text] = total.get(text, 0) + 1
        return total


SNAPSHOTS = ("qiskit_ibm_runtime.fake_provider", "qiskit.providers.fake_provider")


def _device(backend: Any, level: int, seed: int | None) -> _Device:
    if backend is None:
        return _Device(level, seed)
    if isinstance(backend, str):
        backend = fake(backend)
    if isinstance(backend, BaseSamplerV2):
        return _Sampler(backend, level, seed)
    if not isinstance(backend, BackendV2):
        raise DeviceError(
            f"expected a Qiskit BackendV2 or SamplerV2, a snapshot's name or None: got {backend!r}"
        )
    if _module(backend).startswith("qiskit_ibm_runtime.") and not _module(backend).startswith(
        SNAPSHOTS
    ):
        from qiskit_ibm_runtime import SamplerV2  # a real device takes samplers only

        return _Sampler(SamplerV2(mode=backend), level, seed)
    return _Backend(backend, level, seed)


def _module(thing: object) -> str:
    return type(thing).__module__


def _backend_of(sampler: Any) -> BackendV2 | None:
    for name in ("backend", "_backend"):
        found = getattr(sampler, name, None)
        found = found() if callable(found) and not isinstance(found, BackendV2) else found
        if isinstance(found, BackendV2):
            return found
    return None


def fakes() -> tuple[str, ...]:
    """The names of all snapshots that ``qgames[hardware]`` brings along."""
    return tuple(sorted(_snapshots()))


def fake(name: str) -> BackendV2:
    """The snapshot of a device, by its name: ``fake("fake_montreal")``; DeviceError if unknown."""
    known = _snapshots()
    if name not in known:
        raise DeviceError(
            f"unknown snapshot {name!r}: expected one such as fake_montreal;"
            " devices.fakes() lists all"
        )
    return known[name]()


def _snapshots() -> dict[str, type[BackendV2]]:
    try:
        from qiskit_ibm_runtime import fake_provider
    except ImportError:
        raise DeviceError(
            "snapshots of devices need qiskit-ibm-runtime: pip install 'qgames[hardware]'"
        ) from None
    found = {}
    for name, kind in vars(fake_provider).items():
        if isinstance(kind, type) and issubclass(kind, BackendV2):
            words = re.findall(r"[A-Z][a-z0-9]*", name.removesuffix("V2").removesuffix("Backend"))
            found["_".join(words).lower()] = kind
    return found


def _text(circuit: QuantumCircuit, key: str) -> str:
    """A key of ``get_counts`` (last register first, bit 0 last) as an outcome's text."""
    bits = key.replace(" ", "")[::-1]
    pairs = []
    for register in circuit.cregs:
        own, bits = bits[: register.size], bits[register.size :]
        pairs.append((register.name, own))
    return outcome_text(tuple(pairs))


def _refused(device: str, circuit: QuantumCircuit, error: object) -> str:
    """One sentence: what the device would have to be able to do, and what it said."""
    needs = []
    if _measures_midway(circuit):
        needs.append("measures in the middle")
    if feeds_forward(circuit):
        needs.append("feeds forward")
    what = f"the circuit {' and '.join(needs)}, and " if needs else ""
    said = " ".join(str(error).split())[:300]
    return f"{device} could not run it: {what}it said {said!r}"


def _measures_midway(circuit: QuantumCircuit) -> bool:
    measured: set[Any] = set()
    for item in circuit.data:
        if item.name == "barrier":
            continue
        if measured & set(item.qubits):
            return True
        if item.name == "measure":
            measured |= set(item.qubits)
    return False


# ---- feed-forward as controlled gates ------------------------------------------------------------


def without_feed_forward(circuit: QuantumCircuit, device: str = "this device") -> QuantumCircuit:
    """The same odds without feed-forward: each condition becomes controls on the qubits measured.

    That is right as long as those qubits were left alone since. Else DeviceError says so.
    """
    plain = circuit.copy_empty_like()
    source: dict[Any, Any] = {}
    for item in circuit.data:
        if not isinstance(item.operation, IfElseOp):
            if item.name == "barrier":
                plain.append(item)
                continue
            for bit in [c for c, q in source.items() if q in item.qubits]:
                del source[bit]
            if item.name == "measure":
                source[item.clbits[0]] = item.qubits[0]
            plain.append(item)
            continue
        _controlled(plain, item, source, device)
        changed = {
            item.qubits[block.find_bit(q).index]
            for block in item.operation.blocks
            for inner in block.data
            for q in inner.qubits
        }
        for bit in [c for c, q in source.items() if q in changed]:
            del source[bit]  # the qubit no longer says what was measured
    return plain


def _controlled(plain: QuantumCircuit, item: Any, source: Mapping[Any, Any], device: str) -> None:
    target, value = item.operation.condition
    tested = list(target) if isinstance(target, ClassicalRegister) else [target]
    controls = [source.get(bit) for bit in tested]
    blocks = item.operation.blocks
    fits = None not in controls and (len(blocks) == 1 or len(tested) == 1)
    for number, block in enumerate(blocks):
        state = int(value) if number == 0 else 1 - int(value)
        for inner in block.data:
            qubits = [item.qubits[block.find_bit(q).index] for q in inner.qubits]
            if not fits or inner.clbits or set(qubits) & set(controls):
                raise DeviceError(
                    f"{device} has no feed-forward, and a gate that waits for {_tested(target)}"
                    " cannot be written without: its qubits are used again. Choose a device with"
                    " dynamic circuits, or Aer"
                )
            gate = inner.operation.control(len(controls), ctrl_state=state)
            plain.append(gate, [*controls, *qubits])


def _tested(target: Any) -> str:
    return repr(target.name) if isinstance(target, ClassicalRegister) else "a measured bit"


# ---- the bar ------------------------------------------------------------------------------------


def _whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def _teller(progress: bool | Progress) -> Progress:
    if not isinstance(progress, bool) and not callable(progress):
        raise DeviceError(f"expected progress=True, False or a function: got {progress!r}")
    return progress if callable(progress) else _bar if progress else _silent


def _silent(share: float, words: str) -> None:
    """No bar."""


def _bar(share: float, words: str) -> None:
    """A bar in one line, in a terminal or under a cell; nothing where output goes to a file."""
    in_kernel = _module(sys.stdout).startswith("ipykernel")
    if not (in_kernel or sys.stdout.isatty()):
        return
    full = round(20 * share)
    end = "\n" if share >= 1 else ""
    line = f"[{'#' * full}{'.' * (20 - full)}] {percent(share)}  {words}"
    sys.stdout.write(f"\r{line:<78.78}{end}")
    sys.stdout.flush()
