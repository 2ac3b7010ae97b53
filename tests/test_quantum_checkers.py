"""The rule sheet of quantum checkers: worked examples, legality, chains, ends, error texts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit.library import UnitaryGate
from qiskit.quantum_info import Operator
from qiskit_aer import AerSimulator

from qgames.core import IllegalMoveError, Match, Move
from qgames.games.quantum_checkers import (
    FAR_ROW,
    HOMES,
    NEIGHBOURS,
    SIDE,
    CheckersPosition,
    QuantumCheckers,
    amplitudes,
    grave,
    place,
)
from qgames.quantum import Cluster, QuantumState
from tests.checkers_book import DEAD, Amplitudes, Book, cell, middle, same_up_to_phase

RULES = ("as_published", "projective", "cat")
HALF, ROOT = 0.5, 1 / np.sqrt(2)
WHITE, BLACK = 0, 1


# ---- setting up any position --------------------------------------------------------------------


def position_of(
    pieces: dict[int, Amplitudes],
    kings: frozenset[int] | set[int] = frozenset(),
    to_move: int = WHITE,
) -> CheckersPosition:
    """Pieces by start square, each with its amplitudes by square or DEAD."""
    clusters, owners = [], [None] * 32
    free = set(range(56))
    for home, mine in pieces.items():
        piece = HOMES.index(home)
        wires = {(grave(piece) if s == DEAD else s - 1): a for s, a in mine.items()}
        ordered = sorted(wires)
        vector = np.zeros((1, 2 ** len(ordered)), dtype=complex)
        for n, wire in enumerate(ordered):
            vector[0, 1 << n] = wires[wire]
        clusters.append(Cluster(tuple(ordered), np.ones(1), vector))
        free -= set(ordered)
        for square in mine:
            if square != DEAD:
                owners[square - 1] = piece
    clusters += [Cluster((w,), np.ones(1), np.array([[1, 0]], dtype=complex)) for w in free]
    state = QuantumState(56, clusters)
    return CheckersPosition(
        state,
        to_move=to_move,
        owners=tuple(owners),
        kings=frozenset(kings),
        amplitudes=amplitudes(state),
    )


class FromHere(QuantumCheckers):
    """Quantum checkers that starts from a given position."""

    def __init__(self, position: CheckersPosition, **options: object) -> None:
        super().__init__(**options)
        self.position = position

    def start(self) -> CheckersPosition:
        return self.position


def match_from(pieces, kings=frozenset(), to_move=WHITE, seed=0, **options) -> Match:
    return Match(FromHere(position_of(pieces, kings, to_move), **options), seed=seed)


def pieces_of(position: CheckersPosition) -> dict[int, Amplitudes]:
    """The amplitudes of each piece as the state has them."""
    found: dict[int, Amplitudes] = {}
    for piece, home in enumerate(HOMES):
        mine: Amplitudes = {s: position.amplitudes[s - 1] for s in position.squares(piece)}
        if position.dead(piece) > 1e-9:
            mine[DEAD] = position.amplitudes[grave(piece)]
        if mine:
            found[home] = mine
    return found


def same_board(position: CheckersPosition, book: Book) -> bool:
    ours = pieces_of(position)
    return (
        ours.keys() == book.pieces.keys()
        and all(same_up_to_phase(ours[h], book.pieces[h]) for h in ours)
        and position.kings == book.kings
    )


def branches(game: QuantumCheckers, position: CheckersPosition, text: str):
    """Every outcome of a move with its chance and position, by the exact calculation."""
    move = Move.parse(text)
    assert move in game.legal_moves(position), text
    fragment = game.fragment(position, move)
    for outcome, chance in position.state.odds(fragment).items():
        state = position.state.follow(fragment, outcome)
        after = game.after(position, move, state, dict(outcome))
        yield "".join(bits for _, bits in outcome), chance, after


def on_aer(game: QuantumCheckers, position: CheckersPosition, text: str, outcomes: int):
    """The same, as Aer runs it, over seeds until every outcome has come up."""
    move, found = Move.parse(text), {}
    fragment = game.fragment(position, move)
    for seed in range(400):
        state, outcome = position.state.run(fragment, seed)
        bits = "".join(b for _, b in outcome)
        found.setdefault(bits, game.after(position, move, state, dict(outcome)))
        if len(found) == outcomes:
            break
    return found


def check_against_book(game, position, text, book):
    """Aer, the exact calculation and the book agree on every outcome; gives positions by bits."""
    verb, start, end = text.split()
    ours = {bits: (chance, after) for bits, chance, after in branches(game, position, text)}
    theirs = {
        bits: (p, then) for bits, p, then in book.outcomes(verb, int(start), int(end)) if p > 1e-9
    }
    assert ours.keys() == theirs.keys()
    aer = on_aer(game, position, text, len(ours))
    for bits, (chance, after) in ours.items():
        assert chance == pytest.approx(theirs[bits][0], abs=1e-9)
        assert same_board(after, theirs[bits][1])
        assert aer[bits].state == after.state
        assert aer[bits] == after
    return {bits: (after, theirs[bits][1]) for bits, (_, after) in ours.items()}


# ---- worked examples 1 to 5 and 11: amplitudes --------------------------------------------------

A, B, C, D = 22, 18, 17, 14  # A steps to B and C, and both of these to D
AMPLITUDES = [
    ("1", "quantum 22 18", {A: ROOT, B: 1j * ROOT}),
    ("2 again: interference", "quantum 22 18, quantum 22 18", {B: 1j}),
    ("3", "quantum 22 18, quantum 22 17", {A: HALF, C: 1j / 2, B: 1j * ROOT}),
    ("4 quantum", "quantum 22 18, quantum 18 14", {A: ROOT, B: 1j / 2, D: -HALF}),
    ("4 classical", "quantum 22 18, move 18 14", {A: ROOT, D: -ROOT}),
    ("5 before", "quantum 22 18, move 22 17, move 18 14", {C: 1j * ROOT, D: -ROOT}),
    ("5 constructive", "quantum 22 18, move 22 17, move 18 14, quantum 17 14", {D: -1}),
    (
        "5 before, other way",
        "quantum 22 18, move 22 17, quantum 18 14",
        {C: 1j * ROOT, B: 1j / 2, D: -HALF},
    ),
    (
        "5 other way",
        "quantum 22 18, move 22 17, quantum 18 14, quantum 17 14",
        {
            C: (1j * ROOT - 1j / 2) / np.sqrt(2),
            D: (-ROOT - HALF) / np.sqrt(2),
            B: 1j / 2,
        },
    ),
    ("pitfall 3: there and back", "quantum 22 18, quantum 18 22", {B: 1j}),
    ("out and back twice", "quantum 22 18, quantum 22 18, quantum 18 22, quantum 18 22", {A: -1}),
]


@pytest.mark.parametrize(
    ("moves", "expected"), [row[1:] for row in AMPLITUDES], ids=[r[0] for r in AMPLITUDES]
)
@pytest.mark.parametrize("rule", RULES)
def test_worked_amplitudes(rule, moves, expected):
    game, book = QuantumCheckers(capture_rule=rule), Book({22: {22: 1}}, frozenset({22}), rule)
    position = position_of({22: {22: 1}, 1: {1: 1}}, {22})
    book = replace(book, pieces=book.pieces | {1: {1: 1}})
    for text in moves.split(", "):
        ((position, book),) = check_against_book(game, position, text, book).values()
        position = replace(position, to_move=WHITE)  # the other side passes
    assert same_up_to_phase(pieces_of(position)[22], expected, 1e-12)


def test_worked_probabilities_of_example_5():
    game, position = QuantumCheckers(), position_of({22: {22: 1}, 1: {1: 1}}, {22})
    for text in AMPLITUDES[8][1].split(", "):
        ((_, _, position),) = branches(game, position, text)
        position = replace(position, to_move=WHITE)
    found = [round(position.chance(s), 4) for s in (D, C, B)]
    assert found == [0.7286, 0.0214, 0.25]


@pytest.mark.parametrize("moves", [row[1] for row in AMPLITUDES])
def test_worked_amplitudes_by_matrices_on_four_qubits(moves):
    """Example 13's matrices on the four squares, in numpy and by Aer, against the live state."""
    order, vector = (A, B, C, D), np.zeros(16, dtype=complex)
    vector[1] = 1
    bare = QuantumCircuit(4)
    bare.x(0)
    game, position = QuantumCheckers(), position_of({22: {22: 1}, 1: {1: 1}}, {22})
    for text in moves.split(", "):
        verb, *squares = text.split()
        at = [order.index(int(s)) for s in squares]
        matrix = {"move": ISWAP, "quantum": SQRT_ISWAP}[verb]
        bare.append(UnitaryGate(matrix), at)
        vector = Operator(np.eye(16)).compose(Operator(matrix), at).data @ vector
        ((_, _, position),) = branches(game, position, text)
        position = replace(position, to_move=WHITE)
    bare.save_statevector()
    by_aer = AerSimulator(method="statevector").run(bare).result().get_statevector().data
    wires = [s - 1 for s in order]
    whole = position.state.vector(
        sorted({w for x in wires for w in position.state.cluster(x).wires})
    )
    assert abs(np.vdot(by_aer, vector)) == pytest.approx(1, abs=1e-12)
    ours = pieces_of(position)[22]
    theirs = {s: vector[1 << n] for n, s in enumerate(order) if abs(vector[1 << n]) > 1e-9}
    assert same_up_to_phase(ours, theirs, 1e-12)
    assert np.linalg.norm(whole) == pytest.approx(1)


