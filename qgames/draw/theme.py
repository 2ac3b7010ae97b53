"""The style sheet of the panel and of static pictures: tokens and component classes.

Everything stands under ``.qg``, a size container. Where the classes go::

    .qg
      .qg-head            h2, .qg-sub, .qg-sp (stretch), .qg-seg (radio group), .qg-btn
      .qg-bar             .qg-chip (.qg-on .qg-side-s0 .. for the seat to move), .qg-status
      .qg-main
        .qg-left          .qg-pane .qg-p-board, .qg-pane .qg-p-hand, .qg-pane .qg-p-odds
        .qg-right         .qg-pane .qg-p-circuit, .qg-pane .qg-p-state
      .qg-foot            .qg-ib (icon button), .qg-mv (chips .qg-mvc, .qg-cur)

A pane starts with ``.qg-ph`` (``h3`` left, ``.qg-sub`` right). Cards, odds, tiles, groups and
legends are
written by the drawings themselves. ``data-theme="dark"`` or ``"light"`` on ``.qg`` overrides
the host.
"""

from __future__ import annotations

from functools import lru_cache

LIGHT = {
    "bg": "var(--jp-layout-color1,#fff)",
    "ink": "var(--jp-ui-font-color1,#1b2330)",
    "ink2": "#55606e",
    "sunken": "#f4f6f9",
    "line": "#dfe4ea",
    "edge": "#7d8793",
    "wire": "#87909b",
    "s0": "#0072b2",
    "s0i": "#00619a",
    "s0t": "#e4f0f8",
    "s0h": "#b9daee",
    "s1": "#ba4e00",
    "s1i": "#9a4000",
    "s1t": "#fbeadf",
    "s1h": "#f7cfb4",
    "on": "#fff",
    "ga": "#00785a",
    "gat": "#ddf1ea",
    "gb": "#9c4378",
    "gbt": "#f6e4ee",
    "gc": "#786700",
    "gct": "#f7f2c4",
    "gd": "#55606e",
    "gdt": "#e8ebef",
    "mark": "#f0e442",
    "markline": "#1b2330",
    "markt": "#fbf8cf",
    "sq": "#d5dce4",
    "sql": "#f4f6f9",
    "wb": "#fff",
    "wt": "#1b2330",
    "wbh": "#0072b2",
    "bb": "#20262e",
    "bt": "#fff",
    "bbh": "#e8863a",
    "gloss": ".38",
    "shade": ".13",
}
DARK = LIGHT | {
    "bg": "var(--jp-layout-color1,#212121)",
    "ink": "var(--jp-ui-font-color1,#eceff3)",
    "ink2": "#b4bcc6",
    "sunken": "#17191d",
    "line": "#3b3f45",
    "edge": "#8b929b",
    "wire": "#8b929b",
    "s0": "#56b4e9",
    "s0i": "#8ccbf0",
    "s0t": "#1d3442",
    "s0h": "#285a78",
    "s1": "#e69f00",
    "s1i": "#f2bc4a",
    "s1t": "#3b2e12",
    "s1h": "#755312",
    "on": "#10151b",
    "ga": "#2bb98f",
    "gat": "#173a30",
    "gb": "#d98bb8",
    "gbt": "#3f2836",
    "gc": "#f0e442",
    "gct": "#3a3712",
    "gd": "#b4bcc6",
    "gdt": "#34383e",
    "markline": "#f0e442",
    "markt": "#3a3712",
    "sq": "#3a4048",
    "sql": "#24272c",
    "wb": "#f1f4f7",
    "bb": "#0d1013",
    "bbh": "#e69f00",
    "gloss": ".20",
    "shade": ".16",
}
FONTS = (
    "--qg-ui:var(--jp-ui-font-family,system-ui,sans-serif);"
    "--qg-mono:var(--jp-code-font-family,ui-monospace,Menlo,Consolas,monospace);"
)

