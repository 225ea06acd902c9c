"""Destroying identities: names become pseudonyms everywhere in the store, for good, and no old byte stays.

Transcriptions, agreement and credit stay, since they are stored under random ids. Text from publications (papers' own
data, variables' names) is rewritten only on request, and frozen releases never: they refuse names when they are made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from sqlmodel import Session

from core.errors import BadInput, Missing, Refused
from core.people import Permission, Receipt, Role, Viewer
from core.person_names import TakenNames
from core.pseudonyms import NamedPerson, Pseudonyms, is_ordinary, parts_of
from services.acting import Writing, consulting, perform
from services.backups.old_backups import OldBackup, backups_near
from services.exchange import uploads
from services.people.find_names import NamePart, NamePlace, survey
from services.study import current_study
from store import erasing, people, sessions, texts
from store.tables import ErasureRow, PersonRow
from store.texts import TEXTS, WordsBy

CONFIRMATION = "destroy"  # the word to type
_ALWAYS_SWEPT = ("person", "session", "invitation", "sign_in_attempt", "draft", "event", "release")

Parts = Mapping[str, Collection[str]]  # person id → the parts of their name that are replaced alone too


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    id: str
    name: str
    pseudonym: str
    roles: tuple[Role, ...]
    keeps_access: bool  # they continue to sign in, by the pseudonym
    is_me: bool
    is_ordinary: bool  # a name of common words ("Demo annotator"): it is not searched for in texts
    parts: tuple[NamePart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasurePreview:
    people: tuple[Identity, ...]
    rewritten: tuple[NamePlace, ...]
    left: tuple[NamePlace, ...]  # unchanged places
    sessions: int
    backups: tuple[OldBackup, ...]  # with names
    is_sqlite: bool
    is_unswept: bool  # an earlier run stopped after the names were gone and before their old bytes were
    done: int


def preview(
    viewer: Viewer,
    chosen: Collection[str] | None = None,
    parts: Parts | None = None,
    *,
    with_papers: bool = False,
) -> ErasurePreview:
    """Return the effect of destroying the identities of `chosen` (None: everyone); nothing is changed.

    `parts` (None: all that are unambiguous) are replaced alone too; `with_papers`: in papers' own data as well.
    Raises Missing for someone who is not in the study.
    """
    with consulting(viewer, Permission.MANAGE) as r:
        meant = _chosen_people(r.session, chosen, r.viewer)
        words = list(dict.fromkeys(word for each in meant for word in parts_of(each.row.name)))
        places, parts_found = survey(r.session, _pseudonyms(meant, parts), words)
        by_word = {part.word: part for part in parts_found}
        listed = [_identity(each, r.viewer, by_word) for each in meant]
        live = sum(sessions.count_live(r.session, each.row.id, r.now) for each in meant)
        done = erasing.erasures(r.session)
        study = r.study
    rewritten = tuple(place for place in places if _is_rewritten(place.source, with_papers=with_papers))
    return ErasurePreview(
        people=tuple(listed),
        rewritten=rewritten,
        left=tuple(place for place in places if place not in rewritten),
        sessions=live,
        backups=backups_near(study),
        is_sqlite=study.store.is_sqlite,
        is_unswept=any(not row.details.get("swept") for row in done),
        done=len(done),
    )


def destroy(
    viewer: Viewer,
    typed: str,
    chosen: Collection[str] | None = None,
    parts: Parts | None = None,
    *,
    with_papers: bool = False,
    act_id: str,
) -> Receipt:
    """Replace the names of `chosen` (None: everyone) by pseudonyms, everywhere and for good.

    Passwords, drafts and sessions of these people end; the acting owner, and the study's last owner, keep their access
    under the pseudonym. All of it is one transaction; then the old bytes are cleared.
    Raises BadInput without the word `CONFIRMATION`, Refused if nobody is left, StoreUnavailable if the names are gone
    but their old bytes could not be cleared yet (`sweep` continues).
    """
    if typed.strip().casefold() != CONFIRMATION:
        raise BadInput(f"Type the word {CONFIRMATION} to continue. This cannot be undone.")

    def act(w: Writing) -> Receipt:
        people.hold_names(w.session)
        people.held_people(w.session)
        meant = _chosen_people(w.session, chosen, w.viewer)
        if not meant:
            raise Refused("Everyone chosen already has a pseudonym.")
        with erasing.guards_lifted(w.session):
            counts = _rewrite(w, _pseudonyms(meant, parts), with_papers=with_papers)
        for person in meant:
            erasing.take_identity(w.session, person.row, person.pseudonym, keeps_access=person.keeps_access)
            # The acting owner stays signed in, in this browser.
            own = w.viewer.session_id if person.row.id in (w.viewer.person_id, w.viewer.acting_owner) else None
            sessions.end_sessions(w.session, person.row.id, w.now, but=own)
            uploads.end_person(person.row.id, but=own)
        erasing.spend_invitations(w.session, [each.row.id for each in meant], w.now)
        erasing.forget_attempts(w.session)
        row = ErasureRow(
            at=w.now,
            by=w.actor.id,
            people=len(meant),
            rows=sum(counts.values()) + len(meant),
            details={"rows": dict(sorted(counts.items())), "with_papers": with_papers, "swept": False},
        )
        w.session.add(row)
        w.session.flush()
        payload = {"people": len(meant), "rows": row.rows}
        return w.record("identities.destroy", "erasure", row.id, payload=payload)

    receipt = perform(viewer, Permission.MANAGE, act_id, act)
    _sweep()
    return receipt


def sweep(viewer: Viewer) -> int:
    """Clear the old bytes that a stopped run left; return the number of runs finished. May be repeated."""
    with consulting(viewer, Permission.MANAGE):
        pass
    return _sweep()


# --- people -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _ChosenPerson:
    row: PersonRow
    pseudonym: str
    keeps_access: bool


def _chosen_people(session: Session, chosen: Collection[str] | None, viewer: Viewer) -> list[_ChosenPerson]:
    """Return the chosen people who still have a name, with the pseudonyms used in exports."""
    everyone = people.all_people(session)
    unknown = set(chosen or ()) - {row.id for row in everyone}
    if unknown:
        raise Missing(f"There is no person {sorted(unknown)[0]} in this study.")
    pseudonyms = {row.id: f"A{number}" for number, row in enumerate(everyone, start=1)}
    ids = {row.id for row in everyone} if chosen is None else set(chosen)
    named = [
        row
        for row in everyone
        if row.id in ids and row.name != pseudonyms[row.id] and not row.name.startswith(f"{pseudonyms[row.id]} (")
    ]
    owners = {row.id for row in everyone if row.is_active and Role.OWNER.value in row.roles}
    me = {viewer.person_id, viewer.acting_owner or ""}
    left = owners - {row.id for row in named}
    last = [row.id for row in named if row.id in owners and not left][:1] if not owners & me else []
    going = {row.id for row in named}
    taken_names = TakenNames(row.name for row in everyone if row.id not in going)
    return [
        _ChosenPerson(row, _free_pseudonym(pseudonyms[row.id], taken_names), row.id in me or row.id in last)
        for row in named
    ]


def _free_pseudonym(pseudonym: str, taken_names: TakenNames) -> str:
    """Return the pseudonym, numbered if someone's real name is the same or looks like it ("Al" and "A1")."""
    number, free = 1, pseudonym
    while taken_names.alike(free) is not None:
        number, free = number + 1, f"{pseudonym} ({number + 1})"
    return free


