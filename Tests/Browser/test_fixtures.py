"""The fixtures find what they are for: each kind of fault is on a small page, next to one without any."""

import http.server
import socket
import threading

import pytest
from playwright.sync_api import Error

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; require-trusted-types-for 'script'"
STYLE = ":root { color-scheme: light dark } body { color: #222; background: #fff } @media (prefers-color-scheme: dark) \
{ body { color: #eee; background: #111 } } @media (max-width: 500px) { h1 { font-size: 1em } }"
SCRIPT = """
document.querySelector("button").addEventListener("click", () => { document.querySelector("output").value = "pressed"; });
document.querySelector("input").addEventListener("change", async (event) => {
    document.querySelector("output").value = (await event.target.files[0].text()).length;
});
"""


def document(body="", head=""):
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>
        <link rel="stylesheet" href="style.css"><script type="module" src="script.js"></script>{head}
        <main><h1>A page</h1><label>File <input type="file"></label><button type="button">Press</button>
        <output></output>{body}</main></html>"""


class Site(http.server.ThreadingHTTPServer):
    """Serves texts by their path, all with the same policy."""

    daemon_threads = True

    def __init__(self, policy=POLICY):
        super().__init__(("127.0.0.1", 0), Handler)
        self.policy = policy
        self.texts = {"/style.css": STYLE, "/script.js": SCRIPT, "/pixel.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"}
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}

    def do_GET(self):
        text = self.server.texts.get(self.path)
        self.send_response(404 if text is None else 200)
        self.send_header("Content-Security-Policy", self.server.policy)
        self.send_header("Content-Type", self.TYPES.get(self.path.split(".")[-1], "text/html"))
        body = (text or "").encode()
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def site():
    site = Site()
    yield site
    site.stop()


@pytest.fixture
def visit(site, open_page):
    """Opens a page with that body."""

    def visit(body="", head="", theme="light", width=1280):
        site.texts["/"] = document(body, head)
        page = open_page(site.url, theme, width)
        page.goto(site.url + "/")
        return page

    return visit


def check_only(page, *kinds):
    """The page is not clean, and for these reasons only."""
    with pytest.raises(AssertionError, match="the page is not clean"):
        page.assert_clean()
    assert {line.split(":")[0] for line in page.findings} == set(kinds), page.findings


def test_a_page_without_faults_is_clean_and_works(visit):
    page = visit()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "BUTTON"
    page.keyboard.press("Enter")
    page.get_by_text("pressed").wait_for()
    file = {"name": "a.bin", "mimeType": "application/octet-stream", "buffer": b"x" * 1_000_000}
    page.set_input_files("input", files=[file])
    page.get_by_text("1000000").wait_for()
    assert page.axe() == []
    page.assert_clean()


def test_axe_leaves_no_trace_and_the_policy_in_force(visit):
    page = visit()
    assert page.axe() == [] and page.axe() == []
    assert page.evaluate("typeof axe") == "undefined"
    page.assert_clean()
    page.evaluate("document.body.append(Object.assign(document.createElement('style'), {textContent: 'p {}'}))")
    check_only(page, "console", "policy")


def test_breaches_of_the_policy_are_found(visit):
    page = visit("<p>x</p>", head="<script>document.title = 'changed'</script>")
    check_only(page, "console", "policy")
    assert "script-src-elem blocked inline" in page.findings[-1] + page.findings[0]
    assert page.title() == "A page"
    styled = visit("<p style='color: red'>x</p>")
    check_only(styled, "console", "policy")
    texts = visit()
    with pytest.raises(Error, match="TrustedHTML"):
        texts.evaluate("document.querySelector('h1').innerHTML = '<b>x</b>'")
    check_only(texts, "console", "policy")


def test_requests_to_other_servers_are_found(visit, site):
    site.policy = "default-src * 'unsafe-inline'"
    other = Site()
    other.texts["/pixel.svg"] = site.texts["/pixel.svg"]
    try:
        page = visit(f"<img alt='x' src='{other.url}/pixel.svg'>")
        page.wait_for_load_state("load")
        check_only(page, "foreign")
    finally:
        other.stop()
    named = visit("<img alt='x' src='http://tracker.example/pixel.svg'>")
    check_only(named, "foreign", "failed", "console")


def test_failed_requests_are_found(visit, site):
    missing = visit("<img alt='x' src='missing.svg'>")
    check_only(missing, "failed", "console")
    assert any(line.endswith("missing.svg: 404") for line in missing.findings)
    # They may be expected, and then have to happen.
    missing.assert_clean(except_for=["404"])
    with pytest.raises(AssertionError, match="nothing matches 'teapot'"):
        missing.assert_clean(except_for=["404", "teapot"])
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    unreachable = visit()
    with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
        unreachable.goto(f"http://127.0.0.1:{port}/")
    check_only(unreachable, "failed", "foreign")


def test_errors_and_messages_of_scripts_are_found(visit, site):
    site.texts["/wrong.js"] = "Promise.reject(new Error('late')); throw new Error('early');"
    page = visit(head="<script src='wrong.js'></script>")
    check_only(page, "error")
    assert {"early", "late"} <= {line.split(": ")[-1] for line in page.findings}, page.findings
    site.texts["/loud.js"] = "console.debug('here')"
    check_only(visit(head="<script src='loud.js'></script>"), "console")


@pytest.mark.parametrize(
    "body, rule",
    [
        ("<img src='pixel.svg'>", "image-alt"),
        ("<p class='faint'>hard to read</p>", "color-contrast"),
        ("<input type='text'>", "label"),
        ("<h4>too deep</h4>", "heading-order"),
    ],
)
def test_axe_finds(visit, site, body, rule):
    site.texts["/style.css"] += " .faint { color: #bbb; background: #fff }"
    page = visit(body)
    assert {line.split(":")[0] for line in page.axe()} == {rule}


def test_themes_and_widths(visit):
    looks = {}
    for theme in ("light", "dark"):
        for width in (390, 1280):
            page = visit(theme=theme, width=width)
            assert page.evaluate("innerWidth") == width
            path = page.picture("fixtures")
            assert path.name == f"fixtures-{theme}-{width}.png"
            assert path.read_bytes().startswith(b"\x89PNG")
            colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
            looks[theme, width] = (colour, path.read_bytes())
    assert looks["light", 390][0] == looks["light", 1280][0] == "rgb(255, 255, 255)"
    assert looks["dark", 390][0] == looks["dark", 1280][0] == "rgb(17, 17, 17)"
    assert len({picture for _, picture in looks.values()}) == 4


def test_the_server_answers_a_page(server, page):
    opened = page("dark", 800)
    assert opened.goto(server.url + "/healthz").status == 200
    assert server.hearth("remoteconfig", "versions", "--json").strip() == '{"versions":[]}'
    server.hearth("remoteconfig", "set", "welcome", "Hello")
    assert '"updateType":"' in server.hearth("remoteconfig", "versions", "--json")
    opened.assert_clean()