DARK_HOSTS = (
    '[data-jp-theme-light="false"] .qg',
    ".vscode-dark .qg",
    ".vscode-high-contrast .qg",
    "html[theme=dark] .qg",
)
NO_HINT = ".qg:not([data-jp-theme-light] .qg,.vscode-light .qg,html[theme] .qg,[data-theme])"
"""A panel in a host that does not say whether it is light or dark."""


def _values(tokens: dict[str, str], plain: bool = False) -> str:
    """Declarations; ``plain`` keeps the host's own colours out of a theme that was asked for."""
    return "".join(
        f"--qg-{name}:{value.split(',')[1].rstrip(')') if plain and ',' in value else value};"
        for name, value in tokens.items()
    )


@lru_cache(maxsize=1)
def css() -> str:
    """The whole style sheet, for one ``<style>`` element a page."""
    return "\n".join(
        (
            f".qg{{{_values(LIGHT)}{FONTS}color-scheme:light}}",
            f"@media (prefers-color-scheme:dark){{{NO_HINT}{{{_values(DARK)}color-scheme:dark}}}}",
            f"{','.join(DARK_HOSTS)}{{{_values(DARK)}color-scheme:dark}}",
            f".qg.qg[data-theme=light]{{{_values(LIGHT, plain=True)}color-scheme:light}}",
            f".qg.qg[data-theme=dark]{{{_values(DARK, plain=True)}color-scheme:dark}}",
            SIDES,
            FRAME,
            HEADER,
            PANES,
            BOARD,
            CARDS,
            COLLAPSE,
            ODDS,
            CIRCUIT,
            STATE,
            MOVES,
            INSPECT,
            WARS,
            WIDTHS,
        )
    ).replace("\n\n", "\n")


SIDES = """
.qg,.qg-side-s0{--qg-side:var(--qg-s0);--qg-sidei:var(--qg-s0i);--qg-tint:var(--qg-s0t)}
.qg-side-s1{--qg-side:var(--qg-s1);--qg-sidei:var(--qg-s1i);--qg-tint:var(--qg-s1t)}
.qg-side-ga{--qg-side:var(--qg-ga);--qg-sidei:var(--qg-ga);--qg-tint:var(--qg-gat)}
.qg-side-gb{--qg-side:var(--qg-gb);--qg-sidei:var(--qg-gb);--qg-tint:var(--qg-gbt)}
.qg-side-gc{--qg-side:var(--qg-gc);--qg-sidei:var(--qg-gc);--qg-tint:var(--qg-gct)}
.qg-side-gd{--qg-side:var(--qg-gd);--qg-sidei:var(--qg-gd);--qg-tint:var(--qg-gdt)}
.qg-side-ink2{--qg-side:var(--qg-ink2);--qg-sidei:var(--qg-ink2);--qg-tint:var(--qg-gdt)}
.qg-side-ink{--qg-side:var(--qg-ink);--qg-sidei:var(--qg-ink2);--qg-tint:var(--qg-gdt)}
"""
"""The hue of a seat, for what is its own: chip, main button, secret card."""

