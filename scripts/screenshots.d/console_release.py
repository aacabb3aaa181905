"""Makes the image of the page of a release, in the middle of a guarded rollout that goes well. scripts/screenshots runs it."""

import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("Tests/Browser", "Tests/Clients", "scripts/soak.d")]

from browsing import Browser, Error, RecordedPage  # noqa: E402
from campaign.shifted_clock import ShiftedClock  # noqa: E402
from driving import Server  # noqa: E402
from filled import MODELS, SETTINGS, Api, Fleet, until  # noqa: E402
from visiting import give, sign_in  # noqa: E402

MODEL = "digits"
# A quarter of them is enough to rule out that the version crashes.
DEVICES = 5_640
# The header has room for all its words.
WIDTH = 1240
# The image ends with this table, and this many pixels below it.
LAST_TABLE, MARGIN = "Intervals of the guards", 12
MINUTE = 60


class Rollout:
    """A guarded rollout of the second version of a model to devices that have the first one."""

    def __init__(self, server, clock):
        self.server, self.clock = server, clock
        server.hearth("models", "push", MODEL, MODELS / "digits-labeler", "--publish")
        server.hearth("models", "push", MODEL, MODELS / "digits-labeler-2")
        api = Api(server)
        self.path = f"/console/projects/{api.project}/models/{api.model(MODEL)}/releases/2"
        self.old, self.new = api.hash(MODEL, 1), api.hash(MODEL, 2)
        self.fleet = Fleet(server, DEVICES)
        self.has = [self.old] * DEVICES
        server.hearth("releases", "create", MODEL, "--plan", "25%,50%,100%", "--hold", "2h", "--on-harm", "rollback")

    def play(self):
        """The devices come back after the two hours of the plan; so it continues, and they come once more."""
        self.visit()
        self.clock.passed_seconds += 125 * MINUTE
        self.visit()
        # The times of runs count at the end of an hour.
        self.clock.passed_seconds += 60 * MINUTE
        # An access token lasts an hour.
        api = Api(self.server)
        until(lambda: api.releases(MODEL)[0]["share"] == 0.5)
        self.visit()
        self.clock.passed_seconds += 15 * MINUTE

    def visit(self):
        """Each device asks for the model, runs it and reports."""
        for number, device in enumerate(self.fleet.devices):
            digest, _ = self.fleet.ask(device, MODEL, self.has[number])
            named = {"model": MODEL, "modelHash": digest}
            items = [{"health": named | self.health(number, digest == self.new)}]
            if digest != self.has[number]:
                items.insert(0, {"health": named | {"installed": 1}})
            self.has[number] = digest
            self.fleet.report(device, items)

    @staticmethod
    def health(number, is_new):
        """Of five runs: the new version is a little faster, and fails more seldom."""
        first = 52 + number % 3 - is_new
        health = {"loads": 1, "runs": 5, "runTimes": [[first, 3], [first + 2, 2]]}
        if number % (701 if is_new else 397) == 5:
            health["failedRuns"] = 1
        if not is_new and number % 991 == 7:
            health["loadFailures"] = {"memory": 1}
        if not is_new and number % 1999 == 9:
            health["crashes"] = {"SIGSEGV": 1}
        return health


def take(page, file):
    """The page from its top to the end of a table."""
    page.get_by_text("Version 2 to 50 % of all devices.").wait_for()
    page.assert_clean()
    table = page.get_by_role("table", name=LAST_TABLE).bounding_box()
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": round(table["y"] + table["height"]) + MARGIN}
    page.screenshot(path=file, full_page=True, clip=clip, animations="disabled")


def make(image):
    with tempfile.TemporaryDirectory(prefix="hearth-screenshots-") as folder:
        folder = pathlib.Path(folder)
        clock = ShiftedClock(folder)
        server = Server(folder / "data", *SETTINGS, environment=clock.environment)
        try:
            # The commands do not know the server's clock, so they sign in before it is ahead.
            cookie = sign_in(server)
            rollout = Rollout(server, clock)
            rollout.play()
            # After a signal its loop cannot be used any more; the browser ends with this process.
            browser = Browser()
            page = give(RecordedPage(browser, server.url, "light", WIDTH), server, cookie)
            page.goto(server.url + rollout.path)
            take(page, folder / image.name)
            browser.stop()
        finally:
            server.stop()
        shutil.copyfile(folder / image.name, image)


def main():
    # So that the server ends and the folder goes then too.
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: sys.exit("screenshots: error: interrupted"))
    image = pathlib.Path(sys.argv[1])
    try:
        make(image)
    except (AssertionError, Error, OSError, RuntimeError, subprocess.SubprocessError) as error:
        sys.exit(f"screenshots: error: {error}")
    print(f"screenshots: {image}: {image.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
