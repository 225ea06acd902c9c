"""Entry point of the screens: the viewer, their pages, and the boundary around the open page."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import links, shell, state
from components.mark import MARK
from components.menu.menu import MenuPage
from components.widgets.uploads import session_id
from core.people import Permission, Viewer
from pages.adjudication import screen as adjudicate
from pages.agreement import screen as agreement
from pages.exchange import screen as exchange
from pages.failures import screen as failures
from pages.graphs import screen as graphs
from pages.overview import screen as overview
from pages.overview import setup
from pages.papers import screen as papers
from pages.people import screen as people
from pages.questions import screen as questions
from pages.readings import screen as readings
from pages.releases import screen as releases
from pages.results import screen as results
from pages.runs import screen as runs
from pages.settings import screen as settings
from pages.texts import screen as texts
from pages.transcription import screen as transcribe
from pages.triplets import screen as triplets
from pages.verdicts import screen as verdicts
from services import drafts
from services.exchange import uploads
from services.people import access
from services.study import current_study
from web.cookies import session_token

# Draft of a person who dismissed the note that a local study has no sign-in.
LOCAL_NOTE = "local.note"

# Section, title, path, icon, screen, and permissions, of which one is sufficient.
MENU = (
    ("Study", "Overview", "overview", "home", overview.show, (Permission.READ_STUDY,)),
    ("Build", "Papers", "papers", "description", papers.show, (Permission.CURATE,)),
    ("Build", "Transcribe", "transcribe", "polyline", transcribe.show, (Permission.OPEN_WORK,)),
    ("Build", "Adjudicate", "adjudicate", "balance", adjudicate.show, (Permission.ADJUDICATE,)),
    ("Build", "Graphs from texts", "readings", "article", readings.show, (Permission.TRANSCRIBE, Permission.SCORE)),
    ("Score", "Triplets", "triplets", "rule", triplets.show, (Permission.SCORE,)),
    ("Score", "Texts", "texts", "label", texts.show, (Permission.TRANSCRIBE, Permission.SCORE)),
    ("Score", "Agreement", "agreement", "handshake", agreement.show, (Permission.REVIEW,)),
    ("Evaluate", "Runs", "runs", "play_circle", runs.show, (Permission.REVIEW,)),
    ("Evaluate", "Verdicts", "verdicts", "gavel", verdicts.show, (Permission.VERDICT,)),
    ("Evaluate", "Failures", "failures", "bug_report", failures.show, (Permission.REVIEW,)),
    ("Evaluate", "Results", "results", "leaderboard", results.show, (Permission.REVIEW,)),
    ("Evaluate", "Graph lab", "graphs", "science", graphs.show, (Permission.READ_STUDY,)),
    ("Data", "Questions", "questions", "quiz", questions.show, (Permission.EXPORT,)),
    ("Data", "Releases", "releases", "inventory_2", releases.show, (Permission.EXPORT,)),
    ("Data", "Import / export", "exchange", "swap_horiz", exchange.show, (Permission.EXPORT,)),
    ("Data", "People & study", "people", "group", people.show, (Permission.READ_STUDY,)),
    ("Data", "Settings", "settings", "tune", settings.show, (Permission.ASSIGN, Permission.MANAGE)),
)


def menu(viewer: Viewer) -> tuple[list[st.Page], dict[str, st.Page], dict[str, list[MenuPage]]]:
    """Return all pages, the viewer's by path, and these by menu section; others are hidden but their links answer."""
    pages: list[st.Page] = []
    own: dict[str, st.Page] = {}
    sections: dict[str, list[MenuPage]] = {}
    for section, title, path, icon, show, may in MENU:
        is_own = any(viewer.may(each) for each in may)
        shown_title = "My account" if path == "people" and not viewer.may(Permission.MANAGE) else title
        page = st.Page(
            partial(show, viewer) if is_own else partial(shell.forbidden_page, title, may[0]),
            title=shown_title,
            url_path=path,
            default=path == "overview",
            visibility="visible" if is_own else "hidden",
        )
        pages.append(page)
        if is_own:
            own[path] = page
            sections.setdefault(section, []).append(MenuPage(shown_title, page.url_path, icon))
    return pages, own, sections


def main() -> None:
    st.set_page_config(page_title="Edgewise", page_icon=MARK, layout="wide", initial_sidebar_state=228)
    with uploads.page_run(session_id()), shell.boundary():
        study = current_study()
        viewer = access.viewer_of(session_token(st.context.cookies))
        state.belong_to(viewer)
        pages, own, sections = menu(viewer)
        page = st.navigation(pages, position="hidden")
        links.know(own)
        store = "a SQLite file" if study.store.is_sqlite else "a PostgreSQL database"
        shell.sidebar(viewer, sections, page.url_path, study=study.title, store=store)
        shell.banner(
            viewer,
            go_back=partial(people.work_as, viewer, None),
            is_dismissed=lambda: bool(drafts.draft(viewer, LOCAL_NOTE)),
            dismiss=partial(drafts.keep_draft, viewer, LOCAL_NOTE, "dismissed"),
        )
        setup.way_back(viewer)
        page.run()


if __name__ == "__main__":
    main()