FRAME = """
.qg,.qg *{box-sizing:border-box}
.qg{container:qg/inline-size;width:100%;max-width:1000px;font:14px/1.45 var(--qg-ui);
color:var(--qg-ink);
background:var(--qg-bg);border:1px solid var(--qg-line);border-radius:12px;overflow:hidden;
font-variant-numeric:tabular-nums;font-variant-ligatures:no-contextual;text-align:left}
.qg svg{display:block;font-family:var(--qg-ui);overflow:visible}
.qg svg.qg-i{display:inline-block;vertical-align:-3px;flex:none}
.qg h2,.qg h3,.qg p{margin:0;padding:0;color:inherit;font-family:inherit}
.qg h2{font-size:17px;line-height:24px;font-weight:650;letter-spacing:-.01em}
.qg h3{font-size:13px;line-height:20px;font-weight:650}
.qg b{font-weight:650}
.qg-sub{font-size:12px;line-height:16px;color:var(--qg-ink2);font-weight:400}
.qg-row{display:flex;align-items:center;gap:8px}
.qg-sp{flex:1 1 0}
.qg-ket{font-family:var(--qg-mono);font-size:13px;white-space:nowrap}
.qg-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
white-space:nowrap}
.qg :focus-visible{outline:2px solid var(--qg-ink);outline-offset:2px}
.qg .qg-btn,.qg .qg-ib{font:500 13px/18px var(--qg-ui);color:var(--qg-ink);
background:var(--qg-bg);
border:1px solid var(--qg-line);border-radius:6px;height:28px;min-width:28px;width:auto;margin:0;
padding:0 10px;
display:inline-flex;align-items:center;justify-content:center;gap:6px;white-space:nowrap;
box-shadow:none;cursor:pointer}
.qg .qg-ib{width:28px;padding:0}
.qg .qg-btn:hover:enabled,.qg .qg-ib:hover:enabled{background:var(--qg-sunken);
border-color:var(--qg-edge);box-shadow:none}
.qg .qg-btn.qg-pri{color:var(--qg-on);background:var(--qg-side);border-color:var(--qg-side);
font-weight:600}
.qg .qg-btn.qg-pri:hover:enabled{background:var(--qg-sidei);
border-color:var(--qg-sidei)}
.qg .qg-btn[aria-pressed=true]{background:var(--qg-sunken);border-color:var(--qg-edge);
font-weight:600;box-shadow:inset 0 -2px 0 var(--qg-ink)}
.qg .qg-btn:disabled,.qg .qg-ib:disabled{color:var(--qg-ink2);background:var(--qg-bg);
border:1px dashed var(--qg-line);
opacity:1;cursor:default}
.qg .qg-btn.qg-out:disabled{text-decoration:line-through}
.qg .qg-btn:focus-visible,.qg .qg-ib:focus-visible{outline:2px solid var(--qg-ink);
outline-offset:2px}
"""

HEADER = """
.qg-head{display:flex;align-items:center;gap:8px;padding:10px 16px;min-height:48px;
white-space:nowrap}
.qg-seg{display:inline-flex;border:1px solid var(--qg-line);border-radius:6px;overflow:hidden;
height:28px;flex:none}
.qg-seg>*{font:400 13px/26px var(--qg-ui);padding:0 10px;color:var(--qg-ink2);background:none;
border:0;
border-left:1px solid var(--qg-line);border-radius:0;height:26px;display:inline-flex;
align-items:center;gap:5px;cursor:pointer}
.qg-seg>:first-child{border-left:0}
.qg-seg>:hover{background:var(--qg-sunken)}
.qg-seg>.qg-on,.qg-seg>[aria-checked=true]{background:var(--qg-sunken);color:var(--qg-ink);
font-weight:600;
box-shadow:inset 0 -2px 0 var(--qg-ink)}
.qg-seg>:focus-visible{outline-offset:-2px}
.qg-bar{display:flex;align-items:stretch;border-top:1px solid var(--qg-line);
border-bottom:1px solid var(--qg-line);
min-height:48px;padding-right:16px;background:var(--qg-bg)}
.qg-chip{display:flex;align-items:center;gap:8px;padding:0 16px;font-size:13px;
white-space:nowrap;flex:none;
border-bottom:3px solid transparent;border-top:3px solid transparent}
.qg-chip .qg-nm{line-height:17px}
.qg-chip .qg-sub{display:block;line-height:15px}
.qg-chip .qg-big{font-size:18px;font-weight:650;margin-left:6px}
.qg-chip.qg-on{background:var(--qg-tint);border-bottom-color:var(--qg-side)}
.qg-chip.qg-on .qg-nm>:first-child{font-weight:650}
.qg-status{flex:1 1 0;align-self:center;padding:5px 0 5px 18px;font-size:14px;line-height:19px;
min-width:0}
.qg-dots circle{animation:qg-dot 1.2s infinite}
.qg-dots circle:nth-child(2){animation-delay:.2s}
.qg-dots circle:nth-child(3){animation-delay:.4s}
@keyframes qg-dot{0%,60%,100%{opacity:.3}30%{opacity:1}}
"""

