"""Draw the README's picture, docs/pictures/qlanet.png: ``python -m scripts.picture``.

The position is the published one of the rule sheet's section 7.7, replayed from its record, seen by
player 0 who is about to measure planet 5. It is drawn as everywhere, by ``qgames.draw.picture``;
Chromium makes an image of it.
"""

import json
from pathlib import Path

from qgames import Match, Move, draw
from qgames.games.qlanet import CARDS
from tests.browser_kit import FLAGS, find_chromium

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "pictures" / "qlanet.png"
HANDS = "cx0 bm h z", "z h m h"
WIDTH = 1000  # CSS pixels: wide enough for two columns


def dice(cards: str) -> str:
    """The bits that draw these cards: three a card, the least significant first."""
    numbers = [CARDS.index(card) for card in cards.split()]
    return "".join(f"{number:03b}"[::-1] for number in numbers)


def published() -> Match:
    """Section 7.7: a secret Bell measurement, planet 2 fixed for player 1, planet 4 turned to +."""
    record = [
        f"deal sealed=01 dice={dice(' '.join(HANDS))}",
        f"bm 6 9 p0=11 dice={dice('m')}",
        f"z 2 dice={dice('x')}",
        f"h 2 dice={dice('bm')}",
        f"m 2 fixed=1 dice={dice('z')}",
        f"z 4 dice={dice('z')}",
    ]
    saved = {"qgames": 1, "game": "qlanet", "options": {}, "seed": 0, "record": record}
    return Match.from_json(json.dumps(saved))


def page() -> str:
    """The picture as a page of HTML."""
    panes = ("board", "hand", "odds", "circuit", "state", "moves")
    drawn = draw.picture(published(), 0, panes, "light", preview=Move("m", (5,)))
    return f"<!doctype html><meta charset='utf-8'><body style='margin:0;width:{WIDTH}px'>{drawn}"


def main() -> None:
    """Write the file."""
    from playwright.sync_api import sync_playwright  # here: tests ask for the match alone

    PICTURE.parent.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        tab = browser.new_page(device_scale_factor=2, viewport={"width": WIDTH, "height": 1000})
        tab.set_content(page())
        tab.locator(".qg").screenshot(path=PICTURE)
        browser.close()
    print(f"wrote {PICTURE.name}, {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
