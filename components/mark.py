"""The product's mark, for the browser's tab, the menu and the pages before signing in."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

MARK = Path(__file__).with_name("mark.svg").read_text(encoding="utf-8").strip()
"""SVG text: Streamlit would fetch an emoji or a Material icon for the browser's tab from elsewhere."""
MARK_URL = f"data:image/svg+xml,{quote(MARK)}"
