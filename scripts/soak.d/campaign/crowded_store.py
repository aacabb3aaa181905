"""Fills the database of a server that is not running: very many models, versions, installations, experiments and entries."""

import json
import random
import sqlite3
import time

HIGHEST = 2**63 - 1
# Of a version's sample of adoption, as a server keeps it.
ROWS = 262_144
DAY = 86_400_000_000


class CrowdedStore:
    """Copies what a real server made: a model with a version and a release, and running experiments."""

    def __init__(self, data, project, seed=1):
        self.database = sqlite3.connect(data / "hearth.sqlite")
        self.project = project
        self.random = random.Random(seed)
        self.now = time.time_ns() // 1000

    def close(self):
        self.database.commit()
        self.database.close()

    def id(self, display_name):
        return self.database.execute("SELECT id FROM model WHERE display_name = ?", [display_name]).fetchone()[0]

    def clone(self, table, where, changes):
        """Copies rows, whatever columns there are."""
        columns = [row[1] for row in self.database.execute(f"PRAGMA table_info({table})")]
        chosen = ", ".join(f":{name}" if name in changes else name for name in columns)
        self.database.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT {chosen} FROM {table} WHERE {where}", changes)

    def installations(self, count, app_id):
        self.database.executemany(
            "INSERT INTO installation (project, fid, app_id, created_us) VALUES (?, ?, ?, ?)",
            ((self.project, f"c{number:021d}", app_id, self.now - number) for number in range(count)))

    def models(self, count, sample, every=5, versions=20):
        """Copies of the model `sample`; each `every`-th has so many versions, and its releases."""
        first = self.database.execute("SELECT max(id) FROM model").fetchone()[0] + 1
        source = self.id(sample)
        for number in range(count):
            model = first + number
            self.clone("model", f"id = {source}", {
                "id": model, "display_name": f"model-{number:04d}", "tags": json.dumps([f"team-{number % 7}"])})
            for table in ("version", "release"):
                self.clone(table, f"model = {source}", {"model": model})
            if number % every == 0:
                self.versions(model, versions)
        self.database.execute("UPDATE counter SET value = ? WHERE name = 'model'", [first + count])
        return [first + number for number in range(count)]

    def versions(self, model, count):
        """So many versions of the model, each with a file and a verdict of its own."""
        newest = self.database.execute("SELECT max(number) FROM version WHERE model = ?", [model]).fetchone()[0]
        old = self.database.execute(
            "SELECT sha256 FROM version WHERE model = ? AND number = ?", [model, newest]).fetchone()[0]
        for number in range(newest + 1, count + 1):
            sha256 = f"{model:024x}{number:040x}"
            self.clone("validation", f"sha256 = '{old}'", {"sha256": sha256})
            self.clone("version", f"model = {model} AND number = {newest}", {
                "number": number, "sha256": sha256, "note": f"trained on week {number}"})
        self.database.execute("UPDATE model SET newest_version = max(newest_version, ?) WHERE id = ?", [count, model])

    def adoption(self, model, shares, installations):
        """What so many installations have: `shares` by version. As a server does, keeps a sample of large versions."""
        today = self.now // DAY
        for version, share in shares.items():
            count, shift = int(installations * share), 0
            while count > ROWS:
                count, shift = count // 2, shift + 1
            self.database.executemany(
                "INSERT OR IGNORE INTO adoption (model, installation, version, system, app_version, day)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                ((model, self.random.randrange(HIGHEST >> shift), version, f"iOS {15 + number % 4}.{number % 3}",
                  f"3.{number % 12}.0", today - number % 28) for number in range(count)))
            self.database.execute(
                "INSERT OR REPLACE INTO adoption_sample"
                " (model, version, shift, earlier_shift, changed_day, row_count, cleaned_day) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [model, version, shift, shift, today - 30, count, today])

    def health(self, model, versions, days):
        minute = self.now // 60_000_000
        for version in versions:
            for hour in range(days * 24):
                body = {
                    "reports": 900, "installed": 30, "rejected": 1, "loads": 900, "runs": 40_000, "failedRuns": 12,
                    "loadFailures": {"memory": 2}, "crashes": {"SIGSEGV": 1, "died": 3},
                    "loadTimes": {str(index): 18 for index in range(40, 90)},
                    "runTimes": {str(index): 800 for index in range(40, 90)}}
                self.database.execute(
                    "INSERT OR REPLACE INTO health (model, version, minutes, start, body) VALUES (?, ?, 60, ?, ?)",
                    [model, version, (minute // 60 - hour) * 60, json.dumps(body)])

    def exposures(self, experiments, count, metrics, variants=2):
        """So many installations that took part in each experiment, a third with a total of each metric."""
        for name in experiments:
            units = [(f"{self.random.getrandbits(128):032x}", number % variants) for number in range(count)]
            units.sort()
            self.database.executemany(
                "INSERT INTO experiment_unit (project, experiment, installation, variant, exposed_us)"
                " VALUES (?, ?, ?, ?, ?)",
                ((self.project, name, unit, variant, self.now - self.random.randrange(20 * DAY))
                 for unit, variant in units))
            self.database.executemany(
                "INSERT INTO experiment_total (project, experiment, installation, metric, count, sum)"
                " VALUES (?, ?, ?, ?, 1, 1)",
                ((self.project, name, unit, metric)
                 for number, (unit, _) in enumerate(units) if number % 3 == 0 for metric in range(metrics)))

    def audit(self, count):
        self.database.executemany(
            "INSERT INTO audit (project, actor, action, subject, detail, at_us) VALUES (?, ?, ?, ?, ?, ?)",
            ((self.project, "someone@example.org", ("release.update", "version.note", "file.upload")[number % 3],
              f"models/{number % 997}", f"version {number}", self.now - (count - number) * 1_000_000)
             for number in range(count)))

    def api_keys(self, count):
        for number in range(count):
            self.clone("api_key", "id = (SELECT min(id) FROM api_key)", {
                "id": f"copy-{number}", "name": f"app {number}", "secret_hash": f"{number:064x}"})
