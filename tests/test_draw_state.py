"""Amplitudes as text, and the state pane checked against the state itself."""

import re
from collections.abc import Sequence
from math import sqrt
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qgames import Match
from qgames.draw import kets, scene, state_caption, state_html
from qgames.draw.known import bond, factor, groups, traced
from qgames.i18n import percent
from qgames.quantum import Cluster, Vector
from tests.matches import practice

R2 = 1 / sqrt(2)
SVG = "{http://www.w3.org/2000/svg}"


def with_bits(register: str, bits: str, *moves: str) -> Match:
    """A practice match in which the last move measured ``bits``."""
    for seed in range(60):
        match = practice(seed, *moves)
        if match.record[-1].bits(register) == bits:
            return match
    raise AssertionError(f"no seed gives {register}={bits}")


def ket_vector(amplitudes: dict[str, complex]) -> Vector:
    """A vector from kets whose first digit is the first wire (the least significant one)."""
    wires = len(next(iter(amplitudes)))
    vector = np.zeros(2**wires, dtype=complex)
    for digits, amplitude in amplitudes.items():
        vector[int(digits[::-1], 2)] = amplitude
    return vector


# ---- numbers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1, "1"),
        (-1, "−1"),
        (1j, "i"),
        (-1j, "−i"),
        (0, "0"),
        (R2, "1/√2"),
        (-R2, "−1/√2"),
        (0.5, "1/2"),
        (-0.5, "−1/2"),
        (1j * R2, "i/√2"),
        (-0.5j, "−i/2"),
        (sqrt(3) / 2, "√3/2"),
        (1j * sqrt(3) / 2, "i√3/2"),
        (-1j * sqrt(3) / 2, "−i√3/2"),
        (1 / sqrt(8), "1/√8"),
        (sqrt(2 / 3), "√(2/3)"),
        (2 / sqrt(5), "2/√5"),
        (1j * 2 / 3, "i·2/3"),
        (0.5 + 0.5j, "(1+i)/2"),
        (0.5 - 0.5j, "(1−i)/2"),
        (-0.5 + 0.5j, "(−1+i)/2"),
        ((1 + 1j) / 4, "(1+i)/4"),
        ((1 + 1j) * R2, "(1+i)/√2"),
        (0.123, "0.123"),
        (-0.377, "−0.377"),
        (0.3 + 0.41j, "0.300+0.410i"),
        (-0.3 - 0.41j, "−0.300−0.410i"),
        (0.377j, "0.377i"),
        (-0.377j, "−0.377i"),
    ],
)
def test_amplitudes_as_text(value: complex, words: str) -> None:
    assert kets.amplitude_text(value) == words
    assert kets.signed(value) == (words if words[0] == "−" else f"+{words}")


def value_of(words: str) -> complex:
    """The number that a text of :func:`kets.amplitude_text` means."""
    text = words.replace("−", "-").replace("·", "*")
    text = re.sub(r"√\(([0-9/]+)\)", r"sqrt(\1)", text)
    text = re.sub(r"√(\d+)", r"sqrt(\1)", text)
    text = re.sub(r"i(?=sqrt)", "1j*", text)
    text = re.sub(r"([0-9.])i", r"\1j", text)
    text = re.sub(r"(?<![0-9a-z])i", "1j", text)
    return complex(eval(text, {"sqrt": sqrt, "__builtins__": {}}))  # noqa: S307 - our own text


@given(
    above=st.integers(0, 40),
    below=st.sampled_from((1, 2, 3, 4, 6, 8, 9, 12, 16, 24, 32, 64, 128)),
    turn=st.integers(0, 7),
)
def test_exact_text_means_the_amplitude(above: int, below: int, turn: int) -> None:
    size = sqrt(min(1, above / below))
    amplitude = size * complex(np.exp(1j * np.pi / 4 * turn))
    assert value_of(kets.amplitude_text(amplitude)) == pytest.approx(amplitude, abs=1e-6)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_any_amplitude_is_right_to_three_decimals(real: float, imag: float) -> None:
    assert abs(value_of(kets.amplitude_text(complex(real, imag))) - complex(real, imag)) < 1.1e-3


