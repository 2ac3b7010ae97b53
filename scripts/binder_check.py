"""Build what Binder would build, as far as that goes without Docker, and run the notebooks in it.

``python -m scripts.binder_check`` has three parts:

1. a dry run of repo2docker, which must choose the files in binder/ and the Python of runtime.txt;
2. a fresh virtual environment with the notebook programs of repo2docker's base image, at the
   versions of its own lock file, then requirements.txt and postBuild on top, as the image has them;
3. every notebook, run from its own folder with the *installed* package.

What stays unchecked: Binder's Linux and its conda builds of Python and the base packages.
"""

import importlib.util
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from packaging.version import InvalidVersion, Version

from scripts.environments import BUILD, ROOT, Environment

BINDER = ROOT / "binder"
PYTHON = (BINDER / "runtime.txt").read_text("utf-8").strip().removeprefix("python-")

# repo2docker's base image names these (environment.yml) or puts them to use; JupyterHub's part is
# left out, for it only lets Binder hand out the server.
BASE = ("ipykernel", "ipywidgets", "jupyter_server", "jupyterlab", "nbclient", "notebook", "pip")


def dry_run() -> None:
    """Let repo2docker plan the image, and refuse a plan that is not the one we mean."""
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug"]
    command += ["--user-id", "1000", "--user-name", "jovyan", str(ROOT)]
    print("$ jupyter-repo2docker --no-build --debug", flush=True)
    plan = subprocess.run(command, capture_output=True, text=True, check=False)
    text = plan.stdout + plan.stderr
    steps = (
        f"Building conda environment for python={PYTHON}\n",
        'pip install --no-cache-dir -r "binder/requirements.txt"\n',
        "\nRUN ./binder/postBuild\n",
    )
    missing = [step.strip() for step in steps if step not in text]
    if plan.returncode or missing:
        print(text)
        sys.exit(f"repo2docker's plan is not the expected one: missing {missing}")
    for step in steps:
        print(f"  planned: {step.strip()}")


def base_pins() -> str:
    """The versions of repo2docker's base image for our Python, as a pip constraints file.

    The lock lists conda packages, most of which bear the same name on PyPI. Versions that pip could
    not read are left out.
    """
    spec = importlib.util.find_spec("repo2docker")
    if spec is None or spec.origin is None:
        sys.exit("repo2docker is not installed: run `make binder-check`")
    folder = Path(spec.origin).parent / "buildpacks" / "conda"
    lock = (folder / f"environment.py-{PYTHON}-linux-64.lock").read_text("utf-8")
    names = re.findall(r"/([\w.-]+)-([^-/]+)-[^-/]+\.conda", lock)
    return "".join(f"{name}=={version}\n" for name, version in names if _readable(version))


def build() -> Environment:
    """The image's Python environment: base, then requirements.txt, then postBuild."""
    environment = Environment(BUILD / "binder", _interpreter())
    pins = environment.folder / "base.txt"
    pins.write_text(base_pins(), "utf-8")
    environment.pip_install("--constraint", pins, *BASE)
    environment.pip_install("--requirement", BINDER / "requirements.txt")
    environment.run(BINDER / "postBuild", quiet=True)
    environment.run("python", "-m", "pip", "check")
    return environment


def check_widgets(environment: Environment) -> None:
    """JupyterLab must find both widget extensions, or every panel stays an empty box."""
    listed = environment.run("jupyter", "labextension", "list", quiet=True)
    for extension in ("@jupyter-widgets/jupyterlab-manager", "anywidget"):
        if not re.search(rf"^\s+{extension} v\S+ .*enabled.*OK", listed, re.MULTILINE):
            sys.exit(f"JupyterLab does not load {extension}:\n{listed}")
    if not re.search(r"^\s+@jupyterlab/apputils-extension:announcements", listed, re.MULTILINE):
        sys.exit(f"JupyterLab would ask every pupil about its news:\n{listed}")


def run_notebooks(environment: Environment) -> None:
    """Run every notebook from its own folder, where `qgames` can only be the installed one."""
    where = "import qgames; print(qgames.__file__)"
    found = environment.run("python", "-c", where, cwd=ROOT / "notebooks", quiet=True).strip()
    if not Path(found).is_relative_to(environment.folder):
        sys.exit(f"postBuild did not install qgames: the notebooks would import {found}")
    notebooks = sorted(
        path
        for path in (ROOT / "notebooks").rglob("*.ipynb")
        if ".ipynb_checkpoints" not in path.parts
    )
    if not notebooks:
        sys.exit("no notebook found below notebooks/")
    for notebook in notebooks:
        begin = time.monotonic()
        environment.run(
            "jupyter", "execute", "--timeout=600", notebook, cwd=notebook.parent, quiet=True
        )
        print(f"  ran {notebook.relative_to(ROOT)} in {time.monotonic() - begin:.0f} s")


def main() -> None:
    """All three parts; the first that fails ends the check."""
    dry_run()
    environment = build()
    check_widgets(environment)
    run_notebooks(environment)
    print("the Binder files hold")


def _interpreter() -> str:
    """A Python of the version in runtime.txt: our own, or one on the path."""
    if f"{sys.version_info.major}.{sys.version_info.minor}" == PYTHON:
        return sys.executable
    found = shutil.which(f"python{PYTHON}")
    if found is None:
        ours = f"{sys.version_info.major}.{sys.version_info.minor}"
        sys.exit(f"the Binder check needs Python {PYTHON}, as in binder/runtime.txt: got {ours}")
    return found


def _readable(version: str) -> bool:
    try:
        Version(version)
    except InvalidVersion:
        return False
    return True


if __name__ == "__main__":
    main()
