"""Print the speed table: `make bench`, or `python -m benchmarks [--no-browser]`.

Times hang on the machine and on what else it does; ratios are taken within one process. The last
column is what was measured over its goal: 1.0 or less keeps it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks import measures
from benchmarks.browser import click_to_painted


@dataclass(frozen=True)
class Row:
    """A promise, how it is measured, and in what."""

    what: str
    goal: float
    unit: str
    measure: Callable[[], float | None]

    def told(self) -> str:
        """The line of the table."""
        found = self.measure()
        goal = f"{self.goal:g} {self.unit}"
        if found is None:
            return f"{self.what:<62} {goal:>9}  {'not measured here':>12}"
        return f"{self.what:<62} {goal:>9}  {found:>9.3g} {self.unit:<2} {found / self.goal:>8.2f}"


ROWS = (
    Row(
        "Match.play on 9 wires against a bare run of the same fragment",
        2,
        "x",
        measures.play_against_bare,
    ),
    Row("exact odds of one move, 9 wires", 2, "ms", measures.exact_odds),
    Row("all three panes' SVG for a 60-step match", 15, "ms", measures.three_panes),
    Row("a view after six secret Bell measurements", 20, "ms", measures.view_after_secrets),
    Row("replaying a 100-step record", 300, "ms", measures.replay),
    Row("import qgames against importing qiskit and qiskit_aer", 1.2, "x", measures.import_ratio),
    Row("memory after 50 matches against after 5", 1.05, "x", measures.memory_growth),
    Row("click to painted board, circuit and state in Chromium", 60, "ms", click_to_painted),
)


def main() -> None:
    """Measure row after row."""
    print(f"{'what':<62} {'goal':>9}  {'measured':>12} {'of goal':>8}")
    for row in ROWS:
        if row.measure is click_to_painted and "--no-browser" in sys.argv:
            continue
        print(row.told(), flush=True)


if __name__ == "__main__":
    main()
