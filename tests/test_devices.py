"""Matches and circuits on devices: Aer, snapshots with noise, samplers, and what cannot run."""

import json
import sys
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np
import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import Clbit, Parameter, Qubit
from qiskit.primitives import BackendSamplerV2, StatevectorSampler
from qiskit.providers import BackendV2
from qiskit.providers.fake_provider import GenericBackendV2

from qgames import GAMES, Match, QuantumState, devices
from qgames.devices import DeviceError
from qgames.players import player
from tests.matches import played

pytestmark = pytest.mark.filterwarnings("default::DeprecationWarning", "default::UserWarning")
every_game = pytest.mark.parametrize("key", GAMES)


def bell_pair() -> QuantumCircuit:
    qc = QuantumCircuit(2, 2, name="bell")
    qc.h(0)
    qc.cx(0, 1)
    qc.measure([0, 1], [0, 1])
    return qc


def fed_forward() -> QuantumCircuit:
    """Teleportation's heart: one qubit is measured, another is flipped if it read 1."""
    qc = QuantumCircuit(2, 2)
    qc.h(0)
    qc.measure(0, 0)
    with qc.if_test((qc.clbits[0], 1)):
        qc.x(1)
    qc.measure(1, 1)
    return qc


@pytest.fixture(scope="module")
def montreal() -> BackendV2:
    return devices.fake("fake_montreal")


# ---- the two that must be shown ------------------------------------------------------------------


def test_a_bell_pair_on_27_qubits(montreal: BackendV2) -> None:
    assert montreal.num_qubits == 27
    ideal = devices.run(bell_pair(), shots=4000, seed=1)
    assert ideal.distance < ideal.sampling_error
    noisy = devices.run(bell_pair(), montreal, shots=4000, seed=1)
    assert (noisy.device, noisy.shots, noisy.exact) == ("fake_montreal", 4000, True)
    assert noisy.ideal == pytest.approx({"c=00": 0.5, "c=11": 0.5})
    assert set(noisy.counts) == {"c=00", "c=01", "c=10", "c=11"}
    assert noisy.two_qubit_gates == noisy.written_two_qubit_gates == 1
    assert (noisy.depth, noisy.written_depth) == (5, 3)
    wrong = (noisy.counts["c=01"] + noisy.counts["c=10"]) / 4000
    assert wrong <= noisy.distance + 1e-9
    assert 0.005 < noisy.distance < 0.2
    assert "<svg" in noisy.picture()
    assert "distance" in noisy._repr_html_()


def test_a_finished_match_of_qlanet_on_27_qubits(montreal: BackendV2) -> None:
    match, choose = Match("qlanet", seed=1), player("greedy", "qlanet")
    while match.to_move is not None:
        match.play(choose(match.view(match.to_move), match.rng()))
    assert match.result is not None
    assert match.result.reason == "three in a row"
    text = match.to_json()
    ideal = devices.run(match, shots=2000, seed=2)
    assert ideal.exact
    assert ideal.distance < ideal.sampling_error
    noisy = devices.run(match, montreal, shots=150, seed=2)
    assert sum(noisy.counts.values()) == 150
    assert noisy.distance > 0
    assert noisy.depth > noisy.written_depth
    assert noisy.circuit.num_qubits == 27
    assert noisy.circuit.count_ops()["if_else"] == 2
    assert (
        "fake_montreal has no feed-forward of its own: Aer, with its noise, does it." in noisy.notes
    )
    assert match.to_json() == text


# ---- the numbers ---------------------------------------------------------------------------------


def test_the_distance_by_hand() -> None:
    assert devices.distance({"a": 60, "b": 40}, {"a": 0.5, "b": 0.5}) == pytest.approx(0.1)
    assert devices.distance({"c": 10}, {"a": 0.5, "b": 0.5}) == pytest.approx(1)
    assert devices.distance({"a": 1, "b": 1}, {"a": 0.5, "b": 0.5}) == 0


@pytest.mark.parametrize("p", [0.5, 0.1, 0.013])
def test_the_mean_deviation_of_a_binomial(p: float) -> None:
    n = 60
    exact = sum(comb(n, k) * p**k * (1 - p) ** (n - k) * abs(k / n - p) for k in range(n + 1))
    assert devices._deviation(p, n) == pytest.approx(exact, rel=1e-9)