ISWAP = np.array([[1, 0, 0, 0], [0, 0, 1j, 0], [0, 1j, 0, 0], [0, 0, 0, 1]])
SQRT_ISWAP = np.array(
    [[1, 0, 0, 0], [0, ROOT, 1j * ROOT, 0], [0, 1j * ROOT, ROOT, 0], [0, 0, 0, 1]]
)


@pytest.mark.parametrize(("verb", "matrix"), [("move", ISWAP), ("quantum", SQRT_ISWAP)])
def test_worked_example_13_gates(verb, matrix):
    fragment = Match("quantum_checkers").fragment(f"{verb} 21 17")
    (instruction,) = fragment.data
    assert instruction.operation.name == "xx_plus_yy"
    assert [fragment.find_bit(q).index for q in instruction.qubits] == [20, 16]
    assert np.allclose(instruction.operation.to_matrix(), matrix, atol=1e-15)
    assert np.allclose(SQRT_ISWAP @ SQRT_ISWAP, ISWAP)


# ---- worked examples 6 to 12: outcomes ----------------------------------------------------------

V, W, L = 18, 11, 15  # attacker on 22, victim on 18, landing on 15, the victim's other half on 11
VICTIM = {V: ROOT, W: 1j * ROOT}
ATTACKER = {22: {22: 1}}
OUTCOMES = [
    (
        "6 forced measurement",
        RULES,
        {22: {22: 1}, 24: {15: 1}, 1: VICTIM},
        "move 22 18",
        {
            "0": (0.5, {22: {18: 1}, 24: {15: 1}, 1: {W: 1}}),
            "1": (0.5, {22: {22: 1}, 24: {15: 1}, 1: {V: 1}}),
        },
    ),
    (
        "6 by a quantum move",
        RULES,
        {22: {22: 1}, 24: {15: 1}, 1: VICTIM},
        "quantum 22 18",
        {
            "0": (0.5, {22: {18: 0.5, 22: 0.5}, 24: {15: 1}, 1: {W: 1}}),
            "1": (0.5, {22: {22: 1}, 24: {15: 1}, 1: {V: 1}}),
        },
    ),
    (
        "7 as published",
        ("as_published",),
        ATTACKER | {1: VICTIM},
        "jump 22 15",
        {
            "110": (0.5, {22: {15: 1}, 1: {W: 0.5, DEAD: 0.5}}),
            "100": (0.5, {22: {22: 1}, 1: {W: 1}}),
        },
    ),
    (
        "7 projective",
        ("projective",),
        ATTACKER | {1: VICTIM},
        "jump 22 15",
        {"110": (0.5, {22: {15: 1}}), "100": (0.5, {22: {22: 1}, 1: {W: 1}})},
    ),
    (
        "7 cat",
        ("cat",),
        ATTACKER | {1: VICTIM},
        "jump 22 15",
        {"10": (1, {22: {15: 1}, 1: {W: 0.5, DEAD: 0.5}})},
    ),
    (
        "9 a second attack",
        ("as_published", "cat"),
        {22: {15: 1}, 1: {10: ROOT, DEAD: ROOT}, 2: {32: 1}},
        "jump 15 6",
        {
            "110": (0.5, {22: {6: 1}, 1: {DEAD: 1}, 2: {32: 1}}),
            "100": (0.5, {22: {15: 1}, 1: {DEAD: 1}, 2: {32: 1}}),
            "10": (1, {22: {6: 1}, 1: {DEAD: 1}, 2: {32: 1}}),
        },
    ),
    (
        "10 first capture",
        RULES,
        ATTACKER | {1: {V: 1}, 2: {11: ROOT, 9: ROOT}},
        "jump 22 15",
        dict.fromkeys(("110", "10"), (1, {22: {15: 1}, 1: {DEAD: 1}, 2: {11: 0.5, 9: 0.5}})),
    ),
    (
        "12 victim also on the landing square",
        ("as_published",),
        ATTACKER | {1: {V: ROOT, L: HALF, W: HALF}},
        "jump 22 15",
        {
            "110": (0.5, {22: {15: 1}, 1: {W: 1 / 3, DEAD: 2 / 3}}),
            "101": (0.25, {22: {22: 1}, 1: {L: 1}}),
            "100": (0.25, {22: {22: 1}, 1: {W: 1}}),
        },
    ),
    (
        "12 a half-dead victim",
        ("as_published", "cat"),
        ATTACKER | {1: {V: HALF, W: HALF, DEAD: ROOT}},
        "jump 22 15",
        {
            "110": (0.25, {22: {15: 1}, 1: {W: 0.25, DEAD: 0.75}}),
            "100": (0.75, {22: {22: 1}, 1: {W: 1 / 3, DEAD: 2 / 3}}),
            "10": (1, {22: {15: 1}, 1: {W: 0.25, DEAD: 0.75}}),
        },
    ),
    (
        "pitfall 2: first square found empty",
        ("as_published",),
        ATTACKER | {1: {V: HALF, W: HALF, DEAD: ROOT}},
        "jump 22 15",
        {
            "110": (0.25, {22: {15: 1}, 1: {W: 0.25, DEAD: 0.75}}),
            "100": (0.75, {22: {22: 1}, 1: {W: 1 / 3, DEAD: 2 / 3}}),
        },
    ),
    (
        "pitfall 5: an own half piece on the landing square",
        ("as_published",),
        ATTACKER | {1: {V: 1}, 23: {L: ROOT, 16: ROOT}},
        "jump 22 15",
        {
            "110": (0.5, {22: {15: 1}, 1: {DEAD: 1}, 23: {16: 1}}),
            "111": (0.5, {22: {22: 1}, 1: {V: 1}, 23: {L: 1}}),
        },
    ),
]
OUTCOME_ROWS = [(rule, *row[2:]) for row in OUTCOMES for rule in row[1]]
OUTCOME_IDS = [f"{row[0]} ({rule})" for row in OUTCOMES for rule in row[1]]


