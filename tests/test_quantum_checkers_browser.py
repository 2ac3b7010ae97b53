"""Quantum checkers clicked through in JupyterLab: half moves, then a capture that is measured."""

from pathlib import Path

from qgames import Match
from tests.browser_kit import Tab
from tests.test_browser import look, panel, play_squares, shoot, status

CODE = "from qgames import play\nplay('quantum_checkers', 'practice', seed=1)"
LINE = ("quantum 22 18", "quantum 10 15", "quantum 24 19", "jump 15 24")


def play(tab: Tab, move: str) -> None:
    """A kind of move, then its squares on the board, then Play."""
    page = tab.page
    verb, *squares = move.split()
    page.click(f".qg [data-pane=hand] [data-verb={verb}]")
    page.wait_for_selector(f".qg [data-pane=hand] [data-verb={verb}][aria-pressed=true]")
    play_squares(tab, *squares)


def test_half_moves_and_a_capture_by_clicks(chromium: str, tmp_path: Path) -> None:
    match = Match("quantum_checkers", seed=1)
    with panel(chromium, tmp_path, CODE, width=1500) as tab:
        page = tab.page
        for number, move in enumerate(LINE, start=1):
            play(tab, move)
            step = match.play(move)  # the same seed brings the same outcome
            page.wait_for_selector(f".qg .qg-mvc[data-step='{number}'][aria-current]")
        shown = page.get_attribute(".qg-board [data-square='22']", "aria-label")
        assert "50 %" in shown
        hit = step.outcome == (("cap", "110"),)
        assert ("hit" if hit else "miss") in status(tab)
        shoot(tab, "checkers_capture")
        page.click(".qg [data-action=inspect]")
        page.wait_for_selector(".qg [data-pane=inspect] .qg-branches:visible, .qg .qg-inspect")
        says = page.inner_text(".qg [data-pane=inspect]")
        assert "Capture 15 × 19 → 24" in says
        assert step.outcome[0][1] in says
        assert not [e for e in tab.errors if "uncaught" in e]


def test_a_square_that_cannot_move_says_why(chromium: str, tmp_path: Path) -> None:
    with panel(chromium, tmp_path, CODE, width=1500) as tab:
        page = tab.page
        before = look(tab)["circuit"]
        page.click(".qg-board [data-square='30']")
        page.wait_for_selector(".qg-board .qg-tried[data-square='30']")
        assert "30" in status(tab)
        page.focus(".qg-board [data-square='21']")
        page.keyboard.press("Enter")
        page.wait_for_selector(".qg-board [data-square='21'][aria-selected=true]")
        page.keyboard.press("Escape")
        page.wait_for_selector(".qg-board [data-square='21'][aria-selected=false]")
        assert look(tab)["circuit"] == before