def test_perfect_shots_stay_below_the_sampling_error() -> None:
    """Numpy throws the shots here: 400 perfect devices, of which none may be farther."""
    rng = np.random.default_rng(7)
    shares = {"a": 0.5, "b": 0.3, "c": 0.15, "d": 0.05}
    bound = devices.sampling_error(shares, 500)
    thrown = rng.multinomial(500, list(shares.values()), size=400)
    rows = (dict(zip(shares, map(int, row), strict=True)) for row in thrown)
    found = [devices.distance(row, shares) for row in rows]
    assert max(found) < bound
    mean = sum(devices._deviation(p, 500) for p in shares.values()) / 2
    assert np.mean(found) == pytest.approx(mean, rel=0.1)
    assert bound < 5 * mean


@every_game
def test_exact_shares_of_a_match_are_those_of_its_steps(key: str) -> None:
    """The chance of the recorded outcome, step by step from the truth, is in the table."""
    match = played(key, 6, 7)
    circuit = match.circuit()
    names = tuple(r.name for r in circuit.cregs)
    if not names or sum(r.size for r in circuit.cregs) > 10:
        return
    shares = devices.exact_shares(circuit, names)
    assert shares is not None
    assert sum(shares.values()) == pytest.approx(1)
    read = {f"{n}_{k}": b for k, step in enumerate(match.record) for n, b in step.outcome}
    own = " ".join(f"{name}={read[name]}" for name in names)
    chance, state = 1.0, QuantumState.zeros(match.game.wires.size)
    for fragment in devices._fragments(circuit):
        outcome = tuple((r.name, read[r.name]) for r in fragment.cregs)
        chance *= state.odds(fragment).get(outcome, 0.0)
        state = state.follow(fragment, outcome)
    assert shares[own] == pytest.approx(chance)


def test_exact_shares_in_one_piece_and_step_by_step_agree() -> None:
    match = Match("qlanet", seed=7, hands="any")
    for move in ("bm 6 9", "cx1 6 5", "m 6", "m 5"):
        match.play(move)
    whole = QuantumState.zeros(9).odds(match.circuit(), ["fixed_3", "fixed_4"])
    assert len(list(devices._fragments(match.circuit()))) == 5
    shares = devices.exact_shares(match.circuit(), ("fixed_3", "fixed_4"))
    assert shares == pytest.approx(
        {" ".join(f"{n}={b}" for n, b in k): p for k, p in whole.items()}
    )


def test_what_is_too_large_to_be_exact_is_sampled() -> None:
    qc = QuantumCircuit(1, 14)
    for n in range(14):
        qc.h(0)
        qc.measure(0, n)
    report = devices.run(qc, shots=500, seed=3)
    assert not report.exact
    assert "The ideal was sampled on Aer: it is too large to be exact." in report.notes
    assert report.distance < report.sampling_error


def test_the_last_bits_are_compared_and_the_report_says_so() -> None:
    match = Match("qlanet", seed=7, hands="any")
    for move in ("bm 1 2", "bm 3 4", "bm 6 7", "bm 8 9", "m 1"):
        match.play(move)
    report = devices.run(match, shots=200, seed=1)
    assert {w.partition("=")[0] for key in report.counts for w in key.split()} == {
        *("p1_2", "p0_3", "p1_4", "fixed_5")
    } or "Compared are" in report.notes[0]
    assert "the last of 6" in report.notes[0]
    chosen = devices.run(match, shots=200, seed=1, registers=["fixed_5"])
    assert set(chosen.counts) == {"fixed_5=0", "fixed_5=1"}
    assert chosen.notes == ()
    with pytest.raises(
        DeviceError, match=r"^unknown register 'fixed': expected some of sealed_0, p0_1"
    ):
        devices.run(match, registers=["fixed"])


def test_the_same_seed_gives_the_same_counts() -> None:
    one, two = (devices.run(bell_pair(), shots=300, seed=5).counts for _ in range(2))
    assert one == two


# ---- feed-forward and measurements in the middle -------------------------------------------------


def test_feed_forward_is_kept_where_the_device_can() -> None:
    able = GenericBackendV2(5, seed=1, control_flow=True)
    report = devices.run(fed_forward(), able, shots=300, seed=1)
    assert report.circuit.count_ops()["if_else"] == 1
    assert report.notes == ()
    assert report.counts["c=00"] + report.counts["c=11"] > 250


def test_feed_forward_becomes_controls_where_the_device_cannot(montreal: BackendV2) -> None:
    sampler = BackendSamplerV2(backend=montreal)
    report = devices.run(fed_forward(), sampler, shots=300, seed=1)
    assert "if_else" not in report.circuit.count_ops()
    assert report.notes == (
        "fake_montreal has no feed-forward: controlled gates, with the same odds, replace it.",
    )
    assert report.counts["c=00"] + report.counts["c=11"] > 250


