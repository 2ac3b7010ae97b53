"""Look inside a move: :func:`qgames.inspect`, what else might have happened, and running it again.

Nothing here ever changes a match: it reads views and runs circuits of its own. What is shown is
what one seat may know, a spectator if nothing else is said; ``truth=True`` is for teachers and
shows all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from qiskit import QuantumCircuit

from qgames import draw
from qgames.core import (
    RESIGN,
    Branch,
    IllegalMoveError,
    Match,
    Move,
    Position,
    Step,
    View,
    checked_seed,
    readable,
)
from qgames.draw import inspector as pane
from qgames.draw.histogram import histogram_svg
from qgames.draw.known import opening
from qgames.draw.scene import Scene
from qgames.i18n import Html, _, fill, ngettext, percent
from qgames.quantum import UNREAD, Outcome, QuantumState, Stage, outcome_text, sample, without_dice
from qgames.walk import Walk

DRAWINGS = ("own", *pane.DRAWINGS)


class Inspector:
    """One step of a match taken apart: fragment, states, sentence; a slider in a notebook.

    ``source`` is a Match or a View, ``step`` counts the record from 0 (-1 is the last step). From a
    match, ``seat`` (None: a spectator) says whose knowledge is shown; ``truth=True`` shows all.
    ``dice=True`` walks through the dice that draw cards and the like, too.
    """

    def __init__(
        self,
        source: Match | View,
        step: int = -1,
        *,
        seat: int | None = None,
        truth: bool = False,
        dice: bool = False,
    ) -> None:
        if not isinstance(source, Match | View):
            raise ValueError(f"expected a match or a view to inspect: got {source!r}")
        if truth and seat is not None:
            raise ValueError(f"truth=True shows everything: expected no seat, got {seat!r}")
        if isinstance(source, View):
            view = source
        else:
            view = source.truth() if truth else source.view(seat)
        self.match = source if isinstance(source, Match) else None
        self.truth = truth
        self.walk = Walk(view, step, dice=dice)

    @property
    def view(self) -> View:
        """What the viewer knew when the inspector was opened."""
        return self.walk.view

    @property
    def scene(self) -> Scene:
        """The game's words and drawings."""
        return draw.scene(self.view.game.key)

    @property
    def step(self) -> Step:
        """The step, as far as the viewer may read it."""
        return self.walk.step

    @property
    def fragment(self) -> QuantumCircuit:
        """The step's circuit."""
        return self.walk.fragment

    @property
    def before(self) -> QuantumState:
        """The state of the game's wires before the step."""
        return self.walk.before

    @property
    def after(self) -> QuantumState:
        """The state of the game's wires after the step."""
        return self.walk.after

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The state before the fragment and after each instruction, with branch probabilities."""
        return self.walk.stages

    @property
    def sentence(self) -> str:
        """What the step did and who knows it, in plain words."""
        return pane.plain(pane.sentence(self.walk, self.scene))

    def words(self, at: int) -> str:
        """What the instruction before stage ``at`` did, in plain words."""
        return pane.plain(pane.stage_words(self.walk, self.scene, self._stage(at)))

    def drawing(self, kind: str = "own", at: int = 0) -> Html:
        """The fragment: ``"own"`` drawing, Qiskit's ``"text"`` or ``"mpl"`` (``qgames[lab]``)."""
        if kind not in DRAWINGS:
            raise ValueError(f"unknown drawing {kind!r}: expected one of {', '.join(DRAWINGS)}")
        if kind == "own":
            return pane.drawing(self.walk, self.scene, self._stage(at))
        return pane.qiskit_drawing(self.walk, kind)

    def what_if(self, move: Move | str) -> WhatIf:
        """All that ``move`` might have led to, played instead of this step."""
        return WhatIf(opening(self.view, self.walk.number), move)

    def rerun(self, shots: int = 1000, seed: int | None = None) -> Rerun:
        """The circuit of the match up to and with this step, run ``shots`` times on Aer."""
        if self.match is None:
            raise ValueError("re-running needs the match: inspect(match) instead of a view")
        return Rerun(self.match, self.view, self.walk.number + 1, shots, seed)

    def page(self, at: int = 0) -> Html:
        """The whole pane as text of HTML, without a kernel or a slider."""
        body = pane.inspector_html(self.walk, self.scene, self._stage(at), self.truth)
        title = pane.heading(self.walk, self.scene)
        return _static(fill("<h3>{title}</h3>{body}", title=title, body=body))

    def __str__(self) -> str:
        return pane.text(self.walk, self.scene)

    def __repr__(self) -> str:
        step = f"step {self.walk.number} {str(self.step)!r}"
        return f"<Inspector: {step}, {len(self.walk)} instructions>"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """A slider where there is a notebook, else a static page."""
        try:
            from qgames.widget.inspector import InspectorWidget
        except ImportError:  # without qgames[lab]
            return {"text/plain": str(self), "text/html": self.page(len(self.walk))}
        return self._widget(InspectorWidget)._repr_mimebundle_(**kwargs)

    def _widget(self, kind: Any) -> Any:
        if not hasattr(self, "_shown"):
            self._shown = kind(self.walk, self.truth, self.page(len(self.walk)))
        return self._shown

    def _stage(self, at: int) -> int:
        if not _whole(at) or not 0 <= at <= len(self.walk):
            raise ValueError(f"expected a stage from 0 to {len(self.walk)}: got {at!r}")
        return at


