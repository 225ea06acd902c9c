"""Endpoints of models, and model cards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Annotated, Any, TypeVar

import typer

from cli.study.session import JsonOption, Stop, StoreOption, new_id, opened_study, say
from core.runs.states import ModelKind
from core.words import quoted

app = typer.Typer()
endpoints_app = typer.Typer(
    no_args_is_help=True, help="Endpoints: where models are asked. Keys stay in the environment."
)
models_app = typer.Typer(no_args_is_help=True, help="Model cards: how a model is asked, and what it costs.")
app.add_typer(endpoints_app, name="endpoints")
app.add_typer(models_app, name="models")

Name = Annotated[str, typer.Argument(help="Name in the study.")]


@endpoints_app.command("list")
def endpoints_list(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the endpoints that are not archived."""
    from services.runs import endpoints

    with opened_study(store) as viewer:
        listed = endpoints.list_endpoints(viewer)
    lines = [
        f"{each.name}: {each.address}"
        + (f", key from {each.key_variable}{'' if each.has_key else ' (not set)'}" if each.key_variable else "")
        for each in listed
    ]
    say([asdict(each) for each in listed], "\n".join(lines) or "No endpoints yet.", as_json)


@endpoints_app.command("add")
def endpoints_add(
    name: Name,
    base_url: Annotated[str, typer.Argument(help="The address without /chat/completions, such as https://host/v1.")],
    key_variable: Annotated[
        str | None, typer.Option(help='Environment variable with the key; none, or "", for a server without a key.')
    ] = None,
    concurrency: Annotated[int | None, typer.Option(help="Maximum concurrent requests; default: 8.")] = None,
    requests_per_minute: Annotated[int | None, typer.Option(help="Maximum requests per minute.")] = None,
    tokens_per_minute: Annotated[int | None, typer.Option(help="Maximum tokens per minute.")] = None,
    deadline: Annotated[
        float | None, typer.Option(help="Timeout of one request, to its last byte (s); default: 120.")
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add an endpoint, or change the one of this name; options left out keep their values."""
    from services.runs import endpoints

    values = {
        "name": name,
        "base_url": base_url,
        "key_variable": key_variable,
        "requests_per_minute": requests_per_minute,
        "tokens_per_minute": tokens_per_minute,
        "concurrency": concurrency,
        "deadline_s": deadline,
    }
    with opened_study(store) as viewer:
        known = {each.name: each for each in endpoints.list_endpoints(viewer, with_archived=True)}.get(name)
        draft = _changed(endpoints.EndpointDraft, known, values)
        endpoints.save_endpoint(viewer, draft, seen=known.version if known else 0, act_id=new_id())
    say({"name": name, "base_url": base_url}, f"Saved endpoint {name}.", as_json)


@endpoints_app.command("test")
def endpoints_test(
    name: Name,
    model: Annotated[str, typer.Argument(help="Model ID at the endpoint.")],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Send up to 3 small requests; they cost a few tokens."""
    from services.runs import connection_tests

    with opened_study(store) as viewer:
        result = connection_tests.test_connection(viewer, name, model)
        if not result.ok and not as_json:
            raise Stop(result.message)
    has = [
        word
        for word, is_so in (("log-probabilities", result.has_logprobs), ("JSON mode", result.has_json_mode))
        if is_so
    ]
    say(
        asdict(result),
        f"{result.message} {result.model}; {', '.join(has) or 'neither log-probabilities nor JSON mode'}.",
        as_json,
    )
    if not result.ok:
        raise typer.Exit(1)


@models_app.command("list")
def models_list(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the model cards that are not archived."""
    from services.runs import model_cards

    with opened_study(store) as viewer:
        listed = model_cards.list_cards(viewer)
    lines = [f"{each.name}: {each.kind}, {each.model or '–'} at {each.endpoint or 'no endpoint'}" for each in listed]
    say([asdict(each) for each in listed], "\n".join(lines) or "No model cards yet.", as_json)


@models_app.command("add")
def models_add(
    name: Name,
    endpoint: Annotated[str | None, typer.Option(help="Name of its endpoint; a new card needs one.")] = None,
    model: Annotated[str | None, typer.Option(help="Model ID at the endpoint; default: the card's name.")] = None,
    kind: Annotated[ModelKind | None, typer.Option(help="Kind of model; default: instruct.")] = None,
    provider: Annotated[str | None, typer.Option(help="Provider of the model.")] = None,
    family: Annotated[str | None, typer.Option(help="Family of the model.")] = None,
    *,
    open_weight: Annotated[
        bool | None, typer.Option("--open/--proprietary", help="Whether its weights are open.")
    ] = None,
    price_input: Annotated[float | None, typer.Option(help="Price of input ($ per million tokens).")] = None,
    price_cached: Annotated[float | None, typer.Option(help="Price of cached input ($ per million tokens).")] = None,
    price_output: Annotated[float | None, typer.Option(help="Price of output ($ per million tokens).")] = None,
    context_length: Annotated[int | None, typer.Option(help="Context length (tokens).")] = None,
    takes_images: Annotated[
        bool | None, typer.Option("--images/--no-images", help="Whether it accepts pictures.")
    ] = None,
    takes_pdfs: Annotated[bool | None, typer.Option("--pdfs/--no-pdfs", help="Whether it accepts PDFs.")] = None,
    tokens_per_image: Annotated[int | None, typer.Option(help="Maximum tokens per picture.")] = None,
    tokens_per_page: Annotated[int | None, typer.Option(help="Maximum tokens per page of a PDF.")] = None,
    cutoff: Annotated[str | None, typer.Option(help="Knowledge cutoff: 2024, 2024-06 or 2024-06-30.")] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            help="Request parameter as name=value; may be repeated; together they replace all parameters of the card."
        ),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add a model card, or change the one of this name; options left out keep their values."""
    from services.runs import model_cards

    values = {
        "name": name,
        "endpoint": endpoint,
        "model": model,
        "provider": provider,
        "family": family,
        "kind": kind,
        "is_open_weight": open_weight,
        "knowledge_cutoff": cutoff,
        "context_length": context_length,
        "takes_images": takes_images,
        "takes_pdfs": takes_pdfs,
        "tokens_per_image": tokens_per_image,
        "tokens_per_page": tokens_per_page,
        "price_input": price_input,
        "price_cached": price_cached,
        "price_output": price_output,
        "parameters": parameters_from(parameter) if parameter else None,
    }
    with opened_study(store) as viewer:
        card = {each.name: each for each in model_cards.list_cards(viewer, with_archived=True)}.get(name)
        if card is None and not endpoint:
            raise typer.BadParameter("a new model card needs the name of its endpoint.", param_hint="--endpoint")
        draft = _changed(model_cards.ModelCardDraft, card, values if card else {**values, "model": model or name})
        receipt = model_cards.save_card(viewer, draft, seen=card.version if card else 0, act_id=new_id())
    say({"id": receipt.subject_id, "name": name}, f"Saved model card {name}.", as_json)


Draft = TypeVar("Draft")


def _changed(kind: type[Draft], known: object | None, values: Mapping[str, Any]) -> Draft:
    before = {each.name: getattr(known, each.name) for each in fields(kind) if known is not None}  # type: ignore[arg-type]
    return kind(**before | {name: value for name, value in values.items() if value is not None})


def parameters_from(pairs: list[str] | None) -> dict[str, Any]:
    """Parse `name=value` pairs; values that are JSON are parsed, others are text; null removes a parameter."""
    parameters: dict[str, Any] = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise typer.BadParameter(
                f"{quoted(pair)} is not name=value, such as temperature=0.2.", param_hint="--parameter"
            )
        try:
            parameters[name.strip()] = json.loads(value)
        except ValueError:
            parameters[name.strip()] = value
    return parameters
