"""An endpoint of models: address, name of the variable that holds its key, and limits."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from core.errors import BadInput
from core.words import quoted
from runs.endpoint.redaction import name_key

# Names of variables; does not match a key in capitals alone, as some providers issue them.
KEY_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_+[A-Z0-9]+)+\Z|[A-Z]{2,20}\Z")
# Known settings of Edgewise, the database or the system: their values would be sent to the address.
SETTINGS = re.compile(
    r"(?:EDGEWISE_(?!KEY_)|STREAMLIT_|PYTHON|PG|LC_|LD_|XDG_|DBUS_|SSH_|SSL_|DATABASE_|POSTGRES_|SYSTEMD_)[A-Z0-9_]*\Z|"
    r"(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|PWD|OLDPWD|TERM|TZ|TMPDIR|TEMP|TMP|HOSTNAME|DISPLAY|EDITOR|MAIL|"
    r"VIRTUAL_ENV|(?:ALL|FTP|HTTP|HTTPS|NO)_PROXY)\Z"
)
# Well-known secrets of other systems, by their usual names.
SECRETS = re.compile(
    r"(?:AWS_(?!BEARER_TOKEN_BEDROCK\Z)|GITHUB_|GH_|GITLAB_|CI_|BITBUCKET_|NPM_|PYPI_|TWINE_|CARGO_|DOCKER_|KUBE|VAULT_|"
    r"SLACK_|STRIPE_|TWILIO_|SENDGRID_|MAILGUN_|SMTP_|MAIL_|LDAP_|GPG_|DJANGO_|FLASK_|SENTRY_|REDIS_|MYSQL_|MONGO|"
    r"RESTIC_|BORG_)[A-Z0-9_]*\Z|(?:SESSION|COOKIE|JWT|APP)_SECRET(?:_KEY)?\Z|SECRET_KEY(?:_BASE)?\Z"
)
SECRET_WORDS = ("PASSWORD", "PASSWD", "PASSPHRASE", "PRIVATE_KEY", "CREDENTIALS")  # words in names of such secrets
SCRIPTED = "scripted:demo"  # the address of scripted models, which the asking process answers itself (`runs/scripted`)
MOST_CONCURRENCY = 512
MOST_BYTES = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One provider, or a server of your own. A limit of None is not applied."""

    name: str
    base_url: str
    key_variable: str = ""  # name of an environment variable; empty if the server needs no key
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    concurrency: int = 8
    deadline_s: float = 120.0  # of one request, up to the last byte
    most_bytes: int = 2_000_000

    def __post_init__(self) -> None:
        if KEY_VARIABLE.match(self.key_variable) and not SETTINGS.match(self.key_variable):
            name_key(self.key_variable)  # a secret of another system is not sent, but hidden too

    @property
    def is_scripted(self) -> bool:
        return self.base_url == SCRIPTED

    def key(self, environment: Mapping[str, str] | None = None) -> str | None:
        """Return the current key from the environment; None if none is needed or none is set."""
        env = os.environ if environment is None else environment
        return (env.get(self.key_variable, "").strip() or None) if self.key_variable else None


def checked_endpoint(endpoint: Endpoint) -> Endpoint:
    """Return the endpoint with its address normalised. Raises BadInput naming field, value and expectation."""
    if not endpoint.name.strip() or len(endpoint.name) > 100:
        raise BadInput("An endpoint needs a name of 1 to 100 characters.")
    check_key_variable(endpoint.key_variable)
    for field, low, high in (("concurrency", 1, MOST_CONCURRENCY), ("most_bytes", 1_000, MOST_BYTES)):
        _check_number(field, getattr(endpoint, field), low, high)
    _check_number("deadline_s", endpoint.deadline_s, 1, 3600)
    for field in ("requests_per_minute", "tokens_per_minute"):
        if getattr(endpoint, field) is not None:
            _check_number(field, getattr(endpoint, field), 1, 10**9)
    return Endpoint(
        name=endpoint.name.strip(),
        base_url=checked_address(endpoint.base_url),
        key_variable=endpoint.key_variable,
        requests_per_minute=endpoint.requests_per_minute,
        tokens_per_minute=endpoint.tokens_per_minute,
        concurrency=endpoint.concurrency,
        deadline_s=float(endpoint.deadline_s),
        most_bytes=endpoint.most_bytes,
    )


def check_key_variable(name: str) -> None:
    """Raise BadInput unless the name is that of a variable for keys."""
    if name and not KEY_VARIABLE.match(name):
        # The message does not repeat the input: it may be the key itself.
        raise BadInput(
            "The key's field takes the name of an environment variable in capitals, such as OPENAI_API_KEY or "
            "HF_TOKEN; never a key itself."
        )
    if SETTINGS.match(name):
        raise BadInput(
            f"{name} is a setting, not a key; its value would be sent to this address. Name another variable."
        )
    if SECRETS.match(name) or any(word in name for word in SECRET_WORDS):
        raise BadInput(
            f"{name} is usually a secret of another system; its value would be sent to this address. If it is the "
            "key of a model, set it again under another name, such as EDGEWISE_KEY_LAB."
        )


def checked_address(base_url: str) -> str:
    """Return the address without a slash at its end, as `https://host/v1`, or `SCRIPTED`. Raises BadInput."""
    text = base_url.strip().rstrip("/")
    if text == SCRIPTED:
        return text
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    if parts.username is not None or parts.password is not None:
        raise BadInput("The address contains a user name or password; name a key's variable instead.")
    if parts.scheme not in ("http", "https") or not host or any(character.isspace() for character in text):
        raise BadInput(f"Address {quoted(text)}: an address such as https://host/v1 is needed (http or https only).")
    if parts.query or parts.fragment:
        raise BadInput(f"Address {quoted(text)}: leave out what follows {'?' if parts.query else '#'}.")
    if parts.path.endswith(("/chat/completions", "/embeddings")):
        raise BadInput(f"Address {quoted(text)}: give the address before /chat/completions, usually ending in /v1.")
    return text


def _check_number(field: str, value: object, low: float, high: float) -> None:
    kinds = (int, float) if field == "deadline_s" else (int,)
    if not isinstance(value, kinds) or isinstance(value, bool) or not low <= value <= high:
        whole = "number" if field == "deadline_s" else "whole number"
        raise BadInput(f"Endpoint field {field}: found {value!r}; expected a {whole} from {low:,} to {high:,}.")
