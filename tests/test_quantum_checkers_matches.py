"""Random matches of quantum checkers against the book, and captures against bare circuits."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, transpile
from qiskit.circuit.library import UnitaryGate
from qiskit_aer import AerSimulator

from qgames import quantum
from qgames.core import Match, Move
from qgames.games.quantum_checkers import HOMES, CheckersPosition, QuantumCheckers
from qgames.quantum import QuantumState
from tests.checkers_book import DEAD, Amplitudes, Book, same_up_to_phase
from tests.test_quantum_checkers import branches, pieces_of, position_of

RULES = ("as_published", "projective", "cat")
MATCHES = 300
LIVE = 10
"""Of the 300, Aer decides these; in the others the book's own dice do, and the state follows."""
LONGEST = 3000


def random_move(moves: tuple[Move, ...], rng: random.Random) -> Move:
    """A capture if there is one, else half of the time a plain move, else any.

    Any move at any time would shuffle half kings about for 600 plies.
    """
    wanted = ["jump"] if rng.random() < 0.5 else ["jump", "move"]
    captures = [m for m in moves if m.verb == "jump"]
    return rng.choice(captures or [m for m in moves if m.verb in wanted] or moves)


def assert_same(position: CheckersPosition, book: Book) -> None:
    """Every probability equals the book's; pieces are conserved and never share a square."""
    theirs = np.zeros(56)
    for home, amplitudes in book.pieces.items():
        piece = HOMES.index(home)
        for key, amplitude in amplitudes.items():
            wire = 32 + piece if key == DEAD else key - 1
            assert theirs[wire] == 0  # no second piece
            assert key == DEAD or position.owners[wire] == piece
            theirs[wire] = abs(amplitude) ** 2
    ours = np.abs(np.array(position.amplitudes)) ** 2
    assert np.abs(ours - theirs).max() < 1e-9
    owners = [24 if owner is None else owner for owner in position.owners]
    total = np.bincount([*owners, *range(24)], ours, 25)
    alive = np.array([home in book.pieces for home in HOMES])
    assert np.abs(total[:24] - alive).max() < 1e-9  # `projective`: a captured piece has no grave
    assert total[24] < 1e-9  # and no square holds what belongs to nobody
    assert position.kings == book.kings


def assert_linked(position: CheckersPosition) -> None:
    """Each cluster of the state is one piece: its squares and, if it may be dead, its grave."""
    for piece in {o for o in position.owners if o is not None}:
        wires = [s - 1 for s in position.squares(piece)]
        wires += [32 + piece] if position.dead(piece) > 1e-9 else []
        assert position.state.cluster(wires[0]).wires == tuple(wires)


def followed(game: QuantumCheckers, rng: random.Random, book: Book) -> tuple[CheckersPosition, int]:
    """A match whose outcomes are drawn from the book; the state follows them."""
    position, plies = game.start(), 0
    while position.to_move is not None and plies < LONGEST:
        move = random_move(game.legal_moves(position), rng)
        ends = [end for end in book.outcomes(move.verb, *move.args) if end[1] > 1e-9]
        fragment = game.fragment(position, move)
        if fragment.cregs and plies % 4 == 0:
            odds = position.state.odds(fragment)
            assert {b: p for ((_, b),), p in odds.items()} == pytest.approx(
                {b: p for b, p, _ in ends}, abs=1e-9
            )
        bits, _, book = rng.choices(ends, [p for _, p, _ in ends])[0]
        outcome = tuple((r.name, bits) for r in fragment.cregs)
        state = position.state.follow(fragment, outcome)
        position = game.after(position, move, state, dict(outcome))
        assert_same(position, book)
        plies += 1
    assert_linked(position)
    return position, plies


@pytest.mark.parametrize("rule", RULES)
def test_random_matches_end_and_keep_the_books(rule):
    ends = set()
    for seed in range(MATCHES - LIVE):
        interference = seed % 3 > 0
        game = QuantumCheckers(capture_rule=rule, interference=interference)
        position, _ = followed(game, random.Random(seed), Book.start(rule, interference))
        assert position.result is not None
        ends.add(position.result.reason)
    assert "all pieces are gone" in ends


@pytest.mark.parametrize("rule", RULES)
def test_random_matches_on_aer_keep_the_books(rule):
    for seed in range(LIVE):
        match, rng = Match("quantum_checkers", seed=seed, capture_rule=rule), random.Random(seed)
        book = Book.start(rule)
        while match.result is None:
            move = random_move(match.legal_moves, rng)
            step = match.play(move)
            read = "".join(bits for _, bits in step.outcome)
            book = {bits: then for bits, _, then in book.outcomes(move.verb, *move.args)}[read]
            assert_same(match.position, book)
            assert_linked(match.position)
        assert len(match.record) < LONGEST
        assert Match.from_json(match.to_json()).position == match.position


