"""Virtual environments for checks: made afresh under build/, deaf to the caller's own settings."""

import os
import shlex
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"


def project_requirements(*extras: str) -> Iterator[Requirement]:
    """The direct dependencies in pyproject.toml: the package's own, then those of ``extras``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for group in (
        project["dependencies"],
        *(project["optional-dependencies"][extra] for extra in extras),
    ):
        yield from map(Requirement, group)


class Environment:
    """A new virtual environment in ``folder``; what stood there before is removed.

    ``python`` is the interpreter it is made with. Jupyter, IPython and matplotlib keep their files
    below ``folder`` too, so that nothing on the machine can help or hinder.
    """

    def __init__(self, folder: Path, python: str = sys.executable) -> None:
        self.folder = folder
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        if python == sys.executable:
            venv.create(folder, clear=True, with_pip=True, symlinks=os.name != "nt")
        else:
            subprocess.run([python, "-m", "venv", "--clear", folder], check=True)

    def run(self, *command: str | Path, cwd: Path = ROOT, quiet: bool = False) -> str:
        """Run a command of this environment and return what it printed.

        Prints the command and, unless ``quiet``, its output as it comes. A command that fails ends
        the whole check with its exit code, after showing all it said.
        """
        words = [str(word) for word in command]
        print(f"$ {shlex.join(words)}", flush=True)
        done = subprocess.run(
            words,
            cwd=cwd,
            env=self._variables(),
            check=False,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if quiet else None,
            stderr=subprocess.STDOUT if quiet else None,
        )
        if done.returncode:
            print(done.stdout or "", end="")
            print(f"failed with exit code {done.returncode}: {shlex.join(words)}", file=sys.stderr)
            sys.exit(done.returncode)
        return done.stdout or ""

    def pip_install(self, *arguments: str | Path) -> None:
        """``pip install`` into this environment."""
        self.run("python", "-m", "pip", "install", "--quiet", *arguments)

    def _variables(self) -> dict[str, str]:
        own = {
            name: str(self.folder / "home" / name.lower())
            for name in (
                "IPYTHONDIR",
                "JUPYTER_CONFIG_DIR",
                "JUPYTER_DATA_DIR",
                "JUPYTER_RUNTIME_DIR",
                "MPLCONFIGDIR",
            )
        }
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        path = f"{self.bin}{os.pathsep}{kept.get('PATH', '')}"
        return kept | own | {"PATH": path, "VIRTUAL_ENV": str(self.folder)}
