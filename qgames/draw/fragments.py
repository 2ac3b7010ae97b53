"""Fragments as what is drawn: instructions, the columns they take, the registers they write.

A move's fragment depends on the game's options and on what the viewer saw before it, and on
nothing else: so it is worked out once for each such history (see :func:`pieces`), however many
views, panels and redraws ask for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, ClassVar

from qiskit import ClassicalRegister, QuantumCircuit
from qiskit.circuit import ControlledGate, IfElseOp

from qgames.core import RESIGN, Move, Position, Step, View
from qgames.quantum import without_dice

COLUMN = 25.0
"""Pixels of one column of gates."""
MOST_KEPT = 1_000
"""Steps kept for all viewers together, some three to five matches; then all are let go."""


@dataclass(frozen=True)
class Op:
    """One instruction: where it acts and how it looks."""

    name: str
    label: str
    qubits: tuple[int, ...]
    controls: tuple[tuple[int, int], ...] = ()
    """(qubit, value it acts on) pairs."""
    bits: tuple[tuple[str, int], ...] = ()
    """(register, bit) pairs that it writes or, for feed-forward, reads."""
    test: str = ""
    """What feed-forward compares its bits with."""
    blocks: tuple[tuple[Op, ...], ...] = ()

    @property
    def targets(self) -> tuple[int, ...]:
        """The qubits that are no controls."""
        controls = {q for q, _ in self.controls}
        return tuple(q for q in self.qubits if q not in controls)


def operations(fragment: QuantumCircuit) -> tuple[Op, ...]:
    """The instructions of a circuit in order."""
    qubits = {q: n for n, q in enumerate(fragment.qubits)}
    bits = {bit: (r.name, n) for r in fragment.cregs for n, bit in enumerate(r)}
    return tuple(_operations(fragment, qubits, bits))


def _operations(
    circuit: QuantumCircuit, qubits: dict[Any, int], bits: dict[Any, tuple[str, int]]
) -> Iterator[Op]:
    for item in circuit.data:
        places = tuple(qubits[q] for q in item.qubits)
        written = tuple(bits[c] for c in item.clbits if c in bits)
        operation = item.operation
        if isinstance(operation, IfElseOp):
            yield _feed_forward(operation, item, qubits, bits)
        elif isinstance(operation, ControlledGate):
            count, state = operation.num_ctrl_qubits, operation.ctrl_state
            controls = tuple((q, state >> n & 1) for n, q in enumerate(places[:count]))
            yield Op(operation.name, _label(operation.base_gate), places, controls)
        else:
            yield Op(operation.name, _label(operation), places, (), written)


def _feed_forward(
    operation: IfElseOp, item: Any, qubits: dict[Any, int], bits: dict[Any, tuple[str, int]]
) -> Op:
    target, value = operation.condition
    tested = list(target) if isinstance(target, ClassicalRegister) else [target]
    blocks = []
    for body in operation.blocks:
        inner = {q: qubits[o] for q, o in zip(body.qubits, item.qubits, strict=True)}
        read = {c: bits[o] for c, o in zip(body.clbits, item.clbits, strict=True) if o in bits}
        blocks.append(tuple(_operations(body, inner, read)))
    places = tuple(qubits[q] for q in item.qubits)
    asked = tuple(bits[c] for c in tested)
    return Op("if_else", "if", places, (), asked, str(int(value)), tuple(blocks))


_NAMES = {
    "sdg": "S†",
    "tdg": "T†",
    "sx": "√X",
    "sxdg": "√X†",
    "id": "I",
    "iswap": "iSW",
    "reset": "|0⟩",
    "measure": "M",
}


_SHORT = {"iSWAP": "i", "√iSWAP": "√i"}


def _label(operation: Any) -> str:
    """What a gate's box says: ``H``, ``S†``, ``RY 0.79``."""
    if operation.label:
        return _SHORT.get(operation.label, str(operation.label))[:12]
    name = _NAMES.get(operation.name, operation.name.upper())
    values = [p for p in operation.params if isinstance(p, (int, float))]
    return " ".join([name[:12], *(f"{v:.2f}".rstrip("0").rstrip(".") for v in values[:1])])


