"""What drawings work out from a view: entangled groups through the match, and possible futures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np

from qgames.core import Branch, Moment, Move, Step, View
from qgames.quantum import Cluster, QuantumState, Vector, without_dice

T = TypeVar("T")


def remembered(view: View, name: str, make: Callable[[], T]) -> T:
    """What ``make`` returns, worked out once a view: it is kept with the view and dies with it."""
    kept = view.__dict__.setdefault("_drawn", {})
    if name not in kept:
        kept[name] = make()
    return cast(T, kept[name])


# ---- entangled groups --------------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """Wires that are entangled, or may be as far as the viewer knows."""

    letter: int
    """0 for A. A group keeps its letter as long as one of its wires stays entangled."""
    cluster: Cluster

    @property
    def bond(self) -> Bond:
        """How its wires hang together in the histories that the viewer must reckon with."""
        return bond(self.cluster)

    @property
    def sure(self) -> bool:
        """Whether every wire is entangled in every such history."""
        return len(self.bond.entangled) == len(self.wires)

    @property
    def wires(self) -> tuple[int, ...]:
        """The group's wires, ascending."""
        return self.cluster.wires

    @property
    def name(self) -> str:
        """``A``, ``B``, ...; after Z comes ``A2``."""
        round_, place = divmod(self.letter, 26)
        return chr(65 + place) + (str(round_ + 1) if round_ else "")


def groups(view: View) -> tuple[Group, ...]:
    """The groups now, by letter."""
    return traced(view)[-1]


def group_of(view: View, wire: int) -> Group | None:
    """The group that ``wire`` belongs to now."""
    of_wire = remembered(view, "group_of", lambda: {w: g for g in groups(view) for w in g.wires})
    return of_wire.get(wire)


def traced(view: View) -> tuple[tuple[Group, ...], ...]:
    """The groups before the first step and after each step, with letters that stay with a group."""
    return remembered(view, "traced", lambda: _traced(view))


def states(view: View) -> tuple[QuantumState, ...]:
    """The viewer's belief before the first step and after each step."""
    return (*(moment.before.state for moment in view.history), view.belief)


def _traced(view: View) -> tuple[tuple[Group, ...], ...]:
    rows: list[tuple[Group, ...]] = []
    before: tuple[Group, ...] = ()
    for state in states(view):
        before = _lettered(_linked(state), before)
        rows.append(before)
    return tuple(rows)


def _linked(state: QuantumState) -> list[Cluster]:
    seen: dict[int, Cluster] = {}
    for wire in range(state.wires):
        cluster = state.cluster(wire)
        if len(cluster.wires) > 1:
            seen[id(cluster)] = cluster
    return list(seen.values())


def _lettered(clusters: list[Cluster], before: tuple[Group, ...]) -> tuple[Group, ...]:
    """A cluster takes the letter of the earlier group it shares most wires with, else a new one."""
    free = list(before)
    letters: dict[int, int] = {}
    for cluster in clusters:
        heirs = [g for g in free if set(g.wires) & set(cluster.wires)]
        if heirs:
            heir = max(heirs, key=lambda g: (len(set(g.wires) & set(cluster.wires)), -g.letter))
            free.remove(heir)
            letters[id(cluster)] = heir.letter
    for cluster in clusters:
        if id(cluster) not in letters:
            taken = set(letters.values())
            letters[id(cluster)] = next(n for n in range(len(taken) + 1) if n not in taken)
    found = [Group(letters[id(c)], c) for c in clusters]
    return tuple(sorted(found, key=lambda g: g.letter))


@dataclass(frozen=True)
class Bond:
    """Links inside a cluster: entanglement is read from amplitudes, never from probabilities."""

    parts: tuple[tuple[int, ...], ...]
    """Wires that are entangled with each other in every history; a part has two wires or more."""
    loose: tuple[int, ...]
    """Wires that are in no part: linked in some histories only, or merely correlated."""
    maybe: bool
    """Whether some wires are entangled in some histories but not in all."""

    @property
    def entangled(self) -> frozenset[int]:
        """The wires that are entangled whatever is hidden."""
        return frozenset(w for part in self.parts for w in part)


_BONDS: WeakKeyDictionary[Cluster, Bond] = WeakKeyDictionary()


def bond(cluster: Cluster) -> Bond:
    """The links inside a cluster, worked out once."""
    if cluster not in _BONDS:
        _BONDS[cluster] = _bond(cluster)
    return _BONDS[cluster]


