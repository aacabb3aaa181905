"""A browser for all tests; a server and pages for each test that asks for them."""

import pathlib
import re
import sys

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PACKAGE / "Tests/Clients"))

from browsing import Browser, RecordedPage  # noqa: E402
from driving import Server  # noqa: E402


@pytest.fixture(scope="session")
def browser():
    browser = Browser()
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

    def open_page(origin, theme="light", width=1280):
        pages.append(RecordedPage(browser, origin, theme, width))
        return pages[-1]

    yield open_page
    has_failed = request.node.stash.get(HAS_FAILED, False)
    try:
        for page in pages:
            if has_failed:
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


HAS_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call":
        item.stash[HAS_FAILED] = report.failed
    return report
