"""The exact value of every quantum tic-tac-toe position: alpha-beta with symmetry and a table.

Values are 1 for a win, 0 for a draw, -1 for a loss. Three things that do not matter are left out,
so that few positions remain (8, 186, 2372, 29 687 and 167 915 after 1 to 5 marks):

* **Mark numbers**, except 7, 8 and 9. They only matter when both sides get a line at once. A line
  of X without 7 and 9 is 1, 3 and 5, and its newest mark is 5; a line of O without 8 is 2, 4 and 6,
  and its newest is 6. So 1, 3 and 5 may change places, and so may 2, 4 and 6.
* **How marks of one side hang together.** A component collapses by pushing every mark away from
  the square on which the newest one settles. If marks of one side join a to b and b to c, then
  a to b and a to c do the same: whichever of the three squares is reached first, the other two
  get a mark of that side each, and what hangs on them is pushed on as before. So a side's marks
  are kept as *blocks*, the sets of squares that they connect.
* **Turning and mirroring** the board.

Squares are bits here: square s is ``1 << (s - 1)``, a set of squares is a mask. A *code* tells what
has landed: X's squares in bits 0 to 8, O's in bits 9 to 17, then the squares of marks 7, 8 and 9 in
nine bits each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from qgames.games.quantum_tictactoe import LINES, owner

FULL = 511
BOARD = (1 << 18) - 1
"""The part of a code that says whose mark is where."""
BOOK_MARKS = 4
"""The opening book goes as far as this; what comes after takes less than a second."""
LAST_SEARCHED = 5
"""With more marks on the board than these, what is left is worked out square by square."""

Blocks = tuple[int, ...]
State = tuple[Blocks, Blocks, int, int]
"""Blocks of X, blocks of O, classical squares of X, of O; marks 1 to 6 only."""
Group = tuple[tuple[int, int], ...]
"""A component: each of its squares, with the code of the others if the newest mark lands there."""
START: State = ((), (), 0, 0)


_BITS = [[1 << k for k in range(9) if mask >> k & 1] for mask in range(FULL + 1)]


def bits(mask: int) -> list[int]:
    """The squares of a mask, each as a bit."""
    return _BITS[mask]


def landing(number: int, square: int) -> int:
    """The code of mark ``number`` on a square (a bit)."""
    code = square << 9 * owner(number)
    return code | square << 9 * (number - 5) if number >= 7 else code


_LINES = [sum(1 << (s - 1) for s in line) for line in LINES]
HAS_LINE = [any(m & line == line for line in _LINES) for m in range(FULL + 1)]
_M7, _M8, _M9 = ({b: landing(number, b) for b in bits(FULL)} for number in (7, 8, 9))


def _symmetries() -> Iterator[list[int]]:
    """The eight of the board: to which square each square goes, counted from 0."""
    table = list(range(9))
    for _ in range(4):
        yield table
        yield [table[3 * (k // 3) + 2 - k % 3] for k in range(9)]
        table = [table[3 * (2 - k % 3) + k // 3] for k in range(9)]


def _key_tables() -> Iterator[tuple[list[int], list[int], list[int], list[int]]]:
    """For each symmetry, the share in a key of a block of X, of O, and of the classical squares.

    A block counts as the pairs of squares in it, so that the order of blocks does not matter.
    """
    pairs = {p: 1 << n for n, p in enumerate(combinations(bits(FULL), 2))}
    within = [sum(pairs[p] for p in combinations(bits(m), 2)) for m in range(FULL + 1)]
    for table in _symmetries():
        turned = [sum(1 << table[k] for k in range(9) if m >> k & 1) for m in range(FULL + 1)]
        blocks = [within[t] for t in turned]
        yield (
            blocks,
            [b << 36 for b in blocks],
            [t << 72 for t in turned],
            [t << 81 for t in turned],
        )


_KEYS = list(_key_tables())


def canonical(state: State) -> int:
    """One number, below 2**90, for all states that are the same by symmetry."""
    x_blocks, o_blocks, x, o = state
    keys = []
    for in_x, in_o, on_x, on_o in _KEYS:
        key = on_x[x] | on_o[o]
        for block in x_blocks:
            key |= in_x[block]
        for block in o_blocks:
            key |= in_o[block]
        keys.append(key)
    return min(keys)


class Solver:
    """Values under one criterion: ``"narrow"``, or ``"clear"`` (two lines at once are a draw).

    ``book`` gives the mover's value of every state with up to ``BOOK_MARKS`` marks by its key;
    without one those are searched like all others.
    """

    def __init__(self, criterion: str = "narrow", book: Callable[[int], int] | None = None) -> None:
        self.narrow = criterion == "narrow"
        self.book = book
        self.table: dict[int, tuple[float, float]] = {}
        """What is known of each state: the mover's value is between these two."""
        self._verdicts = [_verdict(code & FULL, code >> 9) for code in range(BOARD + 1)]

    # ---- boards ------------------------------------------------------------------------------

    def verdict(self, code: int) -> int:
        """X's result on a board; 0 if there is no line."""
        value = self._verdicts[code & BOARD]
        return value if value != _LINE_EACH else self._line_each(code)

    def _line_each(self, code: int) -> int:
        """The line whose newest mark is older wins: X's is 5, 7 or 9, O's is 6 or 8."""
        if not self.narrow:
            return 0
        seventh, eighth, ninth = (code >> shift & FULL for shift in (18, 27, 36))
        x, o = code & FULL & ~ninth, code >> 9 & FULL
        if HAS_LINE[x & ~seventh]:
            return 1
        return 1 if HAS_LINE[x] and not HAS_LINE[o & ~eighth] else -1

    def taken(self, values: Sequence[float]) -> float:
        """The mover takes two squares to close a cycle, the other side chooses: the second best."""
        return sorted(values)[-2]

    # ---- the last three marks, group by group; values are X's --------------------------------

    def verdicts(self, base: int, others: Sequence[int]) -> list[int]:
        """X's results on the boards of ``base`` with each of ``others``."""
        table, both = self._verdicts, self._line_each
        return [
            value if (value := table[(base | other) & BOARD]) != _LINE_EACH else both(base | other)
            for other in others
        ]

    def eight(self, group: Group, base: int) -> float:
        """Eight marks, one group, X to place the ninth."""
        found = self.verdicts(base, _taking(group, _M9))
        return self.taken(found) if len(found) > 1 else found[0]

    def seven(self, one: Group, other: Group, base: int, low: float = -1) -> float:
        """Seven marks, two groups, O to place: exact above ``low``, else some bound up to it."""
        best = 1.0
        for close, left in ((one, other), (other, one)):
            if len(close) > 1 and best > low:
                best = min(best, self._eighth_closes(close, left, base))
        return best if best <= low else min(best, self._link(one, other, base))

    def _eighth_closes(self, group: Group, other: Group, base: int) -> float:
        landed = _taking(group, _M8)
        found: list[float] = [*self.verdicts(base, landed)]
        for n, code in enumerate(landed):
            if not self._verdicts[(base | code) & BOARD]:
                found[n] = self.eight(other, base | code)
        return -self.taken([-value for value in found])

    def _link(self, one: Group, other: Group, base: int) -> float:
        """O links the groups by squares a and b; X then takes two squares and O chooses.

        The board with X's ninth mark in ``one`` depends on b alone, in ``other`` on a alone. So O
        picks a and b independently, each to leave X as few good squares as can be; X needs two.
        """
        drawn = won = 0
        for rows in self._boards(one, other, base):
            drawn += min(len(row) - row.count(-1) for row in rows)
            won += min(row.count(1) for row in rows)
        return (won >= 2) - (drawn < 2)

    def _boards(self, one: Group, other: Group, base: int) -> Iterator[list[list[int]]]:
        """Verdicts once O has linked the groups: a row of X's squares for each square of O."""
        for near, far in ((one, other), (other, one)):
            ninth = _taking(near, _M9)
            yield [self.verdicts(base | code, ninth) for code in _taking(far, _M8)]

    def six(self, groups: Sequence[Group], base: int, high: float = 1) -> float:
        """Six marks, three groups, X to place: exact below ``high``, else some bound from it on."""
        best = max(
            self._seventh_closes(group, [g for g in groups if g is not group], base)
            for group in groups
        )
        for one, two, three in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
            for a in groups[one]:
                for b in groups[two]:
                    if best >= high:
                        return best
                    linked = link(groups[one], groups[two], a, b, _M7)
                    best = max(best, self.seven(linked, groups[three], base, best))
        return best

    def _seventh_closes(self, group: Group, others: Sequence[Group], base: int) -> float:
        if len(group) == 1:
            return -1
        landed = _taking(group, _M7)
        found: list[float] = [*self.verdicts(base, landed)]
        for n, code in enumerate(landed):
            if not self._verdicts[(base | code) & BOARD]:
                found[n] = self.seven(others[0], others[1], base | code)
        return self.taken(found)

    # ---- up to five marks: alpha-beta; values are the mover's --------------------------------

    def search(self, state: State, marks: int, low: float = -1, high: float = 1) -> float:
        """The mover's value of a state: exact between ``low`` and ``high``, else a bound."""
        key = canonical(state)
        if self.book and marks <= BOOK_MARKS:
            return self.book(key)
        least, most = self.table.get(key, (-1, 1))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        if marks > LAST_SEARCHED:
            value = self.six(groups_of(state), state[2] | state[3] << 9, high)
            self.table[key] = (value, most if value >= high else value)
            return value
        value = self._best(state, marks, max(low, least), min(high, most))
        self.table[key] = (value if value > low else least, value if value < high else most)
        return value

    def _best(self, state: State, marks: int, low: float, high: float) -> float:
        best = -1.0
        for choices in options(state, marks):
            found = [self.child(child, marks, max(low, best), high) for child in choices]
            best = max(best, self.taken(found) if len(found) > 1 else found[0])
            if best >= high:
                break
        return best

    def child(self, state: State, marks: int, low: float = -1, high: float = 1) -> float:
        """The mover's value of what a placement by the mover (and a collapse) led to."""
        if ended(state):
            value = self.verdict(state[2] | state[3] << 9)
            return value if marks % 2 == 0 else -value
        return -self.search(state, marks + 1, -high, -low)


