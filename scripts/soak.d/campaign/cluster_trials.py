"""What is tried once, after all else, with several servers and nobody at work: a stranger in the database, wrong objects in the
store, a full disk, a database that goes back."""

import time

from campaign.cluster import poll
from campaign.cluster_disk import SmallDisk, look_at_full_disk
from campaign.cluster_failover import CHANGES, Failover
from campaign.cluster_faults import wait_until_whole
from campaign.cluster_objects import WrongObjects
from campaign.cluster_stranger import LOCK_SECONDS, Stranger

NAMES = ("locks", "objects", "disk", "notifications", "failover")


class Trials:
    """Those of `chosen.trial`. Others go on while servers notice that a stranger has their locks."""

    def __init__(self, name, cluster, chosen):
        self.name, self.cluster, self.chosen = name, cluster, chosen
        self.violations, self.done = [], []
        self.locks = 0

    def run(self):
        stranger = Stranger(self.cluster)
        try:
            self._try("locks", lambda: self._take_locks(stranger))
            self._try("objects", self._put_wrong_objects)
            self._try("disk", self._fill_disk)
            self._try("notifications", stranger.forge)
            self._try("locks", lambda: stranger.look_for_notes() if self.locks else [])
        finally:
            stranger.end()
        for others in (CHANGES,) if self.chosen.short else (CHANGES, 1, 3 * CHANGES):
            self._try("failover", Failover(self.cluster, others).run)
        print(f"{self.name}: tried {', '.join(self.done)}", flush=True)

    def _try(self, name, trial):
        if name not in self.chosen.trial:
            return
        began = time.monotonic()
        try:
            wait_until_whole(self.cluster)
            self.violations += [f"{name}: {problem}" for problem in trial()]
        except Exception as error:  # The other trials must still run.
            self.violations.append(f"{name}: {type(error).__name__}: {error}")
        self.done.append(f"{name} ({time.monotonic() - began:.0f} s)")

    def _take_locks(self, stranger):
        """The servers lose their locks when they end, and the stranger stands first in line."""
        wanted = stranger.wait_for_locks()
        if not wanted:
            return ["the servers have no locks, so no stranger could take any"]
        # A lock that was free again has been granted already.
        poll(lambda: stranger.awaited_locks() + stranger.locks() >= wanted, LOCK_SECONDS)
        waiting = stranger.awaited_locks()
        for member in self.cluster.members:
            member.kill()
        poll(lambda: stranger.locks() >= wanted, LOCK_SECONDS)
        for member in self.cluster.members:
            member.start()
        self.locks = stranger.locks()
        self.done.append(f"{self.locks} of {wanted} locks taken by a stranger")
        problems = []
        if not waiting:
            problems.append(f"no session of the stranger waited for one of the servers' {wanted} locks")
        if not self.locks:
            problems.append(f"the stranger got none of the {wanted} locks of the servers that ended, so nothing was tried")
        return problems

    def _put_wrong_objects(self):
        full, _, empty = self.cluster.members
        with SmallDisk(empty):
            return WrongObjects(self.cluster, full, empty).run()

    def _fill_disk(self):
        with SmallDisk(self.cluster.members[2]) as disk:
            if disk.is_small:
                return look_at_full_disk(self.cluster, disk, self.chosen)
        self.done.append("no full disk, because only root can mount a small one")
        return []
