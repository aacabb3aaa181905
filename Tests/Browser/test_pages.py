"""Each page of the console, in light and dark, narrow and wide."""

import html
import os
import re
import shlex
import subprocess
import urllib.request

import pytest
from driving import PROGRAM
from visiting import PACKAGE, crawl, get

# Script and style of a page, before compression.
MOST_BYTES = 60_000
WIDTHS = (320, 1280)


def look_at(page, name):
    """What no page may have, in each width."""
    problems = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        page.name = f"{page.theme}-{width}"
        problems += [f"{width}: axe: {line}" for line in page.axe()]
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            problems.append(f"{width}: its content is {wide} px wide: {page.evaluate(WIDE)}")
        page.picture(name)
    headings = page.locator("h1").count()
    if headings != 1:
        problems.append(f"it has {headings} h1")
    page.wait_for_reports()
    problems += page.findings
    page.findings.clear()
    return [f"{page.url}: {problem}" for problem in problems]


# The elements that reach out of the window, without those around them.
WIDE = """[...document.querySelectorAll("body *")].filter((item) => item.getBoundingClientRect().right > innerWidth + 1
    && !item.closest(".scroll") && ![...item.children].some((inner) => inner.getBoundingClientRect().right > innerWidth + 1)
    ).map((item) => item.outerHTML.slice(0, 120)).slice(0, 3)"""


def patterns():
    """The routes of the console's pages, as the source declares them."""
    config = (PACKAGE / "Sources/Server/Console/Pages/Config/ConfigPages.swift").read_text()
    found = {
        f"console/projects/{{project}}/config{path}"
        for path in re.findall(r'\b(?:page|form)\("(/?[^"]*)",', config)
    }
    for path in (PACKAGE / "Sources/Server/Console/Pages").rglob("*.swift"):
        text = path.read_text()
        names = dict(re.findall(r'static let (\w+) = "(projects/[^"]*)"', text))
        call = r'(?:\.page|ConsoleRoute\.form)\(\s*(?:"([^"]+)"|(\w+)(?: \+ "([^"]*)")?)\s*[,)]'
        for whole, name, rest in re.findall(call, text):
            if whole.startswith(("projects", "account", "server")) or name in names:
                found.add("console/" + (whole or names[name] + rest))
    return found


@pytest.fixture(scope="session")
def addresses(filled):
    """An address of each kind of page, found as a reader finds them: by links, from the start page on."""
    pages = crawl(filled, filled.cookie, most=4)
    project = filled.url + "/console/projects/" + filled.api.project
    digits = f"{project}/models/{filled.api.model('digits')}"
    seen = {pattern: address for pattern, address in pages.first().items() if is_looked_at(pattern)} | {
        # Other states of such pages.
        **{f"release {name}": f"{project}/models/{filled.api.model(name)}/releases/2" for name in
           ("planned", "paused", "crashing", "rolled-back", "ended")},
        **{f"model {name}": f"{project}/models/{filled.api.model(name)}" for name in ("planned", "ended")},
        **{f"experiment {name}": f"{project}/experiments/{name}" for name in ("draft", "running", "decided")},
        "search found": f"{project}/search?q=di",
        "search empty": f"{project}/search?q=nothing-has-this-name",
        "filter empty": f"{project}/models?q=nothing-has-this-name",
        "filter": f"{project}/models?q=vision&state=published",
        "compared": f"{digits}/compare?left=1&right=2",
        "done": f"{digits}?done=saved",
        "device": f"{project}/models/{filled.api.model('planned')}/devices?installation={filled.api.devices[0].id}",
        "devices": f"{project}/models/{filled.api.model('planned')}/devices",
        "config changes": f"{project}/config/changes",
        "devices filtered": f"{project}/models/{filled.api.model('planned')}/devices?with-os=none",
        "device malformed": f"{project}/models/{filled.api.model('planned')}/devices?installation=abc",
        "evaluated": f"{project}/config/device?os=ios&country=CH",
        **{f"server-config {name}": f"{project}/server-config/{name}" for name in
           ("conditions", "parameters/greeting", "versions", "versions/1", "json", "new-parameter")},
    }  # fmt: skip
    for address in seen.values():
        get(filled.cookie, address).close()
    return seen


def is_looked_at(pattern):
    """Not the same page with other queries, and not the pages of Remote Config again for servers."""
    return "?" not in pattern and ("server-config" not in pattern or pattern.endswith("server-config"))


