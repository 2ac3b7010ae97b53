"""Moves, steps, matches and saved matches: spelling, refusals word for word, undo, views."""

import json
import random
import re
import threading
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qgames
from qgames import GAMES, IllegalMoveError, InvalidMoveError, Match, Move, SaveError, Step
from qgames.core import LARGEST_SAVE, readable
from qgames.games.qlanet import Qlanet
from tests.matches import played

SAVES = Path(__file__).parent / "saves"

# ---- moves and steps -----------------------------------------------------------------------------

WORDS = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
ARGS = st.lists(st.one_of(st.integers(0, 99), WORDS), max_size=4).map(tuple)
MOVES = st.builds(Move, WORDS, ARGS, st.lists(WORDS, max_size=2).map(tuple))
BITS = st.text("01", min_size=1, max_size=6)
REGISTERS = st.sampled_from(["fixed", "p0", "p1", "sealed", "dice", "cap"])
OUTCOMES = st.dictionaries(REGISTERS, BITS, max_size=3).map(lambda d: tuple(d.items()))


@given(MOVES)
def test_moves_round_trip(move: Move) -> None:
    assert Move.parse(str(move)) == move
    assert Move.parse("  " + str(move).upper().replace(" ", "  ") + "\n") == move
    assert eval(repr(move)) == move  # noqa: S307


@given(MOVES, OUTCOMES, st.sampled_from([None, 0, 1]))
def test_steps_round_trip(move: Move, outcome: Any, seat: int | None) -> None:
    step = Step(move, outcome, seat)
    assert Step.parse(str(step), seat) == step
    for viewer in (None, 0, 1):
        seen = step.seen_by(viewer)
        for (name, own), (same_name, bits) in zip(step.outcome, seen.outcome, strict=True):
            assert name == same_name
            assert bits == (own if readable(name, viewer) else "?" * len(own))
        hidden = bool(move.secret) and (seat is None or viewer != seat)
        assert seen.move == (replace(move, secret=("?",)) if hidden else move)


@pytest.mark.parametrize(
    ("register", "readers"),
    [
        ("fixed", {None, 0, 1, 11}),
        ("dice", {None, 0, 1, 11}),
        ("p0", {0}),
        ("p1", {1}),
        ("p11", {11}),
        ("sealed", set()),
        ("p", {None, 0, 1, 11}),
        ("pass", {None, 0, 1, 11}),
    ],
)
def test_the_name_of_a_register_says_who_reads_it(register: str, readers: set[int | None]) -> None:
    assert {seat for seat in (None, 0, 1, 11) if readable(register, seat)} == readers


def test_secret_arguments() -> None:
    move = Move.parse("noise q0 (bit-flip)")
    assert (move.verb, move.args, move.secret) == ("noise", ("q0",), ("bit-flip",))
    assert str(move.masked()) == "noise q0 (?)"
    assert Move.parse("noise q0 (?)") == move.masked()
    assert Move("h", (5,)).masked() == Move("h", (5,))


def test_moves_and_steps_are_frozen_values() -> None:
    move = Move("h", (5,))
    assert hash(move) == hash(Move("h", (5,)))
    with pytest.raises(FrozenInstanceError):
        move.verb = "x"  # type: ignore[misc]
    step = Step(move, (("dice", "110"),), 0)
    assert (step.bits("dice"), step.bits("fixed")) == ("110", None)
    assert str(step) == "h 5 dice=110"