PANES = """
.qg-main{display:grid;grid-template-columns:var(--left,392px) minmax(0,1fr)}
.qg-left{border-right:1px solid var(--qg-line);min-width:0}
.qg-right{min-width:0}
.qg-pane{padding:12px 16px 14px;min-width:0}
.qg-pane+.qg-pane{border-top:1px solid var(--qg-line)}
.qg-ph{display:flex;align-items:baseline;gap:8px;margin-bottom:8px;min-height:20px}
.qg-ph>.qg-sub{margin-left:auto;text-align:right}
.qg-ph.qg-mid{align-items:center}
.qg-foot{border-top:1px solid var(--qg-line);padding:10px 16px 14px}
.qg-cap{font-size:12px;line-height:16px;color:var(--qg-ink2);margin:12px 0 6px}
.qg-cap b{color:var(--qg-ink);font-weight:600}
.qg-leg{display:flex;flex-wrap:wrap;gap:4px 14px;font-size:12px;line-height:18px;
color:var(--qg-ink2);align-items:center;
margin-top:12px}
.qg-leg>span{display:inline-flex;align-items:center;gap:5px;white-space:nowrap}
.qg details>summary{font-size:12px;line-height:18px;color:var(--qg-ink2);cursor:pointer;
width:max-content;min-height:24px;
padding:3px 4px;border-radius:4px}
.qg details>summary:hover{color:var(--qg-ink)}
"""

BOARD = """
.qg-board{width:100%;height:auto}
.qg-cell{cursor:pointer;outline:none}
.qg .qg-cell:focus-visible{outline:none}
.qg-cell[aria-disabled=true]{cursor:default}
.qg-halo{fill:none;stroke:none;stroke-width:2}
.qg-cell:hover>.qg-halo{stroke:var(--qg-edge)}
.qg-cell[aria-disabled=true]:hover>.qg-halo{stroke:none}
.qg .qg-cell:focus-visible>.qg-halo{stroke:var(--qg-ink)}
.qg-no{opacity:0}
.qg-cell:hover>.qg-no,.qg-cell:focus-visible>.qg-no,.qg-tried>.qg-no{opacity:1}
.qg-faint{opacity:.55}
.qg-ghost{opacity:.6}
"""

COLLAPSE = """
.qg-would{visibility:hidden}
.qg-would.qg-shown{visibility:visible}
.qg:has([data-would]:is(:hover,:focus-visible)) .qg-would{visibility:hidden}
.qg:has([data-would="0"]:is(:hover,:focus-visible)) .qg-would[data-result="0"],
.qg:has([data-would="1"]:is(:hover,:focus-visible)) .qg-would[data-result="1"]{visibility:visible}
.qg .qg-card.qg-pick{display:grid;height:auto;padding:8px;font-size:13px;line-height:17px}
.qg-card.qg-pick>svg,.qg-card.qg-pick .qg-th>svg{position:static}
"""