# ---- captures against their definition, and against bare circuits -------------------------------

START, VICTIM, LANDING = 22, 18, 15
OTHERS = (1, 5, 9, 10, 11, 12, 13, 16)


def random_victim(rng: np.random.Generator, dead: bool, landing: bool, most: int = 5) -> Amplitudes:
    """A piece on the victim's square and one to five more, with random complex amplitudes."""
    squares = [int(s) for s in rng.choice(OTHERS, size=rng.integers(1, most + 1), replace=False)]
    keys: list[int | str] = [
        VICTIM,
        *squares,
        *([LANDING] if landing else []),
        *([DEAD] if dead else []),
    ]
    values = rng.normal(size=len(keys)) + 1j * rng.normal(size=len(keys))
    return dict(zip(keys, values / np.linalg.norm(values), strict=True))


def weights(amplitudes: Amplitudes) -> dict[int | str, float]:
    return {key: abs(a) ** 2 for key, a in amplitudes.items()}


@pytest.mark.parametrize("seed", range(200))
def test_as_published_is_6a_and_6b(seed):
    """A hit leaves all other squares as they were, a miss shares the lost probability out."""
    rng = np.random.default_rng(seed)
    victim = random_victim(rng, dead=seed % 2 == 1, landing=seed % 4 >= 2)
    game, position = QuantumCheckers(), position_of({22: {START: 1}, 1: victim, 2: {32: 1}})
    fragment = game.fragment(position, Move("jump", (START, LANDING)))
    assert [i.operation.name for i in fragment.data] == ["measure"] * 3 + ["if_else"]
    gates = {i.operation.name for i in fragment.data[-1].operation.blocks[0].data}
    assert gates == {"swap", "xx_plus_yy"}
    ends = {bits: (p, pieces_of(end)) for bits, p, end in branches(game, position, "jump 22 15")}
    lost = abs(victim.get(LANDING, 0)) ** 2
    rest = {k: a / np.sqrt(1 - lost) for k, a in victim.items() if k not in (VICTIM, LANDING)}
    hit = abs(victim[VICTIM]) ** 2
    chance, after = ends["110"]
    assert chance == pytest.approx(hit, abs=1e-9)  # occupied on v, so not on l
    published = {k: a for k, a in rest.items() if k != DEAD}
    published[DEAD] = np.sqrt(abs(rest.get(DEAD, 0)) ** 2 + hit / (1 - lost))  # 6b
    assert weights(after[1]) == pytest.approx(weights(published), abs=1e-9)
    assert same_up_to_phase(after[1], published, 1e-9)
    chance, after = ends["100"]
    assert chance == pytest.approx(1 - hit - lost, abs=1e-9)
    total = sum(weights(rest).values())
    assert weights(after[1]) == pytest.approx(
        {k: p / total for k, p in weights(rest).items()}, abs=1e-9
    )  # 6a
    assert ("101" in ends) == (LANDING in victim)
    for run in range(2):  # and so does Aer
        state, ((_, bits),) = position.state.run(fragment, 7 * seed + run)
        assert state == position.state.follow(fragment, (("cap", bits),))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("half_dead", [False, True])
@pytest.mark.parametrize("rule", ["projective", "cat"])
def test_captures_against_shots_of_the_bare_circuit(rule, half_dead, seed):
    """The sheet's table typed once more, on the qubits involved; every outcome is counted."""
    rng = np.random.default_rng((seed, half_dead))
    victim = random_victim(rng, half_dead and rule == "cat", landing=False, most=2)
    pieces = {22: {START: 0.8, 31: 0.6j}, 1: victim, 24: {LANDING: 0.6, 20: 0.8}, 2: {32: 1}}
    game, position = QuantumCheckers(capture_rule=rule), position_of(pieces)
    order = [START, 31, LANDING, 20, *victim, *([] if DEAD in victim else [DEAD])]
    counts = bare_capture(order, pieces, rule, shots=4000)
    expected: dict[tuple[str, frozenset[int | str]], float] = {}
    for bits, chance, end in branches(game, position, "jump 22 15"):
        for places, p in joint(pieces_of(end), order):
            expected[bits, places] = expected.get((bits, places), 0) + chance * p
    assert counts.keys() <= {key for key, p in expected.items() if p > 1e-9}
    for key, p in expected.items():
        assert counts.get(key, 0) == pytest.approx(4000 * p, abs=5 * np.sqrt(4000 * p) + 1)


