"""The panel's script alone, in a browser without Jupyter: what stands there is what Python sent."""

import random
from pathlib import Path
from typing import Any

import pytest

from qgames import GAMES
from qgames.widget import panel
from qgames.widget.panel import MatchWidget, play
from tests.browser_kit import Lab, browser

SCRIPT = (Path(panel.__file__).parent / "panel.js").read_text("utf-8")
STEPS = 60

# A model of texts, as ipywidgets has it; `receive` sets many, as one message of Python does.
PAGE = """async ([script, css]) => {
  const { default: { render } } = await import(URL.createObjectURL(
    new Blob([script], { type: "text/javascript" })));
  const [texts, ears] = [{}, {}];
  window.sent = [];
  const model = {
    get: (name) => texts[name],
    on: (name, ear) => { ears[name] = ear; },
    send: (content) => { if (content.on !== "room") window.sent.push(content); },
  };
  window.show = (first) => {
    Object.assign(texts, first);
    document.body.innerHTML = "<style></style><div></div>";
    document.body.firstChild.textContent = css;
    render({ model, el: document.body.lastChild });
  };
  window.receive = async (changes) => {
    Object.assign(texts, changes);
    for (const name of Object.keys(changes)) ears["change:" + name]?.();
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const wrong = [];
    for (const pane of document.querySelectorAll("[data-pane]")) {
      const want = document.createElement("div");
      want.innerHTML = texts[pane.dataset.pane];
      const [there, sent] = [[...pane.childNodes], [...want.childNodes]];
      if (there.length !== sent.length || !there.every((node, n) => node.isEqualNode(sent[n])))
        wrong.push([pane.dataset.pane, want.innerHTML, pane.innerHTML]);
    }
    return wrong;
  };
}"""


TURN = """(slider, [value, kind]) => {
  slider.value = value;
  slider.dispatchEvent(new Event(kind, { bubbles: true }));
}"""


def texts(w: MatchWidget) -> dict[str, str]:
    """All that the browser gets of a panel."""
    return {
        name: w.trait_values()[name] for name in w.keys if isinstance(w.trait_values()[name], str)
    }


def disturb(w: MatchWidget, rng: random.Random) -> None:
    """Something that a person might do."""
    match = w.match
    deed = rng.choice(("play", "play", "play", "take", "choose", "seek", "click", "hover", "view"))
    if deed == "play" and match.to_move is not None:
        w.receive({"on": "click", "action": "live"})
        w.receive({"on": "click", "action": "view", "value": str(match.to_move)})
        w.receive({"on": "click", "action": "say", "value": str(rng.choice(match.legal_moves))})
    elif deed == "take":
        w.receive({"on": "click", "verb": rng.choice(w.view.legal_moves or [panel.Move("x")]).verb})
    elif deed == "choose":
        w.receive({"on": "click", "square": str(rng.randint(1, 12))})
    elif deed == "seek":
        w.receive(
            {"on": "input", "action": "seek", "value": str(rng.randint(0, len(match.record)))}
        )
    elif deed == "hover":
        w.receive({"on": "hover", "outcome": rng.choice(("0", "1", ""))})
    elif deed == "view":
        w.receive({"on": "click", "action": "view", "value": rng.choice(("0", "1", "none"))})
    else:
        action = rng.choice(("inspect", "menu", "hints", "undo", "first", "reveal"))
        w.receive({"on": "click", "action": action})


@pytest.mark.parametrize("key", GAMES)
def test_the_page_is_always_what_python_sent(chromium: str, tmp_path: Path, key: str) -> None:
    """Elements stay where they may, yet nothing of an earlier position is left."""
    w, rng = play(key, "practice", seed=3), random.Random(3)
    with browser(Lab("", tmp_path), chromium) as tab:
        tab.page.evaluate(PAGE, [SCRIPT, MatchWidget._css])
        tab.page.evaluate("first => show(first)", texts(w))
        seen, longest = texts(w), 0
        for step in range(STEPS):
            disturb(w, rng)
            changes = {name: text for name, text in texts(w).items() if text != seen[name]}
            seen |= changes
            longest = max(longest, len(w.match.record))
            assert tab.page.evaluate("changes => receive(changes)", changes) == [], (key, step)
        assert longest > 6
        assert not tab.errors


