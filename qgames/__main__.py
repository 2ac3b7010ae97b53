"""The command line, ``python -m qgames COMMAND``.

A command is one function that adds its parser to the others and says what runs it; add yours to
``COMMANDS``. A ``ValueError`` is told in one line, exit code 2.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from qgames.arena import tournament
from qgames.games import GAMES
from qgames.terminal import circuit, replay, show

Parsers = argparse._SubParsersAction  # argparse gives what add_subparsers returns no public name


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command with ``arguments`` (None: those of the process); returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m qgames",
        description="Quantum board games of real circuits.",
    )
    parsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in COMMANDS:
        add(parsers)
    chosen = parser.parse_args(arguments)
    try:
        chosen.run(chosen)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def arena(parsers: Parsers[argparse.ArgumentParser]) -> None:
    """Add ``arena``: computer players against each other."""
    parser = parsers.add_parser(
        "arena",
        help="let the computer players play each other",
        description="Let every computer player meet every weaker one, sides swapped.",
    )
    parser.add_argument(
        "--game",
        default="qlanet",
        metavar="KEY",
        help=f"{', '.join(GAMES)} (default: qlanet)",
    )
    parser.add_argument("--matches", type=int, help="matches a pair or row (default: 200 or 1500)")
    parser.add_argument("--seed", type=int, default=0, help="same seed, same matches (default: 0)")
    parser.set_defaults(
        run=lambda chosen: tournament(
            chosen.game, chosen.matches, chosen.seed, sys.stdout, sys.stderr
        )
    )


COMMANDS: tuple[Callable[[Parsers[argparse.ArgumentParser]], None], ...] = (
    arena,
    show,
    replay,
    circuit,
)

if __name__ == "__main__":
    sys.exit(main())
