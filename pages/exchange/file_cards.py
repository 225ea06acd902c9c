"""Dropped files that each become one object of the study: cards with title and licence, and one write per file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import streamlit as st

from components import shell, state
from components.widgets import acts
from core.errors import BadRow
from core.people import Receipt, Viewer
from core.words import counted
from pages.exchange.sources import PAGE, UploadedSource, clear
from services.graphs.import_reading import LONGEST_LICENCE, LONGEST_TITLE


class FileLook(Protocol):
    """Preview of a file. `error`: the file cannot be read; `faults`: its faulty rows."""

    @property
    def error(self) -> str: ...

    @property
    def faults(self) -> Sequence[BadRow]: ...


Look = TypeVar("Look", bound=FileLook)


@dataclass(frozen=True, slots=True)
class FileImportChoice(Generic[Look]):
    """Import choices for one file: all its good rows, under this title and licence."""

    given: UploadedSource
    look: Look
    title: str
    licence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCards(Generic[Look]):
    """Kind of file that can be imported.

    Attributes:
        name: part of the widget keys
        heading: icon and description
        what, row: nouns for one imported object and one row
        preview: reads a file
        `told`: draws the contents
        known: message for a file that is already in the study, or ""
        good: counts the rows that can be imported
        bring: service function that writes one file
        below: draws more under title and licence
    """

    name: str
    heading: str
    verb: str
    what: str
    row: str
    writing: str
    preview: Callable[[Viewer, str, bytes], Look]
    told: Callable[[Look], None]
    known: Callable[[Look], str]
    good: Callable[[Look], int]
    bring: Callable[..., Receipt]
    below: Callable[[Look], None] = lambda _look: None

    @property
    def scope(self) -> str:
        return state.key(PAGE, f"{self.name}.kept")

    @property
    def _previews_key(self) -> str:
        return state.key(PAGE, f"{self.name}.looks")

    @property
    def _form_key(self) -> str:
        return state.key(PAGE, f"import.{self.name}")

    def _key(self, file: UploadedSource, name: str) -> str:
        return state.key(PAGE, f"source.{file.id}.{self.name}.{name}")

    def cards(
        self, viewer: Viewer, files: Sequence[UploadedSource]
    ) -> tuple[list[FileImportChoice[Look]], list[BadRow]]:
        """Draw the files; return the import choices and every faulty row."""
        before: dict[str, Look] = st.session_state.get(self._previews_key, {})
        previews, choices = dict[str, Look](), list[FileImportChoice[Look]]()
        for file in files:
            mark = hashlib.sha256(file.content).hexdigest()
            look = before.get(mark) or self.preview(viewer, file.name, file.content)
            previews[mark] = look
            if (choice := self._card(file, look)) is not None:
                choices.append(choice)
        st.session_state[self._previews_key] = previews
        return choices, [fault for look in previews.values() if not self.known(look) for fault in look.faults]

    def _card(self, file: UploadedSource, look: Look) -> FileImportChoice[Look] | None:
        with st.container(border=True, gap="small", key=self._key(file, "card")):
            if look.error:
                st.markdown(f":material/block: **{shell.escaped(file.name)}** cannot be read")
                shell.plain(look.error)
                return None
            icon, _, what = self.heading.partition(" ")
            st.markdown(f"{icon} **{shell.escaped(file.name)}** · {what}")
            self.told(look)
            if notice := self.known(look):
                if st.session_state.get(self._key(file, "imported")):
                    st.markdown(":material/check_circle: Imported.")
                else:
                    st.text(notice)
                return None
            left, right = st.columns([3, 2])
            title = left.text_input(
                "Title", file.name.rsplit(".", 1)[0], key=self._key(file, "title"), max_chars=LONGEST_TITLE
            )
            licence = right.text_input(
                "Licence",
                "",
                key=self._key(file, "licence"),
                max_chars=LONGEST_LICENCE,
                placeholder="Example: CC-BY-4.0; empty if unknown",
            )
            self.below(look)
            return FileImportChoice(file, look, title, licence) if self.good(look) else None

    def button(
        self, viewer: Viewer, choices: Sequence[FileImportChoice[Look]], *, is_last: bool, then: Callable[[str], None]
    ) -> None:
        """Draw the button that writes all files.

        `is_last`: no other kind of file waits; `then` opens the last one by ID.
        """
        if left_out := sum(len(each.look.faults) for each in choices):
            st.caption(f"{counted(left_out, self.row)} left out.")
        words = f"{self.verb} {counted(sum(self.good(each.look) for each in choices), self.what)}"
        if choices and st.button(words, type="primary", key=state.act_key(self._form_key, "keep")):
            with shell.boundary(), st.spinner(self.writing):
                last = ""
                for choice in choices:  # one act per file: a refused file does not affect the others
                    form = self._key(choice.given, "import")
                    receipt = self.bring(
                        viewer,
                        choice.given.name,
                        choice.given.content,
                        with_faulty=True,
                        title=choice.title,
                        licence=choice.licence,
                        act_id=state.act_id(form),
                    )
                    state.spend(form)
                    st.session_state[self._key(choice.given, "imported")] = True
                    acts.note(self.scope, receipt)
                    st.session_state.pop(self._previews_key, None)
                    last = receipt.subject_id
                state.spend(self._form_key)
                if is_last:
                    clear(viewer)
                    then(last)
                st.rerun()


def and_faulty(look: FileLook, row: str) -> str:
    return f"; {counted(len(look.faults), row)}" if look.faults else ""


def known_as(title: str) -> str:
    """Return the message for a file imported before under this title; empty without a title."""
    return f"This file is already in the study as “{title}”. It is not imported again." if title else ""
