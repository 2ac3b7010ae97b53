"""The |Qubits> Wars clicked through in JupyterLab: one person against two computers."""

from pathlib import Path

from tests.browser_kit import Tab
from tests.test_browser import panel, shoot, status

CODE = (
    "from qgames import play\n"
    "w = play('qubits_wars', players=['person', 'greedy', 'spoiler'], seats=3, seed=25,"
    " mode='beginner', rounds='quick')\n"
    "w.pace = 0\n"
    "w"
)
"""Player 0 moves first and holds Cancel, Identity, Target and Readout error."""
OVER = "/You win|Player . wins|Shared victory/.test(s.innerText)"
ENDED = f"() => {{ const s = document.querySelector('.qg [role=status]'); return {OVER} }}"
READY = (
    "() => { const s = document.querySelector('.qg [role=status]');"
    f" return {OVER} || !/Player . (is|to)/.test(s.innerText) }}"
)


def click(tab: Tab, selector: str) -> None:
    tab.page.locator(f".qg {selector}").first.click()


def has(tab: Tab, selector: str) -> bool:
    return tab.page.locator(f".qg {selector}").count() > 0


def press_play(tab: Tab) -> None:
    """Press Play and wait until the panel shows what came of it."""
    before = tab.page.inner_html(".qg [data-pane=moves]")
    tab.page.wait_for_selector(".qg [data-action=play]")
    click(tab, "[data-action=play]")
    tab.page.wait_for_function(
        "b => document.querySelector('.qg [data-pane=moves]').innerHTML != b", arg=before
    )
    tab.page.wait_for_function(READY, timeout=30_000)


def test_a_beginner_quick_game_with_a_cancelled_card_and_a_face_down_noise(
    chromium: str, tmp_path: Path
) -> None:
    with panel(chromium, tmp_path, CODE, width=1500) as tab:
        page = tab.page
        click(tab, "[data-verb=noise][data-secret=readout-error]")
        page.wait_for_selector(".qg .qg-card[aria-pressed=true]")
        click(tab, ".qg-cell[data-square=q1]")
        press_play(tab)
        shoot(tab, "wars-noise")
        cancelled = False
        for _ in range(60):
            if page.evaluate(ENDED):
                break
            rival = "by Player 0" not in status(tab)
            if has(tab, "[data-verb=cancel]:not([aria-disabled=true])") and rival:
                click(tab, "[data-verb=cancel]:not([aria-disabled=true])")
                cancelled = True
            elif not has(tab, "[data-action=play]"):
                verb = next(v for v in ("allow", "pass") if has(tab, f".qg-btn[data-verb={v}]"))
                click(tab, f".qg-btn[data-verb={verb}]")
            press_play(tab)
        shoot(tab, "wars-end")
        assert cancelled
        assert "wins" in status(tab) or "You win" in status(tab) or "Shared" in status(tab)
        assert "Readout error" in page.text_content(".qg [data-pane=state]")
        assert "Why this result?" in page.text_content(".qg [data-pane=state]")
        assert not [e for e in tab.errors if "uncaught" in e]