# ---- vectors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amplitudes", "name"),
    [
        ({"00": R2, "11": R2}, "P+"),
        ({"00": R2, "11": -R2}, "P−"),
        ({"01": R2, "10": R2}, "S+"),
        ({"01": R2, "10": -R2}, "S−"),
        ({"01": -R2, "10": R2}, "S−"),
        ({"01": 1j * R2, "10": -1j * R2}, "S−"),
        ({"00": 0.5, "01": 0.5, "10": 0.5, "11": -0.5}, ""),
        ({"00": 1}, ""),
        ({"000": R2, "111": R2}, ""),
    ],
)
def test_bell_states_are_recognised(amplitudes: dict[str, complex], name: str) -> None:
    assert kets.bell_name(ket_vector(amplitudes)) == name


@pytest.mark.parametrize(
    ("amplitudes", "words"),
    [
        ({"01": R2, "10": -R2}, "(|01⟩ − |10⟩)/√2"),
        ({"000": R2, "111": R2}, "(|000⟩ + |111⟩)/√2"),
        ({"00": 0.5, "01": 0.5, "10": 0.5, "11": -0.5}, "(|00⟩ + |01⟩ + |10⟩ − |11⟩)/2"),
        ({"00": sqrt(3) / 2, "11": 0.5}, "√3/2 |00⟩ + 1/2 |11⟩"),
        ({"00": R2, "11": 1j * R2}, "(|00⟩ + i |11⟩)/√2"),
        ({"00": R2, "11": -1j * R2}, "(|00⟩ − i |11⟩)/√2"),
        (
            {"001": 1 / sqrt(3), "010": 1 / sqrt(3), "100": 1 / sqrt(3)},
            "(|001⟩ + |010⟩ + |100⟩)/√3",
        ),
        ({"00": R2, "01": R2}, "|0+⟩"),
        ({"00": R2, "10": R2}, "|+0⟩"),
        ({"10": 1}, "|10⟩"),
    ],
)
def test_closed_forms(amplitudes: dict[str, complex], words: str) -> None:
    assert kets.closed_form(ket_vector(amplitudes)) == words


def test_a_long_sum_is_written_in_another_basis() -> None:
    """GHZ with H on two of its wires has eight kets; with + and - it has two again."""
    ghz = ket_vector({"0000": R2, "1111": R2})
    one, h = np.eye(2), np.array([[1, 1], [1, -1]]) * R2
    turned = np.kron(np.kron(h, one), np.kron(h, one)) @ ghz  # the last factor is wire 0
    assert np.count_nonzero(np.abs(turned) > 1e-9) == 8
    assert kets.closed_form(turned) == "(|0+0+⟩ + |1−1−⟩)/√2"


def test_terms_come_by_falling_probability_and_name_the_first_wire_first() -> None:
    vector = ket_vector({"10": 0.6, "01": -0.8})
    assert kets.terms(vector) == [("01", -0.8), ("10", 0.6)]


@given(st.integers(0, 2**32 - 1), st.sets(st.integers(0, 4), min_size=1, max_size=4))
def test_the_factor_of_a_product_is_found(seed: int, chosen: set[int]) -> None:
    rng = np.random.default_rng(seed)
    mine, rest = sorted(chosen), [n for n in range(5) if n not in chosen]

    def some(wires: Sequence[int]) -> Vector:
        vector = rng.normal(size=2 ** len(wires)) + 1j * rng.normal(size=2 ** len(wires))
        return vector / np.linalg.norm(vector)

    a, b = some(mine), some(rest)
    whole = np.zeros(32, dtype=complex)
    for index in range(32):
        i = sum((index >> w & 1) << n for n, w in enumerate(mine))
        j = sum((index >> w & 1) << n for n, w in enumerate(rest))
        whole[index] = a[i] * b[j]
    assert abs(np.vdot(factor(whole, mine), a)) == pytest.approx(1)


# ---- links --------------------------------------------------------------------------------------


def cluster(*histories: dict[str, complex]) -> Cluster:
    vectors = np.array([ket_vector(h) for h in histories])
    wires = tuple(range(vectors.shape[1].bit_length() - 1))
    return Cluster(wires, np.full(len(vectors), 1 / len(vectors)), vectors)


