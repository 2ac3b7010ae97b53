"""Pairs of The |Qubits> Wars: another deck order, other hands, missions and face-down noise.

What a seat may not know there is not the sealed bits alone (they deal its own hand too), so the
general `tests.secrets.twins` cannot vary them freely. Here each card is traced to its place in the
deck; what the seat has not seen is shuffled among the places that it has not seen, and the sealed
number that deals so is worked out backwards.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from qgames import Match, Step
from qgames.games import qubits_wars_cards as cards
from qgames.games.qubits_wars import HAND, QubitsWars, WarsPosition


def twins(match: Match, seat: int | None, most: int = 8, seed: int = 0) -> Iterator[Match]:
    """Up to ``most`` other matches that ``seat`` cannot tell from this one.

    None once a pile has been shuffled again: then places in the first deck say nothing more.
    """
    verbs = {step.move.verb for step in match.record}
    if verbs & {"reshuffle", "next-round"}:
        return
    trace = Trace(match)
    rng = Random(seed)
    own = match.to_json()
    for _ in range(most):
        text = json.dumps(json.loads(own) | {"record": trace.twisted(seat, rng)})
        twin = Match.from_json(text)
        if twin.position != match.position:
            yield twin


class Trace:
    """Which place of the dealt deck each hidden card came from."""

    def __init__(self, match: Match) -> None:
        game = match.game
        assert isinstance(game, QubitsWars)
        self.game, self.record = game, match.record
        self.tables = [_table(node.position) for node in match._path[1:]]
        self.sealed = match.record[0].bits("sealed") or ""
        bits = game._deck_bits
        self.order = cards.permuted(game.printed, cards.number_of(self.sealed[:bits]))
        eight = range(cards.MISSIONS_PER_MODE)
        self.missions = cards.permuted(eight, cards.number_of(self.sealed[bits:]))
        self.hands = [list(range(HAND * s, HAND * (s + 1))) for s in range(game.seats)]
        self.next = HAND * game.seats
        self.noises: dict[int, int] = {}
        """Place in the deck of each noise card played, by the step that played it."""
        for n, step in enumerate(match.record[1:], 1):
            self._follow(n, step, self.tables[n - 1], self.tables[n])

    def _follow(self, n: int, step: Step, before: WarsPosition, after: WarsPosition) -> None:
        assert step.seat is not None
        hand = self.hands[step.seat]
        spent = Counter(before.hands[step.seat]) - Counter(after.hands[step.seat])
        used = self.game._spent(step.move) if step.move.verb not in _NO_CARD else Counter()
        assert not spent - used
        for card in used.elements():
            place = next(p for p in hand if self.order[p] == card)
            hand.remove(place)
            if step.move.verb == "noise":
                self.noises[n] = place
        drawn = len(before.deck) - len(after.deck)
        self.hands[before.active] += range(self.next, self.next + drawn)
        self.next += drawn

    def twisted(self, seat: int | None, rng: Random) -> list[str]:
        """The record with everything changed that ``seat`` has not seen."""
        lines = [str(step) for step in self.record]
        order = list(self.order)
        hidden = [p for s, hand in enumerate(self.hands) if s != seat for p in hand]
        hidden += range(self.next, len(order))
        for n, place in self.noises.items():
            if self._unseen_noise(n, seat):
                self._other_noise(n, place, order, hidden, lines, rng)
        kinds = [order[p] for p in hidden]
        rng.shuffle(kinds)
        for p, kind in zip(hidden, kinds, strict=True):
            order[p] = kind
        bits = self.game._deck_bits
        deck = spelled(number_for(self.game.printed, order), bits)
        missions = self._other_missions(seat, rng)
        number = number_for(range(cards.MISSIONS_PER_MODE), missions)
        sealed = deck + spelled(number, len(self.sealed) - bits)
        words = lines[0].split()
        lines[0] = " ".join(f"sealed={sealed}" if w.startswith("sealed=") else w for w in words)
        return lines

    def _unseen_noise(self, n: int, seat: int | None) -> bool:
        """Whether the noise played at step ``n`` still lies there and seat has not seen it."""
        step, now = self.record[n], self.tables[-1]
        placed = [x for x in now.noises if x and x.owner == step.seat]
        same = [x for x in placed if x.kind == step.move.secret[0]]
        return len(same) == 1 and seat not in same[0].knowers and not same[0].revealed

    def _other_noise(
        self,
        n: int,
        place: int,
        order: list[str],
        hidden: Sequence[int],
        lines: list[str],
        rng: Random,
    ) -> None:
        """The card was another noise, and that one lies hidden somewhere instead."""
        spare = [p for p in hidden if order[p] in cards.NOISES and order[p] != order[place]]
        if spare:
            chosen = rng.choice(spare)
            order[place], order[chosen] = order[chosen], order[place]
            lines[n] = lines[n].partition(" (")[0] + f" ({order[place]})"

    def _other_missions(self, seat: int | None, rng: Random) -> list[int]:
        """The dealt missions with all those shuffled that ``seat`` has never looked at."""
        seen = {n for table in self.tables for n in self._looked_at(table, seat)}
        dealt = list(self.missions)
        free = [p for p, number in enumerate(dealt) if number not in seen]
        kinds = [dealt[p] for p in free]
        rng.shuffle(kinds)
        for p, kind in zip(free, kinds, strict=True):
            dealt[p] = kind
        return dealt

    def _looked_at(self, table: WarsPosition, seat: int | None) -> set[int]:
        known = self.game.known(table, seat, table.state)
        return {n for n in (*known.missions, *known.mission_deck) if n is not None}


_NO_CARD = (
    *("allow", "pass", "stop", "choose", "deal", "reveal", "record", "missions", "cnot-zone"),
    *("measure", "score"),
)


def _table(position: object) -> WarsPosition:
    assert isinstance(position, WarsPosition)
    return position


def number_for(printed: Sequence[object], order: Sequence[object]) -> int:
    """The number that makes `permuted` give this order: Fisher and Yates read backwards."""
    left, places = list(printed), []
    for card in order:
        places.append((left.index(card), len(left)))
        left[places[-1][0]], left[-1] = left[-1], left[places[-1][0]]
        left.pop()
    number = 0
    for place, size in reversed(places):
        number = number * size + place
    return number


def spelled(number: int, bits: int) -> str:
    """A number as measured bits, bit 0 first."""
    return format(number, f"0{bits}b")[::-1]
