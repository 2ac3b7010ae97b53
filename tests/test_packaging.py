"""What somebody gets who installs qgames, and what pyproject.toml promises about it."""

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "qgames"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]

# Distributions whose modules have other names; traitlets and IPython are ipywidgets' own interface.
MODULES = {"qiskit-aer": ["qiskit_aer"], "ipywidgets": ["ipywidgets", "traitlets", "IPython"]}
MODULES |= {"qiskit-ibm-runtime": ["qiskit_ibm_runtime"], "resvg-py": ["resvg_py"]}
MODULES |= {"qiskit-qasm3-import": ["qiskit_qasm3_import"]}

# Who may import what of the extras; each says in one sentence what is missing.
USES = {
    "qgames/widget/": "lab",
    "qgames/draw/inspector.py": "lab",  # Qiskit's own drawing, on demand
    "qgames/devices.py": "hardware",
    "qgames/export.py": "export",
}


def source_files() -> set[str]:
    """Every file of the package in this checkout, as a path from the root."""
    return {
        path.relative_to(ROOT).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    }


def declared(*groups: list[str]) -> set[str]:
    """The modules that these lists of requirements bring."""
    names = [Requirement(line).name for group in groups for line in group]
    return {module for name in names for module in MODULES.get(name, [name])}


def imported(file: Path) -> Iterator[str]:
    """The top-level modules that a file imports anywhere, type checking included."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Iterator[zipfile.ZipFile]:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(wheel):
    inside = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert inside == source_files()


def test_the_wheel_holds_what_is_no_python(wheel):
    assert any(Path(name).match("qgames/widget/*.js") for name in wheel.namelist())
    for catalogue in PACKAGE.rglob("*.po"):
        assert catalogue.with_suffix(".mo").relative_to(ROOT).as_posix() in wheel.namelist()


def test_the_wheel_carries_its_licence(wheel):
    (name,) = [n for n in wheel.namelist() if n.endswith(".dist-info/licenses/LICENSE")]
    assert wheel.read(name) == (ROOT / "LICENSE").read_bytes()


def test_the_same_version_stands_everywhere():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest is not None
    assert citation["version"] == newest[1] == PROJECT["version"]


@pytest.mark.parametrize("group", ["dependencies", *EXTRAS])
def test_every_range_has_a_lowest_and_a_first_forbidden_release(group):
    lines = PROJECT["dependencies"] if group == "dependencies" else EXTRAS[group]
    for requirement in map(Requirement, lines):
        if requirement.name == PROJECT["name"]:
            continue
        operators = sorted(part.operator for part in requirement.specifier)
        assert operators == ["<", ">="], f"expected a range like '>=1,<2': got {requirement}"


def test_whatever_the_package_imports_is_declared():
    plain = declared(PROJECT["dependencies"])
    for name in source_files():
        if name.endswith(".py"):
            others = set(imported(ROOT / name)) - set(sys.stdlib_module_names) - {"qgames"}
            allowed = plain | declared(*(EXTRAS[extra] for extra in extras_of(name)))
            assert others <= allowed, f"{name} imports {sorted(others - allowed)}: not declared"


def extras_of(name: str) -> list[str]:
    """The extras that a file may need."""
    return [extra for start, extra in USES.items() if name.startswith(start)]


def test_rules_and_drawing_need_no_extra():
    """With every package of the extras hidden, a match can be played and drawn to text."""
    extras = declared(EXTRAS["lab"], EXTRAS["hardware"], EXTRAS["export"])
    hidden = sorted(extras | {"ipykernel", "IPython"})
    code = f"""
import sys
for name in {hidden!r}:
    sys.modules[name] = None  # importing it now raises ImportError
import qgames, qgames.draw, qgames.players
match = qgames.Match("qlanet", seed=1)
match.play(match.legal_moves[0])
print(qgames.draw.picture(match))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "<svg" in done.stdout
