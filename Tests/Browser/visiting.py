"""People in front of the console: signed in, with their own browser window."""

import html.parser
import http.client
import json
import pathlib
import re
import urllib.parse
from urllib.parse import urlsplit

PACKAGE = pathlib.Path(__file__).resolve().parents[2]


def sign_in(server):
    """The name and value of a session's cookie."""
    link = next(word for word in server.hearth("console", "--print").split() if "#" in word)
    return exchange(server, link.split("#")[1])


def exchange(server, proof):
    """Signs in with a code of a link, or an admin token. Returns the name and value of the cookie."""
    parts = urlsplit(server.url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
    fields = {"Origin": server.url, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/console/sign-in", urllib.parse.urlencode({"proof": proof}), fields)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert answer.status == 303, answer.status
    return answer.getheader("Set-Cookie").split(";")[0].split("=", 1)


def token(server, role="owner"):
    """An admin token of that role."""
    return json.loads(server.hearth("keys", "token", "create", role, "--role", role, "--json"))["token"]


def give(page, server, cookie):
    """The page's browser has the session."""
    page.context.add_cookies([{"name": cookie[0], "value": cookie[1], "url": server.url}])
    return page


class Links(html.parser.HTMLParser):
    """The addresses that a page leads to by links and by forms that change nothing."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        if tag == "a" and "href" in named:
            self.found.append(named["href"])
        elif tag == "form" and "action" in named and "method" not in named:
            self.found.append(named["action"])


class Pages:
    """The addresses of the console that pages link to, each with the pattern of its route."""

    # A segment after one of these is a name or a number; the others are words of the pattern.
    NAMED = {"projects", "models", "versions", "releases", "rehearsals", "experiments", "parameters", "conditions",
             "accounts", "tokens", "sessions", "aliases", "installations"}  # fmt: skip
    WORDS = {"new", "compare", "rollback", "history", "import", "evaluate"}

    # So many of a pattern are read for their links, as not all of them have the same ones.
    MOST = 4

    def __init__(self, base):
        self.base = base
        self.by_pattern = {}
        self.waiting = []
        self.seen = set()

    def add(self, address):
        """Keeps the address if it is one of the first of its pattern."""
        address = address.split("#")[0]
        path, _, query = address.partition("?")
        if address in self.seen or not path.startswith(self.base) or "/assets/" in path:
            return
        self.seen.add(address)
        segments = path[len(self.base) :].split("/")
        pattern = "/".join(
            "{}" if index and segments[index - 1] in self.NAMED and segment and segment not in self.WORDS else segment
            for index, segment in enumerate(segments)
        )
        if query:
            pattern += "?" + "&".join(sorted(re.findall(r"(?:^|&)([^=&]+)=", query)))
        known = self.by_pattern.setdefault(pattern, [])
        if len(known) < self.MOST:
            known.append(address)
            self.waiting.append(address)

    def next(self):
        return self.waiting.pop(0) if self.waiting else None

    def forget(self, address):
        self.by_pattern = {
            pattern: rest for pattern, known in self.by_pattern.items() if (rest := [one for one in known if one != address])
        }

    def first(self):
        return {pattern: known[0] for pattern, known in self.by_pattern.items()}
