"""Who changes templates and reports events on a server while it may be killed at any moment."""

import hashlib
import json

from campaign.actors import Actor
from campaign.client import Admin, Device, Refused, call, refusal


class TemplateEditor(Actor):
    """Puts templates whose parameters all say the same, and goes back to older ones."""

    PARAMETERS = 40

    def __init__(self, name, seed):
        super().__init__(name, seed)
        # What each version says, as far as that was confirmed.
        self.known = {}
        self.changing = None
        self.number = 0
        # What was there before the first template of its own.
        self.first = 0

    def step(self):
        if self.known and self.random.random() < 0.2:
            old = self.random.choice(sorted(self.known)[-200:])
            self.changing = self.known[old]
            answer = self.template("POST", ":rollback", {"versionNumber": str(old)})
        else:
            self.number += 1
            self.changing = f"{self.name}-{self.number}-" + "x" * self.random.choice((1, 100, 5000))
            values = {f"p{n}": {"defaultValue": {"value": self.changing}} for n in range(self.PARAMETERS)}
            answer = self.template("PUT", "", {"parameters": values})
        self.known[int(answer["version"]["versionNumber"])] = self.changing
        self.changing = None

    def template(self, method, action="", body=None, admin=None):
        admin = admin or self.admin
        url = admin.hearth.replace("/hearth/v1/", "/v1/") + "/remoteConfig" + action
        status, _, answer = call(
            method, url, json.dumps(body).encode() if body else None, {**admin.headers, "If-Match": "*"})
        if status != 200:
            raise refusal(status, f"{method} remoteConfig{action}: {status} {answer[:200]!r}")
        return json.loads(answer)

    def check(self, server, device):
        active = self.template("GET", admin=Admin(server))
        said = {p["defaultValue"]["value"] for p in active.get("parameters", {}).values()}
        number = int(active.get("version", {}).get("versionNumber", 0))
        if not self.known and not said:
            self.first, self.changing = number, None
            return []
        newest = max(self.known, default=self.first)
        problems = []
        if len(said) != 1 or len(active["parameters"]) != self.PARAMETERS:
            problems.append(f"{self.name}: version {number} is half of one template and half of another")
        if number < newest:
            problems.append(f"{self.name}: version {newest} was confirmed, and {number} is active")
        elif number == newest and said != {self.known[newest]}:
            problems.append(f"{self.name}: version {number} does not say what was confirmed")
        elif number > newest and (number > newest + 1 or said != {self.changing}):
            problems.append(f"{self.name}: version {number} is there, and nobody asked for it")
        else:
            self.known[number] = said.pop()
        self.changing = None
        return problems


class Reporter(Actor):
    """A device that reports events. As a device does, it sends a batch again until it is told that it was counted."""

    EXPERIMENT = "kills"

    def __init__(self, name, seed):
        super().__init__(name, seed)
        self.headers = self.named = None
        self.journal = "".join(self.random.choices("abcdefghijklmnop", k=22))
        self.sequence = 0
        self.count = self.sum = 0
        self.pending = None

    def join(self, server):
        """Makes the experiment, unless somebody has, and gets a variant. Once, before anything is killed."""
        self.begin(server)
        experiments = f"{self.admin.hearth}/experiments"
        definition = {
            "name": self.EXPERIMENT, "goal": {"event": "kill", "kind": "total"}, "stopsAtWinner": False,
            "variants": [{"name": name, "parameters": {"kills_only": name}} for name in ("a", "b")]}
        status, _, answer = call(
            "POST", experiments, json.dumps(definition).encode(), self.admin.headers)
        if status not in (200, 409):
            raise Refused(f"{experiments}: {status} {answer[:200]!r}")
        call("POST", f"{experiments}/{self.EXPERIMENT}:start", b"{}", self.admin.headers)
        device = Device(server)
        status, _, answer = call(
            "POST", f"{device.project}/namespaces/firebase:fetch", b"{}", device.headers)
        own = [e for e in json.loads(answer).get("experimentDescriptions", []) if e["experimentId"] == self.EXPERIMENT]
        self.expect(own, f"no part in the experiment: {status} {answer[:200]!r}")
        # Tables name installations as logs do.
        self.named = "device:" + hashlib.sha256(device.installation.encode()).hexdigest()[:12]
        self.headers = device.headers
        self.pending = [self.item(exposure={"experiment": self.EXPERIMENT, "variant": own[0]["variantId"]})]

    def item(self, **what):
        self.sequence += 1
        return {"sequence": self.sequence, "time": "2027-01-15T08:00:00Z", **what}

    def step(self):
        if self.pending is None:
            values = [self.random.randrange(1, 1000) for _ in range(self.random.choice((1, 3, 50)))]
            self.pending = [self.item(event={"name": "kill", "value": value}) for value in values]
        self.send(self.admin)

    def send(self, admin):
        body = {"journal": self.journal, "items": self.pending}
        status, _, answer = call("POST", f"{admin.hearth}/events", json.dumps(body).encode(), self.headers)
        if status != 200:
            raise refusal(status, f"events: {status} {answer[:200]!r}")
        self.expect(json.loads(answer)["accepted"] == self.pending[-1]["sequence"], "not all of a batch was taken")
        events = [item["event"] for item in self.pending if "event" in item]
        self.count += len(events)
        self.sum += sum(event["value"] for event in events)
        self.pending = None

    def check(self, server, device):
        admin = Admin(server)
        if self.pending:
            self.send(admin)
        status, _, answer = call("GET", f"{admin.hearth}/experiments/{self.EXPERIMENT}/data", None, admin.headers)
        rows = [line.split(",") for line in answer.decode().splitlines()]
        own = next((row for row in rows if row[0] == self.named), None)
        if status != 200 or own is None:
            return [f"{self.name}: nothing is there of an installation that was counted ({status})"]
        if (int(own[3]), float(own[4])) != (self.count, float(self.sum)):
            return [f"{self.name}: {own[3]} events worth {own[4]} are counted, not {self.count} worth {self.sum}"]
        return []
