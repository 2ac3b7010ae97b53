"""What other tools read: circuits load back in a fresh process and give the recorded state."""

import io
import json
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, qpy
from qiskit.circuit import Parameter, Qubit, library
from qiskit.circuit.library import CCXGate, HGate, PhaseGate, UnitaryGate, XXPlusYYGate
from qiskit.quantum_info import Operator

from qgames import GAMES, Match, QuantumState, export
from qgames.draw.standalone import standalone
from tests import dense, sparse
from tests.matches import bell, played

ROOT = Path(__file__).parent.parent
SEEDS = range(50)
STEPS = 9
every_game = pytest.mark.parametrize("key", GAMES)


def recorded(match: Match) -> dict[str, str]:
    """What was read, by the registers of the whole circuit."""
    return {f"{n}_{k}": b for k, step in enumerate(match.record) for n, b in step.outcome}


# ---- a fresh process -----------------------------------------------------------------------------

# It knows Qiskit and the matrices of tests/dense.py, and nothing of qgames.
READER = """
import json, runpy, sys
from collections.abc import Callable
from pathlib import Path
from qiskit import qasm3
from tests import sparse

class Forbidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("qgames", "qiskit_aer"):
            raise ImportError(name)
sys.meta_path.insert(0, Forbidden())
folder = Path(sys.argv[1])
found = {}
for plan in sorted(folder.glob("*.json")):
    outcome = json.loads(plan.read_text())
    circuits = {
        "qasm": qasm3.loads(plan.with_suffix(".qasm").read_text()),
        "py": runpy.run_path(str(plan.with_suffix(".py")))["circuit"],
    }
    for kind, circuit in circuits.items():
        branches = sparse.evolved(circuit, outcome)
        kets = [sparse.normal(b.kets, circuit.qregs[0].size) for b in branches]
        weight = sum(b.weight for b in branches)
        rows = [[[k, a.real, a.imag] for k, a in one.items()] for one in kets]
        found[f"{plan.stem} {kind}"] = [weight, rows]
print(json.dumps(found))
"""


@every_game
def test_qasm_and_python_load_back_in_a_fresh_process_and_give_the_recorded_state(
    key: str, tmp_path: Path
) -> None:
    matches = {f"{key}-{seed:02}": played(key, seed, STEPS) for seed in SEEDS}
    for name, match in matches.items():
        export.save(match, tmp_path / f"{name}.qasm")
        export.save(match, tmp_path / f"{name}.py")
        (tmp_path / f"{name}.json").write_text(json.dumps(recorded(match)))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", READER, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert len(found) == 2 * len(SEEDS)
    for name, (weight, branches) in found.items():
        match = matches[name.split()[0]]
        wanted = sparse.normal(sparse.kets_of(match.position.state))
        assert weight > 0
        for rows in branches:
            assert sparse.same({k: complex(a, b) for k, a, b in rows}, wanted, 1e-7), name


