"""Which models may be sent figures: nobody, until an owner names their cards. Their edges are proposals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlmodel import Session

from core.errors import BadInput, Conflict
from core.people import May, Receipt, Viewer
from core.words import quoted
from services.acting import Writing, consulting, perform
from store import settings as stored
from store.runs import model_cards
from store.runs.permissions import NAMED, NamedModel, named_models
from store.tables import SettingRow

KEY = "figure_reading"
"""Of the setting that names the models; a run that sends figures keeps it."""
LEAVES = (
    "Figures leave this machine: each figure that is asked about is sent to the model's endpoint as a picture, along "
    "with the names that were read in it."
)


@dataclass(frozen=True, slots=True)
class ReaderOption:
    """A model card that may be named. `trouble`: why its model cannot be sent a figure, "" if it can."""

    card: str
    endpoint: str
    base_url: str
    model: str
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class ModelReaderSettings:
    """`named`: models that may be sent figures, none at first; `offered`: cards that an owner may name. `version` 0:
    never saved."""

    named: tuple[NamedModel, ...] = ()
    offered: tuple[ReaderOption, ...] = ()
    version: int = 0


def settings(viewer: Viewer) -> ModelReaderSettings:
    """What stands now, and which cards there are."""
    with consulting(viewer, May.MANAGE) as r:
        row = r.session.get(SettingRow, KEY)
        version = 0 if row is None else row.version
        return ModelReaderSettings(named_models(r.session, KEY), _offered(r.session), version)


def save_settings(viewer: Viewer, cards: Sequence[str], *, agreed: bool, seen: int, act_id: str) -> Receipt:
    """Name the cards whose models may be sent figures, all of them; none withdraws the word, and runs at work stop
    before the next figure. `agreed`: the owner read `LEAVES` and wants it so.

    Raises BadInput for a card that there is not or whose model takes no pictures, and without `agreed`; Conflict after
    version `seen`.
    """
    wanted = tuple(dict.fromkeys(cards))
    if wanted and not agreed:
        raise BadInput(f"{LEAVES} Confirm this first.")

    def act(w: Writing) -> Receipt:
        row = w.session.get(SettingRow, KEY)
        found = 0 if row is None else row.version
        if found != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=found)
        before = named_models(w.session, KEY)
        named = [asdict(each) for each in _named(w.session, wanted)]
        kept = stored.set_setting(w.session, KEY, {NAMED: named, "told": LEAVES if named else ""})
        payload = {"before": [asdict(each) for each in before], "after": named, "told": kept.value["told"]}
        return w.record("proposals.models", "setting", KEY, version=kept.version, payload=payload)

    return perform(viewer, May.MANAGE, act_id, act)


def _named(session: Session, wanted: Sequence[str]) -> list[NamedModel]:
    """Raises BadInput for a card that cannot be named."""
    known = {each.card: each for each in _offered(session)}
    found = []
    for name in wanted:
        option = known.get(name)
        if option is None or option.trouble:
            why = "there is no such card in use" if option is None else option.trouble
            raise BadInput(f"{quoted(name)} cannot be sent figures: {why}.")
        found.append(NamedModel(option.card, option.endpoint, option.base_url, option.model))
    return found


def _offered(session: Session) -> tuple[ReaderOption, ...]:
    """Cards in use at an endpoint in use."""
    known = {row.name: row for row in model_cards.endpoints(session) if row.archived_at is None}
    return tuple(
        ReaderOption(
            row.name,
            row.endpoint,
            known[row.endpoint].base_url,
            row.model,
            "" if row.takes_images else "its card does not say that it accepts pictures",
        )
        for row in model_cards.cards(session)
        if row.archived_at is None and row.endpoint in known
    )