CARDS = """
.qg-hand{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:8px}
.qg .qg-card{position:relative;display:block;width:100%;margin:0;border:1px solid var(--qg-line);
border-radius:8px;height:84px;
padding:7px 8px 6px 7px;background:var(--qg-bg);color:var(--qg-ink);
font:400 12px/16px var(--qg-ui);text-align:left;
cursor:pointer;transition:transform .12s}
.qg .qg-card:hover{border-color:var(--qg-edge);transform:translateY(-2px)}
.qg .qg-card:focus-visible{outline:2px solid var(--qg-ink);outline-offset:3px}
.qg-card>svg{position:absolute;left:7px;top:7px}
.qg-card .qg-cost{position:absolute;right:8px;top:8px;font-size:12px;line-height:18px;
font-weight:600;color:var(--qg-ink2)}
.qg-card .qg-nm{position:absolute;left:9px;right:2px;bottom:6px;color:var(--qg-ink2);
white-space:nowrap;overflow:hidden;
text-overflow:ellipsis}
.qg-card .qg-nm b{display:block;color:var(--qg-ink);font-size:13px}
.qg .qg-card[aria-pressed=true]{border-color:var(--qg-markline);
box-shadow:0 0 0 1px var(--qg-markline),0 0 0 4px var(--qg-mark)}
.qg .qg-card[aria-disabled=true]{border-style:dashed;border-color:var(--qg-line);
color:var(--qg-ink2);cursor:default;transform:none}
.qg-card[aria-disabled=true]>svg{opacity:.55}
.qg-card[aria-disabled=true] .qg-nm b{color:var(--qg-ink2)}
.qg-opp{display:flex;flex-wrap:wrap;align-items:center;margin-top:10px;font-size:12px;
color:var(--qg-ink2);gap:6px}
.qg-opp>span:first-child{display:inline-flex;align-items:center;gap:4px}
.qg-pill{display:inline-flex;align-items:center;gap:4px;border:1px solid var(--qg-line);
border-radius:10px;height:20px;
padding:0 7px;font-size:12px;line-height:18px;color:var(--qg-ink)}
.qg-pill.qg-long{height:auto;min-height:20px}
.qg-pill i{font-style:normal;color:var(--qg-ink2)}
"""

ODDS = """
.qg-odds{display:grid;gap:8px}
.qg-odds.qg-two{grid-template-columns:repeat(2,minmax(0,1fr))}
.qg-oc{display:grid;grid-template-columns:auto minmax(0,1fr);gap:2px 10px;align-items:center;
border:1px solid var(--qg-line);
border-radius:8px;padding:8px;font-size:13px;line-height:17px}
.qg-oc:hover{border-color:var(--qg-edge)}
.qg-oc .qg-p{display:flex;align-items:center;gap:6px;font-weight:650;font-size:15px;
line-height:20px;white-space:nowrap;
align-self:end}
.qg-oc .qg-p+span{align-self:start}
.qg-oc .qg-th{grid-row:1/3;align-self:start}
.qg-more{font-size:12px;line-height:16px;color:var(--qg-ink2);padding:2px 0}
.qg-after{margin-top:10px}
.qg-after p{font-size:13px;line-height:17px;margin:0 0 6px}
.qg-after>svg{width:100%;max-width:360px;height:auto}
"""

CIRCUIT = """
.qg-scroll{overflow-x:auto;overflow-y:hidden;direction:rtl;scrollbar-width:thin;border-radius:4px}
.qg-scroll>*{direction:ltr;margin-right:auto}
.qg-strip{position:relative;width:max-content;min-width:100%}
.qg-pin{position:sticky;left:0;width:0;height:0;z-index:1}
.qg-pin>svg{background:var(--qg-bg)}
.qg-scroll[tabindex]{clip-path:inset(0 0 0 1px)}
.qg .qg-scroll:focus-visible{outline-offset:-2px}
.qg-step{cursor:pointer}
.qg-step:hover text{fill:var(--qg-ink)}
"""