def test_controls_have_the_same_odds_as_feed_forward() -> None:
    match = Match("qlanet", seed=3, layout="random", hands="any")
    match.play("m 5")
    circuit = match.circuit()
    plain = devices.without_feed_forward(circuit)
    assert devices.feeds_forward(circuit)
    assert not devices.feeds_forward(plain)
    names = ["layout_0", "fixed_1"]
    assert QuantumState.zeros(9).odds(plain, names) == pytest.approx(
        QuantumState.zeros(9).odds(circuit, names)
    )


def test_feed_forward_that_cannot_be_replaced_is_one_clear_sentence() -> None:
    qc = QuantumCircuit(QuantumRegister(1, "q"), ClassicalRegister(2, "c"))
    qc.h(0)
    qc.measure(0, 0)
    with qc.if_test((qc.clbits[0], 1)):
        qc.x(0)
    qc.measure(0, 1)
    why = (
        r"^this device has no feed-forward, and a gate that waits for a measured bit cannot be"
        r" written without: its qubits are used again\. Choose a device with dynamic circuits, or"
        r" Aer$"
    )
    with pytest.raises(DeviceError, match=why):
        devices.without_feed_forward(qc)


def test_a_sampler_that_can_neither_says_so() -> None:
    fine = devices.run(bell_pair(), StatevectorSampler(seed=1), shots=300)
    assert fine.device == "StatevectorSampler"
    assert fine.distance < fine.sampling_error
    with pytest.raises(
        DeviceError,
        match=r"^StatevectorSampler could not run it: the circuit feeds forward, and it said",
    ):
        devices.run(fed_forward(), StatevectorSampler(seed=1))
    midway = QuantumCircuit(1, 2)
    midway.measure(0, 0)
    midway.h(0)
    midway.measure(0, 1)
    with pytest.raises(
        DeviceError, match="could not run it: the circuit measures in the middle, and it said"
    ):
        devices.run(midway, StatevectorSampler(seed=1))


# ---- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: devices.run("qlanet"), "expected a match or a circuit to run: got 'qlanet'"),
        (lambda: devices.run(QuantumCircuit(1)), "nothing is measured in this circuit"),
        (lambda: devices.run(bell_pair(), shots=0), "expected 1 to 1000000 shots: got 0"),
        (lambda: devices.run(bell_pair(), shots=True), "expected 1 to 1000000 shots: got True"),
        (lambda: devices.run(bell_pair(), 3), "expected a Qiskit BackendV2 or SamplerV2"),
        (lambda: devices.run(bell_pair(), "fake_atlantis"), "unknown snapshot 'fake_atlantis'"),
        (
            lambda: devices.run(Match("qlanet", seed=1), GenericBackendV2(5, seed=1)),
            "generic_backend_5q has 5 qubits: this circuit needs 11",
        ),
    ],
)
def test_what_cannot_be_run(call, why: str) -> None:
    with pytest.raises(DeviceError, match=why):
        call()


def test_without_the_extra_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "qiskit_ibm_runtime", None)
    why = r"^snapshots of devices need qiskit-ibm-runtime: pip install 'qgames\[hardware\]'$"
    with pytest.raises(DeviceError, match=why):
        devices.run(bell_pair(), "fake_montreal")


def test_every_snapshot_has_a_name() -> None:
    names = devices.fakes()
    assert {"fake_montreal", "fake_toronto", "fake_sherbrooke"} <= set(names)


