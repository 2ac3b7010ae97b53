"""Histograms of outcomes as SVG: one row an outcome, one bar a series; no matplotlib."""

from __future__ import annotations

from collections.abc import Mapping

from qgames.draw.svg import circle, rect, svg, text, text_width
from qgames.i18n import Html, _, ngettext, percent

MOST = 12
"""Outcomes that get a row of their own; the others share the last row."""
ROW, BAR, TRACK = 30.0, 10.0, 260.0
LONGEST = 44
"""Characters of an outcome that are shown."""


def histogram_svg(
    series: Mapping[str, Mapping[str, float]], marked: str | None = None, most: int = MOST
) -> Html:
    """Shares of outcomes, ``series`` by name; ``marked`` is the outcome that happened.

    The first series is drawn hollow and the second filled, so that they differ without colour.
    Outcomes are listed by falling share in the first series; ``marked`` is always among them.
    """
    shown = _chosen(series, marked, most)
    rows = [
        (outcome, [shares.get(outcome, 0.0) for shares in series.values()]) for outcome in shown
    ]
    rest = [1.0 - sum(row[1][n] for row in rows) for n in range(len(series))]
    left = {outcome for shares in series.values() for outcome in shares} - set(shown)
    if left:
        words = ngettext("{count} other", "{count} others", len(left)).format(count=len(left))
        rows.append((words, [max(0.0, share) for share in rest]))
    names = [outcome_label(outcome) for outcome, _shares in rows]
    start = max((text_width(name) for name in names), default=0.0) + 24
    largest = max((share for _name, shares in rows for share in shares), default=1.0) or 1.0
    top = 26.0
    body = _legend(list(series), start)
    for n, (outcome, shares) in enumerate(rows):
        y = top + ROW * n
        body += text(
            start - 10, y + 17, names[n], 12, 650 if outcome == marked else 400, anchor="end"
        )
        if outcome == marked:
            body += circle(8, y + 13, 4.5, "mark", "markline", 1.2)
        body += _bars(start, y, shares, largest)
    told = _("Histogram: {rows}").format(
        rows="; ".join(
            f"{name} {percent(shares[-1])}" for name, (_o, shares) in zip(names, rows, strict=True)
        )
    )
    height = top + ROW * len(rows) + 4
    return svg(start + TRACK + 60, height, body, told, 'class="qg-histogram"')


def outcome_label(outcome: str) -> str:
    """An outcome short enough for a row."""
    words = outcome or _("nothing measured")
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"


def _chosen(series: Mapping[str, Mapping[str, float]], marked: str | None, most: int) -> list[str]:
    first = next(iter(series.values()), {})
    everything = {outcome for shares in series.values() for outcome in shares}
    ranked = sorted(everything, key=lambda outcome: (-first.get(outcome, 0.0), outcome))
    shown = ranked[:most]
    if marked is not None and marked not in shown:
        shown = [*shown[: most - 1], marked]
    return shown


def _legend(names: list[str], start: float) -> str:
    out, x = "", start
    for n, name in enumerate(names):
        out += _bar(x, 6, 18, n) + text(x + 24, 15, name, 12, 400, "ink2", "start")
        x += 40 + text_width(name)
    return out


def _bars(start: float, y: float, shares: list[float], largest: float) -> str:
    out = ""
    for n, share in enumerate(shares):
        wide = TRACK * share / largest
        high = y + 2 + n * (BAR + 2) + (BAR / 2 + 1 if len(shares) == 1 else 0)
        out += _bar(start, high, max(wide, 1.0), n)
        out += text(start + wide + 6, high + 9, percent(share), 12, 400, anchor="start")
    return out


def _bar(x: float, y: float, width: float, number: int) -> str:
    if number == 0:
        return rect(x + 0.75, y + 0.75, max(width - 1.5, 0.5), BAR - 1.5, 2, "bg", "edge", 1.5)
    return rect(x, y, width, BAR, 2, "ga")