class ChanceSolver(Solver):
    """Expected values when nature decides a collapse; exact from five marks on."""

    def taken(self, values: Sequence[float]) -> float:
        """The mover takes two squares to close a cycle and nature chooses: the mean of the best."""
        return sum(sorted(values)[-2:]) / 2

    def _link(self, one: Group, other: Group, base: int) -> float:
        """O joins the groups by squares a and b so that X's two best squares are worst."""
        to_one, to_other = self._boards(one, other, base)
        return min(self.taken(a + b) for a in to_one for b in to_other)


_LINE_EACH = 2
"""In the table of verdicts: who wins is a question of the marks' numbers."""


def _verdict(x: int, o: int) -> int:
    if HAS_LINE[x] and HAS_LINE[o]:
        return _LINE_EACH
    return HAS_LINE[x] - HAS_LINE[o]


# ---- groups, blocks and moves -------------------------------------------------------------------


def _taking(group: Group, mark: dict[int, int]) -> list[int]:
    """The codes of a whole group for each square that the newest mark may take."""
    return [rest | mark[square] for square, rest in group]


def link(
    one: Group, other: Group, a: tuple[int, int], b: tuple[int, int], mark: dict[int, int]
) -> Group:
    """Two groups linked by a mark on the squares of ``a`` and ``b``, an entry of each."""
    beyond, before = b[1] | mark[b[0]], a[1] | mark[a[0]]
    return (*((s, rest | beyond) for s, rest in one), *((s, rest | before) for s, rest in other))


