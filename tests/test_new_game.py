"""Follows docs/new_game.md: its blocks, put into a copy of the package, make a game that works.

The page's fenced blocks are read as they stand. A block whose first line names a file is that file.
A ``diff`` block edits one: each ``-`` text is replaced by the ``+`` text below it, and a lone ``+``
line goes under the last import. ``>>>`` is a session. So a page that has gone stale fails here.
"""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "new_game.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
FILES = {
    found[1]: body
    for _, body in BLOCKS
    if (found := re.match(r"(?:# |<!-- )(\S+\.\w+)(?: -->)?\n", body))
}
EDITS = [body for language, body in BLOCKS if language == "diff"]
SESSION = "\n".join(body for _, body in BLOCKS if body.startswith(">>>"))
KEY = "coin_duel"


def edited(text: str, lines: list[str]) -> str:
    """``text`` after a diff block's lines."""
    last_added = None
    for number, line in enumerate(lines):
        mark, words = line[0], line[1:]
        before = lines[number - 1] if number else ""
        if mark == "-":
            assert text.count(words) == 1, f"expected {words!r} once: {text.count(words)} times"
        elif before.startswith("-"):
            text, last_added = text.replace(before[1:], words), words
        elif last_added is not None:
            text, last_added = text.replace(last_added, f"{last_added}\n{words}"), words
        else:
            last = list(re.finditer(r"^(?:from|import) .*\n", text, re.MULTILINE))[-1].end()
            text = text[:last] + words + "\n" + text[last:]
    return text


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """A copy of the project in which the page has been followed."""
    folder = tmp_path_factory.mktemp("checkout")
    skip = shutil.ignore_patterns("__pycache__", ".*")
    for name in ("qgames", "tests", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=skip)
    shutil.copy(ROOT / "pyproject.toml", folder)
    for name, body in FILES.items():
        assert not (folder / name).exists(), f"{name} is a file of the project already"
        (folder / name).write_text(body, "utf-8")
    for body in EDITS:
        name, *lines = body.splitlines()
        file = folder / name
        file.write_text(edited(file.read_text("utf-8"), lines), "utf-8")
    return folder


def run(folder: Path, *arguments: str) -> str:
    """Run Python in the copy, where ``qgames`` can only be the copied one; returns what it said."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_every_block_of_the_page_is_used():
    used = len(FILES) + len(EDITS) + sum(body.startswith(">>>") for _, body in BLOCKS)
    commands = [body for language, body in BLOCKS if language == "sh"]
    assert used + len(commands) == len(BLOCKS)
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for command in "".join(commands).split("\n"):
        if command:
            assert command.split()[1] in targets


def test_a_stale_edit_is_noticed():
    assert edited("import a\nx = (1,)\n", ["+import b", "-(1", "+(2, 1"]) == (
        "import a\nimport b\nx = (2, 1,)\n"
    )
    with pytest.raises(AssertionError, match="expected '\\(3' once: 0 times"):
        edited("x = (1,)\n", ["-(3", "+(2, 3"])


def test_the_session_runs_as_printed(checkout):
    (checkout / "session.txt").write_text(SESSION, "utf-8")
    assert doctest.DocTestParser().get_examples(SESSION)
    assert run(checkout, "-m", "doctest", "session.txt") == ""


def test_the_game_keeps_the_contract_and_its_own_tests(checkout):
    told = run(checkout, "-m", "tests.regen", KEY)
    written = sorted(path.name for path in (checkout / "tests/playthroughs").glob(f"{KEY}*"))
    assert written == [f"{KEY}_1.txt", f"{KEY}_2.txt"]
    assert all(f"{name}: written" in told for name in written)
    assert "step 0: " in (checkout / "tests/playthroughs" / written[0]).read_text("utf-8")

    own = [name for name in FILES if name.startswith("tests/") and name.endswith(".py")]
    files = ["tests/test_contract.py", "tests/test_playthroughs.py", "tests/test_imports.py", *own]
    quiet = ("-q", "-p", "no:cacheprovider", "-W", "default")
    told = run(checkout, "-m", "pytest", *quiet, "-k", KEY, *files)
    passed = re.search(r"(\d+) passed", told)
    assert passed is not None, told
    assert int(passed[1]) > 30, told
    assert "skipped" not in told


def test_the_panel_plays_it_to_the_end(checkout):
    """Buttons and Play, as a click reports them; the page's computer player answers."""
    code = f"""
from qgames import play
panel = play({KEY!r}, opponent="patient", seed=5)
for turn in range(20):
    if panel.match.result: break
    verb = "look" if turn > 2 else "h"
    panel.receive({{"on": "click", "verb": verb}})
    panel.receive({{"on": "click", "action": "play"}})
    assert not panel.error, panel.error
print(panel.match.result.reason, "|", panel.bar)
assert "wins" in panel.bar
"""
    assert run(checkout, "-c", code).startswith("the coin was seen | ")


def test_the_code_is_written_as_the_project_writes(checkout):
    python = [name for name in FILES if name.endswith(".py")]
    run(checkout, "-m", "ruff", "check", *python)
    run(checkout, "-m", "ruff", "format", "--check", *python)
