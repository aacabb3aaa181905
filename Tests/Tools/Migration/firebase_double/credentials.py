"""Sign-in, installations and signed links."""

import base64
import hashlib
import hmac
import json
import os
import secrets
import subprocess
import tempfile
import time


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


class Credentials:
    """The key of a service account, and the tokens and links that the double gave out."""

    def __init__(self, folder, token_seconds, link_seconds):
        self.key = os.path.join(folder, "private-key.pem")
        self.public = os.path.join(folder, "public-key.pem")
        subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", self.key],
                       check=True, stderr=subprocess.DEVNULL)
        subprocess.run(["openssl", "pkey", "-in", self.key, "-pubout", "-out", self.public], check=True)
        self.email = "importer@double.iam.gserviceaccount.com"
        self.api_key = "A" + "Iza" + secrets.token_urlsafe(40).replace("-", "x").replace("_", "y")[:35]
        self.token_seconds = token_seconds
        self.link_seconds = link_seconds
        self.tokens = {}
        self.installations = set()
        self.signatures = set()
        self.secret = secrets.token_bytes(32)

    def sign_in(self, assertion, token_uri):
        """An access token for a signed assertion (RFC 7523); None if anything about it is wrong."""
        try:
            head, body, signature = assertion.split(".")
            claims = json.loads(decoded(body))
            if json.loads(decoded(head))["alg"] != "RS256":
                return None
            with tempfile.NamedTemporaryFile() as file:
                file.write(decoded(signature))
                file.flush()
                check = subprocess.run(["openssl", "dgst", "-sha256", "-verify", self.public, "-signature", file.name],
                                       input=f"{head}.{body}".encode(), capture_output=True)
            now = time.time()
            is_valid = (check.returncode == 0 and claims["iss"] == self.email and claims["aud"] == token_uri
                        and "cloud-platform" in claims["scope"] and now - 60 < claims["exp"] <= claims["iat"] + 3600
                        and abs(claims["iat"] - now) < 300)
        except (ValueError, KeyError):
            return None
        if not is_valid:
            return None
        token = "ya29." + secrets.token_urlsafe(60)
        self.tokens[token] = now + self.token_seconds
        return token

    def is_account(self, header):
        return self.tokens.get((header or "").removeprefix("Bearer "), 0) > time.time()

    def register(self):
        """A token of a new installation."""
        token = ".".join(secrets.token_urlsafe(30) for _ in range(3))
        self.installations.add(token)
        return token

    def secrets(self):
        """What may stand nowhere but in calls."""
        with open(self.key, encoding="ascii") as file:
            key = file.read().splitlines()[1]
        return [key, self.api_key, *self.tokens, *self.installations, *self.signatures]

    def link(self, base, path, seconds=None):
        expires = int(time.time()) + (seconds or self.link_seconds)
        signature = self._signature(path, expires)
        self.signatures.add(signature)
        return f"{base}{path}?X-Goog-Expires={expires}&X-Goog-Signature={signature}"

    def link_problem(self, path, query):
        """Cloud Storage's code for what is wrong with a link; None for a good one."""
        try:
            expires = int(query["X-Goog-Expires"])
        except (KeyError, ValueError):
            return "MalformedSecurityHeader"
        if not hmac.compare_digest(query.get("X-Goog-Signature", ""), self._signature(path, expires)):
            return "SignatureDoesNotMatch"
        return "ExpiredToken" if expires <= time.time() else None

    def _signature(self, path, expires):
        return hmac.new(self.secret, f"{path} {expires}".encode(), hashlib.sha256).hexdigest()
