"""Arrows between the parts run one way, and importing qgames stays light."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "qgames"

# widget -> draw, players -> choice -> core -> quantum; games -> core, quantum.
# A scene or a player of one game knows that game's rules, so draw and players may read games.
ALLOWED: dict[str, set[str]] = {
    "quantum": set(),
    "i18n": set(),
    "core": {"quantum"},
    "choice": {"core"},
    "games": {"core", "quantum"},
    "players": {"core", "quantum", "games", "choice", "i18n"},
    "draw": {"core", "quantum", "games", "choice", "i18n"},
    "lessons": {"core", "quantum", "games", "choice", "draw", "players", "i18n"},
    "arena": {"core", "games", "players", "i18n"},
    "hardware": {"core", "quantum", "games", "i18n"},
    "widget": {"core", "quantum", "games", "choice", "draw", "players", "lessons", "i18n"},
}
LAZILY = {("core", "games")}
"""Imports inside a function: every game imports core, so core finds the games only when asked."""


def imports(path: Path) -> Iterator[tuple[str, bool, int]]:
    """(dotted module, whether inside a function, line) of every import in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    package = ["qgames", *path.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            stem = ".".join([*base, *filter(None, [node.module])])
            names = [f"{stem}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            yield name, id(node) in inside, node.lineno


def part_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


FILES = [p for p in sorted(PACKAGE.rglob("*.py")) if part_of(p) not in ("__init__", "__main__")]


@pytest.mark.parametrize("path", FILES, ids=[str(p.relative_to(PACKAGE)) for p in FILES])
def test_imports_follow_the_arrows(path: Path) -> None:
    part = part_of(path)
    assert part in ALLOWED, f"say in ALLOWED what {part} may import"
    for name, lazy, line in imports(path):
        if not name.startswith("qgames"):
            continue
        target = [*name.split("."), ""][1]
        allowed = target == part or target in ALLOWED[part] or (lazy and (part, target) in LAZILY)
        assert allowed, f"{path.name}:{line}: {part} must not import {name}"


@pytest.mark.parametrize("path", FILES, ids=[str(p.relative_to(PACKAGE)) for p in FILES])
def test_who_may_import_what_from_outside(path: Path) -> None:
    part = part_of(path)
    for name, lazy, line in imports(path):
        top = name.split(".")[0]
        where = f"{path.name}:{line}"
        if top == "qiskit_aer":
            assert part == "quantum", f"{where}: only quantum.py talks to Aer"
        if top in ("ipywidgets", "anywidget", "IPython", "traitlets", "jupyterlab", "notebook"):
            assert part in ("widget", "lessons"), f"{where}: only the widget imports {top}"
        if top in ("matplotlib", "pylatexenc"):
            assert lazy, f"{where}: {top} is imported only where it draws"
        if top == "qiskit_ibm_runtime":
            assert lazy, f"{where}: {top} is an extra"
        if top == "random":
            assert part in ("players", "arena", "core", "widget"), f"{where}: no rolls but Aer's"
        assert name not in ("qiskit.Aer", "qiskit.execute"), f"{where}: gone from Qiskit"


def test_random_in_core_is_only_a_generator_for_players() -> None:
    """Chance in the rules is measured on Aer; core hands players a generator seeded there."""
    names = {name for name, _, _ in imports(PACKAGE / "core.py") if name.startswith("random")}
    assert names <= {"random.Random"}


HEAVY = "ipywidgets anywidget IPython matplotlib jupyterlab notebook pylatexenc qiskit_ibm_runtime"


def heavy_after(*modules: str) -> list[str]:
    """What of the heavy packages a fresh interpreter holds once it has imported ``modules``."""
    told = f"print(*(n for n in {HEAVY.split()!r} if n in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, {', '.join(modules)}; {told}"],
        capture_output=True,
        text=True,
        check=True,
        cwd=PACKAGE.parent,
    )
    return done.stdout.split()


@pytest.mark.parametrize("what", ["qgames", "qgames.choice", "qgames.games"])
def test_importing_qgames_needs_no_jupyter_and_no_matplotlib(what: str) -> None:
    assert heavy_after(what) == []


def test_drawing_and_players_need_no_jupyter_either() -> None:
    modules = {
        ".".join(["qgames", *p.relative_to(PACKAGE).with_suffix("").parts])
        for p in FILES
        if part_of(p) in ("draw", "players") and p.stem != "__init__"
    }
    assert heavy_after(*sorted(modules)) == []