def test_nothing_is_loaded_from_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No account, no network: opening a socket would raise."""
    import socket

    def closed(*_args: object, **_more: object) -> None:
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(socket.socket, "connect", closed)
    monkeypatch.setattr(socket, "create_connection", closed)
    devices.run(bell_pair(), shots=50, seed=1)
    devices.run(bell_pair(), "fake_manila", shots=50, seed=1)


# ---- progress ------------------------------------------------------------------------------------


def test_the_bar_moves_forward_and_ends_full() -> None:
    seen: list[tuple[float, str]] = []
    backend = GenericBackendV2(3, seed=1)
    devices.run(bell_pair(), backend, shots=50, seed=1, progress=lambda *row: seen.append(row))
    shares = [share for share, _ in seen]
    assert all(a <= b + 1e-9 for a, b in pairwise(shares))
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert any("of 50 shots on generic_backend_3q" in words for _, words in seen)
    assert json.dumps([words for _, words in seen])


def test_no_bar_goes_into_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    devices.run(bell_pair(), shots=10, seed=1)
    assert capsys.readouterr().out == ""


def test_the_bar_in_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    devices._bar(0.5, "half")
    devices._bar(1.0, "done")
    out = capsys.readouterr().out
    assert "\r[##########..........] 50 %  half" in out
    assert out.endswith("\n")


# ---- circuits of other people --------------------------------------------------------------------


def test_a_condition_is_never_about_a_qubit_that_feed_forward_changed() -> None:
    """Qubit 1 read 0 and was flipped since: controls on it would say 1."""
    qc = QuantumCircuit(3, 3)
    qc.x(0)
    qc.measure([0, 1], [0, 1])
    with qc.if_test((qc.clbits[0], 1)):
        qc.x(1)
    with qc.if_test((qc.clbits[1], 1)):
        qc.x(2)
    qc.measure(2, 2)
    assert devices.exact_shares(qc, ["c"]) == {"c=100": 1.0}
    with pytest.raises(DeviceError, match="its qubits are used again"):
        devices.without_feed_forward(qc)


def test_a_register_on_both_sides_of_a_barrier_is_one_outcome() -> None:
    qc = QuantumCircuit(3, 3)
    qc.h(0)
    qc.cx(0, 1)
    qc.cx(1, 2)
    qc.barrier()
    qc.measure(0, 0)
    qc.barrier()
    qc.measure([1, 2], [1, 2])
    report = devices.run(qc, shots=400, seed=2)
    assert report.exact
    assert report.ideal == pytest.approx({"c=000": 0.5, "c=111": 0.5})
    assert report.distance < report.sampling_error


def test_a_perfect_device_never_promises_more_than_there_is() -> None:
    report = devices.run(bell_pair(), shots=1, seed=1)
    assert report.sampling_error == 1.0
    assert "1 shot:" in str(report)
    assert devices.sampling_error({"c=0": 0.5, "c=1": 0.5}, 100_000) < 0.01


def test_what_cannot_be_followed_exactly_is_sampled_on_aer() -> None:
    qc = QuantumCircuit(2, 1)
    qc.initialize([1, 0, 0, 1], [0, 1], normalize=True)
    qc.barrier()
    qc.measure(0, 0)
    report = devices.run(qc, shots=400, seed=1)
    assert not report.exact
    assert report.distance < report.sampling_error
    loop = QuantumCircuit(1, 1)
    with loop.for_loop(range(3)):
        loop.x(0)
        loop.measure(0, 0)
    assert devices.run(loop, shots=20, seed=1).counts == {"c=1": 20}


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"seed": -1}, "expected a seed that is a whole number from 0 up: got -1"),
        ({"seed": "a"}, "expected a seed that is a whole number from 0 up: got 'a'"),
        ({"seed": 1.5}, "expected a seed that is a whole number from 0 up: got 1.5"),
        ({"registers": 3}, "expected a list of registers to compare: got 3"),
        ({"registers": []}, r"expected a list of registers to compare: got \[\]"),
        ({"progress": 3}, "expected progress=True, False or a function: got 3"),
    ],
)
def test_arguments_that_make_no_sense(how: dict[str, Any], why: str) -> None:
    with pytest.raises(DeviceError, match=f"^{why}$"):
        devices.run(bell_pair(), shots=10, **how)
    assert devices.run(bell_pair(), shots=10, seed=2**70).shots == 10


def test_circuits_that_cannot_be_compared_say_why() -> None:
    named = QuantumCircuit(QuantumRegister(1, "q"), ClassicalRegister(1, "a b"))
    named.measure(0, 0)
    loose = QuantumCircuit([Qubit()], [Clbit()])
    loose.measure(0, 0)
    open_angle = QuantumCircuit(1, 1)
    open_angle.rx(Parameter("angle"), 0)
    open_angle.measure(0, 0)
    for circuit, why in (
        (named, "expected registers whose names are one word without '=': got 'a b'"),
        (loose, "expected a circuit whose qubits and bits all stand in registers"),
        (open_angle, "expected a circuit whose parameters have values: angle have none"),
    ):
        with pytest.raises(DeviceError, match=f"^{why}$"):
            devices.run(circuit)


def test_each_snapshot_is_listed_under_its_own_name() -> None:
    assert "fake_fractional" in devices.fakes()
    assert devices.fake("fake_fractional").name == "fake_fractional"
