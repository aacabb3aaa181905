"""People in front of the console: signed in, with their own browser window."""

import html.parser
import http.client
import json
import pathlib
import re
import urllib.parse
import urllib.request
from urllib.parse import urljoin, urlsplit

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


def drop_entries(page, entries):
    """Drops files and folders on `#drop`. `entries` is a script with an array of their entries: no script gets real ones."""
    page.evaluate(f"""() => {{
        const waiting = {entries};
        const transfer = new DataTransfer();
        for (const _ of waiting) transfer.items.add(new File(["a"], "a"));
        DataTransferItem.prototype.webkitGetAsEntry = () => waiting.shift();
        document.getElementById("drop").dispatchEvent(new DragEvent("drop", {{ dataTransfer: transfer, cancelable: true }}));
    }}""")


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
             "accounts", "apps", "keys", "tokens", "sessions", "aliases", "installations"}  # fmt: skip
    WORDS = {"accounts", "apps", "tokens", "plist", "new", "compare", "rollback", "history", "import", "evaluate"}

    def __init__(self, base, most):
        """`most` of a pattern are kept and read, as not all of them have the same links."""
        self.base = base
        self.most = most
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
        if len(known) < self.most:
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


def get(cookie, address):
    request = urllib.request.Request(address, headers={"Cookie": "=".join(cookie)})
    return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60)


def crawl(server, cookie, most):
    """The pages that a reader finds by links, from the start page on."""
    pages = Pages(server.url + "/console/", most)
    pages.add(server.url + "/console/")
    while (address := pages.next()) is not None:
        with get(cookie, address) as answer:
            if answer.headers.get_content_type() != "text/html":
                pages.forget(address)  # A file to save.
                continue
            for link in Links(answer.read().decode()).found:
                pages.add(urljoin(answer.url, link))
    return pages


def links_of(server, cookie, most):
    """At most so many addresses of each kind of page."""
    return [address for known in crawl(server, cookie, most).by_pattern.values() for address in known]


def post(server, cookie, path, fields):
    """Sends the form of a page of the console."""
    with get(cookie, server.url + path) as page:
        found = re.search(r'name="form-token" content="([^"]*)"', page.read().decode())
    body = urllib.parse.urlencode({"form-token": found[1], **fields}).encode()
    request = urllib.request.Request(server.url + path, body, {"Cookie": "=".join(cookie), "Origin": server.url})
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60).close()
