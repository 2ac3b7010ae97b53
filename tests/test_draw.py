"""Drawings as such: well formed, escaped, equal for equal knowledge, in colours one can read."""

import re
from functools import partial
from xml.etree import ElementTree as ET

import pytest

from qgames import GAMES, Match, Move
from qgames.choice import Choice
from qgames.core import View
from qgames.draw import (
    Look,
    chip,
    circuit_html,
    circuit_svg,
    looking_back,
    moves_html,
    odds_html,
    pane,
    picture,
    scene,
    state_html,
    theme,
    thinking,
)
from qgames.games.qlanet import Qlanet
from tests.matches import played, published

SVG = "{http://www.w3.org/2000/svg}"
ALL = ("board", "hand", "odds", "circuit", "state", "moves")


@pytest.fixture(scope="module", name="published")
def published_match() -> Match:
    return published()


def parsed(text: str) -> ET.Element:
    """The drawing as a tree; fails unless it is well formed."""
    return ET.fromstring(f"<all>{text}</all>")


def words_of(text: str) -> str:
    return " ".join(" ".join(parsed(text).itertext()).split())


# ---- every game ---------------------------------------------------------------------------------


@pytest.mark.parametrize("key", GAMES)
def test_each_game_has_a_scene_and_a_picture(key: str) -> None:
    match = Match(key, seed=1)
    for seat in (*range(match.game.seats), None):
        assert 'class="qg qg-static"' in picture(match, seat)


@pytest.mark.parametrize("seed", range(4))
def test_drawings_of_random_matches_are_well_formed(seed: int) -> None:
    match = played("qlanet", seed, 30)
    for at in range(1, len(match.record) + 1, 7):
        for seat in (0, 1, None):
            parsed(picture(match.view(seat, at), panes=ALL))


def test_every_legal_move_has_odds_that_can_be_drawn() -> None:
    match = played("qlanet", 8, 14, hands="any")
    view = match.view(match.to_move)
    for move in view.legal_moves[::7]:
        parsed(odds_html(view, scene("qlanet"), move))


@pytest.mark.parametrize("key", ["chess", "theme"])
def test_a_game_without_drawings_is_named(key: str) -> None:
    with pytest.raises(
        LookupError,
        match=rf"^game '{key}' has no drawings: expected a module qgames.draw.{key} with a SCENE$",
    ):
        scene(key)


def test_unknown_panes_and_themes_are_refused(published: Match) -> None:
    with pytest.raises(
        ValueError, match=r"^unknown pane 'map': expected one of board, hand, odds,"
    ):
        picture(published, 0, panes=("board", "map"))
    with pytest.raises(ValueError, match=r"^unknown theme 'pink': expected one of light, dark$"):
        picture(published, 0, theme_name="pink")


def test_a_picture_is_one_piece_that_loads_nothing(published: Match) -> None:
    text = picture(published, 0, panes=ALL)
    assert text.count("<style>") == 1
    assert "<script" not in text
    assert not re.search(r'(?:src|href)="(?!data:)', text)
    outside = re.findall(r"https?://[^\"'%)]+", text)
    assert set(outside) == {"http://www.w3.org/2000/svg"}  # a name space, not an address


def test_no_element_refers_to_an_id(published: Match) -> None:
    """Several panels in one page, some of them hidden, must not depend on each other."""
    text = re.sub(r'href="data:[^"]*"', "", picture(published, 0, panes=ALL))
    assert " id=" not in text
    assert "url(#" not in text


def test_looking_changes_nothing(published: Match) -> None:
    before = (published.to_json(), published.view(0), published.odds("m 5"))
    picture(published, 0, panes=ALL, preview=Move("m", (5,)))
    picture(published, None, panes=ALL)
    assert (published.to_json(), published.view(0), published.odds("m 5")) == before


# ---- text is escaped ----------------------------------------------------------------------------

HOSTILE = "<img src=x onerror=alert(1)>\"'&"


class HostileQlanet(Qlanet):
    key = "qlanet"
    title = HOSTILE
    subtitle = HOSTILE
    wire_labels = (HOSTILE,) * 9


