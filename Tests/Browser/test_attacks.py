"""What an attacker tries in a browser: names that are script, and pages of another origin."""

import http.server
import threading
import urllib.error
import urllib.parse

import pytest
from filled import MODELS, Api, experiment
from playwright.sync_api import Error
from visiting import give, links_of, sign_in, token

# Each would run, or change the page, if some page did not escape it.
HOSTILE = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onfocus=alert(1) autofocus x='",
    "javascript:alert(1)",
    "</title></textarea><svg onload=alert(1)>",
    "{{7*7}}${7*7}",
    "\u202egnp.exe",
    "z\u0301" * 200,
    "x" * 10_000,
]


def offer(call, *more):
    """Makes the call; whether the server accepted it."""
    try:
        call(*more)
    except urllib.error.HTTPError as error:
        assert error.code < 500, error
        return False
    return True


@pytest.fixture
def hostile(server):
    """A server that has been told hostile texts wherever it takes texts. Returns the API and how many it accepted."""
    server.hearth("models", "push", "digits", MODELS / "digits-labeler", "--publish")
    server.hearth("models", "push", "digits", MODELS / "digits-labeler-2")
    server.hearth("models", "images", "add", "digits", MODELS / "digits-labeler/examples/7-a.png")
    api = Api(server)
    model = f"{{p}}/models/{api.model('digits')}"
    image = (MODELS / "digits-labeler/examples/7-a.png").read_bytes()
    accepted = 0
    for index, text in enumerate(HOSTILE):
        quoted = urllib.parse.quote(text, safe="")
        images = f"/hearth/v1/projects/{api.project}/models/{api.model('digits')}/images"
        parameter = {"defaultValue": {"value": text}, "description": text}
        template = {"conditions": [{"name": text, "expression": f"app.version == '{index}'"}], "parameters": {"p": parameter},
                    "parameterGroups": {text: {"description": text, "parameters": {f"g{index}": parameter}}},
                    "version": {"description": text}}  # fmt: skip
        smaller = {"parameters": {"p": parameter}, "version": {"description": text}}
        definition = experiment(api, "digits", f"e{index}", note=text, layer=text)
        calls = [
            (api.call, "PATCH", model + "/versions/1", {"note": text}),
            (api.call, "PATCH", "/v1beta2/projects/{id}/models/" + api.model("digits") + "?updateMask=tags", {"tags": [text]}),
            (api.call, "POST", "/v1beta2/projects/{id}/models", {"displayName": text}),
            (api.call, "PUT", model + f"/aliases/{quoted}", {"version": 1}),
            (api.raw, "PUT", f"{images}/{quoted}.png?label={quoted}", image, api.headers),
            (api.call, "PUT", "/v1/projects/{id}/remoteConfig", template),
            (api.call, "PUT", "/v1/projects/{id}/remoteConfig", smaller),
            (api.call, "POST", "{p}/experiments", definition),
            (api.call, "POST", "{p}/experiments", {**definition, "layer": None, "name": f"f{index}"}),
            (api.call, "POST", "{p}/adminTokens", {"name": text, "role": "viewer"}),
            (api.call, "POST", "{p}/apiKeys", {"name": text}),
            (api.call, "POST", "{p}/serviceAccounts", {"name": text, "role": "viewer"}),
            (api.call, "POST", model + "/releases", {"version": 2, "share": 0.1, "audience": {"tags": [text]}}),
            (api.raw, "POST", f"/hearth/v1/projects/{api.project}/uploads?name={quoted}", b"x", api.headers),
        ]
        for call, method, path, body, *headers in calls:
            more = {"If-Match": "*"} if "remoteConfig" in path else {}
            accepted += offer(lambda *_, c=call, a=(method, path, body, *headers), m=more: c(*a, **m))
    return api, accepted


def test_hostile_names_are_texts(hostile, server, open_page):
    api, accepted = hostile
    assert accepted >= 30, accepted
    cookie = sign_in(server)
    page = give(open_page(server.url), server, cookie)
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    addresses = links_of(server, cookie, most=3)
    assert len(addresses) > 40
    console = f"{server.url}/console/projects/{api.project}"
    for text in HOSTILE:
        quoted = urllib.parse.quote(text[:1500], safe="")
        addresses += [f"{console}/search?q={quoted}", f"{console}/models?q={quoted}&state={quoted}",
                      f"{console}/config?q={quoted}", f"{server.url}/console/sign-in?to={quoted}"]  # fmt: skip
    for address in addresses:
        page.goto(address)
        assert page.evaluate("document.querySelectorAll('[onerror], [onload], [onfocus], img[src=x]').length") == 0, address
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        assert page.locator("h1").count() == 1, address
    page.wait_for_reports()
    assert dialogs == []
    # A text that is no filter of the API may be refused. Nothing was blocked, because nothing of it was tried.
    rest = [line for line in page.findings if not line.startswith(("failed:", "console: error: Failed to load"))]
    assert rest == []
    page.is_checked = True