def joint(pieces: dict[int, Amplitudes], order: list[int | str]):
    """Every way to find the pieces that may be on these squares, with its probability."""
    found = [(frozenset(), 1.0)]
    for home, mine in pieces.items():
        if home != 2:
            found = [(at | {k}, p * abs(a) ** 2) for at, p in found for k, a in mine.items()]
    return [(at & set(order), p) for at, p in found]


def bare_capture(order, pieces, rule, shots):
    q, c = QuantumRegister(len(order)), ClassicalRegister(2 if rule == "cat" else 3, "cap")
    end = ClassicalRegister(len(order), "end")
    qc = QuantumCircuit(q, c, end)
    start = np.zeros(2 ** len(order), dtype=complex)
    for white, other, black in product(*(pieces[home].items() for home in (22, 24, 1))):
        where = sum(1 << order.index(key) for key, _ in (white, other, black))
        start[where] = white[1] * other[1] * black[1]
    qc.set_statevector(start)
    a, v, land, grave = (order.index(k) for k in (START, VICTIM, LANDING, DEAD))
    measured = [a, land] if rule == "cat" else [a, v, land]
    qc.measure(measured, c)
    with qc.if_test((c, 1 if rule == "cat" else 3)):
        qc.swap(a, land)
        if rule == "projective":
            qc.x(v)
        elif DEAD in pieces[1]:
            qc.append(UnitaryGate(gather(pieces[1][VICTIM], pieces[1][DEAD])), [v, grave])
        else:
            qc.swap(v, grave)
    qc.measure(q, end)
    simulator = AerSimulator(max_parallel_threads=1)
    runnable = transpile(qc, simulator, optimization_level=0)
    counts = simulator.run(runnable, shots=shots, seed_simulator=11).result().get_counts()
    found = {}
    for text, count in counts.items():
        places, bits = text.split()
        key = (
            bits[::-1],
            frozenset(k for k, bit in zip(order, places[::-1], strict=True) if bit == "1"),
        )
        found[key] = found.get(key, 0) + count
    return found


def gather(living: complex, dead: complex) -> np.ndarray:
    """The rotation of (v, grave) that takes living |10> + dead |01> to the grave alone."""
    norm = np.hypot(abs(living), abs(dead))
    matrix = np.eye(4, dtype=complex)
    matrix[1:3, 1:3] = [
        [dead / norm, -living / norm],
        [np.conj(living) / norm, np.conj(dead) / norm],
    ]
    return matrix


# ---- performance of wide fragments --------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_measuring_first_changes_nothing(rule, monkeypatch):
    """A wide fragment is run in two stages: the same odds, states and outcomes as in one."""
    rng = np.random.default_rng(5)
    for _ in range(10):
        victim = random_victim(rng, dead=rule != "projective", landing=True)
        pieces = {22: {START: 0.8, 31: 0.6j}, 1: victim, 2: {32: 1}}
        game, position = QuantumCheckers(capture_rule=rule), position_of(pieces)
        fragment = game.fragment(position, Move("jump", (START, LANDING)))
        answers = []
        for wide in (0, 99):
            monkeypatch.setattr(quantum, "_WIDE", wide)
            odds = position.state.odds(fragment)
            states = [position.state.follow(fragment, outcome) for outcome in odds]
            assert [position.state.run(fragment, 3)[1] in odds] == [True]
            answers.append((odds, states))
        assert answers[0][0] == pytest.approx(answers[1][0])
        by_outcome = [dict(zip(odds, states, strict=True)) for odds, states in answers]
        assert by_outcome[0] == by_outcome[1]


def test_an_unread_bit_is_not_measured_first(monkeypatch):
    """A belief keeps every value of a bit that somebody else read."""
    monkeypatch.setattr(quantum, "_WIDE", 0)
    qc = QuantumCircuit(QuantumRegister(2, "q"), ClassicalRegister(1, "p1"))
    qc.measure(0, 0)
    with qc.if_test((qc.cregs[0], 1)):
        qc.x(1)
    start = QuantumCircuit(QuantumRegister(2, "q"))
    start.h(0)
    belief = QuantumState.zeros(2).follow(start, ()).follow(qc, (("p1", "?"),))
    assert belief.probability(1) == pytest.approx(0.5)
    assert belief.clusters == ((0, 1),)
