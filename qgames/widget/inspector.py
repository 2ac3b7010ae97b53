"""The pane "Inspect": a slider through the instructions of one step, in the panel or alone."""

from __future__ import annotations

import pathlib
from typing import Any

import anywidget
import traitlets

from qgames import draw
from qgames.draw import inspector as drawn
from qgames.draw.scene import Scene
from qgames.i18n import Html, _, fill
from qgames.walk import Walk
from qgames.widget.icons import icon

HERE = pathlib.Path(__file__).parent
NEAR = 24
"""Stages on either side that are sent with one: a move has rarely more instructions than that."""


class Inside:
    """Where one looks inside a step: the stage of the slider, and Qiskit's drawing if asked for."""

    def __init__(self, truth: bool = False) -> None:
        self.truth = truth
        self.walk: Walk | None = None
        self.stage = 0
        self.near = range(1)
        """The stages that the browser gets, to slide through them by itself."""
        self.kind = ""

    def enter(self, walk: Walk) -> None:
        """Look at another step, at its end."""
        self.walk, self.kind = walk, ""
        self._go(len(walk))

    def turn(self, value: str) -> bool:
        """Go to a stage; whether the pane must be drawn again, for the browser lacks that stage."""
        if not value.isdecimal() or self.walk is None:
            return False
        stage = min(int(value), len(self.walk))
        if stage in self.near:
            self.stage = stage
            return False
        self._go(stage)
        return True

    def _go(self, stage: int) -> None:
        assert self.walk is not None
        self.stage = stage
        self.near = range(max(stage - NEAR, 0), min(stage + NEAR, len(self.walk)) + 1)

    def show(self, kind: str) -> None:
        """Qiskit's drawing of one kind, or none; what is no kind changes nothing."""
        if kind in ("", *drawn.DRAWINGS):
            self.kind = "" if kind == self.kind else kind

    def html(self, scene: Scene, close: str = "") -> str:
        """The pane: what the step is, the slider, what it shows; three parts for the browser."""
        walk = self.walk
        if walk is None:
            return f'<div class="qg-ph"><h3>{_("Inspect")}</h3>{close}</div>'
        title = fill("{title}", title=drawn.heading(walk, scene))
        head = (
            f'<div><div class="qg-ph qg-mid"><h3>{title}</h3><span class="qg-sp"></span>'
            f"{self._drawings()}{close}</div>"
            f'<p class="qg-says">{drawn.sentence(walk, scene)}</p>'
            f"{drawn.drawing(walk, scene, self.stage, self.near)}{self._qiskit(walk)}</div>"
        )
        stage = drawn.stage_html(walk, scene, self.stage, self.truth, self.near)
        return f'{head}{self._slider(walk)}<div class="qg-inspect">{stage}</div>'

    def _slider(self, walk: Walk) -> str:
        count = len(walk)
        return (
            '<div class="qg-walk"><input type="range" class="qg-range" data-action="stage" min="0"'
            f' max="{max(count, 1)}" value="{self.stage}" step="1" aria-label="{_("Instructions")}"'
            f' aria-valuetext="{drawn.reached(walk, self.stage)}"'
            f' style="--qg-ticks:{max(count, 1)}"'
            f"{'' if count else ' disabled'}></div>"
        )

    def _drawings(self) -> str:
        names = {"mpl": _("Qiskit drawing"), "text": _("as text")}
        return "".join(
            f'<button type="button" class="qg-btn" data-action="qiskit" data-value="{kind}"'
            f' aria-pressed="{str(kind == self.kind).lower()}">{words}</button>'
            for kind, words in names.items()
        )

    def _qiskit(self, walk: Walk) -> Html:
        return drawn.qiskit_drawing(walk, self.kind) if self.kind else Html("")


class InspectorWidget(anywidget.AnyWidget):
    """The inspector of one step, alone in a cell; buttons go to the steps beside it."""

    _esm = HERE / "panel.js"
    _css = draw.theme.css() + (HERE / "panel.css").read_text(encoding="utf-8")
    frame = traitlets.Unicode().tag(sync=True)
    inspect = traitlets.Unicode().tag(sync=True)

    def __init__(self, walk: Walk, truth: bool = False, page: str = "") -> None:
        self.inside = Inside(truth)
        self.inside.enter(walk)
        self.scene = draw.scene(walk.view.game.key)
        self._page = page
        label = fill(_("Inside a move of {game}"), game=walk.view.game.title)
        super().__init__(
            frame=f'<section class="qg" aria-label="{label}" tabindex="-1">'
            '<div data-pane="inspect" class="qg-pane"></div></section>'
        )
        self.on_msg(lambda _widget, content, _buffers: self.receive(content))
        self.paint()

    def paint(self) -> None:
        """Draw the pane again."""
        self.inspect = self.inside.html(self.scene, self._ways())

    def receive(self, content: dict[str, Any]) -> None:
        """Carry out one message of the browser."""
        action, value = str(content.get("action")), str(content.get("value", ""))
        if action == "stage" and not self.inside.turn(value):
            return
        if action == "step" and value.isdecimal():
            self.go(int(value))
        elif action == "qiskit":
            self.inside.show(value)
        self.paint()

    def go(self, number: int) -> None:
        """Look at another step of the record."""
        assert self.inside.walk is not None
        view, dice = self.inside.walk.view, self.inside.walk.dice
        self.inside.enter(Walk(view, min(max(number, 0), len(view.history) - 1), dice=dice))

    def _ways(self) -> str:
        """Buttons to the step before and the step after."""
        assert self.inside.walk is not None
        number, last = self.inside.walk.number, len(self.inside.walk.view.history) - 1
        ways = (
            ("back", _("One move back"), number - 1),
            ("forward", _("One move forward"), number + 1),
        )
        return "".join(
            f'<button type="button" class="qg-ib" data-action="step" data-value="{to}"'
            f' aria-label="{words}"{"" if 0 <= to <= last else " disabled"}>{icon(name)}</button>'
            for name, words, to in ways
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget, and a static page where there is no kernel."""
        bundle = super()._repr_mimebundle_(**kwargs)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        if data is not None and self._page:
            data["text/html"] = self._page
        return bundle
