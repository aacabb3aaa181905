"""A page in a real browser that records all it complains about, and what a test asks of it."""

import importlib.util
import os
import pathlib
import re
from urllib.parse import urlsplit

from playwright.sync_api import Error, sync_playwright

BROWSER = os.environ.get("HEARTH_BROWSER", "/usr/bin/chromium-headless-shell")

# Milliseconds. Nothing waits that long unless the test fails; a loaded machine may take seconds.
DEADLINE = 60_000

# Runs in each document before its own scripts.
REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
    reportPolicyViolation(
        `${event.effectiveDirective} blocked ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`);
});
"""


class Browser:
    """Chromium without a window. It reaches this machine only."""

    # There can be only one in a process. It ends with it.
    _driver = None

    def __init__(self, *arguments):
        """`arguments` are further ones of Chromium's command line."""
        self._playwright = Browser._driver = Browser._driver or sync_playwright().start()
        self.process = self._playwright.chromium.launch(
            executable_path=BROWSER,
            # The sandbox refuses to run as root, and is seldom available in a container. The pages are our own.
            chromium_sandbox=False,
            args=[
                "--no-proxy-server",
                # No name leads anywhere: a page that asks another server fails at once, with or without a network.
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
                *arguments,
            ],
        )

    def stop(self):
        self.process.close()


class RecordedPage:
    """A page of its own session: no cookie, nothing stored. Everything else is Playwright's `Page`.

    `findings` has a line for each message of the console, error of a script, failed request, request to another server and
    breach of the content security policy.
    """

    def __init__(self, browser, origin, theme="light", width=1280, height=800, **more):
        """`origin` is the only server that the page may ask; `theme` is `light` or `dark`; sizes in CSS pixels; `more` is
        for the browser's context, such as `timezone_id`."""
        self.origin = origin
        self.theme = theme
        self.name = f"{theme}-{width}"
        self.findings = []
        self.is_checked = False
        self.has_script = more.get("java_script_enabled", True)
        self.context = browser.process.new_context(
            **{
                "color_scheme": theme,
                "viewport": {"width": width, "height": height},
                "locale": "en-GB",
                "timezone_id": "UTC",
                **more,
            }
        )
        self.context.set_default_timeout(DEADLINE)
        self.context.expose_binding("reportPolicyViolation", lambda _, text: self._add("policy", text))
        self.context.add_init_script(REPORT_VIOLATIONS)
        # Of the context, so that windows which the page opens count too.
        self.context.on("console", lambda message: self._add("console", f"{message.type}: {message.text}"))
        self.context.on("weberror", lambda error: self._add("error", str(error.error)))
        self.context.on("request", lambda request: self._check_origin(request.url))
        self.context.on("requestfailed", lambda request: self._check_failure(request))
        self.context.on("response", lambda response: self._check_status(response))
        self.page = self.context.new_page()
        self.page.on("websocket", lambda socket: self._check_origin(socket.url))

    def __getattr__(self, name):
        return getattr(self.page, name)

    def _add(self, kind, text):
        self.findings.append(f"{kind}: {text}")

    def _check_origin(self, url):
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob", "about") and parts.netloc != urlsplit(self.origin).netloc:
            self._add("foreign", url)

    def _check_failure(self, request):
        # A page that is left ends its own questions for its live parts; no server can cause this error.
        is_left = request.failure == "net::ERR_ABORTED" and request.method == "GET" and request.resource_type == "xhr"
        if not is_left:
            self._add("failed", f"{request.url}: {request.failure}")

    def _check_status(self, response):
        if response.status >= 400:
            self._add("failed", f"{response.url}: {response.status}")

    def wait_for_reports(self):
        """Returns when the browser has reported all that happened before."""
        # A frame is drawn after the events of the violations before it. The answer comes after the reports before it.
        for tab in self.context.pages if self.has_script else []:
            while not self._draws_a_frame(tab):
                pass

    @staticmethod
    def _draws_a_frame(tab):
        try:
            tab.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        except Error as error:
            # Another document came meanwhile, and its reports count too. A document cannot come without end.
            if "context was destroyed" in error.message:
                return False
            raise
        return True

    def assert_clean(self, except_for=()):
        """Fails if there are findings. Each pattern of `except_for` allows findings, and must match at least one."""
        self.is_checked = True
        self.wait_for_reports()
        for pattern in except_for:
            assert any(re.search(pattern, line) for line in self.findings), f"nothing matches {pattern!r}"
        rest = [line for line in self.findings if not any(re.search(pattern, line) for pattern in except_for)]
        assert not rest, "the page is not clean:\n" + "\n".join(rest)

    def axe(self):
        """What axe-core finds wrong, each as `rule: selector (help)`.

        It runs in an isolated world of the page: it sees the page's elements, is not seen by the page's scripts, and the
        page's policy does not hold for it.
        """
        session = self.context.new_cdp_session(self.page)
        try:
            frame = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
            world = session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "axe"})
            answers = []
            # Without `preload`, axe would fetch style sheets once more.
            for script in [AXE + ";0", "axe.run(document, {preload: false}).then((found) => found.violations)"]:
                answer = session.send(
                    "Runtime.evaluate",
                    {
                        "contextId": world["executionContextId"],
                        "expression": script,
                        "awaitPromise": True,
                        "returnByValue": True,
                    },
                )
                assert "exceptionDetails" not in answer, answer["exceptionDetails"]
                answers.append(answer["result"]["value"])
        finally:
            session.detach()
        return [
            f"{rule['id']}: {' '.join(map(str, node['target']))} ({rule['help']})"
            for rule in answers[-1]
            for node in rule["nodes"]
        ]

    def picture(self, name):
        """Writes the whole page as PNG below $HEARTH_SCREENSHOTS, else .build/logs/browser. Returns the file's path."""
        path = SCREENSHOTS / f"{name}-{self.name}.png"
        self.page.screenshot(path=path, full_page=True, animations="disabled")
        return path

    def close(self):
        self.context.close()


PACKAGE = pathlib.Path(__file__).resolve().parents[2]
SCREENSHOTS = pathlib.Path(os.environ.get("HEARTH_SCREENSHOTS") or PACKAGE / ".build/logs/browser")
# The file only: the package's own code would run it under the page's policy.
AXE = (pathlib.Path(importlib.util.find_spec("axe_playwright_python").origin).parent / "axe.min.js").read_text()