@pytest.mark.parametrize(("rule", "pieces", "text", "expected"), OUTCOME_ROWS, ids=OUTCOME_IDS)
def test_worked_outcomes(rule, pieces, text, expected):
    pieces = pieces if any(HOMES.index(h) < 12 and h != 1 for h in pieces) else pieces | {2: {2: 1}}
    book = Book(pieces, rule=rule)
    found = check_against_book(QuantumCheckers(capture_rule=rule), position_of(pieces), text, book)
    width = 2 if rule == "cat" and text.startswith("jump") else 3 if text.startswith("jump") else 1
    wanted = {bits: row for bits, row in expected.items() if len(bits) == width}
    assert found.keys() == wanted.keys()
    for bits, (chance, probabilities) in wanted.items():
        odds = {
            b: p
            for b, p, _ in branches(QuantumCheckers(capture_rule=rule), position_of(pieces), text)
        }
        assert odds[bits] == pytest.approx(chance, abs=1e-9)
        position = found[bits][0]
        ours = {
            h: {s: abs(a) ** 2 for s, a in mine.items()} for h, mine in pieces_of(position).items()
        }
        if rule == "projective":  # no grave: the whole piece is gone
            ours |= {h: p for h, p in probabilities.items() if p == {DEAD: 1} and h not in ours}
        for home, mine in probabilities.items():
            assert ours[home] == pytest.approx(mine, abs=1e-9)
        assert ours.keys() - {2} == probabilities.keys() - {2}


