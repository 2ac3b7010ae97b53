"""An independent calculation in plain numpy: dense vectors, gates typed in here, nothing of qgames.

The circuit part (`branches`) walks a Qiskit circuit and keeps every branch of every measurement.
The QLANET part (`Sheet`) does not look at circuits at all: it reads a record, line by line, and
does what the rule sheet says with projectors. Axis k of a state is wire k.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

R = np.sqrt(0.5)
I2, X = np.eye(2), np.array([[0, 1], [1, 0]])
Y, Z = np.array([[0, -1j], [1j, 0]]), np.diag([1, -1])
H = R * np.array([[1, 1], [1, -1]])


def turned(axis: np.ndarray, angle: float) -> np.ndarray:
    """exp(-i angle/2 axis) for an axis that squares to 1."""
    return np.cos(angle / 2) * np.eye(len(axis)) - 1j * np.sin(angle / 2) * axis


def controlled(gate: np.ndarray) -> np.ndarray:
    """First operand is the control; operands are listed most significant first here."""
    size = len(gate)
    return np.block([[np.eye(size), np.zeros((size, size))], [np.zeros((size, size)), gate]])


SWAP = np.eye(4)[[0, 2, 1, 3]]
ISWAP = np.array([[1, 0, 0, 0], [0, 0, 1j, 0], [0, 1j, 0, 0], [0, 0, 0, 1]])


def xx_plus_yy(theta: float, beta: float) -> np.ndarray:
    """Operands (q0, q1) with q0 first in the index, so |10> here is Qiskit's |01>."""
    c, s = np.cos(theta / 2), np.sin(theta / 2)
    up, down = -1j * s * np.exp(-1j * beta), -1j * s * np.exp(1j * beta)
    return np.array([[1, 0, 0, 0], [0, c, down, 0], [0, up, c, 0], [0, 0, 0, 1]])


GATES: dict[str, Any] = {
    "id": lambda: I2,
    "x": lambda: X,
    "y": lambda: Y,
    "z": lambda: Z,
    "h": lambda: H,
    "s": lambda: np.diag([1, 1j]),
    "sdg": lambda: np.diag([1, -1j]),
    "t": lambda: np.diag([1, np.exp(0.25j * np.pi)]),
    "tdg": lambda: np.diag([1, np.exp(-0.25j * np.pi)]),
    "sx": lambda: 0.5 * np.array([[1 + 1j, 1 - 1j], [1 - 1j, 1 + 1j]]),
    "rx": lambda a: turned(X, a),
    "ry": lambda a: turned(Y, a),
    "rz": lambda a: turned(Z, a),
    "p": lambda a: np.diag([1, np.exp(1j * a)]),
    "cx": lambda: controlled(X),
    "cy": lambda: controlled(Y),
    "cz": lambda: controlled(Z),
    "ch": lambda: controlled(H),
    "cp": lambda a: np.diag([1, 1, 1, np.exp(1j * a)]),
    "swap": lambda: SWAP,
    "iswap": lambda: ISWAP,
    "xx_plus_yy": xx_plus_yy,
    "ccx": lambda: controlled(controlled(X)),
    "cswap": lambda: controlled(SWAP),
    "cx_o0": lambda: np.kron(X, I2) @ controlled(X) @ np.kron(X, I2),
}


def zeros(wires: int) -> np.ndarray:
    """All wires in |0>."""
    state = np.zeros((2,) * wires, dtype=complex)
    state[(0,) * wires] = 1
    return state


def applied(state: np.ndarray, gate: np.ndarray, wires: Sequence[int]) -> np.ndarray:
    """The gate on ``wires``, the first of which is the most significant index of its matrix."""
    n = len(wires)
    tensor = np.asarray(gate, dtype=complex).reshape((2,) * (2 * n))
    moved = np.tensordot(tensor, state, axes=(range(n, 2 * n), wires))
    return np.moveaxis(moved, range(n), wires)


def projected(state: np.ndarray, wire: int, bit: int) -> np.ndarray:
    """What is left of the state when ``wire`` is found in ``bit``; not normalised."""
    kept = np.zeros_like(state)
    where = [slice(None)] * state.ndim
    where[wire] = bit
    kept[tuple(where)] = state[tuple(where)]
    return kept


