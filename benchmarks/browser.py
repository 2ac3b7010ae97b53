"""Click to painted board, circuit and state in JupyterLab with Chromium, in milliseconds."""

from __future__ import annotations

import json
import statistics
import tempfile
from pathlib import Path

from tests.browser_kit import browser, find_chromium, open_notebook, server

CODE = "from qgames import play\nplay('qlanet', 'practice', seed=7, hands='any')"

KNOWN = (1, 2, 3, 4, 6, 7, 8, 9)
"""Planets whose state is seen to change; H on hidden planet 5 would leave two panes as they are."""

# A click is timed inside the page: from the event until the frame after the last of the three panes
# has changed.
TIME_A_CLICK = """
node => new Promise(done => {
  const left = new Set(['board', 'circuit', 'state']);
  const start = performance.now();
  for (const name of [...left]) {
    const pane = document.querySelector(`.qg [data-pane=${name}]`);
    const seen = new MutationObserver(() => {
      seen.disconnect();
      left.delete(name);
      if (!left.size) requestAnimationFrame(() => done(performance.now() - start));
    });
    seen.observe(pane, {childList: true, subtree: true, characterData: true, attributes: true});
  }
  node.click();
})
"""


def click_to_painted(moves: int = 20) -> float | None:
    """The median over ``moves`` moves of a practice match; None where there is no browser."""
    chromium = find_chromium()
    if chromium is None:
        return None
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "source": CODE}
    notebook = {
        "cells": [cell | {"execution_count": None}],
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bench.ipynb")
        path.write_text(json.dumps(notebook), "utf-8")
        with server([path]) as lab, browser(lab, chromium, width=1500) as tab:
            open_notebook(tab, lab, path.name)
            page = tab.page
            page.wait_for_selector(".qg .qg-board", timeout=90_000)
            times = []
            for n in range(moves):
                page.click(".qg .qg-card[data-verb=h]")
                page.wait_for_selector(".qg .qg-card[data-verb=h][aria-pressed=true]")
                page.click(f".qg [data-square='{KNOWN[n % 8]}']")
                play = page.wait_for_selector(".qg [data-action=play]")
                times.append(page.evaluate(TIME_A_CLICK, play))
    return statistics.median(times)


if __name__ == "__main__":
    print(f"click to painted board, circuit and state: {click_to_painted()} ms")