class Elsewhere(http.server.ThreadingHTTPServer):
    """A site of another origin, that a signed-in person visits. Its one page is what a test writes."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Page)
        # Another name for the same machine: cookies of 127.0.0.1 are those of another site there.
        self.url = f"http://localhost:{self.server_port}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.server.text.encode() if self.path == "/" else b"")

    def log_message(self, *_):
        pass


@pytest.fixture(params=["another site", "another port"])
def elsewhere(request):
    site = Elsewhere()
    if request.param == "another port":
        # The same site for cookies, so they are sent along. The origin is another one.
        site.url = site.url.replace("localhost", "127.0.0.1")
    yield site
    site.shutdown()
    site.server_close()


@pytest.fixture
def victim(server, signed_in):
    """An administrator's browser, with a published model to lose."""
    server.hearth("models", "push", "digits", MODELS / "digits-labeler", "--publish")
    return Api(server), signed_in()


def is_published(api):
    models = api.call("GET", "/v1beta2/projects/{id}/models")["models"]
    return models[0]["state"].get("published", False)


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"])
def test_a_form_of_another_origin_changes_nothing(victim, elsewhere, server, kind):
    api, page = victim
    action = f"{server.url}/console/projects/{api.project}/models/{api.model('digits')}/unpublish"
    elsewhere.text = f'<form method="post" enctype="{kind}" action="{action}"><button name="form-token" value="x">Win</button></form>'
    page.goto(elsewhere.url)
    with page.expect_navigation():
        page.get_by_role("button").click()
    assert "Nothing was changed." in page.content()
    assert is_published(api)
    page.assert_clean(except_for=["foreign|favicon|40[13]"])


def test_a_script_of_another_origin_reads_and_changes_nothing(victim, elsewhere, server):
    api, page = victim
    elsewhere.text = "<h1>Elsewhere</h1>"
    page.goto(elsewhere.url)
    model = f"/console/projects/{api.project}/models/{api.model('digits')}"
    tried = page.evaluate(
        """async ([base, model, call]) => {
            const results = [];
            for (const [path, options] of [
                [model, {}], [model + "/unpublish", { method: "POST", body: new URLSearchParams({ "form-token": "x" }) }],
                [call, { method: "DELETE" }], [call, { method: "DELETE", headers: { "X-Hearth-Form-Token": "x" } }],
                [call, {}],
            ]) {
                try {
                    const answer = await fetch(base + path, { credentials: "include", ...options });
                    results.push(await answer.text());
                } catch (error) { results.push(error.name); }
            }
            return results;
        }""",
        [server.url, model, f"/console/api/hearth/v1/projects/{api.project}/models/{api.model('digits')}/versions"],
    )
    assert tried == ["TypeError"] * 5, tried
    assert is_published(api)
    page.is_checked = True


def test_no_page_of_another_origin_frames_or_holds_the_console(victim, elsewhere, server):
    api, page = victim
    elsewhere.text = f'<h1>Elsewhere</h1><iframe src="{server.url}/console/projects"></iframe>'
    page.goto(elsewhere.url)
    frame = page.frames[-1]
    assert frame.url.startswith("chrome-error:") or frame.locator("h1").count() == 0, frame.url
    with page.context.expect_page() as opened:
        page.evaluate("(address) => { window.held = window.open(address); }", server.url + "/console/projects")
    opened.value.get_by_role("heading", name="Projects").wait_for()
    assert opened.value.evaluate("window.opener") is None
    with pytest.raises(Error):
        page.evaluate("window.held.document.body.innerHTML")
    page.is_checked = True


@pytest.mark.parametrize("to", ["//evil.example", "https://evil.example/", "/\\evil.example", "../../evil", "javascript:alert(1)"])
def test_signing_in_leads_nowhere_else(server, open_page, to):
    page = open_page(server.url)
    page.goto(f"{server.url}/console/sign-in?to={urllib.parse.quote(to, safe='')}")
    page.get_by_label("Sign-in code or admin token").fill(token(server))
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda address: "sign-in" not in address)
    assert page.url.startswith(server.url + "/console/")
    page.is_checked = True


def test_a_stolen_cookie_ends_with_the_session(server, open_page):
    page = open_page(server.url)
    page.goto(server.url + "/console/sign-in?to=account")
    page.get_by_label("Sign-in code or admin token").fill(token(server))
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Your account").wait_for()
    cookies = page.context.cookies()
    assert cookies and all(one["httpOnly"] and one["sameSite"] == "Lax" for one in cookies), cookies
    # No script of the page can read it.
    assert page.evaluate("document.cookie") == ""
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("heading", name="Sign in").wait_for()
    thief = open_page(server.url)
    thief.context.add_cookies(cookies)
    thief.goto(server.url + "/console/account")
    assert thief.get_by_role("heading", name="Sign in").is_visible()
    page.go_back()
    assert page.get_by_text("You are").count() == 0