def test_hostile_text_is_shown_as_text() -> None:
    match = Match(HostileQlanet(hands="any"), seed=7)
    match.play("bm 6 9")
    match.play("m 2")
    drawing = picture(match, 0, panes=ALL) + chip(match.view(0), scene("qlanet"), 0, HOSTILE)
    drawing += pane("board", HOSTILE, HOSTILE, "")
    assert "<img" not in drawing
    assert "onerror=alert(1)&gt;" in drawing
    assert not [e for e in parsed(drawing).iter() if "onerror" in e.attrib]


# ---- secrets ------------------------------------------------------------------------------------


def twins() -> tuple[Match, Match]:
    """Two matches that differ only in what seat 0 read from its Bell measurement."""
    found: dict[str | None, Match] = {}
    for seed in range(40):
        match = Match("qlanet", seed=seed, hands="any")
        match.play("bm 6 9")
        found.setdefault(match.record[-1].bits("p0"), match)
        if len(found) == 2:
            break
    one, other = found.values()
    return one, other


@pytest.mark.parametrize("seat", [1, None])
def test_drawings_do_not_betray_a_secret(seat: int | None) -> None:
    one, other = twins()
    for move in ("cx1 6 1", "z 3", "x 9"):
        one.play(move)
        other.play(move)
    draw = partial(picture, seat=seat, panes=ALL)
    assert draw(one) == draw(other)
    assert picture(one, 0, panes=ALL) != picture(other, 0, panes=ALL)


def test_drawings_do_not_betray_planet_5() -> None:
    """Matches that differ in the sealed bits alone look the same to everybody."""
    hidden: dict[str | None, Match] = {}
    for seed in range(40):
        match = Match("qlanet", seed=seed, hands="any")
        hidden.setdefault(match.record[0].bits("sealed"), match)
    assert len(hidden) == 4
    for match in hidden.values():
        match.play("cx1 5 1")
        match.play("h 5")
    for seat in (0, 1, None):
        assert len({picture(match, seat, panes=ALL) for match in hidden.values()}) == 1


def test_what_the_owner_alone_read_is_in_no_other_drawing(published: Match) -> None:
    for seat in (1, None):
        drawing = picture(published, seat, panes=("board", "circuit", "moves"))
        assert "S−" not in drawing
        assert "? ?" in words_of(circuit_svg(published.view(seat), scene("qlanet")))


# ---- history ------------------------------------------------------------------------------------


def test_moves_are_chips_that_name_their_step(published: Match) -> None:
    view, count = published.view(0), len(published.record)
    chips = parsed(moves_html(view, scene("qlanet"), 3, count)).findall(".//button")
    assert [c.get("data-step") for c in chips] == ["2", "3", "4", "5", "6"]
    assert [" ".join("".join(c.itertext()).split()) for c in chips] == [
        "1BM 6,9 → S−",
        "2Z 2",
        "3H 2",
        "4M 2 → 1",
        "5Z 4",
    ]
    assert [c.get("data-step") for c in chips if c.get("aria-current")] == ["3"]
    assert [c.get("data-step") for c in chips if "qg-later" in str(c.get("class"))] == [
        "4",
        "5",
        "6",
    ]


def test_looking_back_and_waiting_are_said(published: Match) -> None:
    show, view = scene("qlanet"), published.view(0)
    assert words_of(looking_back(view, show, 4, 6)) == (
        "Looking back at move 3 of 5. Press Live to return."
    )
    assert words_of(looking_back(view, show, 1, 6)) == (
        "Looking back at the start. Press Live to return."
    )
    assert words_of(thinking(show, 1)) == "Player 1 is thinking"


def test_an_earlier_view_is_drawn_as_it_was(published: Match) -> None:
    fresh = Match("qlanet", seed=7, hands="any")
    fresh.play("bm 6 9")
    draw = partial(picture, panes=("board", "circuit", "state"))
    assert draw(published.view(0, at=2)) == draw(fresh.view(0))


# ---- colours ------------------------------------------------------------------------------------


def colour(tokens: dict[str, str], name: str) -> tuple[float, float, float]:
    text = re.search(r"#[0-9a-f]+", tokens[name])
    assert text is not None
    digits = text[0][1:]
    digits = "".join(2 * d for d in digits) if len(digits) == 3 else digits
    red, green, blue = (int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4))
    return red, green, blue


def luminance(rgb: tuple[float, float, float]) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(tokens: dict[str, str], front: str, back: str) -> float:
    a, b = sorted((luminance(colour(tokens, name)) for name in (front, back)), reverse=True)
    return (a + 0.05) / (b + 0.05)


