import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests import conftest
from tests.browser_kit import NAMES, browser, find_chromium, open_notebook, server

COUNTER = """
import anywidget, traitlets

class Counter(anywidget.AnyWidget):
    _esm = '''export default { render({ model, el }) {
      const button = document.createElement("button");
      button.className = "counter";
      const show = () => { button.textContent = model.get("text"); };
      button.onclick = () => model.send("click");
      model.on("change:text", show);
      show();
      el.append(button);
    } };'''
    text = traitlets.Unicode("0").tag(sync=True)

counter = Counter()
counter.on_msg(lambda widget, message, buffers: setattr(widget, "text", str(int(widget.text) + 1)))
counter
"""


def test_a_click_reaches_python_and_its_answer_the_page(chromium, tmp_path):
    notebook = tmp_path / "counter.ipynb"
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(cells=[new_code_cell(COUNTER)], metadata=kernel), notebook)
    with server([notebook], dark=True) as lab, browser(lab, chromium) as tab:
        open_notebook(tab, lab, notebook.name)
        tab.page.click("button.counter:has-text('0')")
        tab.page.wait_for_selector("button.counter:has-text('1')")
        assert tab.page.get_attribute("body", "data-jp-theme-light") == "false"
        assert tab.errors == []
        assert all(url.startswith((lab.url, "data:", "blob:")) for url in tab.urls)


def test_the_browser_can_be_named(monkeypatch):
    monkeypatch.setenv("QGAMES_CHROMIUM", "/opt/my/chrome")
    assert find_chromium() == "/opt/my/chrome"


def test_no_browser_on_the_path_is_none(monkeypatch, tmp_path):
    monkeypatch.delenv("QGAMES_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_chromium() is None
    (tmp_path / NAMES[-1]).touch(0o755)
    assert find_chromium() == str(tmp_path / NAMES[-1])


def test_a_missing_browser_is_a_skip_that_says_why(monkeypatch):
    monkeypatch.delenv("QGAMES_REQUIRE_BROWSER", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"^no browser is installed$"):
        conftest.missing("no browser is installed")


def test_a_missing_browser_fails_where_one_is_required(monkeypatch):
    monkeypatch.setenv("QGAMES_REQUIRE_BROWSER", "1")
    with pytest.raises(
        pytest.fail.Exception, match=r"^QGAMES_REQUIRE_BROWSER=1, but no browser is installed$"
    ):
        conftest.missing("no browser is installed")