@pytest.mark.parametrize("rule", RULES)
def test_worked_example_8_three_halves(rule):
    pieces = {22: {22: ROOT, 31: ROOT}, 1: VICTIM, 24: {L: ROOT, 16: ROOT}}
    game, position = QuantumCheckers(capture_rule=rule), position_of(pieces)
    check_against_book(game, position, "jump 22 15", Book(pieces, rule=rule))
    chance = {bits: p for bits, p, _ in branches(game, position, "jump 22 15")}
    # under `cat` the victim is not asked
    assert (chance["10"] if rule == "cat" else chance["110"]) == pytest.approx(
        0.25 if rule == "cat" else 0.125
    )


@pytest.mark.parametrize("rule", RULES)
def test_worked_example_10_a_chain_keeps_its_direction(rule):
    pieces = {22: {22: 1}, 1: {V: 1}, 2: {11: ROOT, 9: ROOT}}
    game, position = QuantumCheckers(capture_rule=rule), position_of(pieces)
    ((_, _, position),) = branches(game, position, "jump 22 15")
    assert game.legal_moves(position) == (Move("jump", (15, 8)),)
    assert position.to_move == WHITE
    ends = {bits: (p, after) for bits, p, after in branches(game, position, "jump 15 8")}
    if rule == "cat":
        assert ends["10"][0] == pytest.approx(1)
        return
    for bits, square in (("110", 8), ("100", 15)):
        chance, after = ends[bits]
        assert chance == pytest.approx(0.5)
        assert after.squares(HOMES.index(22)) == (square,)
        assert after.chain is None


def test_a_chain_does_not_turn_a_corner():
    # from 15 only 10 (the other direction) could be captured next
    match = match_from({22: {22: 1}, 1: {V: 1}, 2: {10: 1}})
    match.play("jump 22 15")
    assert match.to_move == BLACK


def test_worked_example_11_crowning_by_halves():
    match = match_from({22: {6: 1}, 1: {7: 1}, 2: {12: 1}}, kings={7})
    match.play("quantum 6 2")
    assert match.position.kings == {2, 7}
    assert [match.position.chance(s) for s in (2, 6)] == pytest.approx([0.5, 0.5])
    seen = set()
    for seed in range(20):
        match = match_from({22: {2: ROOT, 6: ROOT}, 1: {7: 1}, 2: {12: 1}}, {2, 7}, BLACK, seed)
        found = match.play("move 7 2").bits("f")
        seen.add(found)
        # found on the far row it is a king, else it is the man left behind
        assert match.position.squares(HOMES.index(22)) == ((2,) if found == "1" else (6,))
        assert match.position.kings == ({2, 7} if found == "1" else {2})
    assert seen == {"0", "1"}


