"""Amplitudes and vectors as exact text: ``1/√2``, ``−i√3/2``, ``(|01⟩ − |10⟩)/√2``.

A ket's first digit is the first wire of its group, as in the games; bit 0 of a vector's index is
that wire.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import gcd, isqrt, sqrt

import numpy as np

from qgames.quantum import Vector

DENOMINATORS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 18, 20, 24, 25, 32, 36, 48, 64, 128, 256)
EXACT = 1e-7
SMALLEST = 1e-9
"""Probabilities below this are not listed."""
BELL = {"P+": (1, 0, 0, 1), "P−": (1, 0, 0, -1), "S+": (0, 1, 1, 0), "S−": (0, 1, -1, 0)}
ONE_QUBIT = {
    "0": (1, 0),
    "1": (0, 1),
    "+": (1, 1),
    "−": (1, -1),
    "+i": (1, 1j),
    "−i": (1, -1j),
}


def ket(digits: str) -> str:
    """``|01⟩``."""
    return f"|{digits}⟩"


def digits(index: int, wires: int) -> str:
    """The digits of a basis state, first wire first."""
    return f"{index:0{wires}b}"[::-1] if wires else ""


@lru_cache(maxsize=4096)
def root(square: float) -> str | None:
    """The square root of a simple fraction as text; None when ``square`` is none."""
    for below in DENOMINATORS:
        above = round(square * below)
        if above and abs(square - above / below) < EXACT:
            return _root(above // gcd(above, below), below // gcd(above, below))
    return None


def _root(above: int, below: int) -> str:
    top, bottom = isqrt(above), isqrt(below)
    whole_top, whole_bottom = top * top == above, bottom * bottom == below
    if not whole_top and not whole_bottom:
        return f"√({above}/{below})"
    upper = str(top) if whole_top else f"√{above}"
    lower = str(bottom) if whole_bottom else f"√{below}"
    return upper if below == 1 else f"{upper}/{lower}"


def amplitude_text(value: complex) -> str:
    """A number as exact text where it is simple, else with three decimals; no leading ``+``."""
    a = complex(value)
    if abs(a) < sqrt(SMALLEST):
        return "0"
    for unit, name in ((1, ""), (-1, "−"), (1j, "i"), (-1j, "−i")):
        turned = a / unit
        if abs(turned.imag) < EXACT and turned.real > 0:
            return _with_unit(root(round(turned.real**2, 12)), name) or _decimal(a)
    size = root(round(a.real**2, 12)) if abs(abs(a.real) - abs(a.imag)) < EXACT else None
    if size is None:
        return _decimal(a)
    inner = f"({'−' if a.real < 0 else ''}1{'−' if a.imag < 0 else '+'}i)"
    if size.startswith("1/"):
        return inner + size[1:]
    return inner if size == "1" else f"{inner}·{size}"


def _with_unit(size: str | None, unit: str) -> str | None:
    if size is None:
        return None
    if not unit.endswith("i"):
        return unit + size
    if size == "1":
        return unit
    if size.startswith("1/"):
        return unit + size[1:]
    return unit + size if size.startswith("√") else f"{unit}·{size}"


def _decimal(a: complex) -> str:
    real, imag = f"{abs(a.real):.3f}", f"{abs(a.imag):.3f}"
    minus, plus = ("−" if a.real < 0 else ""), ("−" if a.imag < 0 else "+")
    if abs(a.imag) < 5e-4:
        return minus + real
    if abs(a.real) < 5e-4:
        return f"{plus.replace('+', '')}{imag}i"
    return f"{minus}{real}{plus}{imag}i"


def signed(value: complex) -> str:
    """An amplitude with its sign always written, so that a column of them lines up."""
    words = amplitude_text(value)
    return words if words.startswith("−") else f"+{words}"


def terms(vector: Vector) -> list[tuple[str, complex]]:
    """(digits, amplitude) of a vector by falling probability, then by ket."""
    wires = len(vector).bit_length() - 1
    found = [
        (digits(int(n), wires), complex(vector[n]))
        for n in np.flatnonzero(np.abs(vector) ** 2 > SMALLEST)
    ]
    return sorted(found, key=lambda term: (-round(abs(term[1]) ** 2, 9), term[0]))


def bell_name(vector: Vector) -> str:
    """``P+ P− S+ S−`` for the Bell states of two wires, else empty."""
    if len(vector) != 4:
        return ""
    for name, (a, b, c, d) in BELL.items():
        # index 1 is digit 1 on the first wire: |10>
        if abs(np.vdot(np.array([a, c, b, d]) / sqrt(2), vector)) > 1 - EXACT:
            return name
    return ""


def bell_sum(name: str) -> str:
    """The two kets of a Bell state without the root: ``|01⟩ − |10⟩``."""
    return {"P+": "|00⟩ + |11⟩", "P−": "|00⟩ − |11⟩", "S+": "|01⟩ + |10⟩", "S−": "|01⟩ − |10⟩"}[
        name
    ]


def one_qubit(vector: Vector) -> str:
    """``0 1 + − +i −i`` if a qubit is in that state, else empty."""
    for name, pair in ONE_QUBIT.items():
        wanted = np.array(pair) / np.linalg.norm(pair)
        if abs(np.vdot(wanted, vector)) > 1 - EXACT:
            return name
    return ""


def closed_form(vector: Vector, most: int = 4) -> str:
    """A vector as one line of text; empty when it takes more than ``most`` kets.

    Equal sizes are taken out: ``(|000⟩ + |111⟩)/√2``. A product of one-qubit states is written as
    such: ``|0+⟩``; and where that makes the sum short, a wire's digits are ``+`` and ``−``.
    """
    return _closed_form(np.asarray(vector, dtype=np.complex128).tobytes(), most)


@lru_cache(maxsize=256)
def _closed_form(data: bytes, most: int) -> str:
    vector = np.frombuffer(data, dtype=np.complex128)
    simple = _product(vector)
    if simple:
        return ket(simple)
    found = sorted(terms(vector))
    if len(found) > most:
        found = _shorter(vector)
    return _terms_text(found) if len(found) <= most else ""


def _terms_text(found: list[tuple[str, complex]]) -> str:
    sizes = {round(abs(a), 7) for _, a in found}
    size = root(round(sizes.pop() ** 2, 12)) if len(sizes) == 1 else None
    if size is None or not size.startswith("1/"):
        return _sum((amplitude_text(a), ket(d)) for d, a in found)
    scale = 1 / abs(found[0][1])
    whole = _sum((amplitude_text(a * scale), ket(d)) for d, a in found)
    return f"({whole}){size[1:]}"


def _shorter(vector: Vector) -> list[tuple[str, complex]]:
    """The terms of a vector with some wires in the basis + and −, chosen to have fewest terms.

    Row n of the table has H on the wires whose bits are set in n. Only the first wires are tried,
    so that the table stays below 2**16 amplitudes, a millisecond's work.
    """
    wires = len(vector).bit_length() - 1
    turned = vector[np.newaxis]
    for place in range(min(wires, 6, max(16 - wires, 0))):
        turned = np.concatenate([turned, _turned(turned, place)])
    lengths = np.count_nonzero(np.abs(turned) ** 2 > SMALLEST, axis=1)
    chosen = min(range(len(turned)), key=lambda n: (lengths[n], n.bit_count()))
    signs = {"0": "+", "1": "−"}
    return [
        ("".join(signs[d] if chosen >> n & 1 else d for n, d in enumerate(word)), a)
        for word, a in sorted(terms(turned[chosen]))
    ]


def _turned(vectors: Vector, place: int) -> Vector:
    """H on one wire of each row."""
    split = vectors.reshape(len(vectors), -1, 2, 2**place)
    zero, one = split[:, :, 0], split[:, :, 1]
    return (np.stack([zero + one, zero - one], axis=2) / sqrt(2)).reshape(vectors.shape)


def _product(vector: Vector) -> str:
    """The symbols of a product of simple one-qubit states, first wire first; empty otherwise."""
    symbols = []
    rest = vector
    while len(rest) > 1:
        table = rest.reshape(-1, 2)
        row = table[np.argmax(np.einsum("ri,ri->r", table, table.conj()).real)]
        mine = row / np.linalg.norm(row)
        symbol = one_qubit(mine)
        others = table @ mine.conj()
        if len(symbol) != 1 or np.abs(table - np.outer(others, mine)).max() > EXACT:
            return ""
        symbols.append(symbol)
        rest = others
    return "".join(symbols)


def _sum(parts: Iterable[tuple[str, str]]) -> str:
    words = ""
    for factor, name in parts:
        minus = factor.startswith("−") and ("+" not in factor)
        size = factor[1:] if minus else factor
        size = f"({size})" if "+" in size and not size.startswith("(") else size
        term = name if size == "1" else f"{size} {name}"
        if not words:
            words = f"−{term}" if minus else term
        else:
            words += f" {'−' if minus else '+'} {term}"
    return words


def phase_fixed(vector: Vector, wires: Sequence[int]) -> Vector:
    """The vector with its first ket's amplitude, in the games' order, real and positive."""
    there = np.flatnonzero(np.abs(vector) > EXACT)
    lead = complex(vector[min(there, key=lambda n: digits(int(n), len(wires)))])
    return vector * (abs(lead) / lead)
