"""The database fails over to a copy of itself that lacks the last changes, and other changes follow at once."""

import os
import re
import signal
import subprocess
import time

from campaign.client import Device
from campaign.cluster import poll
from campaign.cluster_admins import AWAY
from campaign.cluster_faults import wait_until_whole
from campaign.cluster_keys import HEARING_SECONDS, Keys

# Changes that the copy lacks.
CHANGES = 6
TRY_SECONDS = 60
# Obeying comes first.
SAYING_SECONDS = 5
METRIC = "hearth_database_replaced_total"


class Failover:
    """`others` are the changes made before the other servers look again: fewer than the copy lacks, more, or as many, so that the
    number of the last change is the same again."""

    def __init__(self, cluster, others):
        self.cluster, self.postgres, self.others = cluster, cluster.postgres, others
        self.copy = self.postgres.data.with_name(f"copy-{others}")

    def run(self):
        """What is wrong."""
        cluster, keys, device = self.cluster, Keys(self.cluster), Device(self.cluster)
        kept, key = keys.make_token("kept"), keys.make_key("kept")
        self._replace(lambda: subprocess.run(["cp", "-a", self.postgres.data, self.copy], check=True))
        wait_until_whole(cluster)
        before = self._revision()
        # The servers find one by one that their connections are gone.
        lost = [self._made(keys, f"lost {number}") for number in range(CHANGES - 1)]
        self._until_answered(lambda: keys.revoke_token(kept))
        problems = keys.wait("a revoked token", lambda member: keys.token_works(member, kept), (401,))
        problems += keys.wait("a new token", lambda member: keys.token_works(member, lost[-1]), (200,))
        known = self._revision()
        said = [self._lines(member, known) for member in cluster.members]
        counted = [member.metric(METRIC) or 0 for member in cluster.members]
        # The others see nothing until the first has made its changes.
        paused = [member.server.process.pid for member in cluster.members[1:]]
        for process in paused:
            os.kill(process, signal.SIGSTOP)
        try:
            self._replace(self._swap)
            others = [self._made(keys, f"other {number}") for number in range(self.others)]
        finally:
            for process in paused:
                os.kill(process, signal.SIGCONT)
        now = self._revision()
        wait_until_whole(cluster)
        end = time.monotonic() + HEARING_SECONDS
        problems += keys.wait("a token that the copy has", lambda member: keys.token_works(member, kept), (200,), end)
        problems += keys.wait("a token that the copy lacks", lambda member: keys.token_works(member, lost[-1]), (401,), end)
        for other in (others[0], others[-1]):
            problems += keys.wait("a token made after the failover", lambda member: keys.token_works(member, other), (200,), end)
        self._until_answered(lambda: keys.revoke_token(others[0]))
        self._until_answered(lambda: keys.revoke_key(key))
        end = time.monotonic() + HEARING_SECONDS
        problems += keys.wait(
            "a token revoked after the failover", lambda member: keys.token_works(member, others[0]), (401,), end)
        problems += keys.wait(
            "a key revoked after the failover", lambda member: keys.key_works(member, key, device), (400, 401, 403), end)
        listed = {one["id"] for one in keys.admin.json("GET", f"{keys.admin.hearth}/adminTokens")["adminTokens"]}
        problems += [f"a token confirmed after the failover is gone: {one[0]}" for one in others if one[0] not in listed]
        for member, lines, count in zip(cluster.members, said, counted):
            problems += self._said(member, known, range(before, now + 3), lines, count)
        return problems

    def _made(self, keys, name):
        return self._until_answered(lambda: keys.make_token(name))

    @staticmethod
    def _until_answered(change):
        """As soon as the database answers."""
        end = time.monotonic() + TRY_SECONDS
        while True:
            try:
                return change()
            except AWAY:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def _said(self, member, known, present, lines, count):
        """The log once, a note and a metric, with the number that the server knew and the one of the copy."""
        poll(lambda: len(self._lines(member, known)) > len(lines), SAYING_SECONDS)
        problems, new = [], self._lines(member, known)[len(lines):]
        if len(new) != 1:
            problems.append(f"server {member.number} says {len(new)} times in its log that the change {known} is gone: {new[:2]}")
        note = member.readiness()[1]
        for place, text in [("its log", line) for line in new] + [("/readyz", note)]:
            # It may be at the same number again.
            rest, found = re.subn(rf"\b{known}\b", "", text, count=1)
            if not found or not {int(one) for one in re.findall(r"\b\d+\b", rest)} & set(present):
                problems.append(f"server {member.number} does not say in {place} that the database went from {known} back: {text[:200]}")
        if (member.metric(METRIC) or 0) != count + 1:
            problems.append(f"server {member.number} counts {member.metric(METRIC)} failovers, not {count + 1}")
        return problems

    @staticmethod
    def _lines(member, known):
        # Without the time.
        lines = [line.partition(" ")[2] for line in member.log.read_text(errors="replace").splitlines()]
        return [line for line in lines if "database" in line and re.search(rf"\b{known}\b", line)]

    def _revision(self):
        return int(self.postgres.sql("SELECT revision FROM serving"))

    def _replace(self, change):
        self.postgres.stop()
        change()
        self.postgres.start()

    def _swap(self):
        self.postgres.data.rename(self.postgres.data.with_name(f"former-{self.others}"))
        self.copy.rename(self.postgres.data)