def test_crowning_by_a_classical_move_and_by_a_capture_ends_the_turn():
    match = match_from({22: {6: 1}, 2: {12: 1}})
    match.play("move 6 1")
    assert match.position.kings == {1}
    match = match_from({22: {10: 1}, 1: {6: 1}, 2: {12: 1}})
    match.play("jump 10 1")
    assert (match.position.kings, match.to_move) == ({1}, BLACK)
    match = match_from({22: {21: 1}, 1: {25: 1}}, to_move=BLACK)
    match.play("move 25 30")
    assert match.position.kings == {30}


def test_a_man_that_meets_its_own_king_is_measured():
    pieces = {22: {2: ROOT, 6: ROOT}, 1: {32: 1}}
    game, position = QuantumCheckers(), position_of(pieces, {2})
    found = check_against_book(game, position, "quantum 6 2", Book(pieces, frozenset({2})))
    assert found.keys() == {"0", "1"}
    (after, _) = found["0"]
    assert pieces_of(after)[22].keys() == {2, 6}
    assert after.kings == {2}


@pytest.mark.parametrize("verb", ["move", "quantum"])
def test_without_interference_an_own_half_square_is_measured(verb):
    pieces = {22: {22: ROOT, 18: ROOT}, 1: {32: 1}}
    game, position = QuantumCheckers(interference=False), position_of(pieces)
    found = check_against_book(game, position, f"{verb} 22 18", Book(pieces, interference=False))
    assert found.keys() == {"0", "1"}
    assert QuantumCheckers().is_forced(position, Move(verb, (22, 18))) is (verb == "move")


# ---- the board and the start --------------------------------------------------------------------


def test_geometry_against_the_sheet():
    for square in range(1, 33):
        row, column = place(square)
        assert (row + 1, column + 1) == cell(square)
        near = {n for n, _ in NEIGHBOURS[square].values()}
        assert near == {
            s
            for s in range(1, 33)
            if abs(cell(s)[0] - cell(square)[0]) == 1 and abs(cell(s)[1] - cell(square)[1]) == 1
        }
        for n, far in NEIGHBOURS[square].values():
            assert far is None or middle(square, far) == n
    assert ({1, 2, 3, 4}, {29, 30, 31, 32}) == FAR_ROW


def test_the_start():
    match = Match("quantum_checkers")
    assert match.record == ()
    assert match.to_move == WHITE
    assert match.game.wires.size == 56
    assert match.game.wire_labels[:2] == ("1", "2")
    assert match.game.wire_labels[31:33] == ("32", "†1")
    assert match.game.wire_labels[43:45] == ("†12", "†21")
    occupied = {w for w in range(56) if match.position.state.probability(w) > 0.5}
    assert occupied == {*range(12), *range(20, 32)}
    assert [SIDE[match.position.piece(s)] for s in (1, 12, 21, 32)] == [BLACK, BLACK, WHITE, WHITE]
    assert sorted(map(str, match.legal_moves)) == sorted(
        f"{verb} {s} {t}"
        for verb in ("move", "quantum")
        for s, t in ((21, 17), (22, 17), (22, 18), (23, 18), (23, 19), (24, 19), (24, 20))
    )
    prepared = match.circuit()
    assert prepared.count_ops() == {"x": 24}
    assert QuantumState.zeros(56).follow(prepared, ()) == match.position.state


def test_the_whole_circuit_is_the_match():
    match = Match("quantum_checkers", seed=3)
    for move in ("quantum 22 18", "quantum 11 15", "jump 18 11"):
        match.play(move)
    whole = match.circuit()
    outcome = tuple(
        (r.name, step.bits("cap")) for r, step in zip(whole.cregs, match.record[2:], strict=True)
    )
    assert [r.name for r in whole.cregs] == ["cap_2"]
    assert QuantumState.zeros(56).follow(whole, outcome) == match.position.state
    assert [i.operation.label for i in whole.data if i.operation.name == "barrier"] == [
        "quantum 22 18",
        "quantum 11 15",
        "jump 18 11",
    ]