STATE = """
.qg-grp{overflow-x:auto;scrollbar-width:thin;border-left:3px solid var(--qg-ga);
padding:1px 0 1px 12px}
.qg-grp.qg-gb{border-color:var(--qg-gb)}.qg-grp.qg-gc{border-color:var(--qg-gc)}.qg-grp.qg-gd{
border-color:var(--qg-gd)}
.qg-grp+.qg-grp{margin-top:12px}
.qg-grps.qg-two{display:grid;grid-template-columns:repeat(auto-fill,minmax(270px,1fr));
gap:12px 16px}
.qg-two>.qg-grp+.qg-grp{margin-top:0}
.qg-two .qg-track{width:48px}
.qg .qg-two table.qg-amp td{padding-right:7px}
.qg-two .qg-gh>.qg-sub{display:none}
.qg-gh{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 10px;font-size:13px;
line-height:20px;margin-bottom:4px}
.qg-gh>.qg-sub{margin-left:auto}
.qg table.qg-amp{border-collapse:collapse;border:0;margin:0;font-size:13px;line-height:22px;
table-layout:auto;width:auto;
color:inherit;background:none}
.qg table.qg-amp tr{background:none}
.qg table.qg-amp td{padding:0 14px 0 0;border:0;white-space:nowrap;height:25px;
vertical-align:middle;text-align:left;
font-size:13px;max-width:none}
.qg table.qg-amp td.qg-n{text-align:right}
.qg-track{display:block;width:150px;height:8px;border-radius:4px;background:var(--qg-line);
position:relative;overflow:hidden}
.qg-track i{position:absolute;left:0;top:0;bottom:0;background:var(--qg-ga)}
.qg-gb .qg-track i{background:var(--qg-gb)}.qg-gc .qg-track i{
background:var(--qg-gc)}.qg-gd .qg-track i{background:var(--qg-gd)}
.qg-tiles{display:grid;column-gap:4px;align-items:stretch;position:relative}
.qg-nine{grid-template-columns:repeat(9,minmax(0,1fr));row-gap:4px}
.qg-tile{border:1px solid var(--qg-line);border-radius:8px;padding:5px 2px 6px;text-align:center;
font-size:12px;
line-height:16px;background:var(--qg-bg);min-width:0}
.qg-tile svg{margin:3px auto 3px;max-width:100%}
.qg-tile .qg-sub{line-height:15px;display:block;white-space:nowrap}
.qg-tile .qg-ket{display:block;overflow:hidden}
.qg-bus{--h:var(--qg-ga);position:relative;border:2.5px solid var(--h);border-bottom:0;
border-radius:10px 10px 0 0;
margin:11px calc((100% - (var(--n) - 1)*4px)/var(--n)/2 - 1.25px) 0}
.qg-drop{--h:var(--qg-ga);justify-self:center;width:2.5px;background:var(--h);margin-top:11px}
.qg-bus.qg-gb,.qg-drop.qg-gb{--h:var(--qg-gb)}.qg-bus.qg-gc,.qg-drop.qg-gc{--h:var(--qg-gc)}
.qg-bus.qg-gd,.qg-drop.qg-gd{--h:var(--qg-gd)}
.qg-bus>span{position:absolute;left:50%;top:-1.25px;transform:translate(-50%,-50%);
background:var(--qg-bg);
border:1.5px solid var(--h);border-radius:10px;height:20px;padding:0 10px;font-size:12px;
line-height:17px;font-weight:600;
white-space:nowrap;z-index:1}
.qg-bus.qg-maybe{border-style:dashed;border-bottom:0}
.qg-facts{font-size:12px;line-height:18px;margin-top:10px;display:grid;gap:6px}
.qg-facts span{display:inline-flex;align-items:center;gap:5px}
.qg-facts>div{display:flex;flex-wrap:wrap;gap:2px 8px;align-items:center}
.qg-facts .qg-sub{line-height:18px}
.qg-facts .qg-glyphs{display:inline-flex;gap:2px}
.qg-facts .qg-ket{font-size:12px}
.qg-legend{display:grid;grid-template-columns:repeat(auto-fill,minmax(190px,1fr));gap:4px 14px;
font-size:12px;line-height:18px;
padding:6px 0}
.qg-legend>span{display:flex;align-items:center;gap:8px}
.qg-legend svg{flex:none}
"""

