"""Form of a model card: names, endpoint, kind, prices and model details."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from components import shell, state
from components.widgets import acts
from core.people import Permission, Receipt, Viewer
from core.runs.states import ModelKind
from pages.runs.draft_form import DraftForm
from pages.runs.form import json_object
from pages.runs.parts import NO_VALUE, PAGE, SCOPE
from services.runs import model_cards
from services.runs.endpoints import EndpointView
from services.runs.model_cards import CardView, ModelCardDraft

# By the word stored in drafts.
WEIGHTS: Mapping[str, bool | None] = {"not known": None, "open": True, "closed": False}
TAKES: Mapping[str, bool | None] = {"not known": None, "yes": True, "no": False}
TOKENS = ("context_length", "tokens_per_image", "tokens_per_page")
NUMBERS = ("parameters_b", *TOKENS, "price_input", "price_cached", "price_output")


def show(viewer: Viewer, card: CardView | None, places: Sequence[EndpointView]) -> None:
    """Draw the card's form, or its values for people without permission; None for a new card."""
    if not viewer.may(Permission.RUN):
        if card is not None:
            _read(card)
        return
    form = form_of(card)
    st.subheader(shell.escaped(card.name) if card is not None else "New model", anchor=False)
    if form.begin(viewer):
        st.caption(":material/edit_note: Draft restored; not saved yet.")
    _names(viewer, form, places)
    _prices(viewer, form)
    with st.expander("Model details", key=form.key("known")):
        _known(viewer, form)
    form.fault()
    with st.container(horizontal=True, key=form.key("row")):
        if st.button(
            "Save model", type="primary" if card is None else "secondary", key=state.act_key(form.scope, "save")
        ):
            _save(viewer, form, card)
        if card is not None:
            archive_form = state.key(PAGE, f"model.archive.{card.id}")
            words = "Restore" if card.is_archived else "Archive"
            if st.button(
                words,
                key=state.act_key(archive_form),
                help="An archived model cannot be chosen for new runs. Earlier runs keep their copy of its card.",
            ):
                acts.keep(
                    SCOPE,
                    archive_form,
                    lambda act_id: model_cards.archive_card(
                        viewer, card.id, not card.is_archived, seen=card.version, act_id=act_id
                    ),
                )
        if form.values() != dict(form.fields):
            st.button("Discard changes", type="tertiary", key=form.key("drop"), on_click=partial(form.forget, viewer))


def form_of(card: CardView | None) -> DraftForm:
    """Return the form, initialised from the card; `seen` is the card's version."""
    if card is None:
        first = {
            "name": "",
            "endpoint": "",
            "model": "",
            "kind": ModelKind.INSTRUCT.value,
            **dict.fromkeys(NUMBERS),
            "provider": "",
            "family": "",
            "weights": "not known",
            "takes_images": "not known",
            "takes_pdfs": "not known",
            "knowledge_cutoff": "",
            "notes": "",
            "parameters": "",
            "seen": 0,
        }
    else:
        first = {
            "name": card.name,
            "endpoint": card.endpoint or "",
            "model": card.model,
            "kind": card.kind.value,
            **{field: getattr(card, field) for field in NUMBERS},
            "provider": card.provider,
            "family": card.family,
            "weights": _weights(card.is_open_weight),
            "takes_images": _takes(card.takes_images),
            "takes_pdfs": _takes(card.takes_pdfs),
            "knowledge_cutoff": card.knowledge_cutoff or "",
            "notes": card.notes,
            "parameters": json.dumps(dict(card.parameters)) if card.parameters else "",
            "seen": card.version,
        }
    name = card.id if card is not None else "new"
    return DraftForm(state.key(PAGE, f"model.{name}"), f"model.card.{name}", first)


def _names(viewer: Viewer, form: DraftForm, places: Sequence[EndpointView]) -> None:
    keep = partial(form.keep, viewer)
    st.text_input(
        "Name in tables",
        key=form.key("name"),
        on_change=keep,
        max_chars=model_cards.LONGEST_NAME,
        placeholder="Example: Small model, June",
    )
    left, right = st.columns(2)
    with left:
        listed = ["", *(each.name for each in places if not each.is_archived)]
        if st.session_state.get(form.key("endpoint")) not in listed:
            listed.append(st.session_state[form.key("endpoint")])
        st.selectbox(
            "Endpoint", listed, key=form.key("endpoint"), on_change=keep, format_func=lambda each: each or "none"
        )
    with right:
        st.text_input(
            "Model ID at the endpoint",
            key=form.key("model"),
            on_change=keep,
            max_chars=model_cards.LONGEST_NAME,
            placeholder="Example: gpt-4.1-mini",
        )
    st.segmented_control(
        "Kind", [kind.value for kind in ModelKind], key=form.key("kind"), on_change=keep, required=True
    )


def _prices(viewer: Viewer, form: DraftForm) -> None:
    st.caption("Prices in US dollars per million tokens. Without them the cost of a run is unknown.")
    for column, field, words in zip(
        st.columns(3),
        ("price_input", "price_cached", "price_output"),
        ("Input ($)", "Cached input ($)", "Output ($)"),
        strict=True,
    ):
        with column:
            st.number_input(
                words,
                0.0,
                100_000.0,
                None,
                step=0.01,
                format="%.4g",
                key=form.key(field),
                on_change=form.keep,
                args=(viewer,),
                placeholder=NO_VALUE,
            )


