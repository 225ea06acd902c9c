"""Named views: shared by readers of runs, removed by their author or the owner, on both databases."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.errors import BadInput, Conflict, Missing, Refused
from services.failures.saved_views import MOST, remove_view, save_view, saved_views
from tests.services.scoring_parts import act

pytestmark = pytest.mark.both
LINK = {"show": ["samples"], "kind": ["doubtful"], "run": ["1", "2"]}


def test_a_saved_view_is_listed_for_a_colleague_who_cannot_remove_it(people: SimpleNamespace) -> None:
    save_view(people.researcher, "  Likely   errors ", LINK, seen=0, **act())
    saved = saved_views(people.reviewer)
    assert [(view.name, dict(view.link), view.is_own) for view in saved.views] == [("Likely errors", LINK, False)]
    with pytest.raises(Refused):
        remove_view(people.reviewer, "Likely errors", seen=saved.version, **act())
    with pytest.raises(Refused):
        saved_views(people.expert)
    remove_view(people.owner, "Likely errors", seen=saved.version, **act())
    assert saved_views(people.researcher).views == ()


def test_a_name_that_is_taken_or_empty_a_long_link_and_an_old_version_are_refused(people: SimpleNamespace) -> None:
    save_view(people.reviewer, "Mine", LINK, seen=0, **act())
    version = saved_views(people.reviewer).version
    for name, link in (("mine", LINK), (" ", LINK), ("n" * 81, LINK), ("Long", {"run": ["x" * 3_000]})):
        with pytest.raises(BadInput):
            save_view(people.reviewer, name, link, seen=version, **act())
    with pytest.raises(Conflict):
        save_view(people.reviewer, "Second", LINK, seen=version - 1, **act())
    with pytest.raises(Missing):
        remove_view(people.reviewer, "Other", seen=version, **act())
    for number in range(MOST - 1):
        save_view(people.reviewer, f"View {number}", LINK, seen=saved_views(people.reviewer).version, **act())
    with pytest.raises(BadInput, match="Remove one first"):
        save_view(people.reviewer, "One more", LINK, seen=saved_views(people.reviewer).version, **act())
