"""Write the opening book of quantum tic-tac-toe (`make book`; a few minutes).

The book holds the value of every position with up to four marks, under both criteria, worked out by
the same solver that plays. Same code, same bytes: a test works out some entries again.
"""

import time
from pathlib import Path

from qgames.players import tictactoe_solver as solver
from qgames.players.tictactoe_book import CRITERIA, packed

TARGET = Path(solver.__file__).with_name("tictactoe_book.bin")


def positions() -> list[dict[int, solver.State]]:
    """By number of marks: one state for each class of running positions, by its key."""
    layers = [{solver.canonical(solver.START): solver.START}]
    for marks in range(solver.BOOK_MARKS):
        found: dict[int, solver.State] = {}
        for state in layers[-1].values():
            for after in (s for choices in solver.options(state, marks) for s in choices):
                if not solver.ended(after):
                    found.setdefault(solver.canonical(after), after)
        layers.append(found)
    return layers


def values(criterion: str, layers: list[dict[int, solver.State]]) -> dict[int, int]:
    """The mover's value of each position of ``layers``, by its key."""
    started = time.perf_counter()
    engine = solver.Solver(criterion)
    found: dict[int, int] = {}
    for marks in reversed(range(len(layers))):
        for key, state in layers[marks].items():
            found[key] = engine.search(state, marks)
        seconds = time.perf_counter() - started
        print(
            f"{criterion}: {len(layers[marks])} positions after {marks} marks, {seconds:.0f} s",
            flush=True,
        )
    return found


def main() -> None:
    """Work out both criteria and write the file."""
    layers = positions()
    keys = dict.fromkeys((key for layer in layers for key in layer), 0)
    packed(keys, keys)  # refuses a clash of numbers before the work is done, not after it
    narrow, clear = (values(criterion, layers) for criterion in CRITERIA)
    TARGET.write_bytes(packed(narrow, clear).tobytes())
    print(f"wrote {TARGET} ({TARGET.stat().st_size} bytes)")


if __name__ == "__main__":
    main()
