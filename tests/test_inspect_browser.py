"""The Inspect pane in a real browser: a slider that moves while it is dragged, step by step."""

import os
import statistics
from pathlib import Path

from tests.test_browser import panel

# A long match, whose every pane is as full as it gets; then the step with the longest circuit.
CODE = """
import random
from qgames import Match, play
match, rng = Match("qlanet", seed=3, hands="any"), random.Random(3)
moves = ("h 1", "cx1 1 2", "sw 2 3", "bm 4 7", "z 1", "x 8")
while len(match.record) < 150:
    match.play(moves[len(match.record) % len(moves)])
match.play("bm 4 7") if match.record[-1].move.verb != "bm" else None
bm = next(n for n in range(150, 1, -1) if match.record[n - 1].move.verb == "bm")
play(match, "practice", at=bm)
"""
OPEN = """async () => {
  const begin = performance.now();
  document.querySelector(".qg [data-action=inspect]").click();
  const frame = () => new Promise(requestAnimationFrame);
  const there = () => document.querySelector(".qg [data-pane=inspect] input[type=range]");
  do { await frame(); } while (!there());
  await new Promise((resolve) => setTimeout(resolve));
  return performance.now() - begin;
}"""
CLOCK = """() => {
  const pane = document.querySelector(".qg [data-pane=inspect]");
  const range = pane.querySelector("input[type=range]");
  const frame = () => new Promise(requestAnimationFrame);
  window.__walk = async (value) => {
    const begin = performance.now();
    range.value = value;
    range.dispatchEvent(new Event("input", { bubbles: true }));
    const there = () => [...pane.querySelectorAll("h4")].some(
      (n) => n.textContent.startsWith(`After ${value} `) && n.checkVisibility());
    do { await frame(); } while (!there());
    await new Promise((resolve) => setTimeout(resolve)); // after that frame was painted
    return [performance.now() - begin, range.isConnected];
  };
}"""


def test_the_slider_walks_through_a_move_in_a_long_match(chromium: str, tmp_path: Path) -> None:
    with panel(chromium, tmp_path, CODE) as tab:
        page = tab.page
        page.wait_for_timeout(1000)  # while it starts, JupyterLab has the browser to itself
        opened = page.evaluate(OPEN)
        print(f"the inspector opened after {opened:.0f} ms")
        pane = page.locator(".qg [data-pane=inspect]")
        assert "Bell measurement of planets" in pane.inner_text()
        assert "After 6 of 6" in pane.inner_text()
        page.evaluate(CLOCK)
        times = []
        for value in (5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6):
            took, kept = page.evaluate(f"window.__walk({value})")
            times.append(took)
            assert kept, "the slider was replaced while it was dragged"
            marked = pane.locator(".qg-now h4:visible").all_inner_texts()
            middle = [f"After {value} of 6"]
            assert marked == ["Before"][value:] + middle + ["At the end"][: value == 6]
            assert pane.locator(".qg-fragment rect[data-at]:visible").count() == (value > 0)
            assert f"after {value} of 6" in pane.locator("input").get_attribute("aria-valuetext")
        print(f"a slider step, painted: median {statistics.median(times):.0f} ms of {times}")
        pane.locator(".qg-stage[data-value='3']").click()
        page.wait_for_function(
            "document.querySelector('.qg [data-pane=inspect] input[type=range]').value == '3'"
        )
        pane.locator("[data-action=qiskit][data-value=text]").click()
        page.wait_for_selector(".qg [data-pane=inspect] pre.qg-qiskit")
        if os.environ.get("QGAMES_SHOTS"):
            pane.screenshot(path=str(Path(os.environ["QGAMES_SHOTS"]) / "inspect.png"))
        pane.locator("button[data-action=inspect]").click()
        page.wait_for_selector(".qg [data-pane=inspect] input", state="detached")
        assert not tab.errors
