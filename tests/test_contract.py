"""What every game in GAMES promises, whatever its rules: a new game is tested here unchanged."""

import json
import random
from collections.abc import Iterator, Mapping

import numpy as np
import pytest
from qiskit import QuantumCircuit
from scipy.stats import chisquare

from qgames import GAMES, IllegalMoveError, InvalidMoveError, Match, Move
from qgames.quantum import outcome_text, sample, wire_registers
from tests import dense
from tests.matches import played
from tests.secrets import may_read, seen, twins

LONGEST = 3000  # steps of random play; the rules of every game end it long before

every_game = pytest.mark.parametrize("key", GAMES)


def varied() -> Iterator[tuple[str, dict[str, object]]]:
    """Each game as it comes, and with each other choice of each option (ends of long ranges)."""
    for key, game in GAMES.items():
        yield key, {}
        for name, option in game.options.items():
            others = [c for c in option.choices if c != option.default]
            for choice in others if len(others) < 6 else (others[0], others[-1]):
                yield key, {name: choice}


every_option = pytest.mark.parametrize(
    ("key", "options"), list(varied()), ids=lambda value: json.dumps(value).strip('"{}') or "plain"
)


def some(moves: tuple[Move, ...], most: int) -> tuple[Move, ...]:
    """A few of the moves, one of each verb first."""
    first = {move.verb: move for move in reversed(moves)}
    return (*first.values(), *moves[:: max(1, len(moves) // most)])[: max(most, len(first))]


# ---- play ----------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("seed", [1, 2])
def test_random_play_ends(key: str, seed: int) -> None:
    match = played(key, seed, LONGEST)
    assert match.to_move is None
    assert match.legal_moves == ()
    assert match.result is not None
    assert match.result.winner in (None, *range(match.game.seats))
    assert len(match.result.points) == match.game.seats
    assert match.result.reason
    for seat in (None, *range(match.game.seats)):
        assert match.view(seat).result == match.result
        assert match.view(seat).legal_moves == ()


@every_option
def test_save_then_load(key: str, options: dict[str, object]) -> None:
    match = played(key, 3, 16, **options)
    loaded = Match.from_json(match.to_json())
    assert loaded.position == match.position
    assert loaded.record == match.record
    assert loaded.legal_moves == match.legal_moves
    assert loaded.to_json() == match.to_json()
    for seat in (None, *range(match.game.seats)):
        assert loaded.view(seat) == match.view(seat)


@every_game
def test_the_same_seed_gives_the_same_match(key: str) -> None:
    assert played(key, 4, 12).record == played(key, 4, 12).record


@every_game
def test_undo_then_the_same_move_gives_the_same_outcome(key: str) -> None:
    match = played(key, 5, 14)
    positions, steps = [match.position], []
    while len(match.record) > match.fewest_steps:
        steps.append(match.undo())
        positions.append(match.position)
    for step in reversed(steps):
        assert match.position == positions.pop()
        other = next((m for m in match.legal_moves if m != step.move), None)
        if other is not None:
            match.play(other)
            match.undo()
        assert match.play(step.move) == step
    assert match.position == positions.pop()


@every_game
def test_moves_have_one_spelling(key: str) -> None:
    match, rng = Match(key, seed=6), random.Random(6)
    for _ in range(14):
        if match.to_move is None:
            break
        moves = match.legal_moves
        assert len(set(moves)) == len(set(map(str, moves))) == len(moves) > 0
        for move in moves:
            assert Move.parse(str(move)) == move == match.game.normal(move)
            assert str(move) == str(move).lower()
        match.play(str(rng.choice(moves)).upper())


@every_game
def test_illegal_moves_raise_and_change_nothing(key: str) -> None:
    match, rng = Match(key, seed=7), random.Random(7)
    known: dict[Move, None] = {}
    for _ in range(10):
        if match.to_move is None:
            break
        known |= dict.fromkeys(match.legal_moves)
        wrong = [m for m in known if m not in match.legal_moves][:4]
        before = (match.to_json(), match.position, match.legal_moves)
        for text, error in [
            *((move, IllegalMoveError) for move in wrong),
            ("nonsense 99", IllegalMoveError),
            ("99 nonsense", InvalidMoveError),
            ("", InvalidMoveError),
        ]:
            for ask in (match.play, match.odds, match.fragment):
                with pytest.raises(error) as caught:
                    ask(text)
                said = str(caught.value)
                assert repr(str(text)) in said
                assert "\n" not in said
                assert "{" not in said
        assert (match.to_json(), match.position, match.legal_moves) == before
        match.play(rng.choice(match.legal_moves))
    while match.to_move is not None:
        match.play("resign")
    for move in (*known, Move("resign")):
        with pytest.raises(IllegalMoveError, match="the match is over"):
            match.play(move)


# ---- circuits ------------------------------------------------------------------------------------


@every_game
def test_fragments_are_circuits_on_the_games_wires(key: str) -> None:
    match = played(key, 8, 9)
    assert len(match.game.wire_labels) == match.game.wires.size == match.position.state.wires
    for move in some(match.legal_moves, 12):
        fragment = match.fragment(move)
        assert fragment.qregs[0] == match.game.wires
        assert all(i.operation.name != "unitary" for i in fragment.data)
        names = [r.name for r in fragment.cregs]
        assert len(set(names)) == len(names)
        for name in names:
            owner = name[1:] if name[:1] == "p" and name[1:].isdecimal() else "0"
            assert int(owner) < match.game.seats
        own = match.view(match.to_move)
        assert match.game.fragment(own.position, move) == fragment  # nothing hidden shapes it


@every_game
def test_odds_sum_to_1_and_aer_agrees(key: str) -> None:
    tested = 0
    for seed in range(4):
        match = played(key, seed, 6 + seed)
        for move in some(match.legal_moves, 8):
            odds = match.odds(move)
            assert sum(odds.values()) == pytest.approx(1)
            assert all(0 < chance <= 1 + 1e-9 for chance in odds.values())
            fragment, state = match.fragment(move), match.position.state
            read = wire_registers(fragment)
            exact = {outcome_text(o): p for o, p in state.odds(fragment, read).items()}
            if len(exact) < 2 or tested >= 4:
                continue
            tested += 1
            counts = dict.fromkeys(exact, 0)
            for shot in range(300):
                outcome = tuple(
                    pair for pair in state.run(fragment, 977 * shot)[1] if pair[0] in read
                )
                counts[outcome_text(outcome)] += 1
            expected = [300 * exact[text] for text in counts]
            assert chisquare(list(counts.values()), expected).pvalue > 1e-4
    if key == "qlanet":
        assert tested  # a game without chance of its own has nothing to compare here


def parted(circuit: QuantumCircuit) -> Iterator[tuple[QuantumCircuit, list[int], list[int]]]:
    """The circuit's independent parts as circuits, with the qubits and clbits of each."""
    group: dict[object, set[object]] = {}
    for instruction in circuit.data:
        if instruction.operation.name == "barrier":
            continue
        bits = {*instruction.qubits, *instruction.clbits}
        for bit in tuple(bits):
            bits |= group.get(bit, set())
        for bit in bits:
            group[bit] = bits
    for bits in {id(bits): bits for bits in group.values()}.values():
        qubits = [q for q in circuit.qubits if q in bits]
        part = QuantumCircuit(qubits, *circuit.cregs)
        for instruction in circuit.data:
            if instruction.qubits[0] in bits and instruction.operation.name != "barrier":
                part.append(instruction)
        yield (
            part,
            [circuit.find_bit(q).index for q in qubits],
            [n for n, c in enumerate(circuit.clbits) if c in bits],
        )


def recorded_bits(match: Match, circuit: QuantumCircuit) -> dict[int, int]:
    """The recorded value of every classical bit of the whole circuit."""
    found: dict[int, int] = {}
    for register in circuit.cregs:
        name, _, number = register.name.rpartition("_")
        bits = match.record[int(number)].bits(name)
        assert bits is not None
        for clbit, bit in zip(register, bits, strict=True):
            found[circuit.find_bit(clbit).index] = int(bit)
    return found


def is_small(match: Match) -> bool:
    """Whether dense numpy can hold each linked part of the whole circuit."""
    return all(len(qubits) <= 14 for _, qubits, _ in parted(match.circuit()))


@every_game
@pytest.mark.parametrize("seed", range(3))
def test_the_whole_circuit_from_scratch_gives_the_live_state(key: str, seed: int) -> None:
    """Exactly by dense numpy, and by sampling on Aer in two bases, both given what was recorded."""
    match = next(m for m in (played(key, seed, n) for n in range(8, 0, -1)) if is_small(m))
    circuit = match.circuit()
    recorded = recorded_bits(match, circuit)
    labels = [i.operation.label for i in circuit.data if i.operation.name == "barrier"]
    assert labels == [str(step.move.masked()) for step in match.record]
    for part, qubits, clbits in parted(circuit):
        wires = [q for q in qubits if q < match.game.wires.size]
        if not wires:
            continue
        known = {c: recorded[c] for c in clbits}
        found = dense.branches(part, known=known)
        places = [qubits.index(w) for w in wires]
        rho = sum(dense.reduced(after, places) for _, after in found)
        chance = float(np.trace(rho).real)
        assert chance > 1e-9
        live = match.position.state.density(wires)
        assert np.abs(live - rho / chance).max() < 1e-7
        if chance > 0.01:
            agree_in_two_bases(part, places, known, live)


def agree_in_two_bases(
    part: QuantumCircuit, places: list[int], known: Mapping[int, int], live: np.ndarray
) -> None:
    """Shots of ``part`` that read ``known`` must spread over the wires as ``live`` says."""
    count = len(places)
    wall = dense.H
    for _ in range(count - 1):
        wall = np.kron(wall, dense.H)
    for turned in (False, True):
        qc = part.copy()
        if turned:
            qc.h(places)
        qc.measure_all()
        shots = sample(qc, 4000, seed=11, memory=True)
        names = [r.name for r in qc.cregs]
        counts = np.zeros(2**count)
        for shot in shots:
            words = [w.partition("=")[2] for w in shot.split()]
            assert len(words) == len(names)
            if all("".join(words)[c] == str(bit) for c, bit in known.items()):
                counts[sum(int(words[-1][place]) << k for k, place in enumerate(places))] += 1
        exact = np.real(np.diag(wall @ live @ wall if turned else live)).clip(min=0)
        kept = exact * counts.sum() > 1e-6
        assert counts[~kept].sum() == 0
        if kept.sum() > 1:
            expected = exact[kept] / exact[kept].sum() * counts.sum()
            assert chisquare(counts[kept], expected).pvalue > 1e-5


# ---- secrecy and looking -------------------------------------------------------------------------


@every_game
def test_what_is_not_a_seats_to_read_is_masked(key: str) -> None:
    match = played(key, 9, 14)
    for seat in (None, *range(match.game.seats)):
        for step, own in zip(match.view(seat).record, match.record, strict=True):
            for (name, bits), (_, truth) in zip(step.outcome, own.outcome, strict=True):
                assert bits == (truth if may_read(key, name, seat) else "?" * len(truth))
            if own.move.secret and own.seat != seat:
                assert step.move.secret == ("?",)


@every_game
@pytest.mark.parametrize("seed", [10, 11])
def test_views_leak_nothing(key: str, seed: int) -> None:
    """Matches that differ in what a seat cannot read look the same to it, legal moves included."""
    match = played(key, seed, 7)
    for seat in (None, *range(match.game.seats)):
        others = list(twins(match, seat, most=2, seed=seed))
        mine = seen(match, seat) if others else {}
        for twin in others:
            theirs = seen(twin, seat)
            for what, value in mine.items():
                assert theirs[what] == value, what
            public = [str(m.masked()) for m in twin.legal_moves]
            if match.to_move == seat:
                assert public == [str(m.masked()) for m in match.legal_moves]


@every_game
def test_a_view_holds_no_way_back_to_the_truth(key: str) -> None:
    """Walk all that a view refers to: the true state and the match are nowhere in it."""
    match = played(key, 12, 10)
    for seat in (None, *range(match.game.seats)):
        view = match.view(seat)
        hidden = match.position.state if not view.belief.is_pure else None
        found, queue = set(), [view]
        while queue:
            thing = queue.pop()
            if id(thing) in found or isinstance(thing, str | int | float | type | np.ndarray):
                continue
            found.add(id(thing))
            assert thing is not match
            assert hidden is None or thing is not hidden
            queue += list(getattr(thing, "__dict__", {}).values())
            queue += [
                getattr(thing, s)
                for s in getattr(type(thing), "__slots__", ())
                if hasattr(thing, s)
            ]
            if isinstance(thing, dict):
                queue += [*thing.keys(), *thing.values()]
            elif isinstance(thing, tuple | list | set | frozenset):
                queue += list(thing)


@every_game
def test_looking_never_changes_anything(key: str) -> None:
    quiet, curious, rng = Match(key, seed=13), Match(key, seed=13), random.Random(13)
    for _ in range(10):
        if quiet.to_move is None:
            break
        for move in some(curious.legal_moves, 4):
            curious.odds(move)
            curious.fragment(move)
            curious.view(curious.to_move).outlook(move)
        for seat in (None, *range(curious.game.seats)):
            repr(curious.view(seat).record)
            hash(curious.view(seat))
        curious.circuit(dice=True)
        curious.to_json()
        move = rng.choice(quiet.legal_moves)
        assert curious.play(move) == quiet.play(move)
        assert curious.position == quiet.position


@every_game
def test_the_seat_to_move_can_look_ahead(key: str) -> None:
    match = played(key, 14, 8)
    view = match.view(match.to_move)
    assert view.legal_moves == match.legal_moves
    for move in some(view.legal_moves, 6):
        branches = view.outlook(move)
        assert sum(branch.chance for branch in branches) == pytest.approx(1)
        table = {outcome_text(branch.outcome): branch.chance for branch in branches}
        assert table == pytest.approx(match.odds(move))
