"""The command line: show, replay, circuit and arena read saved matches and write text or files."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from qgames import Match
from qgames.__main__ import main

ROOT = Path(__file__).parent.parent


@pytest.fixture
def saved(tmp_path: Path) -> str:
    match = Match("qlanet", seed=7, hands="any")
    for move in ("bm 6 9", "cx1 6 5", "m 6"):
        match.play(move)
    file = tmp_path / "match.json"
    file.write_text(match.to_json(), "utf-8")
    return str(file)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_show_tells_where_a_match_stands(saved: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = told(capsys, "show", saved, "--seat", "0")
    assert out.startswith("QLANET: ")
    assert "   1 bm 6 9 p0=11\n" in out
    assert "   0 deal sealed=??\n" in out
    assert "     5  |0⟩, |1⟩, |+⟩ or |−⟩\n" in out
    assert "State, exact, as far as Player 0 can know it:" in out
    spectator = told(capsys, "show", saved)
    assert "bm 6 9 p0=??" in spectator
    truth = told(capsys, "show", saved, "--truth")
    assert "deal sealed=10" in truth
    assert "State, exact, secrets included:" in truth
    assert "Moves:" in truth
    early = told(capsys, "show", saved, "--at", "2", "--seat", "0")
    assert "     6,9  S− = (|01⟩ − |10⟩)/√2\n" in early


def test_replay_tells_each_step(saved: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = told(capsys, "replay", saved, "--seat", "0")
    assert (
        "   1 bm 6 9 p0=11\n     Bell measurement of planets 6 and 9: they are now |01⟩ − |10⟩;"
        " only Player 0 knows.\n" in out
    )
    gates = told(capsys, "replay", saved, "--gates", "--truth")
    assert "  4 Planet 9 is measured into p0[1]: it read 1, a chance of 50 %.\n" in gates
    assert "only" in gates


def test_circuit_in_every_format(saved: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "planet_5" in told(capsys, "circuit", saved)
    assert told(capsys, "circuit", saved, "--format", "qasm").startswith("OPENQASM 3.0;")
    assert 'planet = QuantumRegister(9, "planet")' in told(
        capsys, "circuit", saved, "--format", "python"
    )
    assert told(capsys, "circuit", saved, "--format", "record", "--at", "2") == (
        "deal sealed=??\nbm 6 9 p0=??\n"
    )
    text = told(capsys, "circuit", saved, "--format", "json")
    assert Match.from_json(text).position == Match.from_json(Path(saved).read_text()).position
    step = told(capsys, "circuit", saved, "--step", "1", "--seat", "0")
    assert "Inside move 1: BM on 6, 9" in step
    assert "planet_8" in step


def test_circuit_writes_a_file(
    saved: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.qasm", "a.svg", "a.png", "a.qpy"):
        assert told(capsys, "circuit", saved, "-o", str(tmp_path / name)).strip().endswith(name)
        assert (tmp_path / name).stat().st_size > 100


def test_a_match_may_come_from_standard_input(
    saved: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(Path(saved).read_text()))
    assert "QLANET" in told(capsys, "show", "-")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("show", "nowhere.json"), "error: cannot read 'nowhere.json': "),
        (("show", "{}", "--at", "9"), "error: expected a step from 0 to 4: got 9\n"),
        (("show", "{}", "--seat", "5"), "error: expected a seat from 0 to 1 or None: got 5\n"),
        (
            ("circuit", "{}", "-o", "a.doc"),
            "error: expected a file name that ends in one of .qasm, .py, .qpy,",
        ),
        (
            ("circuit", "{}", "--step", "7"),
            "error: expected a step from 0 to 3, or from -4 to -1: got 7",
        ),
        (("show", "/"), "error: cannot read '/': Is a directory\n"),
        (("circuit", "{}", "-o", ""), "error: expected a file name that ends in one of"),
        (
            ("circuit", "{}", "-o", "/nowhere/a.svg"),
            "error: cannot write '/nowhere/a.svg': ",
        ),
        (
            ("circuit", "{}", "--step", "1", "-o", "a.svg"),
            "error: --step is written as text: expected no --output and no --format with it\n",
        ),
        (
            ("circuit", "{}", "--format", "text", "-o", "a.qasm"),
            "error: the ending of --output says the format: expected no --format with it\n",
        ),
        (
            ("circuit", "{}", "--seat", "1", "--format", "json"),
            "error: JSON holds the whole match, secrets included: expected no --seat with it\n",
        ),
        (
            ("show", "{}", "--seat", "0", "--truth"),
            "error: truth=True shows everything: expected no seat, got 0\n",
        ),
        (("replay", "{}", "--delay", "inf"), "error: expected a delay from 0 to 3600 seconds: got"),
        (("replay", "{}", "--delay", "-1"), "error: expected a delay from 0 to 3600 seconds: got"),
        (
            ("circuit", "{}", "--at", "0", "--pane", "inspect", "-o", "a.svg"),
            "error: expected a match with a step to look into: its record is empty\n",
        ),
    ],
)
def test_what_goes_wrong_is_one_line(
    arguments: tuple[str, ...], why: str, saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([a.replace("{}", saved) for a in arguments]) == 2
    err = capsys.readouterr().err
    assert err.startswith(why)
    assert err.count("\n") == 1


def test_a_file_that_is_no_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "other.json"
    file.write_text(json.dumps({"a": 1}))
    assert main(["show", str(file)]) == 2
    assert capsys.readouterr().err == (
        "error: expected a saved match: the JSON has no field 'qgames'\n"
    )


def run(*arguments: str, **how: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "qgames", *arguments]
    return subprocess.run(command, check=False, cwd=ROOT, stderr=subprocess.PIPE, **how)


def test_a_reader_that_has_seen_enough_is_no_error(saved: str) -> None:
    script = f"{sys.executable} -m qgames replay {saved} --gates | head -1"
    done = subprocess.run(script, shell=True, cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.startswith(b"   0 deal")
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
def test_a_full_disk_is_one_line(saved: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = run("show", saved, stdout=full)
    assert done.stderr == b"error: cannot write: No space left on device\n"
    assert done.returncode == 2


def test_a_terminal_without_kets_shows_question_marks(saved: str) -> None:
    plain = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = run("replay", saved, stdout=subprocess.PIPE, env=plain)
    assert b"it is now |1?" in done.stdout
    assert done.stderr == b""


def test_before_the_opening(saved: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "show", saved, "--at", "0").startswith("QLANET: Before the opening.\n")
    assert told(capsys, "replay", saved, "--at", "0") == "Before the opening.\n"


def test_words_of_the_panel_stay_in_the_panel(
    tmp_path: Path, saved: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "slider" not in told(capsys, "replay", saved, "--gates")
    match = Match.from_json(Path(saved).read_text("utf-8"))
    match.play("resign")
    over = tmp_path / "over.json"
    over.write_text("\ufeff" + match.to_json(), "utf-8")  # as some editors write it
    assert told(capsys, "replay", str(over)).endswith("has resigned.\n")


def test_it_is_a_module_that_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "qgames", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for command in ("show", "replay", "circuit", "arena"):
        assert command in done.stdout
