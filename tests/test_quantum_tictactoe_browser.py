"""Quantum tic-tac-toe clicked through in JupyterLab: a 2-cycle, and lines of both players."""

from pathlib import Path

from tests.test_browser import panel, play_squares, shoot, status

CODE = "from qgames import play\nw = play('quantum_tictactoe', 'practice', seed=1)\nw.pace = 0\nw"


def test_a_match_with_a_2_cycle_and_lines_of_both_players(chromium: str, tmp_path: Path) -> None:
    with panel(chromium, tmp_path, CODE, width=1500) as tab:
        page = tab.page
        play_squares(tab, 2, 8)
        play_squares(tab, 8, 2)
        assert "closed the cycle 2–8" in status(tab)
        assert page.locator(".qg .qg-would:visible").count() == 0
        for n, square in enumerate((2, 8)):
            page.hover(f".qg [data-pane=hand] [data-square='{square}']")
            shown = page.locator(".qg .qg-would").evaluate_all(
                "all => all.filter(n => getComputedStyle(n).visibility == 'visible')"
                ".map(n => n.dataset.result)"
            )
            assert shown == [str(n)], "the board shows what this choice would bring"
        page.focus(".qg-board [data-square='2']")
        page.keyboard.press("Enter")
        page.wait_for_selector(".qg-board [data-square='2'][aria-selected=true]")
        shoot(tab, "tictactoe_choice")
        page.click(".qg [data-action=play]")
        page.wait_for_selector(".qg-board [data-square='2'][aria-label='square 2, O2 for good']")
        for pair in ((1, 7), (3, 7), (7, 9), (1, 7)):
            play_squares(tab, *pair)
        shoot(tab, "tictactoe_cycle")
        play_squares(tab, 1)
        assert "X wins narrowly, 1 : ½" in status(tab)
        assert page.locator(".qg-board path[stroke-width='94']").count() == 2
        shoot(tab, "tictactoe_end")
        assert not [e for e in tab.errors if "uncaught" in e]


def test_keys_choose_squares_and_a_measurement(chromium: str, tmp_path: Path) -> None:
    code = CODE.replace("seed=1", "seed=1, collapse='chance'")
    with panel(chromium, tmp_path, code, width=1500) as tab:
        page = tab.page
        page.focus(".qg-board [data-square='1']")
        for number in (1, 2):
            page.keyboard.press("1")
            page.keyboard.press("2")
            page.wait_for_selector(".qg [data-action=play]")
            page.wait_for_function("document.activeElement.dataset.action == 'play'")
            page.keyboard.press("Enter")
            page.wait_for_selector(f".qg .qg-mvc[data-step='{number}']")
        assert "measure where o2 settles" in status(tab)
        page.click(".qg [data-action=play]")
        page.wait_for_selector(".qg-board [data-square='1'][aria-label$='for good']")
        assert "o2 was found on" in status(tab)
