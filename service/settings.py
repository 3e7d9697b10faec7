"""Settings from the environment (prefix `STELE_`), and the key that signs tokens.

Every value is checked before anything starts; a wrong one is named with its problem and an example.
Settings of features that come later are checked all the same, so that a file of them stays valid.
"""

import os
import re
import secrets
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AliasChoices,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from service import trusted
from service.store import connect
from service.store.base import Durability
from service.urls import is_url

PREFIX: Final = "STELE_"
_OTEL: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
_SHORTEST_KEY: Final = 32
_SHORTEST_TOKEN: Final = 16
_LONGEST_NAME: Final = 255  # bytes, of a file
_LONGEST_PASS: Final = 3600.0  # seconds

EXAMPLES: Final[Mapping[str, str]] = {
    "redis_url": "redis://localhost:6379/0",
    "data_dir": ".data",
    "durability": "everysec",
    "signing_keys": "a-key-of-32-or-more-random-characters,the-key-that-was-used-before-that-one",
    "admin_token": "a-token-of-16-characters-or-longer",
    "oidc_issuer": "https://login.example.org",
    "oidc_audience": "stele",
    "hosts": "play.example.org,localhost",
    "max_requests": "1000",
    "cors_origins": "https://play.example.org,http://localhost:5173",
    "trusted_documents": "documents.json",
    "graphiql": "true",
    "rate_limit": "600/minute",
    "max_body_bytes": "4194304",
    "webhooks_allow": "hooks.example.org,10.0.0.0/8",
    "catalogue_dir": "catalogue",
    "log_level": "info",
    "standing_pass_seconds": "0.8-2.5",
    "otel_exporter_otlp_endpoint": "http://localhost:4318",
}


class SettingsError(Exception):
    """Some settings are wrong; the message has one line for each."""


def _split(value: object) -> object:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def _rate(value: object) -> object:
    if not isinstance(value, str):
        return value
    if value == "off":
        return (0, 0)
    found = re.fullmatch(r"([1-9][0-9]{0,8})/(second|minute|hour)", value)
    if found is None:
        raise ValueError('not "off" or a number of requests a second, minute or hour')
    return int(found[1]), {"second": 1, "minute": 60, "hour": 3600}[found[2]]


def _span(value: object) -> object:
    if not isinstance(value, str):
        return value
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)-([0-9]+(?:\.[0-9]+)?)", value)
    if found is None or not float(found[1]) <= float(found[2]) <= _LONGEST_PASS:
        raise ValueError("not two numbers of seconds up to 3600, the smaller one first")
    return float(found[1]), float(found[2])


Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)]
Secrets = Annotated[tuple[SecretStr, ...], NoDecode, BeforeValidator(_split)]