def _known(viewer: Viewer, form: DraftForm) -> None:
    keep = partial(form.keep, viewer)
    left, right = st.columns(2)
    with left:
        st.text_input("Provider", key=form.key("provider"), on_change=keep, max_chars=model_cards.LONGEST_NAME)
        st.number_input(
            "Parameters (billions)",
            0.001,
            1_000_000.0,
            None,
            key=form.key("parameters_b"),
            on_change=keep,
            placeholder=NO_VALUE,
        )
        st.text_input(
            "Knowledge cutoff",
            key=form.key("knowledge_cutoff"),
            on_change=keep,
            max_chars=10,
            placeholder="Example: 2024-06",
        )
    with right:
        st.text_input("Family", key=form.key("family"), on_change=keep, max_chars=model_cards.LONGEST_NAME)
        _tokens(form, "Context length (tokens)", "context_length", keep)
        st.selectbox("Weights", list(WEIGHTS), key=form.key("weights"), on_change=keep, format_func=_weights_text)
    for takes, words, field, per in (
        ("takes_images", "Accepts pictures", "tokens_per_image", "Maximum tokens per picture"),
        ("takes_pdfs", "Accepts PDFs", "tokens_per_page", "Maximum tokens per page"),
    ):
        left, right = st.columns(2)
        with left:
            st.selectbox(words, list(TAKES), key=form.key(takes), on_change=keep)
        with right:
            _tokens(form, per, field, keep)
    st.text_input(
        "Request parameters (JSON)",
        key=form.key("parameters"),
        on_change=keep,
        max_chars=model_cards.MOST_PARAMETERS,
        placeholder='Example: {"temperature": 0}',
    )
    st.text_area("Notes", key=form.key("notes"), on_change=keep, max_chars=model_cards.LONGEST_TEXT, height=80)


def _tokens(form: DraftForm, words: str, field: str, keep: Callable[[], None]) -> None:
    st.number_input(words, 1, model_cards.MOST_TOKENS, None, key=form.key(field), on_change=keep, placeholder=NO_VALUE)


def _save(viewer: Viewer, form: DraftForm, card: CardView | None) -> None:
    values = form.values()
    draft = ModelCardDraft(
        name=values["name"] or "",
        endpoint=values["endpoint"] or None,
        model=values["model"] or "",
        id=card.id if card is not None else "",
        provider=values["provider"] or "",
        family=values["family"] or "",
        kind=ModelKind(values["kind"]),
        parameters_b=values["parameters_b"],
        is_open_weight=WEIGHTS[values["weights"]],
        knowledge_cutoff=values["knowledge_cutoff"] or None,
        **{field: None if values[field] is None else int(values[field]) for field in TOKENS},
        takes_images=TAKES[values["takes_images"]],
        takes_pdfs=TAKES[values["takes_pdfs"]],
        price_input=values["price_input"],
        price_cached=values["price_cached"],
        price_output=values["price_output"],
        parameters=json_object(values["parameters"] or "", "Request parameters"),
        notes=values["notes"] or "",
    )
    receipts: list[Receipt] = []

    def act(act_id: str) -> Receipt:
        receipts.append(model_cards.save_card(viewer, draft, seen=int(values["seen"]), act_id=act_id))
        return receipts[0]

    def then() -> None:
        form.forget(viewer)
        state.write_param("model", receipts[0].subject_id)
        st.session_state.pop(state.key(PAGE, "model.chosen"), None)

    acts.keep(SCOPE, form.scope, act, reload=partial(reload, viewer, card), then=then)


def reload(viewer: Viewer, card: CardView | None) -> None:
    """Discard the draft after someone else changed the card."""
    form_of(card).forget(viewer)


def _read(card: CardView) -> None:
    st.subheader(shell.escaped(card.name), anchor=False)
    details = {
        "Kind": card.kind.value,
        "Provider": card.provider,
        "Family": card.family,
        "Endpoint": card.endpoint or "",
        "Model ID at the endpoint": card.model,
        "Weights": _weights_text(_weights(card.is_open_weight)),
        "Parameters (billions)": _number(card.parameters_b),
        "Context length (tokens)": _number(card.context_length),
        "Accepts pictures": _takes(card.takes_images),
        "Maximum tokens per picture": _number(card.tokens_per_image),
        "Accepts PDFs": _takes(card.takes_pdfs),
        "Maximum tokens per page": _number(card.tokens_per_page),
        "Knowledge cutoff": card.knowledge_cutoff or "",
        "Input ($ per million tokens)": _number(card.price_input),
        "Output ($ per million tokens)": _number(card.price_output),
        "Notes": card.notes,
    }
    st.dataframe(
        {"Name": list(details), "Value": [value or NO_VALUE for value in details.values()]},
        hide_index=True,
        height="content",
        key=state.key(PAGE, f"model.read.{card.id}"),
    )


def _weights_text(word: str) -> str:
    return "proprietary" if word == "closed" else word


def _weights(is_open: bool | None) -> str:
    return next(words for words, each in WEIGHTS.items() if each is is_open)


def _takes(is_so: bool | None) -> str:
    return next(words for words, each in TAKES.items() if each is is_so)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,g}"
