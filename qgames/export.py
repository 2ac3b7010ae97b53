"""A match as something other tools read: OpenQASM 3, Python source, QPY, pictures, JSON, text.

:func:`save` chooses by the ending of the file's name. What a viewer may not know is left out or
written ``?``: a spectator is the default, ``seat=0`` is that seat, ``truth=True`` is everything. A
circuit holds no secrets (fragments never depend on them), and JSON is the match itself, so it
always holds all of them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator, Sequence
from io import BytesIO
from keyword import iskeyword
from pathlib import Path
from typing import Any

from qiskit import QuantumCircuit, qasm3, qpy
from qiskit.circuit import ClassicalRegister, ControlFlowOp, ControlledGate, IfElseOp, library
from qiskit.quantum_info import Operator

from qgames import draw
from qgames.core import Match, View
from qgames.draw import inspector, state_svg
from qgames.draw.scene import Look
from qgames.draw.standalone import standalone
from qgames.quantum import check_complete
from qgames.walk import Walk

PANES = ("board", "circuit", "state", "inspect")
ENDINGS = (".qasm", ".py", ".qpy", ".json", ".txt", ".svg", ".png", ".html")
Source = Match | View


def view_of(
    source: Source, seat: int | None = None, truth: bool = False, at: int | None = None
) -> View:
    """The view to export: after ``at`` steps, as ``seat`` (None: a spectator) or the truth.

    A view is exported as it is.
    """
    if isinstance(source, View):
        if (seat, truth, at) != (None, False, None):
            raise ValueError("a view is exported as it is: expected no seat, truth or step with it")
        return source
    if not isinstance(source, Match):
        raise ValueError(f"expected a match or a view to export: got {_kind(source)}")
    if truth and seat is not None:
        raise ValueError(f"truth=True shows everything: expected no seat, got {seat!r}")
    return source.truth(at) if truth else source.view(seat, at)


def _kind(thing: object) -> str:
    return type(thing).__name__ if thing is not None else "None"


# ---- circuits -----------------------------------------------------------------------------------


def qasm(source: Match | QuantumCircuit, at: int | None = None) -> str:
    """The whole circuit as OpenQASM 3, one barrier before each move, dice left out.

    Reading it back needs ``qiskit-qasm3-import`` (``qgames[export]``).
    """
    return str(qasm3.dumps(circuit_of(source, at)))


def qpy_bytes(source: Match | QuantumCircuit, at: int | None = None) -> bytes:
    """The whole circuit in Qiskit's own format; ``qiskit.qpy.load`` reads it."""
    out = BytesIO()
    qpy.dump(circuit_of(source, at), out)
    return out.getvalue()


def circuit_of(source: Match | QuantumCircuit, at: int | None = None) -> QuantumCircuit:
    """The circuit itself, or that of a match's first ``at`` steps without its dice."""
    if isinstance(source, QuantumCircuit):
        return source
    if not isinstance(source, Match):
        raise ValueError(f"expected a match or a circuit to export: got {_kind(source)}")
    return source.circuit(at=at)


def python_source(
    source: Match | QuantumCircuit,
    at: int | None = None,
    seat: int | None = None,
    truth: bool = False,
) -> str:
    """A Python file that builds the circuit with Qiskit alone, and runs it on Aer as a script.

    For a match it holds the record too, with ``?`` for what ``seat`` may not read.
    """
    circuit = circuit_of(source, at)
    check_complete(circuit)
    names = _Names(circuit)
    lines = [*_head(source, at), "", *_imports(circuit, names), "", *_registers(circuit, names)]
    lines += ["", *_body(circuit, names, "")]
    if isinstance(source, Match):
        lines += ["", *_record(view_of(source, seat, truth, at), set(names.of))]
    return "\n".join([*lines, "", *_script(circuit)]) + "\n"


def _head(source: Match | QuantumCircuit, at: int | None) -> list[str]:
    if isinstance(source, QuantumCircuit):  # its name is somebody's text: no quotes, no escapes
        what = "The circuit " + re.sub(r"[^\w .-]", "_", source.name)
    else:
        what = source.game.title
        count = len(source.record) if at is None else at
        what += f", a match of {count} step{'s' * (count != 1)}"
    return [
        f'"""{what}: exported by qgames, needs qiskit alone.',
        "",
        "Run as a script it also needs qiskit-aer and prints what 1000 shots read.",
        '"""',
    ]