def _bond(cluster: Cluster) -> Bond:
    if cluster.is_pure:  # a pure product would have fallen apart
        return Bond((cluster.wires,), (), False)
    always, sometimes = [], False
    for pair in combinations(range(len(cluster.wires)), 2):
        linked = _linked_in(cluster.vectors, pair)
        if linked.all():
            always.append(pair)
        sometimes = sometimes or bool(linked.any() and not linked.all())
    places = _components(len(cluster.wires), always)
    parts = tuple(tuple(cluster.wires[n] for n in part) for part in places if len(part) > 1)
    loose = tuple(cluster.wires[part[0]] for part in places if len(part) == 1)
    return Bond(parts, loose, sometimes)


def _linked_in(vectors: Vector, pair: tuple[int, int]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """In which rows two qubits stay entangled when all others are found in a generic product state.

    Exactly then they are in one entangled part (Popescu and Rohrlich 1992).
    """
    batch, left = vectors, list(range(vectors.shape[1].bit_length() - 1))
    for place in [n for n in left if n not in pair]:
        angle, phase = 0.61 + 0.37 * place, 0.9 + 1.3 * place
        split = batch.reshape(len(batch), -1, 2, 2 ** left.index(place))
        turned = np.exp(1j * phase) * np.sin(angle)
        batch = (np.cos(angle) * split[:, :, 0] + turned * split[:, :, 1]).reshape(len(batch), -1)
        left.remove(place)
    size = np.einsum("ki,ki->k", batch, batch.conj()).real
    loop = np.abs(batch[:, 0] * batch[:, 3] - batch[:, 1] * batch[:, 2])
    return cast("np.ndarray[Any, np.dtype[np.bool_]]", loop > 1e-7 * np.maximum(size, 1e-12))


def _components(count: int, pairs: list[tuple[int, int]]) -> list[list[int]]:
    """Places joined by pairs, each list ascending, in order of their first place."""
    part_of = {n: [n] for n in range(count)}
    for a, b in pairs:
        if part_of[a] is not part_of[b]:
            merged = sorted(part_of[a] + part_of[b])
            part_of.update(dict.fromkeys(merged, merged))
    return list({id(part): part for part in part_of.values()}.values())


def factor(vector: Vector, places: Sequence[int]) -> Vector:
    """The factor of the qubits at ``places`` in a vector that is a product of it and the rest."""
    count = len(vector).bit_length() - 1
    rest = [n for n in range(count) if n not in places]
    axes = [count - 1 - n for n in reversed([*places, *rest])]
    table = vector.reshape((2,) * count).transpose(axes).reshape(-1, 2 ** len(places))
    row = table[np.argmax(np.einsum("ri,ri->r", table, table.conj()).real)]
    return cast(Vector, row / np.linalg.norm(row))


def reduced(vector: Vector, place: int) -> Vector:
    """The density matrix, shape (2, 2), of the qubit at ``place`` of a vector."""
    split = vector.reshape(-1, 2, 2**place)
    return cast(Vector, np.einsum("hal,hbl->ab", split, split.conj()))


# ---- other moments -----------------------------------------------------------------------------


def opening(view: View, steps: int) -> View:
    """What the viewer knew after the first ``steps`` steps."""
    if steps >= len(view.history):
        return view
    return remembered(
        view,
        f"opening {steps}",
        lambda: view.game.view(view.seat, view.history[steps].before, view.history[:steps]),
    )


def outlook(view: View, move: Move) -> tuple[Branch, ...]:
    """What ``move`` may lead to as far as the viewer knows, likeliest first."""
    return remembered(view, f"outlook {move}", lambda: view.outlook(move))


def foreseen(view: View, branch: Branch, move: Move) -> View:
    """The view that this viewer would have after ``branch`` of ``move``; cards still undrawn."""
    return remembered(
        view, f"foreseen {move} {branch.outcome}", lambda: _foreseen(view, branch, move)
    )


def _foreseen(view: View, branch: Branch, move: Move) -> View:
    step = Step(move, branch.outcome, view.to_move)
    public = view.history[-1].public_after if view.history else view.belief
    fragment = without_dice(view.game.fragment(view.position, move))
    after = public.follow(fragment, step.seen_by(None).outcome)
    moment = Moment(view.position, step.seen_by(view.seat), public, after)
    return view.game.view(view.seat, branch.position, (*view.history, moment))
