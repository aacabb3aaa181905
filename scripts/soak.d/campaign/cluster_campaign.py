"""A fleet and admins at work at several servers, and what must hold at the end."""

import statistics
import subprocess
import time

from campaign import options
from campaign.client import Device
from campaign.cluster import poll
from campaign.cluster_admins import (
    ClusterPusher, ClusterReleaser, ClusterRotator, ClusterTemplateEditor, Decoy, Persistent, counted, prepare_experiment)
from campaign.cluster_faults import wait_until_whole
from campaign.cluster_fleet import Fleet
from campaign.cluster_streams import Streams


class ClusterCampaign:
    """`trouble` is what disturbs the servers: it has `start`, `stop`, and afterwards `problems` and, by name, how often it did what,
    `done`. Without it the template changes five times a second, and the streams connect to the servers themselves."""

    def __init__(self, name, chosen, cluster, trouble=None):
        self.name, self.chosen, self.cluster, self.trouble, self.violations = name, chosen, cluster, trouble, []
        base = (options.ROOT / "Models/digits-labeler/model.tflite").read_bytes()
        seed = chosen.seed * 1000
        self.pushers = [ClusterPusher(f"model-{n}", seed + n, base) for n in range(chosen.pushers)]
        self.decoy = Decoy("decoy", seed + 900, base)
        self.rotator = ClusterRotator("keys", seed + 902)
        self.editor = ClusterTemplateEditor("templates", seed + 903, 1 if trouble else 0.2)
        actors = [*self.pushers, self.decoy, ClusterReleaser("rollouts", seed + 901, base), self.rotator, self.editor]
        self.admins = [Persistent(actor, cluster) for actor in actors]

    def run(self):
        prepare_experiment(self.cluster)
        self.decoy.prepare(self.cluster)
        for pusher in self.pushers:
            pusher.begin(self.cluster)
            pusher.step()
        self.models = [pusher.name for pusher in self.pushers] + [self.decoy.name]
        self.fleet = Fleet(self.cluster, self.models, self.chosen)
        places = [(self.cluster.host, self.cluster.port if self.trouble else member.port) for member in self.cluster.members]
        self.streams = Streams(self.cluster, places, self.chosen.streams)
        busy = [self.streams, *self.admins, self.fleet] + ([self.trouble] if self.trouble else [])
        for part in busy:
            part.start()
        self.watch(time.monotonic() + self.chosen.seconds)
        # First the trouble, so that all others can finish.
        for part in reversed(busy[1:]):
            part.stop()
        self.violations += self.trouble.problems if self.trouble else []
        try:
            wait_until_whole(self.cluster)
            self.look()
        except (RuntimeError, OSError) as error:
            self.violations.append(str(error))
        delays = sorted(self.streams.delays(self.editor.answered))
        self.streams.stop()
        self.report(delays)

    def watch(self, end):
        reported = time.monotonic()
        while time.monotonic() < end:
            time.sleep(0.5)
            if time.monotonic() > reported + 60:
                reported = time.monotonic()
                calls = sum(self.fleet.counts.values())
                problems = dict(self.fleet.problems)
                most = f", most of them: {max(problems, key=problems.get)}" if problems else ""
                print(f"{self.name}: {calls} calls of devices, {sum(problems.values())} problems so far{most}", flush=True)

    def look(self):
        """What is wrong when everything runs again."""
        for admin in self.admins:
            self.violations += admin.problems
            admin.actor.begin(self.cluster)
            self.violations += admin.actor.recover(self.cluster)
        self.violations += [f"{count} times: {text}" for text, count in self.fleet.problems.items()]
        self.look_at_models()
        self.look_at_counts()
        self.violations += self.rotator.settle(self.cluster, Device(self.cluster))
        newest = max(self.editor.known, default=0)
        if not poll(lambda: self.streams.newest() >= newest, 15):
            self.violations.append(f"not all streams heard of template {newest}: {[max(h, default=0) for h in self.streams.heard]}")
        for member in self.cluster.members:
            if not poll(lambda: member.metric("hearth_validation_queue_length") == 0, 120):
                self.violations.append(f"server {member.number} still has checks of models that do not end")
        self.verify()

    def look_at_models(self):
        """Devices got only what was released, and now get the same from every server."""
        final = {pusher.name: pusher.confirmed for pusher in self.pushers} | {self.decoy.name: self.decoy.digest}
        for actor in [*self.pushers, self.decoy]:
            if wrong := self.fleet.told[actor.name] - actor.allowed:
                self.violations.append(f"{actor.name}: devices were told {wrong}, which was not released")
        for member in self.cluster.members:
            device = Device(self.cluster)
            device.models = device.models.replace(self.cluster.url, member.url)
            for name, digest in final.items():
                if not poll(lambda: (device.info(name) or [None])[0] == digest, 10):
                    self.violations.append(f"{name}: server {member.number} says {device.info(name)}, not {digest}")

    def look_at_counts(self):
        found, expected = counted(self.cluster), self.fleet.reports()
        wrong = {name: (found.get(name), own) for name, own in expected.items() if found.get(name) != own}
        wrong |= {name: (one, None) for name, one in found.items() if name not in expected}
        self.violations += [f"{name}: counted {pair[0]}, reported {pair[1]}" for name, pair in list(wrong.items())[:5]]
        self.counted = f"{len(found)} installations with {sum(row[1] for row in found.values())} events counted"

    def verify(self):
        command = [
            self.chosen.hearth, "admin", "verify", "--database", self.cluster.postgres.url, "--blobs", self.cluster.blobs]
        ended = subprocess.run(command, env=self.cluster.hearth_environment(), capture_output=True, text=True)
        if ended.returncode != 0:
            self.violations.append(f"verify: {(ended.stdout + ended.stderr)[-500:].strip()}")

    def report(self, delays):
        for what, count in sorted(self.fleet.counts.items()):
            print(f"{self.name}: devices: {count} {what}")
        for admin in self.admins:
            print(f"{self.name}: {admin.actor.name}: {admin.actor.confirmations} confirmed, {admin.interruptions} interrupted")
        done = self.trouble.done if self.trouble else {}
        print(f"{self.name}: {', '.join(f'{count} {what}' for what, count in sorted(done.items())) or 'nothing was disturbed'}")
        print(f"{self.name}: {getattr(self, 'counted', 'nothing counted')}; streams connected {self.streams.connections} times")
        if delays and not self.trouble:
            print(
                f"{self.name}: streams heard of {len(self.editor.answered)} templates {len(delays)} times: median "
                f"{1000 * statistics.median(delays):.0f} ms, p99 {1000 * delays[int(0.99 * (len(delays) - 1))]:.0f} ms, at most "
                f"{1000 * delays[-1]:.0f} ms after the editor's answer")