def test_entanglement_is_read_from_amplitudes_not_from_probabilities() -> None:
    """CZ on |++> has equal probabilities, as |++> has, and is entangled all the same."""
    plus = {"00": 0.5, "01": 0.5, "10": 0.5, "11": 0.5}
    cz = plus | {"11": -0.5}
    assert bond(cluster(cz, plus | {"00": -0.5})).parts == ((0, 1),)
    assert bond(cluster(plus, {"00": 1})).parts == ()


def test_links_that_hold_in_every_history_and_links_that_may_hold() -> None:
    bell, product = {"00": R2, "11": R2}, {"00": 1.0 + 0j}
    sure = bond(cluster(bell, {"01": R2, "10": R2}))
    assert (sure.parts, sure.loose, sure.maybe) == (((0, 1),), (), False)
    maybe = bond(cluster(bell, product))
    assert (maybe.parts, maybe.loose, maybe.maybe) == ((), (0, 1), True)
    never = bond(cluster(product, {"11": 1}))
    assert (never.parts, never.loose, never.maybe) == ((), (0, 1), False)


def test_two_pairs_that_are_only_correlated_stay_two_pairs() -> None:
    """What a player sees of entanglement swapped by the other one."""
    both = [
        {a + b: 0.5 * s * t for a, s in one.items() for b, t in two.items()}
        for one, two in (
            ({"00": 1, "11": 1}, {"00": 1, "11": 1}),
            ({"01": 1, "10": -1}, {"01": 1, "10": 1}),
        )
    ]
    found = bond(cluster(*both))
    assert (found.parts, found.maybe) == (((0, 1), (2, 3)), False)


def test_letters_stay_with_their_groups() -> None:
    match = practice(7, "bm 8 9", "bm 1 2", "sw 3 9", "m 3")
    letters = [
        {g.name: tuple(w + 1 for w in g.wires) for g in row} for row in traced(match.view(None))
    ]
    assert letters[2:] == [
        {"A": (8, 9)},
        {"A": (8, 9), "B": (1, 2)},
        {"A": (3, 8), "B": (1, 2)},
        {"B": (1, 2)},
    ]


# ---- the pane -----------------------------------------------------------------------------------


def rows_of(match: Match, seat: int | None) -> list[list[list[str]]]:
    """The tables of the pane: a list of rows of cells, group by group."""
    tree = ET.fromstring(f"<all>{state_html(match.view(seat), scene('qlanet'))}</all>")
    return [
        [["".join(td.itertext()) for td in tr.findall("td")] for tr in table.iter("tr")]
        for table in tree.iter("table")
    ]


def words_of(match: Match, seat: int | None) -> str:
    tree = ET.fromstring(f"<all>{state_html(match.view(seat), scene('qlanet'))}</all>")
    return " ".join(" ".join(tree.itertext()).split()).replace(" ,", ",")


@pytest.mark.parametrize(
    ("bits", "form", "second"),
    [
        ("00", "P+ = (|00⟩ + |11⟩)/√2", ["|11⟩", "", "+1/√2", "", "50 %"]),
        ("10", "P− = (|00⟩ − |11⟩)/√2", ["|11⟩", "", "−1/√2", "", "50 %"]),
        ("01", "S+ = (|01⟩ + |10⟩)/√2", ["|10⟩", "", "+1/√2", "", "50 %"]),
        ("11", "S− = (|01⟩ − |10⟩)/√2", ["|10⟩", "", "−1/√2", "", "50 %"]),
    ],
)
def test_a_known_bell_pair(bits: str, form: str, second: list[str]) -> None:
    match = with_bits("p0", bits, "bm 5 6")
    (table,) = rows_of(match, 0)
    assert len(table) == 2
    assert table[1] == second
    assert f"A planets 5 and 6 {form} fully entangled" in words_of(match, 0)


def test_a_hidden_bell_pair_shows_what_it_may_be() -> None:
    match = practice(7, "bm 6 9")
    assert rows_of(match, 1) == [
        [
            ["P− = (|00⟩ − |11⟩)/√2", "", "50 %"],
            ["S− = (|01⟩ − |10⟩)/√2", "", "50 %"],
        ]
    ]
    assert "A planets 6 and 9 entangled, in one of 2 states" in words_of(match, 1)


def test_a_hidden_pair_with_planet_5_may_be_any_of_four() -> None:
    match = practice(3, "bm 5 6")
    (table,) = rows_of(match, 1)
    assert [row[0][:2] for row in table] == ["P+", "P−", "S+", "S−"]
    assert {row[-1] for row in table} == {"25 %"}


