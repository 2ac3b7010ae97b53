"""The panel's logic, without a browser: each click is one method, and every pane is text."""

import json
from pathlib import Path

import pytest

from qgames import Match
from qgames.choice import Choice
from qgames.widget import MatchWidget, play
from qgames.widget.panel import seating
from tests.secrets import twins

PANES = ("header", "bar", "board", "hand", "odds", "circuit", "state", "slider", "moves")


def practice(**options: object) -> MatchWidget:
    return play("qlanet", "practice", seed=7, hands="any", **options)


def panes(w: MatchWidget) -> dict[str, str]:
    return {name: getattr(w, name) for name in PANES}


def status(w: MatchWidget) -> str:
    return w.bar.partition('role="status"')[2]


def test_planets_first_and_card_first_make_the_same_move() -> None:
    w = practice()
    w.receive({"on": "click", "square": "9"})
    w.receive({"on": "click", "square": "6"})
    w.receive({"on": "click", "verb": "bm", "slot": "7"})
    planets_first = w.move
    w = practice()
    w.receive({"on": "click", "verb": "bm", "slot": "7"})
    w.receive({"on": "key", "key": "6"})
    w.receive({"on": "key", "key": "9"})
    assert str(planets_first) == str(w.move) == "bm 6 9"


def test_a_move_is_played_only_by_its_button_and_changes_all_three_panes() -> None:
    w = practice()
    before = panes(w)
    w.take("m")
    w.choose(5)
    assert len(w.match.record) == 1
    w.paint()
    assert "50 %" in w.odds
    w.receive({"on": "click", "action": "play"})
    assert [s.move.verb for s in w.match.record] == ["deal", "m"]
    after = panes(w)
    assert all(before[name] != after[name] for name in ("board", "circuit", "state", "moves"))


def test_the_choice_goes_back_one_step_at_a_time() -> None:
    w = practice()
    w.take("cx1")
    w.choose(1)
    w.choose(2)
    for left in (Choice("cx1", (1,)), Choice("cx1"), Choice()):
        w.press("Escape")
        assert w.choice == left


def test_two_equal_cards_are_two_slots() -> None:
    w = play("qlanet", "practice", seed=7, hand_size=5)  # cx1 h m bm bm
    w.take("bm", slot=3)
    w.take("bm", slot=4)
    assert (w.choice.verb, w.slot) == ("bm", 4)
    w.take("bm", slot=4)
    assert (w.choice.verb, w.slot) == (None, None)


def test_an_illegal_square_says_why_and_changes_nothing() -> None:
    w = practice()
    w.play("m 2")
    w.take("h")
    before = w.choice
    w.receive({"on": "click", "square": "2"})
    assert w.choice == before
    assert "Planet <b>2</b> is fixed; no card works on it. Choose another planet." in status(w)
    assert w.refused == 2
    w.receive({"on": "click", "square": "3"})
    assert w.refused is None and w.choice.squares == (3,)  # noqa: PT018


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"on": "click"},
        {"on": "click", "square": "77"},
        {"on": "click", "square": "<b>"},
        {"on": "click", "verb": "warp"},
        {"on": "click", "step": "many"},
        {"on": "click", "action": "explode"},
        {"on": "click", "action": "play"},
        {"on": "key", "key": "x"},
        {"on": "hover", "outcome": "-1"},
        {"on": "input", "action": "seek", "value": "1e9"},
        {"on": "load", "text": "{"},
        {"on": "load"},
    ],
)
def test_a_message_that_makes_no_sense_changes_nothing(message: dict[str, str]) -> None:
    w = practice()
    w.play("h 1")
    record, choice = w.match.record, w.choice
    w.receive(message)
    assert (w.match.record, w.choice) == (record, choice)
    assert "Traceback" not in w.bar and "Something went wrong" not in w.bar  # noqa: PT018


def test_the_computer_answers_until_the_person_is_to_move() -> None:
    w = play("qlanet", "random", seed=3)
    while w.match.result is None:
        assert w.match.to_move == 0
        w.play(w.match.legal_moves[0])
    assert {s.seat for s in w.match.record} == {None, 0, 1}
    assert "qg-pri" in w.header.partition('data-action="menu"')[0].rpartition("<button")[2]


def test_undo_takes_the_computers_answers_back_too_and_redo_is_the_same() -> None:
    w = play("qlanet", "greedy", seed=5)
    moves = []
    for _ in range(4):
        moves.append(w.match.legal_moves[0])
        w.play(moves[-1])
    record = w.match.record
    w.undo()
    assert w.match.to_move == 0
    assert len(w.match.record) < len(record)
    w.play(moves[-1])
    assert w.match.record == record