# ---- what if? -----------------------------------------------------------------------------------


class WhatIf:
    """All outcomes of a move with their odds and the positions they lead to, likeliest first.

    As far as the viewer of ``view`` knows. Raises IllegalMoveError where the rules forbid the move.
    """

    def __init__(self, view: View, move: Move | str) -> None:
        chosen = view.game.normal(move if isinstance(move, Move) else Move.parse(move))
        legal = (*view.game.legal_moves(view.position), *view.game.unlisted(view.position))
        found = next((m for m in legal if m == chosen), None)
        if found is None:
            count = len(view.history)
            after = f"after {count} step{'s' * (count != 1)}"
            raise IllegalMoveError(
                f"illegal move {str(chosen)!r} {after}: {_why_not(view, chosen)}"
            )
        self.view, self.move = view, found

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """The outcomes; dice are left out."""
        return self.view.outlook(self.move)

    @property
    def odds(self) -> dict[str, float]:
        """The probability of each outcome by its text."""
        return {outcome_text(b.outcome): round(b.chance, 12) for b in self.branches}

    @property
    def positions(self) -> dict[str, Position]:
        """The position after each outcome."""
        return {outcome_text(b.outcome): b.position for b in self.branches}

    @property
    def _scene(self) -> Scene:
        return draw.scene(self.view.game.key)

    def boards(self) -> dict[str, str]:
        """SVG of the board after each outcome."""
        return {
            outcome_text(b.outcome): pane.board_after(self.view, self._scene, b, self.move)
            for b in self.branches
        }

    def __str__(self) -> str:
        rows = [
            f"  {text or _('certain')}: {percent(chance)}" for text, chance in self.odds.items()
        ]
        return "\n".join([f"{self.move}:", *rows])

    def _repr_html_(self) -> str:
        return _static(pane.what_if_html(self.view, self._scene, self.move, self.branches))


def what_if(source: Match | View, move: Move | str, seat: int | None = None) -> WhatIf:
    """What ``move`` may lead to now, as far as ``seat`` (None: the seat to move) knows."""
    if isinstance(source, Match):
        source = source.view(source.to_move if seat is None else seat)
    elif not isinstance(source, View):
        raise ValueError(f"expected a match or a view: got {source!r}")
    return WhatIf(source, move)


def _why_not(view: View, move: Move) -> str:
    if view.result is not None:
        return "the match is over"
    if view.to_move is None:
        return "the opening is still to be played"
    if move == RESIGN:
        return "it ends the match and runs no circuit, so there is nothing to foresee"
    return view.game.why_illegal(view.position, move)


# ---- run it again -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Again:
    """One step that measured something: how often the re-runs read the same."""

    step: int
    read: str
    share: float