def ended(state: State) -> bool:
    """Whether a side has a line."""
    return HAS_LINE[state[2]] or HAS_LINE[state[3]]


def options(state: State, marks: int) -> Iterator[list[State]]:
    """What the mover can do: one state for each link, and for each group to close one a square.

    Of such a group's squares the mover takes any two, and the other side chooses between them.
    """
    x_blocks, o_blocks, x, o = state
    groups = [bits(mask) for mask in components(state)]
    for n, group in enumerate(groups):
        if len(group) > 1:
            yield [_collapsed(state, square, marks) for square in group]
        for other in groups[n + 1 :]:
            for pair in (a | b for a in group for b in other):
                if marks % 2 == 0:
                    yield [(_merged(x_blocks, pair), o_blocks, x, o)]
                else:
                    yield [(x_blocks, _merged(o_blocks, pair), x, o)]


def _merged(blocks: Blocks, pair: int) -> Blocks:
    """Blocks with the two squares of ``pair`` connected."""
    block = pair
    for old in blocks:
        if old & pair:
            block |= old
    return (*(old for old in blocks if not old & pair), block)


def components(state: State) -> list[int]:
    """Masks of the squares that hang together; a free square without marks stands alone."""
    blocks = (*state[0], *state[1])
    groups: list[int] = []
    left = FULL & ~(state[2] | state[3])
    while left:
        group, grown = 0, left & -left
        while group != grown:
            group = grown
            for block in blocks:
                if block & grown:
                    grown |= block
        groups.append(group)
        left &= ~group
    return groups


def _pushed(blocks: tuple[Blocks, Blocks], square: int) -> tuple[int, int]:
    """Where the marks of X and of O land when they are pushed away from ``square``."""
    landed, seen, near = [0, 0], square, [square]
    for place in near:
        for side in (0, 1):
            for block in blocks[side]:
                fresh = block & ~seen if block & place else 0
                if fresh:
                    landed[side] |= fresh
                    seen |= fresh
                    near += _BITS[fresh]
    return landed[0], landed[1]


def _collapsed(state: State, square: int, marks: int) -> State:
    """The state after the mover's newest mark landed on ``square`` and pushed its component."""
    x_blocks, o_blocks, x, o = state
    to_x, to_o = _pushed((x_blocks, o_blocks), square)
    if marks % 2 == 0:
        to_x |= square
    else:
        to_o |= square
    gone = to_x | to_o
    return (
        tuple(b for b in x_blocks if not b & gone),
        tuple(b for b in o_blocks if not b & gone),
        x | to_x,
        o | to_o,
    )


def groups_of(state: State) -> list[Group]:
    """The components of a state with what a collapse does to each."""
    groups = []
    for mask in components(state):
        pushed = [(s, _pushed((state[0], state[1]), s)) for s in bits(mask)]
        groups.append(tuple((s, x | o << 9) for s, (x, o) in pushed))
    return groups