def test_undo_at_the_start_is_refused() -> None:
    w = practice()
    w.receive({"on": "click", "action": "undo"})
    assert "Nothing to undo: the match is at its start." in status(w)
    assert len(w.match.record) == 1


def test_the_slider_shows_any_earlier_position_and_the_board_is_read_only_there() -> None:
    w = practice()
    for move in ("bm 6 9", "z 2", "h 2", "m 2"):
        w.play(move)
    live = panes(w)
    w.receive({"on": "input", "action": "seek", "value": "2"})
    assert w.shown == 2
    assert "Looking back at move <b>1</b> of 4. Press <b>Live</b> to return." in status(w)
    w.receive({"on": "click", "square": "1"})
    assert "You are looking back. Press Live to return." in status(w)
    w.receive({"on": "click", "action": "live"})
    assert panes(w) == live


def test_a_saved_match_loads_and_goes_on() -> None:
    w = practice()
    w.play("bm 6 9")
    sent: list[dict[str, str]] = []
    w.send = sent.append
    w.receive({"on": "click", "action": "save"})
    assert sent[0]["download"] == "qlanet-2.json"
    other = practice()
    other.receive({"on": "load", "text": sent[0]["text"]})
    assert other.match.position == w.match.position
    assert other.match.play("m 5") == w.match.play("m 5")


def test_a_file_of_another_kind_leaves_the_match_as_it_was() -> None:
    w = practice()
    w.play("h 1")
    record = w.match.record
    w.receive({"on": "load", "text": "not json"})
    assert "expected a saved match in JSON: the text is cut off or is no JSON" in status(w)
    assert w.match.record == record


def test_between_two_people_the_curtain_hides_everything_secret() -> None:
    w = play("qlanet", "person", seed=7, hands="any")
    w.play("bm 6 9")
    assert w.handing_to == 1
    spectator = MatchWidget(w.match, ("practice", "practice"))
    spectator.seat = None
    spectator.paint()
    assert (w.board, w.circuit, w.state) == (spectator.board, spectator.circuit, spectator.state)
    assert "Hand over to <b>Player 1</b>." in w.curtain
    w.receive({"on": "click", "action": "reveal"})
    assert (w.handing_to, w.seat, w.curtain) == (None, 1, "")


def test_a_computers_secrets_are_closed_until_the_match_is_over() -> None:
    w = play("qlanet", "random", seed=3)
    w.receive({"on": "click", "action": "view", "value": "1"})
    assert w.seat == 0
    assert "What Player 1 knows is secret until the match is over." in status(w)
    while w.match.result is None:
        w.play(w.match.legal_moves[0])
    w.receive({"on": "click", "action": "view", "value": "1"})
    assert w.seat == 1


def test_a_new_match_takes_the_settings_of_the_form() -> None:
    w = practice()
    w.receive({"on": "click", "action": "menu"})
    assert "Start a new match" in w.menu
    for name, value in (("hands", "drawn"), ("hand_size", "6"), ("opponent", "random")):
        w.receive({"on": "input", "action": f"form:{name}", "value": value})
    w.receive({"on": "click", "action": "start"})
    assert w.match.game.option["hand_size"] == 6
    assert len(w.match.position.hands[0]) == 6
    assert w.players == ("person", "random")
    assert w.menu == ""


def test_cards_that_are_still_to_be_drawn_are_drawn_without_a_click() -> None:
    w = play("qlanet", "practice", seed=1, gates="beginner")
    assert all(card for hand in w.match.position.hands for card in hand)
    assert "draw" in [s.move.verb for s in w.match.record]


def test_seatings() -> None:
    assert seating("greedy", 1, 3) == ("greedy", "person", "greedy")
    assert seating("practice", 0, 2) == ("practice", "practice")
    with pytest.raises(ValueError, match="unknown player 'deep blue': expected one of person"):
        play("qlanet", "deep blue")
    with pytest.raises(ValueError, match="expected a seat from 0 to 1: got 2"):
        play("qlanet", seat=2)


