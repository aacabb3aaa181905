"""Habits of readers: pages that follow, the search key, copies, times, the back button, no script, less motion."""

import pytest
from cutting import CuttingProxy
from driving import Server
from filled import MODELS, Api
from visiting import exchange, give, sign_in, token


@pytest.fixture
def rollout(server):
    """The API, and the path of the page of a release that goes to a tenth."""
    server.hearth("models", "push", "digits", MODELS / "digits-labeler", "--publish")
    server.hearth("models", "push", "digits", MODELS / "digits-labeler-2")
    server.hearth("releases", "create", "digits", "--share", "10%")
    api = Api(server)
    return api, f"/console/projects/{api.project}/models/{api.model('digits')}/releases/2"


def test_a_rollout_page_follows_the_command_line(server, signed_in, rollout):
    page = signed_in()
    page.goto(server.url + rollout[1])
    page.get_by_text("Version 2 to 10 % of all devices.").wait_for()
    page.evaluate("window.isTheSame = true")
    server.hearth("releases", "set", "digits", "--share", "35%")
    page.get_by_text("Version 2 to 35 % of all devices.").wait_for()
    assert page.evaluate("window.isTheSame")


def test_a_live_page_says_when_it_lost_the_server(server, open_page, rollout):
    proxy = CuttingProxy(server.url)
    page = give(open_page(proxy.url), proxy, exchange(proxy, token(server)))
    page.clock.install()
    page.goto(proxy.url + rollout[1])
    lost = page.get_by_text("The server does not answer. What you see may be old.")
    assert lost.is_hidden()
    proxy.cut()
    until(page, lambda: lost.is_visible())
    server.hearth("releases", "set", "digits", "--share", "35%")
    proxy.mend()
    until(page, lambda: lost.is_hidden())
    assert page.get_by_text("Version 2 to 35 % of all devices.").is_visible()
    page.assert_clean(except_for=["net::ERR"])
    proxy.stop()


def until(page, holds):
    """Lets seconds of the page's clock pass until it holds. The page asks every few seconds."""
    for _ in range(200):
        if holds():
            return
        page.clock.run_for(2000)
    raise AssertionError("it did not come to hold")


def test_the_search_key(filled, reader):
    page = reader()
    page.goto(filled.url + "/console/")
    page.keyboard.press("/")
    page.keyboard.type("digits")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.get_by_role("link", name="digits").first.is_visible()
    # In a field it is a letter like others.
    page.get_by_role("searchbox", name="Search").fill("")
    page.keyboard.type("a/b")
    assert page.get_by_role("searchbox", name="Search").input_value() == "a/b"


def test_copy_buttons(filled, reader):
    page = reader(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{filled.url}/console/projects/{filled.api.project}/models")
    page.get_by_text("The same on the command line").click()
    page.get_by_role("button", name="Copy").first.click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator(".copied code").first.inner_text() and copied.startswith("hearth models")


def test_times_in_the_readers_zone_beside_utc(filled, reader):
    address = f"{filled.url}/console/projects/{filled.api.project}/models/{filled.api.model('digits')}"
    page = reader(timezone_id="Asia/Kolkata")
    page.goto(address)
    time = page.locator("time").first
    utc = time.get_attribute("datetime")
    own = page.evaluate(
        """(utc) => new Date(utc).toLocaleTimeString("en-GB", {timeZone: "Asia/Kolkata", hour: "2-digit", minute: "2-digit"})""",
        utc,
    )
    text = time.inner_text()
    assert text.startswith(f"{utc[:10]} {utc[11:16]} UTC (") and own in text, (text, own)
    plain = reader(timezone_id="UTC")
    plain.goto(address)
    assert "(" not in plain.locator("time").first.inner_text()


def test_the_back_button_keeps_filters(filled, reader):
    page = reader()
    page.goto(f"{filled.url}/console/projects/{filled.api.project}/models")
    page.get_by_label("Name or tag").fill("vision")
    page.get_by_role("button", name="Filter").click()
    page.wait_for_url("**q=vision**")
    page.get_by_role("link", name="digits", exact=True).click()
    page.get_by_role("heading", name="digits", level=1).wait_for()
    page.go_back()
    assert page.get_by_label("Name or tag").input_value() == "vision"
    assert page.locator("tbody tr").count() == 1


def test_reduced_motion(filled, reader):
    durations = {}
    for motion in ("reduce", "no-preference"):
        page = reader(reduced_motion=motion)
        page.goto(filled.url + "/console/")
        durations[motion] = page.evaluate(
            """Math.max(...[...document.querySelectorAll("*")].flatMap((item) => {
                const style = getComputedStyle(item);
                return [parseFloat(style.transitionDuration), parseFloat(style.animationDuration)];
            }))"""
        )
    assert durations["reduce"] == 0 < durations["no-preference"], durations


def test_without_script_pages_can_be_read_and_releases_moved(server, signed_in):
    server.hearth("models", "push", "digits", MODELS / "digits-labeler", "--publish")
    server.hearth("models", "push", "digits", MODELS / "digits-labeler-2")
    api = Api(server)
    page = signed_in(java_script_enabled=False)
    page.goto(f"{server.url}/console/projects/{api.project}/models?q=dig")
    page.get_by_role("link", name="digits", exact=True).click()
    page.get_by_role("link", name="Release version 2").click()
    page.get_by_label("Share of the devices, in per cent", exact=True).fill("10")
    page.get_by_role("button", name="Release", exact=True).click()
    page.get_by_text("The release has begun.").wait_for()
    page.get_by_role("button", name="Pause").click()
    page.get_by_text("Paused. Devices that have the version keep it").wait_for()
    assert api.releases("digits")[0]["state"] == "paused"
    page.get_by_role("link", name="Roll back").click()
    page.get_by_role("button", name="Roll back").click()
    page.get_by_text("Rolled back.").wait_for()
    assert [one["state"] for one in api.releases("digits")].count("active") == 1
    # A form that is refused says why, and keeps what was filled in.
    page.goto(f"{server.url}/console/projects/{api.project}/models/{api.model('digits')}/releases/new?version=2")
    page.get_by_label("Share of the devices, in per cent", exact=True).fill("many")
    page.get_by_role("button", name="Release", exact=True).click()
    page.get_by_text("Not done. The share cannot be ‘many’").wait_for()
    assert page.get_by_label("Share of the devices, in per cent", exact=True).input_value() == "many"
    for path, words in (("upload", "hearth models push"), ("try", "hearth models try")):
        page.goto(f"{server.url}/console/projects/{api.project}/models/{api.model('digits')}/{path}")
        assert page.get_by_text(words, exact=True).first.is_visible()
    page.assert_clean(except_for=["400"])


def test_the_link_of_the_command_line_signs_in(server, open_page):
    page = open_page(server.url)
    link = next(word for word in server.hearth("console", "--print").split() if "#" in word)
    page.goto(link)
    page.get_by_role("heading", name=Api(server).project, level=1).wait_for()
    assert "#" not in page.url
    # It is good once.
    page.context.clear_cookies()
    page.goto(link)
    page.locator(".problem").wait_for()
    assert page.get_by_role("heading", name="Sign in").is_visible()
    page.assert_clean(except_for=["401|403|400"])


def test_the_start_page_of_an_empty_server(tmp_path, open_page):
    server = Server(tmp_path / "empty")
    cookie = sign_in(server)
    for theme in ("light", "dark"):
        page = give(open_page(server.url, theme), server, cookie)
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(server.url + "/console/")
            assert page.axe() == []
            assert page.locator("h1").count() == 1
            page.picture(f"empty-{width}")
        page.assert_clean()
    server.stop()
