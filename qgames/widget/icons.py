"""The few icons of the panel's buttons, drawn here because icon fonts load from elsewhere."""

PATHS = {
    "undo": "M6 3.5 2.8 6.7 6 9.9M3 6.7h6.2a3.6 3.6 0 0 1 0 7.2H6.5",
    "new": "M8 3v10M3 8h10",
    "save": "M8 2.5v7.2M5 7l3 3 3-3M3 13.2h10",
    "load": "M8 10V2.8M5 5.6l3-3 3 3M3 13.2h10",
    "first": "M4 3.2v9.6M12 3.2 6.6 8l5.4 4.8z",
    "back": "M10 3.4 5.4 8l4.6 4.6",
    "forward": "M6 3.4 10.6 8 6 12.6",
    "live": "M12 3.2v9.6M4 3.2 9.4 8 4 12.8z",
    "barred": "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM3.8 12.2l8.4-8.4",
}


def icon(name: str) -> str:
    """An icon of 16 pixels in the colour of the text around it."""
    return (
        '<svg class="qg-icon" width="16" height="16" viewBox="0 0 16 16" fill="none"'
        ' stroke="currentColor" stroke-width="1.5" stroke-linecap="round"'
        ' stroke-linejoin="round" aria-hidden="true">'
        f'<path d="{PATHS[name]}"/></svg>'
    )