def test_without_a_kernel_there_is_a_picture() -> None:
    bundle = practice()._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "<svg" in data["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in data


def test_what_goes_to_the_browser_is_text_of_the_panes_alone() -> None:
    own = set(MatchWidget.class_own_traits(sync=True)) - {"_esm", "_css"}
    assert own == {*PANES, "frame", "menu", "inspect", "curtain"}
    w = practice()
    state = w.get_state()
    assert all(isinstance(state[name], str) for name in own)


def test_a_match_that_is_given_is_played_on() -> None:
    match = Match("qlanet", seed=2)
    assert play(match, "practice").match is match


@pytest.mark.parametrize("seat", [0, 1, None])
def test_no_trait_betrays_a_secret(seat: int | None) -> None:
    """Matches that differ only in what ``seat`` cannot know send the same texts to the browser."""
    match = Match("qlanet", seed=7, hands="any")
    for move in ("bm 6 9", "cx1 5 1", "bm 1 2", "h 3"):
        match.play(move)
    others = list(twins(match, seat, most=4))
    assert others
    mine = _sent(match, seat)
    for twin in others:
        assert _sent(twin, seat) == mine


def _sent(match: Match, seat: int | None) -> dict[str, str]:
    w = MatchWidget(match, ("practice", "practice"))
    w.seat = seat
    if seat == match.to_move:
        w.take("m")
        w.choose(5)
    w.paint()
    state = w.get_state()
    return {name: state[name] for name in (*PANES, "frame", "menu", "curtain")}


def test_a_click_draws_the_panes_once_and_what_comes_after_a_change_too() -> None:
    w = practice()
    w.play("h 1")
    w.play("bm 6 9")
    drawn: list[int] = []
    paint = w.paint
    w.paint = lambda: (drawn.append(w.shown), paint())  # type: ignore[method-assign]
    w.take("z")
    w.choose(4)
    w.receive({"on": "click", "action": "play"})
    assert drawn == [4]
    saved = json.loads(w.match.to_json()) | {"at": 2}
    drawn.clear()
    w.receive({"on": "load", "text": json.dumps(saved)})
    assert w.shown == 2
    assert drawn[-1] == 2
    assert "Looking back at move <b>1</b> of 3" in status(w)


def test_a_bell_code_is_sent_to_its_owner_alone() -> None:
    """The same by hand, so that a wrong idea of who may read what cannot hide itself."""
    saved = json.loads(Match("qlanet", seed=7, hands="any").to_json())
    deal = saved["record"]
    minus, plus = (
        Match.from_json(json.dumps(saved | {"record": [*deal, f"bm 6 9 p0={bits}", "z 4"]}))
        for bits in ("10", "11")
    )
    for seat in (1, None):
        assert _sent(minus, seat) == _sent(plus, seat)
    assert _sent(minus, 0) != _sent(plus, 0)


def test_the_circuit_is_as_wide_as_the_browser_says_it_may_be() -> None:
    w = practice()
    drawn = w.circuit
    w.error = "kept"
    w.receive({"on": "room", "width": 316})
    narrow = w.circuit
    assert 'width="316"' in narrow
    assert 'width="316"' not in drawn
    w.receive({"on": "room", "width": 800})
    assert 'width="800"' in w.circuit
    assert w.error == "kept"
    w.play("h 1")
    assert 'width="800"' in w.circuit


def test_a_lesson_that_opens_at_an_earlier_step_waits_for_its_reader() -> None:
    match = practice().match
    while match.to_move == 0 or len(match.record) < 4:
        match.play(match.legal_moves[0])
    count = len(match.record)
    w = play(match, "greedy", at=2)
    assert (w.shown, len(match.record), w.thinking) == (2, count, True)
    w.seek(3)
    assert len(match.record) == count
    w.seek(count)
    assert len(match.record) > count
    assert not w.thinking


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("players", 5, "expected a player for each of 2 seats: got 5"),
        ("players", True, "expected a player for each of 2 seats: got True"),
        ("seat", True, "expected a seat from 0 to 1: got True"),
        ("at", True, "field 'at' of a saved match is a step from 1 to 1: got True"),
    ],
)
def test_a_file_with_odd_fields_says_so(
    tmp_path: Path, field: str, value: object, why: str
) -> None:
    file = tmp_path / "LESSON.JSON"
    saved = json.loads(Match("qlanet", seed=1).to_json()) | {field: value}
    file.write_text("\ufeff" + json.dumps(saved), "utf-8")
    with pytest.raises(ValueError, match=f"^{why}$"):
        play(str(file))


def test_other_things_are_no_game() -> None:
    for what in (3, None):
        why = f"^expected a game, a match, or the name of a saved one: got {what}$"
        with pytest.raises(ValueError, match=why):
            play(what)
    with pytest.raises(ValueError, match=r"^expected a step from 1 to 1: got True$"):
        play(Match("qlanet", seed=1), at=True)


def test_the_panel_says_how_to_go_on_after_the_end() -> None:
    w = practice()
    w.play("resign")
    assert "Press <b>New</b> for another match." in w.bar
