"""What stands under the state of QLANET: hidden planets with their odds, the viewer's codes."""

from __future__ import annotations

from qgames.draw import glyphs, kets
from qgames.draw.qlanet_words import player, typed
from qgames.draw.svg import escape, inline
from qgames.games.qlanet import KETS, PLANETS, QlanetView
from qgames.i18n import Html, _, fill, ngettext, percent


def facts(view: QlanetView) -> Html:
    """What a ``?`` may be, and the viewer's own Bell codes."""
    rows = "".join([*_hidden_facts(view), *_codes(view)])
    return Html(f'<div class="qg-facts">{rows}</div>' if rows else "")


def _hidden_facts(view: QlanetView) -> list[str]:
    """What each planet that shows ``?`` may be; groups of several planets stand above already."""
    rows = []
    for p in PLANETS:
        cluster = view.belief.cluster(p - 1)
        if view.symbol(p) == "?" and len(cluster.wires) == 1:
            rows.append(_hidden_fact(view, p))
    return rows


def _hidden_fact(view: QlanetView, planet: int) -> str:
    mark = inline(23, glyphs.unknown(11.5, 11.5, 9))
    odds = _symbol_odds(view, planet)
    if len(odds) == 1:
        symbol = next(iter(odds))
        words = _("{mark} <b>{planet}</b> is marked ?, but the record leaves only {symbol}")
        return f"<div>{fill(words, mark=mark, planet=planet, symbol=kets.ket(typed(symbol)))}</div>"
    both = all(planet in marks for marks in view.marks) or view.seat is None
    words = (
        _("{mark} <b>{planet}</b> is hidden from both players: one of")
        if both
        else _("{mark} <b>{planet}</b> is hidden from you: one of")
    )
    told = fill(words, mark=mark, planet=planet)
    if len({round(c, 6) for c in odds.values()}) == 1:
        each = escape(_("{chance} each").format(chance=percent(next(iter(odds.values())))))
        shown = f'<span class="qg-glyphs">{"".join(map(_disc, odds))}</span><span>{each}</span>'
    else:
        pairs = (f"{_disc(symbol)} {escape(percent(c))}" for symbol, c in odds.items())
        shown = "".join(f'<span class="qg-glyphs">{pair}</span>' for pair in pairs)
    return f"<div><span>{told}</span>{shown}</div>"


def _disc(symbol: str) -> Html:
    return inline(21, glyphs.planet(10.5, 10.5, 8, symbol), kets.ket(typed(symbol)))


def _symbol_odds(view: QlanetView, planet: int) -> dict[str, float]:
    """How likely each symbol of a planet is, in the order 0 1 + -."""
    cluster = view.belief.cluster(planet - 1)
    odds: dict[str, float] = {}
    for weight, vector in zip(cluster.weights, cluster.vectors, strict=True):
        symbol = kets.one_qubit(vector).replace("−", "-") or "E"
        odds[symbol] = odds.get(symbol, 0.0) + float(weight)
    return {s: odds[s] for s in (*KETS, "E") if s in odds}


def _codes(view: QlanetView) -> list[str]:
    """The viewer's own Bell measurements, newest last; earlier ones than three fold."""
    if not view.codes or view.seat is None:
        return []
    rows = []
    for code in view.codes:
        a, b = code.planets
        name = typed(code.bell)
        shown = fill('<span class="qg-ket">{kets}</span>', kets=kets.bell_sum(name))
        words = _("move {move}: {kets} on {a}, {b}")
        rows.append(fill(words, move=code.step, kets=shown, a=a, b=b))
    title = escape(_("Your Bell codes"))
    other = fill(_("{player} does not see them"), player=player(1 - view.seat))
    newest = "".join(f"<span>{row}</span>" for row in rows[-3:])
    out = [f'<div><b>{title}</b>{newest}<span class="qg-sub">{other}</span></div>']
    if len(rows) > 3:
        more = ngettext("{count} earlier code", "{count} earlier codes", len(rows) - 3)
        older = "".join(f"<div>{row}</div>" for row in rows[:-3])
        title = escape(more.format(count=len(rows) - 3))
        out.append(f"<details><summary>{title}</summary>{older}</details>")
    return out