class _Names:
    """Python names of registers, each once, and of what must be imported."""

    def __init__(self, circuit: QuantumCircuit) -> None:
        self.circuit = circuit
        self.classes: set[str] = set()
        self.of: dict[str, str] = {}
        for register in (*circuit.qregs, *circuit.cregs):
            name = _python_name(register.name)
            while name in self.of.values():
                name += "_"
            self.of[register.name] = name

    def bit(self, bit: Any) -> str:
        """``planet[3]``."""
        register, place = self.circuit.find_bit(bit).registers[0]
        return f"{self.of[register.name]}[{place}]"

    def together(self, qubits: list[str]) -> list[str]:
        """The name of a register where these are all its qubits, in order."""
        for register in self.circuit.qregs:
            if [self.bit(q) for q in register] == qubits:
                return [self.of[register.name]]
        return qubits


def _quoted(words: str) -> str:
    """A text as Python writes it: somebody's name for a circuit must not become code."""
    return json.dumps(words, ensure_ascii=False)


TAKEN = ("circuit", "RECORD", "RECORDED", "QuantumCircuit", "QuantumRegister", "ClassicalRegister")
"""Names that the file uses itself, besides those of gates."""


def _python_name(name: str) -> str:
    safe = re.sub(r"\W", "_", name)
    taken = safe in TAKEN or hasattr(library, safe)
    if not safe.isidentifier() or iskeyword(safe) or taken:
        safe = f"r_{safe}"
    return safe


def _imports(circuit: QuantumCircuit, names: _Names) -> Iterator[str]:
    list(_body(circuit, names, ""))  # finds the classes that are needed
    yield "from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister"
    if names.classes:
        yield f"from qiskit.circuit.library import {', '.join(sorted(names.classes))}"


def _registers(circuit: QuantumCircuit, names: _Names) -> Iterator[str]:
    for register in (*circuit.qregs, *circuit.cregs):
        kind = "ClassicalRegister" if isinstance(register, ClassicalRegister) else "QuantumRegister"
        yield f"{names.of[register.name]} = {kind}({register.size}, {_quoted(register.name)})"
    listed = [names.of[r.name] for r in (*circuit.qregs, *circuit.cregs)]
    yield f"circuit = QuantumCircuit({', '.join([*listed, f'name={_quoted(circuit.name)}'])})"
    if circuit.global_phase:
        yield f"circuit.global_phase = {float(circuit.global_phase)!r}"


def _body(circuit: QuantumCircuit, names: _Names, indent: str) -> Iterator[str]:
    for item in circuit.data:
        qubits = [names.bit(q) for q in item.qubits]
        clbits = [names.bit(c) for c in item.clbits]
        yield from _instruction(item.operation, qubits, clbits, names, indent)


def _instruction(
    operation: Any, qubits: list[str], clbits: list[str], names: _Names, indent: str
) -> Iterator[str]:
    if isinstance(operation, IfElseOp) and isinstance(operation.condition, tuple):
        yield from _feed_forward(operation, qubits, clbits, names, indent)
    elif operation.name == "measure":
        yield f"{indent}circuit.measure({qubits[0]}, {clbits[0]})"
    elif operation.name == "barrier":
        label = f", label={operation.label!r}" if operation.label else ""
        yield f"{indent}circuit.barrier({', '.join(names.together(qubits))}{label})"
    elif clbits or isinstance(operation, ControlFlowOp):
        raise ValueError(_unwritten(operation))
    else:
        call = _method(operation, qubits) or _library(operation, qubits, names)
        if call:
            yield f"{indent}circuit.{call}"
        else:
            yield from _taken_apart(operation, qubits, names, indent)


def _unwritten(operation: Any) -> str:
    return (
        "expected gates, resets, measurements and if_test on bits or registers:"
        f" {operation.name!r} cannot be written as Python source"
    )


def _method(operation: Any, qubits: Sequence[str]) -> str | None:
    """The gate as a method of a circuit, if calling that gives this very gate."""
    name = re.sub(r"_o\d+$", "", operation.name)
    more: dict[str, Any] = {}
    if isinstance(operation, ControlledGate) and name != operation.name:
        more = {"ctrl_state": int(operation.ctrl_state)}
    params = _numbers(operation)
    scratch = QuantumCircuit(len(qubits))
    if params is None:
        return None
    try:
        getattr(scratch, name)(*params, *range(len(qubits)), **more)
        if scratch.data[0].operation != operation:
            return None
    except Exception:  # a method of that name that takes other arguments may raise anything
        return None
    words = [*map(repr, params), *qubits, *(f"{k}={v}" for k, v in more.items())]
    return f"{name}({', '.join(words)})"


