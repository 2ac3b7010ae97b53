"""One step taken apart: its fragment, and the state after each instruction, as one viewer knows it.

Everything is worked out from a view: a seat's walk is over that seat's belief, and bits that were
not that seat's to read stay open. A teacher asks for :meth:`qgames.Match.truth` instead.
"""

from __future__ import annotations

from functools import cached_property

from qiskit import QuantumCircuit

from qgames.core import RESIGN, Move, Step, View
from qgames.quantum import Outcome, QuantumState, Stage, without_dice

MOST_DICE = 64
"""A step that only throws dice shows them up to this many."""


class Walk:
    """Step number ``step`` of a view's record, counted from 0, or from the end if it is negative.

    Dice that touch none of the game's wires are left out, unless ``dice`` or few are all there is.
    Raises ValueError for a step that the record does not have.
    """

    def __init__(self, view: View, step: int = -1, *, dice: bool = False) -> None:
        count = len(view.history)
        if not count:
            raise ValueError("expected a match with a step to look into: its record is empty")
        if not _whole(step) or not -count <= step < count:
            raise ValueError(f"expected a step from {_range(count)}: got {step!r}")
        self.view = view
        self.number = step % count
        self.dice = dice
        self._moment = view.history[self.number]

    @property
    def step(self) -> Step:
        """The move and what it measured, as far as the viewer may read it."""
        return self._moment.step

    @property
    def move(self) -> Move:
        """The move."""
        return self.step.move

    @property
    def before(self) -> QuantumState:
        """What the viewer knew of the game's wires before the step."""
        return self._moment.before.state

    @property
    def after(self) -> QuantumState:
        """What the viewer knew of the game's wires after the step."""
        following = self.number + 1
        if following < len(self.view.history):
            return self.view.history[following].before.state
        return self.view.position.state

    @cached_property
    def whole(self) -> QuantumCircuit:
        """The fragment with all its dice."""
        if self.move == RESIGN:
            return self.view.game.circuit()
        return self.view.game.fragment(self._moment.before, self.move)

    @cached_property
    def fragment(self) -> QuantumCircuit:
        """The fragment that is walked through."""
        if self.dice:
            return self.whole
        short = without_dice(self.whole)
        only_dice = not short.data and self.whole.num_qubits - short.num_qubits <= MOST_DICE
        return self.whole if only_dice else short

    @property
    def outcome(self) -> Outcome:
        """What the fragment measured, register by register; ``?`` where it was not to be read."""
        own = {register.name for register in self.fragment.cregs}
        return tuple((name, bits) for name, bits in self.step.outcome if name in own)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The state before the fragment and after each of its instructions."""
        return self.before.walk(self.fragment, self.outcome)

    def __len__(self) -> int:
        """How many instructions the fragment has."""
        return len(self.fragment.data)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What each qubit of the fragment is called: the game's wires, then the fresh ones."""
        names = list(self.view.game.wire_labels)
        for register in self.fragment.qregs[1:]:
            many = register.size > 1
            names += [
                f"{register.name}{n}" if many else register.name for n in range(register.size)
            ]
        return tuple(names)

    @cached_property
    def touched(self) -> tuple[int, ...]:
        """The fragment's qubits that an instruction acts on, ascending."""
        places = {
            self.fragment.find_bit(qubit).index
            for instruction in self.fragment.data
            if instruction.name != "barrier"
            for qubit in instruction.qubits
        }
        return tuple(sorted(places))

    @cached_property
    def concerned(self) -> tuple[int, ...]:
        """The touched qubits, and those that are entangled or correlated with them on the way."""
        touched = set(self.touched)
        linked = {
            qubit
            for stage in (self.stages[0], self.stages[-1])
            for wires in stage.state.clusters
            if touched.intersection(wires)
            for qubit in wires
        }
        return tuple(sorted(touched | linked))


def _whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def _range(count: int) -> str:
    return f"0 to {count - 1}, or from -{count} to -1"