def test_the_python_source_runs_by_itself(tmp_path: Path) -> None:
    file = export.save(bell(), tmp_path / "bell.py")
    done = subprocess.run(
        [sys.executable, str(file)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    head, *rows = done.stdout.splitlines()
    assert head == "sealed_0 p0_1 fixed_3"
    read = {tuple(row.split()[:-1]): int(row.split()[-1]) for row in rows}
    exact = QuantumState.zeros(9).odds(bell().circuit())
    possible = {tuple(bits for _, bits in outcome) for outcome in exact}
    assert set(read) <= possible
    assert sum(read.values()) == 1000


def test_python_source_of_gates_that_are_not_everyday() -> None:
    """Open controls, library gates by class, definitions taken apart, matrices, odd names."""
    wires, bits = QuantumRegister(3, "class"), ClassicalRegister(2, "my bits")
    qc = QuantumCircuit(wires, bits, name="odd")
    qc.cx(0, 1, ctrl_state=0)
    qc.append(XXPlusYYGate(-1.5707963267948966, 0.5), [1, 2])
    qc.append(PhaseGate(0.1), [0])
    qc.append(UnitaryGate([[0, 1], [1, 0]]), [2])
    mine = QuantumCircuit(2, name="mine")
    mine.h(0)
    mine.cx(0, 1)
    qc.append(mine.to_gate(), [0, 2])
    qc.append(HGate().control(1, ctrl_state=0), [0, 1])
    qc.measure([0, 1], bits)
    with qc.if_test((bits, 0b10)) as otherwise:
        qc.x(2)
    with otherwise:
        qc.reset(2)
    source = export.python_source(qc)
    space: dict[str, object] = {"__name__": "loaded"}
    exec(compile(source, "odd.py", "exec"), space)  # noqa: S102 - the very thing to be tested
    again = space["circuit"]
    assert [r.name for r in again.qregs + again.cregs] == ["class", "my bits"]
    a, b = QuantumState.zeros(3), QuantumState.zeros(3)
    for outcome, chance in a.odds(qc).items():
        assert b.odds(again)[outcome] == pytest.approx(chance)
        assert a.follow(qc, outcome) == b.follow(again, outcome)
    assert "ctrl_state=0" in source
    assert "XXPlusYYGate" in source


@every_game
def test_qpy_gives_the_very_circuit(key: str) -> None:
    match = played(key, 3, STEPS)
    (again,) = qpy.load(io.BytesIO(export.qpy_bytes(match)))
    assert again == match.circuit()


def test_an_export_after_some_steps() -> None:
    match = bell()
    assert "p0_1" not in export.qasm(match, at=1)
    assert "fixed_3" not in export.qasm(match, at=3)
    assert export.record_text(match, at=2, seat=0) == "deal sealed=??\nbm 6 9 p0=11\n"
    with pytest.raises(ValueError, match=r"^expected a step from 0 to 4: got 9$"):
        export.qasm(match, at=9)


# ---- secrets -------------------------------------------------------------------------------------


def test_secrets_are_left_out_unless_asked_for() -> None:
    match = bell()
    for at_least in (export.record_text(match), export.python_source(match)):
        assert "p0=??" in at_least
        assert "p0=11" not in at_least
    assert "p0=11" in export.record_text(match, seat=0)
    assert "sealed=10" not in export.python_source(match, seat=0)
    assert "sealed=10" in export.python_source(match, truth=True)
    assert export.svg(match, "state", seat=0) != export.svg(match, "state")


# ---- pictures ------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_pane_is_an_svg_of_its_own(key: str, theme: str) -> None:
    from xml.etree import ElementTree as ET

    match = played(key, 4, 12)
    for pane in export.PANES:
        for seat in (0, None):
            drawn = export.svg(match, pane, seat=seat, theme_name=theme)
            ET.fromstring(drawn)  # well-formed
            assert "var(" not in drawn
            assert "<foreignObject" not in drawn


@every_game
def test_every_pane_is_a_png(key: str) -> None:
    match = played(key, 4, 6)
    sizes = set()
    for pane in export.PANES:
        data = export.png(match, pane, zoom=1.0)
        assert data.startswith(b"\x89PNG")
        assert len(data) > 1500, f"{pane} looks empty"
        sizes.add(data[16:24])
    assert len(sizes) > 1


def test_pictures_that_there_are_not() -> None:
    with pytest.raises(
        ValueError, match="unknown pane 'hand': expected one of board, circuit, state"
    ):
        export.svg(bell(), "hand")
    with pytest.raises(ValueError, match=r"^unknown theme 'sepia': expected one of light, dark$"):
        export.svg(bell(), theme_name="sepia")
    with pytest.raises(ValueError, match="expected a drawing whose viewBox starts at 0 0"):
        standalone("<p></p>")


def test_without_the_extra_a_png_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ValueError, match=r"^a PNG needs resvg-py: pip install 'qgames\[export\]'$"):
        export.png(bell())


# ---- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", export.ENDINGS)
def test_every_ending_is_written(ending: str, tmp_path: Path) -> None:
    file = export.save(bell(), tmp_path / f"match{ending}", pane="circuit")
    assert file.stat().st_size > 40


def test_an_ending_that_means_nothing(tmp_path: Path) -> None:
    why = (
        r"expected a file name that ends in one of \.qasm, \.py, \.qpy, \.json, \.txt, \.svg, \.png"
    )
    with pytest.raises(ValueError, match=why):
        export.save(bell(), tmp_path / "match.docx")
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match=r"^expected a match or a circuit to export: got str$"):
        export.qasm("x")


