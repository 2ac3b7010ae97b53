"""Matches that many tests start from."""

import random

from qgames import Match


def played(key: str, seed: int, steps: int = 3000, **options: object) -> Match:
    """Random legal moves until the match is over, or has ``steps`` steps."""
    match, rng = Match(key, seed=seed, **options), random.Random(seed)
    while match.to_move is not None and len(match.record) < steps:
        match.play(rng.choice(match.legal_moves))
    return match


def practice(seed: int, *moves: str, **options: object) -> Match:
    """QLANET with every card in both hands, after ``moves``."""
    match = Match("qlanet", seed=seed, **{"hands": "any", **options})
    for move in moves:
        match.play(move)
    return match


def published() -> Match:
    """The published position (7.7 of QLANET's rule sheet): seed 7 reads S- in the first move."""
    return practice(7, "bm 6 9", "z 2", "h 2", "m 2", "z 4")


def bell() -> Match:
    """A Bell pair, CX from one half of it, and a measurement of that half."""
    return practice(7, "bm 6 9", "cx1 6 5", "m 6")
