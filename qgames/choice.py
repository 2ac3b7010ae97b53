"""A move on its way: what a player has picked so far, squares and verb in either order.

Pure: everything is asked of the view's legal moves. The panel turns clicks and keys into these
calls, drawings light up ``targets``, and neither knows the rules of a game.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from qgames.core import Move, View

Square = int | str


@dataclass(frozen=True)
class Choice:
    """Squares in the order picked, and the verb (with its secret arguments) if one is picked."""

    verb: str | None = None
    squares: tuple[Square, ...] = ()
    secret: tuple[str, ...] = ()

    def candidates(self, view: View) -> tuple[Move, ...]:
        """The legal moves that this choice may still become."""
        return tuple(m for m in view.legal_moves if self._fits(m, view))

    def move(self, view: View) -> Move | None:
        """The move, once verb and squares name exactly one."""
        done = [m for m in self.candidates(view) if len(m.args) == len(self.squares)]
        if self.verb is None and len({(m.verb, m.secret) for m in self.candidates(view)}) > 1:
            return None
        return done[0] if len(done) == 1 else None

    def targets(self, view: View) -> frozenset[Square]:
        """Squares that may be picked next."""
        n = len(self.squares)
        found: set[Square] = set()
        for move in self.candidates(view):
            if move.verb in view.game.unordered:
                found |= set(move.args) - set(self.squares)
            elif len(move.args) > n:
                found.add(move.args[n])
        return frozenset(found)

    def verbs(self, view: View) -> frozenset[tuple[str, tuple[str, ...]]]:
        """(verb, secret) pairs that fit the squares picked so far."""
        open_verb = replace(self, verb=None, secret=())
        return frozenset((m.verb, m.secret) for m in open_verb.candidates(view))

    def pick(self, view: View, square: Square) -> Choice | None:
        """The choice with ``square`` added, or without it if it was picked last; else None.

        A square that fits nothing more starts the choice of squares anew when it can stand first.
        """
        if self.squares and square == self.squares[-1]:
            return replace(self, squares=self.squares[:-1])
        for squares in ((*self.squares, square), (square,)):
            grown = replace(self, squares=squares)
            if grown.candidates(view):
                return grown
        return None

    def take(self, view: View, verb: str, secret: tuple[str, ...] = ()) -> Choice | None:
        """The choice with ``verb`` (again: without it); squares that do not fit it are let go."""
        if (verb, secret) == (self.verb, self.secret):
            return replace(self, verb=None, secret=())
        for squares in (self.squares, self.squares[:1], ()):
            taken = Choice(verb, squares, secret)
            if taken.candidates(view):
                return taken
        return None

    def back(self) -> Choice:
        """One step less: the last square, else the verb."""
        if self.squares:
            return replace(self, squares=self.squares[:-1])
        return Choice()

    def _fits(self, move: Move, view: View) -> bool:
        if self.verb is not None and (move.verb, move.secret) != (self.verb, self.secret):
            return False
        if move.verb in view.game.unordered:
            return set(self.squares) <= set(move.args)
        return move.args[: len(self.squares)] == self.squares
