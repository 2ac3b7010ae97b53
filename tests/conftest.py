"""What all tests share: the browser and who may do without it, and hypothesis' settings."""

import importlib.util
import os
from typing import NoReturn

import pytest
from hypothesis import settings

from tests.browser_kit import NAMES, find_chromium

# The first circuit of a process takes Aer a second, so a time limit for one example says nothing.
# With CI set (by every CI service) the examples are the same in each run.
settings.register_profile("qgames", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("qgames")


def missing(what: str) -> NoReturn:
    """End a test that cannot have its browser: a skip, or a failure where one is required."""
    if os.environ.get("QGAMES_REQUIRE_BROWSER") == "1":
        pytest.fail(f"QGAMES_REQUIRE_BROWSER=1, but {what}", pytrace=False)
    pytest.skip(what)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the browser to drive; a test that asks for it needs one (see `missing`)."""
    path = find_chromium()
    if path is None:
        missing(f"no browser is installed (looked for {', '.join(NAMES)}; or set QGAMES_CHROMIUM)")
    if importlib.util.find_spec("playwright") is None:
        missing("the Python package playwright is not installed")
    return path


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever asks for the browser is marked so, and `-m "not browser"` leaves it out."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
