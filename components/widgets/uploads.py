"""Streamlit's uploader: the session that draws it, its files, and their release.

Streamlit 1.67 keeps an uploaded file until its session is collected, for minutes after its tab was closed: in the file
manager, in the state of the uploader, and once more in the values of each run of the page."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Sequence
from typing import Any
from weakref import ReferenceType, ref

import streamlit as st
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile, UploadedFileRec

from core.words import counted

_lock = threading.Lock()
_read: dict[str, list[ReferenceType[UploadedFile]]] = {}


def session_id() -> str:
    """Return Streamlit's id of the session whose page is drawn now."""
    context = get_script_run_ctx()
    assert context is not None, "this runs in a page"
    return context.session_id


def uploader(
    label: str, types: Sequence[str] | None = None, *, key: str, room: object, taken: Collection[str] = ()
) -> list[UploadedFile]:
    """Draw an uploader for many files and return those that are available. The page must have a permit.

    `room`: the capacity in words. `taken`: ids of files that the page has read and released already."""
    files = st.file_uploader(label, types, accept_multiple_files=True, key=key, help=f"At most {room} at once.")
    return _those_here(key, files, taken)


def uploader_of_one(label: str, types: Sequence[str], *, key: str) -> UploadedFile | None:
    file = st.file_uploader(label, types, key=key)
    return next(iter(_those_here(key, [file] if file is not None else [])), None)


def report_refused(message: str) -> None:
    """Warn about files that were not read; nothing if `message` is empty."""
    if message:
        st.warning(message, icon=":material/block:")


def release(session: str, file_ids: Iterable[str]) -> None:
    """Drop files of a session from the server's memory, regardless of other references to them."""
    ids = list(file_ids)
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    if isinstance(manager, MemoryUploadedFileManager):
        for file_id in ids:
            manager.remove_file(session, file_id)
    with _lock:
        read = [reference for file_id in ids for reference in _read.pop(file_id, ())]
    for reference in read:
        if (file := reference()) is not None:
            file.close()


def _those_here(key: str, files: Sequence[UploadedFile], read_ids: Collection[str] = ()) -> list[UploadedFile]:
    """Remember the objects that hold a file's bytes in addition to the file manager; warn of listed files that are
    lost."""
    state = st.session_state.get(key)
    in_state: Sequence[object] = state if isinstance(state, list) else [state]
    with _lock:
        for file in (*files, *in_state):
            if isinstance(file, UploadedFile):
                _read.setdefault(file.file_id, []).append(ref(file))
        for file_id, readers in list(_read.items()):
            _read[file_id] = [each for each in readers if each() is not None]
            if not _read[file_id]:
                del _read[file_id]
    gone = sum(isinstance(each, DeletedFile) and each.file_id not in read_ids for each in in_state)
    if gone:
        are, them = ("is", "it") if gone == 1 else ("are", "them")
        st.warning(
            f"{counted(gone, 'file')} {are} no longer here: the connection was broken for too long. "
            f"Remove {them} above and add {them} again."
        )
    return [file for file in files if not file.closed]


def _same_bytes(file: UploadedFile, _memo: dict[int, Any]) -> UploadedFile:
    """Return a copy that shares the content: Streamlit copies an uploader's value, with all its bytes, at each run."""
    record = UploadedFileRec(file.file_id, file.name, file.type, b"" if file.closed else file.getvalue())
    copy = UploadedFile(record, file._file_urls)
    if file.closed:
        copy.close()
    return copy


UploadedFile.__deepcopy__ = _same_bytes  # type: ignore[attr-defined]
