"""Elements of SVG as text; small pure functions that know no game.

Colours are the tokens of ``theme.py``, written ``var(--qg-ink)``; a parameter ``hue`` is a token's
name. All text goes through :func:`escape`.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape as _escape

from qgames.i18n import Html


def escape(value: object) -> str:
    """``value`` as text that is safe in HTML, SVG and their attributes."""
    return _escape(str(value))


@lru_cache(maxsize=8192)
def num(value: float) -> str:
    """A coordinate with at most two decimals and no trailing zeros."""
    text = f"{value:.2f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def var(token: str) -> str:
    """The value of a token; ``none`` and CSS keywords pass."""
    return token if token in ("none", "currentColor", "transparent") else f"var(--qg-{token})"


def circle(
    x: float,
    y: float,
    r: float,
    fill: str = "none",
    stroke: str = "none",
    width: float = 1.5,
    more: str = "",
) -> str:
    """A circle; ``more`` is further attributes."""
    line = f' stroke="{var(stroke)}" stroke-width="{num(width)}"' if stroke != "none" else ""
    extra = f" {more}" if more else ""
    return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}" fill="{var(fill)}"{line}{extra}/>'


def rect(
    x: float,
    y: float,
    width: float,
    height: float,
    radius: float = 0,
    fill: str = "none",
    stroke: str = "none",
    line: float = 1.0,
    more: str = "",
) -> str:
    """A rectangle with rounded corners."""
    edge = f' stroke="{var(stroke)}" stroke-width="{num(line)}"' if stroke != "none" else ""
    extra = f" {more}" if more else ""
    return (
        f'<rect x="{num(x)}" y="{num(y)}" width="{num(width)}" height="{num(height)}"'
        f' rx="{num(radius)}" fill="{var(fill)}"{edge}{extra}/>'
    )


def path(
    d: str, fill: str = "none", stroke: str = "none", width: float = 1.5, more: str = ""
) -> str:
    """A path; ``d`` is written by the caller."""
    line = f' stroke="{var(stroke)}" stroke-width="{num(width)}"' if stroke != "none" else ""
    extra = f" {more}" if more else ""
    return f'<path d="{d}" fill="{var(fill)}"{line}{extra}/>'


def line(
    x1: float, y1: float, x2: float, y2: float, stroke: str, width: float = 1.5, more: str = ""
) -> str:
    """A straight line."""
    extra = f" {more}" if more else ""
    return (
        f'<line x1="{num(x1)}" y1="{num(y1)}" x2="{num(x2)}" y2="{num(y2)}"'
        f' stroke="{var(stroke)}" stroke-width="{num(width)}"{extra}/>'
    )


def text(
    x: float,
    y: float,
    words: object,
    size: float = 12,
    weight: int = 400,
    fill: str = "ink",
    anchor: str = "middle",
    more: str = "",
) -> str:
    """A line of text, escaped, with its baseline at ``y``."""
    extra = f" {more}" if more else ""
    return (
        f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}" font-weight="{weight}"'
        f' fill="{var(fill)}" text-anchor="{anchor}"{extra}>{escape(words)}</text>'
    )


def group(body: str, more: str = "") -> str:
    """Elements that belong together."""
    return f"<g {more}>{body}</g>" if more else f"<g>{body}</g>"


def svg(
    width: float, height: float, body: str, label: str = "", more: str = "", role: str = "img"
) -> Html:
    """A whole drawing; without a label it is decoration, hidden from screen readers."""
    told = f'role="{role}" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    extra = f" {more}" if more else ""
    return Html(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{num(width)}" height="{num(height)}"'
        f' viewBox="0 0 {num(width)} {num(height)}" {told}{extra}>{body}</svg>'
    )


def inline(size: float, body: str, label: str = "") -> Html:
    """A square drawing that stands in a line of text."""
    return svg(size, size, body, label, 'class="qg-i"')


def text_width(words: str, size: float = 12) -> float:
    """A generous estimate in pixels, for the widest usual font."""
    narrow = sum(c in "il,.:;|' ·" for c in words)
    return size * (0.36 * narrow + 0.68 * (len(words) - narrow))
