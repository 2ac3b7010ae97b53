"""README.md and the pages in docs/: what they print is true, and what they link to is there."""

import doctest
import re
from pathlib import Path

import pytest

import qgames
from benchmarks.__main__ import ROWS
from qgames.games.qlanet import QlanetPosition, QlanetView
from scripts import picture

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def test_the_readme_s_session_runs_as_printed():
    session = "\n".join(body for _, body in BLOCKS if body.startswith(">>>"))
    test = doctest.DocTestParser().get_doctest(session, {}, "README.md", None, 0)
    said: list[str] = []
    done = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert done.attempted > 10
    assert done.failed == 0, "".join(said)


def test_the_readme_s_panels_open():
    pytest.importorskip("anywidget")
    panels = [body for language, body in BLOCKS if "play(" in body and language == "python"]
    namespace: dict[str, object] = {}
    for line in "".join(panels).splitlines():
        if not line.startswith(">>>"):
            exec(line, namespace)  # noqa: S102 our own page, read from our own checkout
    assert namespace["play"] is qgames.play


def test_the_readme_names_the_two_commands():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in ("lab", "test"):
        assert re.search(rf"^make {target}$", README, re.MULTILINE)
        assert re.search(rf"^{target}: ", makefile, re.MULTILINE)


@pytest.mark.parametrize("key", qgames.GAMES)
def test_the_readme_has_every_game_with_its_sheet(key):
    assert f"](docs/rules/{key}.md)" in README


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        target, _, anchor = link.partition("#")
        if target.startswith("https:"):
            continue
        file = page.parent / target if target else page
        assert file.exists(), f"{page.name} links to {link}"
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), f"{page.name} links to {link}"


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives to a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.replace(" ", "-") for heading in plain}


def test_the_picture_s_match_is_the_published_one():
    match = picture.published()
    view = match.view(0)
    assert isinstance(match.position, QlanetPosition)
    assert isinstance(view, QlanetView)
    assert match.position.totals == (10, 15)
    assert match.to_move == 0
    assert "".join(view.symbol(planet) for planet in range(1, 10)) == "+1!-+?E-+E"
    assert "If you play M on 5" in picture.page()


def test_the_speed_table_has_the_rows_and_goals_of_the_benchmarks():
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    table = page[page.index("## 11. Speed", page.index("## 10. Libraries")) :]
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", table, re.MULTILINE)[1:]
    assert [row[:2] for row in rows] == [(r.what, f"{r.goal:g} {r.unit}") for r in ROWS]
    for what, _, measured in rows:
        assert re.fullmatch(r"[\d.]+ (ms|x)|-", measured), what