def flat(state: np.ndarray) -> np.ndarray:
    """The statevector with wire 0 least significant, as Qiskit has it."""
    return state.transpose(*reversed(range(state.ndim))).ravel()


def folded(vector: np.ndarray) -> np.ndarray:
    """The inverse of `flat`."""
    n = len(vector).bit_length() - 1
    return np.asarray(vector).reshape((2,) * n).transpose(*reversed(range(n)))


def reduced(state: np.ndarray, wires: Sequence[int]) -> np.ndarray:
    """Reduced density matrix (not normalised if the state is not), wires[0] least significant."""
    rest = [w for w in range(state.ndim) if w not in wires]
    table = state.transpose(*reversed(wires), *rest).reshape(2 ** len(wires), -1)
    return table @ table.conj().T


def same(a: np.ndarray, b: np.ndarray, within: float = 1e-9) -> bool:
    """Equal vectors up to a global phase."""
    phase = np.vdot(a, b)
    if abs(phase) < 0.5:
        return False
    return bool(np.abs(a * (phase / abs(phase)) - b).max() < within)


# ---- circuits ------------------------------------------------------------------------------------

Bits = tuple[int, ...]


def branches(
    circuit: Any, state: np.ndarray | None = None, known: Mapping[int, int] | None = None
) -> list[tuple[Bits, np.ndarray]]:
    """Every branch of a circuit: its classical bits and its vector, whose square is its chance.

    ``state`` covers the first wires; all others start in |0>. A reset makes two branches that share
    their bits. With ``known`` (clbit: value, each written once) only branches that agree are kept.
    """
    fresh = circuit.num_qubits - (0 if state is None else state.ndim)
    start = zeros(fresh) if state is None else np.multiply.outer(state, zeros(fresh))
    found = [((0,) * circuit.num_clbits, start)]
    asked = dict(known or {})
    for instruction in circuit.data:
        qubits = [circuit.find_bit(q).index for q in instruction.qubits]
        clbits = [circuit.find_bit(c).index for c in instruction.clbits]
        found = list(_stepped(found, instruction.operation, qubits, clbits, circuit))
        if instruction.operation.name == "measure":
            found = [b for b in found if b[0][clbits[0]] == asked.get(clbits[0], b[0][clbits[0]])]
    return [b for b in found if all(b[0][c] == bit for c, bit in asked.items())]


def _stepped(
    found: list[tuple[Bits, np.ndarray]],
    operation: Any,
    qubits: list[int],
    clbits: list[int],
    circuit: Any,
) -> Iterator[tuple[Bits, np.ndarray]]:
    for bits, state in found:
        for new_bits, after in _one(bits, state, operation, qubits, clbits, circuit):
            if np.vdot(after, after).real > 1e-14:
                yield new_bits, after


def _one(
    bits: Bits,
    state: np.ndarray,
    operation: Any,
    qubits: list[int],
    clbits: list[int],
    circuit: Any,
) -> Iterator[tuple[Bits, np.ndarray]]:
    name = operation.name
    if name == "barrier":
        yield bits, state
    elif name == "measure":
        for bit in (0, 1):
            written = (*bits[: clbits[0]], bit, *bits[clbits[0] + 1 :])
            yield written, projected(state, qubits[0], bit)
    elif name == "reset":
        yield bits, projected(state, qubits[0], 0)
        yield bits, applied(projected(state, qubits[0], 1), X, qubits)
    elif name == "if_else":
        target, value = operation.condition
        tested = [target] if not hasattr(target, "__len__") else list(target)
        now = sum(bits[circuit.find_bit(c).index] << k for k, c in enumerate(tested))
        chosen = [
            b
            for b, met in zip(operation.blocks, (True, False), strict=False)
            if met == (now == int(value))
        ]
        inner = [(bits, state)]
        for block in chosen:
            for instruction in block.data:
                mine = [qubits[block.find_bit(q).index] for q in instruction.qubits]
                own = [clbits[block.find_bit(c).index] for c in instruction.clbits]
                inner = list(_stepped(inner, instruction.operation, mine, own, circuit))
        yield from inner
    else:
        yield bits, applied(state, GATES[name](*map(float, operation.params)), qubits)


