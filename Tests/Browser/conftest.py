"""A browser for all tests; a server and pages for each test that asks for them."""

import pathlib
import re
import sys

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PACKAGE / "Tests/Clients"), str(PACKAGE / "scripts/soak.d")]

from browsing import Browser, RecordedPage  # noqa: E402
from campaign.shifted_clock import ShiftedClock  # noqa: E402
from driving import Server  # noqa: E402
from filled import SETTINGS, fill  # noqa: E402
from visiting import give, post, sign_in  # noqa: E402


@pytest.fixture(scope="session")
def browser():
    browser = Browser()
    yield browser
    browser.stop()


@pytest.fixture(scope="session")
def browser_with_camera():
    """Chromium with a camera that shows moving colours."""
    browser = Browser("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    yield browser
    browser.stop()


@pytest.fixture
def server(tmp_path):
    """A server of the test's own: `url`, the folder `data`, and `hearth("models", "list")` as its administrator."""
    server = Server(tmp_path / "data")
    yield server
    server.stop()


@pytest.fixture
def open_page(browser, request):
    """`open_page(origin, theme, width)` opens a `RecordedPage`. Afterwards each must be clean, unless the test checked it."""
    pages = []

    def open_page(origin, theme="light", width=1280, **more):
        pages.append(RecordedPage(browser, origin, theme, width, **more))
        return pages[-1]

    yield open_page
    has_failed = request.node.stash.get(HAS_FAILED, False)
    try:
        for page in pages:
            if has_failed and not page.is_closed():
                name = re.sub(r"\W+", "-", request.node.name)
                print(page.url, page.picture(f"failed-{name}"), *page.findings, sep="\n", file=sys.stderr)
            elif not page.is_checked:
                page.assert_clean()
    finally:
        for page in pages:
            page.close()


@pytest.fixture
def page(open_page, server):
    """`page(theme, width)` opens a page of the test's server."""
    return lambda theme="light", width=1280: open_page(server.url, theme, width)


@pytest.fixture
def signed_in(open_page, server):
    """`signed_in(...)` opens a page of the test's server for its administrator."""
    cookie = sign_in(server)
    return lambda *more, **options: give(open_page(server.url, *more, **options), server, cookie)


@pytest.fixture(scope="session")
def filled(tmp_path_factory):
    """A server on which something of everything has happened. Tests only read there: `api`, `url`, `cookie`."""
    folder = tmp_path_factory.mktemp("filled")
    clock = ShiftedClock(folder)
    server = Server(folder / "data", *SETTINGS, environment=clock.environment)
    try:
        server.api = fill(server, folder, clock)
        server.cookie = sign_in(server)
        # A change of this person that is not published.
        new = f"/console/projects/{server.api.project}/config/new-parameter"
        post(server, server.cookie, new, {"key": "drafted", "type": "STRING", "default-kind": "text", "default": "one"})
        yield server
    finally:
        server.stop()


@pytest.fixture
def reader(open_page, filled):
    """`reader(...)` opens a page of the filled server for its administrator."""
    return lambda *more, **options: give(open_page(filled.url, *more, **options), filled, filled.cookie)


HAS_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call":
        item.stash[HAS_FAILED] = report.failed
    return report
