"""The HTML pages in front of the app: signing in, accepting an invitation, and refusals.

They need no script and load nothing but the font of the app, so that they work before sign-in. All values are
escaped."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit
from jinja2 import Environment, FileSystemLoader

from components.mark import MARK_URL

# The gate lets everyone fetch this one file of Streamlit's.
FONT = next((Path(streamlit.__file__).parent / "static" / "static" / "media").glob("SourceSansVF-Upright.*.woff2"))
FONT_URL = f"/static/media/{FONT.name}"
_pages = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)
_pages.globals.update(mark=MARK_URL, font=FONT_URL)


def sign_in_page(*, study: str, form: str, next_path: str, offers_owner: bool, name: str = "", fault: str = "") -> str:
    """Return the sign-in form. `form`: token that the answer repeats; `offers_owner` adds the local study's button."""
    return _pages.get_template("sign_in.html").render(
        title="Sign in", study=study, form=form, next=next_path, offers_owner=offers_owner, name=name, fault=fault
    )


def invitation_page(
    *, study: str, form: str, roles: Mapping[str, str], reset_name: str, shortest: int, name: str = "", fault: str = ""
) -> str:
    """Return the form of an invitation, or of a reset link if `reset_name` names whose password it sets.

    `roles`: what each role of the invitation does, as after "An annotator"; `shortest`: least number of characters of a
    password."""
    does = [f"{'An' if role[0] in 'aeiou' else 'A'} {role} {words}." for role, words in roles.items()]
    return _pages.get_template("invitation.html").render(
        title="New password" if reset_name else "Join the study",
        study=study,
        form=form,
        roles=" and ".join(roles),
        does=" ".join(does),
        is_reset=bool(reset_name),
        name=reset_name or name,
        shortest=shortest,
        fault=fault,
    )


def message_page(*, study: str, title: str, fault: str, href: str, link: str) -> str:
    """Return one sentence on why access ends here, and one link onwards."""
    return _pages.get_template("message.html").render(title=title, study=study, fault=fault, href=href, link=link)