def test_a_group_of_three_lists_its_kets() -> None:
    match = practice(7, "h 3", "h 4", "cx1 1 3", "cx1 1 4")  # 3 and 4 become 1: (|011> + |100>)
    (table,) = rows_of(match, 0)
    assert [row[0] for row in table] == ["|011⟩", "|100⟩"]
    assert "A planets 1, 3 and 4 (|011⟩ + |100⟩)/√2 fully entangled" in words_of(match, 0)


def test_at_most_eight_kets_are_listed_and_the_rest_is_counted() -> None:
    """A chain of CZ (H, CX, H) over five planets in + and - has all 32 kets, 1/32 each."""
    chain = [
        m for c, t in ((1, 2), (2, 3), (3, 4), (4, 6)) for m in (f"h {t}", f"cx1 {c} {t}", f"h {t}")
    ]
    match = practice(7, *chain)
    (table,) = rows_of(match, 0)
    assert len(table) == 9
    assert {row[-1] for row in table[:8]} == {"3.1 %"}
    assert table[8] == ["24 more, 75 %"]


def test_the_rest_of_possible_states_is_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qgames.draw.state.MOST", 1)
    (table,) = rows_of(practice(7, "bm 6 9"), 0)
    assert [row[-1] for row in table] == ["50 %", "1 more, 50 %"]
    (table,) = rows_of(practice(7, "bm 6 9"), 1)
    assert [row[-1] for row in table] == ["50 %", "1 more, 50 %"]


def test_the_kets_shown_are_the_state() -> None:
    """Amplitudes and digits of the pane rebuild the vector, planet by planet."""
    match = practice(5, "cx1 1 3", "h 3", "cx0 8 3", "z 1")
    view = match.view(0)
    for group, table in zip(groups(view), rows_of(match, 0), strict=True):
        shown = ket_vector({row[0].strip("|⟩"): value_of(row[2].lstrip("+")) for row in table})
        truth = match.position.state.vector(group.wires)
        assert abs(np.vdot(shown, truth)) == pytest.approx(1, abs=1e-6)
        for row in table:
            chance = abs(value_of(row[2].lstrip("+"))) ** 2
            assert row[-1] == percent(chance)


def tiles(match: Match, seat: int | None) -> list[list[str]]:
    tree = ET.fromstring(f"<all>{state_html(match.view(seat), scene('qlanet'))}</all>")
    return [
        [e.text or "" for e in tile.findall("span")]
        for tile in tree.iter("div")
        if tile.get("class") == "qg-tile"
    ]


def test_a_tile_for_each_planet() -> None:
    match = practice(7, "bm 6 9", "z 2", "h 2", "m 2", "z 4")
    assert tiles(match, 0) == [
        ["1", "|+⟩", "50 %"],
        ["2", "|1⟩", "fixed"],
        ["3", "|−⟩", "50 %"],
        ["4", "|+⟩", "50 %"],
        ["5", "?", "50 %"],
        ["6", "A", "50 %"],
        ["7", "|−⟩", "50 %"],
        ["8", "|+⟩", "50 %"],
        ["9", "A", "50 %"],
    ]
    assert [tile[1] for tile in tiles(match, 1)] == [
        "|+⟩", "|1⟩", "|−⟩", "|+⟩", "?", "?", "|−⟩", "|+⟩", "?"
    ]  # fmt: skip


def test_bus_lines_that_would_cross_stand_above_each_other() -> None:
    match = practice(7, "bm 1 4", "bm 2 8", "bm 6 9")
    text = state_html(match.view(None), scene("qlanet"))
    buses = re.findall(r'qg-bus qg-(g.)[^"]*" style="grid-column:(\d)/(\d+);grid-row:(\d)/', text)
    assert buses == [
        ("ga", "1", "5", "1"),
        ("gb", "2", "9", "2"),
        ("gc", "6", "10", "1"),
    ]


def test_the_caption_says_whose_knowledge_it_is() -> None:
    match, show = practice(7), scene("qlanet")
    assert state_caption(match.view(1), show) == "exact, as far as Player 1 can know it"
    assert state_caption(match.view(None), show) == "exact, as far as a spectator can know it"