def _library(operation: Any, qubits: Sequence[str], names: _Names) -> str | None:
    """The gate by its class in Qiskit's library, if its numbers give this very gate."""
    kind = getattr(operation, "base_class", type(operation)).__name__
    params = _numbers(operation)
    try:
        if params is None or getattr(library, kind)(*params) != operation:
            return None
    except Exception:  # as above
        return None
    names.classes.add(kind)
    return f"append({kind}({', '.join(map(repr, params))}), [{', '.join(qubits)}])"


def _taken_apart(operation: Any, qubits: list[str], names: _Names, indent: str) -> Iterator[str]:
    """The gate by its definition, else by its matrix."""
    definition = getattr(operation, "definition", None)
    if definition is None or operation.name == "unitary":
        try:
            matrix = Operator(operation).data.tolist()
        except Exception:
            raise ValueError(_unwritten(operation)) from None
        names.classes.add("UnitaryGate")
        yield f"{indent}circuit.append(UnitaryGate({matrix!r}), [{', '.join(qubits)}])"
        return
    if definition.clbits:
        raise ValueError(_unwritten(operation))
    if definition.global_phase:
        names.classes.add("GlobalPhaseGate")
        yield f"{indent}circuit.append(GlobalPhaseGate({float(definition.global_phase)!r}), [])"
    for item in definition.data:
        own = [qubits[definition.find_bit(q).index] for q in item.qubits]
        yield from _instruction(item.operation, own, [], names, indent)


def _numbers(operation: Any) -> list[float] | None:
    """A gate's parameters as plain numbers; None if some are none."""
    try:
        return [float(p) for p in operation.params]
    except (AttributeError, TypeError, ValueError):
        return None


def _feed_forward(
    operation: IfElseOp, qubits: list[str], clbits: list[str], names: _Names, indent: str
) -> Iterator[str]:
    target, value = operation.condition
    is_register = isinstance(target, ClassicalRegister)
    tested = names.of[target.name] if is_register else names.bit(target)
    other = " as otherwise" if len(operation.blocks) > 1 else ""
    heads = (f"with circuit.if_test(({tested}, {int(value)})){other}:", "with otherwise:")
    for head, block in zip(heads, operation.blocks, strict=False):
        yield indent + head
        inner = dict(zip(block.qubits, qubits, strict=True))
        read = dict(zip(block.clbits, clbits, strict=True))
        for item in block.data:
            own = [inner[q] for q in item.qubits]
            bits = [read[c] for c in item.clbits]
            yield from _instruction(item.operation, own, bits, names, indent + "    ")
        if not block.data:
            yield f"{indent}    pass"


def _record(view: View, registers: Collection[str]) -> Iterator[str]:
    yield "# The moves and what they measured, bit 0 first; ? is a secret."
    yield "RECORD = ("
    yield from (f"    {str(step)!r}," for step in view.record)
    yield ")"
    yield "# The same by the circuit's registers, whose names end in the number of the step."
    yield "RECORDED = {"
    for number, step in enumerate(view.record):
        for name, bits in step.outcome:
            if f"{name}_{number}" in registers:  # dice are left out of the circuit
                yield f"    {f'{name}_{number}'!r}: {bits!r},"
    yield "}"


def _script(circuit: QuantumCircuit) -> list[str]:
    used = {q for item in circuit.data if item.name != "barrier" for q in item.qubits}
    method = "matrix_product_state" if len(used) > 20 else "statevector"
    return [
        'if __name__ == "__main__":',
        "    from collections import Counter",
        "",
        "    from qiskit import transpile",
        "    from qiskit_aer import AerSimulator",
        "",
        f'    simulator = AerSimulator(method="{method}")',
        "    whole = circuit.copy()",
        "    whole.measure_all()  # Aer must not cut wires that feed-forward acts on",
        "    runnable = transpile(whole, simulator, optimization_level=0)",
        "    counts = Counter()",
        "    for key, count in simulator.run(runnable, shots=1000).result().get_counts().items():",
        '        counts[" ".join(key.split()[1:][::-1])] += count',
        "    print(*(register.name for register in circuit.cregs))",
        "    for bits, count in counts.most_common(20):",
        '        print(" ".join(word[::-1] for word in bits.split()), count)',
    ]


# ---- pictures -----------------------------------------------------------------------------------


