"""What goes wrong around several servers, one thing after the other, and that they heal from it by themselves."""

import random
import threading
import time

from campaign.cluster import START_SECONDS, poll
from engines.fault_proxy import Answer, Cut, Delay, Hang, Pass

# Longer than servers wait before they look again for a database that is away.
HEALING_SECONDS = 60


class Faults:
    """Two threads: one kills servers, the next not before the last one is ready again; the other hurts the database and the
    store."""

    def __init__(self, cluster, seed, say):
        self.cluster, self.say = cluster, say
        self.stopping = threading.Event()
        self.problems, self.done = [], {}
        self.threads = [
            threading.Thread(target=self._run, args=(random.Random(seed), self.kill_server, (1, 8))),
            threading.Thread(target=self._run, args=(random.Random(seed + 1), self.hurt_engine, (2, 8)))]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        """Everything runs and answers afterwards, or a problem says what does not."""
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def _run(self, draw, fault, pauses):
        while not self.stopping.wait(draw.uniform(*pauses)):
            try:
                name = fault(draw)
                self.done[name] = self.done.get(name, 0) + 1
            except (RuntimeError, OSError) as error:
                self.problems.append(f"{fault.__name__}: {error}")

    def kill_server(self, draw):
        member = draw.choice(self.cluster.members)
        began = time.monotonic()
        member.kill()
        self.stopping.wait(draw.uniform(0, 3))
        # Without the database a server does not start.
        while True:
            try:
                member.start()
                break
            except RuntimeError:
                if time.monotonic() > began + HEALING_SECONDS + START_SECONDS:
                    raise
                time.sleep(0.5)
        if not poll(member.is_ready, HEALING_SECONDS + START_SECONDS):
            self.problems.append(f"server {member.number} was not ready {HEALING_SECONDS + START_SECONDS} s after its start")
        self.say(f"server {member.number} killed; ready again after {time.monotonic() - began:.1f} s")
        return "server killed"

    def hurt_engine(self, draw):
        name = draw.choice([
            "database stopped", "database killed", "database restarted", "database frozen", "database connections reset",
            "store stopped", "store slow", "store answers 500", "store cuts connections", "store hangs"])
        seconds = draw.uniform(2, 10)
        self.say(f"{name} for {seconds:.1f} s")
        getattr(self, "_" + name.replace(" ", "_").lower())(seconds)
        return name

    def _database_stopped(self, seconds):
        self.cluster.postgres.stop()
        self.stopping.wait(seconds)
        self.cluster.postgres.start()

    def _database_killed(self, seconds):
        self.cluster.postgres.kill()
        self.stopping.wait(seconds)
        self.cluster.postgres.start()

    def _database_restarted(self, _):
        self.cluster.postgres.restart()

    def _database_frozen(self, seconds):
        self.cluster.postgres.pause()
        self.stopping.wait(seconds)
        self.cluster.postgres.resume()

    def _database_connections_reset(self, seconds):
        for _ in range(5):
            self.cluster.database_proxy.reset_connections()
            self.stopping.wait(seconds / 5)

    def _store_stopped(self, seconds):
        # Its data is in memory; what clients talk to may go.
        self.cluster.store.gateway.kill()
        self.stopping.wait(seconds)
        self.cluster.store.start_gateway()

    def _store_slow(self, seconds):
        self._store_as(Delay(0.2), seconds)

    def _store_answers_500(self, seconds):
        self._store_as(Answer(500), seconds)

    def _store_cuts_connections(self, seconds):
        self._store_as(Cut(after_answered=20_000, after_sent=20_000), seconds)

    def _store_hangs(self, seconds):
        self._store_as(Hang(), seconds)

    def _store_as(self, mode, seconds):
        self.cluster.store_proxy.mode = mode
        self.stopping.wait(seconds)
        self.cluster.store_proxy.mode = Pass()


def wait_until_whole(cluster):
    for member in cluster.members:
        if not poll(member.is_ready, HEALING_SECONDS + START_SECONDS):
            raise RuntimeError(f"server {member.number} is not ready: {member.readiness()}")
