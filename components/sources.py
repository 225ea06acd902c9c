"""The JavaScript and CSS files that lie beside the components, read once when a component is registered."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent


def joined(*names: str) -> str:
    """The named files of this folder in the given order as one text. Streamlit takes one script and one style
    sheet per component, so shared pieces are put in front of the component's own."""
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)