def test_a_page_needs_nothing_else(tmp_path: Path) -> None:
    text = export.save(bell(), tmp_path / "match.html").read_text("utf-8")
    assert text.count("<svg") > 10
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


# ---- opening at a step ---------------------------------------------------------------------------


def test_a_saved_match_opens_where_the_teacher_left_it(tmp_path: Path) -> None:
    from qgames import play

    match = bell()
    file = export.save(match, tmp_path / "lesson.json", at=2)
    assert json.loads(file.read_text("utf-8"))["at"] == 2
    for shown in (
        play(str(file), "practice"),
        play(file, "practice"),
        play(match, "practice", at=2),
    ):
        assert shown.shown == 2
        assert "Looking back at move <b>1</b> of 3" in shown.bar
        assert shown.match.position == match.position
    assert Match.from_json(file.read_text("utf-8")).position == match.position
    assert play(match, "practice", at=4).live
    with pytest.raises(ValueError, match=r"^expected a step from 1 to 4: got 9$"):
        play(match, "practice", at=9)
    with pytest.raises(ValueError, match=r"^expected a step from 0 to 4: got 7$"):
        export.json_text(match, at=7)


def test_the_panel_saves_where_it_looks_and_loads_it_again() -> None:
    from qgames import play

    w = play("qlanet", "practice", seed=7, hands="any")
    for move in ("bm 6 9", "z 1", "h 2"):
        w.play(move)
    w.seek(2)
    sent: list[dict[str, str]] = []
    w.send = lambda content, **_more: sent.append(content)
    w.save()
    other = play("qlanet", "practice", seed=1)
    other.receive({"on": "load", "text": sent[0]["text"]})
    assert other.shown == 2
    w.seek(4)
    w.save()
    assert "at" not in json.loads(sent[1]["text"])
    spoiled = json.dumps(json.loads(sent[0]["text"]) | {"at": 40})
    record = other.match.record
    other.receive({"on": "load", "text": spoiled})
    assert "field 'at' of a saved match is a step from 1 to 4: got 40" in other.bar.replace(
        "&#x27;", "'"
    )
    assert other.match.record == record


def test_the_sparse_double_agrees_with_the_dense_one() -> None:
    """The reader of the fresh process, against tests/dense.py."""
    circuit = bell().circuit()
    for bits, state in dense.branches(circuit):
        outcome = {
            r.name: "".join(str(bits[circuit.find_bit(c).index]) for c in r) for r in circuit.cregs
        }
        (branch,) = sparse.evolved(circuit, outcome)
        vector = dense.flat(state)
        assert abs(branch.weight - (abs(vector) ** 2).sum()) < 1e-9
        assert all(abs(vector[k] - a) < 1e-9 for k, a in branch.kets.items())


# ---- other people's circuits, and files that cannot be written -----------------------------------


def rebuilt(circuit: QuantumCircuit, folder: Path) -> QuantumCircuit:
    """The circuit that the exported source builds."""
    again = runpy.run_path(str(export.save(circuit, folder / "exported.py")))["circuit"]
    assert isinstance(again, QuantumCircuit)
    return again


