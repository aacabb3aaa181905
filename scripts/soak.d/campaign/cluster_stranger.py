"""A role of the same PostgreSQL without any right, which may connect to the servers' database: what it can disturb."""

import subprocess
import time

from campaign.client import Device
from campaign.cluster import BUCKET, STORE_FOLDER, poll
from campaign.cluster_keys import Keys
from engines.postgres import program

ROLE = "mallory"
FORGED = (
    "9000000000000000000", "18446744073709551615", "99999999999999999999999", "1000000", "1", "0", "-1", "", "nonsense", "1;2", "NaN",
    "x" * 7000)
FLOOD = 20_000
FLOOD_SECONDS = 2
# The threat model: 20 questions a second at each server. Twice that many, for all else that servers ask.
MOST_QUESTIONS = 40
# The guide: within half a minute. With time for a busy machine.
NOTICE_SECONDS = 45
# A session takes a moment to connect, and a lock is free when the database sees that its server is gone.
LOCK_SECONDS = 30
HELD = "SELECT DISTINCT classid, objid, objsubid FROM pg_locks WHERE locktype = 'advisory'"


class Stranger:
    def __init__(self, cluster):
        self.cluster = cluster
        self.url = cluster.postgres.url.replace("postgres@", f"{ROLE}@")
        cluster.postgres.sql(f"CREATE ROLE {ROLE} LOGIN")
        folder = cluster.store.store.get(BUCKET, f"{STORE_FOLDER}/folder-id").body.decode().strip()
        self.channel = f"hearth_{folder}"
        self.sessions = []

    def sql(self, statement):
        return self.cluster.postgres.sql(statement, self.url)

    # Notifications.

    def forge(self):
        """What is wrong after forged notifications: changes must be obeyed as ever."""
        keys, device = Keys(self.cluster), Device(self.cluster)
        token, key = keys.make_token("forged"), keys.make_key("forged")
        problems = keys.wait("a new token", lambda member: keys.token_works(member, token), (200,))
        for payload in FORGED:
            self.sql(f"SELECT pg_notify('{self.channel}', '{payload}')")
        problems += self.flood()
        keys.revoke_token(token)
        keys.revoke_key(key)
        end = time.monotonic() + 2
        problems += keys.wait("a token revoked after forged notifications", lambda one: keys.token_works(one, token), (401,), end)
        problems += keys.wait(
            "a key revoked after forged notifications", lambda one: keys.key_works(one, key, device), (400, 401, 403), end)
        later = keys.make_token("after the forged ones")
        problems += keys.wait("a token made after forged notifications", lambda one: keys.token_works(one, later), (200,))
        return problems

    def flood(self):
        """Many notifications must not become as many questions to the database."""
        before = self._transactions()
        self.sql(f"SELECT count(pg_notify('{self.channel}', number::text)) FROM generate_series(1, {FLOOD}) AS number")
        time.sleep(FLOOD_SECONDS)
        questions = self._transactions() - before
        most = MOST_QUESTIONS * FLOOD_SECONDS * len(self.cluster.members)
        return [f"{FLOOD} notifications became {questions} transactions"] if questions > most else []

    def _transactions(self):
        return int(self.sql("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()"))

    # Locks.

    def wait_for_locks(self):
        """Stands in line for each lock that the servers have, which everybody may see. How many these are."""
        # Servers take their jobs some time after their start.
        poll(lambda: self.sql(HELD), LOCK_SECONDS)
        rows = self.sql(HELD).splitlines()
        for row in rows:
            space, number, kind = map(int, row.split("|"))
            signed = [value - (1 << 32) if value >= 1 << 31 else value for value in (space, number)]
            lock = f"{signed[0]}, {signed[1]}" if kind == 2 else f"{(signed[0] << 32) + number}"
            self.sessions.append(subprocess.Popen(
                [program("psql"), "-X", "-q", "-d", self.url, "-c", f"SELECT pg_advisory_lock({lock})", "-c", "SELECT pg_sleep(600)"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return len(rows)

    def locks(self):
        """How many it has."""
        return self._locks("granted")

    def awaited_locks(self):
        return self._locks("NOT granted")

    def _locks(self, condition):
        return int(self.cluster.postgres.sql(
            "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) "
            f"WHERE locktype = 'advisory' AND {condition} AND usename = '{ROLE}'"))

    def look_for_notes(self):
        """Each server must note the locks at `/readyz`, name their role in its log, stay ready, and count them."""
        problems, deadline = [], time.monotonic() + NOTICE_SECONDS
        for member in self.cluster.members:
            if not poll(lambda: "that is no server's has" in member.readiness()[1], max(0.1, deadline - time.monotonic())):
                problems.append(f"server {member.number} does not note that another role has its locks: {member.readiness()}")
            # Everyone may read `/readyz`, so the name stands only in the log.
            if not poll(lambda: ROLE in member.log.read_text(errors="replace"), max(0.1, deadline - time.monotonic())):
                problems.append(f"server {member.number} does not name the role that has its locks in its log")
            if not member.is_ready():
                problems.append(f"server {member.number} is not ready because another role has locks: {member.readiness()}")
            if not member.metric("hearth_database_lock_lost"):
                problems.append(f"server {member.number} counts no lock that another role has")
        return problems

    def end(self):
        for session in self.sessions:
            session.kill()
            session.wait()
        self.sessions = []
