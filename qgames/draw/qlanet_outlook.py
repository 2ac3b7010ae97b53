"""What a move of QLANET may lead to: consequences in words, and the line of costs."""

from __future__ import annotations

from qgames.core import Branch, Move, View
from qgames.draw import glyphs, kets
from qgames.draw.known import foreseen, group_of, groups, outlook
from qgames.draw.qlanet_board import form
from qgames.draw.qlanet_words import bell_read, own, player, position, rules_of, typed
from qgames.draw.svg import circle, escape, line, path, svg, text
from qgames.games.qlanet import ONE_PLANET, PLANETS, QlanetView
from qgames.i18n import Html, _, fill, listed


def consequence(view: View, branch: Branch, move: Move) -> Html:
    """What changes on the board, and what it is worth."""
    before, after = own(view), own(foreseen(view, branch, move))
    sentences = [
        *_measured(after, branch, move),
        *_bell_found(branch, move),
        *_links(before, after, move),
        *_becomes(before, after),
    ]
    return Html(" ".join(sentences) or escape(_nothing(move)))


def aftermath(view: View, move: Move) -> Html:
    """What the other player will not see, the cost, who moves next, and both totals on a line."""
    cost = rules_of(view).costs.get(move.verb)
    if cost is None or view.to_move is None:
        return Html("")
    hidden = "".join(f"<p>{words}</p>" for words in _hidden(view, move))
    words = _cost_words(own(view), view.to_move, cost)
    drawing = _cost_line(position(view).totals, view.to_move, cost)
    caption = f'<div class="qg-cap" style="margin:0">{words}</div>'
    return Html(f'<div class="qg-after">{hidden}{caption}{drawing}</div>')


def _measured(after: QlanetView, branch: Branch, move: Move) -> list[Html]:
    if move.verb != "m":
        return []
    bit = int(dict(branch.outcome)["fixed"])
    if after.seat is None:
        words = _("{planet} is fixed <b>{bit}</b>.")
    elif bit == after.seat:
        words = _("{planet} is fixed <b>{bit}</b>, yours for good.")
    else:
        words = _("{planet} is fixed <b>{bit}</b>, lost for good.")
    return [fill(words, planet=move.args[0], bit=bit), *_decides(after)]


def _decides(after: QlanetView) -> list[Html]:
    result = after.result
    if result is None:
        return []
    if result.winner is None:
        return [Html(_("The match is drawn."))]
    if result.winner == after.seat:
        return [Html(_("<b>You win.</b>"))]
    return [fill(_("<b>{player} wins.</b>"), player=player(result.winner))]


def _bell_found(branch: Branch, move: Move) -> list[Html]:
    if move.verb != "bm":
        return []
    name = bell_read(next(bits for register, bits in branch.outcome if register[0] == "p"))
    shown = fill('<span class="qg-ket">{kets}</span>', kets=kets.bell_sum(name))
    words = _("<b>{bell}</b>: {planets} are {kets}.")
    return [fill(words, bell=name, planets=listed(move.args), kets=shown)]


def _links(before: QlanetView, after: QlanetView, move: Move) -> list[Html]:
    """Groups that come into being or change their state, but for a pair just measured."""
    told = []
    for found in groups(after):
        planets = [w + 1 for w in found.wires]
        if move.verb == "bm" and tuple(planets) == move.args:
            continue
        if any(after.symbol(p) == "E" for p in planets):
            words = _link_words(before, after, planets)
            name = kets.bell_name(found.cluster.vectors[0]) if found.cluster.is_pure else ""
            told += [fill(words, planets=listed(planets), bell=name)] if words else []
    return told


def _link_words(before: QlanetView, after: QlanetView, planets: list[int]) -> str:
    """What to say about a group afterwards; empty if it is as it was."""
    now, was = group_of(after, planets[0] - 1), group_of(before, planets[0] - 1)
    assert now is not None
    named = now.cluster.is_pure and kets.bell_name(now.cluster.vectors[0])
    if was is None or was.wires != now.wires:
        return _("{planets} are entangled: {bell}.") if named else _("{planets} are entangled.")
    if form(before, planets[0]) == form(after, planets[0]):
        return ""
    return _("{planets} are now {bell}.") if named else _("The state of {planets} changes.")


