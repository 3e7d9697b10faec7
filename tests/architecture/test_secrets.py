import pytest

from scripts.check_secrets import Finding, findings

# Put together at run time, so that this file passes the check.
DASHES = "-" * 5
LONG = "0123456789abcdef" * 3


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"{DASHES}BEGIN RSA PRIVATE " + f"KEY{DASHES}", "private key"),
        (f"{DASHES}BEGIN PRIVATE " + f"KEY{DASHES}", "private key"),
        ("Bearer " + ".".join(["eyJ" + "a" * 20, "b" * 20, "c" * 20]), "signed token"),
        ("gh" + "p_" + "a1" * 18, "access token"),
        (f'"adminToken": "{LONG}"', "secret value"),
        (f"STELE_SIGNING_KEYS={LONG}", "secret value"),
        (f"password = '{LONG}'", "secret value"),
        ("https://" + "pypi." + "org/simple", "registry host"),
        ('"resolved": ' + '"https://example.com/a.tgz"', "address in a lock file"),
        ("cd /" + "work/main", "path of one machine"),
        ("/" + "home/someone/.cache", "path of one machine"),
    ],
)
def test_what_must_not_be_committed_is_found(text: str, problem: str) -> None:
    assert list(findings(f"first line\n{text}\n")) == [Finding(2, problem)]


@pytest.mark.parametrize(
    "text",
    [
        "token = take_seat(invite).token",
        "secret: SecretStr | None = None",
        "signing_keys: tuple[SecretStr, ...] = Field(default=(), validation_alias=KEYS)",
        f"sha256 = '{LONG}'",
        "GET /v1/matches/{id}/" + "work/list",
        "network/root/file",
    ],
)
def test_ordinary_text_is_no_finding(text: str) -> None:
    assert list(findings(text)) == []
