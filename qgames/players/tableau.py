"""Beliefs as stabiliser tableaux: what the look-ahead of QLANET's players runs on.

All cards of QLANET are Clifford gates or Pauli measurements, and nobody knows more of planet 5 than
that it is 0, 1, + or -, each as likely: the density matrix 1/2. So a belief is fixed by the signed
Pauli operators that are sure to read +1 (Gottesman 1998): its generators, at most one a planet,
fewer when something is hidden. Every state is real, so such an operator is ``(-1)**s X**a Z**b``,
kept as one number: bit 0 is s, bits 1 to 9 are a (wire 0 first), bits 10 to 18 are b.

Looking ahead by vectors takes milliseconds a card, this takes microseconds. A tableau is read from
the view's belief and from nothing else, and the tests hold its odds against `View.outlook`, card by
card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from qgames.quantum import QuantumState

WIRES = 9
SIGN = 1
X_ON = tuple(2 << wire for wire in range(WIRES))
"""X on each wire."""
Z_ON = tuple(x << WIRES for x in X_ON)
"""Z on each wire."""


def times(p: int, q: int) -> int:
    """The product of two operators: moving Z past X changes the sign, once for each shared wire."""
    return p ^ q ^ ((p >> WIRES + 1 & q >> 1).bit_count() & 1)


def commute(p: int, q: int) -> bool:
    """Whether two operators commute."""
    return not ((p >> WIRES + 1 & q >> 1) ^ (q >> WIRES + 1 & p >> 1)).bit_count() & 1


@dataclass(frozen=True)
class Tableau:
    """A belief by its generators, in the one reduced form: equal beliefs are equal tableaux."""

    rows: tuple[int, ...]

    @classmethod
    def of(cls, belief: QuantumState) -> Tableau:
        """The tableau of a belief of nine wires that Clifford gates and Pauli measurements made."""
        return cls(reduced(row for wires in belief.clusters for row in _stabilisers(belief, wires)))

    # ---- gates -------------------------------------------------------------------------------

    def x(self, wire: int) -> Tableau:
        """X changes the sign of Z."""
        return self._flipped(Z_ON[wire])

    def z(self, wire: int) -> Tableau:
        """Z changes the sign of X."""
        return self._flipped(X_ON[wire])

    def h(self, wire: int) -> Tableau:
        """H exchanges X and Z; X Z becomes Z X = -X Z."""
        x, z = X_ON[wire], Z_ON[wire]
        both = x | z
        return Tableau(
            reduced(
                [g ^ SIGN if g & both == both else g ^ both if g & both else g for g in self.rows]
            )
        )

    def cx(self, control: int, target: int) -> Tableau:
        """CX carries X from control to target, and Z back."""
        x, z, x_too, z_too = X_ON[control], Z_ON[target], X_ON[target], Z_ON[control]
        return Tableau(
            reduced([g ^ (x_too if g & x else 0) ^ (z_too if g & z else 0) for g in self.rows])
        )

    def swap(self, a: int, b: int) -> Tableau:
        """SWAP exchanges what two wires carry."""
        rows = self.rows
        for one, other in ((X_ON[a], X_ON[b]), (Z_ON[a], Z_ON[b])):
            rows = tuple([g ^ one ^ other if bool(g & one) != bool(g & other) else g for g in rows])
        return Tableau(reduced(rows))

    # ---- measurements ------------------------------------------------------------------------

    def expectation(self, operator: int) -> int:
        """1 or -1 if reading ``operator`` is sure to give that, else 0: then both are as likely."""
        for row in self.rows:
            if operator ^ row < operator:
                operator = times(operator, row)
        return 0 if operator > SIGN else 1 - 2 * operator

    def measured(self, operator: int) -> tuple[tuple[float, int, Tableau], ...]:
        """(chance, bit, tableau) for each reading of ``operator``; bit 1 means that it read -1."""
        sure = self.expectation(operator)
        if sure:
            return ((1.0, int(sure < 0), self),)
        kept = self.dephased(operator).rows
        return tuple((0.5, bit, Tableau(reduced([*kept, operator ^ bit]))) for bit in (0, SIGN))

    def dephased(self, operator: int) -> Tableau:
        """The belief when somebody else read ``operator``: what cannot be read with it is lost."""
        odd = [row for row in self.rows if not commute(row, operator)]
        if not odd:
            return self
        kept = [row for row in self.rows if commute(row, operator)]
        return Tableau(reduced([*kept, *(times(row, odd[0]) for row in odd[1:])]))

    @cached_property
    def bloch(self) -> tuple[tuple[int, int], ...]:
        """<Z> and <X> of each wire: (1, 0) is surely 0, (0, -1) surely -, (0, 0) neither."""
        busy = 0
        for row in self.rows:
            busy |= row
        return tuple(
            [
                (0 if busy & x else self.expectation(z), 0 if busy & z else self.expectation(x))
                for x, z in zip(X_ON, Z_ON, strict=True)
            ]
        )

    def _flipped(self, by: int) -> Tableau:
        """The sign of every row with ``by`` changes: the reduced form stays as it is."""
        return Tableau(tuple([g ^ SIGN if g & by else g for g in self.rows]))


def reduced(rows: Iterable[int]) -> tuple[int, ...]:
    """Generators of the same group, largest first, whose leading bits no other generator has.

    A row has the leading bit of another exactly when their sum modulo 2 is the smaller number.
    """
    done: list[int] = []
    for given in rows:
        row = given
        for other in done:
            if row ^ other < row:
                row = times(row, other)
        if row > SIGN:
            done = [times(other, row) if other ^ row < other else other for other in done]
            done.append(row)
    done.sort(reverse=True)
    return tuple(done)


def _stabilisers(belief: QuantumState, wires: tuple[int, ...]) -> Iterator[int]:
    """Every operator on a cluster whose expectation is 1 or -1."""
    index = np.arange(2 ** len(wires))
    rho = belief.density(wires).real
    # row a, column k: <k| rho X**a |k>; the sum over k with signs is the expectation of X**a Z**b
    table = rho[index[None, :], index[None, :] ^ index[:, None]] @ _signs(len(wires))
    for a, b in np.argwhere(np.abs(table) > 1 - 1e-6).tolist():
        x = sum(X_ON[w] for n, w in enumerate(wires) if a >> n & 1)
        z = sum(Z_ON[w] for n, w in enumerate(wires) if b >> n & 1)
        yield x | z | int(table[a, b] < 0)


def _signs(count: int) -> NDArray[np.float64]:
    """(-1)**(b.k) for all masks b, k of ``count`` bits."""
    matrix = np.ones((1, 1))
    for _ in range(count):
        matrix = np.kron(matrix, np.array([[1.0, 1.0], [1.0, -1.0]]))
    return matrix
