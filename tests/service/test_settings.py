"""Settings: what is refused, what is made by itself, and that secrets are never shown."""

import os
import re
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.settings import (
    EXAMPLES,
    Settings,
    SettingsError,
    is_loopback,
    load_settings,
    signing_keys,
    unknown_names,
)
from service.store.connect import connect

SECRET = "a-very-secret-value"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in os.environ:
        if name.startswith("STELE_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def variable(name: str) -> str:
    return name.upper() if name.startswith("otel") else f"STELE_{name.upper()}"


def test_every_setting_has_an_example_that_is_valid(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / EXAMPLES["trusted_documents"]).write_text("{}")
    (tmp_path / EXAMPLES["catalogue_dir"]).mkdir()
    assert set(EXAMPLES) == set(Settings.model_fields)
    for name, example in EXAMPLES.items():
        monkeypatch.setenv(variable(name), example)
    settings = load_settings()
    assert settings.rate_limit == (600, 60)
    assert settings.webhooks_allow == ("hooks.example.org", "10.0.0.0/8")
    assert [key.get_secret_value()[:5] for key in settings.signing_keys] == ["a-key", "the-k"]
    assert settings.standing_pass_seconds == (0.8, 2.5)
    assert settings.otel_exporter_otlp_endpoint == "http://localhost:4318"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("redis_url", "http://host"),
        ("redis_url", "localhost:6379"),
        ("redis_url", "redis://"),
        ("durability", "never"),
        ("signing_keys", "short"),
        ("admin_token", "short"),
        ("oidc_issuer", "login.example.org"),
        ("oidc_issuer", "http://login.example.org"),
        ("oidc_issuer", "https://user@login.example.org"),
        ("oidc_issuer", "https://login.example.org"),
        ("cors_origins", "https://a.example/path"),
        ("cors_origins", "a.example"),
        ("trusted_documents", "/nothing/here.json"),
        ("graphiql", "perhaps"),
        ("rate_limit", "many"),
        ("rate_limit", "10/day"),
        ("rate_limit", "0/minute"),
        ("max_body_bytes", "12"),
        ("max_body_bytes", "lots"),
        ("webhooks_allow", "a b"),
        ("catalogue_dir", "/nothing/here"),
        ("log_level", "loud"),
        ("standing_pass_seconds", "2"),
        ("standing_pass_seconds", "3-1"),
        ("standing_pass_seconds", "1-99999999999999999999"),
        ("data_dir", "a" * 5000),
        ("trusted_documents", "a" * 5000),
        ("catalogue_dir", "a" * 5000),
        ("admin_token", "é" * 20),
        ("hosts", "http://host"),
        ("cors_origins", "https://A.example"),
        ("cors_origins", "https://user:word@a.example"),
        ("cors_origins", "https://[::1"),
        ("oidc_issuer", "https://login.example.org:port"),
        ("oidc_issuer", "https://login.example\t.org"),
        ("otel_exporter_otlp_endpoint", "http://["),
        ("redis_url", "redis+sentinel://host:26379"),
        ("otel_exporter_otlp_endpoint", "collector"),
    ],
)
def test_a_wrong_value_is_named_with_its_problem_and_an_example(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(variable(name), value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    (line,) = str(caught.value).splitlines()
    named = variable("oidc_audience" if value == "https://login.example.org" else name)
    assert line.startswith(f"{named}: ")
    assert f"; for example {named}=" in line


BEYOND_UTF_8 = "\udcff"  # what a byte that is not UTF-8 becomes in the environment


@pytest.mark.parametrize("name", sorted(EXAMPLES))
@pytest.mark.parametrize(
    "value", [SECRET + BEYOND_UTF_8 * 40, SECRET * 300, f"https://[{SECRET}:x/", f"{SECRET}\x1b[2J"]
)
def test_no_value_is_repeated(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(variable(name), value)
    loaded = refused_or_loaded()
    if isinstance(loaded, str):
        assert loaded.startswith(f"{variable(name)}: ")
        assert f"; for example {variable(name)}=" in loaded
        assert SECRET not in loaded
        assert loaded.isprintable()
    else:
        assert BEYOND_UTF_8 not in value
        assert name in ("data_dir", "admin_token", "signing_keys", "oidc_audience")


def refused_or_loaded() -> str | Settings:
    """Load the settings; return what is said of them where they are refused."""
    try:
        loaded = load_settings()
    except SettingsError as error:
        return str(error)
    assert len(signing_keys(loaded)) >= 1
    if loaded.redis_url is not None:
        connect(loaded.redis_url.get_secret_value())
    return loaded


PIECES = ["/", "?", "#", "@", ":", "[", "]", ",", ".", "-", "%", "%00", "=", "*", " ", "\n", "\x7f"]
WORDS = [
    *PIECES,
    "0",
    "99999",
    "9" * 400,
    "redis+cluster://",
    "https://",
    "\udcff",
    "\u202e",
    "é",
    "١",
]


@settings(max_examples=400)
@given(
    name=st.sampled_from(sorted(EXAMPLES)),
    at=st.integers(0, 60),
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
)
def test_whatever_is_set_is_taken_or_refused_by_name(name: str, at: int, words: list[str]) -> None:
    """Values that are nearly right: examples with something in them that does not belong there."""
    example = EXAMPLES[name]
    value = example[:at] + "".join(words) + example[at:]
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as directory:
        patch.chdir(directory)
        patch.setenv(variable(name), value)
        loaded = refused_or_loaded()
    if isinstance(loaded, str):
        names = {variable(name), variable("oidc_audience" if name == "oidc_issuer" else name)}
        assert re.match(rf"(?:{'|'.join(names)}): .*; for example ", loaded)
        assert loaded.isprintable()


def test_every_wrong_value_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STELE_LOG_LEVEL", "loud")
    monkeypatch.setenv("STELE_GRAPHIQL", "perhaps")
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert len(str(caught.value).splitlines()) == 2


def test_secrets_are_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STELE_ADMIN_TOKEN", SECRET)
    monkeypatch.setenv("STELE_SIGNING_KEYS", SECRET * 2)
    monkeypatch.setenv("STELE_REDIS_URL", f"redis://:{SECRET}@host")
    assert SECRET not in repr(load_settings())
    monkeypatch.setenv("STELE_SIGNING_KEYS", SECRET)
    monkeypatch.setenv("STELE_REDIS_URL", f"http://:{SECRET}@host")
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b'"\xff"', "not UTF-8, at byte 1"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "not a JSON object"),
        (b'{"a": 1}', "'a' has no text"),
        (b'{"a": "\\ud800"}', "'a' has half a character"),
        (b'{"\\ud800": "a"}', "has half a character"),
    ],
)
def test_a_file_of_documents_is_refused_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: bytes, problem: str
) -> None:
    (tmp_path / "documents.json").write_bytes(text)
    monkeypatch.setenv("STELE_TRUSTED_DOCUMENTS", "documents.json")
    with pytest.raises(SettingsError, match=f"^STELE_TRUSTED_DOCUMENTS: .*{problem}") as caught:
        load_settings()
    str(caught.value).encode()


def test_what_is_given_counts_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STELE_DATA_DIR", "one")
    assert load_settings(data_dir=Path("other"), redis_url=None).data_dir == Path("other")
    assert load_settings(data_dir=None).data_dir == Path("one")


def test_a_misspelt_name_is_noticed() -> None:
    names = {
        "STELE_REDISURL": "x",
        "STELE_REDIS_URL": "x",
        "STELE_TEST_REDIS_URL": "x",
        "HOME": "x",
    }
    assert unknown_names(names) == ("STELE_REDISURL",)


def test_a_signing_key_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    settings = load_settings(data_dir=tmp_path / "data")
    keys = signing_keys(settings)
    assert keys == signing_keys(settings)
    assert len(keys[0]) >= 32
    path = tmp_path / "data" / "signing.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["signing.key"]
    assert keys[0].decode() not in repr(settings)
    path.write_text("")
    with pytest.raises(SettingsError, match="damaged"):
        signing_keys(settings)


@pytest.mark.parametrize(
    ("host", "local"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("host", False)],
)
def test_loopback_is_told_from_the_rest(host: str, local: bool) -> None:
    assert is_loopback(host) is local
