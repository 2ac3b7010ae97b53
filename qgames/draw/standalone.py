"""A drawing as an SVG file of its own: tokens and classes are written out for programs without CSS.

In a page, colours are variables of the style sheet and change with light and dark. Word processors,
Inkscape and rasterisers know no variables, so here each gets its value.
"""

from __future__ import annotations

import re

from qgames.draw import theme

THEMES = {"light": theme.LIGHT, "dark": theme.DARK}
DRAWN = frozenset(
    "fill fill-opacity stroke stroke-width stroke-dasharray opacity font-weight font-size".split()
)
"""Properties of CSS that change what is drawn in an SVG."""
FONT = "system-ui, 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, 'DejaVu Sans Mono', monospace"


def standalone(drawing: str, theme_name: str = "light", padding: float = 12) -> str:
    """The file's text: ``drawing`` on the theme's ground, ``padding`` pixels around it.

    Raises ValueError for an unknown theme.
    """
    if theme_name not in THEMES:
        raise ValueError(f"unknown theme {theme_name!r}: expected one of {', '.join(THEMES)}")
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)
    if size is None:
        raise ValueError("expected a drawing whose viewBox starts at 0 0")
    width, height = (float(n) + 2 * padding for n in size.groups())
    inner = re.sub(r"^<svg ", f'<svg x="{padding:g}" y="{padding:g}" overflow="visible" ', drawing)
    whole = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}" font-family="{FONT}">'
        f"<style>{_rules()}</style>"
        f'<rect width="100%" height="100%" fill="var(--qg-bg)"/>{inner}</svg>\n'
    )
    return resolved(whole, theme_name)


def resolved(text: str, theme_name: str) -> str:
    """``text`` with each token replaced by its value in the theme."""
    tokens = {name: _plain(value) for name, value in THEMES[theme_name].items()}
    tokens |= {"ui": FONT, "mono": MONO}
    return re.sub(r"var\(--qg-(\w+)\)", lambda found: tokens[found[1]], text)


def _plain(value: str) -> str:
    """A token's own value: what stands behind the comma of ``var(--jp-..., #fff)``."""
    return value.partition(",")[2].rstrip(")") if value.startswith("var(") else value


def _rules() -> str:
    """The rules of the style sheet that change drawings, without states of the mouse and media."""
    sheet = re.sub(
        r"@(media|container|keyframes)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", theme.css()
    )
    kept = []
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet):
        rules = [r for r in body.split(";") if r.partition(":")[0].strip() in DRAWN]
        plain = [
            s.strip().removeprefix(".qg ")
            for s in selectors.split(",")
            if not re.search(r":|\[data-|^\s*\.qg\s*$|>|html|vscode", s)
        ]
        if rules and plain:
            kept.append(f"{','.join(plain)}{{{';'.join(rules)}}}")
    return "".join(kept)
