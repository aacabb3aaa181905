"""The whole recording: which scenes there are, and their order."""

import tempfile

from replaying import refusals, world as worlds
from replaying.programs import Server
from replaying.recorder import Recorder
from replaying.scenes import (
    config, console, devices, endings, experiments, following, forms, keys, models, protocol, rehearsals, releases, settings,
    storage, views)

# One client makes all requests, and nothing may change between two of them.
SETTINGS = [
    "--project", worlds.PROJECT, "--installation-requests-per-minute", "0", "--address-requests-per-minute", "0",
    "--experiment-check-seconds", "86400", "--rollout-check-seconds", "3600", "--probe-runs", "2", "--concurrent-probes", "1"]
FILLING = [
    keys.first_callers, keys.access_tokens, keys.accounts, keys.api_keys, keys.admin_tokens, keys.projects, keys.signing_keys,
    models.uploads, models.resumable_uploads, models.packing, models.models, models.versions, storage.storage, releases.releases,
    config.templates, devices.installations, releases.pins, config.evaluations, rehearsals.images, rehearsals.rehearsals,
    rehearsals.tries, devices.downloads, devices.fetches, devices.events, config.streams, devices.origins,
    experiments.experiments, views.recent]
LOOKING = [views.restarted, views.views, console.console, refusals.refusals, forms.forms, protocol.protocol, protocol.monitoring]
OTHER_SERVERS = [settings.proxied, settings.limited, settings.split, settings.secure, settings.read_only]


def record(hearth, output):
    """Writes the recording of a program to an open file. Returns the recorder."""
    recorder = Recorder(output)
    with tempfile.TemporaryDirectory(prefix="hearth-replay-") as folder:
        world = worlds.World(recorder, hearth, folder)
        recorder.names.fix(folder, "<folder>")
        port = None

        def main():
            """The same server each time. Its port is that of the first start."""
            nonlocal port
            server = Server("main", hearth, folder, *SETTINGS, listens=port)
            if port is None:
                world.name_server(server)
                port = server.address[1]
            world.main = server
            return server

        with main() as server:
            play(world, FILLING)
            # A server that stops writes what devices have, which it does twice a minute otherwise.
            server.stop()
        with main() as server:
            play(world, LOOKING)
            with following.Following(world) as followers:
                followers.with_main()
                server.stop()
                followers.without_main()
        with main():
            play(world, [endings.endings])
        play(world, OTHER_SERVERS)
    return recorder


def play(world, scenes):
    for scene in scenes:
        scene(world)
