"""Replaces the program of several servers one by one, as an operator does, and what an earlier program is built from."""

import subprocess
import threading
import time

from campaign import options
from campaign.cluster import START_SECONDS, poll

SCHEMA = "Sources/Server/StoragePostgres/PostgresSchema.swift"
EARLIER = options.ROOT / ".build/earlier"


class Upgrade:
    """All servers change to `newer`, one after the other; then one of them back and once more to `newer`, as when an operator has
    doubts. Between two changes `pause` seconds pass."""

    def __init__(self, cluster, newer, pause, say):
        self.cluster, self.pause, self.say = cluster, pause, say
        first = cluster.members[0]
        self.changes = [*((member, newer) for member in cluster.members), (first, first.hearth), (first, newer)]
        self.problems, self.done = [], {}
        self.thread = threading.Thread(target=self._run)

    def start(self):
        self.thread.start()

    def stop(self):
        """After the last change, or the first that fails."""
        self.thread.join()

    def steps_of_schema(self):
        return int(self.cluster.postgres.sql("SELECT max(step) FROM hearth_schema", self.cluster.postgres.url))

    def _run(self):
        before = self.steps_of_schema()
        for member, program in self.changes:
            time.sleep(self.pause)
            try:
                self._change(member, program)
            except (RuntimeError, OSError) as error:
                self.problems.append(f"server {member.number} with {program}: {error}")
                return
        time.sleep(self.pause)
        after = self.steps_of_schema()
        self.done[f"schema {before} -> {after}"] = 1
        if after != before + 1:
            self.problems.append(f"the schema went from {before} to {after}: the earlier program must have the one before")

    def _change(self, member, program):
        kind = "earlier" if program != self.changes[0][1] else "newer"
        if not member.end():
            self.problems.append(f"server {member.number} did not end as asked")
        member.hearth = program
        member.start()
        if not poll(member.is_ready, START_SECONDS):
            raise RuntimeError(f"not ready: {member.readiness()}")
        self.say(f"server {member.number} is the {kind} one now; the schema has {self.steps_of_schema()} steps")
        self.done[f"changed to the {kind} program"] = self.done.get(f"changed to the {kind} program", 0) + 1


def commit_before_last_step():
    """The parent of the commit that added the newest step of the schema."""
    found = _git("log", "-1", "--format=%H", "-S", "oldestProgram: 1", "--", SCHEMA)
    return _git("rev-parse", "--verify", f"{found}^")


def earlier_program(commit):
    """Builds `hearth-full` of that commit, without optimization, in a checkout of its own. Its path."""
    commit = _git("rev-parse", "--verify", f"{commit}^{{commit}}")
    folder = EARLIER / commit[:12]
    program = folder / ".build/checks/debug/hearth-full"
    if not folder.exists():
        EARLIER.mkdir(parents=True, exist_ok=True)
        _git("clone", "--quiet", "--no-checkout", options.ROOT, folder)
        _git("-C", folder, "checkout", "--quiet", "--detach", commit)
    print(f"rolling-upgrade: building {commit[:12]}; the first time this takes ten minutes", flush=True)
    ended = subprocess.run(
        ["scripts/build", "--product", "hearth-full"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ended.returncode != 0:
        raise RuntimeError(f"{commit[:12]} does not build:\n{ended.stdout[-2000:].strip()}")
    return str(program)


def _git(*arguments):
    ended = subprocess.run(["git", *map(str, arguments)], cwd=options.ROOT, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise RuntimeError(f"git {arguments[0]}: {ended.stderr.strip()}")
    return ended.stdout.strip()