def text_of(circuit: Any, bits: Bits) -> str:
    """Bits as a record writes them: ``p0=01 dice=110``, bit 0 first."""
    return " ".join(
        f"{r.name}={''.join(str(bits[circuit.find_bit(c).index]) for c in r)}"
        for r in circuit.cregs
    )


def odds(circuit: Any, state: np.ndarray | None = None) -> dict[str, float]:
    """The probability of every outcome of a circuit."""
    table: dict[str, float] = {}
    for bits, after in branches(circuit, state):
        key = text_of(circuit, bits)
        table[key] = table.get(key, 0.0) + float(np.vdot(after, after).real)
    return table


# ---- QLANET, from its rule sheet -----------------------------------------------------------------

CARDS = "x h z m cx0 cx1 sw bm".split()
COST = {"x": 6, "h": 3, "z": 2, "m": 10, "cx0": 3, "cx1": 3, "sw": 3, "bm": 8}
KET = {"0": [1, 0], "1": [0, 1], "+": [R, R], "-": [R, -R]}
BELL = {
    "P+": R * np.array([1, 0, 0, 1]),
    "P-": R * np.array([1, 0, 0, -1]),
    "S+": R * np.array([0, 1, 1, 0]),
    "S-": R * np.array([0, 1, -1, 0]),
}
CODE = {"00": "P+", "10": "P-", "01": "S+", "11": "S-"}
PLANET_5 = {"00": "0", "10": "1", "01": "+", "11": "-"}
ROWS = "123 456 789 147 258 369 159 357".split()


def ket(symbols: str) -> np.ndarray:
    """The product state that ``+0-`` spells, wire 0 first."""
    state = np.ones(())
    for symbol in symbols:
        state = np.multiply.outer(state, np.array(KET[symbol], dtype=complex))
    return state


