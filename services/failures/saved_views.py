"""Named views of the Failures screen, shared by all who read runs: a name, and the parameters of a link.

A view holds what was chosen, not what was shown: who opens it sees what their role may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput, Conflict, Missing, Refused
from core.people import Permission, Receipt, Viewer
from core.words import control_in, quoted
from services.acting import Writing, consulting, perform
from store.settings import set_setting, setting_row

KEY = "failures.views"
LONGEST_NAME, LONGEST_LINK, MOST = 80, 2_000, 100


@dataclass(frozen=True, slots=True)
class SavedView:
    """`link`: parameter → its values; `is_own`: the viewer may remove it, as its author or the study's owner."""

    name: str
    link: Mapping[str, Sequence[str]]
    is_own: bool


@dataclass(frozen=True, slots=True)
class SavedViews:
    """All views by name; `version` is that of the whole list."""

    views: tuple[SavedView, ...]
    version: int


def saved_views(viewer: Viewer) -> SavedViews:
    with consulting(viewer, Permission.REVIEW) as r:
        row = setting_row(r.session, KEY)
    may_remove_all = viewer.may(Permission.MANAGE)
    views = [
        SavedView(each["name"], each["link"], may_remove_all or each["by"] == viewer.person_id)
        for each in (row.value if row else ())
    ]
    return SavedViews(tuple(sorted(views, key=lambda view: view.name.casefold())), row.version if row else 0)


def save_view(viewer: Viewer, name: str, link: Mapping[str, Sequence[str]], *, seen: int, act_id: str) -> Receipt:
    """Raises BadInput for a name that is empty, long, or taken, a long link, and the 101st view; Conflict after version
    `seen`."""
    cleaned = " ".join(name.split())
    if not cleaned or control_in(cleaned):
        raise BadInput("A view needs a name of letters.")
    if len(cleaned) > LONGEST_NAME:
        raise BadInput(f"The name has {len(cleaned):,} characters; a view's name may have {LONGEST_NAME}.")
    plain = {parameter: list(values) for parameter, values in link.items()}
    if len(str(plain)) > LONGEST_LINK:
        raise BadInput("This view has too many filters to be saved. Choose fewer runs or values.")

    def act(w: Writing) -> Receipt:
        views = _views(w, seen)
        if len(views) >= MOST:
            raise BadInput(f"There are {MOST} views. Remove one first.")
        if any(each["name"].casefold() == cleaned.casefold() for each in views):
            raise BadInput(f"There is a view named {quoted(cleaned)} already. Choose another name.")
        view = {"name": cleaned, "link": plain, "by": viewer.person_id}
        row = set_setting(w.session, KEY, [*views, view])
        return w.record("view.save", "setting", KEY, version=row.version, payload={"name": cleaned, "link": plain})

    return perform(viewer, Permission.REVIEW, act_id, act)


def remove_view(viewer: Viewer, name: str, *, seen: int, act_id: str) -> Receipt:
    """Raises Missing without such a view, Refused for another person's unless the viewer owns the study, Conflict after
    version `seen`."""

    def act(w: Writing) -> Receipt:
        views = _views(w, seen)
        view = next((each for each in views if each["name"] == name), None)
        if view is None:
            raise Missing(f"There is no view named {quoted(name)}.")
        if view["by"] != viewer.person_id and not viewer.may(Permission.MANAGE):
            raise Refused("Only the person who saved a view, and the study's owner, remove it.")
        row = set_setting(w.session, KEY, [each for each in views if each is not view])
        return w.record("view.remove", "setting", KEY, version=row.version, payload={"name": name})

    return perform(viewer, Permission.REVIEW, act_id, act)


def _views(w: Writing, seen: int) -> list[dict[str, Any]]:
    row = setting_row(w.session, KEY)
    if (row.version if row else 0) != seen:
        raise Conflict("Someone has saved or removed a view meanwhile.", seen=seen, found=row.version if row else 0)
    return list(row.value) if row else []