def test_source_keeps_names_phases_and_gates_of_any_circuit(tmp_path: Path) -> None:
    named = QuantumCircuit(
        *(QuantumRegister(1, 'say "hi"'), QuantumRegister(1, "a b"), QuantumRegister(1, "a_b")),
        *(QuantumRegister(1, "HGate"), ClassicalRegister(1, "QuantumRegister")),
        name='"""\nimport os',
        global_phase=1.0,
    )
    named.h(0)
    named.append(UnitaryGate([[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1j]]), [1, 2])
    named.append(CCXGate(ctrl_state=1), [1, 2, 3])
    again = rebuilt(named, tmp_path)
    assert again.name == named.name
    assert [r.name for r in again.qregs] == [r.name for r in named.qregs]
    assert np.allclose(Operator(again).data, Operator(named).data)
    taken = QuantumCircuit(2)
    inner = QuantumCircuit(2, name="own", global_phase=0.5)
    inner.cx(0, 1)
    taken.append(inner.to_gate(), [0, 1])
    taken.append(library.DiagonalGate([1, -1, 1j, 1]), [0, 1])
    assert np.allclose(Operator(rebuilt(taken, tmp_path)).data, Operator(taken).data)
    assert rebuilt(QuantumCircuit(name="none"), tmp_path).num_qubits == 0


def test_source_says_what_it_cannot_write() -> None:
    loop = QuantumCircuit(1, 1)
    with loop.for_loop(range(2)):
        loop.x(0)
    loose = QuantumCircuit([Qubit()])
    loose.h(0)
    angle = QuantumCircuit(1)
    angle.rx(Parameter("t"), 0)
    for circuit, why in (
        (loop, "expected gates, resets, .* 'for_loop' cannot be written as Python source"),
        (loose, "expected a circuit whose qubits and bits all stand in registers"),
        (angle, "expected a circuit whose parameters have values: t have none"),
    ):
        with pytest.raises(ValueError, match=f"^{why}$"):
            export.python_source(circuit)


def test_the_source_of_a_match_records_what_the_circuit_has(tmp_path: Path) -> None:
    match = Match("qlanet", seed=3)
    match.play(match.legal_moves[0])
    space = runpy.run_path(str(export.save(match, tmp_path / "match.py", truth=True)))
    assert set(space["RECORDED"]) <= {r.name for r in space["circuit"].cregs}
    assert "sealed_0" in space["RECORDED"]


def test_a_file_that_cannot_be_written_whole_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "keep.svg"
    file.write_text("mine", "utf-8")
    write, written = Path.write_bytes, []

    def full(path: Path, data: bytes) -> int:
        write(path, data[:10])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match="No space left"):
            export.save(bell(), file)
        patched.setattr(Path, "write_bytes", lambda path, _: written.append(path) or path.touch())
        export.save(bell(), tmp_path / "new.svg")
    assert len(written) == 1
    assert tmp_path / "new.svg" not in written, "a file that stands there is never written into"
    (tmp_path / "new.svg").unlink()
    assert file.read_text("utf-8") == "mine"
    assert [f.name for f in tmp_path.iterdir()] == ["keep.svg"]
    assert export.save(bell(), file.with_name("KEEP.SVG")).read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda _: export.svg(None), "expected a match or a view to export: got None"),
        (lambda _: export.record_text(3), "expected a match or a view to export: got int"),
        (lambda m: export.json_text(m.view(0)), "expected a match to export: got QlanetView"),
        (lambda m: export.save(m, None), "expected the name of a file: got None"),
        (lambda m: export.json_text(m, at=0), "expected a step from 1 to 4: got 0"),
        (lambda m: export.json_text(m, at=True), "expected a step from 0 to 4: got True"),
        (lambda m: export.record_text(m, at="2"), "expected a step from 0 to 4: got '2'"),
        (
            lambda m: export.record_text(m.view(0), at=1),
            "a view is exported as it is: expected no seat, truth or step with it",
        ),
        (
            lambda m: export.page(m, seat=0, truth=True),
            "truth=True shows everything: expected no seat, got 0",
        ),
    ],
)
def test_arguments_that_make_no_sense(call: Callable[[Match], object], why: str) -> None:
    with pytest.raises(ValueError, match=f"^{why}$"):
        call(bell())


def test_pictures_before_the_opening() -> None:
    match = Match("qlanet", seed=1)
    for pane in ("board", "circuit", "state"):
        assert export.svg(match, pane, at=0).startswith("<svg")
    assert "|0⟩ |1⟩ |+⟩ |−⟩" in export.svg(bell(), "state", at=1).replace("  ", " ")
