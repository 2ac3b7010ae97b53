"""Binder builds from binder/ alone; `make binder-check` installs these files, this reads them."""

import os
import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from scripts import binder_check

ROOT = Path(__file__).resolve().parent.parent
BINDER = ROOT / "binder"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PINS = {
    requirement.name: requirement
    for line in (BINDER / "requirements.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
    for requirement in [Requirement(line)]
}
BADGE = "https://mybinder.org/v2/gh/qgames/qgames/main?urlpath=lab/tree/"


def test_only_the_files_that_binder_should_see():
    """An apt.txt or environment.yml, here or at the root, would change how Binder builds."""
    assert {path.name for path in BINDER.iterdir()} == {
        "postBuild",
        "page_config.json",  # postBuild puts it into place
        "requirements.txt",
        "runtime.txt",
    }


def test_the_python_is_one_that_the_package_takes():
    assert (BINDER / "runtime.txt").read_text("utf-8") == "python-3.11\n"
    assert SpecifierSet(PROJECT["requires-python"]).contains("3.11")


def test_every_line_of_the_requirements_is_a_pin():
    for requirement in PINS.values():
        assert [part.operator for part in requirement.specifier] == ["=="], str(requirement)


def test_the_pins_hold_all_that_the_notebooks_need_within_the_promised_ranges():
    needed = [Requirement(line) for line in PROJECT["dependencies"]]
    needed += [Requirement(line) for line in PROJECT["optional-dependencies"]["lab"]]
    for requirement in needed:
        if requirement.name != "jupyterlab":
            (pin,) = PINS[requirement.name].specifier
            assert requirement.specifier.contains(pin.version), f"{requirement}: pinned {pin}"


@pytest.mark.parametrize("name", ["jupyterlab", "notebook", "jupyter-server", "ipykernel"])
def test_what_binder_brings_is_not_pinned(name):
    assert name not in PINS


def test_post_build_is_executable_and_installs_the_package_alone():
    script = BINDER / "postBuild"
    assert os.access(script, os.X_OK)
    text = script.read_text("utf-8")
    assert text.startswith("#!/bin/bash\n")
    assert re.search(r"^pip install .*--no-deps .*\.$", text, re.MULTILINE)


@pytest.mark.parametrize("page", ["README.md", "pyproject.toml"])
def test_the_badge_opens_a_notebook_that_exists(page):
    links = re.findall(re.escape(BADGE) + r"([\w./-]+)", (ROOT / page).read_text("utf-8"))
    assert links, f"{page} has no link to Binder"
    for link in links:
        assert (ROOT / link).is_file(), f"{page} links to {link}"


def test_repo2docker_plans_the_image_we_mean(capsys):
    binder_check.dry_run()
    assert "planned: Building conda environment for python=3.11" in capsys.readouterr().out


def test_another_python_than_planned_ends_the_check(monkeypatch, capsys):
    monkeypatch.setattr(binder_check, "PYTHON", "3.10")
    with pytest.raises(SystemExit, match=r"missing \['Building conda environment for python=3.10'"):
        binder_check.dry_run()
    assert "python=3.11" in capsys.readouterr().out


def test_the_base_image_s_versions_are_read_from_its_lock():
    pins = dict(line.split("==") for line in binder_check.base_pins().splitlines())
    assert {"jupyterlab", "nbclient", "traitlets"} <= set(pins)
    assert pins["python"].startswith("3.11.")


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="only Python 3.11 is its own choice")
def test_the_check_prefers_the_python_it_runs_on():
    assert binder_check._interpreter() == sys.executable


def test_without_binder_s_python_the_check_says_so(monkeypatch):
    monkeypatch.setattr(binder_check, "PYTHON", "3.5")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match=r"^the Binder check needs Python 3\.5, as in binder/"):
        binder_check._interpreter()