def test_each_page_is_reached_by_links(addresses, filled):
    metrics = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(filled.url + "/metrics").read().decode()
    visited = set(re.findall(r'route="(console/[^"]*)"', metrics))
    declared = patterns()
    assert len(declared) > 20, declared
    assert {pattern.removesuffix("/") for pattern in declared} - visited == set()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages(addresses, filled, reader, theme):
    page = reader(theme)
    problems = []
    for pattern, address in addresses.items():
        bytes_of_code = []
        page.on("response", lambda answer, sizes=bytes_of_code: sizes.append(answer))
        answer = page.goto(address)
        if answer.status != 200:
            problems.append(f"{address}: {answer.status}")
        code = [one for one in bytes_of_code if "/assets/" in one.url and not one.url.endswith(".svg")]
        assert code or pattern == "", address
        size = sum(len(one.body()) for one in code)
        if size > MOST_BYTES:
            problems.append(f"{address}: {size} bytes of script and style")
        problems += look_at(page, re.sub(r"[^A-Za-z0-9]+", "-", pattern.replace("{}", "X")).strip("-") or "start")
    assert not problems, "\n".join(problems)


def test_the_program_knows_the_commands_that_pages_show(addresses, filled, tmp_path):
    shown = {}
    for address in addresses.values():
        with get(filled.cookie, address) as answer:
            text = answer.read().decode()
        for command in re.findall(r'<button[^>]* data-copy="(hearth [^"]*)"', text):
            shown.setdefault(html.unescape(command), address)
    assert len(shown) > 30, shown
    # No server is at this address: what the program does not understand it refuses before it asks one.
    nobody = {**os.environ, "HEARTH_URL": "http://127.0.0.1:1", "HEARTH_TOKEN": "none"}
    refused = []
    for command, address in shown.items():
        words = [PROGRAM, *("1" if word == "NUMBER" else word for word in shlex.split(command)[1:])]
        ended = subprocess.run(words, cwd=tmp_path, env=nobody, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        if ended.returncode == 2 and "give --yes to confirm" not in ended.stderr:
            refused.append(f"{address}: {command}: {ended.stderr}")
    assert not refused, "\n".join(refused)


def test_the_states_that_the_pages_are_for(filled, reader):
    """Otherwise `test_pages` looks at pages that show less than they can."""
    page = reader()
    project = f"{filled.url}/console/projects/{filled.api.project}"
    for name in ("crashing", "rolled-back"):
        page.goto(f"{project}/models/{filled.api.model(name)}/releases/2")
        stopped = page.get_by_text("Stopped by the guard")
        assert stopped.count() > 0, page.inner_text("main")
    page.goto(f"{project}/experiments/running")
    assert page.get_by_role("heading", name="Over time").count() == 1, page.inner_text("main")
    page.goto(f"{project}/models/{filled.api.model('planned')}/devices")
    assert page.locator("#recent tbody tr").count() >= 20


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_outside_of_a_session(filled, open_page, theme):
    page = open_page(filled.url, theme)
    page.goto(filled.url + "/console/sign-in")
    problems = look_at(page, "sign-in")
    page.get_by_label("Sign-in code or admin token").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    page.locator(".problem").wait_for()
    page.wait_for_reports()
    page.findings = [line for line in page.findings if "401" not in line and "403" not in line]
    problems += look_at(page, "sign-in-refused")
    for name, body in (("release", {"model": filled.api.model("planned"), "release": 2}), ("experiment", {"experiment": "running"})):
        link = filled.api.call("POST", "{p}/sharedLinks", body)
        page.goto(filled.url + link["path"])
        problems += look_at(page, f"shared-{name}")
        # Nothing leads on, and nothing can be changed.
        assert page.locator("form, a[href^='/']").count() == 0
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_that_refuse(filled, reader, theme):
    page = reader(theme)
    project = f"{filled.url}/console/projects/{filled.api.project}"
    problems = []
    for name, path in (("not-found", "/models/99"), ("unknown-address", "/nothing/here")):
        assert page.goto(project + path).status == 404
        page.wait_for_reports()
        page.findings = [line for line in page.findings if "404" not in line]
        problems += look_at(page, name)
    page.goto(f"{project}/models/{filled.api.model('digits')}/releases/new?version=3")
    page.get_by_label("Share of the devices, in per cent", exact=True).fill("many")
    page.get_by_role("button", name="Release", exact=True).click()
    page.get_by_text("Not done.").wait_for()
    page.wait_for_reports()
    page.findings = [line for line in page.findings if "400" not in line]
    problems += look_at(page, "refused")
    assert not problems, "\n".join(problems)
