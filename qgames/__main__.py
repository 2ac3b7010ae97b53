"""The command line, ``python -m qgames COMMAND``.

A command is one function that adds its parser to the others and says what runs it; add yours to
``COMMANDS``. A ``ValueError`` or an ``OSError`` is told in one line, exit code 2.
"""

from __future__ import annotations

import argparse
import io
import os
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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that has no kets shows ? for them
            stream.reconfigure(errors="replace")
    try:
        chosen.run(chosen)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has seen enough, as with `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        where = f" {error.filename!r}" if error.filename else ""
        print(f"error: cannot write{where}: {error.strerror or error}", file=sys.stderr)
        return 2
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