# ---- setting up ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Match("chess"), rf"^unknown game 'chess': expected one of {', '.join(GAMES)}$"),
        (
            lambda: Match("qlanet", seed=-1),
            "^expected a seed that is a whole number from 0 up: got -1$",
        ),
        (
            lambda: Match("qlanet", seed=1.5),
            "^expected a seed that is a whole number from 0 up: got 1.5$",
        ),
        (
            lambda: Match("qlanet", seed=True),
            "^expected a seed that is a whole number from 0 up: got True$",
        ),
        (
            lambda: Match("qlanet", seed="7"),
            "^expected a seed that is a whole number from 0 up: got '7'$",
        ),
        (
            lambda: Match("qlanet", seed=float("nan")),
            "^expected a seed that is a whole number from 0 up: got nan$",
        ),
    ],
)
def test_bad_set_up(make: Callable[[], Match], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_a_match_takes_a_key_a_class_or_a_game() -> None:
    records = {
        Match(game, seed=np.int64(5)).record  # type: ignore[arg-type]
        for game in ("qlanet", Qlanet, Qlanet())
    }
    assert len(records) == 1
    assert Match("qlanet").seed != Match("qlanet").seed
    huge = Match("qlanet", seed=10**40)
    assert Match.from_json(huge.to_json()).seed == 10**40


def test_options_cannot_be_changed_afterwards() -> None:
    match = Match("qlanet", seed=1)
    with pytest.raises(TypeError):
        match.game.option["hand_size"] = 6  # type: ignore[index]


# ---- playing -------------------------------------------------------------------------------------


def test_iterating_legal_moves_survives_playing() -> None:
    match = Match("qlanet", seed=2, hands="any")
    moves = match.legal_moves
    assert isinstance(moves, tuple)
    for move in moves[:8]:
        match.play(move)
        match.undo()
    assert match.legal_moves == moves


def test_undo_restores_and_redo_repeats() -> None:
    match = played("qlanet", 5, 15, hands="any")
    trail = [(match.position, match.record[-1])]
    while len(match.record) > 1:
        step = match.undo()
        assert step == trail[-1][1]
        trail.append((match.position, match.record[-1]))
    with pytest.raises(ValueError, match=r"^nothing to undo: the match is at its start$"):
        match.undo()
    assert len(match.record) == 1
    for position, step in reversed(trail[:-1]):
        assert match.play(step.move) == step
        assert match.position == position


def test_another_move_after_undo_does_not_disturb_the_first() -> None:
    match = Match("qlanet", seed=3, hands="any")
    first = match.play("m 1")
    match.undo()
    match.play("m 2")
    match.undo()
    assert match.play("m 1") == first


def test_looking_changes_nothing() -> None:
    quiet, curious = Match("qlanet", seed=9), Match("qlanet", seed=9)
    rng = random.Random(9)
    for _ in range(12):
        if quiet.to_move is None:
            break
        move = rng.choice(quiet.legal_moves)
        for m in curious.legal_moves[:3]:
            curious.odds(m), curious.fragment(m), curious.view(0).outlook(m)
        curious.view(1), curious.view(None), curious.view(0, 1), curious.circuit(dice=True)
        curious.circuit().draw("text"), curious.to_json(), curious.position.state.vector()
        fragment = curious.fragment(move)
        fragment.measure_all()  # the caller's own copy
        assert curious.play(move) == quiet.play(move)
        assert curious.position == quiet.position
    assert curious.record == quiet.record


def test_half_a_swap_twice_with_a_look_between_is_a_swap() -> None:
    """H twice with odds asked in between stays the identity (looking must not measure)."""
    match = Match("qlanet", seed=1, hands="any")
    before = match.position.state
    match.play("h 1")
    assert match.odds("m 1") == pytest.approx({"fixed=0": 1.0})
    match.play("h 1")
    assert match.odds("m 1") == pytest.approx({"fixed=0": 0.5, "fixed=1": 0.5})
    assert match.position.state == before


def test_odds_and_exact_states_outlive_no_position() -> None:
    match = Match("qlanet", seed=1, hands="any")
    even = match.odds("m 1")
    match.play("h 1")
    assert match.odds("m 1") != even
    match.undo()
    assert match.odds("m 1") == even


def test_the_cost_of_a_move_does_not_grow_with_measurements() -> None:
    """Fragments hold one move, however many measurements came before."""
    match = Match("qlanet", seed=4, hands="any")
    for _ in range(30):
        match.play("bm 6 9")
    assert match.fragment("bm 6 9").count_ops() == {"cx": 2, "h": 2, "measure": 2}
    assert match.position.state.clusters.count((5, 8)) == 1


def test_resign_is_accepted_but_not_listed() -> None:
    match = Match("qlanet", seed=1)
    assert Move("resign") not in match.legal_moves
    assert match.odds("resign") == {"": 1.0}
    loser = match.to_move
    match.play("resign")
    assert match.result is not None
    assert (match.result.winner, match.result.reason) == (1 - (loser or 0), "resignation")
    assert Match.from_json(match.to_json()).result == match.result
    match.undo()
    assert match.result is None


# ---- views ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [2, -1, "0"])
def test_views_of_seats_that_are_not_there(seat: Any) -> None:
    match = Match("qlanet", seed=1)
    with pytest.raises(ValueError, match=r"^expected a seat from 0 to 1 or None: got "):
        match.view(seat)


@pytest.mark.parametrize("at", [-1, 4, 99])
def test_views_of_steps_that_are_not_there(at: int) -> None:
    match = played("qlanet", 1, 3)
    with pytest.raises(ValueError, match=f"^expected a step from 0 to 3: got {at}$"):
        match.view(0, at)


def test_only_the_seat_to_move_is_offered_moves() -> None:
    match = Match("qlanet", seed=1)
    assert match.view(0).legal_moves == match.legal_moves
    assert match.view(1).legal_moves == match.view(None).legal_moves == ()


def test_an_earlier_view_is_what_was_seen_then() -> None:
    match = played("qlanet", 6, 11, hands="any")
    then = Match.from_json(
        json.dumps(json.loads(match.to_json()) | {"record": [str(s) for s in match.record[:6]]})
    )
    for seat in (0, 1, None):
        assert match.view(seat, 6) == then.view(seat)


def test_outlook_is_the_odds_with_what_follows() -> None:
    match = played("qlanet", 8, 7, hands="any")
    assert match.to_move is not None
    view = match.view(match.to_move)
    for move in view.legal_moves[::5]:
        branches = view.outlook(move)
        table = {" ".join(f"{n}={b}" for n, b in b.outcome): b.chance for b in branches}
        assert table == pytest.approx(match.odds(move))
        assert [b.chance for b in branches] == sorted((b.chance for b in branches), reverse=True)


# ---- the whole circuit ---------------------------------------------------------------------------


def test_the_circuit_has_a_labelled_barrier_before_each_move() -> None:
    match = played("qlanet", 2, 7, hands="any")
    whole = match.circuit()
    labels = [i.operation.label for i in whole.data if i.operation.name == "barrier"]
    assert labels == [str(step.move) for step in match.record]
    assert not any(r.name.startswith("dice") for r in whole.cregs)
    drawn = played("qlanet", 2, 4)
    names = [r.name for r in drawn.circuit(dice=True).cregs]
    assert [n for n in names if n.startswith("dice")] == ["dice_0", "dice_1", "dice_2", "dice_3"]
    assert not any(n.startswith("dice") for n in (r.name for r in drawn.circuit().cregs))


# ---- saved matches -------------------------------------------------------------------------------


def saved(**changes: Any) -> str:
    """A good save of a short match, with fields changed, or left out where the value is ``...``."""
    fields: dict[str, Any] = {
        "qgames": 1,
        "game": "qlanet",
        "options": {"hands": "any"},
        "seed": 7,
        "record": ["deal sealed=10", "h 1", "m 5 fixed=1", "bm 6 9 p0=10"],
    }
    fields |= changes
    return json.dumps({k: v for k, v in fields.items() if v is not ...})


def with_record(*lines: object) -> str:
    return saved(record=["deal sealed=10", *lines])


NO_JSON = "expected a saved match in JSON: the text is cut off or is no JSON"
STEP = "step 1 {0!r} of this saved match cannot have happened: "
BROKEN: list[tuple[str, Any, str]] = [
    ("truncated", saved()[:-20], NO_JSON),
    ("empty", "", NO_JSON),
    ("no text", 7, "expected the text of a saved match: got int"),
    ("bytes", saved().encode(), "expected the text of a saved match: got bytes"),
    ("50 MB", "x" * 50_000_000, "a saved match has at most 4 million characters: got 50.0 million"),
    ("deeply nested", "[" * 100_000 + "]" * 100_000, NO_JSON),
    ("nested save", '{"qgames": ' * 50_000, NO_JSON),
    ("a number too long", '{"qgames": 1, "seed": ' + "9" * 5000 + "}", NO_JSON),
    ("no object", "[1, 2]", "expected a saved match: the JSON has no field 'qgames'"),
    ("null", "null", "expected a saved match: the JSON has no field 'qgames'"),
    ("another JSON", '{"cells": []}', "expected a saved match: the JSON has no field 'qgames'"),
    ("unknown version", saved(qgames=2), "expected a saved match of version 1 to 1: got version 2"),
    ("version 0", saved(qgames=0), "expected a saved match of version 1 to 1: got version 0"),
    (
        "version as text",
        saved(qgames="1"),
        "expected a saved match of version 1 to 1: got version '1'",
    ),
    (
        "version true",
        saved(qgames=True),
        "expected a saved match of version 1 to 1: got version True",
    ),
    ("version 1.0", saved(qgames=1.0), "expected a saved match of version 1 to 1: got version 1.0"),
    (
        "unknown game",
        saved(game="chess"),
        "this saved match cannot be set up: unknown game 'chess': "
        f"expected one of {', '.join(GAMES)}",
    ),
    ("missing game", saved(game=...), "field 'game' of a saved match is text: got None"),
    (
        "missing options",
        saved(options=...),
        "field 'options' of a saved match is an object: got None",
    ),
    ("missing seed", saved(seed=...), "field 'seed' of a saved match is a whole number: got None"),
    (
        "missing record",
        saved(record=...),
        "field 'record' of a saved match is a list of steps: got None",
    ),
    (
        "game is a list",
        saved(game=["qlanet"]),
        "field 'game' of a saved match is text: got ['qlanet']",
    ),
    (
        "options is a list",
        saved(options=[]),
        "field 'options' of a saved match is an object: got []",
    ),
    ("seed as text", saved(seed="7"), "field 'seed' of a saved match is a whole number: got '7'"),
    ("seed 1.5", saved(seed=1.5), "field 'seed' of a saved match is a whole number: got 1.5"),
    (
        "seed NaN",
        saved(seed=float("nan")),
        "field 'seed' of a saved match is a whole number: got nan",
    ),
    (
        "seed 1e400",
        saved().replace("7", "1e400"),
        "field 'seed' of a saved match is a whole number: got inf",
    ),
    ("seed true", saved(seed=True), "field 'seed' of a saved match is a whole number: got True"),
    ("seed below 0", saved(seed=-3), "field 'seed' of a saved match is at least 0: got -3"),
    (
        "record is text",
        saved(record="h 1"),
        "field 'record' of a saved match is a list of steps: got 'h 1'",
    ),
    (
        "a step is a number",
        with_record(5),
        "field 'record' of a saved match is a list of texts: got 5",
    ),
    (
        "unknown option",
        saved(options={"speed": 3}),
        "this saved match cannot be set up: unknown option 'speed' for qlanet: expected one of "
        "sw_cost, layout, first, gates, hands, hand_size, marks, turn_limit",
    ),
    (
        "an option named self",
        saved(options={"self": 3}),
        "this saved match cannot be set up: unknown option 'self' for qlanet: expected one of "
        "sw_cost, layout, first, gates, hands, hand_size, marks, turn_limit",
    ),
    (
        "unhashable option value",
        saved(options={"hand_size": {"a": [1]}}),
        "this saved match cannot be set up: option hand_size of qlanet is one of 3, 4, 5, 6: "
        "got {'a': [1]}",
    ),
    (
        "option value of another type",
        saved(options={"first": False}),
        "this saved match cannot be set up: option first of qlanet is one of 0, 1, 'random': "
        "got False",
    ),
    ("no deal", saved(record=[]), "a saved match of qlanet starts with 'deal': got no step"),
    (
        "another opening",
        saved(record=["h 1"]),
        "step 0 'h 1' of this saved match: expected 'deal' first",
    ),
    (
        "a second deal",
        with_record("deal sealed=10"),
        STEP.format("deal sealed=10")
        + "illegal move 'deal': it is played only when nothing else can be; "
        "player 0 to move after 1 step",
    ),
    (
        "impossible outcome",
        with_record("m 5 fixed=0"),
        STEP.format("m 5 fixed=0") + "outcome 'fixed=0' has probability 0 for this move",
    ),
    (
        "outcome too long",
        with_record("m 5 fixed=11"),
        STEP.format("m 5 fixed=11") + "expected 1 bits of 0 and 1 for register 'fixed': got '11'",
    ),
    (
        "outcome too short",
        with_record("bm 6 9 p0=1"),
        STEP.format("bm 6 9 p0=1") + "expected 2 bits of 0 and 1 for register 'p0': got '1'",
    ),
    (
        "outcome of another seat",
        with_record("bm 6 9 p1=10"),
        STEP.format("bm 6 9 p1=10") + "expected an outcome for registers ['p0']: got 'p1=10'",
    ),
    (
        "outcome left out",
        with_record("m 5"),
        STEP.format("m 5") + "expected an outcome for registers ['fixed']: got ''",
    ),
    (
        "outcome that is no bits",
        with_record("m 5 fixed=x"),
        STEP.format("m 5 fixed=x") + "expected 1 bits of 0 and 1 for register 'fixed': got 'x'",
    ),
    (
        "masked outcome",
        with_record("bm 6 9 p0=??"),
        STEP.format("bm 6 9 p0=??") + "an outcome is missing in 'p0=??'",
    ),
    (
        "the same register twice",
        with_record("m 5 fixed=1 fixed=1"),
        STEP.format("m 5 fixed=1 fixed=1")
        + "expected an outcome for registers ['fixed']: got 'fixed=1 fixed=1'",
    ),
    (
        "illegal step",
        with_record("bm 6 6 p0=00"),
        STEP.format("bm 6 6 p0=00")
        + "illegal move 'bm 6 6': bm takes two different planets; player 0 to move after 1 step",
    ),
    (
        "a step that is no move",
        with_record("!!"),
        STEP.format("!!") + "invalid move '!!': expected a verb and its arguments, such as 'h 5'",
    ),
    (
        "an empty step",
        with_record(""),
        STEP.format("") + "invalid move '': expected a verb and its arguments, such as 'h 5'",
    ),
    (
        "a step after the end",
        with_record("m 5 fixed=1", "resign", "h 1"),
        "step 3 'h 1' of this saved match cannot have happened: illegal move 'h 1': "
        "no move can be played; the match is over after 3 steps",
    ),
]


@pytest.mark.parametrize(("kind", "text", "message"), BROKEN, ids=[row[0] for row in BROKEN])
def test_broken_saves_say_what_is_wrong(kind: str, text: Any, message: str) -> None:
    with pytest.raises(SaveError) as caught:
        Match.from_json(text)
    assert str(caught.value) == message, kind


def test_long_rubbish_is_quoted_briefly() -> None:
    for line in ("m 5 fixed=" + "1" * 10_000, "m 5 " + "y=1 " * 5_000, "z" * 10_000):
        with pytest.raises(SaveError) as caught:
            Match.from_json(with_record(line))
        assert len(str(caught.value)) < 600
        assert "\n" not in str(caught.value)


def test_the_good_save_loads() -> None:
    match = Match.from_json(saved())
    assert [str(step) for step in match.record][1:] == ["h 1", "m 5 fixed=1", "bm 6 9 p0=10"]
    assert json.loads(match.to_json())["record"] == json.loads(saved())["record"]
    assert len(saved()) < LARGEST_SAVE


def test_unknown_text_in_a_save_runs_nothing() -> None:
    with pytest.raises(SaveError):
        Match.from_json(saved(game="__import__('os').system('true')"))


def test_load_then_play_on_as_if_never_saved() -> None:
    match = played("qlanet", 12, 10)
    loaded = Match.from_json(match.to_json())
    rng = random.Random(1)
    for _ in range(5):
        if match.to_move is None:
            break
        move = rng.choice(match.legal_moves)
        assert loaded.play(move) == match.play(move)
    assert loaded.position == match.position
    assert loaded.to_json() == match.to_json()


SAVED = sorted(SAVES.glob("*.json"))


@pytest.mark.parametrize("path", SAVED, ids=[path.stem for path in SAVED])
def test_the_first_saved_matches_still_load(path: Path) -> None:
    """Matches saved by version 1: whatever changes later, these must load."""
    text = path.read_text(encoding="utf-8")
    match = Match.from_json(text)
    assert json.loads(match.to_json()) == json.loads(text)
    for seat in (0, 1, None):
        assert len(match.view(seat).record) == len(match.record)


def test_there_are_saved_matches_of_version_1() -> None:
    assert len(SAVED) >= 5


# ---- errors and the public face ------------------------------------------------------------------


def test_errors_are_value_errors() -> None:
    for error in (InvalidMoveError, IllegalMoveError, SaveError, qgames.ImpossibleOutcomeError):
        assert issubclass(error, ValueError)


def test_the_public_face() -> None:
    for name in ("GAMES", "Match", "Move", "play", "IllegalMoveError", "InvalidMoveError"):
        assert name in qgames.__all__
        assert hasattr(qgames, name)
    assert all(hasattr(qgames, name) for name in qgames.__all__)
    assert all(re.fullmatch("[a-z_]+", key) and GAMES[key].key == key for key in GAMES)


def test_two_matches_at_once_do_not_disturb_each_other() -> None:
    """Two threads, as two kernels' callbacks would: each match equals the one played alone."""
    alone = [played("qlanet", seed, 13).record for seed in (1, 2)]
    found: dict[int, Any] = {}

    def run(seed: int) -> None:
        found[seed] = played("qlanet", seed, 13).record

    threads = [threading.Thread(target=run, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[1], found[2]] == alone
