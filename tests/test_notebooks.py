"""Notebooks are prose and panels: clean, short cells, no rules. nbval runs every cell besides."""

import ast
import re
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted(
    path for path in (ROOT / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts
)
LONGEST_CODE, LONGEST_PROSE, WIDEST = 15, 16, 130
MAY_IMPORT = {"qgames", "qiskit", "numpy", "IPython"} | set(sys.stdlib_module_names)

each_notebook = pytest.mark.parametrize(
    "path", NOTEBOOKS, ids=[path.relative_to(ROOT).as_posix() for path in NOTEBOOKS]
)


def faults(text: str) -> list[str]:
    """What is wrong with a notebook, as far as its file shows; nothing for a clean one."""
    notebook = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    found = []
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        found.append(f"format 4.5 expected: {notebook.nbformat}.{notebook.nbformat_minor}")
    if notebook.metadata.get("kernelspec", {}).get("name") != "python3":
        found.append("kernel python3 expected")
    if "widgets" in notebook.metadata:
        found.append("saved widgets")
    if notebook.cells[0].cell_type != "markdown" or not notebook.cells[0].source.startswith("# "):
        found.append("the first cell is no title")
    for number, cell in enumerate(notebook.cells, 1):
        found += [f"cell {number}: {fault}" for fault in cell_faults(cell)]
    return found


def cell_faults(cell: nbformat.NotebookNode) -> list[str]:
    found = []
    lines = cell.source.splitlines()
    if cell.metadata:
        found.append(f"metadata {dict(cell.metadata)}")
    if not cell.source.strip():
        found.append("empty")
    if len(lines) > (LONGEST_CODE if cell.cell_type == "code" else LONGEST_PROSE):
        found.append(f"{len(lines)} lines")
    if lines and max(map(len, lines)) > WIDEST:
        found.append("a long line")
    if cell.cell_type == "code":
        if cell.outputs or cell.execution_count is not None:
            found.append("outputs were saved")
        found += code_faults(cell.source)
    return found


def code_faults(source: str) -> list[str]:
    """Rules belong in the package: a notebook defines no class and imports nothing unusual."""
    tree = ast.parse(source)
    found = ["a class" for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or "."]
        found += [f"imports {n}" for n in names if n.partition(".")[0] not in MAY_IMPORT]
    return found


def test_there_are_notebooks():
    assert {"00-welcome.ipynb", "10-qlanet.ipynb"} <= {path.name for path in NOTEBOOKS}


@each_notebook
def test_a_notebook_is_clean(path):
    assert faults(path.read_text("utf-8")) == []


@each_notebook
def test_its_links_lead_somewhere(path):
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            for link in re.findall(r"\]\(([^)\s]+)\)", cell.source):
                assert link.startswith("https:") or (path.parent / link).exists(), link


def test_the_welcome_has_ten_cells_and_plays_first():
    cells = nbformat.read(ROOT / "notebooks" / "00-welcome.ipynb", as_version=4).cells
    assert len(cells) == 10
    first = next(cell for cell in cells if cell.cell_type == "code")
    assert "play(" in first.source


def notebook(**changes: object) -> str:
    """A clean notebook of a title and one cell of code, but for ``changes`` of that cell."""
    title = nbformat.v4.new_markdown_cell("# A title")
    code = nbformat.v4.new_code_cell("1 + 1")
    code.update(changes)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = nbformat.v4.new_notebook(cells=[title, code], metadata={"kernelspec": kernel})
    made.nbformat_minor = 5
    return nbformat.writes(made)


OUTPUT = [nbformat.v4.new_output("stream", text="2")]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"outputs": OUTPUT}, ["cell 2: outputs were saved"]),
        ({"execution_count": 3}, ["cell 2: outputs were saved"]),
        ({"metadata": {"tags": ["x"]}}, ["cell 2: metadata {'tags': ['x']}"]),
        ({"source": "\n".join("x = 1" for _ in range(16))}, ["cell 2: 16 lines"]),
        ({"source": " "}, ["cell 2: empty"]),
        ({"source": "class Rules: pass"}, ["cell 2: a class"]),
        ({"source": "import ipywidgets.widgets"}, ["cell 2: imports ipywidgets.widgets"]),
        ({"source": "from pandas import DataFrame"}, ["cell 2: imports pandas"]),
        ({"source": f"x = {'1' * 130}"}, ["cell 2: a long line"]),
    ],
    ids=str,
)
def test_what_is_no_clean_notebook_is_noticed(changes, expected):
    assert faults(notebook(**changes)) == expected


def test_saved_widgets_another_kernel_and_a_missing_title_are_noticed():
    text = notebook().replace('"python3"', '"julia"').replace("# A title", "A title")
    text = text.replace('"metadata": {\n  "kernelspec"', '"metadata": {"widgets": {}, "kernelspec"')
    assert faults(text) == [
        "kernel python3 expected",
        "saved widgets",
        "the first cell is no title",
    ]
