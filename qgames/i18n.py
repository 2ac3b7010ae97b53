r"""Words that a player reads: English source sentences, translated by gettext catalogues.

A sentence is one message with named placeholders (``_("Planet {planet} is fixed.")``), filled in by
:func:`fill`; it is never glued from pieces, because word order differs between languages.
Catalogues stand in ``qgames/locale/<language>/LC_MESSAGES/qgames.mo``. Extract and compile with

    pybabel extract -F babel.cfg --omit-header --no-location --no-wrap --sort-output \
        -o qgames/locale/qgames.pot qgames
    pybabel update -D qgames -i qgames/locale/qgames.pot -d qgames/locale
    pybabel compile -D qgames -d qgames/locale
"""

from __future__ import annotations

import gettext as _gettext
from collections.abc import Sequence
from html import escape
from pathlib import Path

DOMAIN = "qgames"
LOCALE = Path(__file__).parent / "locale"
SOURCE = "en"


class Html(str):
    """Text that is HTML or SVG already; everything else is escaped before it is shown."""

    __slots__ = ()


class _Chosen:
    """The language in use and its catalogue."""

    name = SOURCE
    catalogue: _gettext.NullTranslations = _gettext.NullTranslations()


def languages() -> tuple[str, ...]:
    """The languages that can be chosen: English and every compiled catalogue."""
    found = {path.parts[-3] for path in LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")}
    return (SOURCE, *sorted(found - {SOURCE}))


def language() -> str:
    """The language in use."""
    return _Chosen.name


def use_language(name: str) -> None:
    """Show all words in ``name`` from now on; raises ValueError for a language there is not."""
    if name not in languages():
        raise ValueError(f"unknown language {name!r}: expected one of {', '.join(languages())}")
    _Chosen.catalogue = (
        _gettext.NullTranslations()
        if name == SOURCE
        else _gettext.translation(DOMAIN, LOCALE, [name])
    )
    _Chosen.name = name


def _(message: str) -> str:
    """``message`` in the language in use."""
    return _Chosen.catalogue.gettext(message)


def ngettext(one: str, many: str, number: int) -> str:
    """``one`` or ``many`` as ``number`` and the language in use ask for."""
    return _Chosen.catalogue.ngettext(one, many, number)


def html(value: object) -> Html:
    """``value`` as HTML: escaped unless it is :class:`Html` already."""
    return value if isinstance(value, Html) else Html(escape(str(value)))


def fill(message: str, **values: object) -> Html:
    """A message, whose own tags are kept, with its placeholders replaced by escaped values."""
    return Html(message.format(**{name: html(value) for name, value in values.items()}))


def listed(items: Sequence[object]) -> Html:
    """``6``, ``6 and 9``, ``4, 6 and 9``, as the language in use writes a list."""
    shown = [html(item) for item in items]
    if len(shown) < 2:
        return Html("".join(shown))
    first = Html(_(", ").join(shown[:-1]))
    return fill(_("{first} and {last}"), first=first, last=shown[-1])


def percent(chance: float) -> str:
    """A probability in per cent: whole numbers, one decimal below 10 % if it is not whole.

    Exact halves keep their decimal too (12.5 %), so that eighths still add up to 100 %.
    """
    value = round(100 * chance, 6)
    small = value < 9.95 and abs(value - round(value)) > 0.05
    number = f"{value:.1f}" if small or value % 1 == 0.5 else f"{value:.0f}"
    return _("{number} %").format(number=number)