def test_what_a_person_has_under_the_finger_stays(chromium: str, tmp_path: Path) -> None:
    """The focus, an opened fold and a slider survive a message; a lost focus goes nearby."""
    w = play("qlanet", "practice", seed=7, hands="any")
    for move in ("bm 6 9", "h 1", "m 2"):
        w.play(move)

    with browser(Lab("", tmp_path), chromium) as tab:
        page = tab.page

        def send() -> None:
            page.evaluate("changes => receive(changes)", texts(w))

        def clicked() -> dict[str, Any]:
            return dict(page.evaluate("sent.at(-1)"))

        page.evaluate(PAGE, [SCRIPT, MatchWidget._css])
        page.evaluate("first => show(first)", texts(w))
        page.focus(".qg-card[data-verb=x]")
        page.click(".qg [data-pane=state] summary")
        page.evaluate("window.kept = document.querySelector('.qg [data-pane=slider] input')")
        page.focus(".qg-card[data-verb=x]")
        w.receive({"on": "click", "verb": "x", "slot": "0"})
        send()
        assert page.evaluate("document.activeElement.dataset.verb") == "x"
        assert page.evaluate("document.querySelector('.qg [data-pane=state] details').open")
        w.receive({"on": "click", "square": "4"})
        send()
        assert page.evaluate("document.activeElement.dataset.action") == "play"
        page.focus(".qg-card[data-verb=x]")
        w.receive({"on": "hover", "outcome": "0"})
        send()
        assert page.evaluate("document.activeElement.dataset.verb") == "x"
        page.focus(".qg [data-action=play]")
        page.keyboard.press("Enter")
        assert clicked() == {"on": "click", "action": "play", "ready": "1"}
        w.receive(clicked())
        send()
        assert page.evaluate("document.activeElement.closest('.qg') !== null")
        w.receive({"on": "input", "action": "seek", "value": "2"})
        send()
        assert page.evaluate("kept.isConnected && kept.value") == "2"


def test_one_button_never_turns_into_another(chromium: str, tmp_path: Path) -> None:
    """Else a second press of Enter would do something that nobody chose."""
    first = {"frame": '<section tabindex="-1"><div data-pane="hand"></div></section>'}
    with browser(Lab("", tmp_path), chromium) as tab:
        page = tab.page
        page.evaluate(PAGE, [SCRIPT, ""])
        first["hand"] = '<button data-action="play">Play</button>'
        page.evaluate("first => show(first)", first)
        page.focus("button")
        for text, focused in (
            ('<button data-action="play">Play M on 5</button>', "Play M on 5"),
            ('<button data-action="resign">Resign</button><i></i>', "Resign"),
        ):
            page.evaluate("window.before = document.querySelector('button')")
            page.evaluate("changes => receive(changes)", {"hand": text})
            assert page.evaluate("document.activeElement.textContent") == focused
            same = page.evaluate("before === document.querySelector('button')")
            assert same is (focused != "Resign")


def test_a_stage_that_is_there_needs_no_message_until_the_drag_ends(
    chromium: str, tmp_path: Path
) -> None:
    w = play("qlanet", "practice", seed=7, hands="any")
    w.play("bm 6 9")
    w.receive({"on": "click", "action": "inspect"})
    with browser(Lab("", tmp_path), chromium) as tab:
        page = tab.page
        page.evaluate(PAGE, [SCRIPT, MatchWidget._css])
        page.evaluate("first => show(first)", texts(w))
        slider = page.locator(".qg [data-pane=inspect] input")
        for value in "543":
            slider.evaluate(TURN, [value, "input"])
        assert page.evaluate("sent") == []
        visible = page.locator(".qg [data-pane=inspect] [data-at]:visible")
        assert {visible.nth(n).get_attribute("data-at") for n in range(visible.count())} == {"3"}
        slider.evaluate(TURN, ["3", "change"])
        assert page.evaluate("sent") == [{"on": "input", "action": "stage", "value": "3"}]