def _pseudonyms(meant: Iterable[_ChosenPerson], parts: Parts | None) -> Pseudonyms:
    return Pseudonyms(
        NamedPerson(
            each.row.name,
            each.pseudonym,
            tuple(parts_of(each.row.name) if parts is None else parts.get(each.row.id, ())),
        )
        for each in meant
        if not is_ordinary(each.row.name)
    )


def _identity(each: _ChosenPerson, viewer: Viewer, parts: Mapping[str, NamePart]) -> Identity:
    return Identity(
        id=each.row.id,
        name=each.row.name,
        pseudonym=each.pseudonym,
        roles=tuple(Role(role) for role in each.row.roles),
        keeps_access=each.keeps_access,
        is_me=each.row.id in (viewer.person_id, viewer.acting_owner),
        is_ordinary=is_ordinary(each.row.name),
        parts=tuple(parts[word] for word in parts_of(each.row.name)),
    )


# --- texts ------------------------------------------------------------------------------------------------------


def _is_rewritten(source: WordsBy, *, with_papers: bool) -> bool:
    return source is WordsBy.WRITTEN or (with_papers and source is WordsBy.PAPER)


def _rewrite(w: Writing, names: Pseudonyms, *, with_papers: bool) -> Counter[str]:
    def rewrite(text: str, source: WordsBy) -> str:
        return names.replaced(text) if _is_rewritten(source, with_papers=with_papers) else text

    counts: Counter[str] = Counter()
    for table, column in TEXTS:
        for match in list(texts.rows_to_rewrite(w.session, table, column, rewrite, names.may_hold)):
            texts.write(w.session, match)
            counts[f"{table}.{column}"] += 1
    return counts


def _sweep() -> int:
    """Clear the old bytes of every unfinished run, then mark it as done."""
    study = current_study()
    with study.store.reading() as session:
        waiting = {row.id: row.details for row in erasing.erasures(session) if not row.details.get("swept")}
    if not waiting:
        return 0
    touched = {place.split(".")[0] for details in waiting.values() for place in details.get("rows", {})}
    erasing.sweep(study.store, touched | set(_ALWAYS_SWEPT))
    with study.store.writing() as session:
        for key, details in waiting.items():
            row = session.get(ErasureRow, key)
            assert row is not None, "erasures are never deleted"
            row.details = {**details, "swept": True}
            session.add(row)
    return len(waiting)
