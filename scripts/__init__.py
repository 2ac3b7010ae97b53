"""Checks of the packaging, too heavy for pytest; each runs as ``python -m scripts.NAME``."""
