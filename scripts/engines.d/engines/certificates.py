"""A certificate authority of the tests' own, and a certificate of it for this machine's loopback."""

from __future__ import annotations

import pathlib
import subprocess

SUBJECT_NAMES = "subjectAltName=DNS:localhost,IP:127.0.0.1"


class Certificates:
    """`authority` is what clients trust; `certificate` and `key` are the server's; `both` has the two in one file."""

    def __init__(self, folder: pathlib.Path) -> None:
        folder.mkdir(exist_ok=True)
        self.authority, self._authority_key = folder / "authority.pem", folder / "authority.key"
        self.certificate, self.key, self.both = folder / "server.pem", folder / "server.key", folder / "both.pem"
        make = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "7"]
        self._run([*make, "-subj", "/CN=Hearth test authority", "-keyout", self._authority_key, "-out", self.authority])
        self._run([
            *make, "-subj", "/CN=localhost", "-addext", SUBJECT_NAMES, "-addext", "basicConstraints=critical,CA:FALSE",
            "-CA", self.authority, "-CAkey", self._authority_key, "-keyout", self.key, "-out", self.certificate])
        self.both.write_bytes(self.key.read_bytes() + self.certificate.read_bytes())
        for secret in (self.key, self.both, self._authority_key):
            secret.chmod(0o600)

    @staticmethod
    def _run(command: list) -> None:
        result = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            raise RuntimeError(f"openssl cannot make a certificate: {result.stdout}")
