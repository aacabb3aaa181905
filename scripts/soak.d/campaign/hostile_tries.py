"""Damaged pictures and models, through the calls that the console's pages make: each must get a reason, and the server must live."""

import collections
import json
import random
import re
import struct

from campaign import model_changes, model_format, mutations, options, small_models
from campaign.client import Admin
from campaign.console_visits import Visitor

# Made for Hearth's tests, outside of its repository; may be missing.
COLLECTION = next(
    (path for folder in ("../shared/data", "shared/data") if (path := options.ROOT / folder).is_dir()), None)
CHANGES = (
    mutations.flip_bit, mutations.set_byte, mutations.set_word, mutations.shift_word, mutations.truncate, mutations.remove,
    mutations.clear, mutations.copy_within, mutations.splice)
# After so many of them, something sound is tried.
BETWEEN = 20
LEAST_REASON = 20


def files(folder):
    """The collection's files in that folder; nothing where it is missing."""
    found = sorted(path for path in (COLLECTION / folder).glob("*") if path.is_file()) if COLLECTION else []
    return [(path.name, path.read_bytes()) for path in found]


class HostileTries:
    """As a signed-in person's page sends them."""

    def __init__(self, server, program, seed):
        self.server = server
        self.chance = random.Random(seed)
        self.admin = Admin(server)
        self.project = server.admin["project_id"]
        self.busy = self.admin.find("busy")["name"].rpartition("/")[2]
        self.visitor = Visitor(server, program)
        self.token = self.form_token()
        self.sound = next(iter(sorted((options.ROOT / "Models/digits-detector/examples").glob("*.jpg")))).read_bytes()
        self.outcomes, self.violations = collections.Counter(), []

    def form_token(self):
        status, body, _ = self.visitor.get(f"/console/projects/{self.project}/models/{self.busy}/try")
        found = re.search(rb'name="form-token" content="([^"]+)"', body)
        if status != 200 or not found:
            raise RuntimeError(f"the page for tries was answered with {status}")
        return found[1].decode()

    def call(self, method, path, body):
        """Status and body of a call of a page's script."""
        return self.visitor.send(method, "/console/api" + path, body, {
            "Origin": self.server.url, "X-Hearth-Form-Token": self.token, "Content-Type": "application/octet-stream"})

    def attempt(self, picture, model=None, version=1):
        return self.call(
            "POST",
            f"/hearth/v1/projects/{self.project}/models/{model or self.busy}/versions/{version}:try?threshold=0.01", picture)

    def run(self, count):
        """`count` of them, a quarter models."""
        if COLLECTION is None:
            print("hostile: there is no shared/data here, so all of them are changed copies of the package's own files")
        models = self.models(count // 4)
        pictures = self.pictures(count - len(models))
        for number, (name, data) in enumerate(pictures, start=1):
            self.try_picture(name, data)
            if number % BETWEEN == 0:
                self.try_sound()
        for number, (name, data) in enumerate(models, start=1):
            self.try_model(number, name, data)
            if number % BETWEEN == 0:
                self.try_sound()
        self.try_sound()
        if self.server.process.poll() is not None:
            self.violations.append("the server has ended")
        print(f"hostile: {len(pictures)} pictures and {len(models)} models: " + ", ".join(
            f"{outcome} {number}" for outcome, number in sorted(self.outcomes.items())))
        return self.violations

    def pictures(self, count):
        known = [item for item in files("images/bad") if item[1]]
        sound = [data for _, data in files("images/exact") + files("images/variants")] + [self.sound]
        changed = [
            (f"changed picture {number}", mutations.mutate(self.chance, sound, CHANGES)) for number in range(count)]
        return (known + [item for item in changed if item[1]])[:count]

    def models(self, count):
        known = [item for item in files("models/invalid") if item[1]]
        made = [model_format.read(model_format.write(small_models.make(line))) for line in small_models.lines()]
        source = (options.ROOT / "Models/digits-labeler/model.tflite").read_bytes()
        changed = []
        while len(changed) < count:
            if len(changed) % 2:
                changed.append((f"changed model {len(changed)}", mutations.mutate(self.chance, [source], CHANGES)))
                continue
            try:
                data = model_format.write(model_changes.mutate(self.chance, self.chance.choice(made), made))
                changed.append((f"changed small model {len(changed)}", data))
            except (struct.error, IndexError, ValueError, KeyError, TypeError):
                # A change that no longer fits the change before it.
                continue
        return (known + [item for item in changed if item[1]])[:count]

    def try_sound(self):
        status, answer = self.attempt(self.sound)
        if status != 200 or not json.loads(answer)["answers"]:
            self.violations.append(f"a sound picture was answered with {status}: {answer[:200]!r}")

    def try_picture(self, name, data):
        self.judge(name, "pictures", *self.attempt(data))

    def judge(self, name, kind, status, answer):
        """Whether it has answers, or a reason that a person can read."""
        if status == 200:
            # Not all damage is to be seen.
            json.loads(answer)["answers"]
            self.outcomes[f"{kind} with answers"] += 1
            return
        self.outcomes[f"{kind} refused"] += 1
        try:
            reason = json.loads(answer)["error"]["message"]
        except (ValueError, KeyError):
            reason = ""
        if not 400 <= status < 500 or len(reason) < LEAST_REASON:
            self.violations.append(f"{name} was answered with {status}: {answer[:200]!r}")

    def try_model(self, number, name, data):
        """Uploads the model, makes a model of it, and tries its version."""
        path = f"/hearth/v1/projects/{self.project}/uploads?name=hostile-{number}.tflite"
        status, answer = self.call("POST", path, data)
        if status != 200:
            return self.judge(name, "models", status, answer)
        body = json.dumps({
            "displayName": f"hostile-{number}", "tfliteModel": {"gcsTfliteUri": json.loads(answer)["gcsTfliteUri"]}})
        status, answer = self.call("POST", f"/v1beta2/projects/{self.project}/models", body.encode())
        resource = json.loads(answer).get("response", {}).get("name") if status == 200 else None
        if not resource:
            return self.judge(name, "models", status if status != 200 else 400, answer)
        model = resource.rpartition("/")[2]
        page, body, _ = self.visitor.get(f"/console/projects/{self.project}/models/{model}/versions/1")
        if page != 200 or b"<h1>" not in body:
            self.violations.append(f"the page of {name} was answered with {page}")
        self.judge(name, "models", *self.attempt(self.sound, model))
