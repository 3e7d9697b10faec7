"""Certificates that sign themselves, for servers of tests."""

import subprocess
from pathlib import Path


def certified(directory: Path, name: str) -> tuple[str, str]:
    """Return the files of a certificate of a host, and of its key."""
    paths = str(directory / "certificate.pem"), str(directory / "key.pem")
    kind = "IP" if name[0].isdigit() else "DNS"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", f"/CN={name}", "-addext", f"subjectAltName={kind}:{name}"),
            *("-out", paths[0], "-keyout", paths[1]),
        ],
        check=True,
        capture_output=True,
    )
    return paths
