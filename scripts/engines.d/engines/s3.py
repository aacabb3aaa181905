"""Signed requests to an S3-compatible store (AWS Signature Version 4), as small as tests need."""

from __future__ import annotations

import datetime
import hashlib
import hmac
import http.client
import ssl
import urllib.parse
from dataclasses import dataclass

REGION = "us-east-1"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


class Store:
    """`url` is http(s)://ACCESS:SECRET@HOST:PORT, access key and secret percent-encoded. Each request has a connection of its
    own. Any thread may use it."""

    def __init__(self, url: str, authority: str | None = None) -> None:
        """`authority` is a file with the certificate that is trusted with https."""
        parts = urllib.parse.urlsplit(url)
        self.host, self.port = parts.hostname, parts.port
        self.access = urllib.parse.unquote(parts.username or "")
        self.secret = urllib.parse.unquote(parts.password or "")
        self._tls = ssl.create_default_context(cafile=authority) if parts.scheme == "https" else None

    def request(
        self, method: str, path: str, query: dict[str, str] | None = None, body: bytes = b"", headers: dict[str, str] | None = None,
        timeout: float = 30,
    ) -> Answer:
        """`path` is /BUCKET/KEY, not encoded."""
        encoded_path = urllib.parse.quote(path, safe="/-_.~")
        encoded_query = "&".join(f"{quoted(name)}={quoted(value)}" for name, value in sorted((query or {}).items()))
        signed = self._sign(method, encoded_path, encoded_query, body, headers or {})
        if self._tls:
            connection = http.client.HTTPSConnection(self.host, self.port, timeout=timeout, context=self._tls)
        else:
            connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        try:
            connection.request(method, encoded_path + ("?" + encoded_query if encoded_query else ""), body or None, signed)
            response = connection.getresponse()
            return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
        finally:
            connection.close()

    def make_bucket(self, name: str) -> None:
        answer = self.request("PUT", f"/{name}")
        if answer.status != 200:
            raise RuntimeError(f"cannot make the bucket {name}: {answer.status} {answer.body.decode(errors='replace')}")

    def put(self, bucket: str, key: str, body: bytes) -> Answer:
        return self.request("PUT", f"/{bucket}/{key}", body=body)

    def get(self, bucket: str, key: str) -> Answer:
        return self.request("GET", f"/{bucket}/{key}")

    def _sign(self, method: str, path: str, query: str, body: bytes, headers: dict[str, str]) -> dict[str, str]:
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        digest = hashlib.sha256(body).hexdigest()
        all_headers = {name.lower(): value.strip() for name, value in headers.items()} | {
            "host": f"{self.host}:{self.port}", "x-amz-date": now, "x-amz-content-sha256": digest}
        if method in ("PUT", "POST"):
            all_headers["content-length"] = str(len(body))
        names = ";".join(sorted(all_headers))
        lines = "".join(f"{name}:{all_headers[name]}\n" for name in sorted(all_headers))
        scope = f"{now[:8]}/{REGION}/s3/aws4_request"
        request = hashlib.sha256(f"{method}\n{path}\n{query}\n{lines}\n{names}\n{digest}".encode()).hexdigest()
        key = f"AWS4{self.secret}".encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        signature = hmac.digest(key, f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{request}".encode(), "sha256").hex()
        all_headers["authorization"] = (
            f"AWS4-HMAC-SHA256 Credential={self.access}/{scope}, SignedHeaders={names}, Signature={signature}")
        return all_headers


def quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="-_.~")


def url(scheme: str, access: str, secret: str, host: str, port: int) -> str:
    return f"{scheme}://{quoted(access)}:{quoted(secret)}@{host}:{port}"