def svg(
    source: Source,
    pane: str = "board",
    *,
    seat: int | None = None,
    truth: bool = False,
    at: int | None = None,
    theme_name: str = "light",
) -> str:
    """A pane as an SVG file of its own: colours are written out, so every program shows them.

    ``pane`` is ``board``, ``circuit``, ``state`` or ``inspect`` (the last step's fragment).
    """
    if pane not in PANES:
        raise ValueError(f"unknown pane {pane!r}: expected one of {', '.join(PANES)}")
    view = view_of(source, seat, truth, at)
    scene = draw.scene(view.game.key)
    match pane:
        case "board":
            drawn = scene.board(view, Look())
        case "circuit":
            drawn = draw.circuit_svg(view, scene)
        case "state":
            drawn = state_svg.state_svg(view, scene)
        case _:
            drawn = inspector.fragment(Walk(view), scene)
    return standalone(drawn, theme_name)


def png(
    source: Source,
    pane: str = "board",
    *,
    seat: int | None = None,
    truth: bool = False,
    at: int | None = None,
    theme_name: str = "light",
    zoom: float = 2.0,
) -> bytes:
    """A pane as a PNG file, ``zoom`` times as large as on screen (needs ``qgames[export]``).

    resvg draws it: one wheel on every system, nothing else to install.
    """
    drawn = svg(source, pane, seat=seat, truth=truth, at=at, theme_name=theme_name)
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise ValueError("a PNG needs resvg-py: pip install 'qgames[export]'") from None
    return bytes(svg_to_bytes(svg_string=drawn, zoom=zoom))


def page(
    source: Source, seat: int | None = None, truth: bool = False, at: int | None = None
) -> str:
    """A whole match as a page of HTML that needs no kernel and loads nothing."""
    view = view_of(source, seat, truth, at)
    panes = ("board", "circuit", "state", "moves")
    title = view.game.title
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f"<body>{draw.picture(view, panes=panes)}</body></html>\n"
    )


# ---- the match ----------------------------------------------------------------------------------


def record_text(
    source: Source, seat: int | None = None, truth: bool = False, at: int | None = None
) -> str:
    """The record, one step a line, in the notation of docs/notation.md."""
    view = view_of(source, seat, truth, at)
    return "".join(f"{step}\n" for step in view.record)


def json_text(match: Match, at: int | None = None) -> str:
    """The match as a save with all its secrets; the panel opens it after ``at`` steps."""
    if not isinstance(match, Match):
        raise ValueError(f"expected a match to export: got {_kind(match)}")
    saved = json.loads(match.to_json())
    if at is not None:
        match.view(None, at)  # says what is wrong with a step that is not there
        if at < match.fewest_steps:
            raise ValueError(
                f"expected a step from {match.fewest_steps} to {len(match.record)}: got {at!r}"
            )
        saved["at"] = at
    return json.dumps(saved, indent=1, ensure_ascii=False)


def save(
    match: Match,
    path: str | Path,
    *,
    seat: int | None = None,
    truth: bool = False,
    at: int | None = None,
    pane: str = "board",
    theme_name: str = "light",
) -> Path:
    """Write a match to a file in the format that its name ends in; returns the path.

    ``.qasm`` ``.py`` ``.qpy`` are the circuit, ``.json`` the match, ``.txt`` the record, ``.svg``
    and ``.png`` a pane, ``.html`` a page.
    """
    if not isinstance(path, str | Path):
        raise ValueError(f"expected the name of a file: got {_kind(path)}")
    file = Path(path)
    whose: dict[str, Any] = {"seat": seat, "truth": truth, "at": at}
    match file.suffix.lower():
        case ".qasm":
            data: str | bytes = qasm(match, at)
        case ".py":
            data = python_source(match, **whose)
        case ".qpy":
            data = qpy_bytes(match, at)
        case ".json":
            data = json_text(match, at)
        case ".txt":
            data = record_text(match, **whose)
        case ".svg":
            data = svg(match, pane, theme_name=theme_name, **whose)
        case ".png":
            data = png(match, pane, theme_name=theme_name, **whose)
        case ".html":
            data = page(match, **whose)
        case _:
            raise ValueError(
                f"expected a file name that ends in one of {', '.join(ENDINGS)}: got {str(path)!r}"
            )
    _write_whole(file, data.encode() if isinstance(data, str) else data)
    return file


def _write_whole(file: Path, data: bytes) -> None:
    """Write a file whole, or leave what was there as it was."""
    new = file.with_name(f".{file.name[:40]}.{os.getpid()}.new")
    try:
        new.write_bytes(data)
        new.replace(file)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(file)) from None