def test_fragments_use_named_gates():
    pieces = {22: {22: 1}, 1: {V: HALF, W: HALF, 10: ROOT}}
    for rule, inside in (
        ("as_published", ["swap", "swap", "xx_plus_yy", "xx_plus_yy"]),
        ("projective", ["swap", "x"]),
        ("cat", ["swap", "swap"]),
    ):
        match = match_from(pieces, capture_rule=rule)
        fragment = match.fragment("jump 22 15")
        *looks, hit = fragment.data
        assert [i.operation.name for i in looks] == ["measure"] * (2 if rule == "cat" else 3)
        assert hit.operation.name == "if_else"
        assert hit.operation.condition == (fragment.cregs[0], 0b01 if rule == "cat" else 0b011)
        assert [i.operation.name for i in hit.operation.blocks[0].data] == inside
        assert fragment.cregs[0].name == "cap"
    half_dead = {22: {22: 1}, 1: {V: HALF, W: HALF, DEAD: ROOT}}
    fragment = match_from(half_dead, capture_rule="cat").fragment("jump 22 15")
    assert [i.operation.name for i in fragment.data[-1].operation.blocks[0].data] == [
        "swap",
        "xx_plus_yy",
    ]


def test_the_sheets_check_of_r():
    """v .25, w1 .5 (i/sqrt2), w2 .25 (1/2): theta pi/2 twice, beta pi, then pi/2."""
    match = match_from({22: {22: 1}, 1: {V: HALF, 10: 1j * ROOT, W: HALF}})
    *_, first, second = match.fragment("jump 22 15").data[-1].operation.blocks[0].data
    assert first.operation.params == pytest.approx([np.pi / 2, np.pi])
    assert second.operation.params == pytest.approx([np.pi / 2, np.pi / 2])


# ---- legality -----------------------------------------------------------------------------------


def test_a_square_that_can_capture_must_but_another_may_be_chosen():
    match = match_from({22: {22: 1}, 31: {31: 1}, 1: {V: 0.01, W: np.sqrt(1 - 0.0001)}})
    texts = sorted(map(str, match.legal_moves))
    assert texts == ["jump 22 15", "move 31 26", "move 31 27", "quantum 31 26", "quantum 31 27"]


MUST = "square 22 can capture, so it must: expected "


@pytest.mark.parametrize(
    ("pieces", "kings", "text", "why"),
    [
        (
            {22: {22: 1}, 1: {1: 1}},
            (),
            "fly 22 18",
            "unknown verb 'fly', expected one of "
            "move quantum jump offer accept decline stop resign",
        ),
        ({22: {22: 1}, 1: {1: 1}}, (), "move 22", "move takes two squares from 1 to 32"),
        ({22: {22: 1}, 1: {1: 1}}, (), "move 22 33", "move takes two squares from 1 to 32"),
        ({22: {22: 1}, 1: {1: 1}}, (), "stop 3", "stop takes no squares"),
        ({22: {22: 1}, 1: {1: 1}}, (), "move 18 14", "square 18 is empty"),
        ({22: {22: 1}, 1: {1: 1}}, (), "move 1 6", "the piece on square 1 is not White's"),
        ({22: {22: 1}, 1: {1: 1}}, (), "move 22 26", "a man on square 22 moves to 17 or 18"),
        (
            {22: {22: 1}, 1: {1: 1}},
            {22},
            "move 22 14",
            "a king on square 22 moves to 17 or 18 or 25 or 26",
        ),
        (
            {22: {22: 1}, 1: {1: 1}, 23: {18: 1}},
            (),
            "quantum 22 18",
            "square 18 is surely occupied",
        ),
        ({22: {22: 1}, 1: {18: 1}}, (), "move 22 17", MUST + "'jump 22 15'"),
        (
            {22: {22: 1}, 1: {18: 1}, 2: {17: 1}},
            (),
            "jump 22 14",
            MUST + "'jump 22 13' or 'jump 22 15'",
        ),
        ({22: {22: 1}, 1: {1: 1}}, (), "jump 22 15", "no enemy may be on square 18"),
        ({22: {22: 1}, 1: {1: 1}, 23: {18: 1}}, (), "jump 22 15", "no enemy may be on square 18"),
        ({22: {22: 1}, 1: {18: 1}, 23: {15: 1}}, (), "jump 22 15", "square 15 is surely occupied"),
        ({22: {22: 1}, 1: {1: 1}}, (), "jump 22 14", "a man on square 22 jumps to 13 or 15"),
        ({22: {5: 1}, 1: {32: 1}}, (), "jump 5 14", "a man on square 5 jumps to no square"),
        ({22: {22: 1}, 1: {1: 1}}, (), "stop", "no chain of captures is under way"),
        ({22: {22: 1}, 1: {1: 1}}, (), "accept", "no draw is offered"),
    ],
)
def test_why_illegal(pieces, kings, text, why):
    match = match_from(pieces, kings)
    before = match.position
    with pytest.raises(IllegalMoveError) as error:
        match.play(text)
    assert str(error.value) == f"illegal move {text!r}: {why}; White to move after 0 steps"
    assert match.position is before


def test_a_capture_needs_room_that_is_not_sure():
    assert (
        Move("jump", (22, 15))
        in match_from({22: {22: 1}, 1: {V: 1}, 2: {L: 0.9, 3: np.sqrt(0.19)}}).legal_moves
    )
    assert Move("jump", (22, 15)) not in match_from({22: {22: 1}, 1: {V: 1}, 2: {L: 1}}).legal_moves


