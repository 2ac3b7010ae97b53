"""What the speed table is made of: each function measures one row and returns one number."""

from __future__ import annotations

import gc
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from qiskit import QuantumCircuit
from qiskit_aer import AerSimulator

from qgames import Match, Move

SIX_SECRETS = ("bm 1 5", "bm 2 6", "bm 3 4", "bm 7 8", "bm 9 1", "bm 2 3")


def timed(task: Callable[[], object]) -> float:
    """Milliseconds that one call takes."""
    start = time.perf_counter()
    task()
    return 1e3 * (time.perf_counter() - start)


def fastest(task: Callable[[], object], times: int) -> float:
    """The least of several: what the work costs when nothing else disturbs it."""
    return min(timed(task) for _ in range(times))


def random_match(seed: int, steps: int, but: str = "", **options: object) -> Match:
    """A match of random moves, without those of one verb."""
    match, rng = Match("qlanet", seed=seed, **options), random.Random(seed)
    while match.to_move is not None and len(match.record) < steps:
        match.play(rng.choice([m for m in match.legal_moves if m.verb != but]))
    return match


# ---- rows ----------------------------------------------------------------------------------------


def play_against_bare() -> float:
    """How many times longer `Match.play` takes than Aer takes for the same fragment alone.

    Both get a fragment that was never run before, in turns, six times each; the median over the
    moves of three matches (12 qubits: nine planets and three dice).
    """
    simulator = AerSimulator(method="statevector", max_parallel_threads=1)
    ratios = []
    for seed in range(3):
        match, rng = Match("qlanet", seed=seed), random.Random(seed)
        while match.to_move is not None and len(match.record) < 25:
            move = rng.choice(match.legal_moves)
            ratios.append(_play_ratio(match, move, simulator))
            match.play(move)
    return median(ratios)


def _play_ratio(match: Match, move: Move, simulator: AerSimulator) -> float:
    plays, runs = [], []
    for _ in range(6):
        fragment = match.fragment(move)
        runs.append(timed(lambda: _bare(simulator, fragment)))  # noqa: B023
        plays.append(timed(lambda: match.play(move)))
        match.undo()
    return min(plays) / min(runs)


def _bare(simulator: AerSimulator, fragment: QuantumCircuit) -> None:
    simulator.run(fragment, shots=1, seed_simulator=5).result()


def exact_odds() -> float:
    """The dearest move's odds, over a few random positions; milliseconds, median."""
    times = []
    for seed in range(4):
        match = random_match(seed, 14, but="m", hands="any")
        for verb in ("m", "bm", "cx1"):
            moves = [move for move in match.legal_moves if move.verb == verb]
            times.append(max(fastest(lambda: match.odds(move), 3) for move in moves[::6]))  # noqa: B023
    return median(times)


def three_panes() -> float | None:
    """Board, circuit and state of a match of 60 steps as text, newly drawn; milliseconds."""
    try:
        from qgames.draw import circuit_html, scene, state_html
        from qgames.draw.scene import Look
    except ImportError:
        return None
    match = random_match(3, 60, but="m", hands="any")
    view, show = match.view(0), scene("qlanet")

    def draw() -> None:
        show.board(view, Look())
        circuit_html(view, show, None)
        state_html(view, show)

    draw()
    return fastest(draw, 10)


def view_after_secrets() -> float:
    """A seat's first view after six secret Bell measurements; milliseconds, the slowest seat."""
    match = Match("qlanet", seed=3, hands="any")
    for move in SIX_SECRETS:
        match.play(move)
    text = match.to_json()
    times = []
    for seat in (0, 1, None):
        fresh = [Match.from_json(text) for _ in range(5)]
        times.append(min(timed(lambda: one.view(seat)) for one in fresh))  # noqa: B023
    return max(times)


def replay() -> float:
    """Loading a match of 100 steps; milliseconds."""
    text = random_match(3, 101, but="m", hands="any").to_json()
    return fastest(lambda: Match.from_json(text), 3)


def import_ratio() -> float:
    """`import qgames` against importing Qiskit and Aer, each in a fresh interpreter."""
    ours = [sys.executable, "-c", "import qgames"]
    theirs = [sys.executable, "-c", "import qiskit, qiskit_aer"]
    root = Path(__file__).parent.parent
    pairs = [[timed(lambda: _run(c, root)) for c in (ours, theirs)] for _ in range(6)]  # noqa: B023
    return min(p[0] for p in pairs[1:]) / min(p[1] for p in pairs[1:])


def memory_growth() -> float | None:
    """Resident memory after 50 matches against after 5, drawings and views included."""
    code = "from benchmarks.measures import resident_growth; print(resident_growth())"
    done = _run([sys.executable, "-c", code], Path(__file__).parent.parent)
    return None if done.strip() == "None" else float(done)


def _run(command: list[str], folder: Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout


def resident_growth() -> float | None:
    """The ratio that `memory_growth` asks a process of its own for; None if it cannot be read."""
    after = {}
    for count in range(1, 51):
        match = random_match(count, 40)
        for seat in (0, 1, None):
            match.view(seat)
        match.circuit()
        Match.from_json(match.to_json())
        del match
        if count in (5, 50):
            gc.collect()
            after[count] = _resident()
    return after[50] / after[5] if all(after.values()) else None


def _resident() -> int:
    """Pages of memory in use, on Linux."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return 0