def _becomes(before: QlanetView, after: QlanetView) -> list[Html]:
    """Planets that have a state of their own afterwards, or are no longer known."""
    told = []
    for p in PLANETS:
        old, new = before.symbol(p), after.symbol(p)
        if old == new or new.endswith("!") or new == "E":
            continue
        if new == "?":
            words = _("{planet} becomes <b>?</b> to you.")
        elif old == "E":
            words = _("{planet} becomes {symbol}, no longer entangled.")
        else:
            words = _("{planet} becomes {symbol}.")
        told.append(fill(words, planet=p, symbol=typed(new)))
    return told


def _hidden(view: View, move: Move) -> list[Html]:
    """What the other player cannot see afterwards; marks are public, so all outcomes agree."""
    if view.seat is None or move.verb in ONE_PLANET:
        return []
    after = own(foreseen(view, outlook(view, move)[0], move))
    hidden = [a for a in move.args if a in after.marks[1 - view.seat]]
    if not hidden:
        return []
    words = _("{player} will see <b>?</b> on {planets}.")
    return [fill(words, player=player(1 - view.seat), planets=listed(hidden))]


def _nothing(move: Move) -> str:
    if move.verb in ("draw", "redraw"):
        return _("New cards are drawn.")
    if move.verb == "resign":
        return _("The match is lost.")
    return _("Nothing changes on the board.")


def _cost_words(view: QlanetView, seat: int, cost: int) -> Html:
    totals = position(view).totals
    mine, other = totals[seat] + cost, totals[1 - seat]
    if mine > other:
        words = _(
            "<b>Cost</b> &#160;{old} + {cost} = {new}. {rival} has {other}, so {rival} moves next"
        )
    elif mine < other:
        words = _(
            "<b>Cost</b> &#160;{old} + {cost} = {new}. Still below {other}, so you move again"
        )
    else:
        words = _("<b>Cost</b> &#160;{old} + {cost} = {new}, a tie: so you move again")
    rival = player(1 - seat)
    return fill(words, old=totals[seat], cost=cost, new=mine, rival=rival, other=other)


def _cost_line(totals: tuple[int, int], seat: int, cost: int) -> Html:
    """Both totals on a line, and where the mover's would go."""
    after, y = totals[seat] + cost, 24.0
    low, step, ticks = _scale(min(totals), max(*totals, after))
    pitch = 336 / (ticks + 0.8) / step
    here, other, there = (12 + pitch * (n - low) for n in (totals[seat], totals[1 - seat], after))
    parts = [line(12, y, 348, y, "line", 3, 'stroke-linecap="round"')]
    for n in range(low, low + step * ticks + 1, step):
        x = 12 + pitch * (n - low)
        parts += [line(x, 19, x, 29, "edge", 1), text(x, 47, n, 12, 400, "ink2")]
    dashes = 'stroke-dasharray="3 3"'
    parts.append(path(f"M{here:.1f} {y}H{there:.1f}", "none", f"s{seat}", 2, dashes))
    if abs(here - other) < 17:  # too near for two marks: side by side
        middle, left = (here + other) / 2, -9 if (here, seat) <= (other, 1 - seat) else 9
        here, other = middle + left, middle - left
    if abs(there - other) >= 10:
        parts.append(_ghost_mark(there, y, seat))
    parts.append(glyphs.seat_mark(other, y, 8.5, 1 - seat, digit=True))
    parts.append(glyphs.seat_mark(here, y, 8.5, seat, digit=True))
    if abs(there - other) < 10:
        parts.append(_ghost_mark(there, y - 16, seat))
    told = _("Cost: {mine} now, {after} after this move; the other player has {other}")
    words = told.format(mine=totals[seat], after=after, other=totals[1 - seat])
    return svg(360, 50, "".join(parts), words)


def _scale(least: int, most: int) -> tuple[int, int, int]:
    """Start, step and number of steps (five at most) of an axis from ``least`` to ``most``."""
    low = 0 if most <= 25 else 5 * (max(0, least - 2) // 5)
    step = next(s for s in (5, 10, 20, 50, 100, 500, 2000) if most - low <= 5 * s)
    return low, step, max(4, -(-(most - low) // step))


def _ghost_mark(x: float, y: float, seat: int) -> str:
    dashed = 'stroke-dasharray="3 2"'
    if seat == 0:
        mark = circle(x, y, 8.5, "bg", "s0", 1.5, dashed)
    else:
        d = f"M{x:.1f} {y - 10}L{x + 10:.1f} {y}L{x:.1f} {y + 10}L{x - 10:.1f} {y}Z"
        mark = path(d, "bg", "s1", 1.5, dashed)
    return mark + text(x, y + 4.2, seat, 12, 650, f"s{seat}i")
