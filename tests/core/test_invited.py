"""Lines "name, role" of people to invite."""

from __future__ import annotations

import pytest

from core.errors import BadInput
from core.invited import Invited, read_invited
from core.people import Role


def test_a_line_has_a_name_and_roles_or_the_default() -> None:
    text = "Ada Lovelace\nEmmy, Reviewer\n\n Cleo Diaz\texpert \nGrace, annotator, expert,"
    assert read_invited(text, [Role.ANNOTATOR]) == (
        Invited("Ada Lovelace", (Role.ANNOTATOR,)),
        Invited("Emmy", (Role.REVIEWER,)),
        Invited("Cleo Diaz", (Role.EXPERT,)),
        Invited("Grace", (Role.ANNOTATOR, Role.EXPERT)),
    )
    assert read_invited("", [Role.EXPERT]) == (Invited("", (Role.EXPERT,)),)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Ada, expert\nCleo, Editor", "Line 2: “Editor” is not a role. Write"),
        ("Ada, x\n\nEmmy", "Line 1: “x” is not a role. Line 3: no role. Write"),
        ("\n".join(f"A{n}, x" for n in range(7)), "Line 5: “x” is not a role. 2 more lines are faulty."),
        ("", "Choose at least one role for the invitation."),
    ],
)
def test_faulty_lines_are_named_together(text: str, fault: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_invited(text, [])
    assert fault in str(refused.value)
