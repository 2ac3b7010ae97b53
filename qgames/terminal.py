"""The commands ``show``, ``replay`` and ``circuit`` for those who live in a terminal.

Each reads a saved match (``-`` for standard input) and writes text; ``circuit -o NAME`` writes a
file in the format that its name ends in. A spectator's knowledge is the default.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from qgames import draw, export
from qgames.core import Match, SaveError, View
from qgames.draw import inspector as pane
from qgames.draw.scene import Look
from qgames.i18n import _
from qgames.quantum import QuantumState
from qgames.walk import Walk

LONGEST_DELAY = 3600
FORMATS = ("text", "qasm", "python", "record", "json")


def read(name: str) -> Match:
    """The match saved in a file; ``-`` is standard input."""
    if name == "-" and sys.stdin is None:
        raise SaveError("cannot read standard input: it is closed")
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except OSError as error:
        raise SaveError(f"cannot read {name!r}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise SaveError(f"cannot read {name!r}: it is no text") from None
    return Match.from_json(text)


# ---- show ---------------------------------------------------------------------------------------


def show(parsers: Any) -> None:
    """Add ``show``: where a match stands."""
    parser = parsers.add_parser("show", help="show where a saved match stands")
    _whose(parser)
    parser.set_defaults(run=_show)


def _show(chosen: Namespace) -> None:
    match = read(chosen.file)
    view = _view(match, chosen)
    sys.stdout.write(position_text(view, chosen.truth))


def position_text(view: View, truth: bool = False) -> str:
    """A position in words: players, record, state, moves."""
    scene = draw.scene(view.game.key)
    lines = [f"{view.game.title}: {status(view)}"]
    for seat in range(view.game.seats):
        mark = ">" if seat == view.to_move else " "
        lines.append(f"{mark} {scene.player(seat)}  {scene.score(view, seat)}".rstrip())
    lines += ["", _("Record:"), *(f"{n:4} {step}" for n, step in enumerate(view.record))]
    whose = pane.whose(view, scene, truth)
    lines += ["", _("State, {whose}:").format(whose=whose), *state_lines(view.belief, view)]
    moves = view.game.legal_moves(view.position) if view.to_move is not None else ()
    if moves and (truth or view.legal_moves):
        lines += ["", _("Moves:"), *_wrapped([str(move) for move in moves])]
    return "\n".join(lines) + "\n"


def status(view: View) -> str:
    """Where a match stands, in a sentence or two."""
    if view.to_move is None and view.result is None:
        return _("Before the opening.")
    scene = draw.scene(view.game.key)
    return pane.plain(scene.status(view, Look(disabled=True)))


def state_lines(state: QuantumState, view: View) -> list[str]:
    """Each group or lone wire in a line; wires that are simply 0 share the last one."""
    lines, zeros = [], []
    for cluster in pane.clusters_of(state, range(state.wires)):
        names = ",".join(view.game.wire_labels[w] for w in cluster.wires)
        words = pane.cluster_text(cluster)
        if words == "|0⟩":
            zeros.append(names)
        else:
            lines.append(f"     {names}  {words}")
    return [*lines, *([f"     {','.join(zeros)}  |0⟩"] if zeros else [])]


def _wrapped(words: list[str], width: int = 96) -> list[str]:
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) + 3 > width:
            lines.append("")
        lines[-1] += f"   {word}"
    return lines


# ---- replay -------------------------------------------------------------------------------------


def replay(parsers: Any) -> None:
    """Add ``replay``: step by step, with what each step did."""
    parser = parsers.add_parser("replay", help="tell a saved match step by step")
    _whose(parser)
    parser.add_argument("--gates", action="store_true", help="go through each step gate by gate")
    parser.add_argument(
        "--delay", type=float, default=0.0, metavar="SECONDS", help="wait after each step"
    )
    parser.set_defaults(run=_replay)


def _replay(chosen: Namespace) -> None:
    if not 0 <= chosen.delay <= LONGEST_DELAY:
        raise ValueError(f"expected a delay from 0 to {LONGEST_DELAY} seconds: got {chosen.delay}")
    view = _view(read(chosen.file), chosen)
    scene = draw.scene(view.game.key)
    for number, step in enumerate(view.record):
        walk = Walk(view, number)
        sys.stdout.write(f"{number:4} {step}\n")
        if chosen.gates:
            sys.stdout.write(pane.text(walk, scene) + "\n")
        else:
            sys.stdout.write(f"     {pane.plain(pane.sentence(walk, scene))}\n")
        sys.stdout.flush()
        time.sleep(chosen.delay)
    sys.stdout.write(status(view) + "\n")


# ---- circuit ------------------------------------------------------------------------------------


def circuit(parsers: Any) -> None:
    """Add ``circuit``: a match or one of its steps as a circuit, in several formats."""
    parser = parsers.add_parser(
        "circuit",
        help="write the circuit of a saved match",
        description=f"Write the circuit as {', '.join(FORMATS)}, or to a file that ends in one of "
        f"{', '.join(export.ENDINGS)}.",
    )
    _whose(parser)
    parser.add_argument("--step", type=int, metavar="N", help="only step N, gate by gate")
    parser.add_argument("--format", choices=FORMATS, help="default: text")
    parser.add_argument("--pane", choices=export.PANES, default="circuit", help="for .svg and .png")
    parser.add_argument("--theme", choices=tuple(draw.standalone.THEMES), default="light")
    parser.add_argument("-o", "--output", metavar="NAME", help="the file to write")
    parser.set_defaults(run=_circuit)


def _circuit(chosen: Namespace) -> None:
    if chosen.step is not None and (chosen.output is not None or chosen.format is not None):
        raise ValueError("--step is written as text: expected no --output and no --format with it")
    if chosen.output is not None and chosen.format is not None:
        raise ValueError("the ending of --output says the format: expected no --format with it")
    match = read(chosen.file)
    whose: dict[str, Any] = {"seat": chosen.seat, "truth": chosen.truth, "at": chosen.at}
    as_json = chosen.format == "json" or str(chosen.output).lower().endswith(".json")
    if as_json and chosen.seat is not None:
        raise ValueError("JSON holds the whole match, secrets included: expected no --seat with it")
    if chosen.output is not None:
        look = {"pane": chosen.pane, "theme_name": chosen.theme}
        sys.stdout.write(f"{export.save(match, chosen.output, **look, **whose)}\n")
        return
    sys.stdout.write(_written(match, chosen, whose).rstrip("\n") + "\n")


def _written(match: Match, chosen: Namespace, whose: dict[str, Any]) -> str:
    if chosen.step is not None:
        view = export.view_of(match, **whose)
        walk = Walk(view, chosen.step)
        return (
            f"{walk.fragment.draw('text', fold=-1)}\n{pane.text(walk, draw.scene(view.game.key))}"
        )
    match chosen.format:
        case "qasm":
            return export.qasm(match, chosen.at)
        case "python":
            return export.python_source(match, **whose)
        case "record":
            return export.record_text(match, **whose)
        case "json":
            return export.json_text(match, chosen.at)
        case _:
            whole = match.circuit(at=chosen.at)
            return str(whole.draw("text", fold=100, idle_wires=False))


# ---- what all take ------------------------------------------------------------------------------


def _whose(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="a saved match (JSON), or - for standard input"
    )
    parser.add_argument("--at", type=int, metavar="N", help="after the first N steps")
    parser.add_argument("--seat", type=int, metavar="S", help="what seat S may know")
    parser.add_argument(
        "--truth", action="store_true", help="everything, secrets included (for teachers)"
    )


def _view(match: Match, chosen: Namespace) -> View:
    return export.view_of(match, chosen.seat, chosen.truth, chosen.at)
