"""A match clicked through in JupyterLab: what a learner sees, in a real browser."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.browser_kit import Tab, browser, open_notebook, server

PANES = ("board", "circuit", "state")
SHOTS = os.environ.get("QGAMES_SHOTS")
"""A folder to keep screenshots in, for people who want to look."""


def notebook(folder: Path, *cells: str) -> Path:
    """A notebook of code cells, as ready to run as a committed one."""
    path = folder / "match.ipynb"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    rows = [
        {
            "cell_type": "code",
            "id": f"cell-{n}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": source,
        }
        for n, source in enumerate(cells)
    ]
    text = {"cells": rows, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(text), "utf-8")
    return path


@contextmanager
def panel(
    chromium: str, folder: Path, code: str, *, dark: bool = False, **window: int
) -> Iterator[Tab]:
    """The tab of a notebook whose last cell shows a panel."""
    path = notebook(folder, code)
    with server([path], dark=dark) as lab, browser(lab, chromium, **window) as tab:
        open_notebook(tab, lab, path.name)
        tab.page.wait_for_selector(".qg .qg-board", timeout=90_000)
        yield tab


def look(tab: Tab) -> dict[str, str]:
    """The three panes as they are painted."""
    return {n: tab.page.inner_html(f".qg [data-pane={n}]") for n in PANES}


def status(tab: Tab) -> str:
    return tab.page.inner_text(".qg [role=status]")


def shoot(tab: Tab, name: str) -> None:
    if SHOTS:
        tab.page.locator(".qg").screenshot(path=str(Path(SHOTS) / f"{name}.png"))


def play_squares(tab: Tab, *squares: object) -> None:
    """Click squares on the board, then Play; all three panes must have changed."""
    page, before = tab.page, look(tab)
    for square in squares:
        page.click(f".qg-board [data-square='{square}']")
        page.wait_for_selector(f".qg-board [data-square='{square}'][aria-selected=true]")
    page.click(".qg [data-action=play]")
    page.wait_for_selector(".qg [data-action=play]", state="detached")
    after = look(tab)
    assert all(before[name] != after[name] for name in PANES)


def wait_for_turn(tab: Tab) -> bool:
    """Wait until a person may choose a card; False when the match is over."""
    tab.page.wait_for_function(
        "document.querySelector('.qg .qg-card:not([aria-disabled=true])')"
        " || /wins|Draw/.test(document.querySelector('.qg [role=status]').innerText)",
        timeout=20_000,
    )
    return tab.page.locator(".qg .qg-card:not([aria-disabled=true])").count() > 0


def choose_by_clicks(tab: Tab) -> str:
    """Take M, which ends a match soonest, or H; then lit planets until the move is complete."""
    page = tab.page
    cards = page.locator(".qg .qg-card:not([aria-disabled=true])")
    verbs = [cards.nth(n).get_attribute("data-verb") for n in range(cards.count())]
    verb = next((v for v in ("m", "h", "bm", "x") if v in verbs), verbs[0])
    cards.nth(verbs.index(verb)).click()
    page.wait_for_selector(".qg .qg-card[aria-pressed=true]")
    while page.locator(".qg [data-action=play]").count() == 0:
        lit = page.locator(".qg [data-square][aria-label*='legal target']")
        before = lit.count()
        lit.first.click()
        page.wait_for_function(
            "n => document.querySelector('.qg [data-action=play]') || document.querySelectorAll("
            "\".qg [data-square][aria-label*='legal target']\").length != n",
            arg=before,
        )
    return str(verb)


def test_a_whole_match_by_clicks_changes_the_three_panes_with_every_move(
    chromium: str, tmp_path: Path
) -> None:
    code = "from qgames import play\nw = play('qlanet', 'random', seed=11)\nw.pace = 0\nw"
    with panel(chromium, tmp_path, code, width=1500) as tab:
        shoot(tab, "start")
        played = 0
        while wait_for_turn(tab):
            before = look(tab)
            verb = choose_by_clicks(tab)
            odds = tab.page.inner_text(".qg [data-pane=odds]")
            assert "certain" in odds or "%" in odds
            if played == 3:
                shoot(tab, "middle")
            tab.page.click(".qg [data-action=play]")
            tab.page.wait_for_selector(".qg [data-action=play]", state="detached")
            after = look(tab)
            changed = {name for name in PANES if before[name] != after[name]}
            # H on a hidden planet changes nothing that its player can see; M always changes all
            assert changed == set(PANES) if verb == "m" else "circuit" in changed
            played += 1
        assert played > 4
        assert "wins" in status(tab) or "Draw" in status(tab)
        shoot(tab, "end")
        assert tab.page.locator(".qg .qg-btn.qg-pri[data-action=menu]").count() == 1
        assert not [e for e in tab.errors if "uncaught" in e]
        outside = [u for u in tab.urls if not u.startswith(("http://127.0.0.1", "data:", "blob:"))]
        assert not outside


def test_keys_alone_play_a_move_and_the_notebook_keeps_its_cells(
    chromium: str, tmp_path: Path
) -> None:
    code = "from qgames import play\nplay('qlanet', 'practice', seed=7, hands='any')"
    with panel(chromium, tmp_path, code, width=1500) as tab:
        page = tab.page
        cells = page.locator(".jp-Cell").count()
        page.focus(".qg [data-square='1']")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.dataset.square") == "2"
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.dataset.square") == "5"
        page.keyboard.press("Enter")
        page.wait_for_selector(".qg [data-square='5'][aria-selected=true]")
        page.keyboard.press("x")  # JupyterLab would cut the cell
        page.keyboard.press("Escape")
        page.wait_for_selector(".qg [data-square='5'][aria-selected=false]")
        page.focus(".qg .qg-card[data-verb=bm]")
        page.keyboard.press("Enter")
        page.wait_for_selector(".qg .qg-card[data-verb=bm][aria-pressed=true]")
        page.keyboard.press("6")
        page.keyboard.press("9")
        page.wait_for_selector(".qg [data-action=play]")
        page.wait_for_function("document.activeElement.dataset.action == 'play'")
        page.keyboard.press("Enter")
        page.wait_for_selector(".qg .qg-mvc[data-step='2']")
        assert "BM 6,9" in page.inner_text(".qg [data-pane=moves]")
        assert page.locator(".jp-Cell").count() == cells
        assert not [e for e in tab.errors if "uncaught" in e]


@pytest.mark.parametrize(
    ("name", "dark", "width"),
    [("dark", True, 1500), ("narrow", False, 1064), ("phone", False, 780)],
)
def test_the_panel_stays_whole_in_the_dark_and_in_little_room(
    chromium: str, tmp_path: Path, name: str, dark: bool, width: int
) -> None:
    code = (
        "from qgames import Match, play\nm = Match('qlanet', seed=7, hands='any')\n"
        "for move in ('bm 6 9', 'z 2', 'h 2', 'm 2', 'z 4'): m.play(move)\n"
        "w = play(m, 'practice')\nw.take('m')\nw.choose(5)\nw.paint()\nw"
    )
    with panel(chromium, tmp_path, code, dark=dark, width=width, height=2600) as tab:
        shoot(tab, name)
        room = tab.page.evaluate(
            "(q => [q.clientWidth, q.scrollWidth])(document.querySelector('.qg'))"
        )
        assert room[1] <= room[0], "something sticks out at the side"
        ink, ground = tab.page.evaluate(
            "(() => { const s = getComputedStyle(document.querySelector('.qg'));"
            " return [s.color, s.backgroundColor]; })()"
        )
        assert (_light(ink) > _light(ground)) is dark
        small = tab.page.evaluate(
            "[...document.querySelectorAll('.qg button, .qg [data-square], .qg select')]"
            ".filter(n => n.offsetParent !== null || n.ownerSVGElement)"
            ".map(n => n.getBoundingClientRect())"
            ".filter(b => b.width && (b.width < 24 || b.height < 24)).length"
        )
        assert small == 0, "a target is smaller than 24 pixels"


def _light(colour: str) -> float:
    numbers = [float(n) for n in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return sum(numbers)
