"""Models that may be sent figures: none until an owner names their cards. Their edges become proposals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlmodel import Session

from core.errors import BadInput, Conflict
from core.people import Permission, Receipt, Viewer
from core.words import quoted
from services.acting import Writing, consulting, perform
from store import settings as stored
from store.runs import model_cards
from store.runs.permissions import NAMED, NamedModel, named_models
from store.tables import SettingRow

KEY = "figure_reading"  # setting that names the models; stored with each run that sends figures
LEAVES = (
    "Figures leave this machine: each figure that is asked about is sent to the model's endpoint as a picture, along "
    "with the names that were read in it."
)


@dataclass(frozen=True, slots=True)
class ReaderOption:
    card: str
    endpoint: str
    base_url: str
    model: str
    trouble: str = ""  # why its model cannot be sent a figure, "" if it can


@dataclass(frozen=True, slots=True)
class ModelReaderSettings:
    """Models that may be sent figures, and cards that an owner may name."""

    named: tuple[NamedModel, ...] = ()
    offered: tuple[ReaderOption, ...] = ()
    version: int = 0  # 0: never saved


def settings(viewer: Viewer) -> ModelReaderSettings:
    with consulting(viewer, Permission.MANAGE) as r:
        row = r.session.get(SettingRow, KEY)
        version = 0 if row is None else row.version
        return ModelReaderSettings(named_models(r.session, KEY), _offered(r.session), version)


def save_settings(viewer: Viewer, cards: Sequence[str], *, agreed: bool, seen: int, act_id: str) -> Receipt:
    """Replace the list of cards whose models may be sent figures; runs stop before their next figure if it is empty.

    `agreed`: the owner confirmed `LEAVES`. Raises BadInput for a missing card, a model that takes no pictures, or
    without `agreed`; Conflict if the settings changed after version `seen`.
    """
    names = tuple(dict.fromkeys(cards))
    if names and not agreed:
        raise BadInput(f"{LEAVES} Confirm this first.")

    def act(w: Writing) -> Receipt:
        row = w.session.get(SettingRow, KEY)
        stored_version = 0 if row is None else row.version
        if stored_version != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=stored_version)
        before = named_models(w.session, KEY)
        named = [asdict(each) for each in _named_models(w.session, names)]
        setting = stored.set_setting(w.session, KEY, {NAMED: named, "told": LEAVES if named else ""})
        payload = {"before": [asdict(each) for each in before], "after": named, "told": setting.value["told"]}
        return w.record("proposals.models", "setting", KEY, version=setting.version, payload=payload)

    return perform(viewer, Permission.MANAGE, act_id, act)


def _named_models(session: Session, names: Sequence[str]) -> list[NamedModel]:
    known = {each.card: each for each in _offered(session)}
    models = []
    for name in names:
        option = known.get(name)
        if option is None or option.trouble:
            why = "there is no such card in use" if option is None else option.trouble
            raise BadInput(f"{quoted(name)} cannot be sent figures: {why}.")
        models.append(NamedModel(option.card, option.endpoint, option.base_url, option.model))
    return models


def _offered(session: Session) -> tuple[ReaderOption, ...]:
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