MOVES = """
.qg-mv{display:flex;gap:6px;flex-wrap:wrap;max-height:90px;overflow-y:auto;padding:3px}
.qg .qg-mvc{display:inline-flex;align-items:center;gap:5px;border:1px solid transparent;
border-radius:6px;height:26px;margin:0;
padding:0 8px 0 6px;font:400 13px/18px var(--qg-ui);color:var(--qg-ink);background:none;
white-space:nowrap;cursor:pointer}
.qg-mvc .qg-n{color:var(--qg-ink2);font-size:12px}
.qg .qg-mvc:hover{border-color:var(--qg-edge)}
.qg .qg-mvc.qg-cur{border-color:var(--qg-ink);font-weight:600;background:var(--qg-sunken)}
.qg .qg-mvc.qg-later{color:var(--qg-ink2);border-style:dashed}
"""

INSPECT = """
.qg-inspect{display:grid;gap:8px;min-width:0}
.qg-inspect .qg-scroll{direction:ltr}
.qg-says{font-size:14px;line-height:20px}
.qg-says+.qg-scroll{margin-top:8px}
[data-pane=inspect] .qg-ph{flex-wrap:wrap}
[data-pane=inspect] .qg-btn{flex:none}
.qg .qg-fragment{height:auto}
.qg [data-at][hidden]{display:none}
.qg-stage{cursor:pointer}
.qg-stage:hover{fill:var(--qg-line);fill-opacity:.5}
.qg-states{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:8px}
.qg-stage-state{border:1px solid var(--qg-line);border-radius:8px;padding:6px 10px 8px;
min-width:0;overflow-x:auto}
.qg-stage-state.qg-now{border-color:var(--qg-markline);box-shadow:0 0 0 1px var(--qg-mark)}
.qg .qg-stage-state h4{margin:0 0 4px;padding:0;font:600 12px/18px var(--qg-ui);
color:var(--qg-ink2)}
.qg-stage-state .qg-track{width:60px}
.qg .qg-stage-state table.qg-amp td{padding-right:10px}
.qg-stage-state .qg-grp+table{margin-top:6px}
.qg table.qg-branches tr.qg-happened td{font-weight:650}
.qg-branches .qg-track i{background:var(--qg-ink2)}
.qg-happened .qg-track i{background:var(--qg-ink)}
.qg-inspect>.qg-branches{justify-self:start}
.qg-what-if{display:grid;grid-template-columns:repeat(auto-fill,minmax(200px,1fr));gap:8px}
.qg-after-board{display:block}
.qg-after-board svg.qg-board{max-width:260px}
.qg-walk{display:flex;align-items:center;gap:12px}
.qg pre.qg-qiskit{overflow-x:auto;margin:0;padding:8px;font:12px/15px var(--qg-mono);
color:var(--qg-ink);background:var(--qg-sunken);border-radius:6px}
.qg div.qg-qiskit{overflow-x:auto;background:#fff;border-radius:6px;padding:4px}
.qg div.qg-qiskit>svg{max-width:100%;height:auto}
"""

WARS = """
.qg-main:has(.qg-wars-board){grid-template-columns:minmax(0,470px) minmax(0,1fr)}
.qg-main:has(.qg-wars-board)>.qg-left,.qg-main:has(.qg-wars-board)>.qg-right{display:contents}
.qg-main:has(.qg-wars-board) .qg-p-board{grid-column:1/-1}
.qg-main:has(.qg-wars-board) .qg-p-hand{grid-column:1;border-top:1px solid var(--qg-line)}
.qg-main:has(.qg-wars-board) .qg-p-odds{grid-column:1}
.qg-main:has(.qg-wars-board) .qg-p-state{grid-column:2;grid-row:2/span 2;
border-left:1px solid var(--qg-line);border-top:1px solid var(--qg-line)}
.qg-wars-do{flex-wrap:wrap;margin-top:10px}
.qg .qg-wars-do .qg-btn[aria-pressed=true],.qg .qg-wars-choice .qg-btn[aria-pressed=true]{
border-color:var(--qg-markline);box-shadow:0 0 0 1px var(--qg-markline),0 0 0 4px var(--qg-mark)}
.qg-wars-choice{display:grid;gap:8px;padding:4px}
.qg .qg-wars-choice .qg-btn{justify-content:flex-start;white-space:normal;height:auto;
min-height:28px}
.qg-wars-mission{border:1.5px solid var(--qg-side);border-radius:8px;padding:8px 12px;
margin-top:12px;font-size:13px;line-height:19px}
.qg-wars-mission svg{margin:2px 0 4px}
.qg table.qg-wars-t{border-collapse:collapse;margin:4px 0 8px;font-size:13px;line-height:20px;
width:auto;color:inherit}
.qg table.qg-wars-t th{font-weight:400;font-size:12px;color:var(--qg-ink2);text-align:left;
padding:0 12px 2px 0;border:0}
.qg table.qg-wars-t td{padding:1px 12px 1px 0;border:0;border-top:1px solid var(--qg-line);
text-align:left;white-space:nowrap}
.qg table.qg-wars-t tr{background:none}
.qg-p-state details,.qg-p-state .qg-cap+svg{max-width:100%;overflow-x:auto}
.qg-wars-sheet{display:flex;flex-wrap:wrap;gap:12px;overflow-x:auto;padding:2px}
.qg-wars-back{border:1px solid var(--qg-edge);border-radius:6px;padding:8px 12px;font-size:13px}
.qg-wars-back ul{margin:4px 0 0;padding:0;list-style:none}
"""

