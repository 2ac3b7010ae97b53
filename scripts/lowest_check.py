"""Run the tests on the oldest releases that pyproject.toml promises to work with.

``python -m scripts.lowest_check [pytest's arguments]``. The browser's tests are left out: they show
that the newest JupyterLab works, and the oldest has other buttons.
"""

import sys

from packaging.requirements import Requirement

from scripts.environments import BUILD, Environment, project_requirements


def lowest(requirement: Requirement) -> str:
    """The pin of a range's lower end: ``numpy>=2.0,<3`` becomes ``numpy==2.0``."""
    for part in requirement.specifier:
        if part.operator == ">=":
            return f"{requirement.name}=={part.version}"
    raise ValueError(f"a dependency needs a lower bound: got {str(requirement)!r}")


def main() -> None:
    """Install the lower end of every range, then run pytest there."""
    environment = Environment(BUILD / "lowest")
    pins = environment.folder / "pins.txt"
    pins.write_text("".join(f"{lowest(r)}\n" for r in project_requirements("lab")), "utf-8")
    environment.pip_install("--constraint", pins, "--editable", ".[dev]")
    print(pins.read_text("utf-8"), end="")
    # Old releases warn about the future that has come meanwhile, so here warnings are no errors.
    environment.run("python", "-m", "pytest", "-m", "not browser", "-W", "default", *sys.argv[1:])


if __name__ == "__main__":
    main()