def test_men_capture_forwards_only_and_kings_every_way():
    pieces = {22: {15: 1}, 1: {18: 1}}
    assert Move("jump", (15, 22)) not in match_from(pieces).legal_moves
    assert Move("jump", (15, 22)) in match_from(pieces, kings={15}).legal_moves


def test_a_piece_on_fourteen_squares_spreads_no_further():
    squares = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]
    piece = {s: 1 / np.sqrt(15) for s in squares} | {DEAD: 1 / np.sqrt(15)}
    match = match_from({22: piece, 1: {27: 1}}, kings=set(squares))
    with pytest.raises(IllegalMoveError) as error:
        match.play("quantum 18 22")
    assert str(error.value) == (
        "illegal move 'quantum 18 22': the piece on square 18 stands on 14 squares already, "
        "the most that one exact vector can follow; White to move after 0 steps"
    )
    match.play("quantum 18 14")  # onto a square of its own
    match.play("move 27 32")
    match.play("move 17 22")  # a plain move carries its part along
    assert len(match.position.squares(HOMES.index(22))) == 14
    assert sum(match.position.chances) + match.position.dead(HOMES.index(22)) == pytest.approx(2)


def test_two_pieces_too_wide_for_one_vector_still_meet():
    """A capture measures before it links, so nothing is forbidden for being wide."""
    whites = [22, 21, 25, 26, 29, 30, 31, 32, 24, 28]
    blacks = [18, 1, 2, 3, 5, 6, 7, 9, 10, 11]
    pieces = {
        22: {s: 1 / np.sqrt(10) for s in whites},
        1: {s: 1j / np.sqrt(10) for s in blacks},
        2: {12: 1},
    }
    for rule in RULES:
        game, position = QuantumCheckers(capture_rule=rule), position_of(pieces)
        found = check_against_book(game, position, "jump 22 15", Book(pieces, rule=rule))
        assert position.state.fits(game.fragment(position, Move("jump", (22, 15))))
        assert len(found) == (2 if rule == "cat" else 4)


# ---- chains, offers, ends -----------------------------------------------------------------------

CHAIN = {22: {22: 1}, 1: {V: 1}, 2: {11: 1}, 3: {3: 1}}


def test_a_chain_is_compulsory():
    match = match_from(CHAIN)
    match.play("jump 22 15")
    with pytest.raises(IllegalMoveError) as error:
        match.play("stop")
    assert str(error.value) == (
        "illegal move 'stop': the capture goes on, expected 'jump 15 8'; White to move after 1 step"
    )
    match.play("jump 15 8")
    assert match.to_move == BLACK


def test_an_optional_chain_is_ended_by_stop():
    match = match_from(CHAIN, chain_optional=True)
    match.play("jump 22 15")
    assert match.legal_moves == (Move("jump", (15, 8)), Move("stop"))
    with pytest.raises(IllegalMoveError, match=r"expected 'jump 15 8' or 'stop'; White"):
        match.play("offer")
    match.play("stop")
    assert (match.to_move, match.position.chain) == (BLACK, None)
    assert match.position.existence(BLACK) == pytest.approx(2)


def test_an_offer_is_answered():
    match = Match("quantum_checkers", seed=1)
    assert Move("offer") not in match.legal_moves
    match.play("offer")
    assert (match.to_move, match.legal_moves) == (BLACK, (Move("accept"), Move("decline")))
    with pytest.raises(
        IllegalMoveError, match=r"a draw is offered, expected 'accept' or 'decline'; Black"
    ):
        match.play("move 9 13")
    match.play("decline")
    assert match.to_move == WHITE
    with pytest.raises(
        IllegalMoveError, match=r"a draw was declined this turn; White to move after 2 steps"
    ):
        match.play("offer")
    match.play("move 22 18")
    match.play("offer")
    match.play("accept")
    assert match.result.reason == "draw agreed"
    assert (match.result.winner, match.result.points) == (None, (0.5, 0.5))
    assert [str(s) for s in match.record] == ["offer", "decline", "move 22 18", "offer", "accept"]
    assert Match.from_json(match.to_json()).position == match.position


def test_resigning():
    match = Match("quantum_checkers", seed=1)
    match.play("resign")
    assert (match.result.winner, match.result.reason, match.result.points) == (
        1,
        "resignation",
        (0.0, 1.0),
    )


def test_the_last_piece_gone_loses():
    match = match_from({22: {22: 1}, 1: {V: 1}})
    match.play("jump 22 15")
    assert (match.result.winner, match.result.reason) == (WHITE, "all pieces are gone")
    assert match.result.points == (1.0, 0.0)
    assert match.to_move is None