WIDTHS = """
.qg-static .qg-cell,.qg-static .qg-step,.qg-static .qg-card,.qg-static .qg-mvc{cursor:default}
@container qg (max-width:879.98px){
.qg-main{grid-template-columns:minmax(0,392fr) minmax(200px,248fr)}
.qg-left,.qg-right{display:contents}
.qg-main .qg-pane{grid-column:1/-1;border-top:1px solid var(--qg-line)}
.qg-main .qg-p-board{grid-column:1;border-top:0}
.qg-main .qg-p-hand{grid-column:2;border-top:0;border-left:1px solid var(--qg-line)}
.qg-p-hand .qg-hand{grid-template-columns:repeat(2,minmax(0,1fr))}
.qg-bar{flex-wrap:wrap;padding-right:0}
.qg-status{flex:1 0 100%;min-height:44px;padding:6px 16px;border-top:1px solid var(--qg-line)}
.qg-head .qg-word,.qg-head h2+.qg-sub{display:none}
.qg-head .qg-btn{width:28px;padding:0}
.qg-after>svg{max-width:none}
}
@container qg (max-width:559.98px){
.qg-states{grid-template-columns:minmax(0,1fr)}
.qg-head{flex-wrap:wrap}
.qg-main{grid-template-columns:minmax(0,1fr)}
.qg-main .qg-p-board,.qg-main .qg-p-hand{grid-column:1}
.qg-main .qg-p-hand{border-left:0;border-top:1px solid var(--qg-line)}
.qg-main:has(.qg-wars-board){grid-template-columns:minmax(0,1fr)}
.qg-main:has(.qg-wars-board) .qg-p-state{grid-column:1;grid-row:auto;border-left:0}
.qg-main:has(.qg-wars-board) .qg-p-board{overflow-x:auto}
.qg-wars-board{min-width:640px}
.qg-p-hand .qg-hand{grid-template-columns:repeat(4,minmax(0,1fr))}
.qg-odds.qg-two{grid-template-columns:minmax(0,1fr)}
.qg-chip{padding:0 10px;flex:1 1 auto}
.qg-track{width:70px}
.qg table.qg-amp td{padding-right:8px}
}
@container qg (max-width:459.98px){
.qg-p-hand .qg-hand{grid-template-columns:repeat(2,minmax(0,1fr))}
.qg-tile svg:nth-of-type(2){display:none}
.qg-tile .qg-ket{white-space:normal;font-size:12px;line-height:15px}
.qg-nine{grid-template-columns:repeat(5,minmax(0,1fr))}
}
@media (prefers-reduced-motion:reduce){.qg *{animation:none!important;transition:none!important}}
@media (forced-colors:active){.qg svg,.qg-track,.qg-chip{forced-color-adjust:none}}
"""