# ---- columns -------------------------------------------------------------------------------------


def box_width(label: str) -> float:
    """Pixels of a gate's box with its name."""
    return 19.0 if len(label) == 1 else max(19.0, 8 + 8.2 * len(label))


def units(op: Op) -> int:
    """How many columns an instruction takes."""
    if op.blocks:
        return sum(span(block) for block in op.blocks)
    boxed = (
        not op.controls and op.name not in ("measure", "swap", "barrier") and len(op.qubits) == 1
    )
    return ceil((box_width(op.label) + 4) / COLUMN) if boxed else 1


def span(ops: Sequence[Op]) -> int:
    """How many columns instructions take together."""
    return max(placed(ops), default=0) + 1


def placed(ops: Sequence[Op]) -> tuple[int, ...]:
    """The last column of each instruction: to the right of the one before.

    Equal one-qubit gates on different qubits share a column.
    """
    places: list[int] = []
    place, used = -1, set[int]()
    for n, op in enumerate(ops):
        alone = len(op.qubits) > 1 or op.bits or op.blocks
        if n and not alone and op.name == ops[n - 1].name and not used & set(op.qubits):
            used |= set(op.qubits)
        else:
            place, used = place + units(op), set(op.qubits)
        places.append(place)
    return tuple(places)


# ---- fragments -----------------------------------------------------------------------------------


@dataclass
class Piece:
    """One move's fragment without its dice."""

    ops: tuple[Op, ...] = ()
    places: tuple[int, ...] = ()
    spare: tuple[tuple[int, str], ...] = ()
    """(qubit, name) of the fresh qubits that the move links with the game's wires."""
    registers: tuple[tuple[str, int], ...] = ()
    """(name, bits) of its classical registers."""
    drawn: dict[Any, str] = field(default_factory=dict)
    """Drawings of the instructions, by all that they depend on besides this piece."""


def piece(view: View, before: Position, move: Move) -> Piece:
    """The fragment of ``move`` in the position ``before``, which is one that the viewer knew."""
    if move == RESIGN:
        return Piece()
    return piece_of(without_dice(view.game.fragment(before, move)))


def piece_of(fragment: QuantumCircuit) -> Piece:
    """A fragment whose first register is the game's wires."""
    ops = operations(fragment)
    wires = fragment.qregs[0].size
    fresh = sorted({q for op in ops for q in op.qubits if q >= wires})
    spare = tuple((q, _spare_name(fragment, q)) for q in fresh)
    return Piece(ops, placed(ops), spare, tuple((r.name, r.size) for r in fragment.cregs))


def pieces(view: View, first: int) -> list[Piece]:
    """The fragments of all steps from ``first`` on."""
    if _Kept.count > MOST_KEPT:
        _Kept.roots.clear()
        _Kept.count = 0
    options = tuple(sorted((name, repr(value)) for name, value in view.game.option.items()))
    past = _Kept.roots.setdefault((type(view.game), options, view.seat), _Past())
    found = []
    for n, moment in enumerate(view.history):
        past = past.after(moment.step)
        if n >= first:
            if past.piece is None:
                past.piece = piece(view, moment.before, moment.step.move)
            found.append(past.piece)
    return found


@dataclass
class _Past:
    """What a viewer has seen of a match so far, and the fragment of its last step."""

    piece: Piece | None = None
    next: dict[Step, _Past] = field(default_factory=dict)

    def after(self, step: Step) -> _Past:
        """What was seen when ``step`` follows, the same for all who come this way."""
        if step not in self.next:
            self.next[step] = _Past()
            _Kept.count += 1
        return self.next[step]


class _Kept:
    """All pasts, by game, options and seat."""

    roots: ClassVar[dict[Any, _Past]] = {}
    count = 0


def _spare_name(fragment: QuantumCircuit, qubit: int) -> str:
    register, place = fragment.find_bit(fragment.qubits[qubit]).registers[0]
    return f"{register.name}{place}" if register.size > 1 else str(register.name)
