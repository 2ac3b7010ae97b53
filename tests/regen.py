"""Golden playthroughs: `python -m tests.regen` plays them anew and writes tests/playthroughs/.

A playthrough is a seeded match told step by step: the position, odds of a few moves, and what each
seat sees. Read the difference before you commit it: it is what players will notice. The tests
replay the recorded outcomes, so a new Aer that throws its dice otherwise breaks nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from qgames import GAMES, Match, Move, View
from qgames.quantum import QuantumState
from tests.matches import played

FOLDER = Path(__file__).parent / "playthroughs"
STEPS = 30
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "qlanet": (
        {},
        {"hands": "any", "turn_limit": 24},
        {"gates": "beginner", "hand_size": 3, "first": "random", "layout": "random"},
        {"gates": "intermediate", "hand_size": 5, "sw_cost": 4, "marks": "deduced"},
    ),
    "quantum_tictactoe": (
        {},
        {"collapse": "chance"},
        {"criterion": "clear"},
        {"goff_points": False},
    ),
    "quantum_checkers": (
        {},
        {"capture_rule": "projective", "interference": False},
        {"capture_rule": "cat", "chain_optional": True, "blocked": "draw"},
    ),
    "qubits_wars": (
        {"seats": 3},
        {"seats": 2, "mode": "advance", "rounds": "quick", "missions": "chosen"},
        {"seats": 2, "n_qubits": 3, "columns": 2, "cnot_two_identical": True, "rounds": "quick"},
    ),
}
"""Options of each game's playthroughs; a game that is not named here gets two as it comes."""


def plans() -> Iterator[tuple[str, int, dict[str, Any]]]:
    """(game, seed, options) of every playthrough."""
    for key in GAMES:
        for seed, options in enumerate(OPTIONS.get(key, ({}, {})), start=1):
            yield key, seed, options


def path_of(key: str, seed: int) -> Path:
    """The file of a playthrough."""
    return FOLDER / f"{key}_{seed}.txt"


def told(match: Match) -> str:
    """The playthrough of a match, from its record alone."""
    saved = json.loads(match.to_json())
    head = [
        f"game: {saved['game']}",
        f"seed: {saved['seed']}",
        f"options: {json.dumps(saved['options'])}",
    ]
    again = Match.from_json(match.to_json())
    moments = [list(_moment(again))]
    while len(again.record) > again.fewest_steps:
        again.undo()
        moments.append(list(_moment(again)))
    lines = [line for moment in reversed(moments) for line in ("", *moment)]
    return "\n".join([*head, *lines]) + "\n"


def record_of(text: str) -> tuple[dict[str, Any], list[str]]:
    """The head and the record of a playthrough."""
    lines = text.splitlines()
    head = dict(line.split(": ", 1) for line in lines[:3])
    return head, [line.split(": ", 1)[1] for line in lines if line.startswith("step ")]


def _moment(match: Match) -> Iterator[str]:
    if match.record:
        step = match.record[-1]
        yield f"step {len(match.record) - 1}: {step}"
        yield f"  by {'nobody' if step.seat is None else f'seat {step.seat}'}"
    yield f"  to move: {match.to_move}"
    yield f"  result: {match.result}"
    for field in fields(match.position):
        if field.compare and field.name not in ("state", "to_move", "result"):
            yield f"  {field.name}: {getattr(match.position, field.name)}"
    yield f"  state: {state_text(match.position.state)}"
    yield f"  {len(match.legal_moves)} legal moves"
    for move in _some(match.legal_moves):
        odds = ", ".join(f"{text or 'sure'} {p:.4f}" for text, p in match.odds(move).items())
        yield f"  odds of {move}: {odds}"
    for seat in (*range(match.game.seats), None):
        yield from _seen(match.view(seat))


def _some(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """One move of each verb: the last, since first squares are the dull ones."""
    return tuple({move.verb: move for move in moves}.values())


def _seen(view: View) -> Iterator[str]:
    who = "a spectator" if view.seat is None else f"seat {view.seat}"
    yield f"  {who} read: {view.record[-1] if view.record else 'nothing'}"
    yield f"  {who} believes: {state_text(view.belief)}"
    if hasattr(view, "symbol"):
        shown = " ".join(view.symbol(square) for square in range(1, view.belief.wires + 1))
        yield f"  {who} sees: {shown}"
    own = {f.name for f in fields(View)}
    for field in fields(view):
        if field.name not in own:
            yield f"  {who} has {field.name}: {_plain(getattr(view, field.name))}"


def _plain(value: Any) -> str:
    if isinstance(value, frozenset):
        return f"{{{', '.join(map(str, sorted(value)))}}}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_plain, value))})"
    return str(value)


def state_text(state: QuantumState) -> str:
    """Each cluster with the probability of reading 1 on its wires, and its purity if hidden."""
    words = []
    for wires in state.clusters:
        shown = ",".join(f"{w}:{abs(state.probability(w)):.4f}" for w in wires)
        hidden = "" if state.cluster(wires[0]).is_pure else f" purity {state.purity(wires):.4f}"
        words.append(f"[{shown}{hidden}]")
    return " ".join(words)


def main(*keys: str) -> None:
    """Write every playthrough again, or those of the games named by key."""
    FOLDER.mkdir(exist_ok=True)
    for key, seed, options in plans():
        if keys and key not in keys:
            continue
        path = path_of(key, seed)
        text = told(played(key, seed, STEPS, **options))
        changed = not path.exists() or path.read_text(encoding="utf-8") != text
        path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(FOLDER.parent.parent)}: {'written' if changed else 'unchanged'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