class Settings(BaseSettings):
    """Everything that an operator can set."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        extra="ignore",
        frozen=True,
        env_ignore_empty=True,
        hide_input_in_errors=True,
    )

    redis_url: SecretStr | None = None
    data_dir: Path = Path(".data")
    durability: Durability = "everysec"
    signing_keys: Secrets = ()
    admin_token: SecretStr | None = None
    oidc_issuer: str | None = None
    oidc_audience: str | None = None
    hosts: Words = ()  # that the service goes by; not set: any
    max_requests: Annotated[int, Field(ge=1, le=1_000_000)] = 1000  # at once, in one process
    cors_origins: Words = ()
    trusted_documents: Path | None = None
    graphiql: bool | None = None  # not set: on where only this machine can reach the service
    # so many requests in so many seconds; (0, 0): no limit
    rate_limit: Annotated[tuple[int, int], NoDecode, BeforeValidator(_rate)] = (600, 60)
    max_body_bytes: Annotated[int, Field(ge=1024, le=64 * 1024 * 1024)] = 4 * 1024 * 1024
    webhooks_allow: Words = ()
    catalogue_dir: Path | None = None
    log_level: Literal["debug", "info", "warning", "error", "critical"] = "info"
    standing_pass_seconds: Annotated[tuple[float, float], NoDecode, BeforeValidator(_span)] = (
        0.8,
        2.5,
    )
    otel_exporter_otlp_endpoint: str | None = Field(
        default=None, validation_alias=AliasChoices(_OTEL, "otel_exporter_otlp_endpoint")
    )

    @field_validator("*", mode="before")
    @classmethod
    def _is_text(cls, value: object) -> object:
        if isinstance(value, str | Path) and not trusted.is_text(str(value)):
            raise ValueError("not UTF-8")
        return value

    @field_validator("redis_url")
    @classmethod
    def _is_store(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None:
            connect.check(url.get_secret_value())
        return url

    @field_validator("data_dir")
    @classmethod
    def _can_be_directory(cls, path: Path) -> Path:
        if any(len(os.fsencode(part)) > _LONGEST_NAME for part in path.parts):
            raise ValueError(f"a part of the path has over {_LONGEST_NAME} bytes")
        try:
            path.lstat()
        except FileNotFoundError:
            pass  # it is made
        except OSError as error:
            raise ValueError(f"cannot be used ({error.strerror})") from None
        return path

    @field_validator("signing_keys")
    @classmethod
    def _are_long(cls, keys: tuple[SecretStr, ...]) -> tuple[SecretStr, ...]:
        if any(len(key.get_secret_value()) < _SHORTEST_KEY for key in keys):
            raise ValueError(f"a key is shorter than {_SHORTEST_KEY} characters")
        return keys

    @field_validator("admin_token")
    @classmethod
    def _is_long(cls, token: SecretStr | None) -> SecretStr | None:
        if token is not None and len(token.get_secret_value()) < _SHORTEST_TOKEN:
            raise ValueError(f"shorter than {_SHORTEST_TOKEN} characters")
        if token is not None and not re.fullmatch(r"[!-~]([ -~]*[!-~])?", token.get_secret_value()):
            raise ValueError("a header can carry letters, digits and signs of ASCII only")
        return token

    @field_validator("oidc_issuer")
    @classmethod
    def _is_provider(cls, url: str | None) -> str | None:
        if url is not None and not is_safe_provider(url):
            raise ValueError("not an https URL; http is for a provider on this machine only")
        return url

    @field_validator("otel_exporter_otlp_endpoint")
    @classmethod
    def _is_web_address(cls, url: str | None) -> str | None:
        if url is not None and not is_url(url):
            raise ValueError("not an http or https URL")
        return url

    @field_validator("cors_origins")
    @classmethod
    def _are_origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        return _all(_is_origin, origins, "an origin: scheme and host in lower case, without a path")

    @field_validator("hosts")
    @classmethod
    def _are_names(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        return _all(_is_name, hosts, "a host name without scheme and port")

    @field_validator("webhooks_allow")
    @classmethod
    def _are_hosts(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        return _all(_is_reached, hosts, "a host name or a network")

    @field_validator("trusted_documents")
    @classmethod
    def _is_file(cls, path: Path | None) -> Path | None:
        if path is not None:
            if not os.path.isfile(path):  # which says no where `Path` raises
                raise ValueError("there is no such file")
            trusted.load(path)
        return path

    @field_validator("catalogue_dir")
    @classmethod
    def _is_directory(cls, path: Path | None) -> Path | None:
        if path is not None and not os.path.isdir(path):
            raise ValueError("there is no such directory")
        return path

    @field_validator("log_level", mode="before")
    @classmethod
    def _in_lower_case(cls, level: object) -> object:
        return level.lower() if isinstance(level, str) else level

    @model_validator(mode="after")
    def _has_audience(self) -> Self:
        if self.oidc_issuer is not None and self.oidc_audience is None:
            raise ValueError("an issuer needs STELE_OIDC_AUDIENCE beside it")
        return self


def load_settings(**given: object) -> Settings:
    """Return the settings of the environment; what is `given` and not None counts before it.

    Raises:
        SettingsError: names every wrong setting, its problem and an example.
    """
    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    try:
        return Settings(**chosen)
    except ValidationError as error:
        raise SettingsError("\n".join(dict.fromkeys(map(_line, error.errors())))) from None


def unknown_names(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names in an environment that look like settings and are none: misspelt ones."""
    known = {PREFIX + name.upper() for name in EXAMPLES} | {PREFIX + "TEST_REDIS_URL"}
    return tuple(sorted(n for n in environment if n.startswith(PREFIX) and n not in known))


def signing_keys(settings: Settings) -> tuple[bytes, ...]:
    """Return the keys that sign tokens, the current one first.

    Where none are set, one is made once and kept in the data directory, readable by its owner only.
    """
    if settings.signing_keys:
        return tuple(key.get_secret_value().encode() for key in settings.signing_keys)
    path = settings.data_dir / "signing.key"
    if not path.exists():
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Linked into place when complete, so that of two processes both read the same key.
        file, name = tempfile.mkstemp(dir=settings.data_dir)
        try:
            with os.fdopen(file, "w") as stream:
                stream.write(secrets.token_urlsafe(48))
            with suppress(FileExistsError):
                os.link(name, path)
        finally:
            os.unlink(name)
    key = path.read_bytes().strip()
    if len(key) < _SHORTEST_KEY:
        raise SettingsError(f"the signing key in {path} is damaged: restore it, or delete the file")
    return (key,)


def is_safe_provider(url: str) -> bool:
    """Say whether nobody on the way can change what a provider says."""
    if not is_url(url):
        return False
    parts = urlsplit(url)
    is_secure = parts.scheme == "https" or is_loopback(parts.hostname or "")
    return is_secure and parts.username is None


def is_loopback(host: str) -> bool:
    """Say whether only this machine can reach a server that listens on the host."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _line(error: Any) -> str:
    name = str(error["loc"][0]) if error["loc"] else "oidc_audience"
    field = _OTEL.lower() if name == _OTEL else name
    shown = _OTEL if field == _OTEL.lower() else PREFIX + field.upper()
    problem = str(error["msg"]).removeprefix("Value error, ")
    return f"{shown}: {problem}; for example {shown}={EXAMPLES[field]}"


def _all(is_one: Callable[[str], bool], words: tuple[str, ...], kind: str) -> tuple[str, ...]:
    """Return the words if each is of a kind; else tell of the first by its place alone."""
    for number, word in enumerate(words, start=1):
        if not is_one(word):
            raise ValueError(f"entry {number} is not {kind}")
    return words


def _is_origin(word: str) -> bool:
    return word == "*" or (is_url(word) and re.fullmatch(r"[a-z]+://[^/?#@A-Z]+", word) is not None)


def _is_name(word: str) -> bool:
    return re.fullmatch(r"\*|[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]+\]", word) is not None


def _is_reached(word: str) -> bool:
    return re.fullmatch(r"[A-Za-z0-9.-]{1,253}", word) is not None or _is_network(word)


def _is_network(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True