class Rerun:
    """The circuit of a match's first ``steps`` steps, run again ``shots`` times on Aer.

    Registers that the viewer may not read are summed over, dice left out. ``counts`` are by text
    (``fixed_4=1``, the number is the step's), ``happened`` is what the match read.
    """

    def __init__(
        self, match: Match, view: View, steps: int, shots: int = 1000, seed: int | None = None
    ) -> None:
        if not _whole(shots) or not 1 <= shots <= MOST_SHOTS:
            raise ValueError(f"expected 1 to {MOST_SHOTS} shots: got {shots!r}")
        moves = [step.move.masked() for step in view.record[:steps]]
        if [step.move.masked() for step in match.record[:steps]] != moves:
            raise ValueError("the match was taken back since it was opened here: inspect it again")
        self.shots = shots
        self.view, self.steps = view, steps
        circuit = match.circuit(at=steps)
        self.registers = tuple(r.name for r in circuit.cregs if self._readable(r.name))
        counts = sample(circuit, shots, None if seed is None else checked_seed(seed) % 2**63)
        assert isinstance(counts, dict)
        self.counts = self._summed(counts)

    @cached_property
    def happened(self) -> str:
        """What the match read, in the same words as ``counts``."""
        return outcome_text(tuple(row for row in self._read() if row[0] in self.registers))

    @cached_property
    def chance(self) -> float:
        """The exact probability of what happened, from what the viewer knew step by step."""
        chance = 1.0
        for moment in self.view.history[: self.steps]:
            chance *= _chance(self.view, moment.before, moment.step)
        return chance

    @property
    def again(self) -> tuple[Again, ...]:
        """Step by step: how many of the re-runs read the same there, as a share."""
        found = []
        for name, bits in self._read():
            if name in self.registers:
                same = sum(n for key, n in self.counts.items() if f"{name}={bits}" in key.split())
                found.append(
                    Again(int(name.rpartition("_")[2]), f"{name}={bits}", same / self.shots)
                )
        return tuple(found)

    def picture(self) -> Html:
        """The histogram; what happened is marked."""
        shares = {key: count / self.shots for key, count in self.counts.items()}
        name = ngettext("{shots} run", "{shots} runs", self.shots).format(shots=self.shots)
        return histogram_svg({name: shares}, self.happened)

    def __str__(self) -> str:
        share = self.counts.get(self.happened, 0) / self.shots
        words = ngettext(
            "{shots} run: {share} read what happened; its exact chance is {chance}.",
            "{shots} runs: {share} read what happened; its exact chance is {chance}.",
            self.shots,
        )
        if not self.registers:
            words = ngettext(
                "{shots} run: nothing was measured that the viewer may read.",
                "{shots} runs: nothing was measured that the viewer may read.",
                self.shots,
            )
        return words.format(shots=self.shots, share=percent(share), chance=percent(self.chance))

    def _repr_html_(self) -> str:
        return _static(fill("<p>{said}</p>{picture}", said=str(self), picture=self.picture()))

    def _readable(self, register: str) -> bool:
        """Whether the viewer may read it, by the register's own name: the number is the step's."""
        name, _sep, step = register.rpartition("_")
        bits = self.view.record[int(step)].bits(name)
        return readable(name, self.view.seat) or (bits is not None and UNREAD not in bits)

    def _read(self) -> Outcome:
        """All that was read, registers named as in the whole circuit."""
        return tuple(
            (f"{name}_{number}", bits)
            for number, step in enumerate(self.view.record[: self.steps])
            for name, bits in step.outcome
        )

    def _summed(self, counts: Mapping[str, int]) -> dict[str, int]:
        summed: dict[str, int] = {}
        for key, count in counts.items():
            words = (w for w in key.split() if w.partition("=")[0] in self.registers)
            own = " ".join(words)
            summed[own] = summed.get(own, 0) + count
        return dict(sorted(summed.items(), key=lambda row: (-row[1], row[0])))


MOST_SHOTS = 1_000_000


def _chance(view: View, before: Position, step: Step) -> float:
    """The probability of what was read of a step, from what the viewer knew before it."""
    if not step.outcome:
        return 1.0
    fragment = without_dice(view.game.fragment(before, step.move))
    return sum(
        chance
        for outcome, chance in before.state.odds(fragment).items()
        if all(_fits(bits, step.bits(name) or "") for name, bits in outcome)
    )


def _fits(bits: str, read: str) -> bool:
    return all(b in (a, UNREAD) for a, b in zip(bits, read, strict=True))


def _whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def _static(body: Html) -> Html:
    """A piece of HTML in the panel's clothes."""
    return Html(
        f"<style>{draw.theme.css()}</style>"
        f'<section class="qg qg-static"><div class="qg-pane">{body}</div></section>'
    )
