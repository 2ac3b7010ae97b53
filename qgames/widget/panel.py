"""The match panel: turns clicks and keys into moves, and views into panes; it knows no rules.

One anywidget holds every pane as text of HTML, so that a click changes a few texts in one
message, and nothing is rebuilt in the browser but the panes that differ. Each pane is drawn from
the view of the seat that looks; no trait ever holds what that seat may not know.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from qgames import draw
from qgames.choice import Choice, Square
from qgames.core import Match, Move, SaveError, View
from qgames.draw.known import remembered
from qgames.draw.scene import Look
from qgames.i18n import _
from qgames.players import HINTS, player, players_of
from qgames.widget import panes
from qgames.widget.inspector import Inside

HERE = Path(__file__).parent
PEOPLE = ("person", "practice")
"""Not computers: two people with a curtain between their turns, or one who plays every side."""
ROOM = 574
"""Pixels for the circuit in the widest panel; the browser says how many there really are."""
PACE = 0.45  # seconds between a computer's moves: long enough to see what changed


class MatchWidget(anywidget.AnyWidget):
    """A match to click through; ``match`` is the :class:`qgames.Match` behind it.

    ``players`` names who sits on each seat: ``"person"``, ``"practice"`` or a computer player.
    Every click ends in one method here (``choose``, ``take``, ``play``, ``undo``, ``seek``, ...),
    and tests call those directly.
    """

    _esm = HERE / "panel.js"
    _css = draw.theme.css() + (HERE / "panel.css").read_text(encoding="utf-8")
    frame = traitlets.Unicode().tag(sync=True)
    header = traitlets.Unicode().tag(sync=True)
    menu = traitlets.Unicode().tag(sync=True)
    bar = traitlets.Unicode().tag(sync=True)
    board = traitlets.Unicode().tag(sync=True)
    hand = traitlets.Unicode().tag(sync=True)
    odds = traitlets.Unicode().tag(sync=True)
    circuit = traitlets.Unicode().tag(sync=True)
    state = traitlets.Unicode().tag(sync=True)
    slider = traitlets.Unicode().tag(sync=True)
    moves = traitlets.Unicode().tag(sync=True)
    inspect = traitlets.Unicode().tag(sync=True)
    curtain = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        match: Match,
        players: Sequence[str],
        seat: int = 0,
        pace: float = PACE,
        at: int | None = None,
    ) -> None:
        self.match = match
        self.players = _checked_players(players, match)
        self.pace = pace
        self.scene = draw.scene(match.game.key)
        self.seat: int | None = seat
        self.at = None if at == len(match.record) else at
        self.choice = Choice()
        self.slot: int | None = None
        self.refused: Square | None = None
        self.error: str = ""
        self.ghost: int | None = None
        self.menu_open = False
        self.hints = False
        self.form: dict[str, Any] = {}
        self.handing_to: int | None = None
        self.inside: Inside | None = None
        self.room = ROOM
        self._task: asyncio.Task[None] | None = None
        self._painted = False
        """Whether all that the message at hand changed is drawn already."""
        super().__init__(frame=panes.frame(match.game, self.scene))
        self.on_msg(lambda _widget, content, _buffers: self.receive(content))
        self._settle()

    # ---- what the panel shows ----------------------------------------------------------------

    @property
    def view(self) -> View:
        """The view that is on screen: the looking seat's, now or back in the record."""
        seat = None if self.handing_to is not None else self.seat
        return self.match.view(seat, self.at)

    @property
    def live(self) -> bool:
        """Whether the present is shown, not an earlier step."""
        return self.at is None

    @property
    def thinking(self) -> bool:
        """Whether a computer is to move."""
        seat = self.match.to_move
        return seat is not None and self.players[seat] not in PEOPLE

    @property
    def may_act(self) -> bool:
        """Whether the person who looks may choose a move now."""
        return (
            self.live
            and self.handing_to is None
            and self.match.to_move is not None
            and self.match.to_move == self.seat
            and not self.thinking
        )

    @property
    def move(self) -> Move | None:
        """The complete move, ready to be played."""
        return self.choice.move(self.view) if self.may_act else None

    def may_view(self, seat: int | None) -> bool:
        """Whether the person at the screen may look as ``seat``: never into a computer's hand."""
        if seat is None or self.match.result is not None or not self.match.game.secretive:
            return True
        return self.players[seat] in PEOPLE

    def look(self) -> Look:
        """How the view is looked at."""
        view = self.view
        move = self.move
        chosen = self.choice.verb is not None or (self.may_act and len(self._verbs()) == 1)
        ghost = self.ghost
        branches = view.outlook(move) if move and ghost is not None else ()
        return Look(
            choice=self.choice,
            slot=self.slot,
            targets=self.choice.targets(view) if self.may_act and chosen else frozenset(),
            move=move,
            ghost=branches[ghost] if ghost is not None and ghost < len(branches) else None,
            refused=self.refused,
            disabled=not self.may_act,
            values=self._values(view) if self.hints and self.may_act else {},
            names=tuple(panes.name_of(kind) for kind in self.players),
        )

    def _values(self, view: View) -> dict[Move, float]:
        return remembered(view, "values", lambda: HINTS[self.match.game.key](view))

    def _verbs(self) -> frozenset[tuple[str, tuple[str, ...]]]:
        return Choice().verbs(self.view)

    def paint(self) -> None:
        """Draw every pane; only those that differ reach the browser, in one message."""
        view, look = self.view, self.look()
        self._painted = True
        with self.hold_sync():
            self.header = panes.header(self)
            self.menu = panes.menu(self) if self.menu_open else ""
            self.bar = panes.bar(self, view, look)
            self.board = panes.board(self, view, look)
            self.hand = panes.hand(self, view, look)
            self.odds = panes.odds(self, view, look)
            self.circuit = panes.circuit(self, view, look)
            self.state = panes.state(self, view)
            self.slider = panes.slider(self)
            self.moves = panes.moves(self, view)
            self.inspect = panes.inspect(self, view)
            self.curtain = panes.curtain(self)

    # ---- what a person does ------------------------------------------------------------------

    def receive(self, content: dict[str, Any]) -> None:
        """Carry out one message of the browser; what goes wrong is said in the status line."""
        if content.get("action") == "stage" and self.inside is not None:
            if self.inside.turn(str(content.get("value", ""))):
                self.inspect = panes.inspect(self, self.view)  # the other panes stay as they are
            return
        if content.get("on") == "room":
            self.room = min(max(int(content.get("width", ROOM)), 240), 2000)
            self.circuit = panes.circuit(self, self.view, self.look())
            return
        self._painted = False
        try:
            self.error, self.refused = "", None
            self._carry_out(content)
        except ValueError as error:
            self.error, self._painted = str(error), False
        except Exception as error:  # a callback's exception would vanish: show it
            self.error, self._painted = (
                _("Something went wrong: {error}").format(error=error),
                False,
            )
            self.log.exception("in the match panel")
        if not self._painted:
            self.paint()

    def _carry_out(self, content: dict[str, Any]) -> None:
        kind = content.get("on")
        if kind == "hover":
            outcome = str(content.get("outcome") or "")
            self.ghost = int(outcome) if outcome.isdecimal() else None
        elif kind == "key":
            self.press(str(content.get("key")))
        elif kind == "load":
            self.load(str(content.get("text")))
        elif kind == "input":
            self._input(str(content.get("action")), str(content.get("value")))
        elif kind == "click":
            self._click(content)

    def _click(self, content: dict[str, Any]) -> None:
        if "square" in content:
            self.choose(_square(str(content["square"])))
        elif "verb" in content:
            slot = str(content.get("slot", ""))
            secret = tuple(str(content.get("secret") or "").split())
            self.take(str(content["verb"]), secret, int(slot) if slot.isdecimal() else None)
        elif "step" in content:
            self.seek(int(content["step"]))
        else:
            self._action(str(content.get("action")), str(content.get("value", "")))

    def _action(self, action: str, value: str) -> None:
        actions: dict[str, Callable[[], None]] = {
            "play": self.play,
            "undo": self.undo,
            "save": self.save,
            "menu": self.toggle_menu,
            "restart": self.restart,
            "start": self.start,
            "first": lambda: self.seek(self.match.fewest_steps),
            "back": lambda: self.seek(max(self.shown - 1, self.match.fewest_steps)),
            "forward": lambda: self.seek(self.shown + 1),
            "live": lambda: self.seek(len(self.match.record)),
            "reveal": self.reveal,
            "inspect": self.toggle_inspector,
            "view": lambda: self.look_as(int(value) if value.isdecimal() else None),
            "resign": lambda: self.play(Move("resign")),
            "hints": self.toggle_hints,
            "say": lambda: self.play(value),
        }
        if action in actions:
            actions[action]()
        elif action == "qiskit" and self.inside is not None:
            self.inside.show(value)

    def _input(self, action: str, value: str) -> None:
        if action == "seek" and value.isdecimal():
            self.seek(int(value))
        elif action.startswith("form:"):
            self.form[action.removeprefix("form:")] = value

    def press(self, key: str) -> None:
        """A key: a digit chooses a square, Escape clears one step."""
        if key == "Escape":
            if not self.live:
                self.seek(len(self.match.record))
            elif self.menu_open:
                self.menu_open = False
            else:
                self.choice, self.slot = self.choice.back(), None
        elif key.isdecimal():
            self.choose(int(key))

    def choose(self, square: Square) -> None:
        """Pick a square, or let go of the one picked last."""
        self._must_act()
        choice = self.choice.pick(self.view, square)
        if choice is None:
            self.refused = square  # the game's status says why
        else:
            self.choice = choice
            self.ghost = None

    def take(self, verb: str, secret: tuple[str, ...] = (), slot: int | None = None) -> None:
        """Take a card or a kind of move, or put it back."""
        self._must_act()
        again = (verb, secret) == (self.choice.verb, self.choice.secret)
        other_copy = again and slot is not None and slot != self.slot
        choice = self.choice if other_copy else self.choice.take(self.view, verb, secret)
        if choice is None:
            raise ValueError(self.scene.refusal(self.view, verb))
        self.choice, self.ghost = choice, None
        self.slot = slot if choice.verb is not None else None

    def play(self, move: Move | str | None = None) -> None:
        """Play the chosen move (or ``move``), then let computers answer."""
        self._must_act()
        chosen = move or self.move
        if chosen is None:
            raise ValueError(_("Choose a complete move first."))
        self.match.play(chosen)
        self._clear()
        self._settle()

    def undo(self) -> None:
        """Take back the last step, and with it a computer's answers to it."""
        self._stop_thinking()
        if not self.live:
            self.at = None
        if len(self.match.record) <= self.match.fewest_steps:
            raise ValueError(_("Nothing to undo: the match is at its start."))
        self.match.undo()
        while len(self.match.record) > self.match.fewest_steps and not self._settled_for_person():
            self.match.undo()
        self._clear()
        self._settle()

    def _settled_for_person(self) -> bool:
        return not self.thinking and not self._forced()

    def seek(self, step: int) -> None:
        """Show the position after ``step`` steps; the last one is the present."""
        count = len(self.match.record)
        step = min(max(step, self.match.fewest_steps), count)
        self.at = None if step == count else step
        self._clear()
        if self.live and self.thinking:  # a file that opened at an earlier step waited until now
            self._think()

    @property
    def shown(self) -> int:
        """How many steps have been made in the position on screen."""
        return len(self.match.record) if self.at is None else self.at

    def look_as(self, seat: int | None) -> None:
        """Look as another seat, or as a spectator; between two people the curtain falls first."""
        if not self.may_view(seat):
            name = self.scene.player(seat or 0)
            raise ValueError(
                _("What {player} knows is secret until the match is over.").format(player=name)
            )
        if seat is not None and seat != self.seat and self._curtained:
            self.handing_to = seat
        else:
            self.seat = seat
        self._clear()

    @property
    def _curtained(self) -> bool:
        """Whether people at this screen have secrets from each other."""
        people = self.players.count("person") > 1
        return people and self.match.game.secretive and self.match.result is None

    def reveal(self) -> None:
        """Lift the curtain: the next player is at the screen."""
        if self.handing_to is not None:
            self.seat, self.handing_to = self.handing_to, None

    def toggle_inspector(self) -> None:
        """Open or close the pane that takes the step on screen apart."""
        self.inside = Inside() if self.inside is None else None

    def toggle_hints(self) -> None:
        """Show what each move is worth, or stop showing it; for games that are solved."""
        self.hints = not self.hints and self.match.game.key in HINTS

    def toggle_menu(self) -> None:
        """Open or close the sheet with new match, rules and keys."""
        self.menu_open = not self.menu_open
        self.form = {}

    def restart(self) -> None:
        """A new match with the same settings and a new seed."""
        self._new(Match(type(self.match.game), **dict(self.match.game.option)), self.players)

    def start(self) -> None:
        """A new match with the settings of the form."""
        game = type(self.match.game)
        options = dict(self.match.game.option)
        for name, text in self.form.items():
            if name in game.options:
                options[name] = next(c for c in game.options[name].choices if str(c) == text)
        new = game(**options)
        kind = self.form.get("opponent", "")
        seated = seating(kind, self.seat or 0, new.seats) if kind else self.players
        self._new(Match(new), seated)

    def save(self) -> None:
        """Send the match to the browser as a file to keep."""
        name = f"{self.match.game.key}-{len(self.match.record)}.json"
        saved = json.loads(self.match.to_json()) | {
            "players": list(self.players),
            "seat": self.seat,
        }
        if self.at is not None:
            saved["at"] = self.at
        self.send({"download": name, "text": json.dumps(saved, indent=1, ensure_ascii=False)})

    def load(self, text: str) -> None:
        """Show a saved match; a text that is none changes nothing."""
        match = Match.from_json(text)
        if match.game.key != self.match.game.key:
            title = self.match.game.title
            raise SaveError(
                _("This panel plays {game}: the file holds a match of another game.").format(
                    game=title
                )
            )
        saved = _fields(text)
        at = _saved_step(saved, match)
        seated = saved.get("players")
        try:
            seated = _checked_players(seated, match) if seated else self.players
        except ValueError:
            seated = self.players
        self._new(match, seated if len(seated) == match.game.seats else self.players)
        if at is not None:
            self.seek(at)

    def _new(self, match: Match, seated: Sequence[str]) -> None:
        self._stop_thinking()
        self.match, self.players = match, _checked_players(seated, match)
        self.at, self.handing_to, self.menu_open = None, None, False
        if self.seat is not None and self.seat >= match.game.seats:
            self.seat = 0
        self._clear()
        self._settle()

    def _must_act(self) -> None:
        if self.may_act:
            return
        if self.match.result is not None:
            raise ValueError(_("The match is over. Press New for another one."))
        if not self.live:
            raise ValueError(_("You are looking back. Press Live to return."))
        raise ValueError(_("It is not your turn."))

    def _clear(self) -> None:
        self.choice, self.slot, self.ghost = Choice(), None, None
        self._painted = False

    # ---- whose turn it is --------------------------------------------------------------------

    def _settle(self) -> None:
        """Make steps that leave no choice, hand the turn over, and let computers move."""
        while self._forced() and not self.thinking:
            self.match.play(self.match.legal_moves[0])
        self._hand_over()
        self.paint()
        if self.thinking and self.live:
            self._think()

    def _forced(self) -> bool:
        moves = self.match.legal_moves
        return len(moves) == 1 and moves[0].verb in self.match.game.automatic

    def _hand_over(self) -> None:
        seat = self.match.to_move
        if seat is None or self.players[seat] not in PEOPLE or seat == self.seat:
            return
        if self._curtained:
            self.handing_to = seat
        elif self.seat is not None:
            self.seat = seat

    def _think(self) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # no kernel: a test or a script, which wants the answer at once
            while self.thinking:
                self._answer()
            self._settle()
            return
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._answers())

    async def _answers(self) -> None:
        try:
            while self.thinking:
                await asyncio.sleep(0 if self._forced() else self.pace)
                self._answer()
                if self.thinking:
                    self.paint()
        except Exception as error:
            self.error = _("Something went wrong: {error}").format(error=error)
            self.log.exception("in a computer player")
            self.paint()
            return
        self._task = None
        self._settle()

    def _answer(self) -> None:
        """One move of the computer that is to move; it sees its own view and nothing else."""
        seat = self.match.to_move
        assert seat is not None
        choose = player(self.players[seat], self.match.game.key)
        self.match.play(choose(self.match.view(seat), self.match.rng()))

    def _stop_thinking(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    # ---- without a kernel --------------------------------------------------------------------

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget, and a static picture for pages that have no kernel."""
        bundle = super()._repr_mimebundle_(**kwargs)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        if data is not None:
            data["text/html"] = draw.picture(self.match, self.seat)
        return bundle


def seating(opponent: str, seat: int, seats: int) -> tuple[str, ...]:
    """Who sits where when a person on ``seat`` meets ``opponent`` on every other seat."""
    if opponent in PEOPLE:
        return (opponent,) * seats
    return tuple("person" if s == seat else opponent for s in range(seats))


def _checked_players(seated: Sequence[str], match: Match) -> tuple[str, ...]:
    known = (*PEOPLE, *players_of(match.game.key))
    if not isinstance(seated, list | tuple) or len(seated) != match.game.seats:
        raise ValueError(f"expected a player for each of {match.game.seats} seats: got {seated!r}")
    for name in seated:
        if name not in known:
            raise ValueError(f"unknown player {name!r}: expected one of {', '.join(known)}")
    return tuple(seated)


def _square(text: str) -> Square:
    return int(text) if text.isdecimal() else text


def play(
    game: str | Match | Path,
    opponent: str | None = None,
    *,
    seat: int | None = None,
    players: Sequence[str] | None = None,
    seed: int | None = None,
    at: int | None = None,
    **options: Any,
) -> MatchWidget:
    """The panel of a new match, of a Match, or of a saved one (the path of a ``.json`` file).

    ``opponent`` is a computer player's name (``"greedy"`` if nothing is said), ``"person"`` for
    people who share the screen (a curtain hides their secrets from each other) or ``"practice"`` to
    play every side; ``players`` names all seats instead. The panel opens after ``at`` steps; a
    saved match brings its own players, seat and step, where none are given here.
    """
    match, saved = _opened(game, seed, options)
    seats = match.game.seats
    chosen = saved.get("seat", 0) if seat is None else seat
    if type(chosen) is not int or chosen not in range(seats):
        raise ValueError(f"expected a seat from 0 to {seats - 1}: got {chosen!r}")
    if players is None:
        left = saved.get("players") if opponent is None else None
        players = left or seating(opponent or "greedy", chosen, seats)
    step = _saved_step(saved, match) if at is None else at
    last = len(match.record)
    if step is not None and (type(step) is not int or not match.fewest_steps <= step <= last):
        raise ValueError(f"expected a step from {match.fewest_steps} to {last}: got {step!r}")
    return MatchWidget(match, players, chosen, at=step)


def _opened(
    game: str | Match | Path, seed: int | None, options: dict[str, Any]
) -> tuple[Match, dict[str, Any]]:
    """The match, and what a saved one says besides: players, seat, step."""
    if isinstance(game, Match):
        return game, {}
    if not isinstance(game, str | Path):
        raise ValueError(f"expected a game, a match, or the name of a saved one: got {game!r}")
    if isinstance(game, Path) or game.lower().endswith(".json"):
        try:
            text = Path(game).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is no text"
            raise SaveError(f"cannot read {str(game)!r}: {why}") from None
        return Match.from_json(text), _fields(text)
    return Match(game, seed=seed, **options), {}


def _fields(text: str) -> dict[str, Any]:
    """What a saved match says; it has been read as a match already."""
    return dict(json.loads(text.removeprefix("\ufeff")))


def _saved_step(saved: dict[str, Any], match: Match) -> int | None:
    """The step at which a saved match is to be shown; None for the present."""
    at = saved.get("at")
    first, last = match.fewest_steps, len(match.record)
    if at is not None and (type(at) is not int or not first <= at <= last):
        raise SaveError(f"field 'at' of a saved match is a step from {first} to {last}: got {at!r}")
    return at
