"""Words: filled in whole, escaped, translated, and all of them in the catalogue's template."""

import ast
import io
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from qgames import i18n
from qgames.i18n import Html, _, fill, html, listed, ngettext, percent

babel = pytest.importorskip("babel", reason="the package babel is not installed")

ROOT = Path(__file__).parents[1]
TEMPLATE = i18n.LOCALE / "qgames.pot"


def test_values_are_escaped_and_the_message_keeps_its_tags() -> None:
    assert (
        fill("Planet <b>{planet}</b>.", planet="<i>5</i>") == "Planet <b>&lt;i&gt;5&lt;/i&gt;</b>."
    )
    assert fill("{a}{b}", a=Html("<i>x</i>"), b="&") == "<i>x</i>&amp;"
    assert html('"') == "&quot;"
    assert html(Html("<b>")) == "<b>"


def test_lists_are_written_as_sentences_need_them() -> None:
    assert [listed(list(range(n))) for n in range(5)] == [
        "",
        "0",
        "0 and 1",
        "0, 1 and 2",
        "0, 1, 2 and 3",
    ]
    assert listed(["<", Html("<b>x</b>")]) == "&lt; and <b>x</b>"


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (1, "100 %"),
        (0.5, "50 %"),
        (0.25, "25 %"),
        (1 / 3, "33 %"),
        (2 / 3, "67 %"),
        (0.125, "12.5 %"),
        (0.875, "87.5 %"),
        (0.0625, "6.2 %"),
        (0.03, "3 %"),
        (0.035, "3.5 %"),
        (0.0999, "10 %"),
        (1 - 1e-12, "100 %"),
        (0, "0 %"),
    ],
)
def test_percent(chance: float, words: str) -> None:
    assert percent(chance) == words


# ---- another language ----------------------------------------------------------------------------


@pytest.fixture
def latin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A catalogue in which a few words have a translation."""
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo

    catalog = Catalog(locale="la")
    catalog.add(
        "Your turn. Choose a planet, then a card.", "Tuum est. Elige planetam, deinde chartam."
    )
    catalog.add("{first} and {last}", "{first} et {last}")
    catalog.add(("{count} planet", "{count} planets"), ("{count} planeta", "{count} planetae"))
    folder = tmp_path / "la" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "qgames.mo").open("wb") as file:
        write_mo(file, catalog)
    monkeypatch.setattr(i18n, "LOCALE", tmp_path)
    yield
    i18n.use_language("en")


@pytest.mark.usefixtures("latin")
def test_a_language_can_be_chosen() -> None:
    from qgames import Match
    from qgames.draw import Look, scene

    assert i18n.languages() == ("en", "la")
    i18n.use_language("la")
    assert i18n.language() == "la"
    assert listed([6, 9]) == "6 et 9"
    assert ngettext("{count} planet", "{count} planets", 9) == "{count} planetae"
    show, view = scene("qlanet"), Match("qlanet", seed=1).view(0)
    assert show.status(view, Look()) == "Tuum est. Elige planetam, deinde chartam."
    i18n.use_language("en")
    assert listed([6, 9]) == "6 and 9"


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^unknown language 'xx': expected one of en"):
        i18n.use_language("xx")
    assert i18n.language() == "en"


def test_words_without_a_translation_stay_english() -> None:
    assert _("no such message") == "no such message"


# ---- the template --------------------------------------------------------------------------------


def extracted() -> set[str]:
    """Every message in the source, by Babel's own extraction with ``babel.cfg``."""
    from babel.messages.extract import extract_from_dir
    from babel.messages.frontend import parse_mapping_cfg

    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    texts: set[str] = set()
    for _file, _line, message, *_more in extract_from_dir(str(ROOT / "qgames"), methods, options):
        texts |= {message} if isinstance(message, str) else set(message)
    return texts - {""}


def in_template() -> set[str]:
    from babel.messages.pofile import read_po

    catalog = read_po(io.StringIO(TEMPLATE.read_text(encoding="utf-8")))
    texts: set[str] = set()
    for message in catalog:
        texts |= {message.id} if isinstance(message.id, str) else set(message.id)
    return texts - {""}


def test_the_template_has_every_message() -> None:
    """After changing words write it anew, with the command in the docstring of qgames/i18n.py."""
    assert extracted() == in_template()


def test_messages_are_whole_sentences_with_named_placeholders() -> None:
    for message in extracted():
        fields = [
            name for _t, name, _s, _c in string.Formatter().parse(message) if name is not None
        ]
        assert all(name.isidentifier() for name in fields), message
        assert message == message.strip() or message == ", ", message
        assert "!" not in message, message


def test_every_module_that_shows_words_takes_them_from_here() -> None:
    """Words in the drawings stand inside _(...): no bare sentence is left between tags."""
    bare = []
    for path in sorted((ROOT / "qgames" / "draw").glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                text = "".join(v.value for v in node.values if isinstance(v, ast.Constant))
                between = [piece.split("<")[0] for piece in text.split(">")[1:]]
                bare += [
                    f"{path.name}:{node.lineno} {words}"
                    for words in between
                    if sum(c.isalpha() for c in words) > 3
                ]
    assert bare == []