TEXT = [
    *((ink, ground) for ink in ("ink", "ink2") for ground in ("bg", "sunken")),
    *(("ink", tint) for tint in ("s0t", "s1t", "gat", "gbt", "gct", "gdt", "s0h", "s1h", "markt")),
    *(("ink2", tint) for tint in ("s0t", "s1t")),
    *(("on", full) for full in ("s0", "s1", "ga", "gb", "gc", "gd", "ink", "ink2")),
    *((f"s{side}i", ground) for side in (0, 1) for ground in ("bg", "sunken", f"s{side}t")),
    ("wt", "wb"),
    ("bt", "bb"),
]
MARKS = [
    *((name, ground) for name in ("s0", "s1", "edge") for ground in ("bg", "sunken")),
    ("wire", "bg"),
    *((f"g{group}", ground) for group in "abcd" for ground in ("bg", "sunken", f"g{group}t")),
    *(("markline", ground) for ground in ("bg", "sunken")),
]


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast({"a": "#000", "b": "#ffffff"}, "a", "b") == pytest.approx(21)


@pytest.mark.parametrize(("tokens", "least"), [(theme.LIGHT, 4.6), (theme.DARK, 5.4)])
@pytest.mark.parametrize(("front", "back"), TEXT)
def test_text_can_be_read(tokens: dict[str, str], least: float, front: str, back: str) -> None:
    assert contrast(tokens, front, back) >= least


@pytest.mark.parametrize("tokens", [theme.LIGHT, theme.DARK])
@pytest.mark.parametrize(("front", "back"), MARKS)
def test_marks_can_be_seen(tokens: dict[str, str], front: str, back: str) -> None:
    assert contrast(tokens, front, back) >= 3


def test_both_themes_have_all_tokens_and_drawings_use_no_other(published: Match) -> None:
    assert set(theme.LIGHT) == set(theme.DARK)
    show, view = scene("qlanet"), published.view(0)
    look = Look(choice=Choice("cx0", (6, 9)), move=Move("cx0", (6, 9)), refused=2)
    drawn = picture(published, 0, panes=ALL, preview=Move("m", (5,))) + show.board(view, look)
    used = set(re.findall(r"var\(--qg-([a-z0-9]+)", drawn))
    assert used <= {*theme.LIGHT, "ui", "mono", "side", "sidei", "tint"}
    assert {"s0", "s1", "ga", "mark", "edge"} <= used


def test_the_dark_values_stand_under_each_host_hint() -> None:
    css = theme.css()
    dark = css.index("--qg-s0:#56b4e9")
    for hint in ('[data-jp-theme-light="false"]', ".vscode-dark", "html[theme=dark]"):
        assert f"{hint} .qg" in css
    assert css.index("prefers-color-scheme:dark") < dark
    assert css.count("--qg-s0:#56b4e9") == 3  # the system's wish, the hosts' hints, data-theme


def test_the_style_sheet_is_balanced_and_no_text_is_smaller_than_12(published: Match) -> None:
    css = theme.css()
    assert css.count("{") == css.count("}")
    sizes = re.findall(r"font(?:-size)?:[^;{}]*?([0-9.]+)px", css)
    sizes += re.findall(r'font-size="([0-9.]+)"', picture(published, 0, panes=ALL))
    assert sizes
    assert min(map(float, sizes)) >= 12


def test_motion_stops_where_it_is_not_wanted() -> None:
    assert "@media (prefers-reduced-motion:reduce){.qg *{animation:none!important" in theme.css()


# ---- the strip of a wide circuit -----------------------------------------------------------------


def test_a_circuit_scrolls_under_the_names_of_its_wires(published: Match) -> None:
    show = scene("qlanet")
    for match in (
        published,
        played("qlanet", 3, 25),
    ):  # a narrow panel is narrower than any circuit
        region = parsed(circuit_html(match.view(0), show)).find("./div")
        assert region is not None
        assert (region.get("role"), region.get("tabindex")) == ("region", "0")
        assert region.find(f".//div[@class='qg-pin']/{SVG}svg") is not None


def test_views_of_other_games_are_refused_by_the_scene(published: Match) -> None:
    view = View(published.game, 0, published.position, ())
    with pytest.raises(AssertionError):
        state_html(view, scene("qlanet"))
