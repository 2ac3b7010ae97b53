"""What drawings work out from a view: entangled groups through the match, and views of the future."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np

from qgames.core import Branch, Moment, Move, Step, View
from qgames.quantum import Cluster, QuantumState, Vector, without_dice

T = TypeVar("T")
PURE = 1 - 1e-6


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
    sure: bool
    """Whether every wire is entangled in every history that the viewer must reckon with."""

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
    of_wire = remembered(
        view, "group_of", lambda: {w: g for g in groups(view) for w in g.wires}
    )
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
    """Each cluster takes the letter of the earlier group it shares most wires with, else a new one."""
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
    found = [Group(letters[id(c)], c, len(entangled_wires(c)) == len(c.wires)) for c in clusters]
    return tuple(sorted(found, key=lambda g: g.letter))


_ENTANGLED: WeakKeyDictionary[Cluster, frozenset[int]] = WeakKeyDictionary()


def entangled_wires(cluster: Cluster) -> frozenset[int]:
    """The wires that are entangled with another one in every history: read from amplitudes."""
    if cluster not in _ENTANGLED:
        _ENTANGLED[cluster] = frozenset(
            wire
            for place, wire in enumerate(cluster.wires)
            if all(_purity(vector, place) < PURE for vector in cluster.vectors)
        )
    return _ENTANGLED[cluster]


def reduced(vector: Vector, place: int) -> Vector:
    """The density matrix, shape (2, 2), of the qubit at ``place`` of a vector."""
    split = vector.reshape(-1, 2, 2**place)
    return cast(Vector, np.einsum("hal,hbl->ab", split, split.conj()))


def _purity(vector: Vector, place: int) -> float:
    rho = reduced(vector, place)
    return float(np.real(np.einsum("ij,ji->", rho, rho)))


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


def foreseen(view: View, branch: Branch, move: Move) -> View:
    """The view that this viewer would have after ``branch`` of ``move``; cards are still undrawn."""
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