@dataclass
class Sheet:
    """One match of QLANET by its rule sheet: dense state, totals, hands, fixed planets, turn."""

    sw_cost: int = 3
    cards: Sequence[str] = tuple(CARDS)
    hand_size: int = 4
    any_card: bool = False
    random_layout: bool = False
    first: int | str = 0
    limit: int = 200
    state: np.ndarray = field(default_factory=lambda: zeros(9))
    totals: list[int] = field(default_factory=lambda: [0, 0])
    hands: list[list[str | None]] = field(default_factory=lambda: [[], []])
    fixed: dict[int, int] = field(default_factory=dict)
    to_move: int | None = None
    last: int = 0
    turns: int = 0
    winner: int | None = None
    over: bool = False

    def play(self, line: str) -> float:
        """One line of a record; returns the probability of what was read, dice left out."""
        words = [w for w in line.split() if "=" not in w]
        bits = dict(w.split("=") for w in line.split() if "=" in w)
        verb, planets = words[0], [int(w) for w in words[1:]]
        if verb == "deal":
            return self._deal(bits)
        mover = self.last if self.to_move is None else self.to_move
        chance = 1.0
        if verb in ("draw", "redraw"):
            if verb == "redraw":
                self.hands[mover] = [None] * self.hand_size
        else:
            chance = self._card(
                verb, [p - 1 for p in planets], bits.get(f"p{mover}"), bits.get("fixed")
            )
            self.totals[mover] += self.sw_cost if verb == "sw" else COST[verb]
            self.turns += 1
            self.last = mover
            if not self.any_card:
                self.hands[mover][self.hands[mover].index(verb)] = None
        self._draw(bits.get("dice", ""))
        if verb != "redraw":
            self._end_of_turn()
        return chance

    def _deal(self, bits: dict[str, str]) -> float:
        symbols = list("++--?--++")
        if self.random_layout:
            for bit, (one, other) in zip(
                bits["layout"], ((1, 3), (9, 7), (2, 6), (8, 4)), strict=True
            ):
                symbols[one - 1], symbols[other - 1] = "+-" if bit == "0" else "-+"
        symbols[4] = PLANET_5[bits["sealed"]]
        self.state = ket("".join(symbols))
        self.hands = [[None] * self.hand_size, [None] * self.hand_size]
        if self.any_card:
            self.hands = [list(self.cards), list(self.cards)]
        self._draw(bits.get("dice", ""))
        self.last = int(bits["first"]) if self.first == "random" else int(self.first)
        self.to_move = self.last
        return 0.25

    def _draw(self, dice: str) -> None:
        """Three bits a card, into the empty places, player 0's first."""
        empty = [(hand, n) for hand in self.hands for n, card in enumerate(hand) if card is None]
        assert len(dice) == 3 * len(empty)
        for (hand, n), k in zip(empty, range(0, len(dice), 3), strict=True):
            d0, d1, d2 = (int(b) for b in dice[k : k + 3])
            card = CARDS[4 * d2 + 2 * d1 + d0]
            hand[n] = card if card in self.cards else None

    def _card(self, verb: str, wires: list[int], code: str | None, fixed: str | None) -> float:
        assert not {w + 1 for w in wires} & set(self.fixed)
        assert len(set(wires)) == len(wires)
        if verb in ("x", "h", "z"):
            self.state = applied(self.state, {"x": X, "h": H, "z": Z}[verb], wires)
        elif verb in ("cx0", "cx1"):
            on = int(verb[-1])
            flipped = applied(projected(self.state, wires[0], on), X, wires[1:])
            self.state = flipped + projected(self.state, wires[0], 1 - on)
        elif verb == "sw":
            self.state = np.swapaxes(self.state, *wires)
        elif verb == "m":
            assert fixed is not None
            self.fixed[wires[0] + 1] = int(fixed)
            return self._keep(projected(self.state, wires[0], int(fixed)))
        else:
            assert code is not None
            bell = BELL[CODE[code]]
            return self._keep(applied(self.state, np.outer(bell, bell), wires))
        return 1.0

    def _keep(self, branch: np.ndarray) -> float:
        chance = float(np.vdot(branch, branch).real)
        assert chance > 1e-9, "the record says what cannot have happened"
        self.state = branch / np.sqrt(chance)
        return chance

    def _end_of_turn(self) -> None:
        for side in (0, 1):
            own = [p for p in self.fixed if self.fixed[p] == side]
            if len(own) >= 5 or any(set(map(int, row)) <= set(own) for row in ROWS):
                self.over, self.winner, self.to_move = True, side, None
                return
        if self.turns >= self.limit:
            self._count_out()
        elif None in self.hands[0] + self.hands[1] or self.totals[0] == self.totals[1]:
            self.to_move = self.last
        else:
            self.to_move = 0 if self.totals[0] < self.totals[1] else 1

    def _count_out(self) -> None:
        self.over, self.to_move = True, None
        owned = [list(self.fixed.values()).count(side) for side in (0, 1)]
        for mine, theirs in ((owned[0], owned[1]), (self.totals[1], self.totals[0])):
            if mine != theirs:
                self.winner = 0 if mine > theirs else 1
                return


def subsets(items: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All non-empty subsets that hold the first item and are not everything."""
    head, *rest = items
    for chosen in product((False, True), repeat=len(rest)):
        if not all(chosen):
            yield (head, *(i for i, c in zip(rest, chosen, strict=True) if c))


def finest(vector: np.ndarray) -> list[tuple[int, ...]]:
    """The finest grouping of wires into a product, by trying every cut (Schmidt rank 1)."""
    state = folded(vector)
    left, groups = list(range(state.ndim)), []
    while left:
        group = _smallest_factor(state, left)
        groups.append(group)
        left = [w for w in left if w not in group]
    return sorted(groups)


def _smallest_factor(state: np.ndarray, left: list[int]) -> tuple[int, ...]:
    cuts = sorted(subsets(left), key=len)
    for group in cuts:
        rest = [w for w in range(state.ndim) if w not in group]
        table = state.transpose(*group, *rest).reshape(2 ** len(group), -1)
        if np.linalg.svd(table, compute_uv=False)[1:].max(initial=0) < 1e-8:
            return group
    return tuple(left)