def test_both_sides_gone_is_a_draw():
    """Two half-dead pieces: neither is there, and both are dead for sure."""
    pieces = {22: {22: ROOT, DEAD: ROOT}, 1: {V: ROOT, DEAD: ROOT}}
    game, position = QuantumCheckers(), position_of(pieces)
    after = {bits: end for bits, _, end in branches(game, position, "jump 22 15")}
    assert (after["000"].result.winner, after["000"].result.reason) == (None, "all pieces are gone")
    assert after["100"].result.winner == WHITE
    assert after["010"].result.winner == BLACK


@pytest.mark.parametrize(("option", "winner"), [("loses", WHITE), ("draw", None)])
def test_a_blocked_side(option, winner):
    # black's man on 21 is behind 25 (sure) with no room on 30 to capture
    match = match_from({22: {14: 1}, 25: {25: 1}, 30: {30: 1}, 1: {21: 1}}, blocked=option)
    match.play("move 14 10")
    assert (match.result.winner, match.result.reason) == (winner, "Black cannot move")


def test_elimination_is_judged_before_blocking():
    match = match_from({22: {22: 1}, 1: {V: 1}}, blocked="draw")
    match.play("jump 22 15")
    assert match.result.reason == "all pieces are gone"


def test_forty_quiet_moves_of_each_side():
    match = match_from({22: {22: 1}, 23: {29: 1}, 1: {3: 1}}, kings={22, 3})
    for n in range(79):
        match.play(("move 22 26", "move 3 7", "move 26 22", "move 7 3")[n % 4])
        assert match.position.quiet == n + 1
    assert match.result is None
    last = match.play("move 7 3")
    assert str(last) == "move 7 3"
    assert match.result.reason == "40 moves of each side without progress"
    assert (match.result.winner, match.result.points) == (None, (0.5, 0.5))


def test_what_counts_as_progress():
    quiet = replace(position_of({22: {22: 1}, 23: {29: 1}, 1: {3: 1}}, {22, 3}), quiet=50)
    game = QuantumCheckers()

    def counts(position, text):
        return {after.quiet for _, _, after in branches(game, position, text)}

    assert counts(quiet, "move 22 18") == {51}
    assert counts(quiet, "quantum 22 18") == {51}
    assert counts(quiet, "move 29 25") == {0}  # a man
    forced = replace(
        position_of({22: {22: 1}, 23: {18: ROOT, 1: ROOT}, 1: {3: 1}}, {22, 18, 1, 3}), quiet=50
    )
    assert counts(forced, "move 22 18") == {0}
    tried = replace(position_of({22: {22: 1}, 1: VICTIM}, {22}), quiet=50)
    assert counts(tried, "jump 22 15") == {0}
    match = Match("quantum_checkers")
    match.play("offer")
    match.play("decline")
    assert match.position.quiet == 0


# ---- crumbs and conservation --------------------------------------------------------------------


def test_weights_below_1e_9_leave_the_board():
    crumb = 2e-5
    match = match_from({22: {22: np.sqrt(1 - crumb**2), 18: crumb}, 1: {1: 1}, 23: {31: 1}})
    match.play("move 31 27")
    match.play("move 1 6")
    assert match.position.piece(18) is None
    assert match.position.chance(22) == 1
    assert match.position.state.clusters == tuple((w,) for w in range(56))
    with pytest.raises(IllegalMoveError, match=r"square 18 is empty"):
        match.play("move 18 14")


def test_emptied_squares_are_no_sources():
    match = match_from({22: {22: 1}, 1: {1: 1}}, {22})
    match.play("quantum 22 18")
    match.play("move 1 5")
    match.play("quantum 22 18")
    assert match.position.piece(22) is None
    assert {m.args[0] for m in match.game.legal_moves(replace(match.position, to_move=WHITE))} == {
        18
    }


def test_a_man_on_its_way_is_found_on_exactly_one_square():
    """0 -> 1 by a quantum move, 1 -> 2 by a plain move, 2 -> 3 by a quantum move, then a look."""
    game, position = QuantumCheckers(), position_of({22: {22: 1}, 1: {1: 1}})
    for text in ("quantum 22 18", "move 18 15", "quantum 15 11"):
        ((_, _, position),) = branches(game, position, text)
        position = replace(position, to_move=WHITE)
    assert position.squares(HOMES.index(22)) == (11, 15, 22)
    assert (10, 14, 21) in position.state.clusters  # the links, as the state has them
    path = (22, 18, 15, 11)
    look = QuantumCircuit(QuantumRegister(56, "sq"), ClassicalRegister(4, "all"))
    look.measure([s - 1 for s in path], range(4))
    counts = dict.fromkeys(path, 0)
    for seed in range(2000):
        state, ((_, bits),) = position.state.run(look, seed)
        assert bits.count("1") == 1
        found = path[bits.index("1")]
        assert [state.probability(s - 1) for s in path] == [float(s == found) for s in path]
        counts[found] += 1
    assert counts[18] == 0
    assert counts[22] == pytest.approx(1000, abs=110)  # five standard deviations
    assert counts[15] == pytest.approx(500, abs=97)
