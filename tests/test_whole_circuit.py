"""A whole match as one circuit: everybody's tools take it, whatever the options."""

from itertools import product

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, qasm3
from scipy.stats import chisquare

from qgames import Match, QuantumState
from qgames.core import _share_bits
from qgames.quantum import outcome_text, sample

OPTIONS = [
    {"layout": layout, "first": first, "hands": hands}
    for layout, first, hands in product(("fixed", "random"), (0, "random"), ("any", "drawn"))
]


def played(**options) -> Match:
    """A short match with feed-forward, a Bell measurement and a fixed planet."""
    match = Match("qlanet", seed=7, **options)
    for verb in ("bm", "m", "h"):
        move = next((m for m in match.legal_moves if m.verb == verb), match.legal_moves[0])
        match.play(move)
    return match


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_aer_runs_it(options):
    """Aer 0.18 fails on feed-forward about qubits that nothing measures, unless they are kept."""
    circuit = played(**options).circuit()
    counts = sample(circuit, 50, seed=1)
    assert sum(counts.values()) == 50
    names = [f"{register.name}=" for register in circuit.cregs]
    assert all([word[: word.index("=") + 1] for word in text.split()] == names for text in counts)
    assert len(sample(circuit, 50, seed=1, memory=True)) == 50


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_qiskit_draws_and_exports_it(options):
    """The drawers look up the bits of feed-forward, which ``compose`` leaves under old names."""
    circuit = played(**options).circuit()
    drawn = str(circuit.draw("text", fold=-1))
    assert "If-0" in drawn
    assert "sealed_0" in drawn
    assert "if (sealed_0[0])" in qasm3.dumps(circuit)


def test_counts_follow_the_exact_odds():
    """A gate after the measurement of a wire, and feed-forward on one that is measured nowhere."""
    match = Match("qlanet", seed=7, hands="any")
    for move in ("bm 6 9", "h 9", "m 6"):
        match.play(move)
    circuit = match.circuit()
    exact = QuantumState.zeros(9).odds(circuit)
    counts = sample(circuit, 4000, seed=11)
    assert sum(counts.values()) == 4000
    expected = {outcome_text(outcome): 4000 * chance for outcome, chance in exact.items()}
    assert set(counts) <= set(expected)
    test = chisquare([counts.get(text, 0) for text in expected], list(expected.values()))
    assert test.pvalue > 1e-3


def test_nested_feed_forward_keeps_its_bits():
    inner = QuantumCircuit(QuantumRegister(2, "q"), ClassicalRegister(2, "old"))
    inner.h(0)
    inner.measure(0, 0)
    with inner.if_test((inner.clbits[0], 1)):
        inner.measure(1, 1)
        with inner.if_test((inner.clbits[1], 0)):
            inner.x(1)
    whole = QuantumCircuit(inner.qregs[0], ClassicalRegister(2, "new"))
    whole.compose(inner, whole.qubits, whole.clbits, inplace=True)
    _share_bits(whole)
    assert str(whole.draw("text", fold=-1)).count("If-") == 2
    assert set(sample(whole, 200, seed=3)) == {"new=00", "new=10"}
