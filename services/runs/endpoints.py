"""Named endpoints of models. A key is read from the environment variable named here when a request is sent; it is
never stored, shown or logged."""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import asdict, dataclass
from urllib.parse import urlsplit

from core.errors import BadInput, Conflict, Refused
from core.people import Permission, Receipt, Viewer
from core.words import quoted
from runs.endpoint.endpoints import MOST_BYTES, MOST_CONCURRENCY, SCRIPTED, Endpoint, checked_endpoint
from runs.endpoint.redaction import holds_key, keys_in, name_key
from services.acting import Writing, consulting, perform, require_seen
from store.runs import model_cards
from store.tables.runs import EndpointRow

MOST_DEADLINE_S = 3_600.0
MOST_CONCURRENT, LARGEST_ANSWER = MOST_CONCURRENCY, MOST_BYTES
SCRIPTED_WORDS = "Demo models (scripted)"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointView:
    """A stored endpoint."""

    name: str
    base_url: str
    key_variable: str
    has_key: bool  # the environment of this process has the variable; True if none is needed
    trouble: str  # why it cannot be asked from this process, "" if it can
    requests_per_minute: int | None
    tokens_per_minute: int | None
    concurrency: int
    deadline_s: float
    most_bytes: int
    is_archived: bool
    version: int

    @property
    def address(self) -> str:
        """Return the address as screens and commands show it."""
        return SCRIPTED_WORDS if self.base_url == SCRIPTED else self.base_url


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointDraft:
    """Settings of an endpoint."""

    name: str
    base_url: str  # without `/chat/completions`
    key_variable: str = ""  # empty if no key is needed
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    concurrency: int = 8
    deadline_s: float = 120.0  # of one request, until the last byte
    most_bytes: int = 2_000_000  # of one reply


def list_endpoints(viewer: Viewer, *, with_archived: bool = False) -> tuple[EndpointView, ...]:
    with consulting(viewer, Permission.RUN) as r:
        return tuple(
            EndpointView(
                name=row.name,
                base_url=row.base_url,
                key_variable=row.key_variable,
                has_key=has_key(row.key_variable),
                trouble=trouble_of(row),
                requests_per_minute=row.requests_per_minute,
                tokens_per_minute=row.tokens_per_minute,
                concurrency=row.concurrency,
                deadline_s=row.deadline_s,
                most_bytes=row.most_bytes,
                is_archived=row.archived_at is not None,
                version=row.version,
            )
            for row in model_cards.endpoints(r.session)
            if with_archived or row.archived_at is None
        )


def save_endpoint(viewer: Viewer, draft: EndpointDraft, *, seen: int, act_id: str) -> Receipt:
    """Save an endpoint; `seen` 0 creates one. Existing runs keep the address with which they were created. Raises
    BadInput for an invalid name, address, key variable or number, Conflict after version `seen`."""
    require_no_key(draft.name, draft.base_url, draft.key_variable)
    if not NAME.fullmatch(draft.name):
        raise BadInput(
            f"Endpoint name {quoted(draft.name[:80])}: up to 60 letters, digits, full stops, hyphens and underscores "
            "are needed, such as openai or lab-server."
        )
    endpoint = checked_endpoint(Endpoint(**asdict(draft)))
    parts = urlsplit(endpoint.base_url)
    if endpoint.key_variable and parts.scheme == "http" and not _is_near(parts.hostname or ""):
        raise BadInput(f"The key would be sent to {parts.hostname} unencrypted; an address with https:// is needed.")
    draft = EndpointDraft(**asdict(endpoint))

    def act(w: Writing) -> Receipt:
        row = model_cards.find_endpoint(w.session, draft.name)
        if row is None:
            if seen:
                raise Conflict(f"No endpoint is called {quoted(draft.name)}.", seen=seen, found=0)
            row = EndpointRow(**asdict(draft), created_by=w.actor.id, created_at=w.now)
        else:
            require_seen(row, seen, "endpoint")
            for name, value in asdict(draft).items():
                setattr(row, name, value)
        model_cards.keep_endpoint(w.session, row)
        return w.record("endpoint.save", "endpoint", row.name, version=row.version, payload=asdict(draft))

    return perform(viewer, Permission.MANAGE, act_id, act)


def archive_endpoint(viewer: Viewer, name: str, is_archived: bool, *, seen: int, act_id: str) -> Receipt:
    """Archive or restore an endpoint. Raises Missing without it, Conflict after version `seen`."""

    def act(w: Writing) -> Receipt:
        row = require_seen(model_cards.endpoint(w.session, name), seen, "endpoint")
        row.archived_at = w.now if is_archived else None
        model_cards.keep_endpoint(w.session, row)
        kind = "endpoint.archive" if is_archived else "endpoint.restore"
        return w.record(kind, "endpoint", name, version=row.version)

    return perform(viewer, Permission.MANAGE, act_id, act)


def trouble_of(row: EndpointRow | None) -> str:
    """Return why this endpoint cannot be asked now; empty if it can."""
    if row is None:
        return "it has no endpoint"
    if row.archived_at is not None:
        return f"its endpoint {row.name} is archived"
    if not has_key(row.key_variable):
        return f"the environment variable {row.key_variable} is not set here"
    return ""


def has_key(variable: str) -> bool:
    """Return whether this process has the key; True if none is needed."""
    name_key(variable)  # checked when it was saved
    return not variable or bool(os.environ.get(variable))


# --- what can be right -------------------------------------------------------------------------------------------


def _is_near(host: str) -> bool:
    """Return whether a host is this computer or in a private network."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return False


def require_no_key(*texts: str, what: str = "This text") -> None:
    """Raise BadInput if a text contains the value of a key in this process's environment."""
    keys = keys_in()
    if any(holds_key(text, keys) for text in texts):
        raise BadInput(f"{what} contains the value of a key. Keys stay in the environment: name the variable instead.")


def require_open(row: EndpointRow) -> EndpointRow:
    """Return the endpoint if it can be asked now. Raises Refused with the reason."""
    trouble = trouble_of(row)
    if trouble:
        raise Refused(f"{row.name} cannot be asked: {trouble}.")
    return row
